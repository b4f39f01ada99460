"""The curves of one training side by side; a plot is there as soon as it has a point."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QGridLayout, QWidget

from wce_desktop.core.vocabulary import ClassName
from wce_desktop.library.runs.run_files import CONTRASTS

if TYPE_CHECKING:
    from wce_desktop.widgets.curve_plot import CurvePlot

SHARE = True
LOSSES = ("loss", "triplet", "cross_entropy", "memory_term", "view_term")
PLOTS: tuple[tuple[str, str, tuple[str, ...], bool], ...] = (
    ("loss", "Loss: falls while it learns", LOSSES, not SHARE),
    ("violating", "Violating triplets: share that is not yet in order", ("violating_share", "negatives_ahead"), SHARE),
    ("judged", "On held-out labels: 1 is perfect", ("accuracy",), SHARE),
    ("norm", "Embedding norm: at zero all frames look alike", ("embedding_norm",), not SHARE),
    ("rate", "Learning rate", ("learning_rate",), not SHARE),
    ("speed", "Images a second", ("images_per_second",), not SHARE),
)
"""Key, title, fields of a "curve" partial, whether the upright axis is [0, 1]."""
FIELDS = tuple(field for _, _, fields, _ in PLOTS for field in fields)
CONTRAST_PLOTS = {"violating": "Negatives more alike than the own view: 0.5 is guessing"}
"""Key -> title where a contrast is learned: it has no triplets."""
COLUMNS = 3


class LiveCurves(QWidget):
    """Sorts what a training says into its plots."""

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        """An empty grid; `kind`: "pretrain" or "finetune"."""
        super().__init__(parent)
        self.plots: dict[str, CurvePlot] = {}
        """Key -> plot, all from the first point on; one without points is hidden."""
        self.method = ""
        """The training's method, "" until it is known."""
        self._kind = kind
        self._classes: Mapping[str, ClassName] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)

    @property
    def is_empty(self) -> bool:
        """Whether there is no point yet."""
        return all(plot.isHidden() for plot in self.plots.values())

    def set_classes(self, classes: Mapping[str, ClassName]) -> None:
        """Draw curves of classes in their colours, from the first point on."""
        self._classes = classes

    def clear(self) -> None:
        """Take all points away."""
        for plot in self.plots.values():
            plot.clear()
            plot.hide()

    def add(self, name: str, step: float, value: float | None) -> None:
        """Draw a point of the curve `name` (a field of `PLOTS`, or "AUC " and a class); None draws nothing."""
        if value is None or self._is_of_an_older_version(name):
            return
        key = next((key for key, _, fields, _ in PLOTS if name in fields), "judged" if name.startswith("AUC ") else "")
        if not key:
            return
        self._need_plots()[key].add_point(name.removeprefix("AUC "), step, value)
        if self.plots[key].isHidden():
            self.plots[key].show()
            self._place()

    def _is_of_an_older_version(self, name: str) -> bool:
        if self._kind == "pretrain" and name in ("triplet", "cross_entropy"):
            return True  # written for every pretraining once
        return self.method in CONTRASTS and name == "violating_share"  # another figure than the one of today

    def _need_plots(self) -> "dict[str, CurvePlot]":
        """The plots, made with the first point: importing pyqtgraph would delay the window."""
        if not self.plots:
            from wce_desktop.widgets.curve_plot import CurvePlot

            titles = CONTRAST_PLOTS if self.method in CONTRASTS else {}
            for key, usual, _, is_share in PLOTS:
                plot = self.plots[key] = CurvePlot(titles.get(key, usual), is_share, self)
                plot.set_classes(self._classes)
                plot.hide()
        return self.plots

    def _place(self) -> None:
        """Put the plots that have points next to each other."""
        for number, plot in enumerate(plot for plot in self.plots.values() if not plot.isHidden()):
            self._grid.addWidget(plot, number // COLUMNS, number % COLUMNS)
