"""Asks for passphrases: a new one, another one, and the one that opens an encrypted library."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr
from wce_desktop.library.storage import key_file
from wce_desktop.widgets.basic import make_text
from wce_desktop.widgets.theme import WARNING
from wce_desktop.widgets.window_size import fit_to_screen

FORGOTTEN = to_translate(
    "A forgotten passphrase cannot be recovered, and without it nobody can read the library, its signed reports or its "
    "backups."
)
READABLE = to_translate(
    "Encrypted: the database (labels, findings, patient records, report texts), signed reports, and their backups.\n"
    "Not encrypted: the videos, scores and embeddings, frame indexes, maps, models, runs with their copies of labels, "
    "exports (also reports that you save) and this computer's log. Use an encrypted disk to protect these.\n"
    "The old, readable files are deleted; on a disk that is not encrypted, traces of them can remain."
)


class PassphraseDialog(QDialog):
    """Asks for passphrases and hands them to `accept_with`; its `UserError` is shown and the dialog stays.

    Args:
        fields: a label for each passphrase, such as "Passphrase".
        repeated: the last passphrase is new: it is typed twice, and the reader confirms what a lost one means.
    """

    def __init__(
        self,
        title: str,
        text: str,
        fields: tuple[str, ...],
        accept_with: Callable[..., object],
        *,
        ok: str,
        repeated: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._accept_with, self._is_repeated = accept_with, repeated
        self.inputs = [_input(name) for name in (*fields, *((tr("Repeat it"),) if repeated else ()))]
        self.confirmed = QCheckBox(tr("I have noted it in a safe place"))
        self.problem = make_text(WARNING)
        note = make_text()
        note.setText(f"{text}\n\n{tr(FORGOTTEN)}" if repeated else text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.addButton(ok, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        for field in self.inputs:
            form.addRow(field.accessibleName(), field)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addLayout(form)
        if repeated:
            self.confirmed.toggled.connect(self.ok.setEnabled)
            self.ok.setEnabled(False)
            layout.addWidget(self.confirmed)
        layout.addWidget(self.problem)
        layout.addWidget(buttons)
        fit_to_screen(self, 560, self.sizeHint().height())
        self.inputs[0].setFocus()

    def accept(self) -> None:
        """Hand over what was typed; a wrong or short passphrase is said and can be typed again."""
        typed = [field.text() for field in self.inputs]
        if self._is_repeated and typed.pop() != typed[-1]:
            self.problem.setText(tr("The two new passphrases differ."))
            return
        try:
            self._accept_with(*typed)
        except UserError as error:
            self.problem.setText(tr(error))
            self.inputs[0].selectAll()
            self.inputs[0].setFocus()
            return
        super().accept()


def ask_to_unlock(folder: Path) -> bool:
    """Ask for the passphrase of a locked library until it fits; False where the reader cancels."""
    text = tr("The library in {folder} is encrypted.", folder=folder)
    unlock = lambda passphrase: key_file.unlock(folder, passphrase)  # noqa: E731
    return bool(PassphraseDialog(tr("Unlock the library"), text, (tr("Passphrase"),), unlock, ok=tr("Unlock")).exec())


def ask_to_unlock_backup(folder: Path, backup: Path, parent: QWidget | None = None) -> bool:
    """Ask for the earlier passphrase of a backup where it needs one; False where the reader cancels."""
    if not key_file.needs_passphrase(folder, backup):
        return True
    text = tr("The backup {name} was encrypted with an earlier passphrase of the library.", name=backup.name)
    unlock = lambda passphrase: key_file.unlock_backup(folder, backup, passphrase)  # noqa: E731
    return bool(
        PassphraseDialog(
            tr("Earlier passphrase"), text, (tr("Passphrase"),), unlock, ok=tr("Unlock"), parent=parent
        ).exec()
    )


def _input(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    field.setAccessibleName(name)
    return field
