"""One edit of several studies: all of it on disk or none, and one undo for all."""

from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.core.study import Study
from wce_desktop.library import Library


@pytest.fixture
def other(library: Library, tmp_path: Path) -> Study:
    """A second study."""
    return library.studies.add(tmp_path / "other.mp4", frame_count=1000, fingerprint="def")


def _names(library: Library, *studies: Study) -> list[list[str]]:
    return [[label.name for label in library.annotations.labels(study.study_id)] for study in studies]


def _label_both(library: Library, study: Study, other: Study) -> None:
    changes = {each.study_id: [Add(make_label(each.study_id, 3, 9))] for each in (study, other)}
    library.annotations.edit_studies("Label 12 frames polyp in 2 studies", changes)


def test_undo_in_either_study_takes_all_of_it_back_and_redo_brings_it_back(
    library: Library, study: Study, other: Study
) -> None:
    for here in (study, other):
        _label_both(library, study, other)
        assert library.annotations.undo_title(here.study_id) == "Label 12 frames polyp in 2 studies"
        undone = library.annotations.undo(here.study_id)
        assert undone is not None
        assert (undone.study_id, undone.group_id != "") == (here.study_id, True)
        assert _names(library, study, other) == [[], []]
        library.annotations.redo(here.study_id)
        assert _names(library, study, other) == [["polyp"], ["polyp"]]
        library.annotations.undo(here.study_id)


def test_a_change_that_cannot_be_made_leaves_every_study_as_it_was(
    library: Library, study: Study, other: Study
) -> None:
    past_the_end = {
        study.study_id: [Add(make_label(study.study_id, 3, 9))],
        other.study_id: [Add(make_label(other.study_id, 990, 1001))],
    }
    with pytest.raises(ValueError, match="past the end"):
        library.annotations.edit_studies("Label", past_the_end)
    assert _names(library, study, other) == [[], []]
    assert library.annotations.undo_title(study.study_id) is None


def test_undo_waits_for_what_was_done_in_another_study_since(library: Library, study: Study, other: Study) -> None:
    _label_both(library, study, other)
    library.annotations.edit(other.study_id, "Label 1 frame blood", [Add(make_label(other.study_id, 20, 21, "blood"))])
    with pytest.raises(UserError, match="other was edited later"):
        library.annotations.undo(study.study_id)
    assert _names(library, study, other) == [["polyp"], ["polyp", "blood"]]
    library.annotations.undo(other.study_id)
    library.annotations.undo(study.study_id)
    assert _names(library, study, other) == [[], []]


def test_an_edit_after_the_undo_ends_the_redo_everywhere(library: Library, study: Study, other: Study) -> None:
    _label_both(library, study, other)
    library.annotations.undo(study.study_id)
    library.annotations.edit(other.study_id, "Label 1 frame blood", [Add(make_label(other.study_id, 20, 21, "blood"))])
    assert library.annotations.redo(study.study_id) is None
    assert _names(library, study, other) == [[], ["blood"]]


def test_what_was_done_on_top_of_a_part_cannot_be_redone_without_it(
    library: Library, study: Study, other: Study
) -> None:
    library.annotations.edit(other.study_id, "Label 1 frame ulcer", [Add(make_label(other.study_id, 40, 41, "ulcer"))])
    _label_both(library, study, other)
    (part,) = (label for label in library.annotations.labels(other.study_id) if label.name == "polyp")
    library.annotations.edit(other.study_id, "Take the label off", [Remove(part)])
    for _ in range(3):
        library.annotations.undo(other.study_id)
    library.annotations.edit(study.study_id, "Label 1 frame blood", [Add(make_label(study.study_id, 20, 21, "blood"))])
    library.annotations.redo(other.study_id)  # what was done before the part still can be
    assert library.annotations.redo_title(other.study_id) is None
    assert _names(library, study, other) == [["blood"], ["ulcer"]]


def test_a_study_without_changes_can_undo_the_rest(library: Library, study: Study, other: Study) -> None:
    library.annotations.edit_studies(
        "Label", {study.study_id: [], other.study_id: [Add(make_label(other.study_id, 3, 9))]}
    )
    assert library.annotations.undo_title(study.study_id) == "Label"
    library.annotations.undo(study.study_id)
    assert _names(library, other) == [[]]
