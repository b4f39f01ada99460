"""The signature keys of this account in the report's window: asks for a passphrase, and says what protects a key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.report.model.signature_keys import SignatureKeys, account_keys
from wce_desktop.widgets import basic, dialogs
from wce_desktop.widgets.plain_text import plain

MOST_LETTERS = 200
"""Of a reader's name, as the database keeps it."""


def check_reader(reader: str) -> str:
    """The name for a signature.

    Raises:
        UserError: there is none, or it is too long.
    """
    name = " ".join(reader.split())
    if not name:
        raise UserError("A signature needs the reader's name.", "Enter it beside the button, then sign again.")
    if len(name) > MOST_LETTERS:
        raise UserError(
            Text("The reader's name has {count:,} letters.", len(name)), Text("Shorten it to {count:,}.", MOST_LETTERS)
        )
    return name


class KeyDialog(dialogs.PassphraseDialog):
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

        def protect(*typed: str) -> None:
            *old, new, again = typed
            if new != again:
                raise UserError("The two new passphrases differ.", "")
            protect_with(old[0] if old else "", new)

        fields = (*((tr("Present passphrase"),) if asks_old else ()), tr("New passphrase"), tr("Repeat it"))
        super().__init__(tr("Signature key"), text, fields, protect, ok=tr("Set passphrase"), parent=parent)
        self.ok.setToolTip(plain(tr("Encrypt the key with this passphrase; it is asked for each time you sign")))
        self.renew = basic.make_button(
            tr("New key…"), tr("Sign with another key from now on, for example if the passphrase is forgotten")
        )
        self.renew.setVisible(has_key)
        self.renew.clicked.connect(self.new_key_requested)
        self.buttons.addButton(self.renew, QDialogButtonBox.ButtonRole.ActionRole)


PROTECTED = {
    "key store": to_translate("Signature key {key}, kept in the system's key store."),
    "passphrase": to_translate("Signature key {key}, encrypted with a passphrase."),
    "permissions": to_translate(
        "Signature key {key}, protected by the permissions of its file only: whoever can read the files of this "
        "account can sign with it."
    ),
}


class KeyDesk:
    """Asks and shows above a window."""

    def __init__(self, window: QWidget, keys: SignatureKeys | None = None) -> None:
        self._window, self.keys = window, keys or account_keys()

    def fingerprint(self, reader: str) -> str:
        """Of the reader's key on this computer; empty: there is none that can be read."""
        try:
            state = self.keys.state(reader)
        except UserError:
            return ""
        return "" if state is None else state.fingerprint

    def in_words(self, reader: str) -> str:
        """Which key a reader has here, and what protects it."""
        state = self.keys.state(reader)
        if state is None:
            return tr(
                "{reader} has no signature key on this computer yet; it is made with the first signature.",
                reader=reader,
            )
        return tr(PROTECTED[state.protection], key=state.fingerprint)

    def ask_passphrase(self, reader: str) -> str | None:
        """The passphrase of a reader's key, empty where it has none; None: the reader cancelled."""
        state = self.keys.state(reader)
        if state is None or state.protection != "passphrase":
            return ""
        text = tr("Enter the passphrase of the signature key of {reader}.", reader=reader)
        dialog = dialogs.PassphraseDialog(
            tr("Signature key"), text, (tr("Passphrase"),), partial(self.keys.signer, reader), ok=tr("Sign"),
            parent=self._window,
        )  # fmt: skip
        try:
            return dialog.inputs[0].text() if dialog.exec() == QDialog.DialogCode.Accepted else None
        finally:
            dialog.deleteLater()

    def show(self, name: str) -> None:
        """Show what protects a reader's key, and let it be changed."""
        reader = check_reader(name)
        asks_old, has_key = False, True
        try:
            state, words = self.keys.state(reader), self.in_words(reader)
            asks_old, has_key = state is not None and state.protection == "passphrase", state is not None
        except UserError as error:  # damaged: another key can still be made
            words = tr(error)
        protect = partial(self.keys.protect, reader)
        dialog = KeyDialog(words, protect, asks_old=asks_old, has_key=has_key, parent=self._window)
        dialog.new_key_requested.connect(lambda: self._renew(reader, dialog))
        try:
            dialog.exec()
        finally:
            dialog.deleteLater()

    def _renew(self, reader: str, dialog: KeyDialog) -> None:
        text = tr(
            "Sign with a new key from now on? Reports that were signed with the present key keep their signatures, and "
            "each check will say that the new key differs from the earlier one."
        )
        if not dialogs.agrees(dialog, tr("New key"), text, tr("Use a new key")):
            return
        try:
            self.keys.renew(reader)
        except UserError as error:
            dialog.problem.setText(tr(error))
            return
        dialog.accept()
