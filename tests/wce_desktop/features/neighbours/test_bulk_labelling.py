"""Selected frames of several studies labelled at once, and taken back at once."""

from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span
from wce_desktop.features.neighbours.bulk_labelling import (
    add_to_finding,
    label_frames,
    label_selection,
    replace_labels,
)
from wce_desktop.session.session import Session


def _spans(session: Session, study_id: str) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for label in session.library.annotations.labels(study_id):
        found.setdefault(label.name, []).append((label.span.start, label.span.stop))
    return found


@pytest.fixture
def other_id(opened: Session, tmp_path: Path) -> str:
    """A second study of the library, not open."""
    return opened.library.studies.add(tmp_path / "other.mp4", frame_count=50, fingerprint="other").study_id


def _here(session: Session) -> str:
    assert session.reading is not None
    return session.reading.study.study_id


def test_frames_of_two_studies_are_labelled_and_one_undo_takes_all_back(opened: Session, other_id: str) -> None:
    here = _here(opened)
    count = label_frames(opened, FrameSelection({here: [3, 4, 9], other_id: [7]}), "polyp")
    assert count == 4
    assert _spans(opened, here) == {"polyp": [(3, 5), (9, 10)]}
    assert _spans(opened, other_id) == {"polyp": [(7, 8)]}
    assert opened.reading is not None
    assert [label.name for label in opened.reading.entries.labels.at(4)] == ["polyp"]
    assert opened.edits.undo_title == "polyp labelled on 4 frames in 2 studies"
    opened.edits.undo()
    assert (_spans(opened, here), _spans(opened, other_id)) == ({}, {})
    assert opened.reading.entries.labels.at(4) == ()


def test_the_open_study_can_undo_what_was_done_in_others_only(opened: Session, other_id: str) -> None:
    label_frames(opened, FrameSelection({other_id: [7, 8]}), "blood")
    assert opened.edits.undo_title == "blood labelled on 2 frames"
    opened.edits.undo()
    assert _spans(opened, other_id) == {}


def test_what_carries_the_label_already_is_not_labelled_again(opened: Session, other_id: str) -> None:
    remarks: list[str] = []
    opened.remarked.connect(remarks.append)
    selection = FrameSelection({other_id: [7, 8]})
    label_frames(opened, selection, "blood")
    assert label_frames(opened, selection, "blood") == 0
    assert remarks == ["All 2 frames are already labelled blood."]
    assert label_frames(opened, FrameSelection({other_id: [8, 9]}), "blood") == 1


def test_a_label_takes_normal_off(opened: Session, other_id: str) -> None:
    label_frames(opened, FrameSelection({other_id: range(10)}), "normal")
    assert label_frames(opened, FrameSelection({other_id: [4]}), "ulcer") == 1
    assert _spans(opened, other_id) == {"normal": [(0, 4), (5, 10)], "ulcer": [(4, 5)]}
    words = "labelled on 2 frames, normal removed from 2 frames. Ctrl+Z undoes it."
    assert label_selection(opened, FrameSelection({other_id: [6, 7]}), "ulcer") == f"Ulcer {words}"
    words = "2 frames relabelled as blood, ulcer removed from 2 frames. Ctrl+Z undoes it."
    assert replace_labels(opened, FrameSelection({other_id: [4, 6]}), "blood") == words


def test_suggested_labels_say_which_model_and_that_they_were_accepted(opened: Session, other_id: str) -> None:
    label_frames(opened, FrameSelection({other_id: [4]}), "ulcer", model_id=opened.model_id)
    label = opened.library.annotations.labels(other_id)[0]
    assert (label.source, label.model_id) == ("accepted_suggestion", opened.model_id)


def test_a_finding_grows_over_the_selected_frames(opened: Session) -> None:
    here = _here(opened)
    finding = Finding.new(study_id=here, kind="polyp", span=Span(10, 12), key_frames=(10,), reader="r")
    opened.edits.apply("New finding", [Add(finding)])
    add_to_finding(opened, FrameSelection({here: [8, 13]}), finding)
    assert [found.span for found in opened.library.annotations.findings(here)] == [Span(8, 14)]
    assert {label.finding_id for label in opened.library.annotations.labels(here)} == {finding.finding_id}
    opened.edits.undo()
    assert [found.span for found in opened.library.annotations.findings(here)] == [Span(10, 12)]


def test_frames_of_another_study_do_not_belong_to_a_finding(opened: Session, other_id: str) -> None:
    finding = Finding.new(study_id=_here(opened), kind="polyp", span=Span(10, 12), key_frames=(10,), reader="r")
    with pytest.raises(UserError, match="None of these frames"):
        add_to_finding(opened, FrameSelection({other_id: [1]}), finding)


def test_a_selection_is_told_once(opened: Session) -> None:
    told: list[int] = []
    opened.selection_changed.connect(lambda: told.append(opened.selection.count))
    for frames in ([1, 2], [2, 1], []):
        opened.select_frames(FrameSelection({"a": frames}))
    assert told == [2, 0]
