"""Pretrainings of an encoder of clips as a whole, on tiny studies."""

import csv
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch

from tests.training.finetuning.test_run import Listener
from tests.training.pretraining.test_run import curve, kept, same
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.sequences import SequenceSpan
from training.errors import UserError
from training.finetuning.config import finetune_config
from training.finetuning.starting_point import starting_point
from training.pretraining.config import PretrainConfig, pretrain_config
from training.pretraining.pretrained import Pretrained
from training.pretraining.run import pretrain
from training.pretraining.start import clip_encoder
from training.pretraining.validation import split_spans
from training.runs.checkpoint import list_checkpoints
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"), patients=3)


def config(folder: Path, out: Path, method: str, **fields: Any) -> PretrainConfig:
    plain: dict[str, Any] = {
        "studies": folder / "manifest.json",
        "out": out,
        "method": method,
        "preset": "smoke",
        "steps": 6,
        "device": "cpu",
        "precision": "float32",
        "checkpoint_seconds": 1e9,
        "checkpoints_kept": 2,
        "evaluations": 3,
        "threads": 1,
    }
    return pretrain_config(**{**plain, **fields})


Run = tuple[Path, dict[str, Any], Listener]


def run(folder: Path, out: Path, method: str, **fields: Any) -> Run:
    listener = Listener()
    return out, pretrain(config(folder, out, method, **fields), listener), listener


@pytest.fixture(scope="module")
def masked(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("masked") / "run"
    return run(studies, out, "videomae", labels=studies / "labels.csv")


def test_videomae_writes_its_run_and_pictures_of_reconstructions(masked: Run) -> None:
    folder, result, listener = masked
    assert result["finished"]
    assert result["knn"] is None
    assert any("kNN accuracy is not measured: videomae trains an encoder of clips" in line for line in listener.lines)
    names = [f"step-{step:06d}.png" for step in (0, 2, 4, 6)]
    assert sorted(path.name for path in (folder / "reconstructions").iterdir()) == names
    told = [payload for name, payload in listener.partials if name == "reconstruction"]
    assert told == [{"step": step, "file": name} for step, name in zip((0, 2, 4, 6), names, strict=True)]
    picture = cv2.imread(str(folder / "reconstructions" / names[-1]))
    assert picture is not None
    assert picture.shape == (6 * 32 + 5 * 4, 2 * 32 + 4, 3)  # two clips of three rows, two cubes along time
    assert "negatives_ahead" not in curve(folder)[0]
    assert set(curve(folder)[0]) == {"step", "loss", "learning_rate", "embedding_norm"}


def test_pictures_show_input_masks_and_reconstruction(masked: Run) -> None:
    read = cv2.imread(str(masked[0] / "reconstructions" / "step-000006.png"))
    assert read is not None
    picture = read.astype(int)
    frame, hidden, filled = (picture[36 * row : 36 * row + 32, :32] for row in range(3))
    is_grey = np.all(np.abs(hidden - 128) <= 1, axis=2)
    for row in range(4):
        for column in range(4):
            cube = slice(8 * row, 8 * row + 8), slice(8 * column, 8 * column + 8)
            if is_grey[cube].all():
                continue
            assert (hidden[cube] == frame[cube]).all()
            assert (filled[cube] == frame[cube]).all()
    assert is_grey.sum() >= 14 * 64
    assert (filled != frame).any()


def test_the_encoder_of_a_run_can_be_opened(masked: Run) -> None:
    found = Pretrained.open(masked[0], of_clips=True)
    encoder = clip_encoder(found)
    assert encoder.config.frames == 4
    assert not encoder.training
    state = kept(masked[0])["step-000006.safetensors"]
    assert torch.equal(encoder.embed.weight, state["encoder.embed.weight"])
    assert clip_encoder(Pretrained.open(masked[0], 0, of_clips=True)).embed.weight.shape == encoder.embed.weight.shape


@pytest.fixture(scope="module")
def contrast(studies: Path, masked: Run, tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("contrast") / "run"
    return run(studies, out, "colo-scrl", init=str(masked[0]), queue_keys=8)


def test_colo_scrl_starts_from_the_encoder_of_videomae(masked: Run, contrast: Run) -> None:
    folder, result, _ = contrast
    before, start = kept(masked[0])["step-000006.safetensors"], kept(folder)["step-000000.safetensors"]
    for name, tensor in before.items():
        if name.startswith("encoder."):
            assert torch.equal(start[f"query.{name}"], tensor)
    assert result["finished"]
    assert not any(name.startswith(("key.", "queue.")) for name in start)
    card = json.loads((folder / "card.json").read_text())
    assert card["lineage"]["init"] == "pretrained"
    assert card["lineage"]["method"] == "videomae"
    assert (
        clip_encoder(Pretrained.open(folder, of_clips=True)).config
        == clip_encoder(Pretrained.open(masked[0], of_clips=True)).config
    )


def test_validation_uses_the_end_of_each_span_which_is_not_trained_on(contrast: Run) -> None:
    folder, result, listener = contrast
    with (folder / "validation.csv").open(newline="") as file:
        rows = [(int(row["step"]), float(row["loss"])) for row in csv.DictReader(file)]
    assert [step for step, _ in rows] == [0, 2, 4, 6]
    told = [(payload["step"], payload["loss"]) for name, payload in listener.partials if name == "validation"]
    assert told == rows
    assert result["frames"] == 3 * 20
    split = json.loads((folder / "split.json").read_text())
    assert split["spans"] == {f"P{number}-study": [[0, 20]] for number in range(3)}


def test_spans_are_split_into_whole_clips() -> None:
    spans = [SequenceSpan(0, 0, 10, 110), SequenceSpan(1, 1, 0, 15), SequenceSpan(2, 2, 5, 21)]
    training, apart = split_spans(spans, 0.1, 8)
    assert training == (SequenceSpan(0, 0, 10, 100), SequenceSpan(1, 1, 0, 15), SequenceSpan(2, 2, 5, 13))
    assert apart == (SequenceSpan(0, 0, 100, 110), SequenceSpan(2, 2, 13, 21))
    assert split_spans(spans, 0.0, 8) == (tuple(spans), ())


def test_the_rate_is_halved_once_the_queue_is_full_and_the_validation_loss_stays(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.pretraining.validation import Validation

    monkeypatch.setattr(Validation, "loss", lambda self: 1.0)
    fields = {"steps": 8, "evaluations": 8, "halving_patience": 1, "queue_keys": 5, "sequences": 2}
    run(studies, tmp_path / "run", "colo-scrl", **fields)  # the queue is full after 3 steps
    rates = [float(row["learning_rate"]) for row in curve(tmp_path / "run")]
    assert rates == pytest.approx([1e-3] * 5 + [5e-4] * 2 + [2.5e-4])


@pytest.mark.parametrize("method", ["videomae", "colo-scrl"])
def test_stopped_and_resumed_gives_the_run_of_no_interruption(studies: Path, tmp_path: Path, method: str) -> None:
    fields = {"halving_patience": 0, "queue_keys": 7} if method == "colo-scrl" else {}
    pretrain(config(studies, tmp_path / "whole", method, **fields), SilentReporter())
    stopped = pretrain(config(studies, tmp_path / "parts", method, **fields), Listener(stop_after=3))
    assert (stopped["finished"], stopped["steps_done"]) == (False, 3)
    assert pretrain(config(studies, tmp_path / "parts", method, resume=True, **fields), SilentReporter())["finished"]
    assert curve(tmp_path / "parts") == curve(tmp_path / "whole")
    assert same(kept(tmp_path / "parts"), kept(tmp_path / "whole"))
    whole, parts = (list_checkpoints(tmp_path / name / "checkpoints")[0].state() for name in ("whole", "parts"))
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)
    if method == "colo-scrl":
        assert {"queue.keys", "queue.place", "key.head.0.weight"} <= whole.keys()
        assert int(whole["queue.place"]) == 6 * 2 % 7
        assert (tmp_path / "parts" / "validation.csv").read_text() == (
            tmp_path / "whole" / "validation.csv"
        ).read_text()


def test_single_frames_cannot_be_trained_from_clips(masked: Run, studies: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="trained an encoder of clips"):
        Pretrained.open(masked[0])
    asked = finetune_config(studies="s", labels="l", out="o", init=str(masked[0]))
    with pytest.raises(UserError, match="cannot be used for single frames"):
        starting_point(asked, ("normal", "polyp"), "m", SilentReporter())
    with pytest.raises(UserError, match="cannot be used for single frames"):
        run(studies, tmp_path / "run", "simclr", init=str(masked[0]), sequences=4)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("init", "said"),
    [
        ("imagenet", "ImageNet weights are of single frames"),
        ("nowhere", "nowhere has none"),
    ],
)
def test_clips_cannot_be_trained_from_single_frames(studies: Path, tmp_path: Path, init: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        run(studies, tmp_path / "run", "videomae", init=init)
    assert not (tmp_path / "run").exists()


def test_an_encoder_of_another_size_is_refused(masked: Run, studies: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="another size: blocks is 2, not 1"):
        run(studies, tmp_path / "run", "colo-scrl", init=str(masked[0]), blocks=1)


def test_auto_starts_random(studies: Path, tmp_path: Path) -> None:
    folder, _, _ = run(studies, tmp_path / "run", "videomae", init="auto", steps=1, evaluations=0)
    assert json.loads((folder / "card.json").read_text())["lineage"] == {"init": "random"}
    assert not (folder / "reconstructions").exists()


def test_spans_too_short_for_validation_are_told(studies: Path, tmp_path: Path) -> None:
    fields = {"sequence_length": 16, "sequences": 2}
    with pytest.raises(UserError, match="No span is long enough to keep clips apart"):
        run(studies, tmp_path / "run", "colo-scrl", **fields)
    _, result, _ = run(studies, tmp_path / "run", "colo-scrl", schedule="constant", steps=1, **fields)
    assert result["finished"]
