"""An error stays until it is closed, whatever else is said meanwhile."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from wce_desktop.ui.banner import Banner


def test_a_remark_does_not_take_an_error_away(qtbot: QtBot) -> None:
    under = QWidget()
    qtbot.addWidget(under)
    banner = Banner(under)
    banner.show_error("The disk is full.", "Free some space.")
    banner.show_remark("Undone: Label 1 frame polyp")
    assert banner.text == "The disk is full. Free some space.\nUndone: Label 1 frame polyp"
    banner._timer.timeout.emit()
    assert banner.text == "The disk is full. Free some space."
    banner.dismiss()
    assert banner.text == ""


def test_a_remark_leaves_by_itself(qtbot: QtBot) -> None:
    under = QWidget()
    qtbot.addWidget(under)
    banner = Banner(under)
    banner.show_remark("Done.")
    assert banner._timer.isActive()
    banner._timer.timeout.emit()
    assert banner.text == ""
