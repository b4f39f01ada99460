"""The panels beside the frame: which are shown, and folding them away."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from wce_desktop.workspace import Menus, methods


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
