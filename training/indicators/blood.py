"""Blood: how likely a frame shows it, from three features of colour within the field of view.

The features are standardised by their mean and spread on frames of the phantom and added with equal weights; no real
frame was learned from. Which features are used, and where 0.5 lies, was chosen on real frames: see
`tests/benchmarks/bench_blood.py`.
"""

import math

import numpy as np
from numpy.typing import NDArray

REDDER = 0.3
"""By how much a pixel is redder than the median of its frame, as a logarithm, to count as red."""
LIT = math.log(28.5)
"""Logarithm of the brightest channel plus 8: above 20 of 255."""
NEAR = np.array([1, 2, 3, 2, 1], np.float32) / 9
"""A box of 3 px, twice."""
WIDE = (27, 27)
MEAN = np.array([0.8363, 0.1179, -0.305])
SPREAD = np.array([0.146, 0.0869, 0.1366])
"""Of `color_features` on frames of the phantom; features are standardised by them and cut at `LIMIT`."""
LIMIT = 3.0
CENTRE = 1.0
"""Sum of the standardised features at which the indicator is 0.5."""


def blood(images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How likely each frame shows blood; see `Indicator`. 0.5 and more is marked."""
    total = np.clip((color_features(images, inside) - MEAN) / SPREAD, -LIMIT, LIMIT).sum(axis=1)
    return np.asarray(1 / (1 + np.exp(CENTRE - total)), np.float32)


def color_features(images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(B, S, S, 3) and (S, S) -> (B, 3), NaN without a field of view.

    The reddest places (99.5th percentile of log red over green), the root of the share of red pixels, and how bright
    these are against their surroundings: folds in the shade are red and dark.
    """
    import cv2

    view = cv2.erode(inside, np.ones((5, 5), np.uint8)) > 0
    area, of_view = np.count_nonzero(view), _weights(view)
    result = np.full((len(images), 3), np.nan, np.float32)
    for row, image in enumerate(images if area else ()):
        red, green, blue = cv2.log(np.array(cv2.split(image), np.float32) + 8)
        light = cv2.max(cv2.max(red, green), blue)
        lit = view & (light > LIT)
        count = np.count_nonzero(lit)
        is_whole = count < 50 or count == area
        lit, (weight, near, wide) = (view, of_view) if is_whole else (lit, _weights(lit))
        light = light * weight
        redness = cv2.sepFilter2D((red - green) * weight, -1, NEAR, NEAR) / near
        lightness = cv2.sepFilter2D(light, -1, NEAR, NEAR) / near - cv2.blur(light, WIDE) / wide
        ordered = np.sort(redness[lit])
        middle = ordered[len(ordered) // 2]
        redder = np.clip((redness - (middle + REDDER / 2)) / REDDER, 0, 1) * weight
        result[row] = (
            ordered[int(0.995 * len(ordered))],
            np.sqrt(np.count_nonzero(ordered - middle > REDDER) / len(ordered)),
            np.vdot(redder, lightness) / (redder.sum() + 5),
        )
    return result


def _weights(lit: NDArray[np.bool_]) -> tuple[NDArray[np.float32], ...]:
    """(S, S) each: 1 where a frame is lit, and the share of each pixel's near and wide surroundings that is."""
    import cv2

    weight = lit.astype(np.float32)
    near, wide = cv2.sepFilter2D(weight, -1, NEAR, NEAR), cv2.blur(weight, WIDE)
    return weight, np.maximum(near, 1e-3), np.maximum(wide, 1e-3)
