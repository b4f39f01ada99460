"""The frames of a comparison: embedded once, then divided into a pool to label and held-out groups, draw by draw."""

from dataclasses import dataclass
from pathlib import Path

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
from training.experiments.active_learning.config import ActiveLearningConfig
from training.experiments.active_learning.strategies import Rows
from training.experiments.engine import Cells, files_digest
from training.finetuning.live_head import fit_head
from training.finetuning.starting_point import frozen_network
from training.inference.engine import embed_prepared
from training.metrics.detector import auc
from training.models.linear_classifier import LinearClassifier
from training.models.scores import SCORES
from training.runs.reporter import Reporter

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
