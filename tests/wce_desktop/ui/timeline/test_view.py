"""The timeline as a reader uses it: with the mouse, the keys, and while a study plays."""

from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.ui.timeline.conftest import FRAMES, make_tracks
from wce_desktop.core.event import Event
from wce_desktop.core.finding import Finding
from wce_desktop.core.label import Label
from wce_desktop.core.landmark import Landmark, Region
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.ui.timeline import TimelineView
from wce_desktop.ui.timeline.axis import FrameWindow
from wce_desktop.ui.timeline.scores_paint import score_y
from wce_desktop.ui.timeline.style import LEFT_GUTTER_PX, RIGHT_GUTTER_PX

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
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
    assert timeline.window_shown.length == pytest.approx(1000 * 0.8**notches)


def test_the_wheel_with_shift_moves_along(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    turn_wheel(timeline.detail, QPointF(333, 30), -1, Qt.KeyboardModifier.ShiftModifier)
    assert timeline.window_shown == FrameWindow(1150, 2150)


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


def test_the_detail_turns_pages_while_playing_and_keeps_its_zoom(timeline: TimelineView) -> None:
    timeline.set_window(0, 100)
    windows: list[tuple[float, float]] = []
    timeline.window_changed.connect(lambda start, stop: windows.append((start, stop)))
    for frame in range(250):
        timeline.set_cursor(frame)
        assert timeline.window_shown.shows(frame)
    assert windows == [(90.0, 190.0), (180.0, 280.0)]


def test_playing_repaints_no_layer(timeline: TimelineView) -> None:
    timeline.grab()
    pictures = {name: layer.picture for name, layer in timeline.detail._layers.items()}
    timeline.set_cursor(1234)
    timeline.grab()
    assert None not in pictures.values()
    assert {name: layer.picture for name, layer in timeline.detail._layers.items()} == pictures


def test_a_label_repaints_only_the_labels(timeline: TimelineView) -> None:
    timeline.grab()
    before = {name: layer.picture for name, layer in timeline.detail._layers.items()}
    label = Label("1", "s", Span(2000, 2600), "class0")
    timeline.change_labels(added=[label])
    timeline.grab()
    now = {name: layer.picture for name, layer in timeline.detail._layers.items()}
    assert {name for name in now if now[name] is not before[name]} == {"labels"}
    timeline.change_labels(removed=[label])
    assert len(timeline.content.labels["class0"]) == 0


def test_the_window_of_the_detail_can_be_dragged_and_stretched(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    lane = timeline.overview
    px_per_frame = lane.axis.px_per_frame
    y = lane.color_area().center().y()
    start = QPoint(int(lane.axis.x(1500)), y)
    drag(lane, [start, start + QPoint(20, 0), start + QPoint(50, 0)])
    assert timeline.window_shown.start == pytest.approx(1000 + 50 / px_per_frame)
    assert timeline.window_shown.length == pytest.approx(1000)
    timeline.set_window(1000, 2000)
    edge = QPoint(round(lane.window_area().right()), y)
    drag(lane, [edge, edge + QPoint(30, 0)])
    assert timeline.window_shown.start == pytest.approx(1000)
    assert timeline.window_shown.stop == pytest.approx(2000 + 30 / px_per_frame)


def test_a_double_click_on_the_overview_centres_the_detail(timeline: TimelineView) -> None:
    timeline.set_window(0, 200)
    x = int(timeline.overview.cursor_x(3000))
    QTest.mouseDClick(timeline.overview, LEFT, NO_KEYS, QPoint(x, 20))
    assert timeline.window_shown.length == pytest.approx(200)
    assert (timeline.window_shown.start + timeline.window_shown.stop) / 2 == pytest.approx(3000, abs=8)


def test_keys_page_zoom_and_move_the_threshold(timeline: TimelineView) -> None:
    timeline.set_window(1000, 2000)
    timeline.set_cursor(1500)
    committed: list[float] = []
    timeline.threshold_committed.connect(committed.append)
    press = partial(QTest.keyClick, timeline.detail)
    press(Qt.Key.Key_PageDown)
    assert timeline.window_shown.start == pytest.approx(1800)
    press(Qt.Key.Key_PageUp)
    press(Qt.Key.Key_Plus)
    assert timeline.window_shown.length == pytest.approx(800)
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
    timeline.hovered.connect(lambda frame, at: said.append(frame))
    QTest.mouseMove(timeline.detail, QPoint(int(timeline.detail.cursor_x(2000)), 30))
    assert said[-1] == pytest.approx(2000, abs=5)
    assert timeline._popup.isVisible()
    QApplication.sendEvent(timeline.detail, QEvent(QEvent.Type.Leave))
    assert said[-1] == -1
    assert not timeline._popup.isVisible()


def test_the_popup_asks_again_once_the_picture_is_ready(timeline: TimelineView) -> None:
    pictures: dict[int, QImage] = {}
    timeline.set_thumbnail_provider(pictures.get)
    timeline.set_labels([Label("1", "s", Span(2000, 2010), "class0")])
    timeline._popup.describe(2005, QPoint(300, 300), 290)
    assert timeline._popup.lines() == ["frame 2,006   0:04:10", "label: Class0"]
    empty = timeline._popup.grab().toImage()
    pictures[2005] = QImage(64, 64, QImage.Format.Format_RGB32)
    pictures[2005].fill(QColor("#aa5533"))
    timeline.thumbnail_ready(7)
    assert timeline._popup.grab().toImage() == empty
    timeline.thumbnail_ready(2005)
    assert timeline._popup.grab().toImage() != empty


@pytest.mark.parametrize("count", [0, 1, 2, 500_000])
def test_every_width_paints(qtbot: QtBot, count: int) -> None:
    view = TimelineView()
    qtbot.addWidget(view)
    times = np.arange(count) / 8.0
    view.set_study(count, times)
    if count:
        fill(view, count)
    for width in (1, 2, 100, LEFT_GUTTER_PX + RIGHT_GUTTER_PX, 180, 700, 1280, 4000):
        view.resize(width, 190)
        for show in (view.show_all, lambda: view.set_window(0, 1), lambda: view.set_cursor(max(0, count - 1))):
            show()
            assert not view.grab().isNull()


def fill(view: TimelineView, count: int) -> None:
    """Put something of every kind into a study, at both of its ends."""
    view.set_tracks(make_tracks(count, 6))
    view.set_colors(np.full((7, 3), 120, dtype=np.uint8))
    view.set_events([Event(Span(0, 1), "class0", 0.9, 0), Event(Span(count - 1, count), "class1", 0.8, count - 1)])
    view.set_labels([Label("1", "s", Span(0, count), "normal"), Label("2", "s", Span(count - 1, count), "class0")])
    view.set_findings([Finding("f", "s", "class0", Span(0, count), 5)])
    view.set_landmarks([Landmark("m", "s", Region.STOMACH, 0), Landmark("n", "s", Region.COLON, count - 1)])
    view.set_seen(SpanSet([Span(0, count)]))
    view.set_marked_span(Span(0, count))


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


def test_a_peak_of_one_frame_shows_at_every_zoom(timeline: TimelineView) -> None:
    timeline.set_tracks(make_tracks(FRAMES, 1))
    lane = timeline.detail.score_area()
    for length in (FRAMES, 1000, 100):
        timeline.set_window(FRAMES / 2 - length / 2, FRAMES / 2 + length / 2)
        image = timeline.detail.grab().toImage()
        x = int(timeline.detail.cursor_x(FRAMES // 2))
        y = round(score_y(lane, 0.7))
        colors = [image.pixelColor(column, y) for column in range(x - 1, x + 2)]
        assert any(color.red() > 60 and color.red() > color.blue() + 30 for color in colors)


def test_frames_without_a_score_are_a_gap(timeline: TimelineView) -> None:
    tracks = make_tracks(FRAMES, 1)
    tracks[0].values[1000:3000] = np.nan
    timeline.set_tracks(tracks)
    image = timeline.detail.grab().toImage()
    lane = timeline.detail.score_area()
    for frame, is_drawn in ((500, True), (1500, False), (2900, False), (3500, True)):
        column = [image.pixelColor(int(timeline.detail.cursor_x(frame)), y) for y in range(lane.top(), lane.bottom())]
        assert any(color.red() > color.blue() + 30 for color in column) is is_drawn


def test_wrong_lengths_are_refused(timeline: TimelineView) -> None:
    with pytest.raises(ValueError, match="class0"):
        timeline.set_tracks(make_tracks(FRAMES - 1))
    with pytest.raises(ValueError, match="as many times"):
        timeline.set_study(5, np.zeros(4))


def test_another_study_forgets_the_one_before(timeline: TimelineView) -> None:
    fill(timeline, FRAMES)
    timeline.set_threshold(0.7)
    timeline.set_study(50)
    assert not timeline.content.tracks
    assert not timeline.content.labels
    assert timeline.content.seen is None
    assert timeline.content.threshold == 0.7
    assert timeline.window_shown == FrameWindow(0, 50)
