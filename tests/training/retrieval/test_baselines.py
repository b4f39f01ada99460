"""Vectors of clips without learning, and how they are compared."""

import numpy as np
import pytest

from training.retrieval.evaluation import (
    COMPUTED,
    colour_histogram,
    colour_mean,
    likeness,
    redness,
    relative_time,
)


def clip_of(colour: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.broadcast_to(np.array(colour, np.uint8), (4, 6, 6, 3)).copy()


def test_vectors_of_single_colours() -> None:
    red = clip_of((200, 0, 0))
    assert colour_mean(red).tolist() == [200, 0, 0]
    assert redness(red).tolist() == [1.0]
    assert redness(clip_of((50, 50, 100))).tolist() == [0.25]
    assert redness(clip_of((0, 0, 0))).tolist() == [0.0]
    assert sorted(colour_histogram(red).tolist())[-2:] == [0.0, 1.0]


def test_black_around_the_field_of_view_is_not_redness() -> None:
    clip = clip_of((90, 30, 30))
    clip[:, :3] = 0
    assert redness(clip)[0] == pytest.approx(0.6)


@pytest.mark.parametrize("name", list(COMPUTED))
def test_the_same_clip_is_the_most_alike(name: str) -> None:
    clips = [clip_of(colour) for colour in ((200, 60, 30), (60, 200, 30), (30, 120, 120))]
    vectors = np.stack([COMPUTED[name](clip) for clip in clips])
    found = likeness(name, vectors, vectors)
    assert found.argmax(axis=1).tolist() == [0, 1, 2]


def test_time_is_the_middle_of_a_clip_as_a_share_of_its_study() -> None:
    query = relative_time(np.array([10]), np.array([20]), 60)
    gallery = relative_time(np.array([0, 20, 30]), np.array([10, 30, 40]), 100)
    assert query.tolist() == [[0.25]]
    assert likeness("time", query, gallery)[0].tolist() == pytest.approx([-0.2, 0.0, -0.1])
    assert relative_time(np.zeros(0, np.int64), np.zeros(0, np.int64), 0).shape == (0, 1)


def test_vectors_of_zeros_are_alike_to_nothing() -> None:
    vectors = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert likeness("", vectors, vectors).tolist() == [[0.0, 0.0], [0.0, pytest.approx(1.0)]]
