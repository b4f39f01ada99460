"""Tracklets that look alike and lie near in time are grouped, whatever the study's frames have in common."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.embeddings.studies import write_study
from training.embeddings.file import EmbeddingFile
from training.reidentification import grouping
from training.reidentification.grouping import (
    TIME_SECONDS,
    Tracklets,
    distances_with_time,
    group_tracklets,
    soft_votes,
    tracklet_embeddings,
)

FRAMES, SIZE = 120, 16
STARTS = np.array([10, 20, 30, 100], np.int64)


def file_of(folder: Path, embeddings: NDArray[np.float32]) -> EmbeddingFile:
    return EmbeddingFile.open(write_study(folder, "s", embeddings).path)


def two_looks() -> NDArray[np.float32]:
    """(120, 16): frames 10, 30 and 100 on, ten each, show one thing; 20 on another one; all have much in common."""
    random = np.random.default_rng(0)
    frames = 5.0 + 0.05 * random.normal(size=(FRAMES, SIZE)).astype(np.float32)
    for start in (10, 30, 100):
        frames[start : start + 10, 0] += 3.0
    frames[20:30, 1] += 3.0
    return frames


def tracklets(classes: tuple[int, ...] = (0, 0, 0, 0)) -> Tracklets:
    scores = np.array([0.9, 0.8, 0.7, 0.6], np.float32)
    return Tracklets(STARTS, STARTS + 10, np.array(classes, np.intp), scores)


def test_alike_and_near_in_time_is_one_group(tmp_path: Path) -> None:
    seconds = np.arange(FRAMES, dtype=np.float64)
    with file_of(tmp_path, two_looks()) as file:
        assert group_tracklets(file, seconds, tracklets()).tolist() == [0, 1, 0, 2], "the last one comes too late"
        assert group_tracklets(file, seconds / 10, tracklets()).tolist() == [0, 1, 0, 0]
        assert group_tracklets(file, seconds / 10, tracklets((0, 0, 1, 0))).tolist() == [0, 1, 2, 0], "another class"
        said = group_tracklets(file, seconds, tracklets((0, 0, 1, 0)), same=[(1, 2)], different=[(0, 3)])
        assert said.tolist() == [0, 1, 1, 2]


def test_of_many_the_highest_and_those_spoken_of_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MOST_EVENTS", 2)
    seconds = np.arange(FRAMES) / 10
    with file_of(tmp_path, two_looks()) as file:
        assert group_tracklets(file, seconds, tracklets()).tolist() == [0, 1, 2, 3]
        assert group_tracklets(file, seconds, tracklets(), same=[(2, 3)]).tolist() == [0, 1, 0, 0]


def test_frames_that_do_not_decode_do_not_count(tmp_path: Path) -> None:
    frames = two_looks()
    frames[12:15], frames[20:30] = np.nan, np.nan
    with file_of(tmp_path, frames) as file:
        found = tracklet_embeddings(file, STARTS, STARTS + 10)
    assert np.isfinite(found).all()
    assert np.allclose(np.linalg.norm(found, axis=1), [1, 0, 1, 1], atol=1e-5), "zeros where nothing decodes"


def test_embeddings_equal_a_slow_reference(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    frames = random.normal(size=(60, 8)).astype(np.float32) + 2.0
    starts, stops = np.array([0, 5, 30]), np.array([1, 12, 45])
    with file_of(tmp_path, frames) as file:
        found = tracklet_embeddings(file, starts, stops)
    lengths = np.linalg.norm(frames, axis=1, keepdims=True)
    middle = (frames / lengths).mean(axis=0) * lengths.mean()
    for row, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        rest = frames[start:stop] - middle
        mean = (rest / np.linalg.norm(rest, axis=1, keepdims=True)).mean(axis=0)
        np.testing.assert_allclose(found[row], mean / np.linalg.norm(mean), atol=2e-3)  # float16 on disk


def test_likeness_falls_with_time() -> None:
    same = np.full((3, 4), 0.5, np.float32)
    starts = np.array([0.0, 5.0, 10.0 + TIME_SECONDS])
    distances = distances_with_time(same, starts, starts + np.array([5.0, 5.0, 1.0]))
    np.testing.assert_allclose(distances[0], [0, 0, 1 - np.exp(-(5 + TIME_SECONDS) / TIME_SECONDS)], atol=1e-6)
    np.testing.assert_array_equal(distances, distances.T)


def test_soft_votes_are_means_over_all_frames_of_a_group() -> None:
    track = np.linspace(0, 1, FRAMES, dtype=np.float32)
    track[12] = np.nan
    other = np.full(FRAMES, 0.25, np.float32)
    found = soft_votes([track, other], tracklets((0, 0, 0, 1)), np.array([0, 1, 0, 2]))
    frames = [*range(10, 12), *range(13, 20), *range(30, 40)]
    np.testing.assert_allclose(found, [track[frames].mean(), track[20:30].mean(), 0.25], atol=1e-6)


def test_no_tracklets(tmp_path: Path) -> None:
    none = Tracklets(*(np.zeros(0, np.int64),) * 2, np.zeros(0, np.intp), np.zeros(0, np.float32))
    with file_of(tmp_path, two_looks()) as file:
        assert group_tracklets(file, np.arange(FRAMES, dtype=np.float64), none).tolist() == []
    assert soft_votes([np.zeros(FRAMES, np.float32)], none, np.zeros(0, np.int64)).tolist() == []
