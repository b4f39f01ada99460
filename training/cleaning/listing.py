"""Lists of what to look at among the frames of several studies or groups, worst first; for the shell and the window."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.cleaning.alike import DUPLICATE_SHARE, near_duplicates, outlier_scores
from training.cleaning.label_errors import checkable, cross_validated_scores, find_label_errors
from training.datasets.sampler import evenly
from training.errors import UserError
from training.runs.reporter import Reporter
from training.texts import Text, join_texts

Kind = Literal["label", "duplicate", "outlier"]
SAMPLE = 20_000
"""Frames that are compared: labelled ones first, then others, evenly in time."""
OUTLIER = 2.0
"""From so many times the usual distance on a frame is listed as an outlier (ours)."""
SECONDS_AMONG = 2.0
"""Of copies and outliers nearer in time than this only the first is listed."""
NO_LABEL = -1


@dataclass(frozen=True, eq=False)
class Frames:
    """N frames of S studies or groups; of images `seconds` is None.

    Attributes:
        study_ids: (S,)
        patient_ids: (S,)
        study: (N,) row of `study_ids`.
        frame_index: (N,)
        seconds: (N,) or None.
        embeddings: (N, D) float32, finite.
        classes: C names.
        label: (N,) class of each frame, or `NO_LABEL` for a frame with none or several.
    """

    study_ids: tuple[str, ...]
    patient_ids: tuple[str, ...]
    study: NDArray[np.int64]
    frame_index: NDArray[np.int64]
    seconds: NDArray[np.float64] | None
    embeddings: NDArray[np.float32]
    classes: tuple[str, ...] = ()
    label: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.study)


class Suspect(NamedTuple):
    """One thing to look at."""

    kind: Kind
    row: int
    """Of the frame."""
    value: float
    """label: margin, in [-1, 0); duplicate: share of the usual distance; outlier: multiple of the usual distance."""
    other: int = -1
    """Row of the frame that looks the same; -1 for none."""
    suggested: str = ""
    """The class that the scores say."""
    self_confidence: float = float("nan")
    """Score of the given label."""


def chosen_rows(is_labelled: NDArray[np.bool_], sample: int) -> NDArray[np.int64]:
    """(min(N, sample),) rows to compare, ascending: labelled frames (N,) first, then others, evenly; 0: all."""
    labelled, others = np.flatnonzero(is_labelled), np.flatnonzero(~is_labelled)
    if not sample or len(is_labelled) <= sample:
        return np.arange(len(is_labelled))
    labelled = evenly(labelled, sample)
    return np.sort(np.concatenate([labelled, evenly(others, sample - len(labelled))]))


def one_label(named: Mapping[int, tuple[str, ...]], frames: NDArray[np.int64], classes: tuple[str, ...]) -> list[int]:
    """The class of each of some frames (N,); `NO_LABEL` for one without a label, or with several."""
    every = (named.get(frame, ()) for frame in frames.tolist())
    return [classes.index(names[0]) if len(names) == 1 else NO_LABEL for names in every]


def find_suspects(
    frames: Frames, kind: Kind, reporter: Reporter, *, share: float = DUPLICATE_SHARE, seed: int = 0
) -> tuple[list[Suspect], str]:
    """The list of one kind, worst first, and what to say of it ("" for nothing).

    Args:
        frames: to look at.
        kind: what to look for.
        reporter: receives progress; may cancel.
        share: of the usual distance, up to which two frames count as copies.
        seed: of the folds.

    Raises:
        UserError: labels are to be checked, and fewer than two classes are labelled in two patients.
    """
    if kind == "label":
        return _wrong_labels(frames, reporter, seed)

    def progress(done: int, total: int) -> None:
        reporter.check()
        reporter.progress(done, total, "frames", "comparing frames")

    if kind == "duplicate":
        pairs = near_duplicates(frames.embeddings, frames.study, share=share, progress=progress)
        listed = [Suspect(kind, pair.first, pair.distance, pair.second) for pair in pairs]
    else:
        far = outlier_scores(frames.embeddings, frames.study, frames.seconds, progress=progress)
        order = np.argsort(-far, kind="stable").tolist()
        listed = [Suspect(kind, row, float(far[row])) for row in order if far[row] >= OUTLIER]
    return _apart(frames, listed), ""


def _wrong_labels(frames: Frames, reporter: Reporter, seed: int) -> tuple[list[Suspect], str]:
    labelled = np.flatnonzero(frames.label != NO_LABEL)
    patients = np.array(frames.patient_ids, np.str_)[frames.study[labelled]]
    kept, note = checkable(frames.label[labelled], patients, frames.classes)
    if len(kept) < 2:
        raise UserError(
            "Labels cannot be checked: fewer than two classes are labelled in two patients or groups.",
            "Label more patients.",
        )
    is_kept = np.isin(frames.label[labelled], kept)
    rows, label = labelled[is_kept], np.searchsorted(kept, frames.label[labelled[is_kept]])
    reporter.progress(0, 1, "steps", "scoring the labelled frames by cross-validation")
    scores = cross_validated_scores(frames.embeddings[rows], label, patients[is_kept], seed=seed, check=reporter.check)
    reporter.progress(1, 1, "steps", "scoring the labelled frames by cross-validation")
    errors = find_label_errors(label, scores)
    names = [frames.classes[at] for at in kept]
    counted = Text("{count:,} labelled frames of {classes} classes were checked.", len(rows), len(kept))
    return [
        Suspect("label", int(rows[at]), float(margin), suggested=names[suggested], self_confidence=float(own))
        for at, suggested, own, margin in zip(
            errors.rows, errors.suggested, errors.self_confidence, errors.margin, strict=True
        )
    ], join_texts(" ", (counted, note))


def _apart(frames: Frames, listed: list[Suspect]) -> list[Suspect]:
    """Without those that lie within two seconds of one above it, in the same study or the same two studies."""
    seconds = frames.seconds
    if seconds is None:
        return listed
    kept: list[Suspect] = []
    taken: dict[tuple[int, int], list[float]] = {}
    for suspect in listed:
        other = int(frames.study[suspect.other]) if suspect.other >= 0 else -1
        times = taken.setdefault((int(frames.study[suspect.row]), other), [])
        time = float(seconds[suspect.row])
        if all(abs(time - before) >= SECONDS_AMONG for before in times):
            kept.append(suspect)
            times.append(time)
    return kept
