"""Reliability of a model's scores: how often a class is on frames of a calibrated score."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from wce_desktop.core import number_text, to_translate, tr
from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.features.models import run_texts
from wce_desktop.features.models.table_pages import CHOOSE_ONE, PlainTable
from wce_desktop.library import runs
from wce_desktop.library.run_files import Item, read_card, read_report
from wce_desktop.threads.job_texts import for_reader
from wce_desktop.widgets.basic import in_column, make_text, show_text
from wce_desktop.widgets.theme import COLORS

if TYPE_CHECKING:
    from wce_desktop.widgets.curve_plot import CurvePlot

HEADER = (
    "",
    to_translate("Patients with it"),
    to_translate("Frames with it"),
    to_translate("Share"),
    to_translate("Calibration error"),
    to_translate("Before"),
)
NONE = to_translate(
    "Not calibrated: nothing says how often a finding is on frames of a score. A fine-tuning that holds out patients, "
    "and a cross-validation, measure it."
)
SHARES = to_translate(
    "Shares are of these labelled frames. In a whole study findings are much rarer, and so they are at each score."
)
IDEAL = to_translate("Ideal")


class CalibrationPage(QWidget):
    """A curve and a row for each class."""

    def __init__(self, classes: Mapping[str, ClassName], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes = classes
        self.plot: CurvePlot | None = None
        self.note = make_text(COLORS.muted)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.table = PlainTable(
            tr("Calibration"), [tr(title) if title else "" for title in HEADER], most_rows=12, first_number=1
        )
        self._layout = in_column(self.note, self.table, 1, of=self)

    def show_item(self, item: Item | None) -> None:
        """Show what the card of a model, or the report of a cross-validation, says."""
        content = {} if item is None else read_card(item)
        if isinstance(item, runs.Run) and item.kind == "evaluate":
            content = read_report(item)
        found: Mapping[str, Any] = content.get("calibration") or {}
        rows: Mapping[str, Mapping[str, Any]] = found.get("classes") or {}
        sentences = (for_reader(found.get("sentence") or ""), tr(SHARES)) if rows else (tr(NONE),)
        show_text(self.note, " ".join(sentences) if item is not None else tr(CHOOSE_ONE))
        self.table.show_rows([calibration_row(name, row) for name, row in rows.items()])
        self.table.setVisible(bool(rows))
        if rows or self.plot is not None:
            plot = self._need_plot()
            plot.setVisible(bool(rows))
            curves = {
                name: ([each[0] for each in row["bins"]], [each[1] for each in row["bins"]])
                for name, row in rows.items()
            }
            plot.show_curves({tr(IDEAL): ([0.0, 1.0], [0.0, 1.0]), **curves})

    def _need_plot(self) -> "CurvePlot":
        """Made when there is something to draw: importing pyqtgraph takes a while."""
        if self.plot is None:
            from wce_desktop.widgets.curve_plot import CurvePlot

            self.plot = CurvePlot(tr("Share of the frames with the class"), True, across=tr("Calibrated score"))
            self.plot.set_classes(self._classes)
            self._layout.takeAt(self._layout.count() - 1)  # the stretch
            self._layout.addWidget(self.plot, 1)
        return self.plot


def calibration_row(name: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    """What a card says of a class, under `HEADER`."""
    share = number_text(100 * row["positives"] / max(row["frames"], 1), ".0f")
    counts = number_text(row["patients"]), number_text(row["positives"]), f"{share} %"
    errors = (number_text(row[error], ".3f") for error in ("error", "error_before"))
    return (run_texts.class_title(name), *counts, *errors)
