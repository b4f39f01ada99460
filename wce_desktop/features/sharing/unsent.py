"""The list of edits that are not on the server."""

from dataclasses import replace

from PySide6 import QtCore, QtWidgets

from wce_desktop.core import local_time, tr
from wce_desktop.library.sharing.journal import Entry, Journal
from wce_desktop.library.storage.database import now_utc
from wce_desktop.widgets import basic, dialogs, window_size


class UnsentDialog(QtWidgets.QDialog):
    """Accepted: the edits are to be sent again."""

    def __init__(self, journal: Journal, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._journal = journal
        self.setWindowTitle(tr("Edits not yet on the server"))
        window_size.fit_to_screen(self, 720, 360)
        self.table = QtWidgets.QTableWidget(0, 3)
        self.table.setHorizontalHeaderLabels([tr("Time"), tr("Edit"), tr("Reason")])
        self.table.setSelectionBehavior(QtWidgets.QTableWidget.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QtWidgets.QTableWidget.EditTrigger.NoEditTriggers)
        self.table.horizontalHeader().setDefaultAlignment(
            QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter
        )
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.discard = basic.make_button(tr("Discard the chosen edits"), tr("These edits are lost"))
        self.again = basic.make_button(tr("Send again"), tr("Try to write all of them into the library again"))
        basic.in_column((self.table, 1), basic.in_row(self.discard, 1, self.again), of=self)
        self.table.itemSelectionChanged.connect(lambda: self.discard.setEnabled(bool(self._chosen())))
        self.discard.clicked.connect(self._discard)
        self.again.clicked.connect(self._send_again)
        self.show_entries()

    def show_entries(self) -> None:
        """List the edits that the server does not have now."""
        self._entries = self._journal.unsent
        self.table.setRowCount(len(self._entries))
        for row, entry in enumerate(self._entries):
            title, why = tr(entry.title), tr(entry.refused) if entry.refused else tr("It waits for the server.")
            words = local_time(entry.when_utc), f"{title[:1].upper()}{title[1:]}", why
            for column, text in enumerate(words):
                self.table.setItem(row, column, QtWidgets.QTableWidgetItem(text))
        self.table.clearSelection()
        self.discard.setEnabled(False)

    def _chosen(self) -> list[Entry]:
        rows = {index.row() for index in self.table.selectedIndexes()}
        return [entry for row, entry in enumerate(self._entries) if row in rows]

    def _discard(self) -> None:
        title, question = tr("Discard edits"), tr("Discard the chosen edits? They are lost.")
        chosen = self._chosen()
        if dialogs.agrees(self, title, question, tr("Discard")):
            for entry in chosen:
                self._journal.remove(entry)
            self.show_entries()

    def _send_again(self) -> None:
        for entry in self._journal.entries:
            if entry.refused:  # made anew: what was signed or changed until now is known
                self._journal.change(entry, replace(entry, refused="", when_utc=now_utc()))
        self.accept()
