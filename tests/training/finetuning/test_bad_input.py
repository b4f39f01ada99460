"""What a finetuning says to input that it cannot use: a sentence, and nothing lost."""

import hashlib
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
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.datasets.split import Split
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.start import finetune
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
        finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert not (tmp_path / "run" / "model").exists()


def test_a_study_of_which_nothing_can_be_read_is_named(studies: Path, tmp_path: Path) -> None:
    for path in (studies / "P2").iterdir():
        path.write_bytes(b"no picture")
    with pytest.raises(UserError, match="P2"):
        finetune(config(studies, tmp_path / "run"), SilentReporter())


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
        finetune(config(studies, tmp_path / "run", init=str(half)), SilentReporter())


def test_a_checkpoint_of_another_architecture_is_told(studies: Path, tmp_path: Path) -> None:
    other = ModelConfig(backbone="resnet50", classes=("normal", "polyp"), input_size=32)
    half = half_run(tmp_path / "half", {"model_config": other.model_dump_json()})
    with pytest.raises(UserError, match=r"step-000001\.safetensors"):
        finetune(config(studies, tmp_path / "run", init=str(half)), SilentReporter())


def test_a_resumed_run_with_the_checkpoint_of_another_one_is_told_and_keeps_it(studies: Path, tmp_path: Path) -> None:
    finetune(config(studies, tmp_path / "run"), SilentReporter())
    checkpoint = list_checkpoints(tmp_path / "run" / "checkpoints")[0]
    state = load_file(checkpoint.weights)
    state["classifier.weight"] = torch.zeros(5, 512)
    save_file(state, checkpoint.weights, checkpoint.header())
    with pytest.raises(UserError, match=r"another architecture: classifier\.weight"):
        finetune(config(studies, tmp_path / "run", resume=True), SilentReporter())
    assert checkpoint.weights.is_file()


@pytest.mark.parametrize("content", ["", '{"command": "finetune"', '{"command": "finetune"}'])
def test_a_half_written_run_folder_is_told_and_left_as_it_is(studies: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(content)
    with pytest.raises(UserError, match=r"incomplete: its config\.json is missing or damaged"):
        finetune(config(studies, tmp_path / "run", resume=True), SilentReporter())
    with pytest.raises(UserError, match="is not empty"):
        finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["config.json"]


def test_a_pickle_is_no_model(studies: Path, tmp_path: Path) -> None:
    finetune(config(studies, tmp_path / "old"), SilentReporter())
    weights = tmp_path / "old" / "model" / "model.safetensors"
    torch.save({"a": torch.zeros(1)}, weights)
    with pytest.raises(UserError, match=r"wrong hash|pickle"):
        finetune(config(studies, tmp_path / "run", init=str(tmp_path / "old")), SilentReporter())
    shutil.copyfile(weights, tmp_path / "model.pt")
    with pytest.raises(UserError, match="does not fit a tiny"):
        finetune(config(studies, tmp_path / "run2", init=str(tmp_path / "model.pt")), SilentReporter())


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
        finetune(config(studies, tmp_path / "run", steps=4, checkpoint_seconds=0), SilentReporter())
    assert "resume" in caught.value.hint
    assert list_checkpoints(tmp_path / "run" / "checkpoints")[0].step == 1


@pytest.mark.parametrize("setting", ["studies", "labels", "boxes"])
def test_a_pipe_in_place_of_a_table_is_refused_and_leaves_no_run_folder(
    studies: Path, tmp_path: Path, setting: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with_pipe = config(studies, tmp_path / "run").model_copy(update={setting: tmp_path / "pipe"})
    with pytest.raises(UserError, match=f"{tmp_path / 'pipe'} is a pipe"):
        finetune(with_pipe, SilentReporter())
    if setting != "studies":
        assert not (tmp_path / "run").exists()


def test_a_span_far_past_the_end_of_its_study_is_refused(studies: Path, tmp_path: Path) -> None:
    manifest = json.loads((studies / "manifest.json").read_text())
    manifest["studies"][0]["spans"] = [{"start": 0, "stop": 10_000_000}]
    (studies / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="ends at frame 10000000, past the end of the study"):
        finetune(config(studies, tmp_path / "run"), SilentReporter())


def add_labels(studies: Path, *rows: tuple[str, int, int, str], keep: str = "") -> None:
    """Add labels to those of the studies whose id starts with `keep`."""
    kept = [row for row in read_labels(studies / "labels.csv") if row.study_id.startswith(keep)]
    added = [LabelRow(study_id=study, start=start, stop=stop, label=label) for study, start, stop, label in rows]
    write_labels(studies / "labels.csv", [*kept, *added])


class Lines(SilentReporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("P0-study", 13, 14, "erosion")], "Erosion: 1 frame, not enough to learn; left out."),
        ([("P0-study", 3, 5, "erosion")], "Erosion: 0 of 2 labelled frames can be used"),
    ],
)
def test_a_class_without_usable_frames_is_left_out_before_training_starts(
    studies: Path, tmp_path: Path, rows: list[tuple[str, int, int, str]], said: str
) -> None:
    """A single frame, which is a polyp, too; frames that a reader also called normal."""
    add_labels(studies, *rows)
    log = Lines()
    result = finetune(config(studies, tmp_path / "run"), log)
    at = next(number for number, line in enumerate(log.lines) if said in line)
    assert at < next(number for number, line in enumerate(log.lines) if line.startswith("Training on"))
    assert said in result["left_out"]
    assert result["classes"] == ["normal", "polyp"]
    card = json.loads((tmp_path / "run" / "model" / "card.json").read_text())
    assert said in card["data"]["left_out"]
    assert card["data"]["labelled"]["polyp"] >= 36, "a polyp that is an erosion, too, counts"


def test_a_class_of_one_patient_is_trained_and_not_evaluated(studies: Path, tmp_path: Path) -> None:
    rows = [row for row in read_labels(studies / "labels.csv") if (row.study_id, row.start) != ("P0-study", 0)]
    write_labels(studies / "labels.csv", [*rows, *erosion_and_normal()])
    result = finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert "Erosion: frames of one patient only" in result["left_out"]
    assert result["classes"] == ["normal", "polyp", "erosion"]
    assert result["held_out"]["erosion"]["auc"] is None
    assert result["held_out"]["polyp"]["auc"] is not None


def erosion_and_normal() -> list[LabelRow]:
    return [
        LabelRow(study_id="P0-study", start=start, stop=start + 6, label=label)
        for start, label in ((0, "erosion"), (6, "normal"))
    ]


def test_all_labels_in_one_study_are_split_by_time_and_told(studies: Path, tmp_path: Path) -> None:
    add_labels(studies, keep="P1")
    result = finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert result["split"] == "time"
    assert "Only one patient (P1) has labels" in result["warning"]


def test_contradictory_labels_are_counted_and_all_of_them_is_an_error(studies: Path, tmp_path: Path) -> None:
    add_labels(studies, ("P0-study", 12, 14, "normal"))
    result = finetune(config(studies, tmp_path / "run"), SilentReporter())
    assert "2 called both normal and something else" in result["left_out"]
    add_labels(studies, *((f"P{number}-study", 12, 24, "normal") for number in range(4)))
    before = (studies / "labels.csv").read_bytes()
    with pytest.raises(UserError, match="No class besides normal has enough usable frames") as caught:
        finetune(config(studies, tmp_path / "none"), SilentReporter())
    assert "Polyp: 0 of 48 labelled frames can be used" in caught.value.hint
    assert not (tmp_path / "none").exists()
    assert (studies / "labels.csv").read_bytes() == before


def test_one_class_only_is_told(studies: Path, tmp_path: Path) -> None:
    for label, said in (("polyp", "No frame is labelled normal"), ("normal", "No frame has a label other than normal")):
        write_labels(studies / "labels.csv", [LabelRow(study_id="P0-study", start=0, stop=9, label=label)])
        with pytest.raises(UserError, match=said):
            finetune(config(studies, tmp_path / "run"), SilentReporter())
        assert not (tmp_path / "run").exists()


def test_a_model_folder_of_the_old_form_is_a_start(studies: Path, tmp_path: Path) -> None:
    """Older configs had fewer keys, and older cards neither a split nor a lineage."""
    finetune(config(studies, tmp_path / "old"), SilentReporter())
    folder = tmp_path / "old" / "model"
    stored = json.loads((folder / "config.json").read_text())
    kept = ("schema_version", "model_id", "backbone", "classes", "input_size", "mean", "std")
    rewrite(folder, "config.json", {name: stored[name] for name in kept})
    rewrite(folder, "card.json", {"method": "by hand"})
    add_labels(studies, *((f"P{number}-study", 12, 24, "blood") for number in range(4)))
    rows = [row for row in read_labels(studies / "labels.csv") if row.label != "polyp"]
    write_labels(studies / "labels.csv", rows)
    result = finetune(config(studies, tmp_path / "run", init=str(folder), input_size=None), SilentReporter())
    assert result["classes"] == ["normal", "polyp", "blood"]
    card = json.loads((tmp_path / "run" / "card.json").read_text())
    assert card["unlabelled_sentence"].startswith("Classes of the model without labels in this run: polyp.")


def rewrite(folder: Path, name: str, content: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps(content))
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    lines = [f"{digest}  {name}" if line.endswith(f"  {name}") else line for line in sums]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")
