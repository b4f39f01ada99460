"""Finding clips, against a slow loop."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from training.retrieval.clips import Clips, clip_bounds, find_clips


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def gallery_of(seed: int, lengths: tuple[int, ...] = (8,)) -> Clips:
    """Clips of one or of several lengths, in order of their starts."""
    bounds = [np.stack(clip_bounds(100, length, 3), axis=1) for length in lengths]
    table = np.concatenate(bounds)
    table = table[np.argsort(table[:, 0], kind="stable")]
    vectors = unit(np.random.default_rng(seed).normal(size=(len(table), 5)))
    return Clips(table[:, 0], table[:, 1], vectors)


def slow(query: NDArray[np.float32], gallery: Clips, count: int, max_overlap: float) -> list[int]:
    """Clip by clip, in order of similarity; one is dropped where it overlaps one that was taken."""
    scores = [max(float(one @ vector) for one in np.atleast_2d(query)) for vector in gallery.vectors]
    taken: list[int] = []
    for row in sorted(range(len(gallery)), key=lambda row: -scores[row]):
        own = set(range(gallery.starts[row], gallery.stops[row]))
        others = [set(range(gallery.starts[other], gallery.stops[other])) for other in taken]
        if all(len(own & other) <= max_overlap * min(len(own), len(other)) for other in others):
            taken.append(row)
    return taken[:count]


@pytest.mark.parametrize("max_overlap", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("lengths", [(8,), (4, 20)])
@pytest.mark.parametrize("queries", [1, 3])
def test_found_clips_equal_a_slow_loop(max_overlap: float, lengths: tuple[int, ...], queries: int) -> None:
    gallery = gallery_of(1, lengths)
    query = unit(np.random.default_rng(2).normal(size=(queries, 5)))

    found = find_clips(query, gallery, count=7, max_overlap=max_overlap)

    assert found.rows.tolist() == slow(query, gallery, 7, max_overlap)
    assert np.all(np.diff(found.similarities) <= 0)
    np.testing.assert_allclose(found.similarities, (gallery.vectors[found.rows] @ query.T).max(axis=1), atol=1e-6)


def test_a_clip_finds_itself_first_and_nothing_that_overlaps_it() -> None:
    gallery = gallery_of(3)
    found = find_clips(gallery.vectors[5], gallery)
    assert found.rows[0] == 5
    assert found.similarities[0] == pytest.approx(1.0)
    spans = sorted((int(gallery.starts[row]), int(gallery.stops[row])) for row in found.rows)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_clips_without_a_vector_are_never_found() -> None:
    gallery = gallery_of(4)
    gallery.vectors[::2] = 0.0
    found = find_clips(-gallery.vectors[1], gallery, max_overlap=1.0, count=len(gallery))
    assert sorted(found.rows.tolist()) == list(range(1, len(gallery), 2))


def test_nothing_is_found_in_a_gallery_without_clips() -> None:
    none = np.zeros(0, np.int64)
    found = find_clips(np.ones(5, np.float32), Clips(none, none, np.zeros((0, 5), np.float32)))
    assert len(found) == 0
