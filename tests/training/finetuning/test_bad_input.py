"""What a finetuning says to input that it cannot use: a sentence, and nothing lost."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.training.datasets.frames import labelled
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.finetune import FinetuneConfig, finetune_config, run_finetune
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.datasets.split import Split
from training.errors import UserError
from training.models.config import ModelConfig
from training.models.network import FrameClassifier
from training.runs.checkpoint import list_checkpoints, save_checkpoint
from training.runs.reporter import SilentReporter


@pytest.fixture
def studies(tmp_path: Path) -> Path:
    return write_tiny_studies(tmp_path / "studies")


def config(studies: Path, out: Path, **fields: Any) -> FinetuneConfig:
    plain: dict[str, Any] = {
        "studies": studies / "manifest.json", "labels": studies / "labels.csv", "out": out, "input_size": 32,
        "init": "random", "backbone": "tiny",
        "steps": 1, "batch_size": 8, "device": "cpu", "precision": "float32", "threads": 1, "evaluations": 0,
    }  # fmt: skip
    return finetune_config(**{**plain, **fields})


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (LabelRow(study_id="P0-study", start=20, stop=99, label="polyp"), "ends at frame 99, past the end"),
        (LabelRow(study_id="P9-study", start=0, stop=4, label="polyp"), "study P9-study, which is not in the manifest"),
    ],
)
def test_labels_that_do_not_belong_to_the_studies(studies: Path, tmp_path: Path, row: LabelRow, said: str) -> None:
    write_labels(studies / "labels.csv", [*read_labels(studies / "labels.csv"), row])
    with pytest.raises(UserError, match=said):
        run_finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert not (tmp_path / "run" / "model").exists()


def test_a_study_of_which_nothing_can_be_read_is_named(studies: Path, tmp_path: Path) -> None:
    for path in (studies / "P2").iterdir():
        path.write_bytes(b"no picture")
    with pytest.raises(UserError, match="P2"):
        run_finetune(config(studies, tmp_path / "run"), SilentReporter())


def test_a_patient_on_both_sides_is_named() -> None:
    frames = labelled([("Anna", 0, 4, 0), ("Anna", 4, 8, 1)])
    training = np.arange(len(frames)) < 4
    with pytest.raises(UserError, match="The patient Anna is on both sides"):
        Split("patients", training, ~training, ("Anna",), ("Anna",))


def half_run(folder: Path, header: dict[str, str]) -> Path:
    network = FrameClassifier(ModelConfig(backbone="tiny", classes=("normal", "polyp"), input_size=32))
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    save_checkpoint(folder / "checkpoints", 1, network, optimizer, header)
    return folder


@pytest.mark.parametrize(
    "header",
    [{}, {"model_config": json.dumps({"schema_version": 2, "classes": ["normal", "polyp"]})}],
)
def test_a_checkpoint_of_another_version_is_told(studies: Path, tmp_path: Path, header: dict[str, str]) -> None:
    half = half_run(tmp_path / "half", header)
    with pytest.raises(UserError, match="another version of this program"):
        run_finetune(config(studies, tmp_path / "run", init=str(half)), SilentReporter())


def test_a_checkpoint_of_another_architecture_is_told(studies: Path, tmp_path: Path) -> None:
    other = ModelConfig(backbone="resnet50", classes=("normal", "polyp"), input_size=32)
    half = half_run(tmp_path / "half", {"model_config": other.model_dump_json()})
    with pytest.raises(UserError, match=r"step-000001\.safetensors"):
        run_finetune(config(studies, tmp_path / "run", init=str(half)), SilentReporter())


def test_a_resumed_run_with_the_checkpoint_of_another_one_is_told_and_keeps_it(studies: Path, tmp_path: Path) -> None:
    run_finetune(config(studies, tmp_path / "run"), SilentReporter())
    checkpoint = list_checkpoints(tmp_path / "run" / "checkpoints")[0]
    state = load_file(checkpoint.weights)
    state["classifier.weight"] = torch.zeros(5, 512)
    save_file(state, checkpoint.weights, checkpoint.header())
    with pytest.raises(UserError, match=r"another architecture: classifier\.weight"):
        run_finetune(config(studies, tmp_path / "run", resume=True), SilentReporter())
    assert checkpoint.weights.is_file()


@pytest.mark.parametrize("content", ["", '{"command": "finetune"', '{"command": "finetune"}'])
def test_a_half_written_run_folder_is_told_and_left_as_it_is(studies: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(content)
    with pytest.raises(UserError, match=r"incomplete: its config\.json is missing or damaged"):
        run_finetune(config(studies, tmp_path / "run", resume=True), SilentReporter())
    with pytest.raises(UserError, match="is not empty"):
        run_finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["config.json"]


def test_a_pickle_is_no_model(studies: Path, tmp_path: Path) -> None:
    run_finetune(config(studies, tmp_path / "old"), SilentReporter())
    weights = tmp_path / "old" / "model" / "model.safetensors"
    torch.save({"a": torch.zeros(1)}, weights)
    with pytest.raises(UserError, match=r"wrong hash|pickle"):
        run_finetune(config(studies, tmp_path / "run", init=str(tmp_path / "old")), SilentReporter())
    shutil.copyfile(weights, tmp_path / "model.pt")
    with pytest.raises(UserError, match="not the published file"):
        run_finetune(config(studies, tmp_path / "run2", init=str(tmp_path / "model.pt")), SilentReporter())


def test_a_full_disk_keeps_the_checkpoint_before(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [0]

    def full(*arguments: Any) -> None:
        calls[0] += 1
        if calls[0] > 2:  # the first checkpoint's two files fit
            raise OSError(28, "No space left on device")
        save_file(*arguments)

    monkeypatch.setattr("training.runs.checkpoint.save_file", full)
    with pytest.raises(UserError, match="cannot be written") as caught:
        run_finetune(config(studies, tmp_path / "run", steps=4, checkpoint_seconds=0), SilentReporter())
    assert "resume" in caught.value.hint
    assert list_checkpoints(tmp_path / "run" / "checkpoints")[0].step == 1


@pytest.mark.parametrize("setting", ["studies", "labels", "boxes"])
def test_a_pipe_in_place_of_a_table_is_refused_and_leaves_no_run_folder(
    studies: Path, tmp_path: Path, setting: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with_pipe = config(studies, tmp_path / "run").model_copy(update={setting: tmp_path / "pipe"})
    with pytest.raises(UserError, match=f"{tmp_path / 'pipe'} is a pipe"):
        run_finetune(with_pipe, SilentReporter())
    if setting != "studies":
        assert not (tmp_path / "run").exists()


def test_a_span_far_past_the_end_of_its_study_is_refused(studies: Path, tmp_path: Path) -> None:
    manifest = json.loads((studies / "manifest.json").read_text())
    manifest["studies"][0]["spans"] = [{"start": 0, "stop": 10_000_000}]
    (studies / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="ends at frame 10000000, past the end of the study"):
        run_finetune(config(studies, tmp_path / "run"), SilentReporter())
