"""Indicators: what can be seen in a frame, as a share from 0 to 1, computed from its pixels while it is scored.

Each is stored as a track of the embedding file under its name. An indicator whose calculation changes gets another
name. Light: numpy, and cv2 once frames are given.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from training.indicators.blood import blood
from training.indicators.visible_mucosa import visible_share

Indicator = Callable[[NDArray[np.uint8], NDArray[np.uint8]], NDArray[np.float32]]
"""(B, SIDE, SIDE, 3) RGB, black outside the field of view, and (SIDE, SIDE) 1 inside it -> (B,) in [0, 1]."""
SIDE = 80
"""Frames are scaled to SIDE x SIDE px once for all indicators."""

INDICATORS: Mapping[str, Indicator] = {
    "visible_mucosa": visible_share,
    "blood": blood,
}


def shares(names: Sequence[str], images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The indicators (B, T) of (B, S, S, 3) frames as the model sees them; NaN for a name of another version."""
    import cv2

    small = np.stack([cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for image in images])
    view = np.asarray(cv2.resize(inside, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    result = np.full((len(images), len(names)), np.nan, np.float32)
    for column, name in enumerate(names):
        if name in INDICATORS:
            result[:, column] = INDICATORS[name](small, view)
    return result
