"""Batches in proportion: every frame once a round, every batch like the whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.datasets.frames import labelled
from training.datasets.sampler import ProportionalSampler
from training.errors import UserError

FRAMES = labelled([("A", 0, 60, 0), ("B", 0, 20, 0), ("A", 100, 112, 1), ("B", 100, 104, 2)])


@given(seed=st.integers(0, 1000), batch_size=st.integers(2, 40))
@settings(max_examples=40, deadline=None)
def test_each_batch_holds_each_class_by_its_share_give_or_take_one(seed: int, batch_size: int) -> None:
    sampler = ProportionalSampler(FRAMES, batch_size, seed)
    for step in range(len(FRAMES) // batch_size):
        held = np.bincount(FRAMES.label[sampler.batch(step)], minlength=3)
        wanted = np.bincount(FRAMES.label) * batch_size / len(FRAMES)
        assert (np.abs(held - wanted) <= 1.0 + 2.0).all()
        assert held.sum() == batch_size


def test_every_frame_comes_once_before_any_comes_again() -> None:
    sampler = ProportionalSampler(FRAMES, 8, 3)
    first, second = (np.concatenate([sampler.batch(step) for step in range(k, k + 12)]) for k in (0, 12))
    assert sorted(first) == sorted(second) == list(range(96))
    assert not np.array_equal(first, second)
    assert sampler.epoch_steps(2.0) == 24


def test_studies_are_spread_within_a_class() -> None:
    sampler = ProportionalSampler(FRAMES, 24, 0)
    for step in range(4):
        batch = sampler.batch(step)
        normal = batch[FRAMES.label[batch] == 0]
        assert 3 <= (FRAMES.study[normal] == 1).sum() <= 7  # a quarter of the normal frames are B's


def test_a_batch_depends_on_seed_and_step_alone() -> None:
    sampler = ProportionalSampler(FRAMES, 10, 5)
    wanted = sampler.batch(30)
    sampler.batch(2)
    assert np.array_equal(sampler.batch(30), wanted)
    assert np.array_equal(ProportionalSampler(FRAMES, 10, 5).batch(30), wanted)
    assert not np.array_equal(ProportionalSampler(FRAMES, 10, 6).batch(30), wanted)


def test_frames_that_cannot_teach_are_told() -> None:
    with pytest.raises(UserError, match="lack normal"):
        ProportionalSampler(labelled([("A", 0, 9, 1)]), 4, 0)


RARE = labelled([("A", 0, 300, 0), ("B", 0, 100, 1), ("B", 100, 103, 2)])


@given(seed=st.integers(0, 1000), least=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_each_batch_holds_at_least_so_many_of_each_class(seed: int, least: int) -> None:
    sampler, plain = ProportionalSampler(RARE, 16, seed, least), ProportionalSampler(RARE, 16, seed)
    for step in range(12):
        batch = sampler.batch(step)
        held = np.bincount(RARE.label[batch], minlength=3)
        assert (held >= least).all()
        assert held.sum() == 16
        assert np.isin(batch, plain.batch(step)).sum() >= 16 - 2 * least
        if least <= 3:
            assert len(set(batch.tolist())) == 16, "no frame twice while the class has enough of them"
        assert np.array_equal(batch, sampler.batch(step))


def test_a_batch_that_cannot_hold_them_is_refused() -> None:
    with pytest.raises(UserError, match="cannot hold 6 frames of each of 3 classes"):
        ProportionalSampler(RARE, 16, 0, 6)
