"""A benchmark from settings to a report: planning, pretraining, evaluation and writing, in that order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from training.compute.devices import training_device
from training.errors import UserError
from training.evaluation.fold_run import FoldReporter
from training.experiments.benchmark.comparison import Comparison, find_comparison
from training.experiments.benchmark.config import BenchmarkConfig, check_folder
from training.experiments.benchmark.data import BenchmarkData, benchmark_data
from training.experiments.benchmark.encoder import prior_frames, prior_settings
from training.experiments.benchmark.evaluator import Evaluator, make_evaluator
from training.experiments.benchmark.page import benchmark_folder, write_report
from training.experiments.benchmark.plan import Plan, frames_per_second, planned, stored_comparison
from training.experiments.benchmark.pretraining import (
    Pretrain,
    pretrained,
    real_pretrain,
    reason_left_out,
    training_frames,
)
from training.experiments.benchmark.report import make_report
from training.experiments.engine import ReportFolder, Runner, seeds_from
from training.models.backbones import has_imagenet_weights
from training.optimisation.pace import threads_for_training
from training.runs.reporter import Reporter
from training.runs.resume import removed_if_refused

SPILL = "frames.tmp"
Cells = dict[str, dict[int, dict[str, Any]]]
"""Method -> seed -> what was found."""


def benchmark(config: BenchmarkConfig, reporter: Reporter, pretrain: Pretrain = real_pretrain) -> dict[str, Any]:
    """Compare methods on one data set, and write report.json, CSV and a page.

    Every finished pretraining and cell is kept in the report folder: the same call continues where it stopped, and
    further methods or seeds are added to what is there. A stop ends after the running pretraining, and what there is
    is reported.

    Returns:
        What report.json says.

    Raises:
        UserError: unusable input, too few steps for a comparison, or no method that could be evaluated.
        Cancelled: as the reporter asked.
    """
    comparison = find_comparison(config.budget)
    data = benchmark_data(config, reporter)
    folder = benchmark_folder(config.out)
    with removed_if_refused(folder.path, lambda: folder.has_results):
        return _benchmark(config, comparison, data, folder, reporter, pretrain)


def _benchmark(
    config: BenchmarkConfig,
    comparison: Comparison,
    data: BenchmarkData,
    folder: ReportFolder,
    reporter: Reporter,
    pretrain: Pretrain,
) -> dict[str, Any]:
    folder.begin(config, check_folder)
    left_out = _reasons_left_out(config, comparison, data)
    taking_part = [name for name in config.methods if name not in left_out]
    seeds = seeds_from(config.seed, config.seeds or comparison.seeds)
    needs_count = config.hours is not None or not comparison.is_sized
    training_count = training_frames(data, reporter) if needs_count else 0
    plan = _announced(config, planned(comparison, taking_part, seeds, data, training_count), data, reporter)
    for name, why in left_out.items():
        reporter.log(f"{name} is left out: it {why}." if why.startswith("needs") else f"{name} is left out: {why}.")
    with threads_for_training(config.threads):
        comparer = Comparer(config, plan, data, reporter, pretrain)
        cells = comparer.run()
    (config.out / SPILL).unlink(missing_ok=True)
    report = make_report(config, plan, data, cells, {**left_out, **comparer.failed}, comparer.pretrainings)
    write_report(folder, report, reporter)
    return report


@dataclass
class Comparer:
    """All cells, seed by seed, so that a stop leaves whole comparisons."""

    config: BenchmarkConfig
    plan: Plan
    data: BenchmarkData
    reporter: Reporter
    pretrain: Pretrain
    failed: dict[str, str] = field(default_factory=dict)
    """Method -> why it could not be pretrained or evaluated (a diverged loss); the other methods continue."""
    pretrainings: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """Method -> what is reported of its pretrainings."""

    def run(self) -> Cells:
        """What a stop did not reach is missing.

        Raises:
            UserError: nothing could be evaluated: the first reason.
            Cancelled: as the reporter asked.
        """
        keys = [(seed, method) for seed in self.plan.seeds for method in self.plan.methods]
        evaluator = self._evaluator()
        runner: Runner[tuple[int, str], dict[str, Any]] = Runner(self.reporter, "cells", "benchmark")
        results = runner.run(keys, lambda key: self._cell(evaluator, *key), lambda key: f"{key[1]}, seed {key[0]}")
        self.failed |= {
            method: f"failed with seed {seed}: {sentence}" for (seed, method), sentence in runner.failed.items()
        }
        cells: Cells = {}
        for (seed, method), result in results.items():
            cells.setdefault(method, {})[seed] = result
        return cells

    def _cell(self, evaluator: Evaluator, seed: int, method: str) -> dict[str, Any]:
        reporter = FoldReporter(self.reporter, f"{method}, seed {seed}: ")
        made = pretrained(self.data, self.plan.comparison, method, seed, reporter, self.pretrain)
        if made is not None:
            self.pretrainings.setdefault(method, []).append({"seed": seed, **made.result})
        return evaluator.cell(method, seed, made)

    def _evaluator(self) -> Evaluator:
        """Reads the labelled frames once, at the size at which encoders see them."""
        comparison, frames = self.plan.comparison, self.data.frames
        prior = prior_settings(comparison) if self.config.sees == "prior views" else None
        size = prior.read_size if prior else comparison.input_size
        store = frames.load(frames.labelled, size, self.config.out / SPILL, self.reporter)
        store = prior_frames(store, prior) if prior else store
        device = training_device(self.config.device, self.reporter)
        return make_evaluator(self.data, comparison, store, device, self.reporter)


def _reasons_left_out(config: BenchmarkConfig, comparison: Comparison, data: BenchmarkData) -> dict[str, str]:
    has_weights = has_imagenet_weights(comparison.backbone, config.weights_cache)
    reasons = {
        name: reason_left_out(name, has_video=data.has_video, has_weights=has_weights) for name in config.methods
    }
    left_out = {name: why for name, why in reasons.items() if why}
    if len(left_out) == len(config.methods):
        name, why = next(iter(left_out.items()))
        raise UserError(f"No method can be used here: {name} {why}.", "Name another one with --methods.")
    return left_out


def _announced(config: BenchmarkConfig, plan: Plan, data: BenchmarkData, reporter: Reporter) -> Plan:
    """The plan with its final number of frames; logs it and its cost."""
    pace = None
    if plan.comparison.is_comparison or config.hours:
        pace = frames_per_second(plan.comparison, config.device, config.threads, reporter)
    if config.hours and pace:
        comparison = stored_comparison(config.cells_folder, plan, config.hours, pace, data.digest)
        plan = replace(plan, comparison=comparison)
    for line in (*plan.sentences(pace), f"Data: {data.sentence}."):
        reporter.log(line)
    return plan
