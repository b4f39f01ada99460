"""The points of a map: study, frame, coordinates; which lie inside a drawn shape, and which part of the map is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.span import Span

MARGIN = 0.04


@dataclass(frozen=True, eq=False)
class MapPoints:
    """N points in the plane, each one frame.

    Args:
        study_ids: names of the S studies.
        study: (N,) int32 in [0, S): the row of `study_ids` that a point belongs to.
        frame_index: (N,) int64.
        video_seconds: (N,) float64.
        coordinates: (N, 2) float32, finite; y grows upwards.

    Raises:
        ValueError: for shapes that do not fit each other.
    """

    study_ids: tuple[str, ...]
    study: NDArray[np.int32]
    frame_index: NDArray[np.int64]
    video_seconds: NDArray[np.float64]
    coordinates: NDArray[np.float32]

    def __post_init__(self) -> None:
        count = len(self.frame_index)
        if self.coordinates.shape != (count, 2):
            raise ValueError(f"coordinates need shape ({count}, 2), not {self.coordinates.shape}")
        if len(self.study) != count or len(self.video_seconds) != count:
            raise ValueError(f"{count} points need as many studies and times")

    def __len__(self) -> int:
        return len(self.frame_index)

    @cached_property
    def by_y(self) -> NDArray[np.int64]:
        """(N,) the points from the lowest to the highest: what makes a lasso quick."""
        return np.argsort(self.coordinates[:, 1], kind="stable")

    @cached_property
    def sorted_x(self) -> NDArray[np.float64]:
        """(N,) x in the order of `by_y`."""
        return np.asarray(self.coordinates[self.by_y, 0], dtype=np.float64)

    @cached_property
    def sorted_y(self) -> NDArray[np.float64]:
        """(N,) y in the order of `by_y`."""
        return np.asarray(self.coordinates[self.by_y, 1], dtype=np.float64)

    @cached_property
    def by_time(self) -> NDArray[np.int64]:
        """(N,) the points study by study, each in order of frames."""
        return np.lexsort((self.frame_index, self.study))

    @cached_property
    def _frames_by_time(self) -> NDArray[np.int64]:
        """(N,) `frame_index` in the order of `by_time`."""
        return self.frame_index[self.by_time]

    @cached_property
    def _study_starts(self) -> NDArray[np.int64]:
        """(S + 1,) where each study begins in `by_time`."""
        return np.searchsorted(self.study[self.by_time], np.arange(len(self.study_ids) + 1))

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """x and y of the lower left and of the upper right corner, with a margin; never without extent."""
        return bounds_of(self.coordinates)

    def rows_of(self, study_id: str) -> NDArray[np.int64]:
        """The points of a study in order of frames; none for a study that the map does not hold."""
        return self.by_time[self._range_of(study_id)]

    def rows_in(self, study_id: str, span: Span) -> NDArray[np.int64]:
        """The points of a study whose frames lie in a span, in order of frames."""
        own = self._range_of(study_id)
        first, last = np.searchsorted(self._frames_by_time[own], (span.start, span.stop))
        return self.by_time[own][first:last]

    def _range_of(self, study_id: str) -> slice:
        """Where a study stands in `by_time`; nowhere if the map does not hold it."""
        if study_id not in self.study_ids:
            return slice(0)
        number = self.study_ids.index(study_id)
        return slice(int(self._study_starts[number]), int(self._study_starts[number + 1]))

    def row_near(self, study_id: str, frame_index: int) -> int:
        """The point of a study whose frame is nearest, the earlier one of two; -1 where the map has none."""
        rows = self.rows_of(study_id)
        if not len(rows):
            return -1
        frames = self.frame_index[rows]
        at = int(np.searchsorted(frames, frame_index))
        around = [place for place in (at - 1, at) if 0 <= place < len(rows)]
        return int(rows[min(around, key=lambda place: abs(int(frames[place]) - frame_index))])

    def address(self, row: int) -> tuple[str, int]:
        """Study and frame of a point."""
        return self.study_ids[int(self.study[row])], int(self.frame_index[row])

    def frames_of(self, rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """The frames that points are, by study, sorted and without doubles."""
        studies = self.study[rows]
        return {
            self.study_ids[number]: np.unique(self.frame_index[rows[studies == number]])
            for number in np.unique(studies).tolist()
        }

    def rows_with(self, frames: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
        """The points, sorted, whose frame is among those named by study; frames that the map lacks are left out."""
        parts = [np.zeros(0, dtype=np.int64)]
        for study_id, wanted in frames.items():
            rows = self.rows_of(study_id)
            parts.append(rows[np.isin(self.frame_index[rows], wanted)])
        return np.sort(np.concatenate(parts))


def bounds_of(coordinates: NDArray[np.float32]) -> tuple[float, float, float, float]:
    """The bounds (see `MapPoints.bounds`) of coordinates (N, 2)."""
    if not len(coordinates):
        return -1.0, -1.0, 1.0, 1.0
    low, high = (edge.astype(np.float64) for edge in (coordinates.min(axis=0), coordinates.max(axis=0)))
    extent = np.maximum(high - low, max(float((high - low).max()) * 1e-3, 1e-6))
    middle, half = (low + high) / 2, extent * (0.5 + MARGIN)
    (left, bottom), (right, top) = middle - half, middle + half
    return float(left), float(bottom), float(right), float(top)


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
    """The point nearest to a place (x, y) of the map, at most `reach` (in its units) away; -1 if there is none.

    `shown` (N,): points that are not shown are passed over. None: all are.
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


MOST_ZOOM = 2000.0
"""Magnification relative to the whole map."""
LEAST_ZOOM = 0.5


@dataclass(frozen=True, slots=True)
class MapView:
    """A square-pixel view; y grows upwards on the map and downwards on screen.

    Args:
        x, y: the place of the map in the middle of the screen.
        scale: pixels for one unit of the map.
        width, height: of the screen, in pixels.
        fitting_scale: the scale at which the whole map is seen; zooming keeps to a multiple of it.
    """

    x: float
    y: float
    scale: float
    width: int
    height: int
    fitting_scale: float

    @classmethod
    def fit(cls, bounds: tuple[float, float, float, float], width: int, height: int) -> MapView:
        """The whole map: `bounds` are x and y of the lower left and of the upper right corner."""
        left, bottom, right, top = bounds
        width, height = max(width, 1), max(height, 1)
        scale = min(width / (right - left), height / (top - bottom))
        return cls((left + right) / 2, (bottom + top) / 2, scale, width, height, scale)

    @property
    def zoom(self) -> float:
        """Magnification relative to the whole map."""
        return self.scale / self.fitting_scale

    def resized(self, bounds: tuple[float, float, float, float], width: int, height: int) -> MapView:
        """The same middle and the same zoom on a screen of another size, or of a map that has grown."""
        whole = MapView.fit(bounds, width, height)
        return replace(whole, x=self.x, y=self.y, scale=whole.scale * self.zoom)

    def panned(self, right_px: float, down_px: float) -> MapView:
        """The view panned by a number of pixels."""
        return replace(self, x=self.x - right_px / self.scale, y=self.y + down_px / self.scale)

    def zoomed(self, factor: float, at_px: tuple[float, float] | None = None) -> MapView:
        """Zoomed in (factor > 1) or out; the place under `at_px` (else the middle) stays where it is."""
        at_px = at_px if at_px is not None else (self.width / 2, self.height / 2)
        kept_x, kept_y = self.to_map(*at_px)
        scale = min(max(self.scale * factor, self.fitting_scale * LEAST_ZOOM), self.fitting_scale * MOST_ZOOM)
        return replace(
            self,
            scale=scale,
            x=kept_x - (at_px[0] - self.width / 2) / scale,
            y=kept_y + (at_px[1] - self.height / 2) / scale,
        )

    def showing(self, x: float, y: float, margin: float = 0.12) -> MapView:
        """The view moved so that a place is on screen, at least `margin` of the size away from the border."""
        at_x, at_y = self.to_screen(x, y)
        low_x, low_y = margin * self.width, margin * self.height
        right = min(max(at_x, low_x), self.width - low_x) - at_x
        down = min(max(at_y, low_y), self.height - low_y) - at_y
        return self.panned(right, down) if right or down else self

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Pixels from the left and from the top."""
        return (x - self.x) * self.scale + self.width / 2, self.height / 2 - (y - self.y) * self.scale

    def to_map(self, x_px: float, y_px: float) -> tuple[float, float]:
        """The place of the map under a pixel."""
        return self.x + (x_px - self.width / 2) / self.scale, self.y - (y_px - self.height / 2) / self.scale
