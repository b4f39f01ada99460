"""The layout of the window: three columns above the timeline, jobs at the bottom; hiding side panels."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSplitter, QTabWidget, QVBoxLayout, QWidget

from wce_desktop.workspace import Menus, methods

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
        self.right.tabBar().setStyleSheet("QTabBar::tab { padding: 7px 5px; }")  # so that all titles can be read
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
        """Distribute the space once; later the reader changes it."""
        super().showEvent(event)
        if not self._is_laid_out and self.height() < LOW_PX:
            low = self._timeline.minimumSizeHint().height()
            self._rows.setSizes([self.height() - low, low])
        self._is_laid_out = True


class SidePanels:
    """The left column, and the tabs at the right."""

    def __init__(self, window: QMainWindow, left: QWidget, right: QTabWidget) -> None:
        self._window, self._left, self._right = window, left, right
        self.menus: Menus

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        tabs = {f"show_{title.lower()}": title for title in map(self._right.tabText, range(self._right.count()))}
        return {
            **methods(self, ("toggle_left", "toggle_right", "only_frame")),
            **{action_id: partial(self.show_tab, title) for action_id, title in tabs.items()},
        }

    def show_tab(self, title: str) -> None:
        """Bring a panel of the right side to the front."""
        titles = [self._right.tabText(index) for index in range(self._right.count())]
        self._right.setVisible(True)
        self._right.setCurrentIndex(titles.index(title))
        self._check_panels()

    def toggle_left(self) -> None:
        """Studies and model."""
        self._left.setVisible(self._left.isHidden())
        self._check_panels()

    def toggle_right(self) -> None:
        """Flags, findings, explain."""
        self._right.setVisible(self._right.isHidden())
        self._check_panels()

    def only_frame(self) -> None:
        """Frame and timeline only, or everything again."""
        is_folding = not (self._left.isHidden() and self._right.isHidden())
        for panel in (self._left, self._right):
            panel.setVisible(not is_folding)
        self._check_panels()

    def fold_where_narrow(self) -> None:
        """Fold side panels away, the studies first, until the others fit into the window."""
        page = self._window.centralWidget()
        needed = page.minimumSizeHint().width() if page is not None else 0
        for panel in (self._left, self._right):
            if needed > self._window.width() and not panel.isHidden():
                needed -= panel.minimumSizeHint().width()
                panel.hide()
        self._check_panels()

    def _check_panels(self) -> None:
        left, right = not self._left.isHidden(), not self._right.isHidden()
        self.menus.check({"toggle_left": left, "toggle_right": right, "only_frame": not (left or right)})
