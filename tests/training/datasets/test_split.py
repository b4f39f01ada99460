"""Splits: patients never on both sides, and time only where patients do not do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.datasets.frames import labelled
from training.datasets.split import MAX_LOST_SHARE, Split, _beside, hold_out_blocks, split_frames
from training.errors import UserError


@given(
    spans=st.lists(
        st.tuples(st.sampled_from("ABCDEF"), st.integers(0, 80), st.integers(1, 20), st.integers(0, 2)),
        min_size=2,
        max_size=14,
    ),
    share=st.floats(0.1, 0.6),
    seed=st.integers(0, 5),
)
@settings(max_examples=80, deadline=None)
def test_both_sides_can_be_used_and_share_no_patient(
    spans: list[tuple[str, int, int, int]], share: float, seed: int
) -> None:
    # Each (patient, class) has a range of its own, so that no frame has two classes.
    frames = labelled([(who, 1000 * label + start, 1000 * label + start + n, label) for who, start, n, label in spans])
    try:
        split = split_frames(frames, share, 5, seed)
    except UserError:
        counts = np.bincount(frames.label, minlength=3)
        assert counts[0] < 2 or counts[1:].max() < 2
        return
    assert not (split.training & split.held_out).any()
    for side in (split.training, split.held_out):
        present = set(frames.label[side].tolist())
        assert 0 in present
        assert present - {0}
    assert set(frames.label[split.training].tolist()) == set(frames.label.tolist())
    if split.kind == "patients":
        taught, judged = frames.patients[split.training], frames.patients[split.held_out]
        assert not set(taught.tolist()) & set(judged.tolist())
        assert (split.training | split.held_out).all()
    else:
        assert "too optimistic" in split.sentence


def test_a_patient_split_comes_near_the_share_and_repeats() -> None:
    frames = labelled(
        [(f"P{k:02}", 0, 40, 0) for k in range(12)] + [(f"P{k:02}", 50, 60, 1 + k % 2) for k in range(12)]
    )
    split = split_frames(frames, 0.25, 25, seed=3)
    assert split.kind == "patients"
    assert len(split.held_out_patients) == 3
    assert set(frames.label[split.held_out].tolist()) == {0, 1, 2}
    assert split_frames(frames, 0.25, 25, seed=3).held_out_patients == split.held_out_patients
    assert {split_frames(frames, 0.25, 25, seed=seed).held_out_patients for seed in range(6)} != {
        split.held_out_patients
    }


def test_patients_that_the_model_knows_are_not_held_out() -> None:
    frames = labelled([(name, start, start + 20, label) for name in "ABCD" for start, label in ((0, 0), (50, 1))])
    for seed in range(5):
        assert split_frames(frames, 0.25, 5, seed, frozenset("ABC")).held_out_patients == ("D",)
    told = split_frames(frames, 0.25, 5, 0, frozenset("ABCD"))
    assert "too optimistic" in told.sentence


def test_one_patient_is_split_by_time_with_a_gap_and_a_sentence() -> None:
    frames = labelled([("A", 0, 400, 0), ("A", 1000, 1200, 1)])
    split = split_frames(frames, 0.25, 10, seed=0)
    assert split.kind == "time"
    assert split.sentence.startswith("Only one patient (A) has labels")
    assert 5 <= split.gap_frames <= 10
    judged = frames.frame_index[split.held_out]
    distance = np.abs(frames.frame_index[split.training][:, None] - judged[None, :]).min()
    assert distance == split.gap_frames + 1
    for label in (0, 1):
        share = (frames.label[split.held_out] == label).sum() / (frames.label == label).sum()
        assert 0.15 < share < 0.4


def test_the_gap_shrinks_where_it_would_take_what_there_is_to_learn() -> None:
    frames = labelled([("A", 0, 30, 0), ("A", 30, 60, 1)])
    split = split_frames(frames, 0.25, 25, seed=1)
    assert split.gap_frames < 25
    assert set(frames.label[split.training].tolist()) == {0, 1}


def test_a_gap_of_any_size_is_found_at_once_and_is_the_largest_that_fits() -> None:
    frames = labelled([("A", 0, 400, 0), ("A", 1000, 1200, 1)])
    largest = split_frames(frames, 0.25, 300, seed=0)
    assert split_frames(frames, 0.25, 2**31 - 1, seed=0).gap_frames == largest.gap_frames
    held_out, _, gap = hold_out_blocks(frames, 0.25, 300, 0)
    lost = [np.bincount(frames.label[_beside(frames, held_out, each)], minlength=2) for each in range(300)]
    most = MAX_LOST_SHARE * np.bincount(frames.label[~held_out], minlength=2)
    assert gap == max(each for each in range(300) if (lost[each] <= most).all())


def test_two_patients_of_whom_one_has_nothing_to_find_are_split_by_time() -> None:
    frames = labelled([("A", 0, 100, 0), ("A", 200, 300, 1), ("B", 0, 100, 0)])
    split = split_frames(frames, 0.25, 5, seed=0)
    assert split.kind == "time"
    assert split.sentence.startswith("No split of the 2 patients")


def test_too_few_frames_are_told() -> None:
    with pytest.raises(UserError, match="Fewer than two usable frames are labelled normal"):
        split_frames(labelled([("A", 0, 1, 0), ("A", 5, 9, 1)]), 0.25, 5, 0)
    with pytest.raises(UserError, match="labelled as a finding"):
        split_frames(labelled([("A", 0, 9, 0), ("A", 15, 16, 1)]), 0.25, 5, 0)


def test_a_patient_on_both_sides_is_named() -> None:
    mask = np.array([True, False])
    with pytest.raises(UserError, match="patient P2 is on both sides"):
        Split("patients", mask, ~mask, ("P1", "P2"), ("P2",))


def test_the_file_says_who_and_which_frames() -> None:
    frames = labelled([(name, start, start + 4, label) for name in "AB" for start, label in ((0, 0), (50, 1))])
    split = split_frames(frames, 0.5, 5, seed=0)
    said = split.to_json(frames.select(split.training), frames.select(split.held_out))
    (judged,) = split.held_out_patients
    assert said["held_out_patients"] == [judged]
    assert said["held_out"]["frames"] == {f"study of {judged}": [0, 1, 2, 3, 50, 51, 52, 53]}
    assert said["training"]["counts"] == {"normal": 4, "polyp": 4, "ulcer": 0}
