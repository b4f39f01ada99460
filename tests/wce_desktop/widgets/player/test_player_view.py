"""The player as its users see it: the right frame for the right number, whatever they press."""

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from tests.wce_desktop.widgets.player.conftest import FRAMES, TIMEOUT_MS, go_to, living_threads, numbers_on_screen
from training.errors import UserError
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameIndex, first_picture
from wce_desktop.core.dwell import Looked
from wce_desktop.core.overlay import FrameCam
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.widgets.player import frame_reader
from wce_desktop.widgets.player.annotation_painter import Chip, FrameNotes
from wce_desktop.widgets.player.frame_view import ShownFrame
from wce_desktop.widgets.player.player_view import PlayerView


def open_study(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex | None) -> None:
    """Open and wait for the first frame on screen."""
    with qtbot.waitSignals([player.opened, player.index_ready], timeout=TIMEOUT_MS):
        player.open_path(study, index)
    qtbot.waitUntil(lambda: player.frame_index == 0, timeout=TIMEOUT_MS)


def test_opens_without_an_index_and_then_has_one(qtbot: QtBot, player: PlayerView, study: Path) -> None:
    open_study(qtbot, player, study, None)
    assert player.playback.frame_count == FRAMES
    assert numbers_on_screen(player) == [0]
    assert player.transport.position_label.text() == "frame 1 / 60"


def test_each_frame_is_the_one_with_its_number(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    open_study(qtbot, player, study, index)
    for frame_index in (59, 0, 31, 30, 29, 12, 11, 48):
        go_to(qtbot, player, frame_index)
        assert numbers_on_screen(player) == [frame_index]
        assert player.transport.position_label.text() == f"frame {frame_index + 1} / 60"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([-10, -1, 1, 10, 37]), min_size=1, max_size=6))
def test_steps_add_up(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, steps: list[int]) -> None:
    if player.playback.frame_count == 0:
        open_study(qtbot, player, study, index)
    expected = player.frame_index or 0
    for step in steps:
        player.step(step)
        expected = max(0, min(expected + step, FRAMES - 1))
    qtbot.waitUntil(lambda: player.frame_index == expected, timeout=TIMEOUT_MS)
    assert numbers_on_screen(player) == [expected]


def test_the_newest_seek_wins(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex) -> None:
    open_study(qtbot, player, study, index)
    shown: list[int] = []
    player.frame_changed.connect(shown.append)
    for frame_index in [*range(59, 0, -1), 17]:
        player.show_frame(frame_index)
    qtbot.waitUntil(lambda: player.frame_index == 17, timeout=TIMEOUT_MS)
    assert shown[-1] == 17
    assert len(shown) < 20, "what was overtaken is not decoded"


def test_a_seek_before_the_index_is_known_is_remembered(qtbot: QtBot, player: PlayerView, study: Path) -> None:
    player.open_path(study)
    player.show_frame(42)
    qtbot.waitUntil(lambda: player.frame_index == 42, timeout=TIMEOUT_MS)
    assert numbers_on_screen(player) == [42]


@pytest.mark.parametrize("has_index", [False, True])
def test_a_study_that_is_opened_where_it_was_left_shows_no_other_frame(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, has_index: bool
) -> None:
    shown: list[int] = []
    player.frame_view.painted.connect(shown.append)
    player.open_path(study, index if has_index else None, 42)
    qtbot.waitUntil(lambda: player.frame_index == 42, timeout=TIMEOUT_MS)
    assert set(shown) == {42}


def test_playing_at_25_fps_shows_all_frames_in_order_and_they_are_seen(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    open_study(qtbot, player, study, index)
    shown: list[tuple[int, int]] = []
    seen: list[Span] = []
    player.looked.connect(lambda looked: seen.append(looked.frames) if looked.is_seen else None)
    player.frame_changed.connect(lambda frame_index: shown.append((frame_index, numbers_on_screen(player)[0])))
    player.set_seen_limit(25)
    player.set_rate(25)
    assert player.transport.rate_label.text.text() == "25 fps"
    player.play()
    qtbot.waitUntil(lambda: not player.is_playing, timeout=TIMEOUT_MS)
    assert shown == [(at, at) for at in range(1, FRAMES)]
    qtbot.waitUntil(lambda: SpanSet(seen) == SpanSet([Span(0, FRAMES)]), timeout=TIMEOUT_MS)
    assert len(seen) < 10, "seen frames are told in spans"


def test_frames_played_too_fast_are_told_apart_and_the_transport_says_so(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_study(qtbot, player, study, index)
    now = [0.0]  # each frame stays for its period, however slowly a busy computer decodes
    monkeypatch.setattr(player.controller._watcher, "_clock", lambda: now[0])
    player.frame_changed.connect(lambda _: now.append(now.pop() + 1 / 40))
    looked: list[Looked] = []
    player.looked.connect(looked.append)
    player.set_rate(40)
    assert player.transport.rate_label.text.text() == "40 fps\nnot seen"
    player.play()
    qtbot.waitUntil(lambda: (player.frame_index or 0) >= 20, timeout=TIMEOUT_MS)
    player.pause()
    now[0] += 1
    qtbot.waitUntil(lambda: bool(looked) and looked[-1].is_seen, timeout=TIMEOUT_MS)
    fast = [one for one in looked if not one.is_seen]
    assert {one.fps for one in fast} == {40}
    last = looked[-1].frames
    assert last.stop - 1 == player.frame_index, "the frame on which one pauses is seen"
    assert SpanSet(one.frames for one in looked).frame_count >= 20
    player.set_views(2)
    assert player.transport.rate_label.text.text() == "40 × 2 fps\nnot seen"
    player.set_rate(12)
    assert player.transport.rate_label.text.text() == "12 × 2 fps"
    player.set_views(4)
    assert player.transport.rate_label.text.text() == "12 × 4 fps\nnot seen"


def test_plays_backwards_and_stops_at_the_start(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    open_study(qtbot, player, study, index)
    go_to(qtbot, player, 25)
    shown: list[int] = []
    player.frame_changed.connect(shown.append)
    player.set_rate(60)
    with qtbot.waitSignal(player.state_changed, timeout=TIMEOUT_MS, check_params_cb=lambda playing, _: not playing):
        player.play(-1)
    assert shown == list(range(24, -1, -1))


def test_plays_flagged_frames_only(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex) -> None:
    open_study(qtbot, player, study, index)
    shown: list[int] = []
    player.frame_changed.connect(shown.append)
    player.set_flagged_frames(SpanSet([Span(4, 7), Span(40, 42)]).to_mask(len(index)))
    player.set_rate(60)
    player.play()
    qtbot.waitUntil(lambda: not player.is_playing, timeout=TIMEOUT_MS)
    assert shown == [4, 5, 6, 40, 41]


def test_turning_round_while_playing_loses_nothing(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    open_study(qtbot, player, study, index)
    shown: list[int] = []
    player.frame_changed.connect(shown.append)
    player.set_rate(60)
    player.play()
    qtbot.waitUntil(lambda: len(shown) >= 10, timeout=TIMEOUT_MS)
    player.play(-1)
    qtbot.waitUntil(lambda: not player.is_playing, timeout=TIMEOUT_MS)
    top = max(shown)
    assert shown == [*range(1, top + 1), *range(top - 1, -1, -1)]


def test_a_late_answer_takes_no_frame_its_place_while_playing(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    """A turn asks again for the frame that is on its way; it may have come prepared before the answer."""
    open_study(qtbot, player, study, index)
    shown: list[int] = []
    player.frame_changed.connect(shown.append)

    def answer_late(frames: tuple[ShownFrame, ...]) -> None:
        before = frames[0].frame_index - 1
        late = frame_reader.Request(10**6 + before, before, 1, 1, is_seek=True)
        player.controller._on_group(frame_reader.FrameGroup(late, (frames[0].picture,)))

    player.controller.frames_due.connect(answer_late)
    player.set_rate(60)
    player.play()
    qtbot.waitUntil(lambda: len(shown) >= 10, timeout=TIMEOUT_MS)
    player.pause()
    assert shown[:10] == list(range(1, 11))


def test_playing_does_not_pass_a_frame_that_is_still_being_decoded(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_study(qtbot, player, study, index)
    now, controller = [100.0], player.controller
    monkeypatch.setattr(controller, "_clock", lambda: now[0])
    controller.show_frame(20)
    assert controller.play()
    now[0] += 5
    controller._tick()
    assert controller.playback.position == 20
    qtbot.waitUntil(lambda: controller.on_screen == 20)


def test_pausing_keeps_what_is_on_screen(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex) -> None:
    open_study(qtbot, player, study, index)
    player.set_rate(60)
    player.play()
    qtbot.waitUntil(lambda: (player.frame_index or 0) >= 5, timeout=TIMEOUT_MS)
    player.pause()
    paused_at = player.frame_index
    assert paused_at is not None
    player.step(1)
    qtbot.waitUntil(lambda: player.frame_index == paused_at + 1, timeout=TIMEOUT_MS)
    assert numbers_on_screen(player) == [paused_at + 1]


@pytest.mark.parametrize("views", [2, 4])
def test_successive_frames_side_by_side(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, views: int
) -> None:
    open_study(qtbot, player, study, index)
    player.set_views(views)
    go_to(qtbot, player, 20)
    player.frame_view.set_notes_provider(None)
    qtbot.waitUntil(lambda: len(player.frame_view.frames) == views, timeout=TIMEOUT_MS)
    shown = [frame.frame_index for frame in player.frame_view.frames]
    assert shown == list(range(20, 20 + views)) == numbers_on_screen(player)
    player.show_frame(player.playback.frame_count - 1)
    qtbot.waitUntil(lambda: len(player.frame_view.frames) == 1, timeout=TIMEOUT_MS)


def test_a_frame_that_does_not_decode_says_so_and_the_next_one_is_there(
    qtbot: QtBot, player: PlayerView, broken_study: Path
) -> None:
    open_study(qtbot, player, broken_study, None)
    go_to(qtbot, player, 5)
    assert player.frame_view.frames[0].picture is None
    card = player.frame_view.grab().toImage()
    go_to(qtbot, player, 6)
    assert numbers_on_screen(player) == [6]
    assert player.frame_view.grab().toImage() != card
    player.set_views(4)
    go_to(qtbot, player, 4)
    qtbot.waitUntil(lambda: len(player.frame_view.frames) == 4, timeout=TIMEOUT_MS)
    assert [frame.picture is None for frame in player.frame_view.frames] == [False, True, False, False]


def test_a_study_that_cannot_be_read_gives_its_sentence(qtbot: QtBot, player: PlayerView, tmp_path: Path) -> None:
    with qtbot.waitSignal(player.failed, timeout=TIMEOUT_MS) as caught:
        player.open_path(tmp_path / "nothing.mp4")
    assert caught.args is not None
    assert isinstance(caught.args[0], UserError)
    assert "nothing.mp4" in caught.args[0].message
    assert not player.transport.buttons["toggle_play"].isEnabled()


def test_the_first_picture_comes_before_the_index(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    def slow_index(path: Path, reporter: Reporter) -> FrameIndex:
        reporter.progress(1, 2, "packets", "reading the index")
        assert may_go_on.wait(20)
        return index

    monkeypatch.setattr(frame_reader, "build_index", slow_index)
    with qtbot.waitSignal(player.opened, timeout=TIMEOUT_MS):
        player.open_path(study)
    assert player.playback.frame_count == 0
    assert numbers_on_screen(player) == [0]
    qtbot.waitUntil(lambda: "50 %" in player.transport.note_label.text(), timeout=TIMEOUT_MS)
    with qtbot.waitSignal(player.index_ready, timeout=TIMEOUT_MS):
        may_go_on.set()
    assert player.transport.note_label.text() == ""


def test_closing_ends_an_index_that_is_being_made(
    qtbot: QtBot, player: PlayerView, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, never = threading.Event(), threading.Event()

    def endless_index(path: Path, reporter: Reporter) -> FrameIndex:
        begun.set()
        while True:
            never.wait(0.01)
            reporter.check()

    monkeypatch.setattr(frame_reader, "build_index", endless_index)
    player.open_path(study)
    assert begun.wait(20)
    player.shutdown()
    assert living_threads(player) == 0


def test_closing_while_decoding_leaves_no_thread(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    for _ in range(5):
        player.open_path(study, index)
        for frame_index in range(0, FRAMES, 7):
            player.show_frame(frame_index)
    player.close_study()
    assert player.frame_index is None
    player.shutdown()
    assert living_threads(player) == 0
    qtbot.wait(1)
    assert player.frame_index is None, "nothing of the closed study arrives late"


def test_another_study_takes_over_while_the_first_plays(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    open_study(qtbot, player, study, index)
    go_to(qtbot, player, 30)
    player.play()
    open_study(qtbot, player, study, index)
    assert not player.is_playing
    assert numbers_on_screen(player) == [0]


def test_waiting_shows_itself(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    def slow_picture(path: Path) -> NDArray[np.uint8]:
        assert may_go_on.wait(20)
        return first_picture(path)

    monkeypatch.setattr(frame_reader, "first_picture", slow_picture)
    with qtbot.waitSignal(player.controller.waiting, timeout=TIMEOUT_MS) as caught:
        player.open_path(study)
    assert caught.args == ["Opening study.mp4…"]
    may_go_on.set()
    qtbot.waitUntil(lambda: player.frame_index == 0, timeout=TIMEOUT_MS)


def test_zoom_stays_from_frame_to_frame(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex) -> None:
    open_study(qtbot, player, study, index)
    player.zoom_in()
    player.zoom_in()
    zoomed = player.frame_view.frame_rects()
    go_to(qtbot, player, 9)
    assert player.frame_view.frame_rects() == zoomed
    assert player.frame_view.zoom.factor > 1.5
    player.zoom_fit()
    assert player.frame_view.zoom.factor == 1


def test_time_since_start_and_since_the_last_landmark(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    slow = replace(index, video_seconds=60.0 * np.arange(FRAMES, dtype=np.float64))
    open_study(qtbot, player, study, slow)
    player.set_landmarks([(40, "colon"), (10, "small bowel")])
    go_to(qtbot, player, 9)
    assert (player.transport.time_label.text(), player.transport.landmark_label.text()) == ("0:09:00", "")
    go_to(qtbot, player, 39)
    assert player.transport.landmark_label.text() == "small bowel + 0:29:00"
    go_to(qtbot, player, 40)
    assert player.transport.landmark_label.text() == "colon + 0:00:00"


def test_the_overlay_is_made_of_the_provider_and_off_leaves_the_frame_alone(
    qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex
) -> None:
    open_study(qtbot, player, study, index)
    asked: list[int] = []

    def provider(frame_index: int) -> FrameCam | None:
        asked.append(frame_index)
        return FrameCam(np.full((7, 7), 2, np.float32)) if frame_index != 3 else None

    player.set_field_of_view(FieldOfView("circle", 96, 64, centre=(48, 32), radius=24))
    player.set_look(0.5, is_filled=True)
    bare = player.frame_view.grab().toImage()
    player.set_overlay_provider(provider)
    assert player.frame_view.grab().toImage() == bare
    assert asked == []
    with qtbot.waitSignal(player.overlay_visible_changed, timeout=TIMEOUT_MS):
        player.set_overlay_visible(True)
    explained = player.frame_view.grab().toImage()
    assert asked == [0]
    rect = player.frame_view.frame_rects()[0]
    corner = (rect.topRight().toPoint().x() - 4, round(rect.top()) + 4)
    assert explained.pixelColor(*corner) == bare.pixelColor(*corner), "nothing outside the field of view"
    middle = rect.center().toPoint()
    assert explained.pixelColor(middle) != bare.pixelColor(middle)
    player.set_overlay_visible(False)
    assert player.frame_view.grab().toImage() == bare


def test_chips_come_from_the_provider(qtbot: QtBot, player: PlayerView, study: Path, index: FrameIndex) -> None:
    open_study(qtbot, player, study, index)
    bare = player.frame_view.grab().toImage()
    player.set_notes_provider(lambda at: FrameNotes((Chip("Polyp", "#e69f00", "circle"),) if at == 0 else ()))
    assert player.frame_view.grab().toImage() != bare
    go_to(qtbot, player, 1)
    player.set_notes_provider(None)
    go_to(qtbot, player, 0)
    assert player.frame_view.grab().toImage() == bare


def test_a_hidden_player_follows_but_nothing_counts_as_seen(qtbot: QtBot, study: Path, index: FrameIndex) -> None:
    view = PlayerView()
    qtbot.addWidget(view)
    seen: list[int] = []
    view.looked.connect(lambda looked: seen.append(looked.frames.start) if looked.is_seen else None)
    view.open_path(study, index)
    view.show_frame(7)
    qtbot.waitUntil(lambda: view.frame_index == 7, timeout=TIMEOUT_MS)
    view.shutdown()
    assert seen == []
