"""Asks whether an export writes what readers typed, which may name a patient."""

from PySide6.QtWidgets import QMessageBox, QWidget

from wce_desktop.core.language import tr
from wce_desktop.widgets.plain_text import MessageBox


def free_text_question(parent: QWidget | None, title: str, text: str) -> MessageBox:
    """A dialog with this question; "Without free text" is the default."""
    box = MessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setText(text)
    without = box.addButton(tr("Without free text"), QMessageBox.ButtonRole.NoRole)
    box.addButton(tr("With free text"), QMessageBox.ButtonRole.YesRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(without)
    return box


def wants_free_text(box: MessageBox) -> bool | None:
    """Show the question; None where it was cancelled."""
    box.exec()
    role = box.buttonRole(box.clickedButton())
    return None if role == QMessageBox.ButtonRole.RejectRole else role == QMessageBox.ButtonRole.YesRole
