"""A finetuning as a whole, on tiny studies: what it learns, writes, keeps, and says when it cannot."""

import csv
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.findings import BoxRow, write_boxes
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.datasets.score_table import read_scores
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config, stored_config
from training.finetuning.start import finetune
from training.losses.terms import Losses
from training.methods.tl_ba import TripletBatchAll
from training.metrics.detector import auc
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.checkpoint import list_checkpoints
from training.runs.reporter import Cancelled, SilentReporter


class Listener(SilentReporter):
    """Remembers what it is told; asks for a stop or a cancel after a step."""

    def __init__(self, stop_after: int | None = None, cancel_after: int | None = None) -> None:
        self.lines: list[str] = []
        self.partials: list[tuple[str, Mapping[str, Any]]] = []
        self.steps = 0
        self._stop_after, self._cancel_after = stop_after, cancel_after

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return self._stop_after is not None and self.steps >= self._stop_after

    def check(self) -> None:
        if self._cancel_after is not None and self.steps >= self._cancel_after:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        if unit == "steps":
            self.steps = done

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        self.partials.append((name, payload))

    def log(self, line: str) -> None:
        self.lines.append(line)

    @property
    def said(self) -> str:
        return "\n".join(self.lines)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


def config(studies: Path, out: Path, **fields: Any) -> FinetuneConfig:
    plain: dict[str, Any] = {
        "studies": studies / "manifest.json",
        "labels": studies / "labels.csv",
        "out": out,
        "init": "random",
        "backbone": "tiny",
        "input_size": 32,
        "steps": 20,
        "batch_size": 12,
        "device": "cpu",
        "precision": "float32",
        "checkpoint_seconds": 1e9,
        "threads": 1,
        "evaluations": 2,
    }
    return finetune_config(**{**plain, **fields})


def curve(run: Path) -> list[dict[str, str]]:
    """Rows of metrics.csv without the speed, which no two runs share."""
    with (run / "metrics.csv").open(newline="") as file:
        return [
            {name: value for name, value in row.items() if name != "images_per_second"} for row in csv.DictReader(file)
        ]


@pytest.fixture(scope="module")
def first_run(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], Listener]:
    run = tmp_path_factory.mktemp("first") / "Läufe 1"
    listener = Listener()
    return run, finetune(config(studies, run, steps=30), listener), listener


@pytest.mark.parametrize("preset", ["default", "quick", "whole"])
def test_steps_and_weights_do_not_depend_on_the_speed_of_the_computer(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    """A clock that runs a thousand times as fast makes a slow computer."""
    digests = []
    for factor in (1, 1000):
        clock, run = time.perf_counter, tmp_path / str(factor)
        with monkeypatch.context() as patch:
            for name in ("monotonic", "perf_counter"):
                patch.setattr(time, name, lambda clock=clock, factor=factor: factor * clock())
            asked = config(studies, run, steps=None, epochs=2.0, preset=preset, checkpoint_seconds=15)
            result = finetune(asked, SilentReporter())
        digests.append((result["steps_done"], ModelFolder.open(run / "model").sha256))
    assert digests[0] == digests[1]
    assert digests[0][0] > 1


def test_it_learns_and_writes_a_whole_run_folder(first_run: tuple[Path, dict[str, Any], Listener]) -> None:
    run, result, listener = first_run
    names = {path.name for path in run.iterdir()}
    assert names == {
        "config.json", "split.json", "log.txt", "events.jsonl", "metrics.csv", "held_out.csv", "card.json",
        "checkpoints", "model", "inputs", "scores.csv", "state.json",
    }  # fmt: skip
    assert result["held_out"]["polyp"]["auc"] > 0.95
    assert result["finished"]
    assert "Too little data" in result["warning"]
    assert [int(row["step"]) for row in curve(run)] == list(range(1, 31))
    assert [payload["step"] for name, payload in listener.partials if name == "held_out"] == [15, 30]
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    assert sum(event["event"] == "partial" for event in events) == 32
    assert "Training on" in (run / "log.txt").read_text(encoding="utf-8")


def test_the_split_and_the_card_say_what_was_done(first_run: tuple[Path, dict[str, Any], Listener]) -> None:
    run, result, _ = first_run
    split = json.loads((run / "split.json").read_text())
    assert split["kind"] == "patients"
    assert len(split["training_patients"]) == 3
    assert len(split["held_out_patients"]) == 1
    table = read_scores(run / "scores.csv")
    assert (table.classes, set(table.patients)) == (("normal", "polyp"), set(split["held_out_patients"]))
    positive = np.array([labels == ("polyp",) for labels in table.labels])
    assert auc(positive, table.scores[:, 1]) == pytest.approx(result["held_out"]["polyp"]["auc"], abs=1e-4)
    folder = ModelFolder.open(run / "model")
    assert folder.config.classes == ("normal", "polyp")
    assert folder.card["lineage"] == {"init": "random"}
    assert folder.card["trained_on"] == "real"
    assert len(folder.card["data"]["sha256"]) == 64
    assert "name" not in folder.card["computer"], "it was not asked for"
    assert set(result["speeds"]) == {"reading_per_second", "forward_per_second", "seconds"}
    assert all(value > 0 for value in result["speeds"].values())
    assert folder.card["split"]["held_out_patients"] == split["held_out_patients"]
    assert folder.card["held_out"] == result["held_out"]
    assert folder.card["notice"].startswith("Research use only")


def test_config_json_alone_runs_it_again_to_the_same_weights(
    first_run: tuple[Path, dict[str, Any], Listener], tmp_path: Path
) -> None:
    run, _, _ = first_run
    asked = json.loads((run / "config.json").read_text())
    assert asked["command"] == "finetune"
    again = finetune_config(
        **{**asked["config"], "out": tmp_path / "again", "model_name": ModelFolder.open(run).config.model_id}
    )
    finetune(again, SilentReporter())
    assert curve(tmp_path / "again") == curve(run)
    ours, theirs = (load_network(ModelFolder.open(path)).state_dict() for path in (run, tmp_path / "again"))
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_stopped_and_resumed_gives_the_curve_of_no_interruption(studies: Path, tmp_path: Path) -> None:
    whole = finetune(config(studies, tmp_path / "whole", steps=12), SilentReporter())
    stopped = finetune(config(studies, tmp_path / "parts", steps=12), Listener(stop_after=5))
    assert (stopped["finished"], stopped["steps_done"]) == (False, 5)
    assert ModelFolder.open(Path(stopped["model"])).card["finished"] is False
    assert list_checkpoints(tmp_path / "parts" / "checkpoints")[0].step == 5
    resumed = finetune(config(studies, tmp_path / "parts", steps=12, resume=True), SilentReporter())
    assert curve(tmp_path / "parts") == curve(tmp_path / "whole")
    assert resumed["held_out"] == whole["held_out"]
    assert (tmp_path / "parts" / "held_out.csv").read_text() == (tmp_path / "whole" / "held_out.csv").read_text()


def test_a_resumed_run_keeps_its_size(studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"steps": 2, "init": "imagenet", "backbone": "efficientnet_lite0", "input_size": None}
    older = finetune(config(studies, tmp_path / "older", **given), Listener(stop_after=1))
    for name, value in {"MANY_CLASSES": 2, "MANY_FRAMES": 4, "LARGE_INPUT": 48}.items():
        monkeypatch.setattr(f"training.finetuning.config.{name}", value)
    resumed = finetune(config(studies, tmp_path / "older", resume=True, **given), SilentReporter())
    new = finetune(config(studies, tmp_path / "new", **given), SilentReporter())
    sizes = [ModelFolder.open(Path(result["model"])).config.input_size for result in (older, resumed, new)]
    assert sizes == [160, 160, 48]


def test_a_cancelled_run_keeps_its_last_checkpoint_and_can_go_on(studies: Path, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        finetune(config(studies, tmp_path / "run", steps=8, checkpoint_seconds=0), Listener(cancel_after=4))
    assert not (tmp_path / "run" / "model").exists()
    newest = list_checkpoints(tmp_path / "run" / "checkpoints")
    assert newest[0].step in (3, 4)
    result = finetune(config(studies, tmp_path / "run", steps=8, resume=True), SilentReporter())
    assert result["steps_done"] == 8
    assert len(curve(tmp_path / "run")) == 8


def test_a_damaged_checkpoint_is_passed_over(studies: Path, tmp_path: Path) -> None:
    finetune(config(studies, tmp_path / "run", steps=6, checkpoint_seconds=0), Listener(stop_after=4))
    newest, older = list_checkpoints(tmp_path / "run" / "checkpoints")
    newest.weights.write_bytes(newest.weights.read_bytes()[:100])
    listener = Listener()
    finetune(config(studies, tmp_path / "run", steps=6, resume=True), listener)
    assert f"Resuming from the checkpoint of step {older.step}." in listener.said


def test_a_loss_that_is_not_a_number_is_told_and_the_last_good_checkpoint_kept(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = TripletBatchAll.losses, [0]

    def failing(self: TripletBatchAll, images: Tensor, labels: Tensor) -> Losses:
        calls[0] += 1
        losses = real(self, images, labels)
        return losses if calls[0] <= 3 else losses._replace(total=losses.total * math.nan)

    monkeypatch.setattr(TripletBatchAll, "losses", failing)
    with pytest.raises(UserError, match=r"diverged: .* at step 4 \(learning rate 0\.00\d+\)") as caught:
        finetune(config(studies, tmp_path / "run", checkpoint_seconds=0, refit=False), SilentReporter())
    assert "checkpoint of step 3 is kept" in caught.value.hint
    kept = list_checkpoints(tmp_path / "run" / "checkpoints")
    assert kept[0].step == 3
    assert all(bool(tensor.isfinite().all()) for tensor in kept[0].state().values())


def test_from_a_model_the_classes_are_united_and_both_models_are_judged(
    first_run: tuple[Path, dict[str, Any], Listener], tmp_path: Path
) -> None:
    run, _, _ = first_run
    other = write_tiny_studies(tmp_path / "blood", patients=3, kinds=("normal", "blood"))
    listener = Listener()
    asked = config(other, tmp_path / "run", init=str(run), input_size=None, steps=6)
    result = finetune(asked, listener)
    assert result["classes"] == ["normal", "polyp", "blood"]
    assert result["unlabelled_classes"] == ["polyp"]
    assert "Classes of the model without labels in this run: polyp." in listener.said
    told = json.loads(Path(result["comparison"]).read_text())
    assert told["classes"] == ["blood"]
    assert told["old"]["blood"]["auc"] is None
    assert told["new"]["blood"]["auc"] is not None
    assert told["split"] == "patients"
    assert "Too little data" in told["warning"]
    assert result["verdict"] == told["verdict"]
    assert told["verdict"]["sentence"] in listener.said
    assert told["flags"]["classes"]["blood"]["old"] is None
    assert set(told["flags"]["classes"]) == {"polyp", "blood"}
    folder = ModelFolder.open(Path(result["model"]))
    assert folder.config.input_size == 32
    assert folder.card["lineage"]["model_id"] == ModelFolder.open(run).config.model_id
    assert folder.card["lineage"]["trained_on"] == folder.card["trained_on"] == "real"
    assert set(folder.card["lineage"]["taught_patients"]) == set(
        json.loads((run / "split.json").read_text())["training_patients"]
    )


def test_a_model_that_is_not_the_start_can_be_compared_with(
    first_run: tuple[Path, dict[str, Any], Listener], tmp_path: Path
) -> None:
    run, _, _ = first_run
    other = write_tiny_studies(tmp_path / "blood", patients=5, kinds=("normal", "blood"))
    result = finetune(config(other, tmp_path / "run", init="random", replaces=run, steps=6), Listener())
    assert result["classes"] == ["normal", "blood"]
    told = json.loads(Path(result["comparison"]).read_text())
    assert told["old_model"] == ModelFolder.open(run).config.model_id
    assert (told["classes"], told["dropped"], told["unlabelled"]) == (["blood"], ["polyp"], {})
    assert told["new"]["blood"]["auc"] is not None
    card = ModelFolder.open(Path(result["model"])).card
    assert card["lineage"] == {"init": "random"}
    known = json.loads((run / "split.json").read_text())["training_patients"]
    assert set(card["split"]["held_out_patients"]).isdisjoint(known), "the comparison is fair to the other model"
    with pytest.raises(UserError, match="no model folder"):
        finetune(config(other, tmp_path / "again", init="random", replaces=tmp_path / "absent"), Listener())


def test_from_an_unfinished_run_or_a_weights_file(
    first_run: tuple[Path, dict[str, Any], Listener], studies: Path, tmp_path: Path
) -> None:
    run, _, _ = first_run
    half = tmp_path / "half"
    shutil.copytree(run / "checkpoints", half / "checkpoints")
    result = finetune(config(studies, tmp_path / "a", init=str(half), steps=1), SilentReporter())
    assert ModelFolder.open(Path(result["model"])).card["lineage"]["step"] == 30
    weights = run / "model" / "model.safetensors"
    result = finetune(config(studies, tmp_path / "b", init=str(weights), steps=1), SilentReporter())
    assert ModelFolder.open(Path(result["model"])).card["lineage"]["init"] == "file"


def test_one_patient_is_judged_by_time_and_told(tmp_path: Path) -> None:
    alone = write_tiny_studies(tmp_path / "alone", patients=1, frames=60)
    listener = Listener()
    result = finetune(config(alone, tmp_path / "run", steps=2), listener)
    assert result["split"] == "time"
    assert "Only one patient (P0) has labels" in listener.said
    assert "too optimistic" in result["warning"]
    assert "operating_points" not in ModelFolder.open(Path(result["model"])).card


def test_the_card_has_the_figures_within_each_source(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "s", patients=6)
    studies = load_manifest(folder / "manifest.json").studies
    named = tuple(study.model_copy(update={"source": "XY"[number % 2]}) for number, study in enumerate(studies))
    save_manifest(folder / "manifest.json", Manifest(studies=named))
    listener = Listener()
    result = finetune(config(folder, tmp_path / "run", steps=1), listener)
    card = ModelFolder.open(Path(result["model"])).card
    within = card["within_source"]
    sources = card["operating_points"]["sources"]
    assert [entry["source"] for entry in sources] in (["X", None], ["Y", None], ["X", "Y", None])
    assert sources[-1]["normal_frames"] == card["data"]["judged_by"]["normal"]
    assert card["operating_points"]["sentence"] in listener.said
    assert set(within["classes"]["polyp"]["sources"]) <= {"X", "Y"}
    assert within["mean"] is not None
    assert "AUC against normal frames of the same source: mean" in listener.said
    plain = finetune(config(write_tiny_studies(tmp_path / "t"), tmp_path / "other", steps=1), SilentReporter())
    assert "within_source" not in ModelFolder.open(Path(plain["model"])).card


def test_frames_with_two_classes_are_learned_as_both(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "s", kinds=("normal", "polyp", "blood"))
    rows = read_labels(folder / "labels.csv")
    write_labels(folder / "labels.csv", [*rows, LabelRow(study_id="P0-study", start=14, stop=18, label="blood")])
    result = finetune(config(folder, tmp_path / "run", steps=1), SilentReporter())
    assert result["left_out"] == ""
    card = ModelFolder.open(Path(result["model"])).card
    before = {name: sum(row.stop - row.start for row in rows if row.label == name) for name in ("polyp", "blood")}
    assert card["data"]["labelled"]["blood"] == before["blood"] + 2, "frames 16 and 17 were labelled so before"
    assert card["data"]["labelled"]["polyp"] == before["polyp"]
    split = json.loads((tmp_path / "run" / "split.json").read_text(encoding="utf-8"))
    frames = split["training"]["frames"] | split["held_out"]["frames"]
    assert all(len(set(rows)) == len(rows) for rows in frames.values()), "a frame is named once"


def test_frames_that_do_not_fit_into_memory_are_mapped_and_cleared_away(studies: Path, tmp_path: Path) -> None:
    result = finetune(config(studies, tmp_path / "run", steps=1, input_size=128, memory_mib=1), SilentReporter())
    assert result["finished"]
    assert not list((tmp_path / "run").glob("*.tmp"))


@pytest.mark.parametrize(
    ("label", "said"),
    [("polyp", "No frame is labelled normal"), ("normal", "No frame has a label other than normal")],
)
def test_labels_that_cannot_teach_are_told_before_anything_is_written(tmp_path: Path, label: str, said: str) -> None:
    folder = write_tiny_studies(tmp_path / "s", patients=1, kinds=(label,))
    with pytest.raises(UserError, match=said):
        finetune(config(folder, tmp_path / "run"), SilentReporter())
    assert not (tmp_path / "run").exists()


def test_what_to_start_from_is_checked(studies: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="neither a model folder nor a run folder"):
        finetune(config(studies, tmp_path / "a", init=str(tmp_path / "empty")), SilentReporter())
    with pytest.raises(UserError, match="nothing to start from"):
        finetune(config(studies, tmp_path / "b", init=str(tmp_path / "nowhere")), SilentReporter())
    torch.save({"conv1.weight": torch.zeros(1)}, tmp_path / "weights.pth")
    with pytest.raises(UserError, match="does not fit a tiny"):
        finetune(config(studies, tmp_path / "c", init=str(tmp_path / "weights.pth")), SilentReporter())
    (tmp_path / "text.safetensors").write_text("no weights")
    with pytest.raises(UserError, match="not a readable safetensors file"):
        finetune(config(studies, tmp_path / "d", init=str(tmp_path / "text.safetensors")), SilentReporter())


def test_steps_are_chosen_from_labels_and_settings_and_written_down(studies: Path, tmp_path: Path) -> None:
    listener = Listener()
    result = finetune(config(studies, tmp_path / "run", steps=None, epochs=1.0, evaluations=0), listener)
    assert result["steps"] == 6  # 36 polyp frames, 6 a batch: XX
    assert "(all epochs)" in listener.said
    assert json.loads((tmp_path / "run" / "config.json").read_text())["config"]["steps"] == 6
    fields = {"steps": None, "epochs": 1.0, "most_steps": 2, "evaluations": 0}
    assert finetune(config(studies, tmp_path / "short", **fields), listener)["steps"] == 2
    assert "(all epochs would be 6)" in listener.said


def test_a_training_of_an_older_version_is_not_limited_by_its_minutes(studies: Path, tmp_path: Path) -> None:
    fields = config(studies, tmp_path, minutes=0.8).model_dump()
    assert stored_config(fields).minutes == 0.8
    del fields["most_steps"]
    assert stored_config(fields).minutes == 0.0


def test_boxes_give_close_ups_and_are_copied_into_the_run(studies: Path, tmp_path: Path) -> None:
    rows = [
        BoxRow(study_id=f"P{k}-study", frame_index=frame, x_min=20, y_min=20, x_max=40, y_max=40, label="polyp")
        for k in range(4)
        for frame in range(12, 24)
    ]
    write_boxes(tmp_path / "boxes.csv", rows)
    result = finetune(config(studies, tmp_path / "run", steps=2, boxes=tmp_path / "boxes.csv"), SilentReporter())
    assert (tmp_path / "run" / "inputs" / "boxes.csv").read_text() == (tmp_path / "boxes.csv").read_text()
    assert ModelFolder.open(Path(result["model"])).card["method"]["settings"]["close_ups"] == 0.5


def test_a_busy_computer_trains_the_same_model_as_an_idle_one(studies: Path, tmp_path: Path) -> None:
    fields = {"steps": None, "epochs": 2.0, "precision": "auto", "rotations": "free", "evaluations": 0}
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        busy = finetune(config(studies, tmp_path / "busy", **fields), SilentReporter())
    finally:
        for process in burning:
            process.kill()
            process.wait()
    idle = finetune(config(studies, tmp_path / "idle", **fields), SilentReporter())
    assert busy["steps"] == idle["steps"] == 12
    weights = [load_file(Path(result["model"]) / "model.safetensors") for result in (busy, idle)]
    assert weights[0].keys() == weights[1].keys()
    assert all(torch.equal(tensor, weights[1][name]) for name, tensor in weights[0].items())
