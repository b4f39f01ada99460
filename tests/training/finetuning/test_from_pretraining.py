"""A finetuning that starts from a pretraining: the head is gone, whom it saw stays known, and is not held out."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.start import finetune
from training.finetuning.starting_point import starting_point
from training.models.folder import ModelFolder
from training.pretraining.config import pretrain_config
from training.pretraining.pretrained import Pretrained
from training.pretraining.run import pretrain
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def pretraining(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two steps on the studies of P0 and P1."""
    folder = tmp_path_factory.mktemp("pretraining")
    seen = tuple(
        study for study in load_manifest(studies / "manifest.json").studies if study.patient_id in ("P0", "P1")
    )
    save_manifest(folder / "seen.json", Manifest(studies=seen))
    config = pretrain_config(
        studies=folder / "seen.json", out=folder / "run", init="random", backbone="tiny", preset="smoke", input_size=32,
        sequence_length=8, window=2, steps=2, device="cpu", precision="float32", threads=1,
    )  # fmt: skip
    pretrain(config, SilentReporter())
    return folder / "run"


def config(studies: Path, out: Path, init: Path, **fields: Any) -> FinetuneConfig:
    plain: dict[str, Any] = {
        "studies": studies / "manifest.json", "labels": studies / "labels.csv", "out": out, "init": str(init),
        "steps": 2, "batch_size": 8, "device": "cpu", "precision": "float32", "threads": 1, "evaluations": 0,
    }  # fmt: skip
    return finetune_config(**{**plain, **fields})


def test_the_trunk_is_taken_and_the_head_left_behind(pretraining: Path, studies: Path) -> None:
    start = starting_point(config(studies, Path("o"), pretraining), ("normal", "polyp"), "m", SilentReporter())
    source = Pretrained.open(pretraining)
    assert source.part("head.")
    state = start.network.state_dict()
    assert not [name for name in state if "head" in name or "projection" in name]
    assert {name.split(".")[0] for name in state} == {"trunk", "classifier"}
    trunk = start.network.trunk.state_dict()
    assert all(torch.equal(trunk[name], tensor) for name, tensor in source.part("trunk.").items())
    assert start.network.config.input_size == 32
    assert start.previous is None
    assert start.training_patients == {"P0", "P1"}
    assert (start.lineage["init"], start.lineage["method"], start.lineage["step"]) == ("pretrained", "time-triplet", 2)


def test_the_split_avoids_whom_it_saw_and_the_card_keeps_them(pretraining: Path, studies: Path, tmp_path: Path) -> None:
    result = finetune(config(studies, tmp_path / "run", pretraining, embedding_layer=128), SilentReporter())
    folder = ModelFolder.open(Path(result["model"]))
    assert set(folder.card["split"]["held_out_patients"]) <= {"P2", "P3"}
    assert folder.card["lineage"]["taught_patients"] == ["P0", "P1"]
    assert folder.config.embedding_layer == 128
    split = json.loads((tmp_path / "run" / "split.json").read_text())
    assert split["earlier_patients"] == ["P0", "P1"]
    # A run that starts from the unfinished one knows all of them, those of the pretraining included.
    (tmp_path / "run" / "model").rename(tmp_path / "elsewhere")
    again = starting_point(config(studies, Path("o"), tmp_path / "run"), ("normal", "polyp"), "m", SilentReporter())
    assert again.training_patients == {"P0", "P1", *split["training_patients"]}
    assert again.network.config.embedding_layer == 128


def test_a_file_of_a_run_is_no_way_around_whom_it_saw(pretraining: Path, studies: Path, tmp_path: Path) -> None:
    class Listener(SilentReporter):
        def __init__(self) -> None:
            self.lines: list[str] = []

        def log(self, line: str) -> None:
            self.lines.append(line)

    kept = sorted((pretraining / "kept").glob("*.safetensors"))[0]
    listener = Listener()
    start = starting_point(config(studies, Path("o"), kept, backbone="tiny"), ("normal", "polyp"), "m", listener)
    assert start.training_patients == {"P0", "P1"}
    assert start.lineage["init"] == "file"
    assert not any("unknown" in line for line in listener.lines)
    alone = shutil.copyfile(kept, tmp_path / "weights.safetensors")
    start = starting_point(config(studies, Path("o"), alone, backbone="tiny"), ("normal", "polyp"), "m", listener)
    assert start.training_patients == set()
    assert "which patients weights.safetensors was trained on" in listener.lines[-1]


def test_a_split_that_cannot_avoid_them_says_so(pretraining: Path, tmp_path: Path) -> None:
    known = write_tiny_studies(tmp_path / "known", patients=2)
    result = finetune(config(known, tmp_path / "run", pretraining), SilentReporter())
    assert "was trained on held-out patients" in result["warning"]


def test_a_half_written_pretraining_and_one_of_another_kind_are_told(
    pretraining: Path, studies: Path, tmp_path: Path
) -> None:
    half = tmp_path / "half"
    half.mkdir()
    (half / "config.json").write_text((pretraining / "config.json").read_text())
    with pytest.raises(UserError, match="no complete checkpoint"):
        finetune(config(studies, tmp_path / "a", half), SilentReporter())
    with pytest.raises(UserError, match="not a fine-tuning but a pretrain"):
        finetune(config(studies, pretraining, Path("random"), resume=True), SilentReporter())
