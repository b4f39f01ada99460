"""Class activation maps made fit to be shown."""

import numpy as np
from numpy.typing import NDArray


def normalise_cam(cam: NDArray[np.floating]) -> NDArray[np.float32]:
    """A raw map (h, w) made fit to be shown: in [0, 1], by the frame's own range above zero.

    0 is "speaks not for the class" (all negative evidence), 1 the frame's strongest evidence for it. Each frame has its
    own range, so the map says *where*, never *how much*: that is what the score beside it is for. A map with nothing
    above zero, or of a missing frame (NaN), is all 0.
    """
    positive = np.nan_to_num(np.maximum(cam.astype(np.float32), 0))
    peak = positive.max(initial=0)
    return np.asarray(positive / peak if peak > 0 else np.zeros_like(positive), np.float32)
