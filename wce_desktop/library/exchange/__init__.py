"""A library's labels as files that others can read, and such files as one reviewed step into the library."""

from wce_desktop.library.exchange.exporting import ExportSummary, export_library
from wce_desktop.library.exchange.importing import ImportPlan, apply_import, plan_import

__all__ = ["ExportSummary", "ImportPlan", "apply_import", "export_library", "plan_import"]
