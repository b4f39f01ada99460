"""A benchmark from settings to a report: planning, pretraining, evaluation and writing, in that order."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from training.compute.devices import training_device
from training.errors import UserError
from training.evaluation.fold_run import FoldReporter
from training.experiments.benchmark import encoder, page
from training.experiments.benchmark.comparison import COMPARISONS, Comparison
from training.experiments.benchmark.config import BenchmarkConfig, check_folder
from training.experiments.benchmark.data import BenchmarkData, benchmark_data
from training.experiments.benchmark.evaluator import make_evaluator
from training.experiments.benchmark.intervals import Scores, intervals
from training.experiments.benchmark.plan import Plan, planned, stored_comparison
from training.experiments.benchmark.pretraining import (
    Pretrain,
    cannot_pretrain,
    pretrained,
    real_pretrain,
    reason_left_out,
    training_frames,
)
from training.experiments.benchmark.report import make_report
from training.experiments.engine import ReportFolder, Runner, images_per_second
from training.models.backbones import has_imagenet_weights
from training.optimisation.pace import threads_for_training
from training.runs.reporter import Reporter
from training.runs.resume import removed_if_refused

SPILL = "frames.tmp"
RESULTS = ("cells/*/cell.json", "cells/*/run/checkpoints/step-*")
"""Files that show that something was computed."""


def benchmark(config: BenchmarkConfig, reporter: Reporter, pretrain: Pretrain = real_pretrain) -> dict[str, Any]:
    """Compare methods on one data set, and write report.json, CSV and a page.

    Every finished pretraining and cell is kept in the report folder: the same call continues where it stopped, and
    further methods or seeds are added to what is there. A stop ends after the running pretraining, and what there is is
    reported.

    Raises:
        UserError: unusable input, too few steps for a comparison, or no method that could be evaluated.
    """
    data, folder = benchmark_data(config, reporter), ReportFolder(config.out, "benchmark", RESULTS)
    with removed_if_refused(folder.path, lambda: folder.has_results):
        folder.begin(config, check_folder)
        comparison = COMPARISONS[config.budget].changed(config.steps, config.batch_size, config.pretrain_settings)
        report = _report(config, comparison, data, reporter, pretrain)
        page.write_tables(folder.path, report)
        folder.write(report, reporter, lambda: page.write_page(folder.page, report))
        return report


def _report(
    config: BenchmarkConfig, comparison: Comparison, data: BenchmarkData, reporter: Reporter, pretrain: Pretrain
) -> dict[str, Any]:
    """Plan, pretrain and evaluate, seed by seed, so that a stop leaves whole comparisons."""
    has_weights = has_imagenet_weights(comparison.backbone, config.weights_cache)
    reasons = {
        name: reason_left_out(name, has_video=data.has_video, has_weights=has_weights)
        or cannot_pretrain(data, comparison, name, reporter)
        for name in config.methods
    }
    taking_part = [name for name, why in reasons.items() if not why]
    if not taking_part:
        name, why = next(iter(reasons.items()))
        raise UserError(f"No method can be used here: {name} {why}.", "Name another one with --methods.")
    seeds = tuple(range(config.seed, config.seed + (config.seeds or comparison.seeds)))
    needs_count = config.hours is not None or comparison.epochs is not None
    training_count = training_frames(data, reporter) if needs_count else 0
    plan = _announced(config, planned(comparison, taking_part, seeds, data, training_count), data, reporter)
    left_out = {name: why for name, why in reasons.items() if why}
    for name, why in left_out.items():
        reporter.log(f"{name} is left out: it {why}." if why.startswith("needs") else f"{name} is left out: {why}.")
    prior = encoder.prior_settings(plan.comparison) if config.sees == "prior views" else None
    pretrainings: dict[str, dict[int, Mapping[str, Any]]] = {}
    scores: dict[str, dict[int, Scores]] = {}

    def cell(key: tuple[int, str]) -> dict[str, Any]:
        seed, method = key
        told = FoldReporter(reporter, f"{method}, seed {seed}: ")
        finished = pretrained(data, plan.comparison, method, seed, told, pretrain)
        if finished is not None:
            pretrainings.setdefault(method, {})[seed] = {"seed": seed, **finished.result}
        result = evaluator.cell(method, seed, finished)
        scores.setdefault(method, {})[seed] = evaluator.scores(method, seed, finished)
        return result

    with threads_for_training(config.threads):
        size = prior.read_size if prior else plan.comparison.input_size
        store = data.frames.load(data.frames.labelled, size, config.out / SPILL, reporter)
        store, device = encoder.prior_frames(store, prior) if prior else store, training_device(config.device, reporter)
        evaluator = make_evaluator(data, plan.comparison, store, device, reporter)
        runner: Runner[tuple[int, str], dict[str, Any]] = Runner(reporter, "cells", "benchmark")
        keys = [(seed, method) for seed in seeds for method in taking_part]
        results = runner.run(keys, cell, lambda key: f"{key[1]}, seed {key[0]}")
    (config.out / SPILL).unlink(missing_ok=True)
    cells: dict[str, dict[int, dict[str, Any]]] = {}
    for (seed, method), result in results.items():
        cells.setdefault(method, {})[seed] = result
    failed = {method: f"failed with seed {seed}: {why}" for (seed, method), why in runner.failed.items()}
    frames = evaluator.test_frames
    sure = intervals(frames, scores) if frames is not None else {}
    runs: dict[str, list[Mapping[str, Any]]] = {method: list(of.values()) for method, of in pretrainings.items()}
    return make_report(config, plan, data, cells, {**left_out, **failed}, runs, sure)


def _announced(config: BenchmarkConfig, plan: Plan, data: BenchmarkData, reporter: Reporter) -> Plan:
    """The plan with its final number of frames; logs it and its cost."""
    pace = None
    if plan.comparison.is_comparison or config.hours:
        network = plan.comparison.backbone, plan.comparison.input_size, plan.comparison.batch
        pace = images_per_second(*network, config.device, config.threads, reporter)
    if config.hours and pace:
        comparison = stored_comparison(config.cells_folder, plan, config.hours, pace, data.digest)
        plan = replace(plan, comparison=comparison)
    for line in (*plan.sentences(pace), f"Data: {data.sentence}."):
        reporter.log(line)
    return plan
