"""Clips from the embeddings of frames, against a slow loop."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.retrieval.embedded import write_embedded
from training.embeddings.file import EmbeddingFile
from training.reidentification.grouping import FRAMES, study_mean, tracklet_embeddings
from training.retrieval import frame_clips as module
from training.retrieval.frame_clips import LEAST_FRAMES, frame_clips, frames_of, study_clips
from training.runs.reporter import Cancelled

COUNT, SIZE = 103, 6


@pytest.fixture
def file(tmp_path: Path) -> Iterator[EmbeddingFile]:
    values = 3.0 + np.random.default_rng(0).normal(size=(COUNT, SIZE)).astype(np.float32)
    values[[7, 40, 41, 42, 43]] = np.nan  # these do not decode
    with EmbeddingFile.open(write_embedded(tmp_path / "e.h5", values)) as opened:
        yield opened


def slow(file: EmbeddingFile, start: int, stop: int) -> NDArray[np.float64]:
    """The vector of one clip, frame by frame."""
    middle, total = study_mean(file).astype(np.float64), np.zeros(SIZE)
    for row in range(start, stop):
        vector = file.embeddings[row].astype(np.float64) - middle
        if np.isfinite(vector).all():
            total += vector / np.linalg.norm(vector)
    return total / np.linalg.norm(total) if total.any() else total


@pytest.mark.parametrize("block", [4, 512])
def test_clips_equal_a_slow_loop(file: EmbeddingFile, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_FRAMES", block)
    monkeypatch.setattr(module, "CLIPS_AT_ONCE", 3)
    starts, stops = np.array([0, 5, 5, 39, 40, 60, 102]), np.array([103, 9, 20, 45, 44, 61, 103])

    clips = frame_clips(file, starts, stops)

    expected = [slow(file, start, stop) for start, stop in zip(starts, stops, strict=True)]
    np.testing.assert_allclose(clips.vectors, expected, atol=1e-5)
    assert not clips.vectors[4].any(), "no frame of it decodes"
    assert clips.vectors.dtype == np.float32


def test_a_short_clip_is_the_tracklet_of_the_same_frames(file: EmbeddingFile) -> None:
    starts, stops = np.array([10, 50]), np.array([10 + FRAMES, 50 + FRAMES])
    expected = tracklet_embeddings(file, starts, stops)
    np.testing.assert_allclose(frame_clips(file, starts, stops).vectors, expected, atol=1e-5)


def test_clips_of_a_study_have_the_length_that_was_asked_for_in_seconds(file: EmbeddingFile) -> None:
    clips = study_clips(file, 2.0)  # 4 frames a second
    assert set((clips.stops - clips.starts).tolist()) == {8}
    assert clips.starts[:3].tolist() == [0, 4, 8]
    assert clips.stops[-1] == COUNT
    assert len(study_clips(file, 1000.0)) == 1, "longer than the study"
    shortest = study_clips(file, 0.0)
    assert set((shortest.stops - shortest.starts).tolist()) == {LEAST_FRAMES}


def test_no_clips_are_none(file: EmbeddingFile) -> None:
    none = np.zeros(0, np.int64)
    assert frame_clips(file, none, none).vectors.shape == (0, SIZE)


def test_clips_can_be_given_up(file: EmbeddingFile) -> None:
    def check() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        study_clips(file, 2.0, check=check)


@pytest.mark.parametrize(
    ("seconds", "times", "expected"),
    [(2.0, [0.0, 0.5, 1.0], 4), (2.0, [0.0, 0.5, 1.0, 60.0, 60.5], 4), (0.1, [0.0, 0.5], 1), (2.0, [0.0], 1)],
)
def test_a_duration_in_frames_follows_the_usual_time_between_two(
    seconds: float, times: list[float], expected: int
) -> None:
    assert frames_of(seconds, np.array(times)) == expected
