"""A box follows the lesion in the real window: proposed, corrected, kept in one step, or discarded."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.test_boxes import at, begin, drag, stored
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.boxes import keep_followed
from wce_desktop.core.span import Span
from wce_desktop.features.boxes.following import PREFIX, BoxFollowing, visit_of
from wce_desktop.shell.main_window import MainWindow

ORIGIN = Box("b-1", "s", 5, 10, 10, 30, 30, "polyp", "f-1", "reader")


def follow(qtbot: QtBot, window: MainWindow) -> BoxFollowing:
    """Draw a box on frame 12 and follow it, without a lesion that moves: on all frames around."""
    begin(qtbot, window)
    drag(qtbot, window, at(window, 15, 15), at(window, 45, 45))
    press(window, "follow_box")
    following = window.features.boxes.following
    wait(qtbot, lambda: not following.is_busy)
    assert following.at(12) == ()
    assert following.at(13)
    return following


def go(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: [shown.frame_index for shown in window.player.frame_view.frames] == [frame])


def test_proposed_boxes_are_kept_as_one_edit_and_undone(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        following = follow(qtbot, window)
        (drawn,) = stored(window)  # a proposal is no label
        frames = [frame for frame in range(200) if following.at(frame)]
        go(qtbot, window, 13)
        assert [outline.is_suggested for outline in window.features.explain.notes_of(13).outlines] == [True]
        press(window, "keep_followed")
        assert [box.frame_index for box in stored(window)] == sorted([*frames, 12])
        assert {(box.name, box.reader, box.box_id[:2]) for box in stored(window)} == {("polyp", "reader", "b-")}
        assert not following.at(13)
        press(window, "undo")
        assert stored(window) == [drawn]


def test_proposed_boxes_are_discarded_by_escape(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        following = follow(qtbot, window)
        window.features.boxes.editor.left.emit()
        assert not following.at(13)
        assert window.features.boxes.is_editing
        window.features.boxes.editor.left.emit()
        assert not window.features.boxes.is_editing
        assert len(stored(window)) == 1
        press(window, "discard_followed")
        assert "No box follows a lesion" in window.banner.text


def test_a_corrected_frame_is_a_key_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        following = follow(qtbot, window)
        go(qtbot, window, 14)
        before, on_left = following.at(13), following.at(11)
        box = following.at(14)[0]
        edges = (box.x_min + 6, box.y_min + 6, box.x_max + 6, box.y_max + 6)
        window.features.boxes.editor.reshaped.emit(f"{PREFIX}14", edges, (1000.0, 1000.0), False)
        wait(qtbot, lambda: not following.is_busy)
        assert following.at(14)[0].x_min == pytest.approx(edges[0])
        assert following.at(13) != before
        assert following.at(11) == on_left  # beyond the key frame beside it nothing changes
        assert len(stored(window)) == 1


def test_a_removed_proposal_ends_the_boxes_there(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        following = follow(qtbot, window)
        window.features.boxes.editor.removed.emit(f"{PREFIX}14")
        assert following.at(13)
        assert not following.at(14)
        assert not following.at(15)


def test_a_change_of_the_drawn_box_is_followed(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        following = follow(qtbot, window)
        (drawn,) = stored(window)
        before = following.at(13)
        edges = (drawn.x_min + 8, drawn.y_min, drawn.x_max + 8, drawn.y_max)
        window.features.boxes.editor.reshaped.emit(drawn.box_id, edges, (1000.0, 1000.0), False)
        wait(qtbot, lambda: not following.is_busy)
        assert following.at(13) != before
        press(window, "undo")  # the change
        press(window, "undo")  # the box
        assert stored(window) == []
        assert not following.at(13)


def test_no_box_is_kept_twice() -> None:
    followed = {4: (10.0, 10.0, 30.0, 30.0), 5: (10.0, 10.0, 30.0, 30.0), 6: (12.0, 10.0, 32.0, 30.0)}
    there = Box("b-2", "s", 6, 11, 10, 31, 30, "polyp", None, "other")
    plan = keep_followed(ORIGIN, followed, [ORIGIN, there], "reader")
    (box,) = [change.new for change in plan.changes]
    assert isinstance(box, Box)
    assert (box.frame_index, box.name, box.finding_id, box.x_max) == (4, "polyp", "f-1", 30.0)
    assert not keep_followed(ORIGIN, {5: followed[5]}, [ORIGIN], "reader").changes


def test_a_box_follows_within_the_label_of_its_class(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.opened()
        origin = Box("b-1", reading.study.study_id, 12, 10, 10, 30, 30, "polyp", None, "reader")
        assert visit_of(reading, origin) == Span(0, min(reading.frame_count, 313))
        window.workspace.go_to_frame(12)
        window.session.mark_span(10, 16)
        press(window, "label_1")
        labels = [label for label in reading.entries.labels if isinstance(label, Label)]
        assert visit_of(reading, origin) == labels[0].span == Span(10, 16)
