"""Dialogs for passphrases, and for restoring from copies of the library on another drive or computer."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton, QWidget

from training.errors import UserError
from wce_desktop.core.language import number_text, to_translate, tr, tr_count
from wce_desktop.features.safekeeping.backups_window import COUNTS, list_table
from wce_desktop.library.backup.recovery import Copy, Recovery, find_copies
from wce_desktop.library.storage import key_file
from wce_desktop.widgets import basic, dialogs, theme, window_size
from wce_desktop.widgets.plain_text import fill_row

READABLE = to_translate(
    "Encrypted: the database (labels, findings, patient records, report texts), signed reports, and their backups.\n"
    "Not encrypted: the videos, scores and embeddings, frame indexes, maps, models, runs with their copies of labels, "
    "exports (also reports that you save) and this computer's log. Use an encrypted disk to protect these.\n"
    "The old, readable files are deleted; on a disk that is not encrypted, traces of them can remain."
)


def ask_to_unlock(folder: Path) -> bool:
    """Ask for the passphrase of a locked library until it fits; False where the reader cancels."""
    text = tr("The library in {folder} is encrypted.", folder=folder)
    return _ask(tr("Unlock the library"), text, partial(key_file.unlock, folder), None)


def ask_to_unlock_backup(folder: Path, backup: Path, parent: QWidget | None = None) -> bool:
    """Ask for the earlier passphrase of a backup where it needs one; False where the reader cancels."""
    if not key_file.needs_passphrase(folder, backup):
        return True
    text = tr("The backup {name} was encrypted with an earlier passphrase of the library.", name=backup.name)
    return _ask(tr("Earlier passphrase"), text, partial(key_file.unlock_backup, folder, backup), parent)


COLUMNS = (
    to_translate("Copy of"),
    to_translate("Studies"),
    to_translate("Labels"),
    to_translate("Findings"),
    to_translate("Library"),
)
WORDS = to_translate(
    "A copy brings back studies, labels, findings, signed reports, models and settings. Videos are not in it, and "
    "scores are computed again."
)


class CopiesDialog(QDialog):
    """Lists the copies in a folder; after `exec`, `recovery` restores the chosen one, or is None."""

    def __init__(self, folder: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recovery: Recovery | None = None
        self._copies: list[Copy] = []
        self.setWindowTitle(tr("Restore from a copy"))
        self.where, self.problem = basic.make_text(), basic.make_text(theme.COLORS.warning)
        self.choose = basic.make_button(tr("Choose folder…"), tr("Choose the folder to which backups were copied"))
        self.choose.clicked.connect(self._choose)
        self.table = list_table(COLUMNS, tr("Copies"), COUNTS)
        self.table.doubleClicked.connect(self.accept)
        self.table.itemSelectionChanged.connect(self._enable)
        self.restore = QPushButton(tr("Restore"))
        words = basic.make_text(text=tr(WORDS))
        row = basic.in_row((self.where, 1), self.choose)
        buttons = dialogs.accept_buttons(self, self.restore)
        basic.in_column(words, row, (self.table, 1), self.problem, 0, buttons, of=self)
        window_size.fit_to_screen(self, 820)
        self.show_folder(folder)

    def _choose(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Choose the folder with the copies")):
            self.show_folder(Path(folder))

    def show_folder(self, folder: Path | None) -> None:
        """List the copies in a folder."""
        self._copies = []
        self.problem.clear()
        self.where.setText(
            tr("Copies in {folder}", folder=folder) if folder else tr("Choose the folder of the copies.")
        )
        if folder is not None:
            try:
                self._copies = find_copies(folder)
            except UserError as error:
                self.problem.setText(tr(error))
        self._fill()

    def _fill(self) -> None:
        self.table.setRowCount(len(self._copies))
        self.table.setVisible(bool(self._copies))
        for row, copy in enumerate(self._copies):
            held, library = copy.contents, copy.library
            counts = (held.studies, held.labels, held.findings) if held is not None else ()
            if held is None:
                library = tr("{library} (encrypted)", library=library).strip()
            texts = [*map(number_text, counts)] or [""] * 3
            fill_row(self.table, row, (copy.backup.local_time, *texts, library))
        if self._copies:
            self.table.selectRow(0)
            self.table.setFocus()
        self._enable()

    def _enable(self) -> None:
        self.restore.setEnabled(0 <= self.table.currentRow() < len(self._copies))

    def accept(self) -> None:
        """Ask for the passphrases that the selected copy needs; without them the dialog stays."""
        if not 0 <= (row := self.table.currentRow()) < len(self._copies):
            return
        recovery = Recovery(self._copies[row].path)
        if unlock(recovery, self):
            self.recovery = recovery
            super().accept()
        else:
            recovery.close()


def unlock(recovery: Recovery, parent: QWidget | None) -> bool:
    """Ask for the passphrase of an encrypted copy, and of reports that were encrypted later; False where cancelled."""
    if recovery.is_locked:
        text = tr("The copy is encrypted. Enter the passphrase that the library had when the copy was made.")
        if not _ask(tr("Unlock the copy"), text, recovery.unlock, parent):
            return False
    while count := recovery.locked_reports():
        text = tr_count(
            "{count} file of signed reports was encrypted later, with another passphrase. Enter it, or cancel to "
            "restore without this file. The copy keeps it.",
            "{count} files of signed reports were encrypted later, with another passphrase. Enter it, or cancel to "
            "restore without these files. The copy keeps them.",
            count,
        )
        if not _ask(tr("Unlock signed reports"), text, recovery.unlock_reports, parent):
            break
    return True


def _ask(title: str, text: str, accept_with: Callable[[str], object], parent: QWidget | None) -> bool:
    dialog = dialogs.PassphraseDialog(title, text, (tr("Passphrase"),), accept_with, ok=tr("Unlock"), parent=parent)
    return bool(dialog.exec())


def missing_reports_text(recovery: Recovery) -> str:
    """What a restored copy lacks; empty where it is whole."""
    if not recovery.missing_reports:
        return ""
    return tr_count(
        "{count} file of signed reports is not in it; Study, Library, Check the library names the report.",
        "{count} files of signed reports are not in it; Study, Library, Check the library names the reports.",
        recovery.missing_reports,
    )
