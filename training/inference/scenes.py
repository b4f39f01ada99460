"""Frames that show the same scene, so that one forward pass is enough for several of them.

A capsule often lies still. Two frames count as the same scene if small pictures of them hardly differ: the frame
averaged over 16 x 16 cells, of which those inside the field of view count. A frame is compared with the first frame of
its scene and not with the one before, and a scene has at most eight frames, so slow changes cannot add up. Frames take
the first one's row only where that scores low in every class of the model: a score near a threshold changes with the
noise of the camera alone, and what this model might flag is always looked at frame by frame. Classes that are learned
later from the stored embeddings see one row for the whole scene. All of this is ours; the numbers were chosen
on real and synthetic video (docs/performance.md).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from training.datasets.labels import NORMAL
from training.video import FieldOfView

CELLS = 16
"""Cells in each direction."""
BOUND = 3
"""Largest difference of a cell's mean in any colour, of 255 levels."""
MOST_FRAMES = 8
"""Frames of a scene."""
LOW_SCORE = 0.02
"""Below it in every class but normal, a frame's row is good for its whole scene."""
VERSION = 1
"""Of the rule; part of what an embedding file says of its preprocessing."""

SmallPicture = NDArray[np.int16]
"""(16, 16, 3)"""


def small_picture(frame: NDArray[np.uint8], view: FieldOfView | None) -> SmallPicture:
    """What is compared of a frame: its cells inside the field of view; 0 in the others.

    Args:
        frame: (H, W, 3) uint8 RGB as decoded, of the study's size; (S, S, 3) from `prepare_frame` without a view.
        view: the study's; what lies outside, such as a clock, does not count.
    """
    import cv2

    if view is None:
        return np.asarray(cv2.resize(frame, (CELLS, CELLS), interpolation=cv2.INTER_AREA), np.int16)
    height, width = frame.shape[:2]
    small = np.asarray(cv2.resize(frame, (CELLS, CELLS), interpolation=cv2.INTER_AREA), np.int16)
    return np.asarray(small * _cells_inside(view, height, width))


@lru_cache(maxsize=8)
def _cells_inside(view: FieldOfView, height: int, width: int) -> NDArray[np.int16]:
    """(16, 16, 1): 1 for the cells of a frame that lie mostly inside the field of view, else 0."""
    import cv2

    inside = view.mask(height, width).astype(np.float32)
    shares = cv2.resize(inside, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return (shares > 0.5).astype(np.int16)[..., None]


def is_same_scene(first: SmallPicture, other: SmallPicture) -> bool:
    """Whether two frames show the same scene."""
    return bool(np.abs(first - other).max() <= BOUND)


def is_good_for_all(scores: NDArray[np.float32], classes: Sequence[str]) -> NDArray[np.bool_]:
    """(B,) whether the row of a scene's first frame is good for the whole scene.

    Args:
        scores: (B, C) of first frames.
        classes: C names; without any (a pretraining) every row is good.
    """
    findings = [number for number, name in enumerate(classes) if name != NORMAL]
    return np.asarray((scores[:, findings] < LOW_SCORE).all(axis=1))


def describe() -> dict[str, float]:
    """The rule, for the header of an embedding file."""
    return {"version": VERSION, "cells": CELLS, "bound": BOUND, "most_frames": MOST_FRAMES, "low_score": LOW_SCORE}
