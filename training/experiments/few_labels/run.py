"""Fine-tunings with few labels, each as the command `finetune` does it, evaluated on frames of other patients.

The protocol is ours: folds by patient, in each several draws of labelled frames, the same draws for every row. Kumar et
al. 2022 compare linear classifiers with fine-tuning in the same way; the papers that this program implements do not
vary the number of labels.
"""

import hashlib
import shutil
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.compute.devices import training_device
from training.datasets.folds import Fold, make_folds
from training.errors import UserError
from training.evaluation.fold_run import FoldReporter, score_rows, subset
from training.experiments.engine import Cells, Runner, files_digest
from training.experiments.few_labels import data, table
from training.experiments.few_labels.config import LINEAR, FewLabelsConfig
from training.finetuning import fitting, linear_stage
from training.finetuning.config import finetune_config
from training.finetuning.start import finetune
from training.finetuning.starting_point import starting_point
from training.methods.registry import PRETRAINING
from training.metrics.figures import ANY, class_figures
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, load_network
from training.optimisation.pace import threads_for_training
from training.pretraining.config import PretrainConfig
from training.runs.folder import begin_report
from training.runs.reporter import Cancelled, Reporter

PROTOCOL = 2
"""Part of every cell's key. 2: the classifier learns from the held-out patients after its evaluation."""


@dataclass(frozen=True, eq=False)
class Cell:
    """One training."""

    row: str
    """START:METHOD."""
    count: int
    split: int
    draw: int
    training: NDArray[np.int64]
    """Rows of the training set: the draw."""
    held_out: NDArray[np.int64]
    """Rows of the set to evaluate on."""

    @property
    def words(self) -> str:
        """ "imagenet:tl-ba, 40 labels, draw 1, split 2"."""
        return f"{self.row}, {self.count or 'all'} labels, draw {self.draw + 1}, split {self.split + 1}"


def compare_few_labels(config: FewLabelsConfig, reporter: Reporter) -> dict[str, Any]:
    """Train and evaluate every row with every number of labels; finished trainings are kept and reused.

    Returns:
        `text` (the table), `report` (path), `finished` (False after a stop), `cells` (how many there are).
    """
    begin_report(config.out, {"command": "few-labels", "config": config.model_dump(mode="json")})
    training = test = data.read_set(config, reporter, "training", config.labels, config.images)
    if config.test_labels is not None:
        test = data.read_set(config, reporter, "test", config.test_labels, config.test_images)
    comparison = Comparison(config, training, test, reporter)
    cells = list(comparison.cells())
    runner: Runner[Cell, dict[str, Any]] = Runner(reporter, "trainings", "few labels", goes_on=False)
    results = list(
        runner.run(cells, comparison.result, lambda cell: cell.words, group=comparison.shared_training).values()
    )
    report = table.make_report(config, results, len(cells))
    table.write_report(config.out, report)
    return {
        "text": table.text_table(report),
        "report": str(config.out / "report.json"),
        "finished": len(results) == len(cells),
        "cells": len(results),
    }


class Comparison:
    """The frames and what is trained on them."""

    def __init__(
        self, config: FewLabelsConfig, training: data.LabelledSet, test: data.LabelledSet, reporter: Reporter
    ) -> None:
        if training.frames.labelled.classes != test.frames.labelled.classes:
            raise UserError(
                "The images to evaluate on have other classes than those to train on.", "Use the same labels for both."
            )
        self.config, self.training, self.test, self.reporter = config, training, test, reporter
        files = [path for path in (config.labels, config.studies, config.test_labels) if path is not None]
        self._digest = files_digest(
            *files, said=config.normal_label + ("" if config.by == "group" else f" by {config.by}")
        )
        self._kept = Cells(config.out / "cells", config.device, config.threads)
        self._pretrainings: dict[tuple[str, int, int], PretrainConfig] = {}

    def cells(self) -> Iterator[Cell]:
        """Draw by draw, so that a stop leaves comparable rows."""
        config, labelled = self.config, self.training.frames.labelled
        if self.test is self.training:
            folds = make_folds(labelled, config.folds, config.fold_seed, "patients")
            splits = [(fold.training, fold.held_out) for fold in folds]
        else:
            splits = [(np.arange(len(labelled)), np.arange(len(self.test.frames.labelled)))]
        for draw in range(config.seed, config.seed + config.draws):
            for split, (training, held_out) in enumerate(splits):
                for count in config.counts:
                    of_findings = config.count_of == "findings"
                    drawn = data.draw_labels(
                        labelled, training, count, config.most_of_group, draw, of_findings=of_findings
                    )
                    for row in config.rows:
                        yield Cell(row, count, split, draw, drawn, held_out)

    def result(self, cell: Cell) -> dict[str, Any]:
        """Figures of a cell; raises `Cancelled` if a stop cut its training short."""
        name = f"{cell.row.replace(':', '-')}-{cell.count}"
        kept = self._kept.cell(name, self._decides(cell), lambda _: self._computed(cell))
        return {"row": cell.row, "count": cell.count, "split": cell.split, "draw": cell.draw, **kept}

    def shared_training(self, cell: Cell) -> Hashable:
        """What cells have in common that use the same pretraining; of others the cell itself."""
        start = cell.row.partition(":")[0]
        return (start, cell.split, self._seed(cell)) if start in PRETRAINING else cell

    def _seed(self, cell: Cell) -> int:
        return cell.draw if self.config.pretrain_each_draw else 0

    def _pretraining(self, method: str, cell: Cell) -> PretrainConfig:
        """The pretraining of the cell's split; all draws share it, unless each has its own."""
        seed = self._seed(cell)
        key = method, cell.split, seed
        if key not in self._pretrainings:
            held_out = np.unique(self.test.frames.labelled.patients[cell.held_out]).tolist()
            fold = Fold(cell.split, cell.training, cell.held_out, (), tuple(held_out))
            self._pretrainings[key] = data.split_pretraining(self.config, method, fold, seed)
        return self._pretrainings[key]

    def _decides(self, cell: Cell) -> dict[str, Any]:
        start = cell.row.partition(":")[0]
        own = {"pretraining": self._pretraining(start, cell).out.name} if start in PRETRAINING else {}
        return {
            **own,
            "row": cell.row,
            "settings": self.config.settings.get(start, {}),
            "model": ModelFolder.open(self.config.model).sha256 if start == "model" and self.config.model else "",
            "labels": hashlib.sha256(cell.training.tobytes()).hexdigest()[:12],
            "held_out": hashlib.sha256(cell.held_out.tobytes()).hexdigest()[:12],
            "draw": cell.draw,
            "data": self._digest,
            "protocol": PROTOCOL,
        }

    def _computed(self, cell: Cell) -> dict[str, Any]:
        reporter = FoldReporter(self.reporter, f"{cell.words}: ")
        start = cell.row.partition(":")[0]
        init = str(self.config.model) if start == "model" else start
        if start in PRETRAINING:
            init = str(data.pretrained(self._pretraining(start, cell), reporter))
        started = time.monotonic()
        run = self.config.out / "run"
        shutil.rmtree(run, ignore_errors=True)
        run.mkdir(parents=True)
        try:
            network, said = self._fitted(cell, init, reporter)
        finally:
            shutil.rmtree(run, ignore_errors=True)
        seconds = time.monotonic() - started
        store = self.test.store(network.config.input_size)
        scores, labelled = score_rows(network, store, cell.held_out, reporter), store.labelled.select(cell.held_out)
        classes = labelled.classes
        figures = class_figures(
            classes, labelled.label, labelled.patients, classes, scores, frame=labelled.frame_number
        )
        result = figures[ANY]
        if self.reporter.stop_requested:
            raise Cancelled  # a half-trained network
        return {
            "auc": result["auc"],
            "sensitivity": result["sensitivity_at"]["0.95"],
            "labels": len(cell.training),
            "frames": result["frames"],
            "seconds": seconds,
            **said,
        }

    def _fitted(self, cell: Cell, init: str, reporter: Reporter) -> tuple[FrameClassifier, dict[str, Any]]:
        start, _, method = cell.row.partition(":")
        run = self.config.out / "run"
        config = finetune_config(
            **{"threads": self.config.threads, **self.config.settings.get(start, {})},
            **({} if method == LINEAR else {"method": method}),
            studies=self.training.manifest,
            labels=run / "labels.csv",
            out=run / "finetune",
            init=init,
            device=self.config.device,
            seed=cell.draw,
        )
        if method == LINEAR:  # on the frozen network, fitted to all labels of the draw
            network = starting_point(config, self.training.frames.labelled.classes, "linear", reporter).network
            fitting.prepare(config, network, reporter)
            rows = subset(self.training.store(network.config.input_size), cell.training, None, 0)
            with threads_for_training(config.threads):
                linear_stage.fit_linear(config, network, rows, reporter)
            return network, {}
        self.training.write_labels(cell.training, config.labels)
        result = finetune(config, reporter)
        network = load_network(ModelFolder.open(config.out / "model"), training_device(config.device, reporter))
        return network, {"stage": result["stages"].get("used", ""), "steps": result["steps_done"]}
