"""The curves of all chosen runs, laid over each other."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from wce_desktop.core.language import tr
from wce_desktop.library.run_files import Curve
from wce_desktop.widgets.basic import fill_box, in_column, in_row, make_note
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel

if TYPE_CHECKING:
    from wce_desktop.widgets.curve_plot import CurvePlot

RunCurves = Mapping[str, Mapping[str, Curve]]
NO_CURVES = "No curves: the chosen model was not trained here, or its run was deleted."
RUN_WITHOUT_CURVES = (
    "The chosen run has no curves. They show the training of a network; a linear classifier is fitted at once."
)


class CurvesPage(QWidget):
    """One figure at a time, a curve for each run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: RunCurves = {}
        self.plot: CurvePlot | None = None
        self.figure = ComboBox(tr("Curve to show"))
        self.figure.currentIndexChanged.connect(self._draw)
        self.note = make_note(tr("Reading the curves…"))
        row = in_row(PlainLabel(tr("Curve")), (self.figure, 1))
        self._layout = in_column(row, self.note, 1, of=self)

    def show_waiting(self) -> None:
        """Say that curves are being read."""
        self.note.setText(tr("Reading the curves…"))
        self.note.setVisible(True)

    def show_curves(self, curves: RunCurves) -> None:
        """Show the curves of these runs, by title; the figure that was chosen stays chosen if there is one."""
        self._curves = curves
        names = list(dict.fromkeys(name for drawn in curves.values() for name in drawn))
        fill_box(self.figure, ((tr(name), name) for name in names))
        self.figure.setEnabled(bool(names))
        self._draw()

    def _draw(self) -> None:
        name = self.figure.currentData()
        drawn = {title: curves[name] for title, curves in self._curves.items() if name in curves}
        self.note.setText("" if drawn else tr(RUN_WITHOUT_CURVES if self._curves else NO_CURVES))
        self.note.setVisible(not drawn)
        if drawn or self.plot is not None:
            plot = self._need_plot()
            plot.setVisible(bool(drawn))
            plot.show_curves({title: (curve.steps.tolist(), curve.values.tolist()) for title, curve in drawn.items()})

    def _need_plot(self) -> "CurvePlot":
        """The plot, made when there is something to draw: importing pyqtgraph takes a while."""
        if self.plot is None:
            from wce_desktop.widgets.curve_plot import CurvePlot

            self.plot = CurvePlot(tr("Over the steps of each run"))
            self._layout.takeAt(self._layout.count() - 1)  # the stretch
            self._layout.addWidget(self.plot, 1)
        return self.plot
