"""Records a pretraining while it runs: curve, kNN accuracy, kept weights with the head, warnings about a collapse.

An embedding has collapsed where all frames are at one point and the loss is stuck at the margin.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training.errors import writing
from training.files.closing import Closing
from training.files.csv_text import read_dicts
from training.methods.pretrain_method import PretrainMethod
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.pretraining.knn_probe import KnnProbe
from training.runs.checkpoint import finite_state, write_tensors
from training.runs.folder import CsvLog, Point
from training.runs.reporter import Reporter
from training.texts import Text

RECENT = 20
CONTRAST_ADVICE = "Stop the run and start again with another learning rate, or from ImageNet weights."
PATIENCE = 100
"""Steps during which a contrastive loss may stay at chance, where it starts."""
SHRUNK_TO = 0.02
"""Share of the initial norm below which the embedding has collapsed."""


class CollapseWatch:
    """Checks the last steps of a curve; warns once."""

    def __init__(self, margin: float, chance: Mapping[str, float] | None = None) -> None:
        """`margin`: of a triplet loss; `chance`: value of each contrastive term when all embeddings are equal."""
        self._margin, self._chance = margin, chance or {}
        self._recent: deque[Point] = deque(maxlen=RECENT)
        self._first_norm: float | None = None
        self._has_warned = False

    def look(self, point: Point) -> str:
        """A warning when the last steps show a collapse, once; empty otherwise."""
        self._recent.append(point)
        if len(self._recent) < RECENT or self._has_warned:
            return ""
        norm = sum(recent.embedding_norm for recent in self._recent) / RECENT
        if self._first_norm is None:
            self._first_norm = norm
        sentence = self._sentence(norm, self._first_norm)
        self._has_warned = bool(sentence)
        return sentence

    def _sentence(self, norm: float, first: float) -> str:
        advice = Text("Stop the run and start again with a lower learning rate, a larger margin, or ImageNet weights.")
        step = self._recent[-1].step
        if norm < SHRUNK_TO * first:
            return Text(
                "The embedding is collapsing: by step {step} its norm fell from {first:.2g} to {norm:.2g}: all "
                "frames have nearly the same embedding. {advice}",
                step,
                first,
                norm,
                advice,
            )
        loss = sum(recent.loss for recent in self._recent) / RECENT
        violating = sum(recent.violating_share for recent in self._recent) / RECENT
        if self._margin and violating > 0.99 and abs(loss - self._margin) < 0.02 * self._margin:
            return Text(
                "The embedding has collapsed: for {recent} steps up to {step} the loss has been at the margin "
                "({loss:.3f}) and every triplet violates it: all frames have the same embedding. {advice}",
                RECENT,
                step,
                loss,
                advice,
            )
        # Each term separately: a falling and a rising one can average to chance without a collapse.
        means = {name: sum(recent.terms[name] for recent in self._recent) / RECENT for name in self._chance}
        at_chance = all(abs(means[name] - chance) < 0.01 * chance for name, chance in self._chance.items())
        if self._chance and step >= PATIENCE and at_chance:
            return Text(
                "The embedding separates frames no better than chance: for {recent} steps up to {step} every loss "
                "term has been at {values:.2f}, its value for equal embeddings. {advice}",
                RECENT,
                step,
                max(self._chance.values()),
                Text(CONTRAST_ADVICE),
            )
        return ""


TO_RESUME = ("bank.", "key.", "queue.")
"""Prefixes of what only checkpoints contain, because it is large and needed only to resume: a memory bank, a momentum
encoder, a queue of keys."""


def keep_weights(folder: Path, step: int, network: nn.Module, header: Mapping[str, str]) -> Path:
    """Write `step-000000.safetensors` atomically.

    Raises:
        UserError: a weight is not finite (earlier files are kept), or the disk is full.
    """
    path, state = folder / f"step-{step:06d}.safetensors", finite_state(network, step, TO_RESUME)
    with writing(path):
        folder.mkdir(parents=True, exist_ok=True)
    write_tensors(path, state, {"step": str(step), **header})
    return path


KNN_COLUMNS = ("step", "accuracy", "frames", "patients")


class PretrainRecorder(Closing):
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
        at_kept: Sequence[Callable[[int], object]] = (),
        at_evaluated: Sequence[Callable[[int], object]] = (),
    ) -> None:
        """Open the files; a probe is None without labels.

        Args:
            at_kept: called with each step whose weights are kept.
            at_evaluated: called with each step that is evaluated.
        """
        self.warning = ""
        """Warning about the embedding; empty if there is none."""
        self._config, self._folder, self._network = config, folder, method.network
        self._probe, self._autocast, self._reporter = probe, autocast, reporter
        self._at_kept, self._at_evaluated = at_kept, at_evaluated
        self._watch = CollapseWatch(method.margin, method.chance_terms())
        self._kept = even_steps(config.steps, config.checkpoints_kept)
        self._evaluated = even_steps(config.steps, config.evaluations) if config.evaluations else frozenset()
        columns = Point.columns(method.terms, method.share_name, method.scale_names)
        self._metrics = CsvLog(folder.metrics, columns, first_step)
        self._knn = CsvLog(folder.knn, KNN_COLUMNS, first_step)
        if first_step == 0:
            self._keep_and_evaluate(0)

    def close(self) -> None:
        """Close the files of figures."""
        self._metrics.close()
        self._knn.close()

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
            keep_weights(self._folder.kept, step, self._network, weights_header(self._config))
            for probe in self._at_kept:
                probe(step)
        if step in self._evaluated:
            for probe in self._at_evaluated:
                probe(step)
            if self._probe is not None:
                figures = self._probe(self._network, self._autocast, self._reporter)
                self._knn.append([(step, *figures.values())])
                self._reporter.partial("knn", {"step": step, **figures})


def even_steps(steps: int, count: int) -> frozenset[int]:
    """Step 0 and `count` evenly spaced steps, including the last."""
    return frozenset(round(steps * number / count) for number in range(count + 1))


def weights_header(config: PretrainConfig) -> dict[str, str]:
    """Metadata of a weights file."""
    return {"kind": "pretraining", "method": config.method, "backbone": config.backbone}


def last_figures(folder: PretrainFolder, method: type[PretrainMethod]) -> dict[str, Any]:
    """Figures of the last step for the card: loss, terms, share, norm, and knn_accuracy or None."""
    last: list[dict[str, str]] = []
    for path in (folder.metrics, folder.knn):
        with path.open(newline="", encoding="utf-8") as file:
            last.append(next(iter(deque(read_dicts(file), maxlen=1)), {}))
    point, knn = last
    # Runs of older versions may use the common name for the share.
    names = ("loss", *method.terms, *dict.fromkeys((PretrainMethod.share_name, method.share_name)), "embedding_norm")
    figures: dict[str, Any] = {name: float(point[name]) for name in names if point.get(name)}
    return {**figures, "knn_accuracy": float(knn["accuracy"]) if knn else None}
