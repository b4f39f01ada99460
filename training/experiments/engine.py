"""One engine for all experiments: cells that are computed once, their order, their spread, and the report folder.

A cell is what one row gives with one seed (and fold). It is kept under the digest of all that changes its figures, so
that the same call continues where it stopped, and further rows or seeds are added to what is there.
"""

import datetime
import hashlib
import os
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from training import version
from training.compute.plan import DeviceName
from training.errors import UserError
from training.files import inputs, json_text
from training.runs.folder import begin_report, keep_result, kept_result, key_of, write_json
from training.runs.reporter import Cancelled, Reporter
from training.tasks import parts

NOTICE = "Research use only, not for diagnosis."
NOTHING = "-"
NOT_REACHED = "not reached"
ONLY_A_TRIAL = "Not a comparison: this budget only checks that everything works."
FEWEST_STEPS = 200
"""Below this a training is no comparison, and is refused."""
LARGE_GROUP = 0.2
"""Share of the frames from which one group dominates the figures."""
RESAMPLES = 2000
"""Of an interval."""
TIMED = 3
"""Steps of which the quickest says how fast a device is."""
Line = Sequence[str]
Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Cells:
    """Results that are computed once, each in a folder named after the digest of all that decides it."""

    folder: Path
    """In a part of a command on a cluster, that of the whole command takes its place."""
    device: DeviceName = "auto"
    threads: int | None = None

    @property
    def machine(self) -> dict[str, str]:
        """What changes the figures besides the settings; see `machine`."""
        return machine(self.device, self.threads)

    def key(self, decides: Mapping[str, Any]) -> str:
        """The digest of what decides a cell, the machine included."""
        return key_of({**decides, "machine": self.machine})

    def place(self, name: str, decides: Mapping[str, Any]) -> Path:
        """The folder of a cell; weights and unfinished trainings are kept there too."""
        return parts.shared(self.folder) / f"{name}-{self.key(decides)}"

    def cell(
        self, name: str, decides: Mapping[str, Any], compute: Callable[[Path], Mapping[str, Any]]
    ) -> dict[str, Any]:
        """The kept cell, else the one that `compute` makes in its folder now.

        Args:
            name: beginning of the folder's name.
            decides: everything that changes the cell's figures, besides the machine; JSON values and paths.
            compute: folder of the cell -> its JSON values; raises `Cancelled` where a stop cut it short.
        """
        place = self.place(name, decides)
        kept = kept_result(place)
        if kept is not None:
            return kept
        parts.check_may_compute()
        result = compute(place)
        keep_result(place, {**decides, "machine": self.machine}, result)
        return dict(result)


def machine(device: DeviceName, threads: int | None) -> dict[str, str]:
    """What changes every figure a little, precision more: device, precision, threads and kind of processor."""
    given = parts.current_work() or parts.current_part()
    if given is not None and given.machine is not None:
        return dict(given.machine)
    import torch

    from training.compute.devices import choose_autocast, choose_device

    used, _ = choose_device(device)
    precision = choose_autocast("auto", used) or torch.float32
    kind = torch.cuda.get_device_name(used) if used.type == "cuda" else processor()
    count = str(threads) if threads else f"the fastest of {os.cpu_count()}"
    return {"device": used.type, "kind": kind, "precision": str(precision).removeprefix("torch."), "threads": count}


def machine_sentence(machine: Mapping[str, str] | None) -> str:
    """On what and how precisely figures were computed, for the notes under a table; None: of an older report."""
    if machine is None:
        return "Precision and processor were not recorded."
    return "Computed in {precision} on {device}: {kind}; threads: {threads}.".format_map(machine)


def processor() -> str:
    """The processor's name, as the system says it, with the instructions that torch uses of it."""
    import torch

    return f"{version.processor()}, {torch.backends.cpu.get_cpu_capability()}"


@dataclass
class Runner(Generic[Key, Result]):
    """Computes cells one after the other, in an order in which a stop leaves comparable rows.

    Attributes:
        reporter: progress, and who asks for a stop.
        unit: of the progress: "cells"; empty where the cells tell their own progress.
        what: of the progress: "benchmark".
        goes_on: whether the other cells are computed where one cannot be.
        failed: cell -> why it could not be computed.
    """

    reporter: Reporter
    unit: str
    what: str
    goes_on: bool = True
    failed: dict[Key, str] = field(default_factory=dict)

    def run(
        self,
        keys: Sequence[Key],
        compute: Callable[[Key], Result],
        describe: Callable[[Key], str],
        *,
        announce: bool = False,
        group: Callable[[Key], Hashable] = lambda key: key,
    ) -> dict[Key, Result]:
        """Cell -> result; what a stop did not reach is missing.

        Args:
            keys: the cells, in their order.
            compute: cell -> result.
            describe: what the log says of a cell; no two are called the same.
            announce: whether the log says which one begins.
            group: cells with the same group share a training, so on a cluster one worker computes them.

        Raises:
            UserError: nothing could be computed, or one cell could not where that ends the run: the first reason.
            parts.PartDone: this process computes a part of a command, which is done.
        """
        part, work = parts.current_part(), parts.current_work()
        if part is not None and (own := [key for key in keys if describe(key) in part.names]):
            for key in own:
                if not self.reporter.stop_requested:
                    compute(key)
            raise parts.PartDone
        if work is not None:
            return self._on_cluster(work, keys, compute, describe, group)
        results: dict[Key, Result] = {}
        first: UserError | None = None
        for number, key in enumerate(keys):
            if self.reporter.stop_requested:
                break
            if self.unit:
                self.reporter.progress(number, len(keys), self.unit, self.what)
            if announce:
                self.reporter.log(f"{describe(key)} ({number + 1} of {len(keys)})")
            try:
                results[key] = compute(key)
            except Cancelled:
                if not self.reporter.stop_requested:
                    raise
                break
            except UserError as error:
                if not self.goes_on:
                    raise
                first = first or error
                self.failed[key] = error.message
                self.reporter.log(f"{describe(key)}, failed: {error.message}")
        if first is not None and not results:
            raise first
        return results

    def _on_cluster(
        self,
        work: parts.Work,
        keys: Sequence[Key],
        compute: Callable[[Key], Result],
        describe: Callable[[Key], str],
        group: Callable[[Key], Hashable],
    ) -> dict[Key, Result]:
        """See `run`: what is kept already, then what workers compute and keep."""
        results = {key: kept for key in keys if (kept := parts.kept_or_none(partial(compute, key))) is not None}
        groups: dict[Hashable, list[Key]] = {}
        for key in keys:
            if key not in results:
                groups.setdefault(group(key), []).append(key)
        names = [[describe(key) for key in each] for each in groups.values()]
        errors = work.compute(names, self.reporter, self.what) if names else {}
        for key in [key for each in groups.values() for key in each]:
            kept = parts.kept_or_none(partial(compute, key))
            if kept is not None:
                results[key] = kept
            elif describe(key) in errors or not self.reporter.stop_requested:
                error = errors.get(describe(key)) or parts.missing(describe(key))
                self.failed[key] = error.message
                self.reporter.log(f"{describe(key)}, failed: {error.message}")
                if not self.goes_on:
                    raise error
        if errors and not results:
            raise next(iter(errors.values()))
        return {key: results[key] for key in keys if key in results}


def refuse_short(steps: int, what: str, hint: str) -> None:
    """Raise `UserError` where the trainings of a comparison ("a pretraining") are too short to compare anything."""
    if steps < FEWEST_STEPS:
        raise UserError(f"{steps} steps {what} are too few for a comparison: at least {FEWEST_STEPS} are needed.", hint)


def counted(count: int, what: str) -> str:
    """ "1 seed", "2 seeds"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Spread:
    """Some values of one figure: of seeds, folds or draws."""

    values: Sequence[float | None]
    """None where a cell cannot say the figure."""

    @property
    def known(self) -> list[float]:
        """The values that there are."""
        return [float(value) for value in self.values if value is not None]

    @property
    def mean(self) -> float | None:
        """None without a value."""
        return fmean(self.known) if self.known else None

    @property
    def deviation(self) -> float | None:
        """Standard deviation (n - 1); None below two values."""
        return stdev(self.known) if len(self.known) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """Mean, deviation and values."""
        return {"mean": self.mean, "deviation": self.deviation, "values": list(self.values)}


def spread_text(mean: float | None, deviation: float | None, *, in_percent: bool = False, sign: str = "") -> str:
    """ "0.812 ± 0.014", of a share in per cent "81.2 ± 1.4 %"; "-" without a mean; `sign` "+" is put before means above
    0.
    """
    if mean is None:
        return NOTHING
    factor, digits, unit = (100, 1, " %") if in_percent else (1, 3, "")
    spread = "" if deviation is None else f" ± {factor * deviation:.{digits}f}"
    return f"{factor * mean:{sign}z.{digits}f}{spread}{unit}"


def interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
    """95 % interval of the mean of (splits, draws), resampling both with replacement (ours); None for one training."""
    splits, draws = values.shape
    if splits * draws == 1:
        return None
    rng = np.random.default_rng(43)
    means = [
        values[np.ix_(rng.integers(splits, size=splits), rng.integers(draws, size=draws))].mean()
        for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def with_interval(number: float, between: Sequence[float] | None, form: str) -> str:
    """ "0.812 [0.790, 0.831]"; `form` is that of each number."""
    return f"{number:{form}}" + ("" if between is None else f" [{between[0]:{form}}, {between[1]:{form}}]")


def aligned(columns: Line, rows: Sequence[Line]) -> str:
    """A Markdown table whose columns stand under each other."""
    widths = [max(len(line[k]) for line in (columns, *rows)) for k in range(len(columns))]
    lines = [columns, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


class ReportFolder:
    """The report folder of an experiment: its files, and how it is started and finished."""

    def __init__(self, path: Path, command: str, results: Sequence[str]) -> None:
        """Nothing is read or written yet; `results` are patterns of the files that show that something was computed."""
        self.path, self.command, self._results = path, command, results
        self.report = path / "report.json"
        self.page = path / "report.html"

    @property
    def has_results(self) -> bool:
        """Whether something was computed that a refused call must not remove."""
        return any(any(self.path.glob(pattern)) for pattern in self._results)

    def begin(self, config: Any, check: Callable[[Path, Any], None]) -> None:
        """Make the folder, or take it up: cells say themselves what they were made with.

        Raises:
            UserError: it holds something else, or cannot be written.
        """
        check(self.path, config)
        begin_report(self.path, {"command": self.command, "config": config.model_dump(mode="json")})

    def write(self, report: dict[str, Any], reporter: Reporter, write_page: Callable[[], None]) -> None:
        """Write the page, and report.json last: where it is, the report is complete."""
        try:
            write_page()
        except ImportError as error:
            reporter.log(f"{error.name} is not installed, so the report page is not written; the figures are.")
        write_json(self.report, report)
        for warning in report["warnings"]:
            reporter.log(warning)


def report_head(schema_version: int, *, finished: bool) -> dict[str, Any]:
    """What every report.json begins with."""
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {"schema_version": schema_version, "notice": NOTICE, "finished": finished, "created_utc": created}


def large_groups(groups: NDArray[np.str_], frames: str) -> list[str]:
    """A sentence for each group with a large share of the `frames` ("test frames"), which dominates the figures."""
    names, counts = np.unique(groups, return_counts=True)
    return [
        f"{count} of the {len(groups)} {frames} are of one group ({name}), which dominates the figures."
        for name, count in zip(names.tolist(), counts.tolist(), strict=True)
        if count > LARGE_GROUP * len(groups) and len(names) > 1
    ]


def files_digest(*files: Path, said: str = "") -> str:
    """Digest of tables and of what else decides the data; raises `UserError` where a file cannot be read."""
    digest = hashlib.sha256(said.encode())
    for file in files:
        try:
            digest.update(inputs.regular_file(file).read_bytes())
        except OSError as error:
            raise UserError(f"{file} cannot be read ({error.strerror}).", "Check the path.") from error
    return digest.hexdigest()[:12]


def measured_once(path: Path, measure: Callable[[], Mapping[str, Any]], names: Sequence[str]) -> dict[str, int]:
    """Whole numbers that the first call measures and keeps, so that later calls find its cells again.

    A damaged file is measured and written again; `measure` raises `UserError` where nothing fits.
    """
    try:
        kept = json_text.read_json_object(path)
        return {name: int(kept[name]) for name in names}
    except (UserError, ValueError, KeyError, TypeError):
        kept = dict(measure())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, kept)
        return {name: int(kept[name]) for name in names}


def images_per_second(
    backbone: str, input_size: int, batch: int, device_name: DeviceName, threads: int | None, reporter: Reporter
) -> float:
    """How many images a second a training learns from: forward, backward, optimizer; on noise, without reading."""
    import torch

    from training.compute.devices import choose_autocast, training_device
    from training.models.config import ModelConfig
    from training.models.network import FrameClassifier
    from training.optimisation.pace import threads_for_training

    device = training_device(device_name, reporter)
    autocast = choose_autocast("auto", device)
    config = ModelConfig(backbone=backbone, classes=("normal", "other"), input_size=input_size)
    network = FrameClassifier(config, classifier_gradient=True).to(device).to(memory_format=torch.channels_last).train()
    optimizer = torch.optim.SGD(network.parameters(), lr=1e-3)
    frames = torch.randint(0, 255, (batch, input_size, input_size, 3), dtype=torch.uint8, device=device)

    def step() -> float:
        started = time.perf_counter()
        with torch.autocast(device.type, autocast, enabled=autocast is not None):
            loss = network(frames).logits.float().square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        loss.item()  # waits for the device
        return time.perf_counter() - started

    with threads_for_training(threads):
        step()
        return batch / min(step() for _ in range(TIMED))
