"""`plan`: how long jobs over many studies would take, by what a few seconds of each show on this computer.

Every job is run as it will be, in a folder that is removed, and stopped: what it did says how fast it goes, how long it
takes to start, and how large its files are. With `--cluster` a worker of the cluster measures.
"""

import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from training import version
from training.commands.common import CommandConfig, find_command
from training.compute.plan import inference_device
from training.datasets.manifest import Manifest, load_manifest
from training.errors import UserError
from training.files.scratch import make_scratch_folder
from training.runs.reporter import Cancelled, PassedOn, Reporter
from training.settings import Only
from training.texts import Text

UNITS = {"score": "frames", "pretrain": "steps", "finetune": "steps"}
"""Jobs that can be planned, and what each counts."""
WORKERS = (1, 4, 16, 64)
COUNTED = 12
"""Studies whose frames are counted; those of others follow from the sizes of their files."""


class PlanCommand(CommandConfig):
    """Which jobs to plan."""

    only = (Only("model", "do", ("score",)), Only("labels,settings", "do", ("finetune", "pretrain")))

    studies: Path = Field(description="Manifest (JSON) of the studies.")
    do: tuple[str, ...] = Field(
        ("score",), min_length=1, description="Jobs: score, finetune, pretrain, or pretrain:METHOD."
    )
    model: Path | None = Field(None, description="Model folder that scores.")
    labels: Path | None = Field(None, description="Labels (CSV) of a fine-tuning.")
    settings: dict[str, Any] = Field({}, description="Settings of the training, such as steps (JSON).")
    price: float = Field(0.0, ge=0, le=1e6, description="What an hour of a worker costs, in any currency.")
    seconds: float = Field(20.0, ge=1, le=3600, description="How long each job is measured.")

    def inner(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """See `Settings`."""
        for name, _, method in (job.partition(":") for job in self.do):
            if name != "score":
                yield name, {"method": method or None, **self.settings}

    @field_validator("do")
    @classmethod
    def _check_jobs(cls, do: tuple[str, ...]) -> tuple[str, ...]:
        for name in do:
            if name.partition(":")[0] not in UNITS:
                raise ValueError(Text("a job is score, finetune, pretrain or pretrain:METHOD"))
        return do


@dataclass(frozen=True)
class Forecast:
    """What a job takes on one worker.

    Attributes:
        kind: of the worker.
        seconds: for the whole job.
        memory_bytes: of the process at most.
        disk_bytes: of what it writes.
        can_share: whether several workers share it; else further ones do not shorten it.
    """

    job: str
    kind: str
    seconds: float
    memory_bytes: int
    disk_bytes: int
    can_share: bool

    def hours(self, workers: int) -> float:
        """With so many workers of this kind."""
        return self.seconds / 3600 / (workers if self.can_share else 1)


class Meter(PassedOn):
    """Notes how far a job is at which time, and stops it after a while."""

    def __init__(self, inner: Reporter, unit: str, seconds: float) -> None:
        super().__init__(inner)
        self._unit, self._seconds, self._began = unit, seconds, time.monotonic()
        self._points: list[tuple[float, int]] = []
        self.total = 0

    @property
    def stop_requested(self) -> bool:
        """Once enough was measured."""
        return self._inner.stop_requested or self._is_enough

    @property
    def _is_enough(self) -> bool:
        return len(self._points) > 2 and self._points[-1][0] - self._points[0][0] >= self._seconds

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Note; a person sees that it is measured."""
        if unit == self._unit and not self._is_enough:
            self.total = total
            if done:
                self._points.append((time.monotonic() - self._began, done))
        self._inner.progress(done, total, unit, Text("measuring"))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Nothing: it is no result."""

    def log(self, line: str) -> None:
        """Nothing: it is said again when the job runs."""

    @property
    def rate(self) -> float:
        """Units a second; raises `UserError` where nothing was done."""
        if len(self._points) < 2:
            raise UserError("There is too little to do to measure a speed.", "Run it; it takes seconds.")
        (first, done), (last, more) = self._points[0], self._points[-1]
        return (more - done) / max(last - first, 1e-6)

    @property
    def start_seconds(self) -> float:
        """Until the first unit began."""
        return max(0.0, self._points[0][0] - self._points[0][1] / self.rate)

    @property
    def end_seconds(self) -> float:
        """From the last unit until now."""
        return time.monotonic() - self._began - self._points[-1][0]


def run_plan(config: PlanCommand, reporter: Reporter) -> dict[str, Any]:
    """Measure; the result has the table as `text`, and a row for each job."""
    manifest = load_manifest(config.studies)
    forecasts = [_forecast(config, job, manifest, reporter) for job in config.do]
    rows = [
        {
            "job": each.job,
            "worker": each.kind,
            "hours": {str(workers): round(each.hours(workers), 4) for workers in WORKERS},
            "memory_gb": round(each.memory_bytes / 1e9, 2),
            "disk_gb": round(each.disk_bytes / 1e9, 3),
            "cost": round(each.seconds / 3600 * config.price, 2),
        }
        for each in forecasts
    ]
    return {"text": _table(forecasts, config.price), "studies": len(manifest.studies), "jobs": rows}


def _forecast(config: PlanCommand, job: str, manifest: Manifest, reporter: Reporter) -> Forecast:
    name, _, method = job.partition(":")
    folder = make_scratch_folder("plan")
    try:
        if name == "score":
            return _scoring(config, manifest, folder, reporter)
        given = {"studies": config.studies, "labels": config.labels, "method": method or None, **config.settings}
        meter = _measured(name, {**given, "out": folder / "run", "device": config.device}, config, reporter)
        seconds = meter.start_seconds + meter.total / meter.rate + meter.end_seconds
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        return Forecast(job, _kind(config), seconds, _peak_bytes(), size, can_share=False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _scoring(config: PlanCommand, manifest: Manifest, folder: Path, reporter: Reporter) -> Forecast:
    """By two studies: the first one also loads the model, which each worker does once."""
    if config.model is None:
        raise UserError("No model is named, so scoring cannot be planned.", "Give a model folder with --model.")
    meters = []
    for number in range(2):
        study = manifest.studies[number % len(manifest.studies)]
        out = folder / f"{number}.h5"
        given = {"path": study.path, "model": config.model, "out": out, "numbering": study.frame_numbering}
        meters.append(_measured("score", {**given, "device": config.device}, config, reporter))
    first, second = meters
    frames, count = _frames(manifest), len(manifest.studies)
    each = second.start_seconds + second.end_seconds
    seconds = max(0.0, first.start_seconds - second.start_seconds) + count * each + frames / second.rate
    written = out if out.is_file() else out.with_name(f"{out.name}.partial")  # its whole size is reserved at once
    size = int(written.stat().st_size / max(1, second.total) * frames)
    return Forecast("score", _kind(config), seconds, _peak_bytes(), size, can_share=True)


def _measured(name: str, given: Mapping[str, Any], config: PlanCommand, reporter: Reporter) -> Meter:
    """Run a job for a while."""
    config_class, run, _ = find_command(name)
    settings = config_class.checked(**{key: value for key, value in given.items() if value is not None})
    meter = Meter(reporter, UNITS[name], config.seconds)
    reporter.check()
    run(settings, meter)
    if reporter.stop_requested:
        raise Cancelled
    return meter


def _frames(manifest: Manifest) -> int:
    """Frames of all studies: counted in some, and by the bytes of their files in the others."""
    sizes = [_bytes(study.path) for study in manifest.studies]
    counted = [study.frame_count() for study in manifest.studies[:COUNTED]]
    known = sum(sizes[: len(counted)])
    return round(sum(counted) * (sum(sizes) / known if known else len(sizes) / len(counted)))


def _bytes(path: Path) -> int:
    files = path.iterdir() if path.is_dir() else [path]
    try:
        return sum(file.stat().st_size for file in files)
    except OSError as error:
        raise UserError("{path} cannot be read ({error}).", "Check the manifest.", path, error) from error


def _kind(config: PlanCommand) -> str:
    device: Literal["cpu", "cuda", "mps"] = inference_device(config.device)[0]
    return version.processor() if device == "cpu" else f"{version.processor()}, {device}"


def _peak_bytes() -> int:
    """Of this process so far; 0 where the system does not say it."""
    try:
        import resource
        import sys
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _table(forecasts: list[Forecast], price: float) -> str:
    lines = [("job", "worker", *(f"{count} worker{'s' * (count > 1)}" for count in WORKERS), "memory", "disk", "cost")]
    for each in forecasts:
        times = [_duration(each.hours(count)) if count == 1 or each.can_share else "-" for count in WORKERS]
        cost = f"{each.seconds / 3600 * price:.2f}" if price else "-"
        sizes = f"{each.memory_bytes / 1e9:.1f} GB", f"{each.disk_bytes / 1e9:.2f} GB"
        lines.append((each.job, each.kind, *times, *sizes, cost))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _duration(hours: float) -> str:
    if hours < 0.025:
        return f"{3600 * hours:.0f} s"
    return f"{60 * hours:.0f} min" if hours < 1.5 else f"{hours:.1f} h"
