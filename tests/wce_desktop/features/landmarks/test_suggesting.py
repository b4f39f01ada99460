"""Frames like a landmark of other studies: against a slow search, and what is said where there are none."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.wce_desktop.sessions import add_study, open_study
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.features.landmarks.suggesting import WINDOW, Reference, references, suggest
from wce_desktop.session.session import Session

COUNT, SIZE = 300, 6


def write(path: Path, vectors: NDArray[np.float32]) -> Path:
    """A finished embedding file with these vectors (N, D)."""
    header = EmbeddingHeader(
        model_id="m1",
        model_sha256="0" * 64,
        classes=(),
        preprocessing="{}",
        video_fingerprint="",
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    layout = EmbeddingLayout(frames=len(vectors), embedding_size=vectors.shape[1], classes=0, cam_size=0)
    writer = EmbeddingWriter.create(path, header, layout, np.arange(len(vectors)) / 2)
    writer.append(EmbeddingChunk(vectors, np.zeros((len(vectors), 3), np.uint8), None, None))
    return writer.finish()


def walk(border: int, seed: int) -> NDArray[np.float32]:
    """(N, D): one kind of tissue before the border, another after it, with noise; one frame does not decode."""
    random = np.random.default_rng(seed)
    vectors = random.normal(0, 0.15, (COUNT, SIZE)).astype(np.float32)
    vectors[:border, 0] += 1
    vectors[border:, 1] += 1
    vectors[20] = np.nan
    return vectors


def slow_likeness(vectors: NDArray[np.float32], other: NDArray[np.float32], cut: int) -> list[float]:
    """Of each border, with loops."""

    def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
        found = np.nan_to_num(vector)
        return found / np.linalg.norm(found) if np.linalg.norm(found) > 0 else found

    parts = (range(max(0, cut - WINDOW), cut), range(cut, min(COUNT, cut + WINDOW)))
    sides = [unit(sum((unit(other[row]) for row in rows), np.zeros(SIZE, np.float32))) for rows in parts]
    found = []
    for row in range(COUNT):
        before = [float(unit(vectors[at]) @ sides[0]) for at in range(max(0, row - WINDOW), row)]
        after = [float(unit(vectors[at]) @ sides[1]) for at in range(row, min(COUNT, row + WINDOW))]
        found.append(((sum(before) / len(before) if before else 0.0) + sum(after) / len(after)) / 2)
    return found


def test_the_border_is_found_as_by_a_slow_search(tmp_path: Path) -> None:
    vectors, other = walk(200, 0), walk(90, 1)
    path = write(tmp_path / "other.h5", other)
    with EmbeddingFile.open(write(tmp_path / "study.h5", vectors)) as file:
        found = suggest(file, [Reference("P07", path, 90)], 0, COUNT, Region.SMALL_BOWEL)
        later = suggest(file, [Reference("P07", path, 90)], 240, COUNT, Region.SMALL_BOWEL)
        ends = suggest(file, [Reference("P07", path, 90)], 0, COUNT, Region.END)
    slow = slow_likeness(vectors, other, 90)
    assert found[0].frame_index == int(np.argmax(slow)) == 200
    assert found[0].like == "P07"
    assert [one.likeness for one in found] == pytest.approx([slow[one.frame_index] for one in found], abs=1e-3)
    assert [one.likeness for one in found] == sorted((one.likeness for one in found), reverse=True)
    frames = sorted(one.frame_index for one in found)
    assert min(after - before for before, after in pairwise(frames)) >= WINDOW
    assert all(one.frame_index >= 240 for one in later)
    assert ends[0].frame_index == 199  # the last frame before the border


def test_the_most_similar_of_several_studies_counts(tmp_path: Path) -> None:
    unlike = np.roll(walk(90, 2), 3, axis=1)
    known = [
        Reference("far", write(tmp_path / "a.h5", unlike), 90),
        Reference("near", write(tmp_path / "b.h5", walk(60, 3)), 60),
        Reference("start", write(tmp_path / "c.h5", unlike), 0),
    ]
    with EmbeddingFile.open(write(tmp_path / "study.h5", walk(200, 0))) as file:
        found = suggest(file, known, 0, COUNT, Region.SMALL_BOWEL)
    assert (found[0].frame_index, found[0].like) == (200, "near")


def test_it_says_what_is_missing(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path, is_scored=False)
    open_study(session, study)
    with pytest.raises(UserError, match="not scored"):
        references(session, Region.COLON)


def test_it_says_that_no_other_study_has_the_landmark(opened: Session, tmp_path: Path) -> None:
    assert opened.reading is not None
    with pytest.raises(UserError, match="No other study has a first caecal frame yet"):
        references(opened, Region.COLON)
    other = opened.library.studies.add(tmp_path / "other.mp4", study_id="P07", frame_count=COUNT)
    opened.library.annotations.edit("P07", "mark", [Add(Landmark("l", "P07", Region.COLON, 50))])
    with pytest.raises(UserError, match="was scored by the model in use"):
        references(opened, Region.COLON)
    write(opened.files(other).scores_path("m1"), walk(50, 0))
    (found,) = references(opened, Region.COLON)
    assert (found.study_name, found.cut) == ("other", 50)
    with pytest.raises(UserError, match="last frame of the examination"):
        references(opened, Region.END)
