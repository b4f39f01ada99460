"""Calibration: how often a class is on frames of a score, measured on patients that training did not see.

Platt scaling (Platt 1999), the logistic function of slope * log-odds of the score + intercept, class by class. On
groups of real frames that it was not fitted to, its error was lower than that of a temperature and of isotonic
regression (docs/results/models.md). The slope is positive, so that calibrated scores keep the order of the scores:
ranks and thresholds by rate stay. A class keeps its scores where this does not lower the squared error of other
patients.

Shares are those of the labelled frames, of which far more show a finding than in a whole study.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from training.metrics.patient_bootstrap import drawn_patients, with_interval
from training.metrics.within_source import BOOTSTRAPS, FEWEST_PATIENTS, SourcedFrames
from training.texts import Text, listed

PARTS = 10
"""At most, into which patients are divided: each part is calibrated by the others."""
BINS = 10
FEWEST_FRAMES = 20
"""With the class and without it, to fit two numbers to."""
ROUNDS, LEAST_SLOPE = 50, 0.01
Array = NDArray[np.float64]


class Platt(NamedTuple):
    """What calibrates one class."""

    slope: float = 1.0
    intercept: float = 0.0

    def apply(self, scores: NDArray[np.floating]) -> Array:
        """(N,) in [0, 1], rising with the scores (N,) in [0, 1]; NaN stays."""
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * (self.slope * _log_odds(scores) + self.intercept)))

    @classmethod
    def fit(cls, scores: NDArray[np.floating], positive: NDArray[np.bool_]) -> Self | None:
        """Newton's method on the log-likelihood of Platt's targets (N,); None with fewer than `FEWEST_FRAMES`."""
        count = int(positive.sum())
        if min(count, len(positive) - count) < FEWEST_FRAMES:
            return None
        target = np.where(positive, (count + 1) / (count + 2), 1 / (len(positive) - count + 2))
        rows = np.stack([_log_odds(scores), np.ones(len(scores))], axis=1)
        values, loss = np.array([1.0, 0.0]), np.inf
        step = np.zeros(2)
        for _ in range(ROUNDS):
            tried = values + step
            odds = rows @ tried
            now = float((np.logaddexp(0, odds) - target * odds).sum())
            if now > loss:
                step = step / 2
                continue
            values, is_done = tried, loss - now < 1e-9 * len(rows)
            loss, share = now, 0.5 + 0.5 * np.tanh(0.5 * odds)
            if is_done:
                break
            curvature = rows.T @ (rows * np.maximum(share * (1 - share), 1e-9)[:, None]) + 1e-9 * np.eye(2)
            step = np.linalg.solve(curvature, rows.T @ (target - share))
        if values[0] < LEAST_SLOPE:  # no better than chance: nearly the same share for all scores
            return cls(LEAST_SLOPE, float(np.log((count + 1) / (len(positive) - count + 1))))
        return cls(float(values[0]), float(values[1]))


def _log_odds(scores: NDArray[np.floating]) -> Array:
    inside = np.clip(scores.astype(np.float64), 1e-7, 1 - 1e-7)
    return np.asarray(np.log(inside / (1 - inside)))


def calibration(
    frames: SourcedFrames,
    tracks: Sequence[NDArray[np.floating]],
    fold: NDArray[np.int64] | None = None,
    given: Mapping[str, Platt] | None = None,
) -> dict[str, Any]:
    """The calibration of each class against normal, and its error on patients that it was not fitted to.

    Args:
        frames: M frames that training did not see.
        tracks: of each seed the scores (M, C) of the classes `names`.
        fold: (M,) parts in which frames were held out together; None: patients are divided into `PARTS`.
        given: class -> its calibration by other data, which is evaluated and not fitted; a class without one is
            evaluated by its scores as they are. None: each part is calibrated by the others.

    Returns:
        Empty where no class can be calibrated. Otherwise JSON values: `classes`, name -> `slope`, `intercept`,
        `error` and `error_before` (expected calibration errors with and without them), `low` and `high` (interval of
        `error` over patients; None where fewer than `FEWEST_PATIENTS` have the class), `bins` (mean calibrated score,
        share of frames with the class, frames; rising), `frames`, `positives`, `patients`; and `sentence`.
    """
    patient = np.unique(frames.patients, return_inverse=True)[1]
    parts = patient % PARTS if fold is None else fold
    rows: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(frames.names[1:], 1):
        mine = np.flatnonzero((frames.labels == 0) | (frames.labels == number))
        scores = np.concatenate([track[mine, number] for track in tracks]).astype(np.float64)
        positive, part = (np.tile(column[mine], len(tracks)) for column in (frames.labels == number, parts))
        if given is None:
            row = _of_class(scores, positive, part)
        else:
            row = _evaluated(given.get(name, Platt()), scores, positive, np.tile(patient[mine], len(tracks)))
        if row is not None:
            counts = {"frames": len(mine), "positives": int((frames.labels == number).sum())}
            rows[name] = {**row, **counts, "patients": len(np.unique(patient[frames.labels == number]))}
    return {"classes": rows, "sentence": _sentence(frames, rows)} if rows else {}


def _of_class(scores: Array, positive: NDArray[np.bool_], part: NDArray[np.int64]) -> dict[str, Any] | None:
    """Of scores (n,); None where a part leaves too few frames for a fit to the others, or there are none."""
    if not len(scores):
        return None
    calibrated = np.empty(len(scores))
    for each in np.unique(part):
        fitted = Platt.fit(scores[part != each], positive[part != each])
        if fitted is None:
            return None
        calibrated[part == each] = fitted.apply(scores[part == each])
    whole, before = Platt.fit(scores, positive), expected_error(scores, positive)
    if whole is None or np.square(calibrated - positive).mean() >= np.square(scores - positive).mean():
        whole, calibrated = Platt(), scores
    errors = {"error": expected_error(calibrated, positive), "low": None, "high": None, "error_before": before}
    return {**whole._asdict(), **errors, "bins": reliability(calibrated, positive)}


def _evaluated(
    by: Platt, scores: Array, positive: NDArray[np.bool_], owner: NDArray[np.int64]
) -> dict[str, Any] | None:
    """Of scores (n,) of patients (n,); None where no frame has the class, or all have it."""
    if positive.all() or not positive.any():
        return None
    calibrated = scores if by == Platt() else by.apply(scores)
    patient = np.unique(owner, return_inverse=True)[1]
    number, count = np.minimum((calibrated * BINS).astype(np.int64), BINS - 1), int(patient.max()) + 1
    surplus = np.zeros((count, BINS))  # of the scores over the frames with the class
    np.add.at(surplus, (patient, number), calibrated - positive)
    has_interval = len(np.unique(patient[positive])) >= FEWEST_PATIENTS
    drawn = drawn_patients(count, BOOTSTRAPS if has_interval else 0, 0)
    errors = with_interval(np.abs(drawn @ surplus).sum(axis=1) / (drawn @ np.bincount(patient)), "error")
    before = {"error_before": expected_error(scores, positive)}
    return {**by._asdict(), **errors, **before, "bins": reliability(calibrated, positive)}


def reliability(scores: NDArray[np.floating], positive: NDArray[np.bool_]) -> list[list[float]]:
    """Of frames (n,) in `BINS` bins of equal width: mean score, share of positives, frames; rising, none is empty."""
    numbers = np.minimum((scores * BINS).astype(np.int64), BINS - 1)
    parts = (numbers == number for number in np.unique(numbers))
    return [[float(scores[part].mean()), float(positive[part].mean()), int(part.sum())] for part in parts]


def expected_error(scores: NDArray[np.floating], positive: NDArray[np.bool_]) -> float:
    """Expected calibration error: mean over the frames of |mean score - share of positives| of their bin."""
    return sum(count * abs(mean - share) for mean, share, count in reliability(scores, positive)) / len(scores)


def calibrated_by(card: Mapping[str, Any], name: str) -> Platt | None:
    """What a card says of a class; None where it says nothing that can be used."""
    try:
        row = card["calibration"]["classes"][name]
        values = Platt(float(row["slope"]), float(row["intercept"]))
    except (KeyError, TypeError, ValueError):
        return None
    return values if values.slope > 0 and np.isfinite(values).all() else None


def _sentence(frames: SourcedFrames, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """On whom it was measured, and with which error."""
    sources = np.unique(frames.sources[frames.sources != ""]).tolist()
    errors = [Text("{name} {error:.3f}", Text(name), row["error"]) for name, row in rows.items()]
    counts = len(np.unique(frames.patients)), listed(errors)
    if sources:
        return Text(
            "Calibrated scores were measured on {patients} held-out patients from {sources}; expected calibration "
            "error: {errors}.",
            counts[0],
            listed(sources),
            counts[1],
        )
    return Text(
        "Calibrated scores were measured on {patients} held-out patients; expected calibration error: {errors}.",
        *counts,
    )
