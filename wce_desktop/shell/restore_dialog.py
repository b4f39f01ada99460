"""Asks what to do with a library whose database is missing, damaged, or has less than its backup."""

from pathlib import Path

from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QMessageBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog, ask_to_unlock_backup
from wce_desktop.library.backup.backup_file import last_backup
from wce_desktop.library.backup.backups import ListedBackup, listed_backups
from wce_desktop.library.backup.recovery import Recovery
from wce_desktop.widgets.basic import as_row_list
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.window_size import fit_to_screen

COLUMNS = (to_translate("Backup of"), to_translate("Studies"), to_translate("Labels"), to_translate("Findings"), "")
START_EMPTY = to_translate(
    "This creates a new, empty library in this folder. Existing studies, models, runs and backups stay in the "
    "folder, but the new library does not show them.\n\nStart with an empty library?"
)


class RestoreDialog(QDialog):
    """Lists the backups; the newest one that holds studies is selected. Restoring is the default.

    After `exec`, `backup` is the one to restore, `recovery` restores a copy in another folder, `other_library` is a
    folder to open instead, `is_empty_wanted` says that an empty library is to be made, `is_kept` that the present
    database is to be used; with none of them the reader
    cancelled.
    """

    def __init__(self, folder: Path, message: str, *, is_open: bool = False, keep_question: str = "") -> None:
        """The library is at `folder`.

        Args:
            folder: of the library.
            message: what is wrong.
            is_open: the library can be used as it is, so there is no need for another or an empty one.
            keep_question: asked before the present database is used; empty: that is not offered.
        """
        super().__init__()
        self.backup: Path | None = None
        self.recovery: Recovery | None = None
        self.other_library: Path | None = None
        self.is_empty_wanted = False
        self.is_kept = False
        self._keep_question = keep_question
        self._folder, self._rows = folder, listed_backups(folder)
        self.setWindowTitle(tr("Restore the library"))
        self._message = PlainLabel(message)
        self._message.setWordWrap(True)
        self.table = self._make_table(last_backup(folder))
        layout = QVBoxLayout(self)
        for widget in (self._message, self.table, self._make_buttons(is_open)):
            layout.addWidget(widget)
        self.table.setVisible(bool(self._rows))
        fit_to_screen(self, 720, 380 if self._rows else 160)

    def _make_table(self, preferred: Path | None) -> QTableWidget:
        table = QTableWidget(len(self._rows), len(COLUMNS))
        as_row_list(table, tr("Backups"), [tr(title) for title in COLUMNS])
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setSectionResizeMode(len(COLUMNS) - 1, QHeaderView.ResizeMode.ResizeToContents)
        for number, row in enumerate(self._rows):
            self._fill(table, number, row)
        paths = [row.backup.path for row in self._rows]
        table.selectRow(paths.index(preferred) if preferred in paths else 0)
        table.doubleClicked.connect(self._restore)
        return table

    def _fill(self, table: QTableWidget, number: int, row: ListedBackup) -> None:
        for column, text in enumerate((row.backup.local_time, *row.counts, row.note)):
            item = QTableWidgetItem(text)
            item.setToolTip(plain(row.backup.path.name))
            table.setItem(number, column, item)

    def _make_buttons(self, is_open: bool) -> QDialogButtonBox:
        box = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole
        self.restore = box.addButton(tr("Restore"), role.AcceptRole)
        self.restore.setEnabled(bool(self._rows))
        self.restore.setDefault(bool(self._rows))
        self.leave = box.addButton(tr("Keep as it is") if is_open else tr("Quit"), role.RejectRole)
        self.copy = box.addButton(tr("Restore from a copy…"), role.ActionRole)
        self.copy.setAutoDefault(not self._rows)
        self.copy.clicked.connect(self._choose_copy)
        box.accepted.connect(self._restore)
        box.rejected.connect(self.reject)
        if not is_open:
            self.choose = box.addButton(tr("Choose another library…"), role.ActionRole)
            self.choose.setAutoDefault(not self._rows)
            self.choose.clicked.connect(self._choose)
            self.empty = box.addButton(tr("Start empty…"), role.DestructiveRole)
            self.empty.setAutoDefault(False)
            self.empty.clicked.connect(self._start_empty)
        if self._keep_question:
            self.keep = box.addButton(tr("Keep this database…"), role.ActionRole)
            self.keep.setAutoDefault(False)
            self.keep.clicked.connect(self._keep)
        return box

    def _restore(self) -> None:
        selected = self.table.currentRow()
        if 0 <= selected < len(self._rows):
            backup = self._rows[selected].backup.path
            if ask_to_unlock_backup(self._folder, backup, self):
                self.backup = backup
                self.accept()

    def _choose_copy(self) -> None:
        dialog = CopiesDialog(parent=self)
        if dialog.exec():
            self.recovery = dialog.recovery
            self.accept()

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, tr("Choose the folder of a library"))
        if chosen:
            self.other_library = Path(chosen)
            self.accept()

    def _start_empty(self) -> None:
        if self._is_confirmed(tr("Start empty"), tr(START_EMPTY)):
            self.is_empty_wanted = True
            self.accept()

    def _keep(self) -> None:
        if self._is_confirmed(tr("Keep this database"), tr(self._keep_question)):
            self.is_kept = True
            self.accept()

    def _is_confirmed(self, title: str, question: str) -> bool:
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(self, title, plain(question), button.Yes | button.No, button.No)
        return answer == button.Yes
