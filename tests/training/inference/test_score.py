"""Scoring a study: right, whole, resumable, and with a sentence for what goes wrong."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import h5py
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.dicom_files import video_file
from tests.training.inference.conftest import FRAMES, content
from tests.videos import corrupt_middle, numbered_frame, write_video
from tests.warm_python import warm_python
from training.embeddings.file import EmbeddingFile
from training.embeddings.writer import EmbeddingWriter, partial_path
from training.errors import UserError
from training.indicators import INDICATORS
from training.inference import pipeline
from training.inference import score as module
from training.inference.score import score_study
from training.inference.scores_so_far import NAME, ScoredRows, read_rows
from training.models.folder import ModelFolder
from training.runs.events import STOPPED_EARLY, Outcome, decode
from training.runs.reporter import Cancelled, SilentReporter

ROOT = Path(__file__).resolve().parents[3]


class Watcher(SilentReporter):
    """Keeps what it is told; stops or cancels once `until` frames are scored."""

    def __init__(self, until: int = 10**9, *, cancel: bool = False) -> None:
        self.done, self.until, self.cancel = 0, until, cancel
        self.lines: list[str] = []
        self.told: list[tuple[int, int, str, str]] = []
        self.rows: list[ScoredRows] = []
        self.stop_requested = False

    def check(self) -> None:
        if self.cancel and self.done >= self.until:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.done = done
        self.told.append((done, total, unit, what))
        self.stop_requested = not self.cancel and done >= self.until

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        if name == NAME:
            self.rows.append(read_rows(json.loads(json.dumps(payload))))

    def log(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    """Fails the test where a thread outlives it."""
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


@pytest.fixture(scope="module")
def whole(study: Path, model: ModelFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an undisturbed scoring."""
    out = tmp_path_factory.mktemp("whole") / "whole.h5"
    score_study(study, model, out)
    return out


def test_it_says_what_one_frame_after_the_other_says(
    study: Path, model: ModelFolder, obvious_scores: NDArray[np.float32], tmp_path: Path
) -> None:
    watcher = Watcher()
    summary = score_study(study, model, tmp_path / "a.h5", precision="float32", batch=7, reporter=watcher)
    assert (summary.frames, summary.frames_done, summary.missing, summary.complete) == (FRAMES, FRAMES, 0, True)
    assert watcher.told[-1] == (FRAMES, FRAMES, "frames", "scoring")
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        assert file.scores is not None
        assert np.allclose(file.scores, obvious_scores, atol=2e-4)
        assert np.abs(np.diff(obvious_scores, axis=0)).max() > 0.01  # a mixed-up order would show
        assert file.header.classes == model.config.classes
        assert file.header.model_sha256 == model.sha256
        assert file.cams is not None
        assert file.cams.shape == (FRAMES, 3, 2, 2)


def test_a_dicom_file_is_scored_like_the_video_in_it(
    model: ModelFolder, obvious_scores: NDArray[np.float32], tmp_path: Path
) -> None:
    path = video_file(tmp_path / "study.dcm", frames=FRAMES, b_frames=2)
    score_study(path, model, tmp_path / "a.h5", precision="float32")
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        assert file.scores is not None
        assert np.allclose(file.scores, obvious_scores, atol=2e-4)
        assert "MEIER" not in str(file.header)


def test_the_default_precision_differs_little(whole: Path, obvious_scores: NDArray[np.float32]) -> None:
    with EmbeddingFile.open(whole) as file:
        assert file.scores is not None
        assert np.abs(file.scores - obvious_scores).max() < 0.03


def test_components_of_a_scoring_that_was_resumed(study: Path, model: ModelFolder, whole: Path, tmp_path: Path) -> None:
    for name, until in (("a.h5", 10**9), ("b.h5", 16)):
        settings: dict[str, Any] = {"storage": "int8-pca", "components": tmp_path / "kept"}
        score_study(study, model, tmp_path / name, reporter=Watcher(until=until), **settings)
        assert score_study(study, model, tmp_path / name, resume=True, **settings).complete
    with EmbeddingFile.open(tmp_path / "a.h5") as first, EmbeddingFile.open(tmp_path / "b.h5") as other:
        assert first.header.storage == other.header.storage == "int8-pca"
        assert np.array_equal(first.embeddings, other.embeddings)
        with EmbeddingFile.open(whole) as file:
            assert np.allclose(first.embeddings, file.embeddings, atol=0.02 * np.abs(file.embeddings[:]).max())
            assert np.array_equal(np.asarray(first.scores), np.asarray(file.scores))


def test_mean_colour_is_that_of_the_field_of_view(model: ModelFolder, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    inside = np.hypot(*(np.mgrid[:96, :96] - 47.5)) < 44
    for number, colour in enumerate([(200, 40, 30), (90, 160, 70)]):
        picture = np.zeros((96, 96, 3), np.uint8)
        picture[inside] = colour
        cv2.imwrite(str(folder / f"{number}.png"), picture[..., ::-1])
    score_study(folder, model, tmp_path / "a.h5")
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        assert file.mean_color is not None
        assert np.abs(file.mean_color.astype(int) - [[200, 40, 30], [90, 160, 70]]).max() <= 6


def test_files_of_an_older_version_have_no_tracks_until_they_are_scored_again(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.h5"
    with monkeypatch.context() as older:
        older.setattr("training.inference.score.INDICATORS", {})
        score_study(study, model, out, reporter=Watcher(until=16))
    assert score_study(study, model, out, resume=True).complete
    with EmbeddingFile.open(out) as file:
        assert file.tracks is None, "an unfinished file goes on as it was begun"
    assert score_study(study, model, out, resume=True).seconds > 0
    assert content(out) == content(whole)
    with EmbeddingFile.open(out) as file:
        assert file.tracks is not None
        assert list(file.tracks) == list(INDICATORS)


def test_stopped_and_resumed_it_is_the_same_file(study: Path, model: ModelFolder, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    summary = score_study(study, model, out, reporter=Watcher(until=16))
    assert not summary.complete
    assert 16 <= summary.frames_done < FRAMES
    assert not out.exists()
    watcher = Watcher()
    assert score_study(study, model, out, resume=True, reporter=watcher).complete
    assert f"Continuing at frame {summary.frames_done} of {FRAMES}." in watcher.lines
    assert content(out) == content(whole)


def test_a_job_that_is_stopped_says_so_and_is_not_complete(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    """The window goes by `complete`: a part that is noted as complete would no longer be shown or continued."""
    out, config = tmp_path / "a.h5", tmp_path / "job.json"
    settings = {"path": str(study), "model": str(model.path), "out": str(out), "batch": 4}
    config.write_text(json.dumps({"command": "score", "config": settings}), encoding="utf-8")
    command = [*warm_python(), "-m", "training.commands.child", str(config)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"stop\n")
        child.stdin.flush()
        *_, outcome = map(decode, child.stdout.read().decode().splitlines())
    assert isinstance(outcome, Outcome)
    assert (outcome.kind, outcome.message, outcome.result["complete"]) == ("done", STOPPED_EARLY, False)
    assert not out.exists()
    assert partial_path(out).exists()


@pytest.mark.parametrize("until", [16, FRAMES])
def test_a_file_of_an_older_version_in_which_frames_share_rows_goes_on(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path, until: int
) -> None:
    out = tmp_path / "a.h5"
    done = score_study(study, model, out, reporter=Watcher(until) if until < FRAMES else None)
    with h5py.File(out if done.complete else partial_path(out), "r+") as file:
        file.create_dataset("same_as", data=np.arange(FRAMES))
        file.attrs["preprocessing"] = json.dumps(json.loads(file.attrs["preprocessing"]) | {"scenes": {"version": 1}})
    assert score_study(study, model, out, resume=True).complete
    with EmbeddingFile.open(out) as file, EmbeddingFile.open(whole) as expected:
        np.testing.assert_array_equal(file.scores, expected.scores)


def test_scores_are_told_while_it_runs_and_again_when_it_is_resumed(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path
) -> None:
    out, first, second = tmp_path / "a.h5", Watcher(until=10), Watcher()
    score_study(study, model, out, reporter=first, batch=4)
    assert not out.exists()
    told = sum(len(rows.scores) for rows in first.rows)
    assert 10 <= told < FRAMES
    assert len(first.rows) > 1, "a batch at a time"
    score_study(study, model, out, reporter=second, resume=True, batch=4)
    assert second.rows[0].first == 0, "what was done before comes first"
    assert len(second.rows[0].scores) == told
    with EmbeddingFile.open(out) as file:
        assert second.rows[0].classes == file.header.classes
        every = np.concatenate([rows.scores for rows in second.rows])
        assert [rows.first for rows in second.rows] == np.cumsum([0, *map(_count, second.rows)])[:-1].tolist()
        np.testing.assert_array_equal(every, file.scores)


def _count(rows: ScoredRows) -> int:
    return len(rows.scores)


def test_cancelled_it_ends_at_once_and_can_be_resumed(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WRITE_SECONDS", 0.0)
    out = tmp_path / "a.h5"
    with pytest.raises(Cancelled):
        score_study(study, model, out, reporter=Watcher(until=16, cancel=True))
    assert score_study(study, model, out, resume=True).complete
    assert content(out) == content(whole)


KILLED = """
import os, signal, sys
from pathlib import Path
from training.embeddings.writer import EmbeddingWriter
from training.inference import score
from training.models.folder import ModelFolder
score.WRITE_SECONDS = 0.0
append, calls = EmbeddingWriter.append, []
def killed(self, chunk):
    calls.append(1)
    if len(calls) == 3:
        self._write_rows("embeddings", self.frames_done, chunk.embeddings)
        os.kill(os.getpid(), signal.SIGKILL)
    append(self, chunk)
EmbeddingWriter.append = killed
score.score_study(Path(sys.argv[1]), ModelFolder.open(Path(sys.argv[2])), Path(sys.argv[3]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL on Windows")
def test_killed_in_the_middle_and_started_again_it_is_the_same_file(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.h5"
    child = subprocess.run(
        [*warm_python(), "-c", KILLED, str(study), str(model.path), str(out)], check=False, timeout=120
    )
    assert child.returncode == -signal.SIGKILL
    with EmbeddingWriter.resume(out) as writer:
        assert writer.frames_done == 16
    assert score_study(study, model, out, resume=True).complete
    assert content(out) == content(whole)


def test_resuming_what_is_finished_or_never_begun(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    assert score_study(study, model, out, resume=True).complete
    before = out.read_bytes()
    watcher = Watcher()
    assert score_study(study, model, out, resume=True, reporter=watcher).frames_done == FRAMES
    assert watcher.lines == ["a.h5 is already finished."]
    assert out.read_bytes() == before


def test_another_video_is_not_mixed_in(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    score_study(study, model, out, reporter=Watcher(until=8))
    other = write_video(tmp_path / "other.mp4", 30)
    with pytest.raises(UserError, match="was started with another video"):
        score_study(other, model, out, resume=True)
    watcher = Watcher()
    assert score_study(other, model, out, reporter=watcher).complete
    assert any("started again" in line for line in watcher.lines)


def test_a_resumed_file_keeps_its_precision(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    score_study(study, model, out, precision="float32", reporter=Watcher(until=8))
    assert score_study(study, model, out, resume=True).precision == "float32"


def test_a_full_disk_in_the_middle_keeps_what_was_written(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WRITE_SECONDS", 0.0)
    real, calls = os.fsync, [0]

    def filling(descriptor: int) -> None:
        calls[0] += 1
        if calls[0] > 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    out = tmp_path / "a.h5"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", filling)
        with pytest.raises(UserError, match="disk is full"):
            score_study(study, model, out)
    assert score_study(study, model, out, resume=True).complete
    assert content(out) == content(whole)


def test_a_folder_that_cannot_be_written(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        score_study(study, model, tmp_path / "file" / "a.h5")


def test_frames_that_do_not_decode_keep_their_rows(model: ModelFolder, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    for number in range(12):
        cv2.imwrite(str(folder / f"{number}.png"), numbered_frame(number))
    (folder / "5.png").write_bytes(b"no picture")
    summary = score_study(folder, model, tmp_path / "a.h5")
    assert (summary.frames, summary.missing) == (12, 1)
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        assert np.flatnonzero(file.missing).tolist() == [5]
        assert file.scores is not None
        assert np.isnan(file.scores[5]).all()
        assert np.isfinite(np.delete(file.scores, 5, axis=0)).all()


def test_a_corrupt_stretch_does_not_end_the_scoring(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    broken = corrupt_middle(write_video(tmp_path / "good.mp4", 120), tmp_path / "broken.mp4")
    summary = score_study(broken, model, tmp_path / "a.h5")
    assert summary.complete
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        assert len(file) == summary.frames
        assert int(file.missing.sum()) == summary.missing


def test_one_frame_and_a_name_in_unicode(model: ModelFolder, tmp_path: Path) -> None:
    path = write_video(tmp_path / "Müller 内視鏡 🎥.mp4", 1)
    assert score_study(path, model, tmp_path / "ä.h5").frames_done == 1
    with EmbeddingFile.open(tmp_path / "ä.h5") as file:
        assert file.header.video_path == "", "the name of a file may be that of a patient"


def test_an_absent_device_is_said(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this computer has a CUDA device")
    watcher = Watcher()
    assert score_study(study, model, tmp_path / "a.h5", device="cuda", reporter=watcher).device == "cpu"
    assert "No cuda device was found on this computer; using the CPU." in watcher.lines
    assert not partial_path(tmp_path / "a.h5").exists()


def test_large_frames_are_prepared_early_and_score_the_same(
    study: Path, model: ModelFolder, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "LARGE_BATCH_BYTES", 16)
    score_study(study, model, tmp_path / "a.h5")
    assert content(tmp_path / "a.h5") == content(whole)


def test_a_frame_of_4096_x_4096(model: ModelFolder, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.jpg"), numbered_frame(5, 4096, 4096))
    assert score_study(folder, model, tmp_path / "a.h5").frames_done == 1
