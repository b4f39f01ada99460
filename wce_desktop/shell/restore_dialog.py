"""Asks what to do with a library whose database is missing, damaged, or has less than its backup."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets

from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.safekeeping.backups_window import BACKUP_COLUMNS, COUNTS, list_table
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog, ask_to_unlock_backup, missing_reports_text
from wce_desktop.library.backup.backup_file import last_backup
from wce_desktop.library.backup.backups import listed_backups, restore_backup
from wce_desktop.library.backup.recovery import Recovery
from wce_desktop.library.storage.opening import keep_database, start_empty
from wce_desktop.session.places import account_name
from wce_desktop.shell.ending import run_behind_dialog
from wce_desktop.widgets import basic, dialogs, window_size
from wce_desktop.widgets.plain_text import PlainLabel, fill_row, show_notice
from wce_desktop.workspace import Reopening

START_EMPTY = to_translate(
    "This creates a new, empty library in this folder. Existing studies, models, runs and backups stay in the "
    "folder, but the new library does not show them.\n\nStart with an empty library?"
)


class RestoreDialog(QtWidgets.QDialog):
    """Lists the backups; the newest one that holds studies is selected. Restoring is the default.

    Attributes:
        step: after `exec`, does what was chosen; None where the reader cancelled.
        library: the folder of the library to open then.
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
        self.step: Callable[[], object] | None = None
        self.library = folder
        self._keep_question = keep_question
        self._rows = listed_backups(folder)
        self.setWindowTitle(tr("Restore the library"))
        self._message = PlainLabel(message)
        self._message.setWordWrap(True)
        self.table = self._make_table(last_backup(folder))
        basic.in_column(self._message, self.table, self._make_buttons(is_open), of=self)
        self.table.setVisible(bool(self._rows))
        window_size.fit_to_screen(self, 720, 380 if self._rows else 160)

    def _make_table(self, preferred: Path | None) -> QtWidgets.QTableWidget:
        table = list_table(BACKUP_COLUMNS, tr("Backups"), COUNTS)
        table.setRowCount(len(self._rows))
        for number, row in enumerate(self._rows):
            fill_row(table, number, (row.backup.local_time, *row.counts, row.note))
        paths = [row.backup.path for row in self._rows]
        table.selectRow(paths.index(preferred) if preferred in paths else 0)
        table.doubleClicked.connect(self._restore)
        return table

    def _make_buttons(self, is_open: bool) -> QtWidgets.QDialogButtonBox:
        box = QtWidgets.QDialogButtonBox()
        role = QtWidgets.QDialogButtonBox.ButtonRole
        self.restore = box.addButton(tr("Restore"), role.AcceptRole)
        self.restore.setEnabled(bool(self._rows))
        self.restore.setDefault(bool(self._rows))
        self.leave = box.addButton(tr("Keep as it is") if is_open else tr("Quit"), role.RejectRole)
        box.accepted.connect(self._restore)
        box.rejected.connect(self.reject)

        def add(text: str, slot: Callable[[], object]) -> QtWidgets.QPushButton:
            button = box.addButton(text, role.DestructiveRole if slot == self._start_empty else role.ActionRole)
            button.setAutoDefault(not self._rows and slot in (self._choose_copy, self._choose))
            button.clicked.connect(slot)
            return button

        self.copy = add(tr("Restore from a copy…"), self._choose_copy)
        if not is_open:
            self.choose = add(tr("Choose another library…"), self._choose)
            self.empty = add(tr("Start empty…"), self._start_empty)
        if self._keep_question:
            self.keep = add(tr("Keep this database…"), self._keep)
        return box

    def _restore(self) -> None:
        selected = self.table.currentRow()
        if 0 <= selected < len(self._rows):
            backup = self._rows[selected].backup.path
            if ask_to_unlock_backup(self.library, backup, self):
                self._take(partial(restore_backup, self.library, backup, reader=account_name()))

    def _choose_copy(self) -> None:
        dialog = CopiesDialog(parent=self)
        if dialog.exec() and dialog.recovery is not None:
            self._take(partial(restore_copy, dialog.recovery, self.library))

    def _choose(self) -> None:
        chosen = QtWidgets.QFileDialog.getExistingDirectory(self, tr("Choose the folder of a library"))
        if chosen and Path(chosen) != self.library:
            self.library = Path(chosen)
            self._take(lambda: None)

    def _start_empty(self) -> None:
        if dialogs.agrees(self, tr("Start empty"), tr(START_EMPTY), tr("Start empty")):
            self._take(partial(start_empty, self.library))

    def _keep(self) -> None:
        if dialogs.agrees(self, tr("Keep this database"), tr(self._keep_question), tr("Keep")):
            self._take(partial(keep_database, self.library))

    def _take(self, step: Callable[[], object]) -> None:
        self.step = step
        self.accept()


def restore_copy(recovery: Recovery, folder: Path) -> None:
    """Restore a copy behind a dialog.

    Raises:
        UserError: it cannot be restored.
    """

    def work(folder: Path, _: object) -> tuple[Path, str]:
        return recovery.restore(folder, account_name()), ""

    try:
        run_behind_dialog(Reopening(tr("Restoring the copy…"), work), folder.expanduser().resolve())
        if text := missing_reports_text(recovery):
            show_notice(None, "wce_desktop", text)
    finally:
        recovery.close()
