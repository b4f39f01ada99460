"""The frames that `suggest` lists: the window's rule over the frames of some studies, or over images."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.embeddings import what_to_label
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
    points: NDArray[np.floating]
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


def choose(parts: Callable[[], Iterable[Part]], count: int, normal_label: str, reporter: Reporter) -> list[Suggestion]:
    """The frames to label next, the most useful first.

    Args:
        parts: called twice: for the labels, and for the frames to choose from.
        count: at most so many.
        normal_label: label of frames without a finding.
        reporter: may cancel.
    """
    known, names, labels, studies = list[NDArray[np.float32]](), list[str](), 0, 0
    for part in parts():
        studies += 1
        is_labelled = part.names != ""
        labels += what_to_label.label_count(is_labelled) if part.study_id else int(is_labelled.sum())
        known.append(np.asarray(part.points[is_labelled], np.float32))
        names += part.names[is_labelled].tolist()
    points = np.concatenate(known)
    thinned = np.unique(np.linspace(0, len(points) - 1, min(MOST_KNOWN, len(points))).astype(np.int64))
    points, names = points[thinned], [names[at] for at in thinned.tolist()]
    head, by_doubt = _fitted(points, names, normal_label), labels >= what_to_label.COVERED_LABELS
    most = max(50, what_to_label.MOST_CANDIDATES // studies)
    rows, doubts, places = list[NDArray[np.float32]](), list[NDArray[np.float32]](), list[tuple[str, int, float]]()
    has_scores = head is not None
    for part in parts():
        reporter.check()
        has_scores = has_scores or part.has_scores
        doubt = _doubt(part, head)
        is_open, apart = part.names == "", 2.0 if part.study_id else 0.0
        mine = what_to_label.candidates(doubt, part.seconds, is_open, most=most, apart_seconds=apart, by_doubt=by_doubt)
        rows.append(np.asarray(part.points[mine], np.float32))
        doubts.append(doubt[mine])
        places += [(part.study_id, int(part.frames[at]), float(part.seconds[at])) for at in mine.tolist()]
    if not places:
        raise NothingToDoError("Every frame carries a label.", "Add studies or images.")
    order = what_to_label.foremost(
        np.argsort(-np.concatenate(doubts), kind="stable"), what_to_label.MOST_CANDIDATES, by_doubt=by_doubt
    )
    picks = what_to_label.pick_to_label(
        np.concatenate(rows)[order], np.concatenate(doubts)[order], points, count=count, by_doubt=by_doubt
    )
    nearest = [*names, ""]  # row -1 where none is labelled
    undecided = [pick.undecided if has_scores else float("nan") for pick in picks]
    return [
        Suggestion(*places[order[pick.row]], doubt, pick.distance, nearest[pick.nearest])
        for pick, doubt in zip(picks, undecided, strict=True)
    ]


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
        return what_to_label.undecided(head.scores(part.points))
    if part.scores is not None and part.has_scores:
        return what_to_label.undecided(part.scores)
    return np.where(np.isfinite(part.points).all(1), np.float32(1), np.float32(np.nan))
