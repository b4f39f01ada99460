"""The list of maps with its actions, and the dialogs to rename or delete a map."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QInputDialog, QListWidgetItem, QMessageBox, QVBoxLayout, QWidget

from wce_desktop.core.language import tr
from wce_desktop.features.embedding_map.model.maps import SavedMap
from wce_desktop.widgets.basic import make_button, make_heading, make_list, make_text
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import MUTED


def ask_name(parent: QWidget, title: str) -> str | None:
    """A new name for the map of this title; None if cancelled."""
    name, is_given = QInputDialog.getText(parent, tr("Rename the map"), tr("Name"), text=title)
    return name if is_given else None


def ask_deletion(parent: QWidget, title: str) -> bool:
    """Ask whether to delete the map of this title."""
    said = tr("Delete the map “{title}”? Embeddings, labels and videos stay.", title=title)
    return QMessageBox.question(parent, tr("Delete the map"), plain(said)) == QMessageBox.StandardButton.Yes


_ID = Qt.ItemDataRole.UserRole


class MapList(QWidget):
    """The list of maps with its buttons."""

    map_chosen = Signal(str)
    new_requested = Signal()
    resume_requested = Signal(str)
    rename_requested = Signal(str)
    delete_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = make_list(tr("Maps of the library"))
        self.rows.currentItemChanged.connect(self._chosen)
        self.note = make_text(MUTED)
        self.new = make_button(tr("New map…"), tr("Choose studies, a model and a method (Ctrl+N)"))
        self.new.setShortcut("Ctrl+N")
        self.new.setProperty("primary", True)
        self.resume = make_button(tr("Resume"), tr("Resume this map where it was stopped"))
        self.rename = make_button(tr("Rename…"), tr("Give this map another name"))
        self.delete = make_button(tr("Delete…"), tr("Delete this map; embeddings and labels stay"))
        self.new.clicked.connect(self.new_requested)
        self.resume.clicked.connect(lambda: self.resume_requested.emit(self.chosen))
        self.rename.clicked.connect(lambda: self.rename_requested.emit(self.chosen))
        self.delete.clicked.connect(lambda: self.delete_requested.emit(self.chosen))
        buttons = QGridLayout()
        buttons.addWidget(self.resume, 0, 0, 1, 2)
        buttons.addWidget(self.rename, 1, 0)
        buttons.addWidget(self.delete, 1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(make_heading(tr("MAPS")))
        column.addWidget(self.new)
        column.addWidget(self.rows, 1)
        column.addWidget(self.note)
        column.addLayout(buttons)
        self.set_actions(has_map=False, can_resume=False)

    @property
    def chosen(self) -> str:
        """The id of the chosen map; empty for none."""
        item = self.rows.currentItem()
        return str(item.data(_ID)) if item is not None else ""

    def show_maps(self, maps: Sequence[SavedMap], chosen: str) -> None:
        """Show these maps, one of them chosen, without emitting signals."""
        self.rows.blockSignals(True)
        self.rows.clear()
        for kept in maps:
            item = QListWidgetItem(f"{kept.request.title}\n{kept.words}")
            item.setData(_ID, kept.map_id)
            item.setToolTip(plain(kept.request.title))
            self.rows.addItem(item)
            if kept.map_id == chosen:
                self.rows.setCurrentItem(item)
        self.rows.blockSignals(False)

    def set_actions(self, *, has_map: bool, can_resume: bool) -> None:
        """Enable the actions available for the chosen map."""
        self.resume.setVisible(can_resume)
        for button in (self.rename, self.delete):
            button.setEnabled(has_map)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.map_chosen.emit(str(item.data(_ID)))
