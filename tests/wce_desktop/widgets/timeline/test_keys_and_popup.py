"""The timeline's keys, its focus, and what lies under the pointer."""

from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.widgets.timeline import TimelineView

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def test_keys_page_zoom_and_move_the_threshold(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    timeline.set_cursor(1500)
    committed: list[float] = []
    timeline.threshold_committed.connect(committed.append)
    press = partial(QTest.keyClick, timeline.detail)
    press(Qt.Key.Key_PageDown)
    assert timeline.detail.window_shown.start == pytest.approx(1800)
    press(Qt.Key.Key_PageUp)
    press(Qt.Key.Key_Plus)
    assert timeline.detail.window_shown.length == pytest.approx(800)
    press(Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert committed == [0.51]


def test_only_its_own_keys_are_kept_from_the_window(timeline: TimelineView) -> None:
    for key, keys, taken in (
        (Qt.Key.Key_PageDown, NO_KEYS, True),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier, True),
        (Qt.Key.Key_Up, NO_KEYS, False),
        (Qt.Key.Key_Space, NO_KEYS, False),
    ):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, keys)
        event.ignore()
        QApplication.sendEvent(timeline.detail, event)
        assert event.isAccepted() is taken


def test_focus_shows(qtbot: QtBot, timeline: TimelineView) -> None:
    timeline.activateWindow()
    timeline.detail.clearFocus()
    before = timeline.detail.grab().toImage()
    timeline.detail.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(timeline.detail.hasFocus)
    assert timeline.detail.grab().toImage() != before
    assert timeline.detail.accessibleName()


def test_hovering_says_which_frame_and_leaves_again(timeline: TimelineView) -> None:
    said: list[int] = []
    timeline.detail.hovered.connect(lambda frame, at: said.append(frame))
    QTest.mouseMove(timeline.detail, QPoint(int(timeline.detail.cursor_x(2000)), 30))
    assert said[-1] == pytest.approx(2000, abs=5)
    assert timeline.popup.isVisible()
    QApplication.sendEvent(timeline.detail, QEvent(QEvent.Type.Leave))
    assert said[-1] == -1
    assert not timeline.popup.isVisible()


def test_the_popup_asks_again_once_the_picture_is_ready(timeline: TimelineView) -> None:
    pictures: dict[int, QImage] = {}
    timeline.popup.provider = pictures.get
    timeline.set_labels([Label("1", "s", Span(2000, 2010), "class0")])
    timeline.popup.describe(2005, QPoint(300, 300), 290)
    assert timeline.popup.lines() == ["frame 2,006   0:04:10", "label: Class0"]
    timeline.change_labels([Label("2", "s", Span(2004, 2006), "class1", answer="no")])
    assert timeline.popup.lines()[1:] == ["label: Class0", "hatched: not Class1"]
    timeline.change_labels(removed=[Label("2", "s", Span(2004, 2006), "class1", answer="no")])
    empty = timeline.popup.grab().toImage()
    pictures[2005] = QImage(64, 64, QImage.Format.Format_RGB32)
    pictures[2005].fill(QColor("#aa5533"))
    timeline.popup.picture_ready(7)
    assert timeline.popup.grab().toImage() == empty
    timeline.popup.picture_ready(2005)
    assert timeline.popup.grab().toImage() != empty
