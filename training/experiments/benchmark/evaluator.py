"""One cell: all figures of one method with one seed.

Two of them are properties of the embedding on the sphere, of Wang and Isola 2020 (Understanding contrastive
representation learning through alignment and uniformity on the hypersphere), with their exponents 2 and 2: alignment is
the mean squared distance of positive pairs, uniformity the logarithm of the mean of exp(-2 d^2) over all pairs; of both
less is better. Vats et al. 2022, Fig. 4a, take frames of one category as positive pairs; pairs of views of a frame are
given separately here.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.datasets import folds, frame_store
from training.embeddings.knn import knn_scores, normalised
from training.errors import UserError
from training.experiments.benchmark.class_figures import SCORES, class_figures, few_shot
from training.experiments.benchmark.comparison import EVALUATIONS, Comparison, protocol_of
from training.experiments.benchmark.data import BenchmarkData, GroupSplit
from training.experiments.benchmark.encoder import Embedded, Encoder, open_encoder, untrained_encoder
from training.experiments.benchmark.full_finetuning import (
    LabelledEmbeddings,
    full_finetuning,
    linear_evaluation,
)
from training.experiments.benchmark.intervals import EvaluatedFrames
from training.experiments.benchmark.pretraining import Pretraining
from training.files import npz
from training.optimisation.pace import threads_for_training
from training.runs.reporter import Reporter

MOST_FRAMES = 4096
"""Frames whose pairs count towards uniformity; of more a seeded sample (ours)."""


def pair_alignment(first: NDArray[np.floating], second: NDArray[np.floating]) -> float | None:
    """Mean squared distance, in [0, 4], of N pairs of embeddings (N, D); None where there is no pair."""
    if not len(first):
        return None
    return float(((normalised(first) - normalised(second)) ** 2).sum(axis=1).mean())


def category_alignment(
    embeddings: NDArray[np.floating], labels: NDArray[np.int64], groups: NDArray[Any] | None = None
) -> dict[int, float]:
    """Category -> mean squared distance, in [0, 4], over all pairs of frames of one category, where it has a pair.

    Exact without forming the pairs: the mean of |x - y|^2 over pairs of unit vectors is 2 - 2 times the mean of their
    inner products, and those sum up to |sum x|^2. Where patients are given as groups, pairs of one patient,
    near-duplicates often, are left out (ours).
    """
    points = normalised(embeddings)
    result: dict[int, float] = {}
    for label in np.unique(labels).tolist():
        mine = labels == label
        products, pairs = _products(points[mine])
        if groups is not None:
            for group in np.unique(groups[mine]).tolist():
                inside = _products(points[mine & (groups == group)])
                products, pairs = products - inside[0], pairs - inside[1]
        if pairs:
            result[int(label)] = max(0.0, 2.0 - 2.0 * products / pairs)
    return result


def uniformity(embeddings: NDArray[np.floating], seed: int = 0, exponent: float = 2.0) -> float | None:
    """Logarithm of the mean of exp(-exponent * |x - y|^2) over all pairs of different frames, in [-4 * exponent, 0].

    None where there is no pair.
    """
    points = normalised(embeddings)
    if len(points) > MOST_FRAMES:
        points = points[np.random.default_rng([seed, 11]).choice(len(points), MOST_FRAMES, replace=False)]
    if len(points) < 2:
        return None
    above = np.triu_indices(len(points), 1)
    squared = np.maximum(2.0 - 2.0 * (points @ points.T)[above], 0.0)
    return float(np.log(np.exp(-exponent * squared).mean()))


def _products(points: NDArray[np.float64]) -> tuple[float, int]:
    """Sum of the inner products of all ordered pairs of different rows, and how many there are."""
    own = float((points**2).sum())  # 1 for each row, 0 for a row of zeros
    return float((points.sum(axis=0) ** 2).sum()) - own, len(points) * (len(points) - 1)


SCORES_FILE = "scores.npz"
"""In the folder of a cell."""
MOST_VIEWS = 512
"""Test frames of which two views are compared; of more a seeded sample."""


@dataclass(frozen=True)
class Evaluator:
    """Evaluates all methods on the same frames."""

    data: BenchmarkData
    comparison: Comparison
    store: frame_store.FrameStore
    split: GroupSplit
    """Rows of the store."""
    device: torch.device
    reporter: Reporter

    def groups(self, rows: NDArray[np.int64]) -> NDArray[Any] | None:
        """(m,) groups of some rows; None where they are unknown."""
        return self.store.labelled.patients[rows] if self.split.by == "groups" else None

    @property
    def test_frames(self) -> EvaluatedFrames | None:
        """The test frames, for intervals; None without groups or a normal class."""
        labelled, rows = self.store.labelled, self.split.test
        groups = self.groups(rows)
        if groups is None or not labelled.has_normal:
            return None
        return EvaluatedFrames(labelled.classes, labelled.label[rows], groups, labelled.sources[rows])

    def cell(self, method: str, seed: int, pretraining: Pretraining | None) -> dict[str, Any]:
        """Figures of a method with a seed: kept ones, else computed now.

        Raises:
            UserError: weights that cannot be used, a finetuning that diverged.
            Cancelled: as asked for; nothing of the cell is kept then.
        """

        def compute(place: Path) -> dict[str, Any]:
            started = time.monotonic()
            figures, scores = scores_apart(self._figures(method, seed, pretraining))
            place.mkdir(parents=True, exist_ok=True)
            np.savez(place / SCORES_FILE, allow_pickle=False, **scores)
            return {**figures, "seconds": time.monotonic() - started}

        return self.data.cells.cell(f"judged-{method}", self._decides(method, seed, pretraining), compute)

    def scores(self, method: str, seed: int, pretraining: Pretraining | None) -> dict[str, NDArray[np.float32]]:
        """Evaluation -> scores (M, C) of the test frames of a finished cell; empty where an older version made it."""
        place = self.data.cells.place(f"judged-{method}", self._decides(method, seed, pretraining))
        column = npz.Column("<f4", (len(self.split.test), len(self.store.labelled.classes)), is_optional=True)
        config = self.data.config
        names = ["knn/projection", "knn/backbone", *(f"linear/{share:g}" for share in config.shares)]
        names += [f"finetuned/{share:g}" for share in config.finetune_shares if config.finetune]
        try:
            return npz.read_npz(place / SCORES_FILE, dict.fromkeys(names, column))
        except (UserError, npz.NpzError):
            return {}

    def _decides(self, method: str, seed: int, pretraining: Pretraining | None) -> dict[str, Any]:
        config, comparison = self.data.config, self.comparison
        asked = ("neighbours", "temperature", "shares", "shots", "finetune")
        decides: dict[str, Any] = {name: getattr(config, name) for name in asked}
        if config.finetune:
            decides |= {"finetune_shares": config.finetune_shares, "finetune_steps": comparison.finetune_steps}
            decides["finetune_judgings"] = EVALUATIONS
        decides |= {"method": method, "seed": seed, "data": self.data.digest, "protocol": protocol_of(method)}
        decides |= {"epochs_factor": comparison.epochs_factor}
        decides |= {} if config.sees == "frames" else {"sees": config.sees}
        start = pretraining.key if pretraining else f"{comparison.backbone} {comparison.input_size}"
        return {**decides, "start": start}

    def _figures(self, method: str, seed: int, pretraining: Pretraining | None) -> dict[str, Any]:
        config, split, labels = self.data.config, self.split, self.store.labelled.label
        if pretraining is not None:
            encoder = open_encoder(pretraining.run, self.device)
        else:
            cache = config.weights_cache
            encoder = untrained_encoder(self.comparison, method, seed, cache, self.device, self.reporter)
        embedded = encoder.frames(self.store.pixels, self.reporter, f"{method}: embedding frames")
        points, groups = embedded.backbone, self.groups(split.test)
        known, asked = (points[split.training], labels[split.training]), (points[split.test], labels[split.test])
        figures = {
            "knn": self._knn(embedded),
            "linear": {f"{share:g}": self._linear(embedded, share, seed) for share in config.shares},
            "few_shot": {str(shots): few_shot(*known, *asked, shots, seed, groups=groups) for shots in config.shots},
            "sphere": self._sphere(encoder, embedded, seed),
        }
        start = str(pretraining.run) if pretraining else method
        for share in config.finetune_shares if config.finetune else ():
            training = folds.share_of_labels(self.store.labelled, split.training, share, seed)
            figures.setdefault("finetuned", {})[f"{share:g}"] = full_finetuning(
                config,
                self.comparison,
                start,
                self.store,
                training,
                split.test,
                seed,
                self.reporter,
                share=share,
                chosen_on=split.choosing,
                groups=groups,
            )
        return figures

    def _knn(self, embedded: Embedded) -> dict[str, Any]:
        config, split = self.data.config, self.split
        result: dict[str, Any] = {"neighbours": min(config.neighbours, len(split.training))}
        for space in ("projection", "backbone"):
            points: NDArray[np.float32] = getattr(embedded, space)
            scores = knn_scores(
                points[split.training],
                self.store.labelled.label[split.training],
                points[split.test],
                len(self.store.labelled.classes),
                k=config.neighbours,
                temperature=config.temperature,
            )
            figures = class_figures(self.store.labelled.label[split.test], scores, self.groups(split.test))
            result[space] = {**figures, SCORES: scores.tolist()}
        return result

    def _linear(self, embedded: Embedded, share: float, seed: int) -> dict[str, Any]:
        split = self.split
        training = folds.share_of_labels(self.store.labelled, split.training, share, seed)
        with threads_for_training(1):  # layers this small are slower on several
            return linear_evaluation(
                self._part(embedded, training),
                self._part(embedded, split.test),
                len(self.store.labelled.classes),
                share,
                seed,
                self.reporter,
                chosen_on=None if split.choosing is None else self._part(embedded, split.choosing),
                epochs_factor=self.comparison.epochs_factor,
            )

    def _part(self, embedded: Embedded, rows: NDArray[np.int64]) -> LabelledEmbeddings:
        return LabelledEmbeddings(embedded.backbone[rows], self.store.labelled.label[rows], self.groups(rows))

    def _sphere(self, encoder: Encoder, embedded: Embedded, seed: int) -> dict[str, Any]:
        """Alignment and uniformity of the test frames' projections."""
        rows, labelled = self.split.test, self.store.labelled
        points, labels = embedded.projection[rows], self.store.labelled.label[rows]
        of_all = category_alignment(points, labels)
        groups = self.groups(rows)
        of_others = {} if groups is None else category_alignment(points, labels, groups)
        shown = rows
        if len(rows) > MOST_VIEWS:
            shown = np.sort(np.random.default_rng([seed, 17]).choice(rows, MOST_VIEWS, replace=False))
        first, second = encoder.views(self.store.pixels[shown], self.store.is_round[shown], seed, self.reporter)
        return {
            "alignment": _mean(of_all),
            "alignment_other_groups": _mean(of_others),
            "alignment_of": {labelled.classes[label]: value for label, value in of_all.items()},
            "alignment_views": pair_alignment(first.projection, second.projection),
            "uniformity": uniformity(points, seed),
        }


def make_evaluator(
    data: BenchmarkData, comparison: Comparison, store: frame_store.FrameStore, device: torch.device, reporter: Reporter
) -> Evaluator:
    """The evaluator of a store of the data's frames; frames that could not be read are in no part of the split."""
    every = data.frames.labelled
    there = {pair: row for row, pair in enumerate(zip(store.labelled.study.tolist(), store.labelled.frame_index.tolist(), strict=True))}  # noqa: E501  # fmt: skip

    def moved(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        pairs = zip(every.study[rows].tolist(), every.frame_index[rows].tolist(), strict=True)
        return np.array([there[pair] for pair in pairs if pair in there], dtype=np.int64)

    split = data.split
    choosing = None if split.choosing is None else moved(split.choosing)
    parts = replace(split, training=moved(split.training), choosing=choosing, test=moved(split.test))
    return Evaluator(data, comparison, store, parts, device, reporter)


def scores_apart(figures: Mapping[str, Any], prefix: str = "") -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """The figures without their scores, and the scores by the path of their figures: "linear/0.1"."""
    others: dict[str, Any] = {}
    scores: dict[str, NDArray[np.float32]] = {}
    for name, value in figures.items():
        if name == SCORES:
            scores[prefix.removesuffix("/")] = np.asarray(value, np.float32)
        elif isinstance(value, Mapping):
            others[name], below = scores_apart(value, f"{prefix}{name}/")
            scores |= below
        else:
            others[name] = value
    return others, scores


def _mean(values: dict[int, float]) -> float | None:
    """The mean over the categories (ours), so that the commonest does not decide."""
    return float(np.mean(list(values.values()))) if values else None
