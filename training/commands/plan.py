"""`plan`: how long jobs over many studies would take, by what a few seconds of each show on this computer.

Every job is run as it will be, in a folder that is removed, and stopped: what it did says what a frame or a step
takes, what comes once (start, index, evaluations), and how large its files are. On a cluster a worker of each kind
measures.
"""

import math
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from pydantic import Field, field_validator

from training import version
from training.commands.common import CommandConfig, find_command
from training.commands.work import result_of
from training.compute.plan import inference_device
from training.datasets.manifest import Manifest, StudyEntry, load_manifest
from training.errors import UserError
from training.files.scratch import make_scratch_folder
from training.files.terminal import in_columns
from training.planning import needs
from training.runs.reporter import Cancelled, PassedOn, Reporter
from training.settings import Only
from training.tasks.executor import Task, pass_on
from training.tasks.parts import current_work
from training.texts import Text

UNITS = {"score": "frames", "pretrain": "steps", "finetune": "steps"}
"""Jobs that can be planned, and what each counts."""
WORKERS = (1, 4, 16, 64)
PRICE = re.compile(r"((cpu|gpu)=)?[0-9]{1,6}(\.[0-9]{1,6})?")
COUNTED = 12
"""Studies whose frames are counted, and of which some are scored; those of others follow from the sizes of files."""
FEWEST_STEPS, MOST_STEPS = 2, 12
"""Of the whole run by which a training is measured."""


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
    price: tuple[str, ...] = Field(
        (), description="What an hour of a worker costs, in any currency: 0.4, or cpu=0.2,gpu=2.5."
    )
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

    @field_validator("price")
    @classmethod
    def _check_price(cls, price: tuple[str, ...]) -> tuple[str, ...]:
        if not all(PRICE.fullmatch(each) for each in price):
            raise ValueError(Text("a price is a number, cpu=NUMBER or gpu=NUMBER"))
        return price

    def price_of(self, kind: Literal["cpu", "gpu"]) -> float:
        """Of an hour of such a worker."""
        prices = {name: float(number) for each in self.price for name, _, number in [each.rpartition("=")]}
        return prices.get(kind, prices.get("", 0.0))


@dataclass(frozen=True)
class Forecast:
    """What a job takes on one worker.

    Attributes:
        seconds: for the whole job.
        disk_bytes: of what it writes.
        can_share: whether several workers share it; else further ones do not shorten it.
    """

    job: str
    seconds: float
    disk_bytes: int
    can_share: bool

    def row(self, config: PlanCommand) -> dict[str, Any]:
        """JSON values; the memory is that of this process so far, at most."""
        device = inference_device(config.device)[0]
        hours, cpu = self.seconds / 3600, version.processor()
        return {
            "job": self.job,
            "worker": cpu if device == "cpu" else f"{cpu}, {device}",
            "hours": {str(count): round(hours / count, 4) for count in (WORKERS if self.can_share else (1,))},
            "memory_gb": round(needs.peak_bytes() / 1e9, 2),
            "disk_gb": round(self.disk_bytes / 1e9, 3),
            "cost": round(hours * config.price_of("cpu" if device == "cpu" else "gpu"), 2),
        }


class Meter(PassedOn):
    """Notes how far a job is at which time, and stops it after a while."""

    def __init__(self, inner: Reporter, unit: str, seconds: float) -> None:
        super().__init__(inner)
        self._unit, self._seconds, self._began = unit, seconds, time.monotonic()
        self._points: list[tuple[float, int]] = []
        self.total = 0
        self.ended_seconds = 0.0
        """How long the job took; the caller's, once it has ended."""

    @property
    def stop_requested(self) -> bool:
        """Once enough was measured."""
        return self._inner.stop_requested or self._is_enough

    @property
    def _is_enough(self) -> bool:
        return len(self._points) > 2 and self._points[-1][0] - self._points[0][0] >= self._seconds

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Note; a person sees that it is measured."""
        if unit == self._unit:
            self.total = total
            if done:
                self._points.append((time.monotonic() - self._began, done))
        self._inner.progress(done, total, unit, Text("measuring"))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Nothing: it is no result."""

    def log(self, line: str) -> None:
        """Nothing: it is said again when the job runs."""

    def end(self) -> None:
        """The job has ended; raises `UserError` where nothing was done."""
        self.ended_seconds = time.monotonic() - self._began
        if not self._points:
            raise UserError("There is too little to do to measure a speed.", "Run it; it takes seconds.")

    @property
    def done(self) -> int:
        """Units that the job did."""
        return self._points[-1][1]

    @property
    def unit_seconds(self) -> float:
        """Of a unit, without the first ones, which are slower; without any others, of the whole job."""
        (first, done), (last, more) = self._points[0], self._points[-1]
        return (last - first) / (more - done) if more > done else last / more

    @property
    def start_seconds(self) -> float:
        """Until the first unit began."""
        return max(0.0, self._points[0][0] - self._points[0][1] * self.unit_seconds)

    @property
    def fixed_seconds(self) -> float:
        """What the job takes besides its units."""
        return max(0.0, self.ended_seconds - self.done * self.unit_seconds)


def run_plan(config: PlanCommand, reporter: Reporter) -> dict[str, Any]:
    """Measure, on a cluster by a worker of each kind; the result has the table as `text`, and a row for each job."""
    manifest, work = load_manifest(config.studies), current_work()
    if work is None:
        rows = [_forecast(config, job, manifest, reporter).row(config) for job in config.do]
    else:
        counts = work.executor.kinds(reporter)
        reads = tuple(path.absolute() for path in (config.studies, config.model, config.labels) if path)
        tasks = [Task(kind, work.job, reads, kind) for kind in counts]
        outcomes = work.executor.run(tasks, reporter, lambda _, event: pass_on(event, reporter))
        rows = [
            {**row, "worker": f"{counts[task.kind]} x {row['worker']}"}
            for task, outcome in outcomes
            for row in result_of(outcome)["jobs"]
        ]
    return {"text": _table(rows), "studies": len(manifest.studies), "jobs": rows}


def _forecast(config: PlanCommand, job: str, manifest: Manifest, reporter: Reporter) -> Forecast:
    folder = make_scratch_folder("plan")
    try:
        return (_scoring if job == "score" else _training)(config, job, manifest, folder, reporter)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _scoring(config: PlanCommand, job: str, manifest: Manifest, folder: Path, reporter: Reporter) -> Forecast:
    """By some studies: the first one also loads the model, which each worker does once."""
    if config.model is None:
        raise UserError("No model is named, so scoring cannot be planned.", "Give a model folder with --model.")
    meters: list[Meter] = []
    studies = _sample(manifest.studies)
    began = time.monotonic()
    for number, study in enumerate(studies * 2):
        out = folder / f"{number}.h5"
        given = {"path": study.path, "model": config.model, "out": out, "numbering": study.frame_numbering}
        meters.append(_measured("score", given, config, reporter))
        if number and time.monotonic() - began >= config.seconds:
            break
    first, *others = meters
    frames = _frames(manifest)
    start = max(0.0, first.start_seconds - fmean(each.start_seconds for each in others))
    per_study = fmean(each.fixed_seconds for each in others)
    per_frame = sum(each.done * each.unit_seconds for each in others) / sum(each.done for each in others)
    once = _process_seconds() + start
    seconds = needs.scoring_seconds(len(manifest.studies), frames, per_study, per_frame, once)
    written = out if out.is_file() else out.with_name(f"{out.name}.partial")  # its whole size is reserved at once
    size = int(written.stat().st_size / max(1, others[-1].total) * frames)
    return Forecast(job, seconds, size, can_share=True)


def _training(config: PlanCommand, job: str, manifest: Manifest, folder: Path, reporter: Reporter) -> Forecast:
    """By its first steps, and by a whole run of a few: it reads, evaluates and writes as often as one of many."""
    name, _, method = job.partition(":")
    named = {"studies": config.studies, "labels": config.labels, "method": method or None}
    given = {**{key: value for key, value in named.items() if value is not None}, **config.settings}
    first = _measured(name, {**given, "out": folder / "first"}, config, reporter)
    steps = min(first.total, max(FEWEST_STEPS, min(MOST_STEPS, round(config.seconds / first.unit_seconds))))
    few = {"steps": steps} | ({"epochs": 0} if name == "pretrain" else {})
    whole = _measured(name, {**given, "out": folder / "whole", **few}, config, reporter, is_whole=True)
    start = max(0.0, first.start_seconds - whole.start_seconds)
    fixed = max(0.0, whole.ended_seconds - steps * first.unit_seconds)
    training = first.total * first.unit_seconds
    if minutes := float(config.settings.get("minutes", 0)):
        training = min(training, 60 * minutes)
    size = sum(path.stat().st_size for path in (folder / "whole").rglob("*") if path.is_file())
    seconds = _process_seconds() + start + fixed + training
    return Forecast(job, seconds, size, can_share=False)


def _measured(
    name: str, given: Mapping[str, Any], config: PlanCommand, reporter: Reporter, *, is_whole: bool = False
) -> Meter:
    """Run a job for a while, or to its end."""
    config_class, run, _ = find_command(name)
    meter = Meter(reporter, UNITS[name], math.inf if is_whole else config.seconds)
    reporter.check()
    run(config_class.checked(**{**given, "device": config.device}), meter)
    if reporter.stop_requested:
        raise Cancelled
    meter.end()
    return meter


def _process_seconds() -> float:
    """How long a process takes to start."""
    if getattr(sys, "frozen", False):
        return 0.0
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", f"import {result_of.__module__}"], check=False)
    return time.monotonic() - began


def _sample(studies: Sequence[StudyEntry]) -> list[StudyEntry]:
    """Some studies, evenly spaced."""
    count = min(COUNTED, len(studies))
    return [studies[round((number + 0.5) * len(studies) / count - 0.5)] for number in range(count)]


def _frames(manifest: Manifest) -> int:
    """Frames of all studies: counted in some, and by the bytes of their files in the others."""
    counted = _sample(manifest.studies)
    frames = sum(study.frame_count() for study in counted)
    if len(counted) == len(manifest.studies):
        return frames
    sizes = {study.study_id: _bytes(study.path) for study in manifest.studies}
    known = sum(sizes[study.study_id] for study in counted)
    return round(frames * sum(sizes.values()) / max(1, known))


def _bytes(path: Path) -> int:
    files = path.iterdir() if path.is_dir() else [path]
    try:
        return sum(file.stat().st_size for file in files)
    except OSError as error:
        raise UserError("{path} cannot be read ({error}).", "Check the manifest.", path, error) from error


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [("job", "worker", *(f"{count} worker{'s' * (count > 1)}" for count in WORKERS), "memory", "disk", "cost")]
    for row in rows:
        hours = [row["hours"].get(str(count)) for count in WORKERS]
        times = ["-" if each is None else _duration(each) for each in hours]
        cost = f"{row['cost']:.2f}" if row["cost"] else "-"
        lines.append(
            (row["job"], row["worker"], *times, f"{row['memory_gb']:.1f} GB", f"{row['disk_gb']:.2f} GB", cost)
        )
    return in_columns(lines)


def _duration(hours: float) -> str:
    if hours < 0.025:
        return f"{3600 * hours:.0f} s"
    return f"{60 * hours:.0f} min" if hours < 1.5 else f"{hours:.1f} h"
