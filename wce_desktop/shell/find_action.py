"""Find any action by name (Ctrl+K): type a few letters, press Enter."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from wce_desktop.widgets.window_size import fit_to_screen


def matches(query: str, title: str) -> bool:
    """Whether every word of `query` begins somewhere in `title`; case does not matter."""
    return all(word in title.casefold() for word in query.casefold().split())


class FindActionDialog(QDialog):
    """A list of all actions that narrows while one types; `chosen` is the action picked, or None."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Find an action")
        fit_to_screen(self, 520, 420)
        self.chosen: QAction | None = None
        self._actions = list(actions)
        self._query = QLineEdit(placeholderText="What do you want to do?")
        self._list = QListWidget()
        layout = QVBoxLayout(self)
        layout.addWidget(self._query)
        layout.addWidget(self._list)
        self._query.textChanged.connect(self._narrow)
        self._query.returnPressed.connect(self._choose)
        self._query.installEventFilter(self)
        self._list.itemActivated.connect(lambda _: self._choose())
        self._narrow("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the query keeps the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step:
                self._list.setCurrentRow(max(0, min(self._list.count() - 1, self._list.currentRow() + step)))
                return True
        return super().eventFilter(watched, event)

    def _narrow(self, query: str) -> None:
        self._list.clear()
        for action in self._actions:
            title = action.text().replace("&", "")
            if matches(query, title):
                keys = action.shortcut().toString()
                item = QListWidgetItem(f"{title}    {keys}" if keys else title, self._list)
                item.setData(Qt.ItemDataRole.UserRole, action)
                if not action.isEnabled():
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
        enabled = (row for row in range(self._list.count()) if self._list.item(row).flags())
        self._list.setCurrentRow(next(enabled, -1))

    def _choose(self) -> None:
        item = self._list.currentItem()
        if item is not None and item.flags():
            self.chosen = item.data(Qt.ItemDataRole.UserRole)
            self.accept()
