"""Folds never share a patient, hold every class, and come out the same again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.datasets.frames import labelled
from training.datasets.folds import Fold, make_folds, share_of_labels
from training.errors import UserError

PATIENTS = [("A", 0, 30, 0), ("A", 30, 34, 1), ("B", 0, 10, 0), ("B", 10, 40, 2), ("C", 0, 8, 0), ("C", 8, 12, 1)] + [
    (name, 0, 20, label) for name, label in zip("DEFGHIJK", (0, 1, 2, 0, 1, 2, 1, 2), strict=True)
]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), folds=st.integers(2, 4))
def test_patients_stand_in_one_fold_each_and_every_class_in_every_fold(seed: int, folds: int) -> None:
    frames = labelled(PATIENTS)
    made = make_folds(frames, folds, seed, "patients")
    held_out = np.concatenate([fold.held_out for fold in made])
    assert sorted(held_out.tolist()) == list(range(len(frames)))
    everyone = [patient for fold in made for patient in fold.held_out_patients]
    assert len(everyone) == len(set(everyone))
    for fold in made:
        assert not set(fold.training_patients) & set(fold.held_out_patients)
        assert set(frames.label[fold.held_out].tolist()) == {0, 1, 2}
        assert len(np.intersect1d(fold.training, fold.held_out)) == 0


def test_the_seed_decides() -> None:
    frames = labelled(PATIENTS)
    first, again, other = (make_folds(frames, 3, seed, "patients") for seed in (1, 1, 2))
    assert [fold.held_out_patients for fold in first] == [fold.held_out_patients for fold in again]
    assert [fold.held_out_patients for fold in first] != [fold.held_out_patients for fold in other]


def test_a_class_with_no_example_in_a_fold_is_named() -> None:
    frames = labelled(
        [("A", 0, 9, 0), ("B", 0, 9, 0), ("C", 0, 9, 0), ("A", 10, 12, 1), ("B", 10, 12, 1)], ("normal", "polyp")
    )
    with pytest.raises(UserError, match=r"polyp is labelled in 2 patients.*3 folds"):
        make_folds(frames, 3, 0, "patients")


def test_all_classes_of_too_few_patients_are_named_and_the_others_in_the_hint() -> None:
    rows = [(name, 0, 9, label) for name in "ABC" for label in (0, 1)]
    frames = labelled(
        [*rows, ("A", 10, 12, 2), ("B", 10, 12, 3), ("C", 10, 12, 3)], ("normal", "polyp", "worms", "ulcer")
    )
    with pytest.raises(UserError) as caught:
        make_folds(frames, 3, 0, "patients")
    assert caught.value.message == (
        "worms is labelled in 1 patient; ulcer is labelled in 2 patients: too few for an example in each of 3 folds."
    )
    assert "(polyp)" in caught.value.hint


def test_a_patient_on_both_sides_is_named() -> None:
    rows = np.arange(2)
    fold = Fold(1, rows[:1], rows[1:], ("A", "B"), ("B", "C"))
    with pytest.raises(UserError, match="patient B is on both sides of fold 2"):
        fold.check("patients")
    fold.check("random")


def test_random_folds_may_share_patients_and_still_hold_every_class() -> None:
    frames = labelled([("A", 0, 10, 0), ("A", 10, 20, 1)], ("normal", "polyp"))
    made = make_folds(frames, 5, 0, "random")
    assert [len(fold.held_out) for fold in made] == [4] * 5
    assert all(set(frames.label[fold.held_out].tolist()) == {0, 1} for fold in made)


def test_a_share_of_the_labels_takes_whole_patients_class_by_class() -> None:
    frames = labelled(
        [(name, 0, 50, 0) for name in "ABCD"] + [(name, 50, 60, 1) for name in "ABCDEF"], ("normal", "polyp")
    )
    rows = np.arange(len(frames))
    assert share_of_labels(frames, rows, 1.0, 0) is rows
    kept = share_of_labels(frames, rows, 0.25, 3)
    assert np.bincount(frames.label[kept]).tolist() == [50, 15]
    assert len(set(frames.patients[kept][frames.label[kept] == 0].tolist())) == 1
    assert kept.tolist() == share_of_labels(frames, rows, 0.25, 3).tolist()
    assert kept.tolist() != share_of_labels(frames, rows, 0.25, 4).tolist()
    smallest = share_of_labels(frames, rows, 0.0001, 0)
    assert np.bincount(frames.label[smallest]).tolist() == [1, 1]
