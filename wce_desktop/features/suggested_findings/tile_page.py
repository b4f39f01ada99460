"""A grid of tiles in place of the frame: what the overview and the audit share."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu, QWidget

from wce_desktop.core import tr
from wce_desktop.widgets import basic, key_texts, tile_list

Act = tuple[str, str, Callable[[], object]]
"""Title, tooltip and what it does with the tile that is highlighted."""


class TilePage(QWidget):
    """Keys, buttons and the context menu mean the tile that is highlighted."""

    left = Signal()

    def __init__(
        self,
        name: str,
        thumbnail: Callable[[int], QImage | None],
        keys: Mapping[str, Callable[[], object]],
        acts: Sequence[Act],
        lines: int = 1,
    ) -> None:
        """`thumbnail`: frame of the open study -> its picture, None until it has arrived; `lines` of a caption."""
        super().__init__()
        self.setMinimumSize(1, 1)  # the frame needs less room than what stands around the tiles
        self.acts = acts
        self._title, self._note = basic.make_heading(""), basic.make_note()
        self._title.setWordWrap(True)
        self.tiles = tile_list.TileList(name, lambda _, frame: thumbnail(frame), keys=keys, lines=lines)
        self.tiles.setSelectionMode(tile_list.TileList.SelectionMode.SingleSelection)
        key_texts.give_keys(self.tiles)
        self.tiles.opened.connect(lambda *_: keys["toggle_play"]())
        self.tiles.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tiles.customContextMenuRequested.connect(self._show_menu)
        self.setFocusProxy(self.tiles)
        self.back = basic.make_button(tr("Back"), tr("Go back ({clear_span})"), keys["clear_span"])

    def _show_menu(self, at: QPoint) -> None:
        index = self.tiles.indexAt(at)
        if index.isValid():
            self.tiles.setCurrentIndex(index)
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for title, _, act in self.acts:
                menu.addAction(title, act)
            menu.popup(self.tiles.viewport().mapToGlobal(at))
