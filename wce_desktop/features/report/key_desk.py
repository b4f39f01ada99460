"""The signature keys of this account in the report's window: asks for a passphrase, and says what protects a key."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.report.model.signature_keys import SignatureKeys, account_keys
from wce_desktop.features.report.signing import check_reader
from wce_desktop.features.report.view.key_dialog import KeyDialog, KeyPassphraseDialog
from wce_desktop.widgets.plain_text import plain

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
        dialog = KeyPassphraseDialog(reader, lambda typed: self.keys.signer(reader, typed), self._window)
        try:
            return dialog.passphrase.text() if dialog.exec() == QDialog.DialogCode.Accepted else None
        finally:
            dialog.deleteLater()

    def show(self, name: str) -> None:
        """Show what protects a reader's key, and let it be changed."""
        reader = check_reader(name)
        state, has_key = None, True
        try:
            state, words = self.keys.state(reader), self.in_words(reader)
            has_key = state is not None
        except UserError as error:  # damaged: another key can still be made
            words = tr(error)
        dialog = KeyDialog(
            words,
            lambda old, new: self.keys.protect(reader, old, new),
            asks_old=state is not None and state.protection == "passphrase",
            has_key=has_key,
            parent=self._window,
        )
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
        button = QMessageBox.StandardButton
        if QMessageBox.question(dialog, tr("New key"), plain(text), button.Yes | button.No, button.No) != button.Yes:
            return
        try:
            self.keys.renew(reader)
        except UserError as error:
            dialog.problem.setText(tr(error))
            return
        dialog.accept()
