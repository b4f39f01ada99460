"""Evaluation sets made for tests, without files."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.training.datasets.frames import labelled
from training.datasets.frame_store import FrameStore
from training.datasets.labelled_frames import LabelledFrames
from training.evaluation.evaluation_set import EvaluationSet, FindingFrames
from training.evaluation.fold_run import FoldScores
from training.runs.reporter import Reporter


def evaluation_set_of(
    rows: Sequence[tuple[str, int, int, int]],
    findings: Sequence[tuple[str, float | None, str, Sequence[int]]] = (),
    classes: tuple[str, ...] = ("normal", "polyp"),
) -> EvaluationSet:
    """From (patient, start, stop, label) spans, and findings (id, size, morphology, rows)."""
    frames = labelled(rows, classes)
    found = tuple(
        FindingFrames(name, "polyp", size, shape, int(frames.study[places[0]]), np.array(places, dtype=np.int64))
        for name, size, shape, places in findings
    )

    def load(_: LabelledFrames, __: int, ___: Path, ____: Reporter) -> FrameStore:
        raise AssertionError("these frames have no pixels")

    return EvaluationSet(frames, np.ones(len(frames)), found, frames, load)


def scores_of(rows: Sequence[int], track: Sequence[float], fold: int = 0, seed: int = 0) -> FoldScores:
    """What a two-class training says: `track` is the score of "not normal"."""
    positive = np.array(track, dtype=np.float64)
    both: NDArray[np.float32] = np.stack([1 - positive, positive], axis=1).astype(np.float32)
    return FoldScores(fold, seed, np.array(rows, dtype=np.int64), both, 10, 5, "random")
