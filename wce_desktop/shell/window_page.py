"""Where the panels stand: three columns over the timeline, the jobs at the foot."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabWidget, QVBoxLayout, QWidget

LEFT_WIDTH, RIGHT_WIDTH = 190, 264
LOW_PX = 620
"""In a page that is lower the timeline begins as low as it can be, so that the frame keeps its room."""


class WindowPage(QWidget):
    """Puts the panels together; the frame keeps most of the room, `left` and `right` can be folded away."""

    def __init__(
        self,
        left: QWidget,
        center: QWidget,
        tabs: Mapping[str, QWidget],
        timeline: QWidget,
        foot: Sequence[tuple[QWidget, int]],
    ) -> None:
        """`tabs` stand at the right; each widget of `foot` has its share of the room that is left."""
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.left = left
        self.right = QTabWidget(documentMode=True)
        self.right.tabBar().setDrawBase(False)
        for title, panel in tabs.items():
            self.right.addTab(panel, title)
        columns = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for widget, stretch in ((self.left, 0), (center, 1), (self.right, 0)):
            columns.addWidget(widget)
            columns.setStretchFactor(columns.count() - 1, stretch)
        columns.setSizes([LEFT_WIDTH, 10_000, RIGHT_WIDTH])
        self._timeline, self._is_laid_out = timeline, False
        self._rows = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._rows.addWidget(columns)
        self._rows.addWidget(timeline)
        self._rows.setStretchFactor(0, 1)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        for widget, stretch in foot:
            line.addWidget(widget, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._rows, 1)
        column.addLayout(line)

    def showEvent(self, event: QShowEvent) -> None:
        """Share out the room once; from then on the reader's hand does."""
        super().showEvent(event)
        if not self._is_laid_out and self.height() < LOW_PX:
            low = self._timeline.minimumSizeHint().height()
            self._rows.setSizes([self.height() - low, low])
        self._is_laid_out = True
