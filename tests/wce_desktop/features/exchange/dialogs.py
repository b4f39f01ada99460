"""Finds and answers the dialogs of an import or export, with the mouse."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import press
from wce_desktop.features.exchange.export_dialogs import ExportDialog
from wce_desktop.shell.main_window import MainWindow

D = TypeVar("D", bound=QDialog)


def shown_dialog(window: MainWindow, kind: type[D]) -> D:
    """The one dialog of this kind on screen."""
    (dialog,) = (one for one in window.findChildren(kind) if one.isVisible())
    return dialog


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    """Click a button with the mouse."""
    assert button.isVisible()
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def export_as(qtbot: QtBot, window: MainWindow, name: str, *, this_study: bool = False) -> None:
    """Press the key of the export, choose a format and the studies, and go on to the folder."""
    press(window, "export_labels")
    dialog = shown_dialog(window, ExportDialog)
    dialog.formats.setCurrentIndex(dialog.formats.findData(name))
    if this_study:
        click(qtbot, dialog.this_study)
    click(qtbot, dialog.export)
