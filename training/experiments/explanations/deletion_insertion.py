"""Deletion and insertion curves: how the score falls and rises as an explanation's strongest pixels go and come."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Baseline = Literal["black", "blur"]
"""What stands where a pixel is not shown: black, as outside the field of view, or the frame itself blurred."""
Score = Callable[[NDArray[np.uint8]], NDArray[np.floating]]
"""Prepared frames (B, S, S, 3) uint8 -> the class's score of each, (B,)."""
BLUR_SHARE = 5 / 224
"""Sigma of the blur as a share of the side: Petsiuk et al. take 5 px at 224."""


@dataclass(frozen=True)
class Curve:
    """Scores along the way."""

    share: NDArray[np.float64]
    """(K + 1,) share of the field of view's pixels that were changed, 0 to 1."""
    score: NDArray[np.float64]
    """(K + 1,) the class's score then."""

    @property
    def auc(self) -> float:
        """Area under the curve (trapezoids): deletion is better low, insertion high."""
        return float(((self.score[1:] + self.score[:-1]) / 2 * np.diff(self.share)).sum())


def strongest_first(class_map: NDArray[np.floating], inside: NDArray[np.bool_], seed: int = 0) -> NDArray[np.int64]:
    """(n,) flat indexes of the pixels inside, the strongest first; equal ones in an order drawn by the seed.

    Args:
        class_map: (S, S), any scale; NaN counts as the weakest.
        inside: (S, S) bool: pixels that show anything at all.
        seed: large parts of a map are exactly 0, and reading order would take them away from the top (ours).
    """
    pixels = np.random.default_rng(seed).permutation(np.flatnonzero(inside))
    strength = np.nan_to_num(class_map.astype(np.float64), nan=-np.inf).ravel()[pixels]
    return np.asarray(pixels[np.argsort(-strength, kind="stable")], np.int64)


def deletion(
    score: Score,
    prepared: NDArray[np.uint8],
    order: NDArray[np.int64],
    *,
    steps: int = 20,
    baseline: Baseline = "black",
) -> Curve:
    """Petsiuk et al. 2018 (RISE), section 4.2: take pixels away, the strongest first, and watch the score.

    Args:
        score: of a batch of frames.
        prepared: (S, S, 3) uint8.
        order: of the pixels, from `strongest_first`.
        steps: K, equal parts of the pixels.
        baseline: black, as in the paper (which takes the data set's mean: here black is what lies outside the view).
    """
    return _curve(score, prepared, _baseline(prepared, baseline), order, steps)


def insertion(
    score: Score, prepared: NDArray[np.uint8], order: NDArray[np.int64], *, steps: int = 20, baseline: Baseline = "blur"
) -> Curve:
    """Petsiuk et al. 2018 (RISE), section 4.2: put pixels back into a blurred frame, the strongest first.

    Args:
        score: of a batch of frames.
        prepared: (S, S, 3) uint8.
        order: of the pixels, from `strongest_first`.
        steps: K, equal parts of the pixels.
        baseline: blurred, as in the paper.
    """
    return _curve(score, _baseline(prepared, baseline), prepared, order, steps)


def _curve(
    score: Score, before: NDArray[np.uint8], after: NDArray[np.uint8], order: NDArray[np.int64], steps: int
) -> Curve:
    """From one picture to the other, pixel by pixel in order."""
    bounds = np.round(np.linspace(0, len(order), steps + 1)).astype(np.int64)
    frames = np.repeat(before[None], steps + 1, axis=0)
    flat, target = frames.reshape(steps + 1, -1, 3), after.reshape(-1, 3)
    for k in range(1, steps + 1):
        changed = order[: bounds[k]]
        flat[k, changed] = target[changed]
    return Curve(bounds / max(1, len(order)), np.asarray(score(frames), np.float64))


def _baseline(prepared: NDArray[np.uint8], kind: Baseline) -> NDArray[np.uint8]:
    if kind == "black":
        return np.zeros_like(prepared)
    import cv2

    return np.asarray(cv2.GaussianBlur(prepared, (0, 0), sigmaX=BLUR_SHARE * prepared.shape[0]), np.uint8)
