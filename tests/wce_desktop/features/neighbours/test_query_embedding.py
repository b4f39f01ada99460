"""Drawing a region: by mouse and by keys, in pixels of the frame, and never beyond it."""

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from wce_desktop.features.neighbours.query_embedding import RegionPicker


@pytest.fixture
def picker(qtbot: QtBot) -> RegionPicker:
    view = QWidget()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    made = RegionPicker(view)
    made.begin(QRectF(100, 50, 200, 200), 64)  # a frame of 64 pixels, drawn 200 wide
    return made


def test_a_drawn_box_is_in_pixels_of_the_frame(qtbot: QtBot, picker: RegionPicker) -> None:
    with qtbot.waitSignal(picker.picked) as told:
        QTest.mousePress(picker, Qt.MouseButton.LeftButton, pos=QPoint(150, 100))
        QTest.mouseMove(picker, QPoint(350, 200))
        QTest.mouseRelease(picker, Qt.MouseButton.LeftButton, pos=QPoint(350, 200))
    assert told.args == pytest.approx([16, 16, 64, 48])
    assert picker.isHidden()


def test_a_click_draws_nothing(picker: RegionPicker) -> None:
    told: list[object] = []
    picker.picked.connect(lambda *box: told.append(box))
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(150, 100))
    assert not told
    assert picker.isVisible()


def test_keys_move_size_and_take_the_box_within_the_frame(qtbot: QtBot, picker: RegionPicker) -> None:
    before = picker.box
    QTest.keyClick(picker, Qt.Key.Key_Right)
    assert picker.box.left() == pytest.approx(before.left() + 64 * 0.02)
    QTest.keyClick(picker, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert picker.box.height() == pytest.approx(before.height() + 64 * 0.02)
    for _ in range(80):
        QTest.keyClick(picker, Qt.Key.Key_Left)
        QTest.keyClick(picker, Qt.Key.Key_Up)
    assert (picker.box.left(), picker.box.top()) == (0, 0)
    for _ in range(80):
        QTest.keyClick(picker, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(picker, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert picker.box.width() > 0
    with qtbot.waitSignal(picker.picked) as told:
        QTest.keyClick(picker, Qt.Key.Key_Return)
    assert told.args[3] == pytest.approx(64)


def test_escape_gives_up(qtbot: QtBot, picker: RegionPicker) -> None:
    with qtbot.waitSignal(picker.given_up):
        QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert picker.isHidden()
