"""The curves of all chosen runs, laid over each other."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from wce_desktop.core.language import tr
from wce_desktop.library.run_files import Curve
from wce_desktop.widgets.basic import make_note
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
        self._plot: CurvePlot | None = None
        self._figure = ComboBox()
        self._figure.setAccessibleName(tr("Curve to show"))
        self._figure.currentIndexChanged.connect(self._draw)
        self._note = make_note(tr("Reading the curves…"))
        row = QHBoxLayout()
        row.addWidget(PlainLabel(tr("Curve")))
        row.addWidget(self._figure, 1)
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(row)
        self._layout.addWidget(self._note)
        self._layout.addStretch(1)

    @property
    def figures(self) -> list[str]:
        """The figures that can be chosen."""
        return [self._figure.itemText(row) for row in range(self._figure.count())]

    @property
    def shown(self) -> dict[str, list[float]]:
        """The values drawn, by the run's title."""
        if self._plot is None:
            return {}
        return {name: list(values) for name, (_, values) in self._plot.points.items()}

    @property
    def note(self) -> str:
        """Why no curve is drawn; empty if one is."""
        return self._note.text()

    def show_waiting(self) -> None:
        """Say that curves are being read."""
        self._note.setText(tr("Reading the curves…"))
        self._note.setVisible(True)

    def show_curves(self, curves: RunCurves) -> None:
        """Show the curves of these runs, by title; the figure that was chosen stays chosen if there is one."""
        self._curves = curves
        wanted = self._figure.currentData()
        names = list(dict.fromkeys(name for one in curves.values() for name in one))
        self._figure.blockSignals(True)
        self._figure.clear()
        for name in names:
            self._figure.addItem(tr(name), name)
        self._figure.setCurrentIndex(max(self._figure.findData(wanted), 0) if names else -1)
        self._figure.blockSignals(False)
        self._figure.setEnabled(bool(names))
        self._draw()

    def _draw(self) -> None:
        name = self._figure.currentData()
        drawn = {title: curves[name] for title, curves in self._curves.items() if name in curves}
        self._note.setText("" if drawn else tr(RUN_WITHOUT_CURVES if self._curves else NO_CURVES))
        self._note.setVisible(not drawn)
        if drawn or self._plot is not None:
            plot = self._need_plot()
            plot.setVisible(bool(drawn))
            plot.show_curves({title: (curve.steps.tolist(), curve.values.tolist()) for title, curve in drawn.items()})

    def _need_plot(self) -> "CurvePlot":
        """The plot, made when there is something to draw: importing pyqtgraph takes a while."""
        if self._plot is None:
            from wce_desktop.widgets.curve_plot import CurvePlot

            self._plot = CurvePlot(tr("Over the steps of each run"))
            self._layout.takeAt(self._layout.count() - 1)  # the stretch
            self._layout.addWidget(self._plot, 1)
        return self._plot
