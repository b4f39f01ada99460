"""Windows of the backups of the library, and of what a check of the library found."""

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Signal

from training.runs.events import Progress
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.library.backup.backups import ListedBackup
from wce_desktop.library.backup.comparison import KINDS, Preview
from wce_desktop.library.checking import Checked
from wce_desktop.widgets import basic, window_size
from wce_desktop.widgets.plain_text import fill_row


class CheckWindow(window_size.DialogBase):
    """Does not block the main window: the check only reads."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(tr("Check the library"), 700, 420, parent=parent)
        self.summary, self.bar, self.report = basic.make_text(), basic.JobBar(), QtWidgets.QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName(tr("What was found"))
        self.stop = basic.make_button(tr("Stop"), tr("Stop checking"))
        self.again = basic.make_button(tr("Check again"), tr("Check the library again"))
        basic.in_column(self.summary, self.bar, self.report, basic.in_row(1, self.again, self.stop), of=self)

    def begin(self) -> None:
        """Show that the check runs."""
        self.report.clear()
        self._show_running(is_running=True)
        self.summary.setText(
            tr("Checking database, frame indexes, scores with embeddings, models, reports and backups…")
        )

    def show_progress(self, progress: Progress) -> None:
        """Say what is being checked."""
        self.bar.show_progress(progress)
        self.summary.setText(
            tr("{what}: {done} of {total}", what=progress.what, done=progress.done, total=progress.total)
        )

    def end(self, checked: Checked | None, sentence: str = "") -> None:
        """Show what was found; `checked` is None where the check was stopped or failed."""
        self._show_running(is_running=False)
        if checked is None:
            self.summary.setText(sentence or tr("Stopped. Nothing was changed."))
            return
        self.summary.setText(
            tr(
                "{studies} and {parts} checked: {problems}.",
                studies=counted(checked.studies, "study"),
                parts=counted(checked.files, "part"),
                problems=counted(len(checked.found), "problem") if checked.found else tr("no problems"),
            )
        )
        self.report.setPlainText(
            "\n\n".join(f"{problem.part}\n{problem.problem}" for problem in (*checked.found, *checked.notes))
        )

    def _show_running(self, *, is_running: bool) -> None:
        self.bar.setVisible(is_running)
        self.stop.setEnabled(is_running)
        self.again.setEnabled(not is_running)


BACKUP_COLUMNS = (
    to_translate("Backup of"),
    to_translate("Studies"),
    to_translate("Labels"),
    to_translate("Findings"),
    "",
)
COUNTS = (1, 2, 3)
"""Columns of numbers, of backups and of copies."""
CHANGE_COLUMNS = (to_translate("Change"), to_translate("Item"), to_translate("Details"), to_translate("Study"))
CONTENT = to_translate(
    "A backup holds the database, and signed reports are kept beside it. A copy in another folder has models and "
    "settings, too. Scores and videos are in neither."
)
SIDES = (540, 500)
MOST_ROWS = 2000
"""Of more changes, the first are listed; the sentences above count all."""


class BackupsWindow(window_size.DialogBase):
    """Lists backups; the selected one is compared with the library as it is now."""

    chosen = Signal(object)  # Path: compare this backup
    restore_requested = Signal(object)  # Path
    unlock_requested = Signal(object)  # Path: with an earlier passphrase
    backup_requested = Signal()
    copy_requested = Signal()  # compare one of the copies in another folder
    folder_chosen = Signal(str)  # for copies; "" for none

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(tr("Backups"), 1080, 640, parent=parent)
        self._paths: list[Path] = []
        self._shown: Path | None = None
        self.backups = list_table(BACKUP_COLUMNS, tr("Backups"), COUNTS)
        self.changes = list_table(CHANGE_COLUMNS, tr("What restoring would change"))
        self.summary = basic.make_text()
        self.copies = basic.make_text()
        self.make = basic.make_button(tr("Back up now"), tr("Make a backup of the library"))
        self.other = basic.make_button(tr("Restore from a copy…"), tr("Choose a copy in another folder"))
        self.restore = basic.make_button(
            tr("Restore this backup…"), tr("Bring the library back to the state of the backup")
        )
        self.restore.setEnabled(False)
        self.unlock = basic.make_button(
            tr("Enter earlier passphrase…"), tr("Read a backup that was encrypted with an earlier passphrase")
        )
        self.unlock.setEnabled(False)
        self.choose = basic.make_button(
            tr("Choose folder…"), tr("Copy backups regularly to a folder, best on another disk")
        )
        self.no_copies = basic.make_button(tr("Stop copying"), tr("Copy backups to no other folder"))
        self.backups.currentCellChanged.connect(self._select)
        self.make.clicked.connect(self.backup_requested)
        self.other.clicked.connect(self.copy_requested)
        self.restore.clicked.connect(lambda: self.restore_requested.emit(self._shown))
        self.unlock.clicked.connect(lambda: self.unlock_requested.emit(self._shown))
        self.choose.clicked.connect(self._choose_folder)
        self.no_copies.clicked.connect(lambda: self.folder_chosen.emit(""))
        making, restoring = basic.in_row(self.make, self.other, 1), basic.in_row(self.restore, self.unlock, 1)
        change = basic.make_heading(tr("What restoring would change"))
        left = basic.in_column(basic.make_heading(tr("Backups")), (self.backups, 1), making, margins=(0, 0, 8, 8))
        right = basic.in_column(change, self.summary, (self.changes, 1), 0, restoring, margins=(8, 0, 0, 8))
        split = basic.in_splitter((basic.as_widget(left), 1), (basic.as_widget(right), 1), sizes=SIDES)
        copies = (
            basic.make_heading(tr("Copies in another folder")),
            self.copies,
            basic.in_row(self.choose, self.no_copies, 1),
        )
        basic.in_column((split, 1), *copies, basic.make_note(tr(CONTENT)), of=self)

    def show_backups(self, rows: Sequence[ListedBackup]) -> None:
        """List backups, the newest first, and select the first."""
        self._paths = [row.backup.path for row in rows]
        self.backups.setRowCount(len(rows))
        for number, row in enumerate(rows):
            fill_row(self.backups, number, (row.backup.local_time, *row.counts, row.note))
        if not rows:
            self.summary.setText(tr("There are no backups yet. One is made each time that the library opens."))
        self.backups.selectRow(0)
        self._select(self.backups.currentRow())

    def show_waiting(self, path: Path) -> None:
        """Say that a backup is being compared."""
        self._shown = path
        self.restore.setEnabled(False)
        self.unlock.setEnabled(False)
        self.summary.setText(tr("Comparing with the library…"))
        self.changes.hide()

    def show_preview(self, path: Path, preview: Preview, *, may_restore: bool) -> None:
        """Show what restoring a backup would change; of another one that was chosen meanwhile, nothing."""
        if path != self._shown:
            return
        self.restore.setEnabled(may_restore)
        lines = preview.sentences if preview.differences else [tr("The library and the backup hold the same.")]
        if len(preview.differences) > MOST_ROWS:
            lines.append(tr("The first {count} changes are listed.", count=MOST_ROWS))
        self.summary.setText("\n".join(lines))
        rows = preview.differences[:MOST_ROWS]
        self.changes.setRowCount(len(rows))
        self.changes.setVisible(bool(rows))
        for number, row in enumerate(rows):
            fill_row(self.changes, number, (tr(row.how), tr(KINDS[row.kind]), row.what, row.study))

    def show_locked(self, path: Path, sentence: str) -> None:
        """Say that a backup needs an earlier passphrase."""
        self.show_waiting(path)
        self.summary.setText(sentence)
        self.unlock.setEnabled(True)

    def show_copies(self, folder: str, lines: Sequence[str]) -> None:
        """Say where copies go, what happened last, and which copies there are."""
        where = (
            tr("Copied to {folder}.", folder=folder)
            if folder
            else tr("Backups are on the library's disk only; a lost disk takes them along.")
        )
        self.copies.setText("\n".join((where, *lines)))
        self.no_copies.setEnabled(bool(folder))

    def _select(self, row: int, *_: int) -> None:
        if 0 <= row < len(self._paths):
            self.chosen.emit(self._paths[row])

    def _choose_folder(self) -> None:
        if folder := QtWidgets.QFileDialog.getExistingDirectory(self, tr("Choose a folder for copies of backups")):
            self.folder_chosen.emit(folder)


def list_table(columns: Sequence[str], name: str, numbers: Sequence[int] = ()) -> QtWidgets.QTableWidget:
    """A list with a row for each backup or change, in which whole rows are selected; `numbers`: columns of counts."""
    table = QtWidgets.QTableWidget(0, len(columns))
    basic.as_row_list(table, name, [tr(title) for title in columns], numbers)
    table.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
    table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setStretchLastSection(True)
    return table
