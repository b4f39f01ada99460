"""Which points of a map lie inside a shape that was drawn around them."""

import numpy as np
from numpy.typing import NDArray

from wce_desktop.features.embedding_map.model.map_points import MapPoints


def inside_polygon(points: MapPoints, polygon: NDArray[np.float64]) -> NDArray[np.int64]:
    """The points inside a closed polygon (M, 2), sorted; by the even-odd rule, so a loop within a loop is outside.

    Every edge looks only at the points at its own height, which stand together in `points.by_y`: for a lasso around
    all N points that is some 2 N comparisons, however many corners it has. A point on the border counts for one side
    of it, never for both of two polygons that share an edge (a crossing counts where y0 <= y < y1).
    """
    corners = np.asarray(polygon, dtype=np.float64)
    if len(corners) < 3 or not len(points):
        return np.zeros(0, dtype=np.int64)
    xs, ys = points.sorted_x, points.sorted_y
    is_inside = np.zeros(len(points), dtype=bool)
    for start, stop in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        (x0, y0), (x1, y1) = (start, stop) if start[1] <= stop[1] else (stop, start)
        first, last = np.searchsorted(ys, (y0, y1))
        if first == last:
            continue
        crossing = x0 + (ys[first:last] - y0) * ((x1 - x0) / (y1 - y0))
        is_inside[first:last] ^= xs[first:last] < crossing
    return np.sort(points.by_y[is_inside])


def inside_box(points: MapPoints, corner: tuple[float, float], opposite: tuple[float, float]) -> NDArray[np.int64]:
    """The points in an upright rectangle between two corners, borders included, sorted."""
    (left, right), (bottom, top) = sorted((corner[0], opposite[0])), sorted((corner[1], opposite[1]))
    first = int(np.searchsorted(points.sorted_y, bottom, side="left"))
    last = int(np.searchsorted(points.sorted_y, top, side="right"))
    xs = points.sorted_x[first:last]
    return np.sort(points.by_y[first:last][(xs >= left) & (xs <= right)])


def nearest_point(
    points: MapPoints, at: tuple[float, float], reach: float, shown: NDArray[np.bool_] | None = None
) -> int:
    """The point nearest to a place, at most `reach` away; -1 if there is none.

    Args:
        points: the map.
        at: x and y on the map.
        reach: in units of the map.
        shown: (N,) bool; points that are not shown are passed over. None: all are.
    """
    first, last = np.searchsorted(points.sorted_y, (at[1] - reach, np.nextafter(at[1] + reach, np.inf)))
    rows = points.by_y[first:last]
    squares = (points.sorted_x[first:last] - at[0]) ** 2 + (points.sorted_y[first:last] - at[1]) ** 2
    if shown is not None:
        squares = np.where(shown[rows], squares, np.inf)
    if not len(squares) or (best := int(np.argmin(squares))) < 0 or squares[best] > reach * reach:
        return -1
    return int(rows[best])


def nearest_points(points: MapPoints, row: int, count: int, shown: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The `count` shown points nearest to one of the points, itself among them, sorted; fewer where there are fewer."""
    rows = np.flatnonzero(shown)
    squares = ((points.coordinates[rows] - points.coordinates[row]) ** 2).sum(axis=1)
    if count < len(rows):
        rows = rows[np.argpartition(squares, count - 1)[:count]]
    return np.sort(rows)
