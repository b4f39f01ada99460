"""Records a pretraining while it runs: curve, kNN accuracy, weights, warnings about a collapse."""

from collections.abc import Callable
from typing import Any, Self

import torch

from training.files.csv_text import read_dicts
from training.methods.pretrain_method import PretrainMethod
from training.pretraining.collapse import CollapseWatch
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.pretraining.kept_weights import keep_weights
from training.pretraining.knn_probe import KnnProbe
from training.pretraining.validation import Validation
from training.runs.folder import CsvLog
from training.runs.point import Point
from training.runs.reporter import Reporter

KNN_COLUMNS = ("step", "accuracy", "frames", "patients")


class PretrainRecorder:
    """Records every step; the files of a resumed run are like those of an uninterrupted one."""

    def __init__(
        self,
        config: PretrainConfig,
        folder: PretrainFolder,
        method: PretrainMethod,
        probe: KnnProbe | None,
        autocast: torch.dtype | None,
        first_step: int,
        reporter: Reporter,
        views: Callable[[int], None] | None = None,
        reconstructions: Callable[[int], None] | None = None,
        validation: Validation | None = None,
    ) -> None:
        """Open the files.

        Args:
            config, folder, method, reporter: of the run.
            probe: None without labels.
            autocast: the probe's precision.
            first_step: steps done.
            views: stores the views of a step whose weights are kept.
            reconstructions: draws those of a step that is evaluated.
            validation: measures the loss at a step that is evaluated.
        """
        self.warning = ""
        """Warning about the embedding; empty if there is none."""
        self._config, self._folder, self._network = config, folder, method.network
        self._probe, self._views, self._autocast, self._reporter = probe, views, autocast, reporter
        self._reconstructions, self._validation = reconstructions, validation
        self._watch = CollapseWatch(method.margin, method.chance_terms())
        self._kept = even_steps(config.steps, config.checkpoints_kept)
        self._evaluated = even_steps(config.steps, config.evaluations) if config.evaluations else frozenset()
        columns = Point.columns(method.terms, method.share_name, method.scale_names)
        self._metrics = CsvLog(folder.metrics, columns, first_step)
        self._knn = CsvLog(folder.knn, KNN_COLUMNS, first_step)
        if validation is not None:
            validation.open(folder.validation, first_step)
        if first_step == 0:
            self._keep_and_evaluate(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()
        self._knn.close()
        if self._validation is not None:
            self._validation.close()

    def add(self, point: Point) -> None:
        """Record one step."""
        self._metrics.append([tuple(point.figures.values())])
        self._reporter.partial("curve", point.figures)
        if sentence := self._watch.look(point):
            self.warning = sentence
            self._reporter.log(sentence)
        self._keep_and_evaluate(point.step)

    def _keep_and_evaluate(self, step: int) -> None:
        if step in self._kept:
            header = weights_header(self._config)
            keep_weights(self._folder.kept, step, self._network, header)
            if self._views is not None:
                self._views(step)
        if step in self._evaluated:
            self._evaluate(step)

    def _evaluate(self, step: int) -> None:
        if self._validation is not None:
            self._validation(step, self._reporter)
        if self._reconstructions is not None:
            self._reconstructions(step)
        if self._probe is not None:
            found = self._probe(self._network, self._autocast, self._reporter)
            self._knn.append([(step, *found.values())])
            self._reporter.partial("knn", {"step": step, **found})


def even_steps(steps: int, count: int) -> frozenset[int]:
    """Step 0 and `count` evenly spaced steps, including the last."""
    return frozenset(round(steps * number / count) for number in range(count + 1))


def weights_header(config: PretrainConfig) -> dict[str, str]:
    """Metadata of a weights file."""
    return {"kind": "pretraining", "method": config.method, "backbone": config.backbone}


def last_figures(folder: PretrainFolder, method: type[PretrainMethod]) -> dict[str, Any]:
    """Figures of the last step for the card: loss, terms, share, norm, and knn_accuracy or None."""
    point, knn = _last_row(folder.metrics), _last_row(folder.knn)
    # Runs of older versions may use the common name for the share.
    names = ("loss", *method.terms, *dict.fromkeys((PretrainMethod.share_name, method.share_name)), "embedding_norm")
    figures: dict[str, Any] = {name: float(point[name]) for name in names if point.get(name)}
    return {**figures, "knn_accuracy": float(knn["accuracy"]) if knn else None}


def _last_row(path: Any) -> dict[str, str]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(read_dicts(file))
    return rows[-1] if rows else {}
