"""Scores on one scale for all classes, by the share of normal frames that score as high.

A threshold means the same for every class then: at 0.50 it is reached by 5 of 1,000 normal frames, at 0.90 by 1 of
2,000, at 0.10 by 50 of 1,000. Where neither a model's card nor the study itself can state such rates, scores stay as
the model gives them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.metrics.operating_points import RATES, USUAL_RATE, threshold_at
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.clock import score_text
from wce_desktop.core.language import number_text, tr, tr_count

PER_DECADE = 0.4
"""How much lower the standard score is where ten times as many normal frames reach it."""
LOWEST, HIGHEST = 0.1, 0.9
"""Standard scores between which thresholds have a rate, 50 and 0.5 of 1,000."""
FEWEST_ABOVE = 5
"""Normal frames that must reach a threshold: a new frame then does so at most twice as often as stated, with a
probability of 97 % (the chance that a Poisson variable of mean 10 is 5 or more)."""
FEWEST_FRAMES = round(FEWEST_ABOVE / USUAL_RATE)
"""Of a study, or of the confirmed normal frames of a library, from which quantiles are taken."""
BULK = (0.2, 0.05)
"""Shares of a study's frames that score so high without many lesions among them."""
Origin = Literal["held-out", "library", "study"]
Thresholds = Mapping[str, Mapping[float, float]]
"""Class -> rate -> score in [0, 1] that this share of normal frames reaches."""


class Stated(NamedTuple):
    """Thresholds that do not come from the study's own scores."""

    thresholds: Thresholds
    frames: int = 0
    """Confirmed normal frames of the library that gave them; 0: they are of a model's card."""
    studies: int = 0


def standard_score(rate: float) -> float:
    """The standard score that a share `rate` of normal frames reaches."""
    return 0.5 - PER_DECADE * math.log10(rate / USUAL_RATE)


def rate_at(score: float) -> float:
    """The share of normal frames that reach a standard score; the inverse of `standard_score`."""
    return USUAL_RATE * 10 ** ((0.5 - score) / PER_DECADE)


@dataclass(frozen=True)
class RateScale:
    """How scores of one model in one study become standard scores.

    Args:
        thresholds: by class; a class without any keeps its scores.
        origin: "held-out": of held-out normal frames, by the model's card; "library": of so many confirmed normal
            `frames` of `studies` of the library; "study": of the study's own frames.
    """

    thresholds: Thresholds
    origin: Origin
    frames: int = 0
    studies: int = 0

    def apply(self, name: str, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N,) float32 in [0, 1], rising with the scores (N,); NaN stays.

        A score reaches a stated threshold if and only if its standard score reaches `standard_score` of the rate.
        """
        if not self.thresholds.get(name):
            return scores
        at, level = self._knots(name)
        edges = level.astype(np.float32)
        result = np.interp(_log_odds(scores), _log_odds(at), level).astype(np.float32)
        above = np.clip(np.searchsorted(at, scores, side="right"), 1, len(at) - 1)
        below = np.where(scores < at[above], np.nextafter(edges[above], np.float32(0)), edges[above])
        return np.asarray(np.minimum(np.maximum(result, edges[above - 1]), below), np.float32)

    def score_at(self, name: str, standard: float) -> float:
        """The model's score of a class at a standard score."""
        if not self.thresholds.get(name):
            return standard
        at, level = self._knots(name)
        exact = np.flatnonzero(np.isclose(level, standard, rtol=0, atol=1e-9))
        odds = float(np.interp(standard, level, _log_odds(at)))
        return float(at[exact[-1]]) if len(exact) else 1 / (1 + math.exp(-odds))

    def _knots(self, name: str) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Scores and their standard scores, both rising; of rates with the same threshold the lowest counts."""
        stated = {np.float32(threshold): standard_score(rate) for rate, threshold in
                  sorted(self.thresholds[name].items(), reverse=True) if 0 < threshold < 1 and
                  standard_score(rate) > 0}  # fmt: skip
        pairs = [(np.float32(0), 0.0), *sorted(stated.items()), (np.float32(1), 1.0)]
        return np.array([score for score, _ in pairs], np.float32), np.array([level for _, level in pairs])


def _log_odds(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    inside = np.clip(scores.astype(np.float64), 1e-7, 1 - 1e-7)
    return np.asarray(np.log(inside / (1 - inside)))


def scale_of(stated: Stated, tracks: Mapping[str, NDArray[np.float32]]) -> RateScale | None:
    """The scale of a study; None where nothing is known of any class.

    Stated thresholds count where they reach down to `USUAL_RATE`; else those of the study's own scores, where it has
    `FEWEST_FRAMES`. `tracks` are the study's scores (N,) by class.
    """
    thresholds = {name: rates for name, rates in stated.thresholds.items() if USUAL_RATE in rates}
    origin: Origin = "library" if stated.frames else "held-out"
    for name, track in tracks.items():
        is_enough = np.count_nonzero(~np.isnan(track)) >= FEWEST_FRAMES
        if name != NORMAL and is_enough and name not in thresholds:
            thresholds[name], origin = thresholds_of_study(track), "study"
    return RateScale(thresholds, origin, stated.frames, stated.studies) if any(thresholds.values()) else None


def origin_words(scale: RateScale | None) -> str:
    """Says where the rates come from."""
    if scale is None:
        return tr("A score. How many normal frames reach it is not known.")
    if scale.origin == "library":
        return tr_count(
            "For each class, from {frames} confirmed normal frames of {count} study of this library.",
            "For each class, from {frames} confirmed normal frames of {count} studies of this library.",
            scale.studies,
            frames=number_text(scale.frames),
        )
    if scale.origin == "study":
        return tr("For each class, of 1,000 normal frames, estimated from this study: findings are taken to be rare.")
    return tr("For each class, of 1,000 normal frames of patients that training did not see.")


def thresholds_of_study(track: NDArray[np.float32]) -> dict[float, float]:
    """Rate -> threshold, of one class's scores (N,) in a study of which nobody knows which frames are normal.

    The quantiles of all frames would count every frame with a finding as normal. So below `BULK` the threshold is at
    most that of a straight line: log-odds of the score against the logarithm of the rate, through the two quantiles of
    `BULK`, where a few lesions change little. It assumes that the class is on fewer than about 2 % of the frames. On
    the phantom 0.4 to 8 of 1,000 normal frames reach the threshold for 5 (docs/results/models.md).
    """
    stated = {rate: value for rate in RATES if (value := threshold_at(track, rate)) is not None}
    many, few = BULK
    at = _log_odds(np.nanquantile(track, [1 - many, 1 - few]))
    slope = (at[1] - at[0]) / math.log(many / few)
    for rate in stated:
        if rate < few and slope > 0:
            stated[rate] = min(stated[rate], 1 / (1 + math.exp(-at[1] - slope * math.log(few / rate))))
    return stated


def threshold_text(threshold: float, scale: RateScale | None, *, is_short: bool = False) -> str:
    """A threshold as a rate, "5 per 1,000" or "5 ‰"; as a score where there are no rates."""
    if scale is None:
        return score_text(threshold)
    share = 1000 * rate_at(min(max(threshold, LOWEST), HIGHEST))
    sign = "<" if threshold > HIGHEST + 1e-6 else ">" if threshold < LOWEST - 1e-6 else ""
    rate = sign + number_text(share, ".0f" if share >= 9.5 else ".2g")
    return f"{rate} ‰" if is_short else tr("{rate} per 1,000", rate=rate)
