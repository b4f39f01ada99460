"""What dialogs have in common: their buttons, questions, passphrases, and that they come to the front."""

from collections.abc import Callable

from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QWidget,
)

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.basic import in_column, make_text
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import fit_to_screen

FORGOTTEN = to_translate(
    "A forgotten passphrase cannot be recovered, and without it nobody can read the library, its signed reports or its "
    "backups."
)


def bring_to_front(window: QWidget) -> None:
    """Show a window above all others, with the keyboard."""
    window.show()
    window.raise_()
    window.activateWindow()


def agrees(parent: QWidget | None, title: str, question: str, *, by_default: bool = False) -> bool:
    """Ask a question that Return answers with *No*, or with *Yes* `by_default`."""
    button = QMessageBox.StandardButton
    usual = button.Yes if by_default else button.No
    return QMessageBox.question(parent, title, plain(question), button.Yes | button.No, usual) == button.Yes


def accept_buttons(dialog: QDialog, accepts: QAbstractButton) -> QDialogButtonBox:
    """This button, which accepts a dialog, and *Cancel*."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    buttons.addButton(accepts, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def passphrase_input(name: str) -> QLineEdit:
    """A field that shows no letters, called `name` by a screen reader."""
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    field.setAccessibleName(name)
    return field


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
        self.inputs = [passphrase_input(name) for name in (*fields, *((tr("Repeat it"),) if repeated else ()))]
        self.confirmed = QCheckBox(tr("I have noted it in a safe place"))
        self.problem = make_text(COLORS.warning)
        note = make_text()
        note.setText(f"{text}\n\n{tr(FORGOTTEN)}" if repeated else text)
        self.ok = QPushButton(ok)
        form = QFormLayout()
        for field in self.inputs:
            form.addRow(field.accessibleName(), field)
        if repeated:
            self.confirmed.toggled.connect(self.ok.setEnabled)
            self.ok.setEnabled(False)
        confirmed = (self.confirmed,) if repeated else ()
        in_column(note, form, *confirmed, self.problem, accept_buttons(self, self.ok), of=self)
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
