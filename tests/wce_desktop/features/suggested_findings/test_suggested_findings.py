"""Flags grouped into suggested findings in the real window: listed, accepted, rejected, joined, split, undone."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.suggested_findings.looks import BLOOD, POLYP_ONE, POLYP_TWO, looks_session
from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.clock import format_time
from wce_desktop.core.event import Event
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.features.reading.event_model import EVENT_ROLE
from wce_desktop.features.reading.event_painting import PART_STEP, PARTS_HEIGHT, ROW_HEIGHT, parts_shown
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.session.reading import Reading
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session, study = looks_session(tmp_path)
    with window_on(qtbot, session, study) as made:
        wait(qtbot, lambda: made.session.reading is not None and made.session.reading.flags.suggested is not None)
        yield made


def reading_of(window: MainWindow) -> Reading:
    assert window.session.reading is not None
    return window.session.reading


def groups(window: MainWindow) -> list[list[int]]:
    """The first frames of the parts of each suggested finding."""
    reading = reading_of(window)
    return [[part.span.start for part in reading.flags.parts_of(main)] for main in reading.flags.listed]


def is_at(window: MainWindow, frame_index: int) -> bool:
    return reading_of(window).place.frame_index == frame_index and window.is_idle


def go_to(window: MainWindow, qtbot: QtBot, frame_index: int) -> None:
    window.features.reading.go_to_frame(frame_index)
    wait(qtbot, partial(is_at, window, frame_index))


def do(window: MainWindow, qtbot: QtBot, action_id: str) -> None:
    """Press the key of an action, and wait for the groups."""
    press(window, action_id)
    wait(qtbot, lambda: window.is_idle and not window.features.suggested_findings.is_busy)


def labels(window: MainWindow) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for label in reading_of(window).entries.labels:
        found.setdefault(label.name, []).append((label.span.start, label.span.stop))
    return {name: sorted(spans) for name, spans in found.items()}


def test_events_that_look_alike_are_one_row_with_its_parts(window: MainWindow) -> None:
    assert groups(window) == [list(POLYP_ONE), [POLYP_TWO], [BLOOD]]
    panel, reading = window.features.reading.flags, reading_of(window)
    assert panel.model.rowCount() == 3
    assert panel._total.text().startswith("5 flags, ")
    assert panel._beside.text() == "3 suggested findings"
    assert "Each is a part of a suggested finding." in panel._total.toolTip()
    said = panel.model.index(0).data()
    assert "3 parts that seem to show the same" in said
    assert "mean 0.78" in said, "the mean of 0.7, 0.8, 0.9, 0.8, 0.7 and 0.8"
    assert reading.flags.suggested is not None
    assert reading.flags.suggested.score_of(reading.flags.listed[0]) == pytest.approx(4.7 / 6)
    assert panel.list.rowHeight(0) == ROW_HEIGHT + PARTS_HEIGHT
    assert panel.list.rowHeight(1) == ROW_HEIGHT
    chains = window.workspace.timeline.content.chains
    assert [[part.peak_frame for part in parts] for parts in chains] == [[7, 18, 43]]


def test_a_click_on_the_picture_of_a_part_goes_there(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.features.reading.flags
    rect = panel.list.visualRect(panel.model.index(0))
    at = QPoint(rect.left() + 6 + 2 * 46 + 10, rect.top() + ROW_HEIGHT + 10)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    wait(qtbot, lambda: reading_of(window).place.frame_index == 43 and window.is_idle)
    assert panel.highlighted == panel.model.index(0).data(EVENT_ROLE), "its finding stays highlighted"


def test_the_number_of_further_parts_leads_to_the_best_of_them(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.features.reading.flags
    view, index = panel.list, panel.model.index(0)
    rect = view.visualRect(index)
    narrow = QRect(rect.left(), rect.top(), 12 + 2 * PART_STEP, rect.height())
    assert parts_shown(narrow.width(), 3) == 1, "there is room for one part and the number of the others"
    assert parts_shown(rect.width(), 3) == 3

    def pressed(place: int) -> Event | None:
        view._pressed_at = QPoint(narrow.left() + 6 + place * PART_STEP + 10, narrow.top() + ROW_HEIGHT + 10)
        return view.chosen_event(index)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(view, "visualRect", lambda _: narrow)
        first, best = pressed(0), pressed(1)
    assert first is not None
    assert best is not None
    assert first.span.start == POLYP_ONE[0]
    hidden = reading_of(window).flags.parts_of(first)[1:]
    assert best == max(hidden, key=lambda part: part.peak_score)
    window.features.reading.go_to_event(best)
    wait(qtbot, partial(is_at, window, best.peak_frame))
    assert reading_of(window).event_here() == best, "the number has the frame of the part on screen"


def test_what_was_accepted_or_rejected_is_not_left(window: MainWindow, qtbot: QtBot) -> None:
    frames, total = window.features.reading.flags._below, window.features.reading.flags._total

    def left() -> int:
        return int(frames.text().split()[0])

    go_to(window, qtbot, POLYP_ONE[0])
    before = left()
    do(window, qtbot, "accept_event")
    others = reading_of(window).flags.flagged() & ~reading_of(window).seen
    for part in POLYP_ONE[:1]:
        others[part : part + 2] = False
    assert left() == np.count_nonzero(others) < before
    assert "4 not seen" in total.text()
    go_to(window, qtbot, BLOOD)
    do(window, qtbot, "reject_event")
    assert "3 not seen" in total.text()
    do(window, qtbot, "undo")
    do(window, qtbot, "undo")
    flagged = reading_of(window).flags.flagged()
    assert left() == np.count_nonzero(flagged & ~reading_of(window).seen)


def test_the_finding_that_is_to_be_joined_is_marked_in_the_list(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.features.reading.flags

    def marked() -> list[int]:
        return [row for row in range(panel.model.rowCount()) if "to be joined" in panel.model.index(row).data()]

    def look() -> QImage:
        return panel.list.viewport().grab(panel.list.visualRect(panel.model.index(0))).toImage()

    go_to(window, qtbot, POLYP_ONE[1])
    assert marked() == []
    plain_row = look()
    press(window, "join_findings")
    assert marked() == [0], "the row of the finding, whichever part is on screen"
    assert look() != plain_row
    press(window, "clear_span")
    assert marked() == []
    press(window, "join_findings")
    go_to(window, qtbot, POLYP_TWO)
    assert marked() == [0], "it stays marked while the reader looks for the other one"
    do(window, qtbot, "join_findings")
    assert marked() == []
    assert len(groups(window)) == 2


def refused(window: MainWindow) -> dict[str, list[tuple[int, int]]]:
    track = reading_of(window).entries.labels.negatives
    return {name: [(s.start, s.stop) for s in track.frames(name, Span(0, 60))] for name in track.names}


def test_accept_and_reject_speak_of_the_part_on_screen(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_ONE[2])
    do(window, qtbot, "accept_event")
    said = window.workspace.messages.text
    assert said.startswith("Polyp accepted on 2 frames, new finding. 2 further parts"), (
        "what was written, and what is left"
    )
    assert window.session.edits.undo_title == "polyp accepted on 2 frames, new finding"
    part = (POLYP_ONE[2], POLYP_ONE[2] + 2)
    assert labels(window) == {"polyp": [part]}, "parts that were not shown get no label"
    (finding,) = reading_of(window).entries.findings
    assert (finding.kind, finding.key_frames, finding.span.start) == ("polyp", (43,), POLYP_ONE[2])
    do(window, qtbot, "accept_event")
    assert len(reading_of(window).entries.findings) == 1, "a second time changes nothing"
    go_to(window, qtbot, POLYP_ONE[0])
    do(window, qtbot, "accept_event")
    assert [one.key_frames for one in reading_of(window).entries.findings] == [(7, 43)], "one finding of both parts"
    assert len(reading_of(window).entries.links) == 1
    do(window, qtbot, "undo")
    go_to(window, qtbot, POLYP_ONE[2])
    do(window, qtbot, "reject_event")
    assert window.session.edits.undo_title == "Not polyp: 2 frames, 1 finding removed"
    assert labels(window) == {}, "nothing is normal"
    assert refused(window) == {"polyp": [part]}
    assert not reading_of(window).entries.findings
    do(window, qtbot, "undo")
    do(window, qtbot, "undo")
    assert labels(window) == refused(window) == {}
    assert not reading_of(window).entries.findings


def test_a_rejected_class_leaves_what_was_said_of_others(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, BLOOD)
    window.features.reading.label("polyp")
    do(window, qtbot, "reject_event")
    assert labels(window) == {"polyp": [(BLOOD, BLOOD + 1)]}
    assert refused(window) == {"blood": [(BLOOD, BLOOD + 2)]}
    reading = reading_of(window)
    event = next(one for one in reading.flags.events if one.name == "blood")
    assert reading.answer(event) == "rejected"


def test_m_on_an_accepted_event_opens_its_finding(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_TWO)
    do(window, qtbot, "accept_event")
    (finding,) = reading_of(window).entries.findings
    do(window, qtbot, "new_finding")
    assert reading_of(window).entries.findings == [finding]
    assert window.features.reading.findings.chosen == finding


def test_a_finding_that_was_written_about_survives_a_rejection(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_TWO)
    do(window, qtbot, "accept_event")
    (finding,) = reading_of(window).entries.findings
    window.features.reading.findings.choose(finding)
    window.features.reading.findings._comment.setPlainText("sessile, at the fold")
    window.features.reading.findings.form.save_texts()
    do(window, qtbot, "reject_event")
    assert window.workspace.messages.text.startswith("The finding stays in the list. Not polyp: 2 frames")
    assert labels(window) == {}
    assert refused(window) == {"polyp": [(POLYP_TWO, POLYP_TWO + 2)]}
    assert [kept.comment for kept in reading_of(window).entries.findings] == ["sessile, at the fold"]


def test_join_and_split_with_keys_survive_a_change_of_the_threshold(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_TWO)
    do(window, qtbot, "join_findings")
    go_to(window, qtbot, POLYP_ONE[0])
    do(window, qtbot, "join_findings")
    assert groups(window) == [sorted([*POLYP_ONE, POLYP_TWO]), [BLOOD]]
    go_to(window, qtbot, POLYP_ONE[2])
    do(window, qtbot, "split_finding")
    joined = sorted([*POLYP_ONE[:2], POLYP_TWO])
    assert sorted(groups(window)) == sorted([joined, [POLYP_ONE[2]], [BLOOD]])
    do(window, qtbot, "raise_threshold")
    do(window, qtbot, "lower_threshold")
    assert sorted(groups(window)) == sorted([joined, [POLYP_ONE[2]], [BLOOD]])
    for _ in range(2):
        do(window, qtbot, "undo")
    assert groups(window) == [list(POLYP_ONE), [POLYP_TWO], [BLOOD]]
    assert not reading_of(window).entries.links


def test_the_other_parts_stay_one_finding_whichever_is_split_off(window: MainWindow, qtbot: QtBot) -> None:
    for frame_index in (POLYP_ONE[0], POLYP_TWO):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "join_findings")
    parts = sorted([*POLYP_ONE, POLYP_TWO])
    for part in parts:
        go_to(window, qtbot, part)
        do(window, qtbot, "split_finding")
        assert sorted(groups(window)) == sorted([[other for other in parts if other != part], [part], [BLOOD]])
        do(window, qtbot, "undo")
        assert groups(window) == [parts, [BLOOD]]


def test_findings_of_two_classes_can_be_joined(window: MainWindow, qtbot: QtBot) -> None:
    for frame_index in (POLYP_TWO, BLOOD):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "join_findings")
    assert groups(window) == [list(POLYP_ONE), [POLYP_TWO, BLOOD]]
    do(window, qtbot, "accept_event")
    assert labels(window) == {"blood": [(BLOOD, BLOOD + 2)]}
    do(window, qtbot, "reject_event")
    assert labels(window) == {}
    assert not reading_of(window).entries.findings


def test_a_label_over_several_parts_can_be_accepted_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("polyp", "normal"):
        window.session.mark_span(0, 20)
        window.features.reading.label(name)
        before = labels(window)
        go_to(window, qtbot, POLYP_ONE[0])
        do(window, qtbot, "accept_event")
        assert any(start <= POLYP_ONE[0] < stop for start, stop in labels(window)["polyp"])
        do(window, qtbot, "undo")
        assert labels(window) == before
        do(window, qtbot, "undo")
        assert labels(window) == {}


def test_a_part_split_off_after_accepting_is_a_finding_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    for frame_index in (POLYP_ONE[0], POLYP_ONE[2]):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "accept_event")
    do(window, qtbot, "split_finding")
    do(window, qtbot, "accept_event")
    first, second = sorted(reading_of(window).entries.findings, key=lambda finding: finding.span.start)
    assert first.key_frames == (7,)
    assert second.key_frames == (43,)
    owners = {label.span.start: label.finding_id for label in reading_of(window).entries.labels}
    assert owners == {6: first.finding_id, 42: second.finding_id}
    do(window, qtbot, "reject_event")
    assert [finding.finding_id for finding in reading_of(window).entries.findings] == [first.finding_id]


def test_parts_that_join_later_belong_to_the_finding_that_is_there(window: MainWindow, qtbot: QtBot) -> None:
    for frame_index in (POLYP_TWO, POLYP_ONE[0]):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "accept_event")
    assert len(reading_of(window).entries.findings) == 2
    for frame_index in (POLYP_TWO, POLYP_ONE[0]):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "join_findings")
    do(window, qtbot, "reject_event")
    (left,) = reading_of(window).entries.findings
    assert left.span.start == POLYP_TWO, "nothing was said of the other part"


def test_a_finding_with_a_box_is_kept(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_TWO)
    do(window, qtbot, "accept_event")
    (finding,) = reading_of(window).entries.findings
    study_id = finding.study_id
    box = Box(new_id(), study_id, POLYP_TWO, 1, 1, 5, 5, "polyp", finding.finding_id)
    window.session.edits.apply("Box", [Add(box)])
    do(window, qtbot, "reject_event")
    assert reading_of(window).entries.findings == [finding]


def test_a_join_holds_while_its_highest_parts_are_flagged(window: MainWindow, qtbot: QtBot) -> None:
    for frame_index in (POLYP_TWO, POLYP_ONE[0]):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "join_findings")
    window.session.scores.set_threshold(0.75)
    wait(qtbot, lambda: window.is_idle)
    assert groups(window) == [[7, 18, 43], [BLOOD]], "the second polyp is not flagged any more"
    window.session.scores.set_threshold(0.5)
    wait(qtbot, lambda: window.is_idle)
    assert len(groups(window)) == 2


def test_keys_wait_for_the_groups(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_ONE[0])
    window.session.is_grouping = True
    for action_id in ("accept_event", "reject_event", "join_findings"):
        press(window, action_id)
        assert "being grouped" in window.workspace.messages.text
    assert labels(window) == {}


def test_keys_go_from_finding_to_finding_and_what_cannot_be_joined_or_split_is_said(
    window: MainWindow, qtbot: QtBot
) -> None:
    go_to(window, qtbot, 0)
    reading = reading_of(window)
    for event in sorted(reading.flags.events, key=lambda event: event.peak_frame):
        press(window, "next_unseen_event")
        wait(qtbot, partial(is_at, window, event.peak_frame))
        assert not window.workspace.messages.text
        highlighted = window.features.reading.flags.highlighted
        assert highlighted == reading.flags.main_of(event)
    press(window, "next_unseen_event")
    assert window.workspace.messages.text.startswith("From the beginning again: 5 of 5 flags")
    go_to(window, qtbot, 0)
    press(window, "next_event")
    wait(qtbot, partial(is_at, window, 7))
    highlighted = window.features.reading.flags.highlighted
    assert highlighted is not None
    assert highlighted.peak_frame == 18, "the finding that the part belongs to"
    go_to(window, qtbot, POLYP_TWO)
    press(window, "split_finding")
    assert "one part only" in window.workspace.messages.text
    assert not window.workspace.messages.error, "nothing went wrong"
    go_to(window, qtbot, POLYP_ONE[0])
    press(window, "join_findings")
    go_to(window, qtbot, POLYP_ONE[1])
    press(window, "join_findings")
    assert "one suggested finding already" in window.workspace.messages.text
    press(window, "join_findings")
    press(window, "clear_span")
    go_to(window, qtbot, POLYP_TWO)
    press(window, "join_findings")
    assert "press J again" in window.workspace.messages.text, "Escape forgot the first one"
    go_to(window, qtbot, 0)
    press(window, "join_findings")
    assert "No event is flagged" in window.workspace.messages.text
    assert not window.workspace.messages.error
    assert groups(window) == [list(POLYP_ONE), [POLYP_TWO], [BLOOD]]


def test_events_can_be_listed_one_by_one(window: MainWindow, qtbot: QtBot) -> None:
    do(window, qtbot, "group_events")
    assert reading_of(window).flags.suggested is None
    assert window.features.reading.flags.model.rowCount() == 5
    assert not window.workspace.timeline.content.chains
    go_to(window, qtbot, POLYP_ONE[0])
    press(window, "join_findings")
    assert "not grouped" in window.workspace.messages.text
    do(window, qtbot, "accept_event")
    assert labels(window) == {"polyp": [(6, 8)]}
    assert not reading_of(window).entries.findings, "an event alone makes no finding"
    do(window, qtbot, "group_events")
    assert window.features.reading.flags.model.rowCount() == 3


def button(window: MainWindow, name: str) -> QAbstractButton:
    """The visible button of the further parts with this accessible name, or the beginning of it."""
    buttons = window.features.reading.flags.further.findChildren(QAbstractButton)
    (found,) = (one for one in buttons if one.isVisible() and one.accessibleName().startswith(name))
    return found


def offered(window: MainWindow) -> list[int]:
    """The first frames of the parts that are offered below the list of flags."""
    further = window.features.reading.flags.further
    assert further.isVisible() == bool(further.parts)
    return [part.span.start for part in further.parts]


def negatives(window: MainWindow) -> list[tuple[str, int, int]]:
    return [(one.name, one.span.start, one.span.stop) for one in reading_of(window).entries.labels.negatives]


def test_further_parts_are_offered_with_their_pictures_and_answered_by_the_mouse(
    window: MainWindow, qtbot: QtBot
) -> None:
    go_to(window, qtbot, POLYP_ONE[0])
    assert offered(window) == []
    do(window, qtbot, "reject_event")
    assert offered(window) == list(POLYP_ONE[1:])
    further = window.features.reading.flags.further
    pictures = further._pictures
    wait(qtbot, lambda: not any(one.icon().isNull() for one in pictures.values()))
    row = window.features.reading.flags.model.index(0)
    assert "1 of 3 parts answered" in row.data()
    assert negatives(window) == [("polyp", POLYP_ONE[0], POLYP_ONE[0] + 2)], "nothing is written for the other parts"
    first = further.parts[0]
    at = format_time(float(reading_of(window).index.video_seconds[first.span.start]))
    qtbot.mouseClick(button(window, f"Reject this part: Polyp at {at}"), Qt.MouseButton.LeftButton)
    assert negatives(window)[1:] == [("polyp", first.span.start, first.span.stop)]
    assert reading_of(window).place.frame_index == POLYP_ONE[0], "the reader stays where they are"
    assert offered(window) == [POLYP_ONE[2]]
    do(window, qtbot, "undo")
    assert offered(window) == list(POLYP_ONE[1:])
    qtbot.mouseClick(button(window, "Leave these"), Qt.MouseButton.LeftButton)
    assert offered(window) == []
    assert len(negatives(window)) == 1


def test_further_parts_are_answered_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_ONE[0])
    do(window, qtbot, "accept_event")
    last = window.features.reading.flags.further.parts[-1]
    at = format_time(float(reading_of(window).index.video_seconds[last.span.start]))
    accept = button(window, f"Accept this part: Polyp at {at}")
    accept.setFocus()
    qtbot.keyClick(accept, Qt.Key.Key_Return)
    wait(qtbot, lambda: window.is_idle and not window.features.suggested_findings.is_busy)
    assert labels(window) == {"polyp": [(start, start + 2) for start in (POLYP_ONE[0], POLYP_ONE[2])]}
    assert len(reading_of(window).entries.findings) == 1
    assert offered(window) == [POLYP_ONE[1]]
    picture = button(window, "Polyp at")
    qtbot.keyClick(picture, Qt.Key.Key_Space)
    wait(qtbot, lambda: window.is_idle and reading_of(window).event_here() is not None)
    wait(qtbot, lambda: POLYP_ONE[1] <= reading_of(window).place.frame_index < POLYP_ONE[1] + 2)
    do(window, qtbot, "reject_event")
    assert negatives(window) == [("polyp", POLYP_ONE[1], POLYP_ONE[1] + 2)]
    assert offered(window) == [], "all parts are answered"


def test_another_finding_or_taking_the_answer_back_offers_no_parts(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, POLYP_ONE[0])
    do(window, qtbot, "reject_event")
    assert offered(window)
    do(window, qtbot, "undo")
    assert offered(window) == []
    do(window, qtbot, "reject_event")
    assert offered(window)
    go_to(window, qtbot, BLOOD)
    assert offered(window) == []


def test_the_highlighted_row_stays_whole_when_the_list_gets_lower(window: MainWindow, qtbot: QtBot) -> None:
    go_to(window, qtbot, BLOOD)
    shown = window.features.reading.flags.list
    row = shown.currentIndex()
    shown.setFixedHeight(shown.visualRect(row).bottom() + 10)
    wait(qtbot, lambda: shown.viewport().height() == shown.visualRect(row).bottom() + 10 - 2 * shown.frameWidth())
    shown.setFixedHeight(shown.height() - 40)
    wait(qtbot, lambda: shown.visualRect(row).bottom() < shown.viewport().height())
    assert shown.visualRect(row).top() >= 0


@pytest.mark.parametrize("action", ["split_finding", "join_findings"])
def test_an_event_of_an_earlier_threshold_is_the_one_of_now(window: MainWindow, qtbot: QtBot, action: str) -> None:
    """A row that was clicked before the threshold changed names an event whose end has moved since."""
    reading = reading_of(window)
    part = next(event for event in reading.flags.events if event.span.start == POLYP_ONE[0])
    stale = replace(part, span=Span(part.span.start, part.span.stop + 1))
    go_to(window, qtbot, BLOOD)
    if action == "join_findings":
        do(window, qtbot, action)
    window.features.reading.go_to_event(stale)
    assert not window.workspace.player.is_settled
    do(window, qtbot, action)
    wait(qtbot, partial(is_at, window, stale.peak_frame))
    assert "two places" not in window.banner.text
    rest = list(POLYP_ONE[1:])
    expected = [[POLYP_ONE[0]], rest] if action == "split_finding" else [[*POLYP_ONE, BLOOD]]
    assert all(group in groups(window) for group in expected)
    assert reading.entries.links


def test_a_finding_is_seen_and_answered_once_all_its_parts_are(window: MainWindow, qtbot: QtBot) -> None:
    reading, total = reading_of(window), window.features.reading.flags._total
    for frame_index in (POLYP_TWO, BLOOD, POLYP_ONE[1]):
        go_to(window, qtbot, frame_index)
        do(window, qtbot, "reject_event")
    assert "2 not seen, 2 unanswered" in total.text()
    assert still_open(reading).unseen_flags == 2
    assert not reading.is_event_seen(reading.flags.listed[0])
    for part in sorted((POLYP_ONE[2], POLYP_ONE[0]), key=lambda part: (part < POLYP_ONE[1], part)):
        press(window, "next_unseen_event")
        wait(qtbot, partial(is_at, window, part + 1))
        do(window, qtbot, "reject_event")
    press(window, "next_unseen_event")
    assert window.workspace.messages.text.startswith("Every flag has been answered.")
    assert "0 not seen, 0 unanswered" in total.text()
    assert not still_open(reading).unseen_flags
