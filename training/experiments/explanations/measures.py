"""How well an explanation points: compared with given boxes, and by the score as its strongest pixels go and come.

The pointing game with its chance level and intersection over union need boxes; deletion and insertion curves need the
model's scores alone.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray


def within_boxes(
    boxes: NDArray[np.floating], height: int, width: int, *, tolerance_px: float = 0.0
) -> NDArray[np.bool_]:
    """(height, width) bool: pixels whose centre is at most `tolerance_px` away from a box.

    Args:
        boxes: (n, 4) x_min, y_min, x_max, y_max in px from the frame's upper left corner; pixel (0, 0) has its centre
            at (0.5, 0.5).
        tolerance_px: Euclidean distance, >= 0.
    """
    hit = np.zeros((height, width), dtype=bool)
    x, y = np.arange(width) + 0.5, (np.arange(height) + 0.5)[:, None]
    for x_min, y_min, x_max, y_max in np.asarray(boxes, dtype=np.float64).reshape(-1, 4):
        across = np.maximum(np.maximum(x_min - x, x - x_max), 0)
        down = np.maximum(np.maximum(y_min - y, y - y_max), 0)
        hit |= across**2 + down**2 <= tolerance_px**2
    return hit


def pointing_hit(
    overlay: NDArray[np.floating], boxes: NDArray[np.floating], *, tolerance_px: float = 0.0
) -> float | None:
    """Whether the map's maximum lies in a box: 1 or 0 (Zhang et al. 2018, "Top-down neural attention", section 4.1).

    Zhang et al. count a hit within 15 px of the object; here nothing is forgiven unless asked for. Where several pixels
    share the maximum, the share of them that lies in a box counts (ours: any other rule would favour a corner).

    Args:
        overlay: (H, W) over the frame, 0 outside the field of view; any scale.
        tolerance_px: distance up to which a miss is a hit.

    Returns:
        In [0, 1]; None where the map shows nothing (nowhere above 0): it points nowhere.
    """
    strength = np.nan_to_num(overlay)
    peak = strength.max(initial=0)
    if peak <= 0:
        return None
    return float(within_boxes(boxes, *strength.shape, tolerance_px=tolerance_px)[strength == peak].mean())


def chance_level(boxes: NDArray[np.floating], inside: NDArray[np.bool_], *, tolerance_px: float = 0.0) -> float:
    """How often a point drawn at random in the field of view (H, W) hits: the boxes' share of its area, in [0, 1]."""
    total = int(inside.sum())
    return (
        float((within_boxes(boxes, *inside.shape, tolerance_px=tolerance_px) & inside).sum() / total) if total else 0.0
    )


def iou_table(found: NDArray[np.floating], given: NDArray[np.floating]) -> NDArray[np.float64]:
    """(m, n) intersection over union, in [0, 1], of boxes (m, 4) and (n, 4); 0 where both are empty."""
    a = np.asarray(found, dtype=np.float64).reshape(-1, 1, 4)
    b = np.asarray(given, dtype=np.float64).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    shared = np.clip(sides, 0, None).prod(axis=-1)
    union = _area(a) + _area(b) - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def best_iou(found: NDArray[np.floating], given: NDArray[np.floating]) -> float:
    """The largest of `iou_table`: with one found box, how well it encloses the given one that it fits best; 0: none."""
    return float(iou_table(found, given).max(initial=0.0))


def _area(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.clip(boxes[..., 2:] - boxes[..., :2], 0, None).prod(axis=-1))


Baseline = Literal["black", "blur"]
"""What stands where a pixel is not shown: black, as outside the field of view, or the frame itself blurred."""
Change = Literal["deletion", "insertion"]
Score = Callable[[NDArray[np.uint8]], NDArray[np.floating]]
"""Prepared frames (B, S, S, 3) uint8 -> the class's score of each, (B,)."""
BLUR_SHARE = 5 / 224
"""Sigma of the blur as a share of the side: Petsiuk et al. take 5 px at 224."""


def strongest_first(class_map: NDArray[np.floating], inside: NDArray[np.bool_], seed: int = 0) -> NDArray[np.int64]:
    """(n,) flat indexes of the pixels inside, the strongest first; NaN counts as the weakest.

    Equal ones are in an order drawn by the seed: large parts of a map are exactly 0, and reading order would take them
    away from the top (ours).
    """
    pixels = np.random.default_rng(seed).permutation(np.flatnonzero(inside))
    strength = np.nan_to_num(class_map.astype(np.float64), nan=-np.inf).ravel()[pixels]
    return np.asarray(pixels[np.argsort(-strength, kind="stable")], np.int64)


def changed_scores(
    score: Score,
    prepared: NDArray[np.uint8],
    order: NDArray[np.int64],
    change: Change,
    *,
    steps: int = 20,
    baseline: Baseline = "black",
) -> NDArray[np.float64]:
    """(steps + 1,) scores as pixels are taken away or put back, the strongest first (Petsiuk et al. 2018, section 4.2).

    Args:
        order: of the pixels, from `strongest_first`.
        steps: equal parts of the pixels, from none to all of them.
        baseline: what stands for a missing pixel. In the paper the data set's mean for deletion (here black, which is
            what lies outside the view) and a blurred frame for insertion.
    """
    before, after = prepared, np.zeros_like(prepared)
    if baseline == "blur":
        import cv2

        sigma = BLUR_SHARE * prepared.shape[0]
        after = np.asarray(cv2.GaussianBlur(prepared, (0, 0), sigmaX=sigma), np.uint8)
    if change == "insertion":
        before, after = after, before
    bounds = np.round(np.linspace(0, len(order), steps + 1)).astype(np.int64)
    frames = np.repeat(before[None], steps + 1, axis=0)
    flat, target = frames.reshape(steps + 1, -1, 3), after.reshape(-1, 3)
    for k in range(1, steps + 1):
        changed = order[: bounds[k]]
        flat[k, changed] = target[changed]
    return np.asarray(score(frames), np.float64)
