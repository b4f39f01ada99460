"""Figure 13 of Laiz et al.: every fold trains and is evaluated at the degree, and patients stay in their folds."""

from dataclasses import replace

import numpy as np
import pytest

from tests.training.evaluation.sets import evaluation_set_of
from training.datasets.folds import make_folds
from training.errors import UserError
from training.evaluation.evaluation_set import imbalanced_set

DATA = evaluation_set_of(
    [row for name in "ABCDEF" for row in ((name, 0, 60, 0), (name, 60, 66, 1))],
    [("first", 4.0, "sessile", [60, 61])],
)
FOLDS = make_folds(DATA.labelled, 3, 0, "patients")


@pytest.mark.parametrize("degree", [1, 10, 25])
def test_both_sides_of_each_fold_have_the_degree(degree: int) -> None:
    data, folds = imbalanced_set(DATA, FOLDS, degree, seed=0)
    for before, fold in zip(FOLDS, folds, strict=True):
        assert fold.held_out_patients == before.held_out_patients
        for rows in (fold.training, fold.held_out):
            positive = data.labelled.label[rows] > 0
            assert (~positive).sum() == degree * positive.sum() > 0
        assert set(data.labelled.patients[fold.held_out]) <= set(fold.held_out_patients)
        assert not set(fold.training) & set(fold.held_out)


def test_each_seed_draws_other_frames_and_the_same_seed_the_same() -> None:
    first, again, other = (imbalanced_set(DATA, FOLDS, 2, seed)[0].labelled.frame_index for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_frames_left_stand_for_all_of_them() -> None:
    data, _ = imbalanced_set(DATA, FOLDS, 5, 0)
    for kind in (0, 1):
        assert data.weight[data.labelled.label == kind].sum() == pytest.approx((DATA.labelled.label == kind).sum())
    for finding in data.findings:
        assert (data.labelled.label[finding.rows] == 1).all()


def test_too_few_normal_frames_are_named() -> None:
    with pytest.raises(UserError, match="Fold 1 has fewer than 200 normal frames"):
        imbalanced_set(DATA, FOLDS, 200, 0)


def test_kinds_can_be_one_class() -> None:
    kinds = evaluation_set_of([("A", 0, 3, 0), ("A", 3, 5, 1), ("B", 0, 2, 2)], classes=("normal", "polyp", "blood"))
    merged = kinds.labelled.merged("finding")
    assert merged.counts() == {"normal": 3, "finding": 4}
    assert DATA.labelled.merged("finding") is DATA.labelled, "one kind keeps its name"
    assert replace(kinds, labelled=merged).labelled.has_normal
