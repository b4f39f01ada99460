"""Batches hold every class, spread their negatives over studies, and depend on the step alone."""

import numpy as np
import pytest

from tests.training.datasets.frames import labelled
from training.datasets.sampler import BalancedSampler, evenly, fair_shares, thin
from training.errors import UserError

FRAMES = labelled([("A", 0, 90, 0), ("B", 0, 10, 0), ("A", 100, 117, 1), ("B", 100, 103, 2)])


def test_every_batch_holds_every_class_in_the_same_proportion() -> None:
    sampler = BalancedSampler(FRAMES, 16, 0.5, seed=0)
    for step in range(20):
        batch = sampler.batch(step)
        assert np.bincount(FRAMES.label[batch], minlength=3).tolist() == [8, 4, 4]
        normal = FRAMES.study[batch][FRAMES.label[batch] == 0]
        assert np.bincount(normal).tolist() == [4, 4]


def test_odd_numbers_are_dealt_in_turn() -> None:
    sampler = BalancedSampler(FRAMES, 7, 0.5, seed=0)
    dealt = np.concatenate([sampler.batch(step) for step in range(30)])
    totals = np.bincount(FRAMES.label[dealt], minlength=3)
    assert totals[1] == totals[2]
    assert abs(np.subtract(*np.bincount(FRAMES.study[dealt][FRAMES.label[dealt] == 0]))) <= 1


def test_every_frame_comes_once_before_any_comes_again() -> None:
    sampler = BalancedSampler(FRAMES, 16, 0.5, seed=1)
    polyps = np.concatenate([batch[FRAMES.label[batch] == 1] for batch in map(sampler.batch, range(17))])
    for around in range(4):
        assert sorted(polyps[17 * around : 17 * (around + 1)]) == np.flatnonzero(FRAMES.label == 1).tolist()


def test_a_batch_depends_on_seed_and_step_alone() -> None:
    ahead = BalancedSampler(FRAMES, 16, 0.5, seed=2)
    steps = [ahead.batch(step) for step in range(12)]
    fresh = BalancedSampler(FRAMES, 16, 0.5, seed=2)
    assert np.array_equal(fresh.batch(11), steps[11])
    assert np.array_equal(fresh.batch(3), steps[3])
    assert not np.array_equal(BalancedSampler(FRAMES, 16, 0.5, seed=3).batch(3), steps[3])


def test_laiz_batches_hold_13_positives_and_51_negatives() -> None:
    sampler = BalancedSampler(labelled([("A", 0, 90, 0), ("A", 100, 120, 1)]), 64, 13 / 64, seed=0)
    assert sampler.positives == 13


def test_epochs_are_counted_in_positive_frames() -> None:
    sampler = BalancedSampler(labelled([("A", 0, 90, 0), ("A", 100, 126, 1)]), 26, 0.5, seed=0)
    assert sampler.epoch_steps(50) == 100


def test_what_cannot_make_a_batch_is_told() -> None:
    with pytest.raises(UserError, match="lack normal frames"):
        BalancedSampler(labelled([("A", 0, 9, 1)]), 8, 0.5, seed=0)
    with pytest.raises(UserError, match="cannot hold 3 classes"):
        BalancedSampler(FRAMES, 2, 0.5, seed=0)


def test_thinning_is_even_in_time_and_spares_what_is_rare() -> None:
    thinned = thin(FRAMES, max_normal_per_study=30, max_frames=40)
    assert thinned.counts() == {"normal": 20, "polyp": 17, "ulcer": 3}
    normal = thinned.frame_index[(thinned.label == 0) & (thinned.study == 0)]
    assert normal.min() < 8
    assert normal.max() > 80
    assert np.array_equal(thin(FRAMES, 1000, 1000).frame_index, FRAMES.frame_index)


def test_shares_and_even_choice() -> None:
    assert fair_shares(np.array([100, 5, 40]), 60) == [28, 5, 27]
    assert fair_shares(np.array([1, 2]), 60) == [1, 2]
    assert evenly(np.arange(10), 3).tolist() == [0, 3, 6]
