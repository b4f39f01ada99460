"""Dialogs for the key with which a reader signs: its passphrase, and what protects it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.theme import WARNING
from wce_desktop.widgets.window_size import fit_to_screen


class KeyPassphraseDialog(QDialog):
    """Asks for the passphrase of a signature key and hands it to `accept_with`, whose `UserError` it shows."""

    def __init__(self, reader: str, accept_with: Callable[[str], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Signature key"))
        self._accept_with = accept_with
        note, self.problem = make_text(), make_text(WARNING)
        note.setText(tr("Enter the passphrase of the signature key of {reader}.", reader=reader))
        self.passphrase = _passphrase_input(tr("Passphrase"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(tr("Sign"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (note, self.passphrase, self.problem, buttons):
            layout.addWidget(widget)
        fit_to_screen(self, 460, self.sizeHint().height())
        self.passphrase.setFocus()

    def accept(self) -> None:
        """Hand over what was typed; a wrong passphrase can be typed again."""
        try:
            self._accept_with(self.passphrase.text())
        except UserError as error:
            self.problem.setText(tr(error))
            self.passphrase.selectAll()
            return
        super().accept()


class KeyDialog(QDialog):
    """Says what protects a reader's signature key, and changes it."""

    new_key_requested = Signal()

    def __init__(
        self,
        text: str,
        protect_with: Callable[[str, str], object],
        *,
        asks_old: bool,
        has_key: bool,
        parent: QWidget | None = None,
    ) -> None:
        """Make the dialog.

        Args:
            text: what protects the key now.
            protect_with: takes the old and the new passphrase; its `UserError` is shown.
            asks_old: whether the key has a passphrase already.
            has_key: whether there is a key that another one could replace.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Signature key"))
        self._protect_with = protect_with
        note, self.problem = make_text(), make_text(WARNING)
        note.setText(text)
        self.old = _passphrase_input(tr("Present passphrase"))
        self.new, self.again = _passphrase_input(tr("New passphrase")), _passphrase_input(tr("Repeat it"))
        form = QFormLayout()
        for field in (*((self.old,) if asks_old else ()), self.new, self.again):
            form.addRow(field.accessibleName(), field)
        self.protect = make_button(
            tr("Set passphrase"), tr("Encrypt the key with this passphrase; it is asked for each time you sign")
        )
        self.renew = make_button(
            tr("New key…"), tr("Sign with another key from now on, for example if the passphrase is forgotten")
        )
        self.renew.setVisible(has_key)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.renew, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.protect, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.protect.clicked.connect(self._set_passphrase)
        self.renew.clicked.connect(self.new_key_requested)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addLayout(form)
        layout.addWidget(self.problem)
        layout.addWidget(buttons)
        fit_to_screen(self, 520, self.sizeHint().height())

    def _set_passphrase(self) -> None:
        if self.new.text() != self.again.text():
            self.problem.setText(tr("The two new passphrases differ."))
            return
        try:
            self._protect_with(self.old.text(), self.new.text())
        except UserError as error:
            self.problem.setText(tr(error))
            return
        self.accept()


def _passphrase_input(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    field.setAccessibleName(name)
    return field
