"""`embed-clips` from the shell and as a job: run folders of clip methods in, a clip file out."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.training.pretraining.kept_run import write_kept_run
from tests.videos import write_video
from tests.warm_python import warm_python
from training.commands.score import EmbedClipsCommand, run_embed_clips
from training.commands.shell import main
from training.errors import UserError
from training.models.folder import file_sha256
from training.retrieval.clip_file import ClipFile
from training.retrieval.embedding import open_clip_model
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of both clip methods and of one of frames, and two studies."""
    folder = tmp_path_factory.mktemp("place")
    write_kept_run(folder / "masked", method="videomae", backbone="resnet18")  # a job does not know the tiny one
    write_kept_run(folder / "contrast", method="colo-scrl", projection=(32, 16), sequence_length=8, frame_step=2)
    write_kept_run(folder / "frames", method="simclr")
    write_video(folder / "a.mp4", frames=20)
    write_video(folder / "b.mp4", frames=13, height=96, width=96)
    return folder


def embed(place: Path, out: Path, model: str = "masked", study: str = "a.mp4", **given: object) -> ClipFile:
    config = EmbedClipsCommand.model_validate(
        {"path": place / study, "model": place / model, "out": out, "device": "cpu", "threads": 1, **given}
    )
    assert run_embed_clips(config, SilentReporter())["complete"]
    return ClipFile.open(out)


def test_it_runs_from_the_shell(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "clips.h5"
    typed = ["embed-clips", str(place / "a.mp4"), "--model", str(place / "masked"), "--out", str(out), "--stride", "3"]
    assert main([*typed, "--device", "cpu"]) == 0
    assert "clips" in capsys.readouterr().out
    assert ClipFile.open(out).clips.starts.tolist() == [0, 3, 6, 9, 12, 15, 16]


def test_it_runs_as_a_job(place: Path, tmp_path: Path) -> None:
    job, out = tmp_path / "job.json", tmp_path / "clips.h5"
    config = {"path": str(place / "a.mp4"), "model": str(place / "masked"), "out": str(out), "device": "cpu"}
    job.write_text(json.dumps({"command": "embed-clips", "config": config}))
    done = subprocess.run(
        [*warm_python(), "-m", "training.commands.child", str(job)],
        capture_output=True,
        stdin=subprocess.PIPE,
        timeout=120,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert ClipFile.open(out).is_complete


def test_the_file_names_the_weights_and_the_clips(place: Path, tmp_path: Path) -> None:
    found = embed(place, tmp_path / "clips.h5")
    header = found.header
    assert header.model_id == "masked step 20"
    assert header.model_sha256 == file_sha256(place / "masked" / "kept" / "step-000020.safetensors")
    assert (header.length, header.stride, header.frames) == (4, 2, 20)
    first = embed(place, tmp_path / "first.h5", step=0)
    assert first.header.model_id == "masked step 0"
    assert header.space != first.header.space


def test_a_contrast_is_embedded_by_its_query_encoder(place: Path, tmp_path: Path) -> None:
    found = embed(place, tmp_path / "clips.h5", "contrast", "b.mp4")
    assert (found.header.length, found.header.stride) == (8, 4)
    assert found.clips.vectors.shape == (3, 32)
    model = open_clip_model(place / "contrast")
    assert (model.config.frames, model.frame_step, model.length) == (4, 2, 8)
    assert np.allclose(np.linalg.norm(found.clips.vectors, axis=1), 1, atol=1e-5)


def test_studies_of_different_size_can_be_compared(place: Path, tmp_path: Path) -> None:
    one, other = embed(place, tmp_path / "a.h5"), embed(place, tmp_path / "b.h5", study="b.mp4")
    assert one.header.space == other.header.space
    assert (one.clips.vectors @ other.clips.vectors.T).shape == (len(one.clips), len(other.clips))


@pytest.mark.parametrize(
    ("model", "sentence"), [("frames", "network of single frames"), ("none", "none"), ("a.mp4", "a.mp4")]
)
def test_a_model_that_knows_no_clips(place: Path, tmp_path: Path, model: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        embed(place, tmp_path / "clips.h5", model)
    assert not list(tmp_path.iterdir())


def test_weights_that_are_damaged(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "masked", tmp_path / "run")
    for path in (tmp_path / "run" / "kept").iterdir():
        path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(UserError):
        embed(place, tmp_path / "clips.h5", str(tmp_path / "run"))


def test_a_file_of_somebody_else_is_not_replaced(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "clips.h5"
    out.write_text("mine")
    typed = ["embed-clips", str(place / "a.mp4"), "--model", str(place / "masked"), "--out", str(out)]
    assert main(typed) == 1
    assert "not a clip file written by this program" in capsys.readouterr().err
    assert out.read_text() == "mine"
