"""What the timeline paints, and what it paints anew, for studies of every size."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPaintEvent, QRegion
from pytestqt.qtbot import QtBot

from tests.wce_desktop.widgets.timeline.conftest import FRAMES, event_list, make_tracks
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Answer, Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.widgets.timeline import TimelineView
from wce_desktop.widgets.timeline.axis import FrameWindow
from wce_desktop.widgets.timeline.scores_paint import score_y
from wce_desktop.widgets.timeline.style import FAST, LEFT_GUTTER_PX, NOT_SEEN, RIGHT_GUTTER_PX, SEEN, SKIPPED

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def test_the_detail_turns_pages_while_playing_and_keeps_its_zoom(timeline: TimelineView) -> None:
    timeline.set_window(0, 100)
    windows: list[FrameWindow] = []
    for frame in range(250):
        timeline.set_cursor(frame)
        assert timeline.detail.window_shown.shows(frame)
        windows.append(timeline.detail.window_shown)
    assert list(dict.fromkeys(windows)) == [FrameWindow(0, 100), FrameWindow(90, 190), FrameWindow(180, 280)]


def picture_keys(view: TimelineView) -> dict[str, int]:
    """What Qt knows each layer's picture by; painting on one gives it another key."""
    view.grab()
    layers = view.detail._layers
    return {name: layer.picture.cacheKey() for name, layer in layers.items() if layer.picture is not None}


def test_playing_repaints_no_layer(timeline: TimelineView) -> None:
    before = picture_keys(timeline)
    timeline.set_cursor(1234)
    assert len(before) == 7
    assert picture_keys(timeline) == before


def test_another_window_leaves_nothing_of_the_cursor_between_the_layers(qtbot: QtBot, timeline: TimelineView) -> None:
    painted = PaintedRegions()
    timeline.set_cursor(0)
    timeline.show()
    qtbot.waitExposed(timeline)
    qtbot.waitUntil(lambda: not timeline.detail.visibleRegion().isEmpty())
    timeline.detail.repaint()
    timeline.detail.installEventFilter(painted)
    timeline.set_window(3000, 3200)
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    assert painted.region.contains(timeline.detail.rect())
    assert QRegion(timeline.detail.rect()).subtracted(painted.region).isEmpty()


class PaintedRegions(QObject):
    """Adds up what a widget was asked to paint."""

    def __init__(self) -> None:
        super().__init__()
        self.region = QRegion()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


def test_a_label_repaints_only_the_labels(timeline: TimelineView) -> None:
    before = picture_keys(timeline)
    label = Label("1", "s", Span(2000, 2600), "class0")
    timeline.change_labels(added=[label])
    now = picture_keys(timeline)
    assert {name for name in now if now[name] != before[name]} == {"labels"}
    timeline.change_labels(removed=[label])
    assert timeline.content.labels["class0"].starts.size == 0


@pytest.mark.parametrize("length", [1, 400])
def test_a_class_that_is_not_there_is_drawn_hollow(timeline: TimelineView, length: int) -> None:
    """The bar of a "no" has the outline of the class's colour, and less of it than that of a "yes"."""
    timeline.set_window(1900, 2500)
    span, area = Span(2000, 2000 + length), timeline.detail.label_area()

    def coloured(answer: Answer) -> int:
        timeline.set_labels([Label("1", "s", span, "class0", answer=answer)])
        color = timeline.content.color("class0").rgb()
        picture = timeline.detail.grab().toImage()
        ratio = picture.devicePixelRatio()
        left, right = (int(timeline.detail.cursor_x(frame) * ratio) for frame in (1995, span.stop + 5))
        rows = range(int(area.top() * ratio), int(area.bottom() * ratio))
        return sum(picture.pixel(x, y) == color for x in range(left, right) for y in rows)

    assert 10 < coloured("no") < 0.8 * coloured("yes") if length > 1 else coloured("no") > 10


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
    events = [Event(Span(0, 1), "class0", 0.9, 0), Event(Span(count - 1, count), "class1", 0.8, count - 1)]
    view.set_events(event_list(events))
    view.set_labels([Label("1", "s", Span(0, count), "normal"), Label("2", "s", Span(count - 1, count), "class0")])
    view.set_findings([Finding("f", "s", "class0", Span(0, count), 5)])
    view.set_landmarks([Landmark("m", "s", Region.STOMACH, 0), Landmark("n", "s", Region.COLON, count - 1)])
    view.set_seen(SpanSet([Span(0, count)]))
    view.set_marked_span(Span(0, count))


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
    assert timeline.detail.window_shown == FrameWindow(0, 50)


def test_frames_that_were_played_too_fast_are_drawn_apart(timeline: TimelineView) -> None:
    count = timeline.content.frame_count
    seen, fast = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    seen[: count // 2] = True
    fast[count // 4 : 3 * count // 4] = True
    timeline.set_seen(seen, fast)
    timeline.show_all()
    area = timeline.detail.seen_area()
    picture = timeline.detail.grab().toImage()

    def color(share: float, row: int) -> QColor:
        return picture.pixelColor(area.left() + int(share * area.width()), area.top() + row)

    assert [color(share, 3) for share in (0.1, 0.4, 0.6, 0.9)] == [SEEN, SEEN, FAST, NOT_SEEN]
    assert [color(share, 0) for share in (0.4, 0.6)] == [SEEN, NOT_SEEN]
    only_fast = timeline.content.only_fast
    assert only_fast is not None
    assert only_fast[[int(0.6 * count), int(0.4 * count)]].tolist() == [True, False]


def test_frames_skipped_as_similar_are_drawn_apart_until_they_are_seen(timeline: TimelineView) -> None:
    count = timeline.content.frame_count
    seen, skipped = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    seen[: count // 2], skipped[count // 4 : 3 * count // 4] = True, True
    timeline.set_seen(seen)
    timeline.set_skipped(skipped)
    area = timeline.detail.seen_area()
    picture = timeline.detail.grab().toImage()
    at = [area.left() + int(share * area.width()) for share in (0.4, 0.6, 0.9)]
    assert [picture.pixelColor(x, area.top() + 3) for x in at] == [SEEN, SKIPPED, NOT_SEEN]
    only_skipped = timeline.content.only_skipped
    assert only_skipped is not None
    assert only_skipped[[int(0.4 * count), int(0.6 * count)]].tolist() == [False, True]
