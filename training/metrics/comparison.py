"""Two models on the same frames: figures by class, flags, and the verdict; how sure differences are, by a bootstrap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import auc, each_frame_once, frames_of_class
from training.metrics.events import MAX_GAP_FRAMES, THRESHOLD, event_bounds, flagged_frames
from training.metrics.figures import ANY, FEW_PATIENTS, AbsentFrames, class_figures, trust_warning, verdict
from training.metrics.operating_points import rate_for, threshold_at
from training.metrics.patient_bootstrap import RankedScores, drawn_patients, with_interval
from training.texts import join_texts

DRAWS = 1000
SPECIFICITY = 0.95
"""Where sensitivity is compared."""


def paired_intervals(
    positive: NDArray[np.bool_],
    patients: NDArray[np.str_],
    old: NDArray[np.floating],
    new: NDArray[np.floating],
) -> dict[str, list[float]] | None:
    """Intervals of the differences new minus old in AUC and in sensitivity at 95 % specificity.

    See `training.metrics.patient_bootstrap`.
    Draws without a positive or without a negative frame are left out. With few patients the intervals are narrow: of 60
    simulated pairs of equal models the verdict told 10 apart at 5 patients, 7 at 15 and 5 at 30.

    Returns:
        "auc" and "sensitivity", [low, high] each in [-1, 1]; None where no draw has both kinds of frames.
    """
    patient = np.unique(patients, return_inverse=True)[1]
    draws = drawn_patients(int(patient.max(initial=-1)) + 1, DRAWS, 0)
    before, after = (RankedScores(positive, track, (SPECIFICITY,)).drawn(patient, draws) for track in (old, new))
    names = {"auc": "auc", "sensitivity": "sensitivity_at_95"}
    rows = {name: with_interval(after[key] - before[key]) for name, key in names.items()} if before and after else {}
    ends = {name: (row["low"], row["high"]) for name, row in rows.items()}
    return {name: [low, high] for name, (low, high) in ends.items() if low is not None and high is not None} or None


@dataclass(frozen=True)
class EvaluatedFrames:
    """M labelled frames on which both models are evaluated.

    Attributes:
        names: class of each label number, normal first.
        labels: (M,) into `names`.
        patients: (M,) patient of each frame.
        studies: (M,) study of each frame.
        frame_index: (M,) frame of the study, ascending within a study; a frame with several classes has a row for each.
        absent: further frames on which one class is not there; they count for the figures of that class.
    """

    names: Sequence[str]
    labels: NDArray[np.int64]
    patients: NDArray[np.str_]
    studies: NDArray[Any]
    frame_index: NDArray[np.int64]
    absent: AbsentFrames | None = None

    @property
    def frame(self) -> NDArray[np.int64]:
        """(M,) number of the frame of each row."""
        study = np.unique(self.studies, return_inverse=True)[1]
        return np.asarray(np.unique(study << 32 | self.frame_index, return_inverse=True)[1], np.int64)

    @property
    def once(self) -> NDArray[np.int64]:
        """(K,) a row of each frame, ascending."""
        return each_frame_once(self.labels, self.frame, len(self.names))[0]


@dataclass(frozen=True)
class ModelScores:
    """A model's scores (M, C) on these frames; `classes` names the C classes, normal first.

    `absent` (N, C) are those of `EvaluatedFrames.absent`.
    """

    model_id: str
    classes: Sequence[str]
    scores: NDArray[np.floating]
    absent: NDArray[np.floating] | None = None

    def absent_track(self, name: str, rejected: NDArray[np.int64] | None) -> NDArray[np.floating] | None:
        """Scores of a class on the frames on which one class is not there (N,); 0 if the model does not know it."""
        if rejected is None or self.absent is None or name not in self.classes:
            return None if rejected is None else np.zeros(len(rejected))
        return self.absent[:, list(self.classes).index(name)]

    def track(self, name: str) -> NDArray[np.floating] | None:
        """(M,) scores of a class, of "any" one minus the score of normal; None for a class that it does not know."""
        if name == ANY:
            return 1.0 - self.scores[:, 0]
        return self.scores[:, list(self.classes).index(name)] if name in self.classes else None


def compare(
    frames: EvaluatedFrames,
    old: ModelScores,
    new: ModelScores,
    split: Literal["patients", "time"],
    sentence: str,
    unlabelled: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """What comparison.json says.

    Args:
        old: a class that it does not know has None for figures.
        sentence: what the split has to say of its own trustworthiness.
        unlabelled: classes of the old model without labels, with `frames`, `old_flagged` and `new_flagged`.

    Returns:
        JSON values: old_model, new_model, classes, old and new (see `class_figures`), any, split, warning, unlabelled;
        intervals (see `paired_intervals`) of each class with enough patients; flags (see `flag_counts`); verdict (see
        `training.metrics.figures`).
    """
    before, after = (
        class_figures(
            frames.names,
            frames.labels,
            frames.patients,
            model.classes,
            model.scores,
            frames.absent,
            model.absent,
            frames.frame,
        )
        for model in (old, new)
    )
    warning = join_texts(" ", (trust_warning(after), sentence))
    result = {
        "old_model": old.model_id,
        "new_model": new.model_id,
        "classes": [name for name in after if name != ANY],
        "old": {name: row for name, row in before.items() if name != ANY},
        "new": {name: row for name, row in after.items() if name != ANY},
        "any": {"old": before[ANY], "new": after[ANY]},
        "split": split,
        "warning": warning,
        "unlabelled": dict(unlabelled or {}),
        "intervals": _intervals(frames, old, new, after) if split == "patients" else {},
        "flags": flag_counts(frames, old, new),
    }
    return {**result, "verdict": verdict(result)}


def _intervals(
    frames: EvaluatedFrames, old: ModelScores, new: ModelScores, figures: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, list[float]]]:
    """Of each class with enough patients; a class that a model does not know has the same score for all frames."""
    result = {}
    for number, name in [*enumerate(frames.names), (0, ANY)]:
        if name not in figures or figures[name]["patients_with_positives"] < FEW_PATIENTS:
            continue
        rejected, others = (None, None) if frames.absent is None else (frames.absent.labels, frames.absent.patients)
        used = slice(None) if number else frames.once
        labels = frames.labels[used]
        truth, patients = frames_of_class(number, labels, frames.patients[used], rejected, others)
        columns = ((model.track(name), model.absent_track(name, rejected)) for model in (old, new))
        before, after = (
            frames_of_class(number, labels, np.zeros(len(labels)) if track is None else track[used], rejected, more)[1]
            for track, more in columns
        )
        truth = truth if number else ~truth
        intervals = paired_intervals(truth, patients, np.asarray(before, np.float64), np.asarray(after, np.float64))
        if intervals is not None:
            result[name] = intervals
    return result


def _flagged(track: NDArray[np.floating], normal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(M,) bool: the frames above the threshold that this model's class needs for the rate of `rate_for`.

    `normal` (M,) are normal frames. Where there are too few of them, the frames from `THRESHOLD` on.
    """
    rate = rate_for(int(normal.sum()))
    threshold = THRESHOLD if rate is None else threshold_at(track[normal], rate)
    return flagged_frames(track, 1.0 if threshold is None else threshold)


def unlabelled_changes(
    names: Sequence[str], old: ModelScores, new: ModelScores, normal: NDArray[np.bool_]
) -> dict[str, dict[str, Any]]:
    """What became of classes without labels: class -> frames, old_flagged, new_flagged, agreement; both models have
    them.

    Both models flag as many of the normal frames, `normal` (M,). `agreement` is the AUC of the new model's score
    against the frames that the old model scores from `THRESHOLD` on, None where these are none or all of them.
    """
    result = {}
    for name in names:
        before, after = old.track(name), new.track(name)
        if before is None or after is None:
            raise ValueError(f"a model does not know {name}")
        result[name] = {
            "frames": len(before),
            "old_flagged": int(_flagged(before, normal).sum()),
            "new_flagged": int(_flagged(after, normal).sum()),
            "agreement": auc(flagged_frames(before, THRESHOLD), after),
        }
    return result


def flag_counts(frames: EvaluatedFrames, old: ModelScores, new: ModelScores) -> dict[str, Any]:
    """Flagged frames and events of each class that either model knows, on all evaluated frames.

    Each class of each model has the threshold that the same share of the normal frames reaches. Events are counted
    within a study: flagged frames with at most `max_gap_frames` other frames between them are one.

    Returns:
        rate (of normal frames; None: there are too few, and the threshold is `THRESHOLD`), max_gap_frames, frames (how
        many), and classes: name -> {"old": counts, "new": counts}, counts being {"frames": int, "events": int}, or None
        for a model that does not know the class.
    """
    names, once = dict.fromkeys([*old.classes[1:], *new.classes[1:]]), frames.once
    return {
        "rate": rate_for(int((frames.labels[once] == 0).sum())),
        "max_gap_frames": MAX_GAP_FRAMES,
        "frames": len(once),
        "classes": {
            name: {side: _counts(frames, once, model.track(name)) for side, model in (("old", old), ("new", new))}
            for name in names
        },
    }


def _counts(
    frames: EvaluatedFrames, once: NDArray[np.int64], track: NDArray[np.floating] | None
) -> dict[str, int] | None:
    """`once`: (K,) a row of each frame."""
    if track is None:
        return None
    flagged = _flagged(track[once], frames.labels[once] == 0)
    studies, indices, events = frames.studies[once], frames.frame_index[once], 0
    for study in np.unique(studies[flagged]):
        events += len(event_bounds(indices[flagged & (studies == study)], MAX_GAP_FRAMES)[0])
    return {"frames": int(flagged.sum()), "events": events}
