"""Edits, undo and redo: by example, and against a model that keeps whole states."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.postgres import Libraries
from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Change, Remove, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.labelling import toggle_label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.errors import ConflictError


def test_an_edit_is_read_back_as_it_was_given(library: Library, study: Study) -> None:
    finding = Finding("f", study.study_id, "polyp", Span(3, 9), 4.5, "sessile", (4, 5), "behind a fold", "reader")
    label = replace(make_label(study.study_id, 3, 9), finding_id="f", source="accepted_suggestion", model_id="m")
    mark = Landmark("l", study.study_id, Region.SMALL_BOWEL, 7, "reader")
    box = Box("b", study.study_id, 4, 1.5, 2, 30, 40.25, "polyp", "f", "reader")
    link = Link("k", study.study_id, 4, study.study_id, 8, False, "reader")
    items = (finding, label, mark, box, link)
    edit = library.annotations.edit(study.study_id, "Everything", [Add(item) for item in items])
    assert edit.changes == tuple(Add(item) for item in items)
    assert library.annotations.findings(study.study_id) == (finding,)
    assert library.annotations.labels(study.study_id) == (label,)
    assert library.annotations.landmarks(study.study_id) == (mark,)
    assert library.annotations.boxes(study.study_id) == (box,)
    assert library.annotations.links(study.study_id) == (link,)


def test_a_link_to_another_study_is_edited_undone_and_done_again(library: Library, study: Study) -> None:
    other = library.studies.add(Path("last-year.mp4"), frame_count=50).study_id
    link = Link.new(
        study_id=study.study_id, frame_index=70, other_study_id=other, other_frame_index=49, is_same=True, reader="r"
    )
    different = replace(link, is_same=False)
    library.annotations.edit(study.study_id, "Link", [Add(link)])
    library.annotations.edit(study.study_id, "Change", [Replace(link, different)])
    library.annotations.edit(study.study_id, "Remove", [Remove(different)])
    assert library.annotations.links(study.study_id) == ()
    found = []
    for step in (
        library.annotations.undo,
        library.annotations.undo,
        library.annotations.undo,
        library.annotations.redo,
        library.annotations.redo,
        library.annotations.redo,
    ):
        assert step(study.study_id) is not None
        found.append(library.annotations.links(study.study_id))
    assert found == [(different,), (link,), (), (link,), (different,), ()]
    assert library.annotations.links(other) == ()
    assert library.annotations.undo_title(other) is None
    lines = library.audit.entries(study.study_id)
    assert [line.kind for line in lines] == ["study"] + ["link"] * 9
    assert lines[2].before is not None
    assert lines[2].after is not None
    assert (lines[2].before["is_same"], lines[2].after["is_same"]) == (True, False)


def test_a_link_needs_places_that_are_there(library: Library, study: Study) -> None:
    other = library.studies.add(Path("last-year.mp4"), frame_count=50).study_id
    link = Link("k", study.study_id, 7, other, 9, True)
    for bad in (replace(link, frame_index=1000), replace(link, other_frame_index=50)):
        with pytest.raises(ValueError, match="past the end"):
            library.annotations.edit(study.study_id, "bad", [Add(bad)])
    with pytest.raises(UserError, match="The study elsewhere is missing"):
        library.annotations.edit(study.study_id, "bad", [Add(replace(link, other_study_id="elsewhere"))])
    with pytest.raises(ValueError, match=f"cannot change {study.study_id}"):
        library.annotations.edit(other, "bad", [Add(link)])
    assert library.annotations.links(study.study_id) == ()
    assert library.annotations.undo_title(study.study_id) is None


def test_undo_and_redo_outlive_the_window(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4")).study_id
        first, second = make_label(study_id, 0, 3), make_label(study_id, 5, 6, "blood")
        library.annotations.edit(study_id, "Label 3 frames polyp", [Add(first)])
        library.annotations.edit(study_id, "Label 1 frame blood", [Add(second)])
        undone = library.annotations.undo(study_id)
        assert undone is not None
        assert undone.changes == (Remove(second),)
    with Library.open(folder, "reader") as library:
        assert library.annotations.undo_title(study_id) == "Label 3 frames polyp"
        assert library.annotations.redo_title(study_id) == "Label 1 frame blood"
        assert library.annotations.labels(study_id) == (first,)
        redone = library.annotations.redo(study_id)
        assert redone is not None
        assert (redone.title, redone.changes) == ("Label 1 frame blood", (Add(second),))
        assert library.annotations.labels(study_id) == (first, second)
        assert library.annotations.redo(study_id) is None


def test_a_new_edit_ends_what_could_be_redone(library: Library, study: Study) -> None:
    library.annotations.edit(study.study_id, "one", [Add(make_label(study.study_id, 0, 1))])
    library.annotations.undo(study.study_id)
    library.annotations.edit(study.study_id, "two", [Add(make_label(study.study_id, 0, 1))])
    assert library.annotations.redo_title(study.study_id) is None
    assert library.annotations.undo_title(study.study_id) == "two"


def test_each_study_has_its_own_history(library: Library, study: Study) -> None:
    other = library.studies.add(Path("other.mp4")).study_id
    library.annotations.edit(study.study_id, "mine", [Add(make_label(study.study_id, 0, 1))])
    assert library.annotations.undo_title(other) is None
    assert library.annotations.undo(other) is None
    assert len(library.annotations.labels(study.study_id)) == 1


def test_a_finding_can_be_replaced_and_taken_back(library: Library, study: Study) -> None:
    old = Finding.new(study_id=study.study_id, kind="polyp", span=Span(0, 4))
    new = replace(old, comment="9 mm, sessile", size_mm=9.0)
    library.annotations.edit(study.study_id, "new", [Add(old)])
    library.annotations.edit(study.study_id, "change", [Replace(old, new)])
    assert library.annotations.findings(study.study_id) == (new,)
    library.annotations.undo(study.study_id)
    assert library.annotations.findings(study.study_id) == (old,)


def test_an_item_that_goes_and_returns_within_an_edit_is_taken_back_last_change_first(
    library: Library, study: Study
) -> None:
    old = make_label(study.study_id, 0, 5)
    library.annotations.edit(study.study_id, "first", [Add(old)])
    new = replace(old, span=Span(0, 9))
    library.annotations.edit(study.study_id, "second", [Remove(old), Add(new)])
    library.annotations.undo(study.study_id)
    assert library.annotations.labels(study.study_id) == (old,)


def test_an_edit_that_fails_leaves_nothing(library: Library, study: Study) -> None:
    kept = make_label(study.study_id, 0, 5)
    library.annotations.edit(study.study_id, "kept", [Add(kept)])
    fresh = make_label(study.study_id, 10, 12)
    impossible: list[tuple[list[Change], str]] = [
        ([Add(fresh), Add(make_label(study.study_id, 4, 6))], "overlap at frame"),
        ([Add(fresh), Remove(make_label(study.study_id, 0, 5))], "not there"),
        ([Add(fresh), Add(make_label("elsewhere", 0, 5))], "cannot change elsewhere"),
        ([Add(fresh), Add(make_label(study.study_id, 900, 1001))], "past the end"),
        ([Add(fresh), *(Add(make_label(study.study_id, at, at + 2)) for at in range(100, 200))], "overlap at frame"),
    ]
    for changes, said in impossible:
        with pytest.raises((ValueError, ConflictError), match=f"{said}|the same place"):
            library.annotations.edit(study.study_id, "bad", changes)
    assert library.annotations.labels(study.study_id) == (kept,)
    assert library.annotations.undo_title(study.study_id) == "kept"
    assert len(library.audit.entries(study.study_id)) == 2  # the study, and the one label


def test_touching_and_equal_spans_of_other_names_are_no_overlap(library: Library, study: Study) -> None:
    changes = [Add(make_label(study.study_id, at, at + 1, name)) for at in range(60) for name in ("polyp", "blood")]
    library.annotations.edit(study.study_id, "many", changes)
    library.annotations.edit(study.study_id, "one more", [Add(make_label(study.study_id, 60, 61))])
    assert len(library.annotations.labels(study.study_id)) == 121


class History(RuleBasedStateMachine):
    """Random key presses, undos, redos and restarts; the model keeps every state whole."""

    template: Path

    @initialize()
    def start(self) -> None:
        self.place = Path(tempfile.mkdtemp())
        self.folder = self.place / "library"
        shutil.copytree(type(self).template, self.folder)
        self.library = Library.open(self.folder, "reader")
        self.study_id = self.library.studies.add(Path("a.mp4"), frame_count=100).study_id
        self.states: list[tuple[Label, ...]] = [()]
        self.at = 0

    @rule(name=st.sampled_from(["normal", "polyp", "blood"]), start=st.integers(0, 20), length=st.integers(1, 6))
    def press(self, name: str, start: int, length: int) -> None:
        track = self.library.annotations.label_track(self.study_id)
        span = Span(start, start + length)
        title, changes = toggle_label(track, span, name, study_id=self.study_id, reader="reader")
        if changes:
            self.library.annotations.edit(self.study_id, title, changes)
            self.states = [*self.states[: self.at + 1], self.library.annotations.labels(self.study_id)]
            self.at += 1

    @rule()
    def undo(self) -> None:
        edit = self.library.annotations.undo(self.study_id)
        assert (edit is None) == (self.at == 0)
        self.at = max(0, self.at - 1)

    @rule()
    def redo(self) -> None:
        edit = self.library.annotations.redo(self.study_id)
        assert (edit is None) == (self.at == len(self.states) - 1)
        self.at = min(len(self.states) - 1, self.at + 1)

    @rule()
    def restart(self) -> None:
        self.library.close()
        self.library = Library.open(self.folder, "reader")

    @invariant()
    def labels_are_those_of_the_state(self) -> None:
        assert set(self.library.annotations.labels(self.study_id)) == set(self.states[self.at])

    def teardown(self) -> None:
        self.library.close()
        shutil.rmtree(self.place)


def test_any_history_is_the_same_on_disk_as_in_mind(empty_library: Path) -> None:
    class WithTemplate(History):
        template = empty_library

    # Not shrunk: each example opens libraries, and a shorter one tells little more.
    phases = (Phase.explicit, Phase.reuse, Phase.generate)
    run_state_machine_as_test(
        WithTemplate,
        settings=settings(
            max_examples=5 if Libraries.current else 15, stateful_step_count=25, deadline=None, phases=phases
        ),
    )
