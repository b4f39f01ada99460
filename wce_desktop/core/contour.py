"""The contour of a CAM at a level, as line segments (marching squares)."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

# Which edges of a square of four neighbours the line crosses, by the corners that are inside (upper left 1, upper right
# 2, lower right 4, lower left 8). Edges: 0 top, 1 right, 2 bottom, 3 left. Saddles (5, 10) keep their corners apart.
_CROSSED: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),),
    2: ((0, 1),),
    3: ((3, 1),),
    4: ((1, 2),),
    5: ((3, 0), (1, 2)),
    6: ((0, 2),),
    7: ((3, 2),),
    8: ((2, 3),),
    9: ((2, 0),),
    10: ((0, 1), (2, 3)),
    11: ((2, 1),),
    12: ((1, 3),),
    13: ((1, 0),),
    14: ((0, 3),),
}


def contour(values: NDArray[np.float32], level: float) -> NDArray[np.float32]:
    """The line that separates `values >= level` from what is below, left open at the edges of the map.

    Args:
        values: (H, W) float32, at least 1 x 1, without NaN.
        level: above 0.

    Returns:
        (S, 2, 2) float32: S segments, each two points (x, y) in [0, 1] x [0, 1] of the map, in no order.

    Raises:
        ValueError: a map that is not two-dimensional, or a level of 0 or below.
    """
    if values.ndim != 2 or 0 in values.shape or not level > 0:
        raise ValueError(f"a contour needs a CAM (H, W) and a level above 0, got {values.shape} and {level}")
    padded = np.pad(values, 1, mode="edge")
    inside = padded >= level
    kinds = inside[:-1, :-1] + 2 * inside[:-1, 1:] + 4 * inside[1:, 1:] + 8 * inside[1:, :-1].astype(np.uint8)
    rows, columns = np.nonzero((kinds > 0) & (kinds < 15))
    points = _crossings(padded, level, rows, columns)
    found = kinds[rows, columns]
    segments = []
    for kind, first, second in _pairs():
        at = np.flatnonzero(found == kind)
        segments.append(np.stack([points[first, at], points[second, at]], axis=1))
    lines = np.concatenate(segments)
    size = np.array([values.shape[1], values.shape[0]], np.float32)
    return np.clip((lines - 0.5) / size, 0, 1).astype(np.float32)


def _crossings(
    padded: NDArray[np.float32], level: float, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.float32]:
    """(4, M, 2): where the line would cross each edge of M squares, in cells of the padded map."""
    corners = [padded[rows + down, columns + right] for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))]
    places = [(0, 0), (1, 0), (1, 1), (0, 1)]
    out = np.empty((4, rows.size, 2), np.float32)
    for edge in range(4):
        start, stop = corners[edge], corners[(edge + 1) % 4]
        rise = stop - start
        share = np.where(rise != 0, (level - start) / np.where(rise != 0, rise, 1), 0.5)
        (x0, y0), (x1, y1) = places[edge], places[(edge + 1) % 4]
        out[edge, :, 0] = columns + x0 + share * (x1 - x0)
        out[edge, :, 1] = rows + y0 + share * (y1 - y0)
    return out


@cache
def _pairs() -> tuple[tuple[int, int, int], ...]:
    """(kind, first edge, second edge) of every segment."""
    return tuple((kind, first, second) for kind, edges in _CROSSED.items() for first, second in edges)
