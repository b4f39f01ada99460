"""All clips of a study into a clip file: stopped and continued, as in one go."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.videos import write_video
from training.embeddings.writer import partial_path
from training.errors import UserError
from training.models.clip_config import ClipEncoderConfig
from training.retrieval import embedding
from training.retrieval.clip_file import ClipFile
from training.retrieval.clips import clip_bounds
from training.retrieval.embedding import ClipModel, embed_study, untrained_clip_model
from training.runs.reporter import Cancelled, SilentReporter

TINY = ClipEncoderConfig(frames=4, input_size=32, cube_size=16, width=16, blocks=1, heads=2)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "study.mp4"
    write_video(path, frames=30)
    return path


@pytest.fixture(scope="module")
def model() -> ClipModel:
    return untrained_clip_model(TINY, seed=1)


class Stopping(SilentReporter):
    """Asks for a stop, or cancels, once so many clips are done."""

    def __init__(self, after: int, *, cancels: bool = False) -> None:
        self.after, self.cancels, self.done = after, cancels, 0
        self.lines: list[str] = []

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return not self.cancels and self.done >= self.after

    def check(self) -> None:
        if self.cancels and self.done >= self.after:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.done = done

    def log(self, line: str) -> None:
        self.lines.append(line)


def embed(video: Path, model: ClipModel, out: Path, **given: Any) -> embedding.EmbeddedStudy:
    return embed_study(video, model, out, **{"stride": 2, "batch": 3, "reporter": SilentReporter(), **given})


def test_every_clip_has_the_vector_of_its_frames(tmp_path: Path, video: Path, model: ClipModel) -> None:
    done = embed(video, model, tmp_path / "clips.h5")
    starts, stops = clip_bounds(30, 4, 2)
    assert (done.clips, done.clips_done, done.missing, done.complete) == (len(starts), len(starts), 0, True)
    found = ClipFile.open(done.path)
    assert found.clips.starts.tolist() == starts.tolist()
    assert found.clips.stops.tolist() == stops.tolist()
    assert np.allclose(np.linalg.norm(found.clips.vectors, axis=1), 1, atol=1e-5)
    assert found.start_seconds[1] == pytest.approx(found.start_seconds[0] + 2 * (found.stop_seconds[0] / 3), abs=1e-6)
    assert "study" not in found.header.model_dump_json(), "names of files may be those of patients"


def test_a_stopped_study_is_continued(tmp_path: Path, video: Path, model: ClipModel) -> None:
    whole = ClipFile.open(embed(video, model, tmp_path / "whole.h5").path)
    out = tmp_path / "parts.h5"
    stopped = embed(video, model, out, reporter=Stopping(6))
    assert (stopped.complete, stopped.clips_done) == (False, 6)
    assert partial_path(out).is_file()
    finished = embed(video, model, out, resume=True)
    assert finished.complete
    assert np.allclose(ClipFile.open(out).clips.vectors, whole.clips.vectors, atol=1e-6)
    assert not partial_path(out).exists()
    told = Stopping(1000)
    assert embed(video, model, out, resume=True, reporter=told).clips_done == finished.clips_done
    assert told.lines == ["parts.h5 is already finished."]


def test_what_was_saved_before_an_end_is_kept(
    tmp_path: Path, video: Path, model: ClipModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "SAVE_SECONDS", 0.0)
    out = tmp_path / "clips.h5"
    with pytest.raises(Cancelled):
        embed(video, model, out, reporter=Stopping(6, cancels=True))
    assert not out.exists()
    assert embed(video, model, out, resume=True, reporter=Stopping(1)).clips_done == 9


def test_without_resume_it_starts_again(tmp_path: Path, video: Path, model: ClipModel) -> None:
    out = tmp_path / "clips.h5"
    embed(video, model, out, reporter=Stopping(6))
    assert embed(video, model, out).complete


@pytest.mark.parametrize("is_finished", [True, False])
def test_a_file_of_another_model_is_not_continued(
    tmp_path: Path, video: Path, model: ClipModel, is_finished: bool
) -> None:
    out = tmp_path / "clips.h5"
    embed(video, model, out, reporter=SilentReporter() if is_finished else Stopping(6))
    other = ClipModel(model.encoder, "other", "b" * 64)
    with pytest.raises(UserError, match="with another model"):
        embed(video, other, out, resume=True)
    with pytest.raises(UserError, match="clips at another distance"):
        embed(video, model, out, resume=True, stride=1)


def test_a_clip_longer_than_the_study(tmp_path: Path, model: ClipModel) -> None:
    short = tmp_path / "short.mp4"
    write_video(short, frames=2)
    found = ClipFile.open(embed(short, model, tmp_path / "clips.h5").path)
    assert (found.clips.starts.tolist(), found.clips.stops.tolist()) == ([0], [2])
    assert found.clips.vectors.any()


def test_an_encoder_of_every_second_frame_spans_twice_as_many(model: ClipModel) -> None:
    slow = ClipModel(model.encoder, "slow", frame_step=2)
    clips = np.random.default_rng(0).integers(0, 255, (2, 8, 32, 32, 3)).astype(np.uint8)
    assert slow.length == 8
    assert np.array_equal(slow.embed(clips), model.embed(clips[:, ::2]))


def test_random_weights_follow_from_the_seed() -> None:
    clips = np.random.default_rng(0).integers(0, 255, (1, 4, 32, 32, 3)).astype(np.uint8)
    make: Callable[[int], ClipModel] = lambda seed: untrained_clip_model(TINY, seed)  # noqa: E731
    assert np.array_equal(make(1).embed(clips), make(1).embed(clips))
    assert not np.array_equal(make(1).embed(clips), make(2).embed(clips))
