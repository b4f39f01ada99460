"""How alike two tracklets are without any learning: by colours and by redness. Ours, to compare encoders with.

Each lesion of the phantom has its own look, so colours alone may distinguish lesions: an encoder has to be better.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from training.reidentification.crop_store import Crops

BINS = 8
"""Of each channel of a colour histogram."""


def colour_histograms(crops: Crops) -> NDArray[np.float32]:
    """(n, 512): the root of each colour's share of a crop, so that a cosine is the Bhattacharyya coefficient."""
    levels = crops.astype(np.int64) * BINS // 256
    numbers = (levels[..., 0] * BINS + levels[..., 1]) * BINS + levels[..., 2]
    shares = [np.bincount(each.ravel(), minlength=BINS**3) / each.size for each in numbers]
    return np.asarray(np.sqrt(np.stack(shares)), np.float32)


def redness(crops: Crops) -> float:
    """The mean share of red in a pixel's sum of red, green and blue, over all crops; 0 for a black pixel."""
    values = crops.astype(np.float64)
    return float((values[..., 0] / np.maximum(values.sum(axis=-1), 1.0)).mean())


def redness_similarities(crops: Sequence[Crops], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """(P,) one less the difference of two tracklets' redness; in [0, 1], higher = same.

    Args:
        crops: T tracklets.
        pairs: (P, 2) numbers of tracklets.
    """
    reds = np.array([redness(each) for each in crops], np.float64)
    return np.asarray(1.0 - np.abs(reds[pairs[:, 0]] - reds[pairs[:, 1]]), np.float64)
