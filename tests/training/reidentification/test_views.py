"""Positive pairs come from one tracklet, and a batch never has two tracklets of one procedure."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.errors import UserError
from training.reidentification.views import ProcedureBatches, pseudo_pair, spread_views, two_views


@settings(max_examples=50, deadline=None)
@given(frame_count=st.integers(2, 400), seed=st.integers(0, 2**32 - 1))
def test_two_views_are_two_frames(frame_count: int, seed: int) -> None:
    first, second = two_views(frame_count, np.random.default_rng(seed)).tolist()
    assert first != second
    assert {first, second} <= set(range(frame_count))


@settings(max_examples=100, deadline=None)
@given(frame_count=st.integers(3, 400), half=st.integers(1, 12), seed=st.integers(0, 2**32 - 1))
def test_a_pair_is_of_the_first_and_the_last_third(frame_count: int, half: int, seed: int) -> None:
    pair = pseudo_pair(frame_count, 2 * half, np.random.default_rng(seed))
    assert pair.frames.shape == pair.mask.shape == (2, half)
    third = frame_count // 3
    for part, frames, mask in zip((range(third), range(frame_count)[-third:]), *pair, strict=True):
        chosen = frames[mask].tolist()
        assert chosen == sorted(set(chosen))
        assert set(frames.tolist()) == set(chosen) <= set(part), "padding repeats a view of the same part"
        assert len(chosen) == min(half, third)
    middle = frame_count - 2 * third
    assert pair.frames[1].min() - pair.frames[0].max() > middle >= third, "the middle part lies between them"


def test_every_frame_of_a_part_is_drawn() -> None:
    rng = np.random.default_rng(0)
    drawn = Counter(np.concatenate([pseudo_pair(12, 4, rng).frames.ravel() for _ in range(500)]).tolist())
    assert set(drawn) == {0, 1, 2, 3, 8, 9, 10, 11}
    assert max(drawn.values()) < 1.3 * min(drawn.values())


def test_views_after_training_are_spread() -> None:
    assert spread_views(9, 3).tolist() == [0, 4, 8]
    assert spread_views(2, 8).tolist() == [0, 1]
    assert spread_views(5, 1).tolist() == [0]


@settings(max_examples=50, deadline=None)
@given(procedures=st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=30), seed=st.integers(0, 2**32 - 1))
def test_a_batch_has_one_tracklet_of_each_procedure(procedures: list[str], seed: int) -> None:
    count = len(set(procedures))
    if count < 2:
        return
    batch = 2 + seed % (count - 1)
    batches, rng = ProcedureBatches(procedures, batch), np.random.default_rng(seed)
    for chosen in (batches.draw(rng) for _ in range(5)):
        assert len({procedures[number] for number in chosen}) == len(chosen) == batch


def test_every_tracklet_is_drawn() -> None:
    procedures = ["a", "b", "a", "c", "b", "a"]
    batches, rng = ProcedureBatches(procedures, 2), np.random.default_rng(0)
    drawn = Counter(np.concatenate([batches.draw(rng) for _ in range(900)]).tolist())
    assert set(drawn) == set(range(6))
    of_procedure = Counter({name: sum(drawn[at] for at in range(6) if procedures[at] == name) for name in "abc"})
    assert max(of_procedure.values()) < 1.15 * min(of_procedure.values()), "procedures count the same"


def test_a_batch_depends_on_its_generator_alone() -> None:
    batches = ProcedureBatches(list("aabbcc"), 3)
    expected = batches.draw(np.random.default_rng(3))
    batches.draw(np.random.default_rng(4))
    assert np.array_equal(batches.draw(np.random.default_rng(3)), expected)


@pytest.mark.parametrize("frame_count", [0, 1])
def test_a_tracklet_of_one_frame_has_no_two_views(frame_count: int) -> None:
    with pytest.raises(UserError, match=f"A tracklet of {frame_count} frames has no two views"):
        two_views(frame_count, np.random.default_rng(0))


@pytest.mark.parametrize("frame_count", [0, 1, 2])
def test_a_short_tracklet_cannot_be_cut_in_three(frame_count: int) -> None:
    with pytest.raises(UserError, match="cannot be cut in three"):
        pseudo_pair(frame_count, 8, np.random.default_rng(0))


def test_batches_that_cannot_be_drawn() -> None:
    with pytest.raises(UserError, match="of one procedure"):
        ProcedureBatches(["a", "a"], 2)
    with pytest.raises(UserError, match=r"A batch of 4 procedures cannot be drawn from 3.*at most 3"):
        ProcedureBatches(["a", "b", "c", "c"], 4)
    with pytest.raises(UserError, match="of one procedure"):
        ProcedureBatches([], 2)
