"""What a key press changes: rules by example, invariants by hypothesis."""

from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.annotation.change import Plan, inverted
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.labelling import (
    accept_suggestion,
    add_label,
    apply_to_track,
    mark_normal,
    reject_suggestion,
    toggle_label,
)
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span

NAMES = ("normal", "polyp", "blood")


def press(track: LabelTrack, name: str, start: int, stop: int) -> Plan:
    plan = toggle_label(track, Span(start, stop), name, study_id="s", reader="r")
    apply_to_track(track, plan.changes)
    return plan


def frames(track: LabelTrack, name: str) -> set[int]:
    return {frame for frame in range(40) for found in track.at(frame) if found.name == name}


def test_a_key_labels_and_again_takes_off() -> None:
    track = LabelTrack()
    assert press(track, "blood", 2, 5).title == "blood labelled on 3 frames"
    assert press(track, "blood", 2, 5).title == "blood removed from 3 frames"
    assert len(track) == 0


def test_only_what_is_missing_is_added() -> None:
    track = LabelTrack()
    press(track, "polyp", 3, 5)
    plan = press(track, "polyp", 0, 8)
    assert plan.title == "polyp labelled on 6 frames"
    assert frames(track, "polyp") == set(range(8))
    assert len(track) == 3


def test_taking_a_label_off_one_frame_splits_it() -> None:
    track = LabelTrack()
    press(track, "polyp", 0, 9)
    assert press(track, "polyp", 4, 5).title == "polyp removed from 1 frame"
    assert [found.span for found in track] == [Span(0, 4), Span(5, 9)]


def test_a_label_takes_normal_off_and_says_so() -> None:
    track = LabelTrack()
    press(track, "normal", 0, 10)
    assert press(track, "polyp", 4, 6).title == "polyp labelled on 2 frames, normal removed from 2 frames"
    assert frames(track, "normal") == set(range(10)) - {4, 5}


def test_normal_leaves_the_labels_of_a_span_alone_and_says_so() -> None:
    track = LabelTrack()
    press(track, "polyp", 4, 6)
    assert press(track, "normal", 0, 10).title == "8 frames marked normal (2 keep polyp)"
    assert frames(track, "polyp") == {4, 5}
    assert press(track, "normal", 0, 10).title == "normal removed from 8 frames"
    assert frames(track, "polyp") == {4, 5}


def test_normal_on_nothing_but_labels_is_a_correction() -> None:
    track = LabelTrack()
    press(track, "polyp", 4, 6)
    assert press(track, "normal", 4, 5).title == "1 frame marked normal, no longer polyp"
    assert frames(track, "polyp") == {5}
    assert frames(track, "normal") == {4}


def test_accepting_keeps_the_model_and_adds_only_what_is_missing() -> None:
    track = LabelTrack()
    press(track, "polyp", 0, 3)
    event = Event(Span(2, 6), "polyp", 0.9, 3)
    plan = accept_suggestion(track, event, study_id="s", reader="r", model_id="m1")
    apply_to_track(track, plan.changes)
    assert plan.title == "polyp accepted on 3 frames"
    accepted = track.at(4)[0]
    assert (accepted.source, accepted.model_id) == ("accepted_suggestion", "m1")
    assert track.at(2)[0].source == "reader"
    assert accept_suggestion(track, event, study_id="s", reader="r", model_id="m1").changes == ()


def test_rejecting_says_no_of_one_class_and_nothing_else() -> None:
    track = LabelTrack()
    press(track, "polyp", 0, 4)
    press(track, "blood", 3, 5)
    event = Event(Span(2, 6), "polyp", 0.9, 3)
    plan = reject_suggestion(track, event, study_id="s", reader="r", model_id="m1")
    assert plan.title == "Not polyp: 4 frames"
    apply_to_track(track, plan.changes)
    assert frames(track, "polyp") == {0, 1}
    assert frames(track, "blood") == {3, 4}
    assert frames(track, "normal") == set()
    assert frames(track.negatives, "polyp") == {2, 3, 4, 5}
    assert {label.name for label in track} == {"polyp", "blood"}, "nobody takes a no for a yes"
    again = reject_suggestion(track, event, study_id="s", reader="r", model_id="m1")
    apply_to_track(track, again.changes)
    assert not len(track.negatives), "a second time takes it back"


def test_a_frame_has_one_answer_of_a_class() -> None:
    track = LabelTrack()
    event = Event(Span(2, 6), "polyp", 0.9, 3)
    apply_to_track(track, reject_suggestion(track, event, study_id="s", reader="r", model_id=None).changes)
    press(track, "blood", 2, 4)
    assert frames(track.negatives, "polyp") == {2, 3, 4, 5}, "a label of another class leaves it"
    press(track, "normal", 4, 6)
    assert frames(track.negatives, "polyp") == {2, 3, 4, 5}, "normal, too"
    press(track, "polyp", 3, 5)
    assert frames(track.negatives, "polyp") == {2, 5}
    assert frames(track, "polyp") == {3, 4}


def test_a_plan_without_changes_says_why() -> None:
    track = LabelTrack()
    press(track, "polyp", 0, 4)
    assert add_label(track, Label("l", "s", Span(1, 2), "polyp", reader="r")) == (
        "The frame is already labelled polyp",
        (),
    )


keys = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 25), st.integers(1, 9)), max_size=25)


@given(keys)
def test_no_frame_is_ever_normal_and_something_else(pressed: list[tuple[str, int, int]]) -> None:
    track = LabelTrack()
    for name, start, length in pressed:
        press(track, name, start, start + length)
    assert frames(track, "normal") & (frames(track, "polyp") | frames(track, "blood")) == set()


@given(keys)
def test_every_plan_can_be_taken_back(pressed: list[tuple[str, int, int]]) -> None:
    track = LabelTrack()
    for name, start, length in pressed:
        before = list(track)
        plan = press(track, name, start, start + length)
        apply_to_track(track, inverted(plan.changes))
        assert list(track) == before
        apply_to_track(track, plan.changes)


@given(keys, st.sampled_from(NAMES), st.integers(0, 25), st.integers(1, 9))
def test_a_key_leaves_other_frames_alone(
    pressed: list[tuple[str, int, int]], name: str, start: int, length: int
) -> None:
    track = LabelTrack()
    for earlier in pressed:
        press(track, earlier[0], earlier[1], earlier[1] + earlier[2])
    outside = [frame for frame in range(40) if not start <= frame < start + length]
    before = [[found.name for found in track.at(frame)] for frame in outside]
    mark_normal(track, Span(start, start + length), study_id="s", reader="r")  # planning changes nothing
    press(track, name, start, start + length)
    assert [[found.name for found in track.at(frame)] for frame in outside] == before
