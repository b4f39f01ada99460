"""TensorBoard and MLflow listen to a run: curves, final figures and settings, as numbers in files of its run folder.

Neither library is imported before it is asked for. Names of patients, studies and files, and other free texts, are not
passed on; MLflow reports nothing to its makers.
"""

import math
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from training.errors import UserError
from training.version import versions

FOLDERS = {"tensorboard": "tensorboard", "mlflow": "mlruns"}
"""Logger -> its folder in the run folder, which the viewer of the same name opens."""
TITLES = {"tensorboard": "TensorBoard", "mlflow": "MLflow"}
CURVES = ("held_out", "knn", "validation", "fold")
"""Partial results that are points of curves, beside `curve`; of a cross-validation only `fold`."""
FINAL = ("steps_done", "held_out", "knn", "auroc", "limit", "pooled", "mean", "per_class")
"""Entries of a run's result that hold figures, by class at most."""
CHOICES = ("method", "preset", "backbone", "optimizer", "schedule")
"""Settings that are words and not free texts."""


class RunLogger(Protocol):
    """Writes numbers by name; raises what its library raises."""

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        """Write the figures of a step."""

    def close(self, state: str) -> None:
        """Finish the files of a run that ended as "done", "stopped", "failed" or "cancelled"."""


def open_logger(name: str, folder: Path, command: str, settings: Mapping[str, Any]) -> RunLogger | None:
    """The logger of a run folder, or None for "none".

    Args:
        settings: of the run, all of them.

    Raises:
        UserError: the library is not installed.
    """
    if name == "none":
        return None
    try:
        return _MAKERS[name](folder / FOLDERS[name], command, settings)
    except ImportError as error:
        raise UserError(
            "{title} is not installed.", "Install it: pip install 'wce-desktop[{name}]'.", TITLES[name], name
        ) from error


class TensorBoardLogger:
    """A file of events. TensorBoard's own writer would name the computer in the file's name."""

    def __init__(self, folder: Path, *_: Any) -> None:
        records = import_module("tensorboard.summary.writer.record_writer")
        self._event = import_module("tensorboard.compat.proto.event_pb2").Event
        folder.mkdir(exist_ok=True)
        self._file = records.RecordWriter((folder / f"events.out.tfevents.{time.time_ns()}.run").open("xb"))
        self._write(self._event(wall_time=time.time(), file_version="brain.Event:2"))

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        """Write the figures of a step."""
        event = self._event(wall_time=time.time(), step=step)
        for name, value in figures.items():
            event.summary.value.add(tag=name, simple_value=value)
        self._write(event)

    def _write(self, event: Any) -> None:
        self._file.write(event.SerializeToString())
        self._file.flush()

    def close(self, state: str) -> None:
        """Close the file."""
        self._file.close()


class MlflowLogger:
    """One run in a folder of MLflow's; a run that is resumed goes on in it."""

    def __init__(self, folder: Path, command: str, settings: Mapping[str, Any]) -> None:
        os.environ["MLFLOW_ALLOW_FILE_STORE"] = os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
        self._entities = import_module("mlflow.entities")
        self._client = import_module("mlflow").MlflowClient(folder.resolve().as_uri())
        shutil.rmtree(folder / "0", ignore_errors=True)  # MLflow's empty experiment, which names this folder
        experiment = self._client.get_experiment_by_name(command)
        if experiment is not None:
            self._run = self._client.search_runs([experiment.experiment_id])[0].info.run_id
            return
        # A place that is no path: it would name the folders of this computer.
        number = self._client.create_experiment(command, artifact_location="mlflow-artifacts:/")
        self._run = self._client.create_run(number, run_name=settings["method"]).info.run_id
        for key, value in settings.items():
            if isinstance(value, bool | int | float) or (key in CHOICES and isinstance(value, str)):
                self._client.log_param(self._run, key, value)

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        """Write the figures of a step."""
        now = time.time_ns() // 1_000_000
        metrics = [self._entities.Metric(_plain(name), value, now, step) for name, value in figures.items()]
        self._client.log_batch(self._run, metrics=metrics)

    def close(self, state: str) -> None:
        """Say how the run ended, and which libraries it has used."""
        status = {"done": "FINISHED", "failed": "FAILED"}.get(state, "KILLED")
        for name, value in {**versions(), "state": state}.items():
            self._client.set_tag(self._run, name, value)
        self._client.set_terminated(self._run, status)


_MAKERS: Mapping[str, Callable[..., RunLogger]] = {"tensorboard": TensorBoardLogger, "mlflow": MlflowLogger}


def _plain(name: str) -> str:
    """A name with the characters that MLflow takes, none of which leads out of its folder."""
    return "/".join(re.sub(r"[^\w .-]|^\.+", "_", part) or "_" for part in name.split("/"))


def numbers_in(content: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    """The finite numbers of nested JSON values, by names such as "held_out/polyp/auc"; no lists."""
    for name, value in content.items():
        path = f"{before}{str(name).replace('/', '_')}"
        if isinstance(value, Mapping):
            yield from numbers_in(value, f"{path}/")
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            yield path, float(value)
