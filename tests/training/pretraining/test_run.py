"""A pretraining as a whole, on tiny studies: what it learns, writes, keeps, and says when it cannot."""

import csv
import json
import math
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from tests.training.finetuning.test_run import Listener
from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.warm_python import warm_python
from training.datasets import sequences
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.losses.terms import Losses
from training.methods.time_triplet import TimeTriplet, TimeTripletSettings
from training.pretraining.config import PretrainConfig, pretrain_config
from training.pretraining.pretrained import Pretrained
from training.pretraining.recorder import even_steps
from training.pretraining.run import pretrain
from training.pretraining.studies import pretrain_studies
from training.runs.checkpoint import list_checkpoints
from training.runs.reporter import Cancelled, SilentReporter


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"), patients=3)


def config(folder: Path, out: Path, **fields: Any) -> PretrainConfig:
    plain: dict[str, Any] = {
        "studies": folder / "manifest.json",
        "out": out,
        "init": "random",
        "backbone": "tiny",
        "input_size": 32,
        "sequence_length": 10,
        "window": 2,
        "steps": 10,
        "step_every": 4,
        "workers": 0,
        "device": "cpu",
        "precision": "float32",
        "checkpoint_seconds": 1e9,
        "checkpoints_kept": 2,  # each is 45 MB
        "threads": 1,
    }
    known = PretrainConfig.of(fields.get("method")).model_fields
    return pretrain_config(**{name: value for name, value in plain.items() if name in known} | fields)


def curve(run: Path) -> list[dict[str, str]]:
    """Rows of metrics.csv without the speed, which no two runs share."""
    with (run / "metrics.csv").open(newline="") as file:
        return [
            {name: cell for name, cell in row.items() if name != "images_per_second"} for row in csv.DictReader(file)
        ]


def kept(run: Path) -> dict[str, dict[str, Tensor]]:
    return {path.name: load_file(path) for path in sorted((run / "kept").iterdir())}


def same(ours: Mapping[str, Mapping[str, Tensor]], theirs: Mapping[str, Mapping[str, Tensor]]) -> bool:
    return ours.keys() == theirs.keys() and all(
        torch.equal(ours[file][name], theirs[file][name]) for file in ours for name in ours[file]
    )


Run = tuple[Path, dict[str, Any], Listener]


@pytest.fixture(scope="module")
def first_run(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    run = tmp_path_factory.mktemp("first") / "Läufe 1"
    listener = Listener()
    asked = config(studies, run, labels=studies / "labels.csv", evaluations=2, held_out_patients=("P9",))
    return run, pretrain(asked, listener), listener


def test_it_writes_a_whole_run_folder(first_run: Run) -> None:
    run, result, listener = first_run
    assert {path.name for path in run.iterdir()} == {
        "config.json", "split.json", "log.txt", "events.jsonl", "metrics.csv", "knn.csv", "card.json", "checkpoints",
        "kept", "inputs", "state.json",
    }  # fmt: skip
    assert [int(row["step"]) for row in curve(run)] == list(range(1, 11))
    assert all(float(row["loss"]) > 0 and 0 <= float(row["violating_share"]) <= 1 for row in curve(run))
    assert result["finished"]
    assert result["frames"] == 72
    assert result["patients"] == 3
    points = [payload for name, payload in listener.partials if name == "curve"]
    wanted = {"step", "loss", "violating_share", "learning_rate", "embedding_norm", "images_per_second"}
    wanted |= {"mean_distance", "distance_to_margin"}
    assert wanted <= points[0].keys()
    assert points[0]["images_per_second"] > 0
    told = [payload for name, payload in listener.partials if name == "knn"]
    assert [payload["step"] for payload in told] == [0, 5, 10]
    assert all(payload["frames"] == 72 and payload["patients"] == 3 for payload in told)
    assert result["knn"] == told[-1]["accuracy"]


def test_weights_of_the_start_and_at_even_steps_are_kept_with_the_head(first_run: Run) -> None:
    run, result, _ = first_run
    assert result["kept"] == [0, 5, 10]
    assert even_steps(21_000, 10) == set(range(0, 21_001, 2100))  # the paper's start and ten even steps
    start, end = kept(run)["step-000000.safetensors"], kept(run)["step-000010.safetensors"]
    assert {"trunk.conv1.weight", "head.1.weight", "head.3.weight", "head.5.bias"} <= end.keys()
    assert not torch.equal(start["trunk.conv1.weight"], end["trunk.conv1.weight"])
    assert not torch.equal(start["head.5.weight"], end["head.5.weight"])


@pytest.mark.parametrize("batch_norm", ["adapt", "frozen"])
def test_frozen_batch_norm_keeps_the_running_statistics(studies: Path, tmp_path: Path, batch_norm: str) -> None:
    fields = {"labels": studies / "labels.csv", "evaluations": 2, "steps": 2, "checkpoints_kept": 1}
    pretrain(config(studies, tmp_path / "run", batch_norm=batch_norm, **fields), SilentReporter())
    start, end = kept(tmp_path / "run").values()
    assert not torch.equal(start["trunk.layer4.0.conv1.weight"], end["trunk.layer4.0.conv1.weight"])
    statistics = [name for name in start if name.endswith(("running_mean", "running_var", "num_batches_tracked"))]
    assert statistics
    assert all(torch.equal(start[name], end[name]) for name in statistics) == (batch_norm == "frozen")


def test_the_split_and_the_card_say_whose_studies_taught_it(first_run: Run) -> None:
    run, _, _ = first_run
    split, card = (json.loads((run / name).read_text()) for name in ("split.json", "card.json"))
    assert split["training_patients"] == ["P0", "P1", "P2"]
    assert split["held_out_patients"] == ["P9"]
    assert split["spans"] == {f"P{k}-study": [[0, 24]] for k in range(3)}
    assert card["method"]["name"] == "time-triplet"
    assert card["method"]["settings"]["window"] == 2
    assert card["lineage"] == {"init": "random"}
    assert card["split"]["training_patients"] == ["P0", "P1", "P2"]
    assert card["figures"]["knn_accuracy"] is not None
    assert card["notice"].startswith("Research use only")
    assert len(card["data"]["sha256"]) == 64
    assert card["computer"]["cores"] > 0
    assert str(run.parent) not in (run / "card.json").read_text()


def test_config_json_alone_runs_it_again_to_the_same_weights(first_run: Run, tmp_path: Path) -> None:
    run, _, _ = first_run
    asked = json.loads((run / "config.json").read_text())
    assert asked["command"] == "pretrain"
    pretrain(pretrain_config(**{**asked["config"], "out": tmp_path / "again"}), SilentReporter())
    assert curve(tmp_path / "again") == curve(run)
    assert same(kept(tmp_path / "again"), kept(run))


@pytest.mark.parametrize("fields", [{}, {"method": "simclr", "sequences": 6, "optimizer": "adamw"}])
def test_stopped_and_resumed_gives_the_curve_of_no_interruption(
    studies: Path, tmp_path: Path, fields: dict[str, Any]
) -> None:
    fields = {"labels": studies / "labels.csv", "evaluations": 2, "steps": 4, "step_every": 3, **fields}
    pretrain(config(studies, tmp_path / "whole", **fields), SilentReporter())
    stopped = pretrain(config(studies, tmp_path / "parts", **fields), Listener(stop_after=1))
    assert (stopped["finished"], stopped["steps_done"]) == (False, 1)
    listener = Listener()
    resumed = pretrain(config(studies, tmp_path / "parts", resume=True, **fields), listener)
    assert "Resuming from the checkpoint of step 1." in listener.said
    assert resumed["finished"]
    assert curve(tmp_path / "parts") == curve(tmp_path / "whole")
    assert (tmp_path / "parts" / "knn.csv").read_text() == (tmp_path / "whole" / "knn.csv").read_text()
    assert same(kept(tmp_path / "parts"), kept(tmp_path / "whole"))


def test_a_cancelled_run_keeps_its_last_checkpoint_and_can_go_on(studies: Path, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        pretrain(config(studies, tmp_path / "run", steps=3, checkpoint_seconds=0), Listener(cancel_after=2))
    assert list_checkpoints(tmp_path / "run" / "checkpoints")[0].step in (1, 2)
    result = pretrain(config(studies, tmp_path / "run", steps=3, resume=True), SilentReporter())
    assert result["steps_done"] == 3
    assert len(curve(tmp_path / "run")) == 3


def test_a_resumed_run_that_was_finished_says_so_again(first_run: Run, studies: Path) -> None:
    run, result, _ = first_run
    again = pretrain(config(studies, run, resume=True), SilentReporter())
    assert again == result


def test_rates_and_optimizer_are_the_papers() -> None:
    from training.models.projection_head import Pretrainer
    from training.optimisation.schedule import rate_factor
    from training.pretraining.batches import make_optimizer

    asked = pretrain_config(studies="m.json", out="run")
    assert asked.preset == "paper"
    assert (asked.backbone, asked.input_size, asked.steps) == ("resnet50", 256, 21_000)
    assert isinstance(asked, TimeTripletSettings)
    assert (asked.sequence_length, asked.sequences, asked.window, asked.margin) == (72, 1, 9, 0.2)
    assert asked.projection == (128, 128, 128)
    network = Pretrainer("tiny", asked.projection)
    optimizer = make_optimizer(network, asked)
    assert type(optimizer) is torch.optim.SGD
    (group,) = optimizer.param_groups
    assert (group["lr"], group["momentum"], group["weight_decay"], group["nesterov"]) == (0.1, 0.0, 1e-4, False)
    assert len(group["params"]) == len(list(network.parameters()))
    rates = {step: asked.learning_rate * rate_factor(asked, step, asked.steps) for step in range(asked.steps)}
    expected = {0: 0.1, 4299: 0.1, 4300: 0.02, 8600: 0.004, 12_899: 0.004, 12_900: 8e-4, 17_200: 1.6e-4, 20_999: 1.6e-4}
    assert {step: rates[step] for step in expected} == pytest.approx(expected)
    assert len({round(rate, 12) for rate in rates.values()}) == 5


def test_the_rates_of_a_run_are_those_of_its_schedule(first_run: Run) -> None:
    told = [float(row["learning_rate"]) for row in curve(first_run[0])]
    assert told == pytest.approx([0.1] * 4 + [0.02] * 4 + [0.004] * 2)


def test_the_projection_head_is_three_times_relu_and_dense_128() -> None:
    from training.models.projection_head import ProjectionHead

    layers = list(ProjectionHead(2048))
    assert [type(layer).__name__ for layer in layers] == ["ReLU", "Linear"] * 3
    shapes = [(layer.in_features, layer.out_features) for layer in layers if isinstance(layer, nn.Linear)]
    assert shapes == [(2048, 128), (128, 128), (128, 128)]


def test_twenty_steps_from_the_shell(studies: Path, tmp_path: Path) -> None:
    arguments = [
        "pretrain", "--method", "time-triplet", "--studies", str(studies / "manifest.json"), "--out",
        str(tmp_path / "run"), "--init", "random", "--preset", "smoke", "--device", "cpu", "--set", "input_size=32",
        "--set", "threads=1", "--set", "precision=float32",
    ]  # fmt: skip
    child = subprocess.run(
        [*warm_python(), "-m", "training", *arguments], capture_output=True, text=True, timeout=400, check=False
    )
    assert child.returncode == 0, child.stderr
    assert "Traceback" not in child.stderr
    assert len(curve(tmp_path / "run")) == 20
    assert Pretrained.open(tmp_path / "run").step == 20
    assert len(kept(tmp_path / "run")) == 11


def test_a_loss_that_is_not_a_number_is_told_and_the_last_good_checkpoint_kept(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = TimeTriplet.losses_of, [0]

    def failing(self: TimeTriplet, projection: Tensor, labels: Tensor) -> Losses:
        calls[0] += 1
        losses = real(self, projection, labels)
        return losses if calls[0] <= 3 else losses._replace(total=losses.total * math.nan)

    monkeypatch.setattr(TimeTriplet, "losses_of", failing)
    with pytest.raises(UserError, match=r"diverged: .* at step 4 \(learning rate 0\.1\)") as caught:
        pretrain(config(studies, tmp_path / "run", checkpoint_seconds=0), SilentReporter())
    assert "checkpoint of step 3 is kept" in caught.value.hint
    newest = list_checkpoints(tmp_path / "run" / "checkpoints")[0]
    assert newest.step == 3
    assert all(bool(tensor.isfinite().all()) for tensor in newest.state().values())
    assert Pretrained.open(tmp_path / "run").step == 3


def test_a_patient_to_be_kept_out_never_enters(studies: Path, first_run: Run, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="patient P1 is held out of the pretraining, but the manifest has"):
        pretrain(config(studies, tmp_path / "run", held_out_patients=("P7", "P1")), SilentReporter())
    assert not (tmp_path / "run").exists()
    # Nor by way of the weights that the run starts from.
    everyone = load_manifest(studies / "manifest.json")
    save_manifest(tmp_path / "others.json", Manifest(studies=everyone.studies[:1]))
    asked = config(
        studies, tmp_path / "run", studies=tmp_path / "others.json", init=str(first_run[0]), held_out_patients=("P2",)
    )
    with pytest.raises(UserError, match=r"patient P2 .* the initial weights were trained on their studies"):
        pretrain(asked, SilentReporter())
    assert not (tmp_path / "run").exists()


def test_a_study_of_which_nothing_can_be_read_is_named(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "s", patients=2, frames=12)
    for path in (folder / "P1").iterdir():
        path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(UserError, match="P1"):
        pretrain(config(folder, tmp_path / "run", sequences=2, sequence_length=6), SilentReporter())


def test_frames_that_do_not_decode_are_left_out_and_told_once(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "s", patients=2, frames=20)
    for path in sorted((folder / "P1").iterdir())[4:7]:
        path.write_bytes(path.read_bytes()[:60])
    listener = Listener()
    pretrain(config(folder, tmp_path / "run", sequence_length=20, steps=4), listener)
    assert listener.said.count("Some frames of study P1-study cannot be decoded") == 1


def test_a_half_written_run_folder_is_told_and_left_alone(studies: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "split.json").write_text("{}")
    with pytest.raises(UserError, match="is not empty"):
        pretrain(config(studies, run), SilentReporter())
    with pytest.raises(UserError, match=r"incomplete: its config\.json is missing or damaged"):
        pretrain(config(studies, run, resume=True), SilentReporter())
    (run / "config.json").write_text('{"command": "pretrain", "conf')
    with pytest.raises(UserError, match="incomplete"):
        pretrain(config(studies, run, resume=True), SilentReporter())
    (run / "config.json").write_text('{"command": "finetune", "config": {}}')
    with pytest.raises(UserError, match="is not a pretraining but a finetune"):
        pretrain(config(studies, run, resume=True), SilentReporter())
    assert {path.name for path in run.iterdir()} == {"split.json", "config.json"}


def test_a_damaged_checkpoint_is_passed_over(studies: Path, tmp_path: Path) -> None:
    pretrain(config(studies, tmp_path / "run", steps=4, checkpoint_seconds=0), Listener(stop_after=3))
    newest, older = list_checkpoints(tmp_path / "run" / "checkpoints")
    newest.weights.write_bytes(newest.weights.read_bytes()[:100])
    listener = Listener()
    pretrain(config(studies, tmp_path / "run", steps=4, resume=True), listener)
    assert f"Resuming from the checkpoint of step {older.step}." in listener.said


def test_a_setting_that_differs_from_the_run_to_resume_is_told(studies: Path, tmp_path: Path) -> None:
    pretrain(config(studies, tmp_path / "run", steps=3), Listener(stop_after=1))
    with pytest.raises(UserError, match="was started with window = 2, not 3"):
        pretrain(config(studies, tmp_path / "run", steps=3, window=3, resume=True), SilentReporter())


def test_batches_that_cannot_hold_a_triplet_are_told(studies: Path, tmp_path: Path) -> None:
    def warning(**fields: Any) -> str:
        return pretrain_studies(config(studies, tmp_path / "run", **fields), SilentReporter()).warning

    assert warning(sequence_length=10, window=8) == ""
    assert "within the window of 9" in warning(sequence_length=10, window=9)
    assert "within the window of 23" in warning(sequence_length=72, window=23)  # the studies have 24 frames
    assert warning(sequence_length=10, window=9, sequences=2) == ""
    assert "has one frame" in warning(sequence_length=1, sequences=3)
    assert warning(method="simclr", sequence_length=1, sequences=3) == ""


def test_a_recording_too_long_for_its_pseudo_labels_is_told(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequences, "STUDY_STRIDE", 25)  # 24 frames and a window of 2 do not stay below
    with pytest.raises(UserError, match="Frame 23 of a study and a window of 2 frames do not stay below 25"):
        pretrain(config(studies, tmp_path / "run"), SilentReporter())
    assert not (tmp_path / "run").exists()


def test_labels_that_do_not_fit_the_studies_are_told(studies: Path, tmp_path: Path) -> None:
    rows = read_labels(studies / "labels.csv")
    for wrong, said in (
        (LabelRow(study_id="P0-study", start=20, stop=30, label="polyp"), "past the end of the study"),
        (LabelRow(study_id="P8", start=0, stop=3, label="polyp"), "study P8, which is not in the manifest"),
    ):
        write_labels(tmp_path / "labels.csv", [*rows, wrong])
        with pytest.raises(UserError, match=said):
            pretrain(config(studies, tmp_path / wrong.study_id, labels=tmp_path / "labels.csv"), SilentReporter())
        assert not (tmp_path / wrong.study_id).exists()


def test_a_time_limit_stops_a_pretraining_that_goes_on_when_resumed(studies: Path, tmp_path: Path) -> None:
    listener = Listener()
    result = pretrain(config(studies, tmp_path / "run", steps=3, minutes=1e-12, evaluations=0), listener)
    assert (result["steps"], result["steps_done"]) == (3, 0)
    assert "the time limit, at step 0" in listener.said
    resumed = pretrain(config(studies, tmp_path / "run", steps=3, minutes=0, resume=True), SilentReporter())
    assert resumed["steps_done"] == 3


def test_the_presets_are_valid_and_small_enough_to_be_tried() -> None:
    from training.pretraining.config import PRESETS

    for name in PRESETS:
        assert pretrain_config(studies="m.json", out="run", preset=name).preset == name
    with pytest.raises(UserError, match="preset 'big' is unknown"):
        pretrain_config(studies="m.json", out="run", preset="big")
    with pytest.raises(UserError, match="setting window cannot be used"):
        pretrain_config(studies="m.json", out="run", window=0)
