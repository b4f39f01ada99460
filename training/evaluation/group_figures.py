"""Figures over whole patients: intervals, sensitivity at fixed false positives, and each patient's own."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.fold_run import FoldScores
from training.metrics import detector, protocol
from training.metrics.figures import ANY
from training.metrics.operating_points import sensitivities
from training.metrics.patient_bootstrap import RankedScores, drawn_patients, with_interval
from training.metrics.within_source import FEWEST_PATIENTS, SourcedFrames, any_finding

FALSE_POSITIVES = (0.001, 0.005, 0.01, 0.05, 0.1)
"""Shares of normal frames at which sensitivity is reported."""
SPECIFICITY = 0.95
"""Of the threshold at which frames of a patient, and those of the pages, count as flagged."""
Curve = Callable[[NDArray[np.bool_], NDArray[np.floating]], NDArray[np.float64] | None]


def class_intervals(data: EvaluationSet, done: FoldScores, bootstraps: int, seed: int) -> dict[str, dict[str, Any]]:
    """Figures of a model for each class against normal, and for "any" of them, with 95 % intervals over patients.

    Returns:
        Class -> figure (see `RankedScores`) -> `value`, `low`, `high`; without interval where fewer than
        `FEWEST_PATIENTS` patients have the class, or of any where there is one patient. A class that was rejected on
        some frames is left out, for these count in its figures and in no draw.
    """
    frames = data.labelled.select(done.rows)
    patients, owner = np.unique(frames.patients, return_inverse=True)
    drawn = drawn_patients(len(patients), bootstraps, seed)
    once = detector.each_frame_once(frames.label, frames.frame_number, len(frames.classes))[0]
    parts = {ANY: (once, frames.label[once] > 0, protocol.any_track(done.scores[once]))}
    for number, name in enumerate(frames.classes[1:], 1):
        rows = np.flatnonzero((frames.label == 0) | (frames.label == number))
        if not (done.absent == number).any():
            parts[name] = rows, frames.label[rows] == number, done.scores[rows, number].astype(np.float64)
    result = {}
    for name, (rows, positive, track) in parts.items():
        fewest, having = (2, patients) if name == ANY else (FEWEST_PATIENTS, np.unique(owner[rows][positive]))
        has_interval = len(having) >= fewest
        draws = RankedScores(positive, track).drawn(owner[rows], drawn if has_interval else drawn[:1])
        result[name] = {figure: with_interval(values, "value") for figure, values in draws.items()}
    return result


def class_curves(data: EvaluationSet, done: FoldScores, curve_of: Curve) -> dict[str, list[float]]:
    """Class -> its curve against normal; see `training.metrics.protocol.curve_report`."""
    labels, result = data.labelled.label[done.rows], {}
    for number, name in enumerate(data.labelled.classes[1:], 1):
        positive, track = detector.frames_of_class(number, labels, done.scores[:, number])
        if (curve := curve_of(positive, track)) is not None:
            result[name] = [round(float(value), 5) for value in curve]
    return result


def fixed_false_positives(
    frames: SourcedFrames, scores: NDArray[np.floating], number: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Sensitivity at each of `FALSE_POSITIVES`, at thresholds set on the normal frames of the other patients.

    Args:
        frames: M evaluated frames.
        scores: (M, C) of the first seed.
        number: (M,) of the frame of each row.

    Returns:
        A row for each class, and for any finding, of each source (None: no frame has one): `class`, `source`, `frames`,
        `patients` and `rates`, a list of `rate`, `sensitivity`, `low`, `high` and `normal_reached`. A rate that too few
        normal frames can state is left out.
    """
    merged, (track,), _ = any_finding(frames, [scores], number)
    rows: dict[tuple[str, str | None], dict[str, Any]] = {}
    for source in np.unique(frames.sources[frames.sources != ""]).tolist() or [None]:
        for rate in FALSE_POSITIVES:
            figures = sensitivities(merged, track, source, rate) | sensitivities(frames, scores, source, rate)
            for name, row in figures.items():
                counts = {"frames": row.pop("frames"), "patients": row.pop("patients")}
                row_of = rows.setdefault((name, source), {"class": name, "source": source, **counts, "rates": []})
                row_of["rates"].append({"rate": rate, **row})
    return list(rows.values())


def group_rows(data: EvaluationSet, done: list[FoldScores]) -> list[dict[str, Any]]:
    """Figures of each patient, of the first seed; a frame is flagged at its fold's threshold for `SPECIFICITY`.

    Returns:
        Rows with `group`, `positives` (frames with a finding), `sensitivity` (share of them flagged), `normal_frames`,
        `false_positives` (share of them flagged) and `auc`; None where there is no figure.
    """
    rows = []
    for scores in done:
        if scores.seed != done[0].seed:
            continue
        frames = data.labelled.select(scores.rows)
        once = detector.each_frame_once(frames.label, frames.frame_number, len(frames.classes))[0]
        positive, track = frames.label[once] > 0, protocol.any_track(scores.scores[once])
        flagged, owner = _flagged(positive, track), frames.patients[once]
        for name in np.unique(owner).tolist():
            mine = owner == name
            ill, normal = mine & positive, mine & ~positive
            rows.append(
                {
                    "group": name,
                    "positives": int(ill.sum()),
                    "sensitivity": float(flagged[ill].mean()) if ill.any() else None,
                    "normal_frames": int(normal.sum()),
                    "false_positives": float(flagged[normal].mean()) if normal.any() else None,
                    "auc": detector.auc(positive[mine], track[mine]),
                }
            )
    return sorted(rows, key=lambda row: str(row["group"]))


def _flagged(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> NDArray[np.bool_]:
    """(K,) at and above the threshold for `SPECIFICITY`; nothing without normal frames."""
    return np.asarray(track >= (np.inf if positive.all() else detector.threshold_at(track[~positive], SPECIFICITY)))
