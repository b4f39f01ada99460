"""A list of frames as tiles with keyboard navigation; only visible tiles are created."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wce_desktop.session.keys import shortcut_of
from wce_desktop.widgets.frame_tile import FrameTile, paint_tile, tile_size
from wce_desktop.widgets.key_texts import KeepsKeys
from wce_desktop.widgets.plain_text import plain

Index = QModelIndex | QPersistentModelIndex
TileMaker = Callable[[int], FrameTile]
PictureProvider = Callable[[str, int], QImage | None]
KEPT_TILES = 1024
SPARE_PX = 6
"""A row that is exactly full wraps too early."""
_MOVING = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class TileModel(QAbstractListModel):
    """`count` tiles, each made when it is first shown."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        self._source: TileMaker | None = None
        self._make: TileMaker | None = None

    def set_tiles(self, count: int, make: TileMaker) -> None:
        """Show these tiles; `make(row)` gives one."""
        self.beginResetModel()
        self._count, self._source = count, make
        self.forget()
        self.endResetModel()

    def forget(self) -> TileMaker | None:
        """Make every tile again when it is shown next; returns those of before."""
        before = self._make
        self._make = None if self._source is None else lru_cache(maxsize=KEPT_TILES)(self._source)
        return before

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The number of tiles."""
        return 0 if parent.isValid() else self._count

    def tile(self, row: int) -> FrameTile | None:
        """The tile of a row."""
        return self._make(row) if self._make is not None and 0 <= row < self._count else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text of a tile for screen readers; `tile` returns the tile itself.

        Tiles have no role: an error inside Qt's call ended the program (PySide6 6.11).
        """
        tile = self.tile(index.row()) if index.isValid() else None
        if tile is None:
            return None
        if role in {Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole}:
            return tile.sentence
        return plain(tile.sentence) if role == Qt.ItemDataRole.ToolTipRole else None


class TileDelegate(QStyledItemDelegate):
    """Paints a tile with its picture, or without one until it has arrived."""

    def __init__(self, tiles: TileModel, picture: PictureProvider, lines: int, pictures: int) -> None:
        super().__init__()
        self._tiles, self._picture = tiles, picture
        self._lines, self.pictures = lines, pictures
        self.picture_px = 96

    @property
    def size(self) -> QSize:
        """The size of every tile."""
        return tile_size(self.picture_px, self._lines, self.pictures)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Every tile is equally large."""
        return self.size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one."""
        tile = self._tiles.tile(index.row())
        if tile is not None:
            state = option.state
            is_chosen, has_focus = (
                bool(state & flag) for flag in (QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_HasFocus)
            )
            picture = self._picture(tile.study_id, tile.frame_index)
            paint_tile(painter, option.rect, tile, picture, is_chosen=is_chosen, has_focus=has_focus)


class TileList(KeepsKeys, QListView):
    """Tiles in rows that wrap, or in one row. Double click, Enter, or (in one row) a click opens a frame.

    `keys` mean something else here: id of an action, or a letter -> step.

    Inside a window whose keys mean something else (`takes_keys_always` False) arrows and Enter belong to the list only
    once Tab led to it; after a click they still mean the frame on screen.
    """

    opened = Signal(str, int)
    """Study and frame."""
    chosen_changed = Signal()

    def __init__(
        self,
        name: str,
        picture: PictureProvider,
        *,
        is_one_row: bool = False,
        takes_keys_always: bool = True,
        keys: Mapping[str, Callable[[], object]] | None = None,
        lines: int = 1,
        pictures: int = 1,
    ) -> None:
        """`lines` of the caption of a tile; `pictures` are the squares side by side that its picture is as wide as."""
        super().__init__()
        self._keys = keys or {}
        self._about_px = 0  # of pictures that fill the rows
        self._takes_keys_always, self._is_reached_by_tab = takes_keys_always, False
        self.tiles = TileModel()
        self._painter = TileDelegate(self.tiles, picture, lines, pictures)
        self.setAccessibleName(name)
        self.setModel(self.tiles)
        self.setItemDelegate(self._painter)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setUniformItemSizes(True)
        self.setWrapping(not is_one_row)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        mode = QAbstractItemView.SelectionMode
        self.setSelectionMode(mode.SingleSelection if is_one_row else mode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.activated.connect(self._open)
        if is_one_row:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.clicked.connect(self._open)
        self.selectionModel().selectionChanged.connect(self.chosen_changed)

    def set_picture_px(self, side: int) -> None:
        """Show pictures of this width and height."""
        if side != self._painter.picture_px:
            self._painter.picture_px = side
            self.scheduleDelayedItemsLayout()

    def fill_rows(self, side: int) -> None:
        """Show pictures of about this width and height from now on, so that a row has no gap at its end."""
        self._about_px = side
        pictures = self._painter.pictures
        edge = self._painter.size.width() - pictures * self._painter.picture_px
        room = self.width() - 2 * self.frameWidth() - self.verticalScrollBar().sizeHint().width() - SPARE_PX
        self.set_picture_px((room // max(1, round(room / (pictures * side + edge))) - edge) // pictures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the rows anew, where they are to be filled."""
        if self._about_px:
            self.fill_rows(self._about_px)
        super().resizeEvent(event)

    @property
    def capacity(self) -> int:
        """How many tiles are shown at once, at least 1."""
        room, tile = self.viewport().size(), self._painter.size
        return max(1, room.width() // tile.width()) * max(1, room.height() // tile.height())

    def show_tiles(self, count: int, make: TileMaker) -> None:
        """Show these tiles; nothing is chosen, and the first has the focus."""
        self.tiles.set_tiles(count, make)
        if count:
            self.selectionModel().setCurrentIndex(self.tiles.index(0), self.selectionModel().SelectionFlag.NoUpdate)
        self.chosen_changed.emit()

    def make_again(self) -> None:
        """Make the tiles again, where labels changed, and paint those that differ; what is chosen stays."""
        before, size = self.tiles.forget(), self._painter.size
        area = self.viewport().rect()
        first = self.indexAt(QPoint(size.width() // 2, size.height() // 2))
        if before is None or not first.isValid():
            self.viewport().update()
            return
        columns = area.width() // size.width()
        for row in range(max(0, first.row() - columns), self.tiles.rowCount()):
            index = self.tiles.index(row)
            place = self.visualRect(index)
            if place.top() > area.bottom() or place.left() > area.right():
                break
            if place.intersects(area) and before(row) != self.tiles.tile(row):
                self.update(index)

    @property
    def chosen_rows(self) -> Sequence[int]:
        """The chosen rows, in order; ranges are asked for, since all of 100,000 may be chosen."""
        chosen = self.selectionModel().selection()
        ranges = [chosen.at(number) for number in range(chosen.count())]
        return sorted(row for one in ranges for row in range(one.top(), one.bottom() + 1))

    def _open(self, index: QModelIndex) -> None:
        tile = self.tiles.tile(index.row())
        if tile is not None:
            self.opened.emit(tile.study_id, tile.frame_index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Note how the focus arrived."""
        self._is_reached_by_tab = event.reason() in _TAB
        super().focusInEvent(event)

    def keeps(self, event: QKeyEvent) -> bool:
        """Arrows, Enter and the keys given, where they are ours."""
        is_ours = self._takes_keys_always or self._is_reached_by_tab
        return is_ours and (_means_the_list(event) or self._step_of(event) is not None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the keys given mean; Enter opens the frame that has the focus."""
        step = self._step_of(event)
        if step is not None:
            step()
            return
        if event.key() in _ENTER and self.currentIndex().isValid():
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _step_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        key = QKeySequence(event.keyCombination())
        for name, step in self._keys.items():
            if key in QKeySequence.listFromString(name if len(name) == 1 else shortcut_of(name)):
                return step
        return None

    def give_menu(self, fill: Callable[[QMenu], object]) -> None:
        """Show a menu of the tile under the pointer, which is highlighted first; `fill` adds what it offers."""

        def show(at: QPoint) -> None:
            index = self.indexAt(at)
            if index.isValid():
                self.setCurrentIndex(index)
                menu = QMenu(self)
                menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
                fill(menu)
                menu.popup(self.viewport().mapToGlobal(at))

        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(show)

    def keyboardSearch(self, text: str) -> None:
        """No search by typing: letters and digits are keys of the window."""


def _means_the_list(event: QKeyEvent) -> bool:
    """Whether a key moves through a list, or opens what it is at."""
    is_plain = not event.modifiers() & Qt.KeyboardModifier.ControlModifier
    return is_plain and event.key() in (*_MOVING, *_ENTER)
