"""The frames that `suggest` lists: the window's rule over the frames of some studies, or over images."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.datasets.sampler import evenly
from training.embeddings import what_to_label
from training.embeddings.mapped_rows import MappedRows
from training.errors import NothingToDoError
from training.models.linear_classifier import LinearClassifier
from training.runs.reporter import Reporter

MOST_KNOWN = 4000
"""Labelled frames that are learned from and compared with, evenly over those of all studies."""


@dataclass(frozen=True)
class Part:
    """N frames of a study, or all images."""

    study_id: str
    frames: NDArray[np.int64]
    """(N,) frame, or place in the list of images."""
    seconds: NDArray[np.float64]
    """(N,) increasing"""
    points: NDArray[np.floating] | MappedRows
    """(N, D)"""
    scores: NDArray[np.float32] | None
    """(N, C) of the model, if it has classes."""
    names: NDArray[np.str_]
    """(N,) label; "" where there is none."""

    @property
    def has_scores(self) -> bool:
        """Whether the model has classes."""
        return self.scores is not None and self.scores.shape[1] > 0


@dataclass(frozen=True)
class Suggestion:
    """A frame to label."""

    study_id: str
    frame: int
    seconds: float
    undecided: float
    """See `what_to_label.Pick`; NaN without scores."""
    distance: float
    nearest: str
    """Label of the nearest labelled frame; "" where none is labelled."""

    @property
    def figures(self) -> tuple[str, str, str]:
        """Cells of the columns `SUGGESTED`; empty where there is nothing to say."""
        undecided, distance = (
            f"{value:.3f}" if np.isfinite(value) else "" for value in (self.undecided, self.distance)
        )
        return undecided, distance, self.nearest


class _Known(NamedTuple):
    """What the labels say."""

    points: NDArray[np.float32]
    """(M, D) embeddings of labelled frames."""
    names: list[str]
    """Their labels."""
    head: LinearClassifier | None
    by_doubt: bool
    """Whether there are enough labels."""
    studies: int


class _Candidates(NamedTuple):
    """K frames to choose from."""

    points: NDArray[np.float32]
    """(K, D)"""
    doubt: NDArray[np.float32]
    """(K,)"""
    places: list[tuple[str, int, float]]
    """Study, frame, seconds."""
    has_scores: bool


def choose(parts: Callable[[], Iterable[Part]], count: int, normal_label: str, reporter: Reporter) -> list[Suggestion]:
    """The frames to label next, the most useful first.

    Args:
        parts: called twice: for the labels, and for the frames to choose from.
        count: at most so many.
        normal_label: label of frames without a finding.
        reporter: may cancel.

    Raises:
        NothingToDoError: every frame is labelled.
    """
    known = _known(parts(), normal_label)
    points, doubt, places, has_scores = _candidates(parts(), known, reporter)
    best = what_to_label.foremost(
        np.argsort(-doubt, kind="stable"), what_to_label.MOST_CANDIDATES, by_doubt=known.by_doubt
    )
    picks = what_to_label.pick_to_label(points[best], doubt[best], known.points, count=count, by_doubt=known.by_doubt)
    nearest = [*known.names, ""]  # row -1 where none is labelled
    chosen = []
    for pick in picks:
        undecided = pick.undecided if has_scores else float("nan")
        study, frame, seconds = places[int(best[pick.row])]
        chosen.append(Suggestion(study, frame, seconds, undecided, pick.distance, nearest[pick.nearest]))
    return chosen


def _known(parts: Iterable[Part], normal_label: str) -> _Known:
    points, names, labels, studies = list[NDArray[np.float32]](), list[str](), 0, 0
    for part in parts:
        studies += 1
        is_labelled = part.names != ""
        labels += what_to_label.label_count(part.seconds, is_labelled) if part.study_id else int(is_labelled.sum())
        rows = np.flatnonzero(is_labelled)
        rows = rows[np.isfinite(part.points[rows]).all(1)]
        points.append(np.asarray(part.points[rows], np.float32))
        names += part.names[rows].tolist()
    every = np.concatenate(points)
    kept = evenly(np.arange(len(every)), MOST_KNOWN)
    names = [names[at] for at in kept.tolist()]
    head = _fitted(every[kept], names, normal_label)
    return _Known(every[kept], names, head, labels >= what_to_label.COVERED_LABELS, studies)


def _candidates(parts: Iterable[Part], known: _Known, reporter: Reporter) -> _Candidates:
    points, doubts, places = list[NDArray[np.float32]](), list[NDArray[np.float32]](), list[tuple[str, int, float]]()
    most, has_scores = max(50, what_to_label.MOST_CANDIDATES // known.studies), known.head is not None
    for part in parts:
        reporter.check()
        doubt = _doubt(part, known.head)
        is_open, apart = part.names == "", what_to_label.APART_SECONDS if part.study_id else 0.0
        rows = what_to_label.candidates(
            doubt, part.seconds, is_open, most=most, apart_seconds=apart, by_doubt=known.by_doubt
        )
        points.append(np.asarray(part.points[rows], np.float32))
        doubts.append(doubt[rows])
        places += [(part.study_id, int(part.frames[at]), float(part.seconds[at])) for at in rows.tolist()]
        has_scores = has_scores or part.has_scores
    if not places:
        raise NothingToDoError("Every frame carries a label.", "Add studies or images.")
    return _Candidates(np.concatenate(points), np.concatenate(doubts), places, has_scores)


def _fitted(points: NDArray[np.float32], names: Sequence[str], normal: str) -> LinearClassifier | None:
    """The classifier of the labels, normal first; None without two classes."""
    from training.finetuning.live_head import PENALTY
    from training.models.logistic import fit_classifier

    classes = sorted(set(names), key=lambda name: (name != normal, name))
    if len(classes) < 2:
        return None
    zero = LinearClassifier(np.zeros((len(classes), points.shape[1])), np.zeros(len(classes)))
    return fit_classifier(zero, points, np.array([classes.index(name) for name in names]), penalty=PENALTY)


def _doubt(part: Part, head: LinearClassifier | None) -> NDArray[np.float32]:
    """(N,) by the classifier, else by the model, else the same everywhere; NaN for a missing frame."""
    if head is not None:
        return what_to_label.undecided(head.scores(part.points[:]))
    if part.scores is not None and part.has_scores:
        return what_to_label.undecided(part.scores)
    return np.where(np.isfinite(part.points[:]).all(1), np.float32(1), np.float32(np.nan))
