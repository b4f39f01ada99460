"""Export and import of labels as CSV files."""

from wce_desktop.library.exchange.exporting import ExportSummary, export_library
from wce_desktop.library.exchange.importing import ImportPlan, apply_import, plan_import

__all__ = ["ExportSummary", "ImportPlan", "apply_import", "export_library", "plan_import"]
