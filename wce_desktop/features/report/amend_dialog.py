"""Asks why a signed report is amended."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidgetItem, QPlainTextEdit, QWidget

from wce_desktop.core.language import tr
from wce_desktop.widgets import basic, dialogs, window_size

MOST_LETTERS = 2000


class AmendDialog(window_size.DialogBase):
    """Modal; `reason` is never empty once it was accepted."""

    def __init__(self, about: str, reason: str, changes: Sequence[str], problem: str, parent: QWidget) -> None:
        """Ask.

        Args:
            about: which version is replaced, and what happens to it.
            reason: as entered before.
            changes: what has changed so far, a sentence each.
            problem: what must be said beside the changes; may be empty.
        """
        super().__init__(tr("Amend the signed report"), 620, 440, parent=parent)
        self._reason = QPlainTextEdit(reason)
        self._reason.setAccessibleName(tr("Reason for the amendment"))
        self._reason.setPlaceholderText(tr("Why is the signed report amended? The amended report says it at its head."))
        self._reason.setTabChangesFocus(True)
        self._reason.setMinimumHeight(64)
        self._changes = basic.make_list(tr("What has changed"))
        self._changes.setWordWrap(True)
        for change in changes:
            item = QListWidgetItem(change, self._changes)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self._changes.setVisible(bool(changes))
        self.amend = basic.make_button(tr("Amend"), tr("Begin the amendment; it counts once it is signed"))
        self.missing = basic.make_note()
        words, note = basic.make_text(), basic.make_text()
        words.setText(about)
        basic.in_column(
            words,
            basic.make_heading(tr("REASON")),
            (self._reason, 1),
            self.missing,
            basic.make_heading(tr("CHANGED SO FAR")),
            note,
            (self._changes, 2),
            dialogs.accept_buttons(self, self.amend),
            of=self,
        )
        basic.show_text(note, problem)
        self.amend.setDefault(True)
        self._reason.textChanged.connect(self._refresh)
        self._reason.setFocus()
        self._refresh()

    @property
    def reason(self) -> str:
        """What was entered."""
        return self._reason.toPlainText().strip()

    def accept(self) -> None:
        """Close, unless there is no reason."""
        if self.amend.isEnabled():
            super().accept()

    def _refresh(self) -> None:
        count = len(self.reason)
        message = "" if self.reason else tr("An amendment needs a reason.")
        if count > MOST_LETTERS:
            message = tr("The reason has {count} letters. Shorten it to {most}.", count=count, most=MOST_LETTERS)
        self.missing.setText(message)
        self.amend.setEnabled(not message)
