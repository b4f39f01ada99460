"""Lists whose highlight a key or the mouse has moved, told apart from one that the program moved.

Qt reports both by `currentChanged`: also when rows arrive, vanish or are sorted, and when a list only gets the focus.
What moves the place in the video listens to `moved` instead.
"""

from collections.abc import Callable
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.widgets.basic import as_wrapping
from wce_desktop.widgets.player.pictures import picture_icon, shrunk
from wce_desktop.widgets.tile_list import TileList


class _ByHand:
    """Of a list: emits `moved` (QModelIndex) after a key or the mouse highlighted another row."""

    def keyPressEvent(self, event: Any) -> None:
        """Keys move the highlight."""
        self._let(super().keyPressEvent, event)  # type: ignore[misc]

    def mousePressEvent(self, event: Any) -> None:
        """So does a press of any button."""
        self._let(super().mousePressEvent, event)  # type: ignore[misc]

    def mouseMoveEvent(self, event: Any) -> None:
        """So does dragging."""
        self._let(super().mouseMoveEvent, event)  # type: ignore[misc]

    def focusInEvent(self: Any, event: Any) -> None:
        """The focus alone highlights nothing, where Qt would highlight the first row."""
        with QtCore.QSignalBlocker(self.selectionModel()), QtCore.QSignalBlocker(self):
            had = self.currentIndex().isValid()
            super().focusInEvent(event)  # type: ignore[misc]
            if not had:
                self.selectionModel().clearCurrentIndex()

    def _let(self: Any, handle: Callable[[Any], None], event: Any) -> None:
        had, before = self.currentIndex().isValid(), QtCore.QPersistentModelIndex(self.currentIndex())
        handle(event)
        now = self.currentIndex()
        is_other_list = had and not before.isValid()  # what was asked for has filled the list anew
        if now.isValid() and now != before and not is_other_list:
            self.moved.emit(now)


class HandList(_ByHand, QtWidgets.QListWidget):
    """A list that says which row a key or the mouse has moved to."""

    moved = QtCore.Signal(QtCore.QModelIndex)
    entered = QtCore.Signal(QtWidgets.QListWidgetItem)
    """A row that was clicked or activated, or to which a key or the mouse has moved."""

    def __init__(self, name: str) -> None:
        """Called `name` by a screen reader; its rows wrap."""
        super().__init__()
        as_wrapping(self, name)
        self.itemClicked.connect(self.entered)
        self.itemActivated.connect(self.entered)
        self.moved.connect(lambda index: self.entered.emit(self.item(index.row())))

    @property
    def rows(self) -> list[QtWidgets.QListWidgetItem]:
        """All rows, from the first to the last."""
        return [self.item(row) for row in range(self.count())]

    def show_pictures(self, picture_of: Callable[[QtWidgets.QListWidgetItem], QtGui.QImage | None]) -> None:
        """Show the pictures of rows that have none yet, where they have arrived, no larger than the list does."""
        side_px = round(self.iconSize().width() * self.devicePixelRatioF())
        for row in self.rows:
            picture = picture_of(row) if row.icon().isNull() else None
            if picture is not None and not picture.isNull():
                row.setIcon(picture_icon(shrunk(picture, side_px)))


class HandTiles(_ByHand, TileList):
    """The same for tiles."""

    moved = QtCore.Signal(QtCore.QModelIndex)


class HandTableView(_ByHand, QtWidgets.QTableView):
    """The same for a table with a model of its own."""

    moved = QtCore.Signal(QtCore.QModelIndex)
