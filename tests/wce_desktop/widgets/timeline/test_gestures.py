"""The timeline in the reader's hand: mouse, wheel, keys, and the popup under the pointer."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.wce_desktop.widgets.timeline.conftest import FRAMES
from wce_desktop.widgets.timeline import TimelineView
from wce_desktop.widgets.timeline.axis import FrameWindow
from wce_desktop.widgets.timeline.scores_paint import score_y
from wce_desktop.widgets.timeline.style import LEFT_GUTTER_PX, RIGHT_GUTTER_PX

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def drag(lane: QWidget, points: list[QPoint], keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Press at the first point, move over the others, let go at the last."""
    QTest.mousePress(lane, LEFT, keys, points[0])
    for point in points[1:]:
        QTest.mouseMove(lane, point)
        QApplication.processEvents()
    QTest.mouseRelease(lane, LEFT, keys, points[-1])


def turn_wheel(lane: QWidget, at: QPointF, notches: int, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Turn the wheel above a point; positive is away from the hand."""
    event = QWheelEvent(
        at,
        lane.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(lane, event)


@pytest.mark.parametrize("lane_name", ["detail", "overview"])
def test_a_click_asks_for_the_frame_under_it(timeline: TimelineView, lane_name: str) -> None:
    lane = getattr(timeline, lane_name)
    timeline.set_window(0, FRAMES)
    asked: list[int] = []
    timeline.frame_requested.connect(asked.append)
    right_end = lane.width() - RIGHT_GUTTER_PX - 1
    for x in (LEFT_GUTTER_PX, right_end, (LEFT_GUTTER_PX + right_end + 1) // 2):
        QTest.mouseClick(lane, LEFT, NO_KEYS, QPoint(x, 20))
    px_per_frame = (right_end + 1 - LEFT_GUTTER_PX) / FRAMES
    assert asked == [0, FRAMES - int(1 / px_per_frame) - 1, FRAMES // 2]


def test_a_click_on_a_wide_frame_asks_for_exactly_this_one(timeline: TimelineView) -> None:
    timeline.set_window(100, 116)
    asked: list[int] = []
    timeline.frame_requested.connect(asked.append)
    for frame in (100, 107, 115):
        QTest.mouseClick(timeline.detail, LEFT, NO_KEYS, QPoint(int(timeline.detail.cursor_x(frame)), 30))
    assert asked == [100, 107, 115]


def test_dragging_scrubs_and_stops_at_the_ends(timeline: TimelineView) -> None:
    asked: list[int] = []
    timeline.frame_requested.connect(asked.append)
    drag(timeline.detail, [QPoint(400, 20), QPoint(420, 20), QPoint(420, 22), QPoint(5000, 20), QPoint(-50, 20)])
    assert len(asked) == 4
    assert asked[0] < asked[1] < asked[2] == FRAMES - 1
    assert asked[3] == 0


@pytest.mark.parametrize("notches", [1, 3, -1])
def test_the_wheel_keeps_the_frame_under_the_pointer(timeline: TimelineView, notches: int) -> None:
    timeline.set_window(1000, 2000)
    at = QPointF(333.0, 30.0)
    under = timeline.detail.axis.position(at.x())
    turn_wheel(timeline.detail, at, notches)
    assert timeline.detail.axis.position(at.x()) == pytest.approx(under)
    assert timeline.detail.window_shown.length == pytest.approx(1000 * 0.8**notches)


def test_the_wheel_with_shift_moves_along(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    turn_wheel(timeline.detail, QPointF(333, 30), -1, Qt.KeyboardModifier.ShiftModifier)
    assert timeline.detail.window_shown == FrameWindow(1150, 2150)


def test_dragging_with_shift_moves_along(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    asked: list[int] = []
    timeline.frame_requested.connect(asked.append)
    under = timeline.detail.axis.position(500)
    points = [QPoint(500, 30), QPoint(550, 30), QPoint(600, 30)]
    drag(timeline.detail, points, Qt.KeyboardModifier.ShiftModifier)
    assert timeline.detail.axis.position(600) == pytest.approx(under)
    assert asked == []


def test_dragging_the_threshold_line(timeline: TimelineView) -> None:
    changed: list[float] = []
    committed: list[float] = []
    asked: list[int] = []
    timeline.threshold_changed.connect(changed.append)
    timeline.threshold_committed.connect(committed.append)
    timeline.frame_requested.connect(asked.append)
    lane = timeline.detail.score_area()
    points = [QPoint(500, round(score_y(lane, score))) for score in (0.5, 0.6, 0.7)]
    drag(timeline.detail, [*points, QPoint(500, -100)])
    assert changed == [pytest.approx(0.6, abs=0.02), pytest.approx(0.7, abs=0.02), 1.0]
    assert committed == [1.0]
    assert timeline.content.threshold == 1.0
    assert asked == []


def test_the_threshold_can_be_taken_by_its_number(timeline: TimelineView) -> None:
    changed: list[float] = []
    timeline.threshold_changed.connect(changed.append)
    start = timeline.detail.threshold_handle().center()
    drag(timeline.detail, [start, QPoint(start.x(), round(score_y(timeline.detail.score_area(), 0.25)))])
    assert changed == [pytest.approx(0.25, abs=0.02)]


def test_a_click_or_a_drag_along_the_threshold_line_still_seeks(timeline: TimelineView) -> None:
    asked: list[int] = []
    committed: list[float] = []
    timeline.frame_requested.connect(asked.append)
    timeline.threshold_committed.connect(committed.append)
    y = round(score_y(timeline.detail.score_area(), 0.5))
    QTest.mouseClick(timeline.detail, LEFT, NO_KEYS, QPoint(500, y))
    assert len(asked) == 1
    drag(timeline.detail, [QPoint(500, y), QPoint(540, y + 1)])
    assert len(asked) == 3
    assert committed == []


def test_the_window_of_the_detail_can_be_dragged_and_stretched(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    lane = timeline.overview
    px_per_frame = lane.axis.px_per_frame
    y = lane.color_area().center().y()
    start = QPoint(int(lane.axis.x(1500)), y)
    drag(lane, [start, start + QPoint(20, 0), start + QPoint(50, 0)])
    assert timeline.detail.window_shown.start == pytest.approx(1000 + 50 / px_per_frame)
    assert timeline.detail.window_shown.length == pytest.approx(1000)
    timeline.set_window(1000, 2000)
    edge = QPoint(round(lane.window_area().right()), y)
    drag(lane, [edge, edge + QPoint(30, 0)])
    assert timeline.detail.window_shown.start == pytest.approx(1000)
    assert timeline.detail.window_shown.stop == pytest.approx(2000 + 30 / px_per_frame)


def test_a_double_click_on_the_overview_centres_the_detail(timeline: TimelineView) -> None:
    timeline.set_window(0, 200)
    x = int(timeline.overview.cursor_x(3000))
    QTest.mouseDClick(timeline.overview, LEFT, NO_KEYS, QPoint(x, 20))
    assert timeline.detail.window_shown.length == pytest.approx(200)
    assert (timeline.detail.window_shown.start + timeline.detail.window_shown.stop) / 2 == pytest.approx(3000, abs=8)


@pytest.mark.parametrize("count", [0, 1])
def test_the_mouse_on_an_empty_or_tiny_study(timeline: TimelineView, count: int) -> None:
    timeline.set_study(count)
    asked: list[int] = []
    timeline.frame_requested.connect(asked.append)
    for lane in (timeline.detail, timeline.overview):
        QTest.mouseClick(lane, LEFT, NO_KEYS, QPoint(400, 20))
        QTest.mouseDClick(lane, LEFT, NO_KEYS, QPoint(400, 20))
        drag(lane, [QPoint(300, 20), QPoint(400, 40)])
        turn_wheel(lane, QPointF(400, 20), 2)
        QTest.mouseMove(lane, QPoint(401, 21))
    assert set(asked) == set(range(count))
