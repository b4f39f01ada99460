"""What is kept of a pretraining while it runs: its curve, kNN accuracy, weights at even steps, a word on collapse."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Self

import torch

from training.files.csv_text import read_dicts
from training.methods.bank_method import BankMethod
from training.methods.pgcon_heads import PriorPretrainer
from training.models.projection_head import Pretrainer
from training.pretraining.collapse import CollapseWatch
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.pretraining.kept_weights import keep_weights
from training.pretraining.knn import KnnProbe
from training.runs.folder import CsvLog
from training.runs.point import Point
from training.runs.reporter import Reporter

FIGURES = ("loss", *BankMethod.terms, "violating_share", "negatives_ahead", "embedding_norm")
"""What a card says of the last step."""
KNN_COLUMNS = ("step", "accuracy", "frames", "patients")


class PretrainCourse:
    """Told of every step; a resumed run's files look like those of an uninterrupted one."""

    def __init__(
        self,
        config: PretrainConfig,
        folder: PretrainFolder,
        network: Pretrainer,
        columns: Sequence[str],
        probe: KnnProbe | None,
        autocast: torch.dtype | None,
        first_step: int,
        reporter: Reporter,
        views: Callable[[int], None] | None = None,
    ) -> None:
        """Open its files.

        Args:
            config: as it runs.
            folder: of the run.
            network: whose weights are kept.
            columns: of metrics.csv, as the method's points have them.
            probe: None where no labels were given.
            autocast: precision of the probe.
            first_step: steps already done.
            reporter: told of every step.
            views: keeps a step's views.
        """
        self.warning = ""
        """What a person must know of the embedding; empty where nothing."""
        self._config, self._folder, self._network = config, folder, network
        self._probe, self._views, self._autocast, self._reporter = probe, views, autocast, reporter
        margin = config.margin if config.method == "time-triplet" else 0.0
        self._watch = CollapseWatch(margin, chance_terms(config, _remembered(network)))
        self._kept = even_steps(config.steps, config.checkpoints_kept)
        self._judged = even_steps(config.steps, config.evaluations) if config.evaluations else frozenset()
        self._metrics = CsvLog(folder.metrics, columns, first_step)
        self._knn = CsvLog(folder.knn, KNN_COLUMNS, first_step)
        if first_step == 0:
            self._keep_and_judge(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()
        self._knn.close()

    def add(self, point: Point) -> None:
        """Keep one step."""
        self._metrics.append([tuple(point.figures.values())])
        self._reporter.partial("curve", point.figures)
        if sentence := self._watch.look(point):
            self.warning = sentence
            self._reporter.log(sentence)
        self._keep_and_judge(point.step)

    def _keep_and_judge(self, step: int) -> None:
        if step in self._kept:
            header = weights_header(self._config)
            keep_weights(self._folder.kept, step, self._network, header)
            if self._views is not None:
                self._views(step)
        if self._probe is not None and step in self._judged:
            found = self._probe(self._network, self._autocast, self._reporter)
            self._knn.append([(step, *found.values())])
            self._reporter.partial("knn", {"step": step, **found})


def even_steps(steps: int, count: int) -> frozenset[int]:
    """The start and `count` even steps, the last one included."""
    return frozenset(round(steps * number / count) for number in range(count + 1))


def chance_terms(config: PretrainConfig, frames: int) -> dict[str, float]:
    """The terms that count of a method with a memory bank of so many frames, when all vectors are alike.

    None for other methods. Where the bank has no more than `negatives` other frames, all of these are negatives (see
    `draw_negatives`).
    """
    if not config.has_bank:
        return {}
    within = config.batch_frames if config.method == "wincon" else 0
    negatives = min(config.negatives, max(0, frames - 1))
    weights = zip(BankMethod.terms, (config.memory_weight, config.view_weight), strict=True)
    return {name: math.log(1 + negatives + within) for name, weight in weights if weight > 0}


def _remembered(network: Pretrainer) -> int:
    """Frames in the network's memory bank; 0 where it has none."""
    bank = network.bank if isinstance(network, PriorPretrainer) else None
    return 0 if bank is None else len(bank)


def weights_header(config: PretrainConfig) -> dict[str, str]:
    """Written beside weights, so that a file says by itself what it is."""
    return {"kind": "pretraining", "method": config.method, "backbone": config.backbone}


def last_figures(folder: PretrainFolder) -> dict[str, Any]:
    """Of the last row of metrics.csv and of knn.csv: what is there of `FIGURES`, and knn_accuracy or None."""
    point, knn = _last_row(folder.metrics), _last_row(folder.knn)
    figures: dict[str, Any] = {name: float(point[name]) for name in FIGURES if point.get(name)}
    return {**figures, "knn_accuracy": float(knn["accuracy"]) if knn else None}


def _last_row(path: Any) -> dict[str, str]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(read_dicts(file))
    return rows[-1] if rows else {}
