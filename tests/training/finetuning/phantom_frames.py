"""32 labelled phantom frames in memory, rendered once for all tests that learn from them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.training.datasets.frames import labelled
from training.datasets.frame_store import FrameStore
from training.phantom.patient import PhantomConfig
from training.phantom.render import render_study

SIZE = 64
EACH = 16


@cache
def phantom_frames() -> FrameStore:
    """16 normal frames and 16 that show something, (32, 64, 64, 3), of two patients; classes normal and lesion."""
    kept: list[list[NDArray[np.uint8]]] = [[], []]
    for patient in range(2):
        config = PhantomConfig(frames=160, seed=5, size_px=SIZE, positive_share=0.3, patient=patient)
        found: list[list[NDArray[np.uint8]]] = [[], []]
        for frame, truth in render_study(config):
            if truth.labels:
                found[truth.labels != ("normal",)].append(frame)
        for frames, mine in zip(kept, found, strict=True):
            frames += mine[:: max(1, len(mine) // (EACH // 2))][: EACH // 2]
    rows = [("A", 0, 8, 0), ("A", 8, 16, 1), ("B", 0, 8, 0), ("B", 8, 16, 1)]
    known = labelled(rows, ("normal", "lesion"))
    assert len(kept[0]) == len(kept[1]) == EACH
    pixels = np.stack([*kept[0][:8], *kept[1][:8], *kept[0][8:], *kept[1][8:]])
    unknown = np.full((len(known), 3), np.nan, np.float32)
    return FrameStore(known, pixels, np.ones(len(known), dtype=bool), unknown)
