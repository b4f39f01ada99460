"""Compare rules for what to label next: label, fit, evaluate on held-out groups, choose again; draw by draw."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from training.experiments.active_learning import report
from training.experiments.active_learning.config import ActiveLearningConfig, check_folder
from training.experiments.active_learning.data import EmbeddedFrames, embedded_frames
from training.experiments.active_learning.strategies import STRATEGIES, Pool, Rows, random_frames
from training.experiments.engine import Cells, ReportFolder, Runner
from training.models.scores import SCORES
from training.runs.reporter import Reporter

PROTOCOL = 1
"""Part of every cell's key."""


class Cell(NamedTuple):
    """One rule in one draw."""

    strategy: str
    draw: int


def compare_strategies(config: ActiveLearningConfig, reporter: Reporter) -> dict[str, Any]:
    """Evaluate every rule in every draw; finished draws are kept and reused.

    Returns:
        `text` (the table), `report` and `page` (paths), `finished` (False after a stop), `cells` (how many there are).

    Raises:
        UserError: unusable labels, frames or weights, or too few groups.
    """
    folder = ReportFolder(config.out, "active-learning", ("cells/*/cell.json",))
    folder.begin(config, check_folder)
    kept = Cells(config.out / "cells", config.device)
    frames = embedded_frames(config, kept, reporter)
    draws = range(config.seed, config.seed + config.draws)
    cells = [Cell(strategy, draw) for draw in draws for strategy in config.strategies]
    runner: Runner[Cell, dict[str, Any]] = Runner(reporter, "draws", "active learning", goes_on=False)

    def compute(cell: Cell) -> dict[str, Any]:
        decides = {**_decides(config), **cell._asdict(), "frames": frames.digest}
        result = kept.cell(cell.strategy, decides, lambda _: _result(config, frames, cell, reporter))
        return {**cell._asdict(), **result}

    results = list(runner.run(cells, compute, lambda cell: f"{cell.strategy}, draw {cell.draw + 1}").values())
    made = report.make_report(config, frames.labelled, results, len(cells))
    report.write_report(folder, made, reporter)
    return {
        "text": report.text_table(made),
        "report": str(folder.report),
        "page": str(folder.page),
        "finished": made["finished"],
        "cells": len(results),
    }


def _decides(config: ActiveLearningConfig) -> dict[str, Any]:
    names = {"counts", "start", "positive_share", "most_of_group", "folds"}
    return {**config.model_dump(mode="json", include=names), "protocol": PROTOCOL}


def _result(config: ActiveLearningConfig, frames: EmbeddedFrames, cell: Cell, reporter: Reporter) -> dict[str, Any]:
    """AUC on the held-out groups, share of findings and number of classes among the labels, after each round."""
    pool, held_out = frames.divided(config, cell.draw)
    label = frames.labelled.label[pool]
    result: dict[str, list[float]] = {"auc": [], "findings": [], "classes": []}
    for labelled in _rounds(config, frames, cell, pool):
        reporter.check()
        result["auc"].append(frames.mean_auc(frames.fit(pool[labelled]), held_out))
        result["findings"].append(float((label[labelled] > 0).mean()))
        result["classes"].append(float(len(np.unique(label[labelled]))))
    return {**result, "pool": len(pool), "held_out": len(held_out)}


def _rounds(config: ActiveLearningConfig, frames: EmbeddedFrames, cell: Cell, pool: Rows) -> Iterator[Rows]:
    """Places in the pool that are labelled after each round; where a rule runs out of frames, others at random."""
    points, groups = frames.embeddings[pool], frames.labelled.patients[pool]
    rng, labelled = np.random.default_rng([cell.draw, 42]), np.zeros(0, np.int64)
    if config.start == "shared":
        labelled = frames.first_labels(pool, config.counts[0], cell.draw)
    for count in config.counts:
        for rule in (STRATEGIES[cell.strategy], random_frames):
            if len(labelled) < min(count, len(pool)):
                classifier = frames.fit(pool[labelled])
                scores = None if classifier is None else classifier.scores(points, SCORES)
                more = rule(Pool(points, groups, labelled, scores), count - len(labelled), rng)
                labelled = np.concatenate([labelled, more])
        yield labelled
