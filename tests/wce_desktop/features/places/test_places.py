"""Finding a place of one pass in another in the real window: search, two players, links, and what goes wrong."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.places.passes import FRAMES, POLYP, embeddings_of, passes_session, same_place, score
from tests.wce_desktop.features.places.person import Reader, reader_at
from tests.wce_desktop.windows import wait
from training.errors import UserError
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session
from wce_desktop.widgets.timeline.content import LinkMark


@pytest.fixture
def reader(qtbot: QtBot, tmp_path: Path) -> Iterator[Reader]:
    """Pass a is open, with a flagged polyp in frames 10 to 17."""
    with reader_at(qtbot, passes_session(tmp_path)) as made:
        yield made


def marks(reader: Reader) -> tuple[LinkMark, ...]:
    return tuple(reader.main.workspace.timeline.content.links)


def test_the_place_of_a_flag_is_found_in_the_other_pass(reader: Reader) -> None:
    reader.finds(11)
    assert reader.studies[0] == "All studies of this patient (1)"
    assert "the flag here" in reader.window.lists._query.text()
    assert "Model 1" in reader.window.lists._made_by.text()
    assert "seldom is the same place" in reader.window.lists._made_by.text()
    study_id, start, stop = reader.places[0]
    assert study_id == "b"
    assert stop - start == 4, "half as many frames of the slower study"
    assert abs(start - same_place(POLYP.start)) <= 1
    assert reader.shown[0] == 11
    assert reader.shown[1] in range(start, stop)
    pair = reader.window.pair
    assert pair.left._title.text() == "Pass a\n0:00:00  ·  frame 12 of 40"
    assert pair.right._title.text().startswith("Pass b")
    assert pair.right.timeline.content.marked is not None
    assert set(pair.right.timeline.content.selected.tolist()) == {start for _, start, _ in reader.places}
    assert "similarity" in reader.window.lists.found.item(0).text()
    assert reader.frame == 11, "the open study stays where it was"
    assert not reader.session.library.annotations.seen("b"), "what is compared is not read"


def test_a_marked_span_goes_before_the_flag_and_other_patients_can_be_searched(reader: Reader) -> None:
    reader.session.mark_span(20, 28)
    reader.finds(11)
    assert "8 frames" in reader.window.lists._query.text()
    study_id, start, _ = reader.places[0]
    assert study_id == "b"
    assert abs(start - same_place(20)) <= 1
    assert reader.shown[0] == 24, "the middle of the span, since the frame on screen is not in it"
    assert {study_id for study_id, *_ in reader.places} == {"b"}
    reader.chooses_studies(reader.studies.index("All other studies (2)"))
    assert {study_id for study_id, *_ in reader.places} == {"b", "c"}
    reader.chooses_studies(reader.studies.index("Pass c"))
    assert {study_id for study_id, *_ in reader.places} == {"c"}
    assert reader.window.pair.right.shows("c")


def test_both_step_together_by_time_until_they_are_unlocked(reader: Reader) -> None:
    reader.finds(11)
    left, right = reader.shown
    assert left is not None
    assert right is not None
    reader.presses(Qt.Key.Key_Right)
    reader.presses(Qt.Key.Key_Right)
    assert reader.shown == (left + 2, right + 1), "pass b has half as many frames a second"
    reader.turns_wheel(left=False, notches=-1)
    assert reader.shown == (left + 4, right + 2), "the study under the pointer steps by one frame"
    reader.turns_wheel(left=True, notches=1)
    assert reader.shown[0] == left + 3
    reader.presses(Qt.Key.Key_U)
    before = reader.shown
    reader.turns_wheel(left=False, notches=-1)
    assert before[1] is not None
    assert reader.shown == (before[0], before[1] + 1)
    reader.presses(Qt.Key.Key_U)
    reader.presses(Qt.Key.Key_Home)
    assert reader.shown[1] == 0
    assert reader.shown[0] == 0, "held at the first frame"
    assert reader.frame == 11


def test_a_click_on_one_timeline_moves_both(reader: Reader) -> None:
    reader.finds(11)
    left, right = reader.shown
    assert left is not None
    assert right is not None
    reader.window.pair.right.timeline.frame_requested.emit(right + 4)
    reader.waits()
    assert reader.shown == (left + 8, right + 4)


def test_space_plays_both(reader: Reader) -> None:
    reader.finds(11)
    left, right = reader.shown
    assert left is not None
    assert right is not None
    for _ in range(3):  # no faster, or the study ends before the key pauses it
        reader.window.pair.both(lambda player: player.faster())
    QTest.keyClick(reader.window, Qt.Key.Key_Space)
    wait(reader.bot, lambda: (reader.shown[0] or 0) >= left + 6 and (reader.shown[1] or 0) > right)
    reader.presses(Qt.Key.Key_Space)
    assert not reader.window.pair.is_playing


def test_a_link_is_an_edit_and_is_marked_on_both_timelines(reader: Reader) -> None:
    reader.finds(11)
    left, right = reader.shown
    reader.presses(Qt.Key.Key_Y)
    (link,) = reader.links
    assert (link.study_id, link.frame_index, link.other_study_id, link.other_frame_index) == ("a", left, "b", right)
    assert (link.is_same, link.name, link.other_name, link.reader) == (True, "", "", "reader")
    (mark,) = marks(reader)
    assert (mark.frame_index, mark.is_same) == (left, True)
    assert mark.text.startswith("the same place: Pass b · 0:00:0")
    assert [each.frame_index for each in reader.window.pair.right.timeline.content.links] == [right]
    assert reader.window.lists.tabText(1) == "Linked places (1)"
    reader.presses(Qt.Key.Key_Y)
    assert "linked that way already" in reader.said
    assert len(reader.links) == 1
    reader.presses(Qt.Key.Key_N)
    (link,) = reader.links
    assert not link.is_same, "the one that said otherwise is gone"
    reader.presses(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [link.is_same for link in reader.links] == [True]
    reader.presses(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not reader.links
    assert not marks(reader)


def test_linked_places_are_listed_from_either_study_and_can_be_removed(reader: Reader) -> None:
    reader.finds(11)
    reader.presses(Qt.Key.Key_Y)
    left, right = reader.shown
    reader.main.features.studies.open_study(reader.session.library.studies.get("b"))
    wait(reader.bot, lambda: reader.session.reading is not None and reader.session.reading.study.study_id == "b")
    assert [mark.frame_index for mark in marks(reader)] == [right]
    reader.presses_main("show_linked")
    lists = reader.window.lists
    assert lists.currentIndex() == 1
    assert reader.window.pair.left.shows("b")
    assert reader.window.pair.right.study is None
    lists.links.setCurrentRow(0)
    reader.waits()
    assert reader.shown == (right, left)
    reader.presses(Qt.Key.Key_Delete)
    assert not reader.links
    assert not marks(reader)
    reader.presses(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(reader.links) == 1, "undone in the study that is open, though the link is of the other one"


def test_a_study_that_is_not_scored_is_named_and_can_be_scored(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with reader_at(qtbot, passes_session(tmp_path, scored="ac")) as reader:
        scorer = reader.main.features.studies.scoring
        monkeypatch.setattr(scorer, "submit_score", lambda study, *_: asked.append(study.study_id))
        reader.finds(11)
        lists = reader.window.lists
        assert lists._missing.text() == "Not scored by the model in use: Pass b."
        assert lists.missing_button.text() == "Score it"
        assert not reader.places
        assert not reader.window.pair.same.isEnabled()
        lists.missing_button.click()
        assert asked == ["b"]
        score(reader.session, "b", embeddings_of("b"))
        reader.waits()
        assert reader.places[0][0] == "b", "searched as soon as it is scored"
        assert not lists._missing.text()


@pytest.mark.parametrize(
    ("names", "scored", "expected"), [("a", "a", "no other study"), ("ab", "b", "not scored by the model in use")]
)
def test_what_cannot_be_searched_for_is_said(
    qtbot: QtBot, tmp_path: Path, names: str, scored: str, expected: str
) -> None:
    with reader_at(qtbot, passes_session(tmp_path, names, scored)) as reader:
        reader.presses_main("find_place")
        assert expected in reader.main.workspace.messages.text
        assert reader.main.features.places.window is None


def spoil_place(session: Session, study: Study) -> None:
    """Pass b is shorter than the place."""
    score(session, "b", embeddings_of("b")[:2], step=0.04)


def spoil_model(session: Session, study: Study) -> None:
    """Pass b was scored by another model of the same name."""
    score(session, "b", embeddings_of("b"), sha256="1" * 64)


def spoil_size(session: Session, study: Study) -> None:
    """Pass b has embeddings of another size."""
    score(session, "b", embeddings_of("b")[:, :5])


def spoil_file(session: Session, study: Study) -> None:
    """The scores of pass b are damaged."""
    session.files(study).scores_path(session.model_id).write_bytes(b"no scores")


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (spoil_place, "longer than the study (0:00:00)"),
        (spoil_model, "another model of this name"),
        (spoil_size, "another model of this name"),
        (spoil_file, "“Pass b” was left out."),
    ],
)
def test_a_study_that_cannot_be_compared_is_left_out_and_named(
    qtbot: QtBot, tmp_path: Path, spoil: Callable[[Session, Study], None], expected: str
) -> None:
    session = passes_session(tmp_path)
    spoil(session, session.library.studies.get("b"))
    with reader_at(qtbot, session) as reader:
        reader.finds(11)
        assert expected in reader.window.lists._state.text()
        assert not reader.places
        assert reader.window.pair.right.study is None
        reader.chooses_studies(1)
        assert {study_id for study_id, *_ in reader.places} == {"c"}, "the others are searched"
        assert expected in reader.window.lists._state.text()


def test_a_place_whose_frames_do_not_decode_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    session = passes_session(tmp_path)
    embeddings = embeddings_of("a")
    embeddings[POLYP] = np.nan
    score(session, "a", embeddings)
    with reader_at(qtbot, session) as reader:
        reader.session.mark_span(POLYP.start, POLYP.stop)
        reader.finds(11)
        assert "No frame of this place can be read" in reader.said


def test_a_study_whose_video_is_gone_is_found_and_its_place_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    session = passes_session(tmp_path)
    shutil.move(session.library.studies.get("b").path, tmp_path / "elsewhere.mp4")
    with reader_at(qtbot, session) as reader:
        reader.finds(11)
        assert reader.places[0][0] == "b"
        assert "was not found" in reader.said
        assert "was not found" in reader.window.pair.right._empty.text()
        assert reader.shown == (11, None)
        assert not reader.window.pair.same.isEnabled()
        reader.presses(Qt.Key.Key_Y)
        assert not reader.links


def test_a_link_that_cannot_be_saved_is_said_in_this_window(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UserError("The library is read only.", "Open it with write access.")

    reader.finds(11)
    monkeypatch.setattr(reader.session.library.annotations, "edit", refuse)
    reader.presses(Qt.Key.Key_Y)
    assert "The library is read only. Open it" in reader.said
    assert not reader.links
    assert not marks(reader)


def test_another_model_in_use_ends_the_search(reader: Reader) -> None:
    reader.finds(11)
    reader.session.scores.use_model("m1")
    assert not reader.places
    assert "Another model" in reader.said


def test_a_closed_window_plays_nothing_and_opens_again(reader: Reader) -> None:
    reader.finds(11)
    QTest.keyClick(reader.window, Qt.Key.Key_Space)
    wait(reader.bot, lambda: reader.window.pair.is_playing)
    QTest.keyClick(reader.window, Qt.Key.Key_Escape)
    assert not reader.window.isVisible()
    assert not reader.window.pair.is_playing
    reader.finds(30)
    assert "around this frame" in reader.window.lists._query.text()
    assert reader.window.isVisible()
    assert reader.shown[0] == 30
    assert FRAMES == 40


def test_a_study_that_was_never_opened_is_indexed_and_shown(reader: Reader) -> None:
    index = reader.session.files(reader.session.library.studies.get("b")).index_path
    index.unlink()
    reader.finds(11)
    assert reader.places[0][0] == "b"
    assert index.is_file()
    assert reader.shown[1] in range(*reader.places[0][1:])
