"""Near-identical frames by stored embeddings and by small pictures, against slow references."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.videos import write_video
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from training.video import build_index, open_source
from training.video.small_picture import small_picture
from wce_desktop.core.similar import CELL_MEAN, CELL_MOST, MOST_FRAMES, Similar
from wce_desktop.features.viewing import comparing_frames
from wce_desktop.features.viewing.comparing_frames import (
    COLOR_LEVELS,
    NEAR_SHARE,
    by_embeddings,
    by_pictures,
)


def embedded(path: Path, vectors: NDArray[np.float32], colors: NDArray[np.uint8]) -> EmbeddingFile:
    """A finished file of these embeddings (N, D) and mean colours (N, 3)."""
    header = EmbeddingHeader(
        model_id="m1",
        model_sha256="0" * 64,
        classes=("normal", "polyp"),
        preprocessing="{}",
        video_fingerprint="",
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    count = len(vectors)
    layout = EmbeddingLayout(frames=count, embedding_size=vectors.shape[1], classes=2)
    writer = EmbeddingWriter.create(path, header, layout, np.arange(count) / 25)
    writer.append(EmbeddingChunk(vectors, colors, np.zeros((count, 2), np.float32)))
    return EmbeddingFile.open(writer.finish())


def slow_runs(near: NDArray[np.bool_]) -> list[int]:
    """The first frame of each frame's run; `near` (N, N) says which two are near-identical."""
    first, begin = [], 0
    for number in range(len(near)):
        if not near[begin, number] or number - begin >= MOST_FRAMES:
            begin = number
        first.append(begin)
    return first


@pytest.mark.parametrize("rows", [40, 4096])
def test_embeddings_are_compared_with_the_first_of_their_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(comparing_frames, "ROWS", rows)
    monkeypatch.setattr(comparing_frames, "_median_distance", lambda file: 0.5)
    random = np.random.default_rng(2)
    scenes = random.normal(size=(40, 16)).astype(np.float32)
    scene = np.sort(random.integers(0, 40, 300))
    scene[100:180] = scene[100]  # longer than a run may be
    vectors = (scenes[scene] + random.normal(0, 0.12, (300, 16))).astype(np.float16).astype(np.float32)
    colors = random.integers(100, 104, (300, 3)).astype(np.uint8)
    colors[150] = 140
    vectors[200] = np.nan
    with embedded(tmp_path / "e.h5", vectors, colors) as file:
        found = by_embeddings(file, 300, SilentReporter())
        short = by_embeddings(file, 120, SilentReporter())
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distance = 1 - unit @ unit.T
    away = np.abs(colors.astype(int)[:, None] - colors.astype(int)[None]).max(axis=2)
    near = (distance <= NEAR_SHARE * 0.5) & (away <= COLOR_LEVELS)
    assert found.first.tolist() == slow_runs(near)
    assert len(np.unique(found.first)) < 250
    np.testing.assert_allclose(found.change[1:], np.diagonal(distance, 1), atol=1e-5)
    assert np.isnan(found.change[0])
    assert np.isnan(found.change[200])
    assert short.first.tolist() == found.first[:120].tolist()


def test_the_bound_follows_the_study(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    vectors = random.normal(size=(200, 8)).astype(np.float16).astype(np.float32)
    with embedded(tmp_path / "e.h5", vectors, np.zeros((200, 3), np.uint8)) as file:
        assert comparing_frames._median_distance(file) == pytest.approx(1.0, abs=0.15)
    with embedded(tmp_path / "one.h5", vectors[:1], np.zeros((1, 3), np.uint8)) as file:
        assert by_embeddings(file, 1, SilentReporter()).first.tolist() == [0]


def test_pictures_are_compared_with_the_first_of_their_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing_frames, "TOLD_EVERY_SECONDS", 0.0)
    told: list[Similar] = []

    class Listener(SilentReporter):
        def partial(self, name: str, payload: object) -> None:
            assert isinstance(payload, dict)
            told.append(payload["similar"])

    video = write_video(tmp_path / "study.mp4", 40)
    index = build_index(video)
    found = by_pictures(video, index, None, Listener())
    with open_source(video, index=index) as source:
        small = [small_picture(source.read(number), None) for number in range(40)]
    away = np.array([[np.abs(one - other) for other in small] for one in small]).reshape(40, 40, -1)
    near = (away.max(axis=2) <= CELL_MOST) & (away.mean(axis=2) <= CELL_MEAN)
    assert found.first.tolist() == slow_runs(near)
    np.testing.assert_allclose(found.change[1:], np.diagonal(away.mean(axis=2), 1), rtol=1e-5)
    assert len(told) == 40
    assert np.isnan(told[3].change[4:]).all(), "what is not known yet"
    assert told[3].first[4:].tolist() == list(range(4, 40))


def test_it_can_be_ended_and_says_what_cannot_be_read(tmp_path: Path) -> None:
    class Impatient(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    video = write_video(tmp_path / "study.mp4", 10)
    index = build_index(video)
    with pytest.raises(Cancelled):
        by_pictures(video, index, None, Impatient())
    video.unlink()
    with pytest.raises(UserError):
        by_pictures(video, index, None, SilentReporter())
