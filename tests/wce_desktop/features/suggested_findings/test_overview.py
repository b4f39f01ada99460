"""The overview of suggested findings: filters against a slow reference, and keys sent to the focused grid."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.suggested_findings.looks import BLOOD, POLYP_ONE, POLYP_TWO, looks_session
from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.landmark import Landmark, Region, regions
from wce_desktop.core.event import Event, EventList, Order, find_events
from wce_desktop.core.span import Span
from wce_desktop.core.suggested import SuggestedFindings
from wce_desktop.features.suggested_findings.filters import Answer, Filter, key_of_event
from wce_desktop.features.suggested_findings.overview import Overview
from wce_desktop.session.flags import Flags
from wce_desktop.session.reading import Entries, Place, Reading
from wce_desktop.shell.main_window import MainWindow

FRAMES = 400


def made_reading(seed: int, *, is_grouped: bool) -> Reading:
    """A reading with random scores, groups, labels, rejections and landmarks."""
    chance = np.random.default_rng(seed)
    names = ("polyp", "blood", "ulcer")
    events = EventList(
        find_events(chance.random(FRAMES).astype(np.float32) ** 0.5, 0.8, name, max_gap=1) for name in names[:2]
    )
    labels: list[Label] = []
    for number in range(60):
        start = int(chance.integers(FRAMES - 4))
        name, is_there = names[int(chance.integers(3))], bool(chance.integers(2))
        if not any(one.name == name and one.span.intersects(Span(start, start + 4)) for one in labels):
            labels.append(
                Label(str(number), "s", Span(start, start + 4), name, reader="r", answer="yes" if is_there else "no")
            )
    marks = [Landmark(region, "s", region, at) for region, at in ((Region.STOMACH, 30), (Region.SMALL_BOWEL, 150))]
    suggested = None
    if is_grouped:
        groups = np.unique(chance.integers(0, len(events) // 3, len(events)), return_inverse=True)[1].astype(np.int64)
        suggested = SuggestedFindings(events, groups, np.zeros(groups.max() + 1, np.float32))
    flags = Flags(FRAMES, 0.8, 1, events=events, suggested=suggested)
    entries = Entries(FRAMES, LabelTrack(labels), landmarks=marks)
    none = np.zeros(FRAMES, bool)
    return Reading(None, none, entries, flags, Place(), none, none)  # type: ignore[arg-type]  # only the length counts


def slow(reading: Reading, chosen: Filter, order: Order, kept: set[tuple[str, int]]) -> list[Event]:
    """What the overview shows, found event by event."""
    flags = reading.flags
    if flags.suggested is None:
        findings = [[event] for event in flags.events]
    else:
        findings = [
            [event for event, of in zip(flags.events, flags.suggested.groups, strict=True) if of == group]
            for group in range(len(flags.suggested))
        ]
    shown = []
    for parts in findings:
        main = max(parts, key=lambda part: part.peak_score)
        segment = next((r for r, span in regions(reading.entries.landmarks, FRAMES) if main.peak_frame in span), None)
        labelled = list(reading.entries.labels.at(main.peak_frame))
        is_denied = reading.entries.labels.negatives.named_at(main.name, main.peak_frame) is not None
        is_answered = bool(labelled) or is_denied
        fits = {"": True, "none": not is_answered}.get(chosen.answer, reading.answer(main) == chosen.answer)
        if (
            chosen.name in ("", main.name)
            and chosen.region in (None, segment)
            and main.peak_score >= np.float32(chosen.least_score)
            and (fits or (main.name, main.peak_frame) in kept)
        ):
            shown.append((parts[0].span.start, main))
    if order == "time":
        return [main for _, main in sorted(shown, key=lambda each: each[0])]
    return sorted((main for _, main in shown), key=lambda event: -event.peak_score)


@pytest.mark.parametrize("is_grouped", [True, False])
def test_filters_show_what_a_slow_reference_shows(is_grouped: bool) -> None:
    answers: tuple[Answer, ...] = ("", "none", "accepted", "rejected")
    orders: tuple[Order, ...] = ("time", "score")
    counts = []
    for seed in range(3):
        reading = made_reading(seed, is_grouped=is_grouped)
        kept = {key_of_event(event) for event in reading.flags.events[::9]}
        for name, region, score, answer, order in product(
            ("", "polyp", "ulcer"), (None, Region.SMALL_BOWEL, Region.COLON), (0.0, 0.95), answers, orders
        ):
            chosen = Filter(name, region, score, answer)
            shown = chosen.apply(reading, order, kept)
            expected = slow(reading, chosen, order, kept)
            if order == "time":  # parts that begin on one frame may come in either order
                assert sorted(map(key_of_event, shown)) == sorted(map(key_of_event, expected))
            else:
                assert [event.peak_score for event in shown] == [event.peak_score for event in expected]
                assert set(map(key_of_event, shown)) == set(map(key_of_event, expected))
            counts.append(len(shown))
    assert min(counts) == 0 < max(counts)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session, study = looks_session(tmp_path)
    with window_on(qtbot, session, study) as made:
        wait(qtbot, lambda: made.session.reading is not None and made.session.reading.flags.suggested is not None)
        press(made, "show_overview")
        wait(qtbot, lambda: made.features.suggested_findings.overview.isVisible())
        yield made


def overview_of(window: MainWindow) -> Overview:
    return window.features.suggested_findings.overview


def reading_of(window: MainWindow) -> Reading:
    assert window.session.reading is not None
    return window.session.reading


def key(window: MainWindow, qtbot: QtBot, pressed: Qt.Key, *, control: bool = False) -> None:
    """Send a key to what has the focus, which is the grid, and wait for what it begins."""
    window.activateWindow()
    tiles = overview_of(window).tiles
    modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(tiles if tiles.isVisible() else window.workspace.player, pressed, modifier)
    wait(qtbot, lambda: window.is_idle)


def peaks(window: MainWindow) -> list[int]:
    return [event.peak_frame for event in overview_of(window)._events]


def current(window: MainWindow) -> int:
    event = overview_of(window).current
    assert event is not None
    return event.peak_frame


def answers(window: MainWindow) -> dict[int, str]:
    return {event.peak_frame: reading_of(window).answer(event) for event in reading_of(window).flags.events}


def choose(window: MainWindow, box: str, row: int) -> None:
    chosen = getattr(overview_of(window), box)
    chosen.setCurrentIndex(row)
    chosen.activated.emit(row)


def test_enter_and_backspace_answer_the_tile_and_go_on(window: MainWindow, qtbot: QtBot) -> None:
    assert peaks(window) == [50, 18, 30], "the highest score first"
    assert overview_of(window).tiles.hasFocus()
    place = reading_of(window).place.frame_index
    assert current(window) == 50
    key(window, qtbot, Qt.Key.Key_Return)
    assert window.workspace.messages.text.startswith("Blood accepted on 2 frames, new finding")
    assert current(window) == 18
    key(window, qtbot, Qt.Key.Key_Backspace)
    assert window.workspace.messages.text.startswith("Not polyp: 2 frames. 2 further parts")
    assert current(window) == 30
    assert [answers(window)[frame] for frame in (50, 18, 30)] == ["accepted", "rejected", ""]
    assert answers(window)[7] == answers(window)[43] == "", "nothing is said of parts that were not shown"
    assert overview_of(window).tiles.tiles.tile(0).answer == "accepted"  # type: ignore[union-attr]
    (finding,) = reading_of(window).entries.findings
    assert (finding.kind, finding.span) == ("blood", Span(BLOOD, BLOOD + 2))
    assert reading_of(window).place.frame_index == place, "the place in the video stays"
    assert not reading_of(window).seen[[18, 30, 50]].any(), "a small picture is no frame that was seen"


def test_undo_takes_an_answer_back_in_place(window: MainWindow, qtbot: QtBot) -> None:
    key(window, qtbot, Qt.Key.Key_Return)
    key(window, qtbot, Qt.Key.Key_Backspace)
    key(window, qtbot, Qt.Key.Key_Z, control=True)
    assert current(window) == 18
    assert overview_of(window).tiles.tiles.tile(1).answer == ""  # type: ignore[union-attr]
    key(window, qtbot, Qt.Key.Key_Z, control=True)
    assert current(window) == 50
    assert set(answers(window).values()) == {""}
    assert not reading_of(window).entries.findings


def test_what_was_answered_stays_until_the_filter_changes(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "state", 1)
    assert peaks(window) == [50, 18, 30]
    overview_of(window).tiles.setFocus()
    key(window, qtbot, Qt.Key.Key_Return)
    assert peaks(window) == [50, 18, 30]
    choose(window, "state", 1)
    assert peaks(window) == [18, 30]
    choose(window, "state", 2)
    assert peaks(window) == [50]
    choose(window, "state", 3)
    assert peaks(window) == []
    assert not overview_of(window)._empty.isHidden()
    choose(window, "state", 0)
    choose(window, "order", 1)
    assert peaks(window) == [18, 30, 50]
    choose(window, "name", 1)
    assert peaks(window) == [18, 30]


def test_segments_are_offered_once_their_landmarks_are_set(window: MainWindow, qtbot: QtBot) -> None:
    overview = overview_of(window)
    assert not overview.region.isEnabled()
    window.features.reading.go_to_frame(25)
    wait(qtbot, lambda: reading_of(window).place.frame_index == 25 and window.is_idle)
    assert not overview.isVisible(), "a frame that was asked for elsewhere takes its place"
    press(window, "landmark_small_bowel")
    press(window, "show_overview")
    assert [overview.region.itemText(row) for row in range(overview.region.count())] == ["Segment", "Small bowel"]
    choose(window, "region", 1)
    assert peaks(window) == [50, 30]


def test_the_parts_of_a_finding_are_tiles_too(window: MainWindow, qtbot: QtBot) -> None:
    key(window, qtbot, Qt.Key.Key_Right)
    press(window, "show_parts")
    assert peaks(window) == [7, 18, 43]
    assert current(window) == 18, "the part that stood for the finding"
    key(window, qtbot, Qt.Key.Key_Return)
    assert current(window) == 43
    key(window, qtbot, Qt.Key.Key_Backspace)
    assert current(window) == 7
    assert [answers(window)[frame] for frame in (7, 18, 43)] == ["", "accepted", "rejected"]
    press(window, "split_finding")
    wait(qtbot, lambda: window.is_idle and peaks(window) == [18, 43])
    key(window, qtbot, Qt.Key.Key_Escape)
    assert len(peaks(window)) == 4, "the part is a finding of its own"
    assert overview_of(window).isVisible()
    key(window, qtbot, Qt.Key.Key_Escape)
    assert not overview_of(window).isVisible()


def test_space_shows_the_frame_and_escape_comes_back_to_the_tile(window: MainWindow, qtbot: QtBot) -> None:
    key(window, qtbot, Qt.Key.Key_End)
    assert current(window) == 30
    key(window, qtbot, Qt.Key.Key_Space)
    wait(qtbot, lambda: reading_of(window).place.frame_index == 30 and window.is_idle)
    overview = overview_of(window)
    assert not overview.isVisible()
    assert window.workspace.player.frame_view.isVisible()
    press(window, "mark_start")
    press(window, "clear_span")
    assert not overview.isVisible(), "Escape clears the span first"
    press(window, "accept_event")
    press(window, "clear_span")
    assert overview.isVisible()
    assert overview.tiles.hasFocus()
    assert current(window) == 30
    assert overview.tiles.tiles.tile(2).answer == "accepted"  # type: ignore[union-attr]
    key(window, qtbot, Qt.Key.Key_Escape)
    press(window, "clear_span")
    assert not overview.isVisible(), "it comes back only from a frame that was opened in it"


def test_nothing_is_entered_for_the_frame_behind_the_overview(window: MainWindow, qtbot: QtBot) -> None:
    actions = window.menus.actions
    for pressed in (Qt.Key.Key_1, Qt.Key.Key_I, Qt.Key.Key_M):
        key(window, qtbot, pressed)
    window.features.reading.label_bar.label_requested.emit("polyp")
    assert "The frame is not shown" in window.workspace.messages.text
    assert not len(reading_of(window).entries.labels)
    assert not reading_of(window).place.is_span_marked
    assert not reading_of(window).entries.findings
    assert not actions["landmark_stomach"].isEnabled()
    key(window, qtbot, Qt.Key.Key_Escape)
    assert actions["label_1"].isEnabled()
    press(window, "show_overview")
    window.session.close_study()
    assert window.session.is_frame_shown


def test_joining_goes_by_the_highlighted_tile(window: MainWindow, qtbot: QtBot) -> None:
    key(window, qtbot, Qt.Key.Key_Right)
    press(window, "join_findings")
    key(window, qtbot, Qt.Key.Key_Right)
    press(window, "join_findings")
    wait(qtbot, lambda: window.is_idle and len(peaks(window)) == 2)
    assert [part.span.start for part in reading_of(window).flags.parts_of(overview_of(window)._events[1])] == sorted(
        [*POLYP_ONE, POLYP_TWO]
    )


def test_sizes_change_by_keys_and_buttons(window: MainWindow, qtbot: QtBot) -> None:
    tiles = overview_of(window).tiles
    sides = []
    for pressed in (Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Minus, Qt.Key.Key_Minus):
        key(window, qtbot, pressed)
        sides.append(tiles._painter.picture_px)
    large, middle, small, same = sides
    assert large > middle > small == same
    assert tiles.viewport().width() % tiles._painter.size.width() < tiles._painter.size.width() // 3, "rows are full"


def test_the_overview_follows_the_threshold_and_ends_with_the_study(window: MainWindow, qtbot: QtBot) -> None:
    overview = overview_of(window)
    window.session.scores.set_threshold(0.85)
    wait(qtbot, lambda: window.is_idle and peaks(window) == [50, 18])
    window.session.close_study()
    assert not overview.isVisible()
    assert overview._events == ()


def test_pictures_are_painted_when_they_arrive(window: MainWindow, qtbot: QtBot) -> None:
    def look() -> QImage:
        return overview_of(window).tiles.viewport().grab().toImage()

    wait(qtbot, lambda: window.is_idle and not window.workspace.thumbnails.is_busy)
    assert all(window.workspace.thumbnails.get(frame) is not None for frame in peaks(window))
    before = look()
    key(window, qtbot, Qt.Key.Key_Return)
    assert look() != before, "the answered tile is dark, and the next one is highlighted"
