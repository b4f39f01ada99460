"""Compare rules for what to label next: label, fit, evaluate on held-out groups, choose again; draw by draw."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import choose_plan, inference_device
from training.datasets.folds import make_folds
from training.datasets.frame_store import FrameStore
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.sampler import evenly
from training.errors import writing
from training.evaluation.evaluate_config import evaluate_config
from training.evaluation.evaluation_set import EvaluationSet, evaluation_set
from training.experiments.active_learning import report
from training.experiments.active_learning.config import ActiveLearningConfig, check_folder
from training.experiments.active_learning.strategies import STRATEGIES, Pool, Rows, random_frames
from training.experiments.engine import Cells, ReportFolder, Runner, files_digest
from training.finetuning.live_head import fit_head
from training.finetuning.starting_point import frozen_network
from training.inference.engine import embed_prepared
from training.metrics.detector import auc
from training.models.linear_classifier import LinearClassifier
from training.models.scores import SCORES
from training.runs.reporter import Reporter

# The frames of a comparison: embedded once, then divided into a pool to label and held-out groups, draw by draw.


FIRST_OF_CLASS = 2
"""Frames of each class among the shared first labels."""


@dataclass(frozen=True)
class EmbeddedFrames:
    """M labelled frames of one class each, and their embeddings."""

    labelled: LabelledFrames
    embeddings: NDArray[np.float32]
    """(M, D)"""
    digest: str
    """Of what decides them."""

    def fit(self, rows: Rows) -> LinearClassifier | None:
        """A linear classifier as the live scores of the window fit it; None without frames of two classes."""
        if len(np.unique(self.labelled.label[rows])) < 2:
            return None
        return fit_head(self.labelled.select(rows), self.embeddings[rows])

    def mean_auc(self, classifier: LinearClassifier | None, rows: Rows) -> float:
        """Mean over the classes of the AUC against normal frames of the same source; 0.5 without a classifier."""
        if classifier is None:
            return 0.5
        label, source = self.labelled.label[rows], self.labelled.sources[rows]
        scores = classifier.scores(self.embeddings[rows], SCORES)
        aucs = [_auc_in_sources(scores[:, number], label, source, number) for number in range(1, scores.shape[1])]
        return float(np.mean([value for value in aucs if value is not None]))

    def divided(self, config: ActiveLearningConfig, draw: int) -> tuple[Rows, Rows]:
        """Rows of the pool and of the held-out groups, both ascending; raises `UserError` where folds do not fit."""
        fold = make_folds(self.labelled, config.folds, draw, "patients")[draw % config.folds]
        pool, rng = fold.training, np.random.default_rng([draw, 41])
        if config.most_of_group is not None:
            pool = self._thinned(pool, config.most_of_group)
        if config.positive_share is not None:
            pool = self._with_share(pool, config.positive_share, rng)
        return pool, fold.held_out

    def _thinned(self, rows: Rows, most: int) -> Rows:
        group = np.unique(self.labelled.patients[rows], return_inverse=True)[1]
        part = group * len(self.labelled.classes) + self.labelled.label[rows]
        return np.sort(np.concatenate([evenly(rows[part == each], most) for each in np.unique(part)]))

    def _with_share(self, rows: Rows, share: float, rng: np.random.Generator) -> Rows:
        """Fewer findings, or fewer normal frames, so that findings have the share."""
        is_finding = self.labelled.label[rows] > 0
        findings, normal = rng.permutation(rows[is_finding]), rng.permutation(rows[~is_finding])
        few = max(1, round(len(normal) * share / (1 - share)))
        few_normal = max(1, round(len(findings) * (1 - share) / share))
        return np.sort(np.concatenate([findings[:few], normal[:few_normal]]))

    def first_labels(self, pool: Rows, count: int, draw: int) -> Rows:
        """Places in the pool that all rules start from."""
        rng = np.random.default_rng([draw, 43])
        mixed = rng.permutation(len(pool))
        label = self.labelled.label[pool][mixed]
        first = [mixed[label == each][:FIRST_OF_CLASS] for each in range(len(self.labelled.classes))]
        ordered = np.concatenate([*first, mixed])
        return ordered[np.sort(np.unique(ordered, return_index=True)[1])][:count]


def _auc_in_sources(
    scores: NDArray[np.float32], label: NDArray[np.int64], source: NDArray[np.str_], number: int
) -> float | None:
    """Pairs of the class and normal of one source that are ranked rightly, of all such pairs; None without any."""
    wins = pairs = 0.0
    for name in np.unique(source):
        mine = (source == name) & ((label == 0) | (label == number))
        positive = label[mine] == number
        value = auc(positive, scores[mine])
        if value is not None:
            weight = float(positive.sum()) * float((~positive).sum())
            wins, pairs = wins + value * weight, pairs + weight
    return wins / pairs if pairs else None


def embedded_frames(config: ActiveLearningConfig, cells: Cells, reporter: Reporter) -> EmbeddedFrames:
    """The labelled frames, embedded by the frozen network; embeddings of an earlier call are read.

    Raises:
        UserError: unusable labels, frames or weights.
    """
    asked = evaluate_config(
        **({"images": config.images} if config.images else {"studies": config.studies}),
        labels=config.labels,
        by=config.by,
        out=config.out,
        classes=config.classes,
        sources=config.sources,
        normal_label=config.normal_label,
        normal_per_study=config.normal_per_study,
        memory_mib=config.memory_mib,
    )
    data = evaluation_set(asked, reporter, one_label=True)
    weights = Path(config.init)
    tables = (config.labels, config.studies, weights, weights / "SHA256SUMS", weights / "model" / "SHA256SUMS")
    files = [path for path in tables if path is not None and path.is_file()]
    decides = {
        "init": config.init,
        "backbone": config.backbone,
        "input_size": config.input_size,
        "classes": config.classes,
        "sources": config.sources,
        "normal_per_study": config.normal_per_study,
        **({} if config.by == "group" else {"by": config.by}),
        "data": files_digest(*files, said=config.normal_label),
    }
    place = cells.place("embeddings", decides)
    cells.cell("embeddings", decides, lambda folder: _embed(config, data, folder, reporter))
    with np.load(place / "embeddings.npz") as kept:
        there, embeddings = kept["there"], kept["embeddings"]
    return EmbeddedFrames(data.labelled.select(np.isin(data.labelled.frame_key, there)), embeddings, cells.key(decides))


def _embed(config: ActiveLearningConfig, data: EvaluationSet, folder: Path, reporter: Reporter) -> dict[str, int]:
    """Write `embeddings.npz`; a frame that cannot be read is left out."""
    target, note = inference_device(config.device)
    if note:
        reporter.log(note)
    network = frozen_network(config.init, config.input_size, reporter, config.backbone)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    store: FrameStore = data.load(data.labelled, network.input_size, folder / "frames.tmp", reporter)
    embeddings = embed_prepared(network, choose_plan(target), store.pixels, reporter)
    np.savez(folder / "embeddings.npz", there=store.labelled.frame_key, embeddings=embeddings)
    return {"frames": len(store), "size": embeddings.shape[1]}


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
