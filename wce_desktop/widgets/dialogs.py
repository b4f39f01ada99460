"""What dialogs have in common: buttons, questions, passphrases, files, and that they come to the front."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6 import QtCore, QtGui, QtWidgets

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.settings import Settings
from wce_desktop.widgets import basic, theme, window_size
from wce_desktop.widgets.plain_text import MessageBox, plain

RETURN = (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter)
FORGOTTEN = to_translate(
    "A forgotten passphrase cannot be recovered, and without it nobody can read the library, its signed reports or its "
    "backups."
)


def bring_to_front(window: QtWidgets.QWidget) -> None:
    """Show a window above all others, with the keyboard."""
    window.show()
    window.raise_()
    window.activateWindow()


def agrees(
    parent: QtWidgets.QWidget | None,
    title: str,
    question: str,
    accept: str,
    refuse: str = "",
    *,
    more: str = "",
    by_default: bool = False,
) -> bool:
    """Ask a question with a button that says what is done (a verb); Return cancels, or accepts `by_default`.

    `refuse`: of the other button, *Cancel* where it is empty; `more`: the smaller text below the question.
    """
    box = MessageBox(parent, title, question, more)
    box.set_answers(accept, refuse, by_default=by_default)
    answer = box.exec()
    box.deleteLater()
    return answer == QtWidgets.QMessageBox.StandardButton.Yes


def ask_text(
    parent: QtWidgets.QWidget, title: str, label: str, accept: str, text: str = "", choices: Sequence[str] = ()
) -> str | None:
    """Ask for a text, or for one of `choices`; `accept` is the verb on the button. None where it was cancelled."""
    dialog = QtWidgets.QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(plain(label))
    dialog.setComboBoxItems(choices)
    dialog.setTextValue(text)
    dialog.setOkButtonText(accept)
    dialog.setCancelButtonText(tr("Cancel"))
    is_given = bool(dialog.exec())
    dialog.deleteLater()
    return dialog.textValue() if is_given else None


def accept_buttons(dialog: QtWidgets.QDialog, accepts: QtWidgets.QAbstractButton) -> QtWidgets.QDialogButtonBox:
    """This button, which accepts a dialog, and *Cancel*, in the order of the system."""
    buttons = QtWidgets.QDialogButtonBox(QtWidgets.QDialogButtonBox.StandardButton.Cancel)
    buttons.addButton(accepts, QtWidgets.QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


class LeavesReturn(QtCore.QObject):
    """Return confirms a text of the dialog, and does not press its default button."""

    def __init__(self, dialog: QtWidgets.QDialog) -> None:
        super().__init__(dialog)
        dialog.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        """Only keys that no widget of the dialog has taken come here."""
        return isinstance(event, QtGui.QKeyEvent) and event.type() == event.Type.KeyPress and event.key() in RETURN


def passphrase_input(name: str) -> QtWidgets.QLineEdit:
    """A field that shows no letters, called `name` by a screen reader."""
    field = QtWidgets.QLineEdit()
    field.setEchoMode(QtWidgets.QLineEdit.EchoMode.Password)
    field.setAccessibleName(name)
    return field


class PassphraseDialog(QtWidgets.QDialog):
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
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._accept_with, self._is_repeated = accept_with, repeated
        self.inputs = [passphrase_input(name) for name in (*fields, *((tr("Repeat it"),) if repeated else ()))]
        self.confirmed = QtWidgets.QCheckBox(tr("I have noted it in a safe place"))
        self.problem = basic.make_text(theme.COLORS.warning)
        note = basic.make_text(text=f"{text}\n\n{tr(FORGOTTEN)}" if repeated else text)
        self.ok = QtWidgets.QPushButton(ok)
        form = basic.Form()
        for field in self.inputs:
            form.addRow(field.accessibleName(), field)
        if repeated:
            self.confirmed.toggled.connect(self.ok.setEnabled)
            self.ok.setEnabled(False)
        confirmed = (self.confirmed,) if repeated else ()
        self.buttons = accept_buttons(self, self.ok)
        basic.in_column(note, form, *confirmed, self.problem, self.buttons, of=self)
        window_size.fit_to_screen(self, 560)
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


Kind: TypeAlias = Literal["studies", "labels", "models", "pictures", "reports"]
"""What a dialog asks for; each kind has a folder of its own in the settings."""


class FileDialogs:
    """Asks for files and folders, and remembers where they were; None where the dialog was cancelled.

    The first dialog of a kind begins in the person's folder of documents, not in that of the program.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def ask_file(self, parent: QtWidgets.QWidget, kind: Kind, title: str, name_filter: str) -> Path | None:
        """Ask for a file that is there."""
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(parent, title, self.start(kind), name_filter)
        return self._remember(kind, chosen, is_folder=False)

    def ask_folder(self, parent: QtWidgets.QWidget, kind: Kind, title: str) -> Path | None:
        """Ask for a folder."""
        chosen = QtWidgets.QFileDialog.getExistingDirectory(parent, title, self.start(kind))
        return self._remember(kind, chosen, is_folder=True)

    def ask_new_file(
        self, parent: QtWidgets.QWidget, kind: Kind, title: str, name: str, name_filter: str
    ) -> Path | None:
        """Ask for a file to be written, by default called `name`."""
        start = self.start(kind)
        chosen, _ = QtWidgets.QFileDialog.getSaveFileName(
            parent, title, str(Path(start) / name) if start else name, name_filter
        )
        return self._remember(kind, chosen, is_folder=False)

    def start(self, kind: Kind) -> str:
        """The folder in which a dialog begins: the last one of its kind, the person's own where it has gone."""
        folder = self._settings[f"folder_{kind}"]
        with contextlib.suppress(OSError, ValueError):
            if folder and Path(folder).is_dir():
                return str(folder)
        places = QtCore.QStandardPaths.standardLocations(QtCore.QStandardPaths.StandardLocation.DocumentsLocation)
        return next((place for place in places if Path(place).is_dir()), str(Path.home()))

    def _remember(self, kind: Kind, chosen: str, *, is_folder: bool) -> Path | None:
        if not chosen:
            return None
        path = Path(chosen)
        with contextlib.suppress(UserError):  # a library that cannot be written only forgets the folder
            self._settings.set(f"folder_{kind}", str(path if is_folder else path.parent))
        return path
