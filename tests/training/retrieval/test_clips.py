"""Clips: what their arrays must be, and how a study is cut."""

import numpy as np
import pytest

from training.retrieval.clips import Clips, clip_bounds


def clips(starts: list[int], stops: list[int], vectors: int) -> Clips:
    """Clips with these bounds and so many vectors of two numbers."""
    return Clips(np.array(starts, np.int64), np.array(stops, np.int64), np.zeros((vectors, 2), np.float32))


def test_clips_know_how_many_they_are() -> None:
    assert len(clips([0, 4, 4], [8, 12, 9], 3)) == 3


@pytest.mark.parametrize(
    ("starts", "stops", "vectors"), [([0, 4], [8, 12], 1), ([0], [0], 1), ([4, 0], [8, 8], 2), ([0], [4, 8], 1)]
)
def test_clips_that_do_not_fit_are_refused(starts: list[int], stops: list[int], vectors: int) -> None:
    with pytest.raises(ValueError, match="clips need"):
        clips(starts, stops, vectors)


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        (0, []),
        (5, [(0, 5)]),
        (8, [(0, 8)]),
        (12, [(0, 8), (4, 12)]),
        (14, [(0, 8), (4, 12), (6, 14)]),
    ],
)
def test_the_last_clip_ends_where_the_study_ends(frames: int, expected: list[tuple[int, int]]) -> None:
    starts, stops = clip_bounds(frames, 8, 4)

    assert list(zip(starts.tolist(), stops.tolist(), strict=True)) == expected
