"""A row of words and buttons becomes two rows where it is narrow, and needs no more room than the wider of both."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from wce_desktop.widgets.basic import TEXT_PX, TurningRow


def test_the_buttons_go_below_the_text(qtbot: QtBot) -> None:
    row, text = TurningRow(), QLabel("a sentence that says why this frame is asked for, and what happens then")
    buttons = [QPushButton("a long word"), QPushButton("another one")]
    row.arrange(text, buttons, QLabel("a title"))
    qtbot.addWidget(row)
    row.show()
    row.resize(1000, 40)
    qtbot.waitUntil(lambda: buttons[0].geometry().left() > text.geometry().right())
    assert text.width() >= TEXT_PX
    row.resize(row.minimumSizeHint().width(), 120)
    qtbot.waitUntil(lambda: buttons[0].geometry().top() > text.geometry().bottom())
    assert row.minimumSizeHint().width() < 1000 - TEXT_PX
    assert max(button.geometry().right() for button in buttons) < row.width()
