"""Curves and figures for TensorBoard, read with its own reader, and for MLflow, by a stand-in for its client.

The real MLflow is tried by hand: its dependencies are too many for the tests.
"""

import sys
import types
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.training.finetuning.test_run import Listener, config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.errors import UserError
from training.files.json_text import read_json_object
from training.finetuning.start import finetune
from training.runs.folder import RunLog
from training.runs.loggers import numbers_in, open_logger
from training.runs.reporter import Cancelled, SilentReporter

SETTINGS = {
    "method": "tl-ba",
    "preset": "quick",
    "seed": 3,
    "init": "/home/doe/w.pth",
    "model_name": "Doe",
    "refit": True,
}


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


def state_of(run: Path) -> Any:
    return read_json_object(run / "state.json")["state"]


def test_tensorboard_reads_curves_and_final_figures_without_names(studies: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = finetune(config(studies, run, steps=4, log_to="tensorboard"), SilentReporter())
    (file,) = (run / "tensorboard").iterdir()
    reader = EventAccumulator(str(file.parent))
    reader.Reload()
    assert [point.step for point in reader.Scalars("loss")] == [1, 2, 3, 4]
    final = reader.Scalars("final/held_out/any/auc")
    assert [(point.step, round(point.value, 4)) for point in final] == [(4, round(result["held_out"]["any"]["auc"], 4))]
    assert "held_out/auc/any" in reader.Tags()["scalars"]
    content = file.read_bytes()
    assert not [name for name in ("P0", "study", str(tmp_path)) if name.encode() in content]
    assert state_of(run) == "done"


def test_a_stopped_run_says_so_on_disk_and_goes_on_in_the_same_logs(studies: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    finetune(config(studies, run, steps=6, log_to="tensorboard", linear_start=False), Listener(stop_after=2))
    assert state_of(run) == "stopped"
    with pytest.raises(Cancelled):
        finetune(config(studies, run, steps=6, resume=True), Listener(cancel_after=4))
    assert state_of(run) == "cancelled"
    finetune(config(studies, run, steps=6, resume=True), SilentReporter())
    assert state_of(run) == "done"
    assert len(list((run / "tensorboard").iterdir())) == 3


def test_a_library_that_is_missing_is_named_before_anything_is_computed(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("tensorboard.summary.writer.record_writer", "mlflow.entities"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("tensorboard", "mlflow"):
        with pytest.raises(
            UserError, match=r"is not installed\. Install it: pip install 'wce-desktop\[" + name
        ) as raised:
            finetune(config(studies, tmp_path / name, log_to=name), SilentReporter())
        assert str(raised.value)
        assert not (tmp_path / name).exists()


class Client:
    """What is used of MlflowClient."""

    runs: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - of all clients, as the files are

    def __init__(self, address: str) -> None:
        self.address = address

    def get_experiment_by_name(self, name: str) -> Any:
        return types.SimpleNamespace(experiment_id=name) if self.runs else None

    def search_runs(self, experiments: list[str]) -> list[Any]:
        return [types.SimpleNamespace(info=types.SimpleNamespace(run_id=run)) for run in self.runs]

    def create_experiment(self, name: str, artifact_location: str) -> str:
        assert artifact_location == "mlflow-artifacts:/"
        return name

    def create_run(self, experiment: str, run_name: str) -> Any:
        self.runs["r"] = {"tags": {}, "params": {}, "metrics": [], "name": run_name}
        return types.SimpleNamespace(info=types.SimpleNamespace(run_id="r"))

    def log_param(self, run: str, key: str, value: object) -> None:
        self.runs[run]["params"][key] = value

    def log_batch(self, run: str, metrics: list[tuple[Any, ...]]) -> None:
        self.runs[run]["metrics"] += [(name, value, step) for name, value, _, step in metrics]

    def set_tag(self, run: str, key: str, value: str) -> None:
        self.runs[run]["tags"][key] = value

    def set_terminated(self, run: str, status: str) -> None:
        self.runs[run]["status"] = status


@pytest.fixture
def mlflow(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    monkeypatch.setattr(Client, "runs", {})
    entities = types.SimpleNamespace(Metric=lambda *values: values)
    monkeypatch.setitem(sys.modules, "mlflow", types.SimpleNamespace(MlflowClient=Client))
    monkeypatch.setitem(sys.modules, "mlflow.entities", entities)
    return Client.runs


def test_mlflow_gets_numbers_and_no_free_texts(tmp_path: Path, mlflow: dict[str, dict[str, Any]]) -> None:
    for step, state in ((1, "stopped"), (2, "done")):
        logger = open_logger("mlflow", tmp_path, "finetune", SETTINGS)
        assert logger is not None
        logger.add(step, {"loss": 0.5 / step, "held_out/auc/a (b)": 1.0})
        logger.close(state)
    (run,) = mlflow.values()
    assert run["params"] == {"method": "tl-ba", "preset": "quick", "seed": 3, "refit": True}
    assert run["metrics"] == [
        ("loss", 0.5, 1), ("held_out/auc/a _b_", 1.0, 1), ("loss", 0.25, 2), ("held_out/auc/a _b_", 1.0, 2),
    ]  # fmt: skip
    assert (run["status"], run["tags"]["state"], run["name"]) == ("FINISHED", "done", "tl-ba")
    assert "numpy" in run["tags"]


def test_a_logger_that_fails_does_not_end_the_run(
    studies: Path, tmp_path: Path, mlflow: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Client, "log_batch", full)
    listener = Listener()
    result = finetune(config(studies, tmp_path / "run", steps=2, log_to="mlflow"), listener)
    assert result["finished"]
    assert listener.said.count("Logging to another program ended (No space left on device); the run goes on.") == 1


def test_a_cross_validation_logs_its_folds_and_no_curve_of_one_of_them(tmp_path: Path) -> None:
    settings = config(tmp_path, tmp_path, log_to="tensorboard")
    with RunLog(tmp_path, SilentReporter(), "evaluate", settings) as log:
        log.partial("curve", {"step": 5, "loss": 0.3})
        log.partial("fold", {"fold": 0, "seed": 4, "figures": {"auc": 0.9, "mcc": None}})
        log.partial("fold", {"fold": 1, "seed": 4, "figures": {"auc": 0.8, "mcc": None}})
        log.ended({"pooled": {"auc": 0.85, "interval": [0.8, 0.9]}, "dataset": {"studies": 3}})
    reader = EventAccumulator(str(tmp_path / "tensorboard"))
    reader.Reload()
    points = {name: [(p.step, round(p.value, 3)) for p in reader.Scalars(name)] for name in reader.Tags()["scalars"]}
    assert points == {"fold/figures/auc": [(1, 0.9), (2, 0.8)], "final/pooled/auc": [(2, 0.85)]}


def test_only_finite_numbers_are_figures() -> None:
    given = {"a": 1, "b": {"c/d": 0.5, "e": float("nan"), "f": "text", "g": [1], "h": True}}
    assert dict(numbers_in(given)) == {"a": 1.0, "b/c_d": 0.5}


def test_neither_library_is_imported_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("tensorboard", "mlflow"):
        monkeypatch.setitem(sys.modules, name, None)
    assert open_logger("none", tmp_path, "finetune", SETTINGS) is None
