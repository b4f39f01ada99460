"""Export and import of labels: tables of this program, and formats of annotation tools."""

from wce_desktop.library.exchange.annotation_export import export_annotations
from wce_desktop.library.exchange.annotations import Survey, survey
from wce_desktop.library.exchange.export_formats import EXPORT_FORMATS, ExportFormat, ExportSummary, export_format
from wce_desktop.library.exchange.exporting import export_library
from wce_desktop.library.exchange.image_groups import LEFT_OUT, AnnotationChoice, ImageGroup
from wce_desktop.library.exchange.importing import (
    ImportPlan,
    apply_import,
    find_annotations,
    plan_annotations,
    plan_import,
)
from wce_desktop.library.exchange.labelled_folder import (
    LabelledFolder,
    Meanings,
    meanings,
    read_labelled_folder,
    reader_for,
)
from wce_desktop.library.exchange.labelled_images import Added, add_labelled_images
from wce_desktop.library.exchange.published_set import plan_published

__all__ = [
    "EXPORT_FORMATS",
    "LEFT_OUT",
    "Added",
    "AnnotationChoice",
    "ExportFormat",
    "ExportSummary",
    "ImageGroup",
    "ImportPlan",
    "LabelledFolder",
    "Meanings",
    "Survey",
    "add_labelled_images",
    "apply_import",
    "export_annotations",
    "export_format",
    "export_library",
    "find_annotations",
    "meanings",
    "plan_annotations",
    "plan_import",
    "plan_published",
    "read_labelled_folder",
    "reader_for",
    "survey",
]
