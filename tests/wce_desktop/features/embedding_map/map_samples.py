"""Maps for tests: points with known places, studies and frames."""

import numpy as np
from numpy.typing import NDArray

from wce_desktop.features.embedding_map.map_points import MapPoints


def make_points(coordinates: NDArray[np.floating], studies: int = 2) -> MapPoints:
    """The points in turn of study s0, s1, ...; each study's frames are 0, 10, 20, ... at one a second."""
    count = len(coordinates)
    numbers = np.arange(count)
    return MapPoints(
        tuple(f"s{number}" for number in range(studies)),
        (numbers % studies).astype(np.int32),
        (numbers // studies * 10).astype(np.int64),
        (numbers // studies).astype(np.float64),
        np.asarray(coordinates, dtype=np.float32).reshape(count, 2),
    )
