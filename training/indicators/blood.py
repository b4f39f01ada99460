"""Blood: how likely a frame shows it, from three features of colour within the field of view.

The features are standardised by their mean and spread on frames of the phantom and added with equal weights; no real
frame was learned from. Which features are used, and where 0.5 lies, was chosen on real frames: see
`tests/benchmarks/bench_blood.py`.
"""

import numpy as np
from numpy.typing import NDArray

SIDE = 80
"""Frames are scaled to SIDE x SIDE px."""
REDDER = 0.3
"""By how much a pixel is redder than the median of its frame, as a logarithm, to count as red."""
MEAN = np.array([0.8363, 0.1179, -0.305])
SPREAD = np.array([0.146, 0.0869, 0.1366])
"""Of `color_features` on frames of the phantom; features are standardised by them and cut at `LIMIT`."""
LIMIT = 3.0
CENTRE = 1.0
"""Sum of the standardised features at which the indicator is 0.5."""


def blood(images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(B, S, S, 3) RGB frames and (S, S) field of view -> (B,) in [0, 1]; 0.5 and more is marked."""
    total = np.clip((color_features(images, inside) - MEAN) / SPREAD, -LIMIT, LIMIT).sum(axis=1)
    return np.asarray(1 / (1 + np.exp(CENTRE - total)), np.float32)


def color_features(images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(B, S, S, 3) and (S, S) -> (B, 3), NaN where nothing is lit.

    The reddest places (99.5th percentile of log red over green), the root of the share of red pixels, and how bright
    these are against their surroundings: folds in the shade are red and dark.
    """
    import cv2

    view = cv2.erode(cv2.resize(inside, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.ones((5, 5), np.uint8)) > 0
    result = np.full((len(images), 3), np.nan, np.float32)
    for row, image in enumerate(images):
        small = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
        red, green, blue = cv2.split(small)
        brightness = cv2.max(cv2.max(red, green), blue)
        lit = view & (brightness > 20)
        lit = lit if lit.sum() >= 50 else view
        if not lit.any():
            continue
        weight = lit.astype(np.float32)
        light = cv2.log(brightness + 8)
        parts = np.stack([cv2.log((red + 8) / (green + 8)), light, np.ones_like(light)], axis=-1)
        near = cv2.blur(cv2.blur(parts * weight[..., None], (3, 3)), (3, 3))
        wide = cv2.blur(parts[..., 1:] * weight[..., None], (27, 27))
        shares = np.maximum(near[..., 2], 1e-3), np.maximum(wide[..., 1], 1e-3)
        redness = near[..., 0] / shares[0]
        lightness = near[..., 1] / shares[0] - wide[..., 0] / shares[1]
        ordered = np.sort(redness[lit])
        relative = redness - ordered[len(ordered) // 2]
        redder = np.clip((relative - REDDER / 2) / REDDER, 0, 1) * weight
        result[row] = (
            ordered[int(0.995 * len(ordered))],
            np.sqrt((relative[lit] > REDDER).mean()),
            (redder * lightness).sum() / (redder.sum() + 5),
        )
    return result
