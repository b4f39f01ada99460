"""The points of a map: study, frame and coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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

    def moved(self, coordinates: NDArray[np.float32]) -> MapPoints:
        """The same frames with other coordinates (N, 2) float32."""
        return MapPoints(self.study_ids, self.study, self.frame_index, self.video_seconds, coordinates)

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
    def _study_starts(self) -> NDArray[np.int64]:
        """(S + 1,) where each study begins in `by_time`."""
        return np.searchsorted(self.study[self.by_time], np.arange(len(self.study_ids) + 1))

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """x and y of the lower left and of the upper right corner, with a margin; never without extent."""
        if not len(self):
            return -1.0, -1.0, 1.0, 1.0
        low = self.coordinates.min(axis=0).astype(np.float64)
        high = self.coordinates.max(axis=0).astype(np.float64)
        extent = np.maximum(high - low, max(float((high - low).max()) * 1e-3, 1e-6))
        middle, half = (low + high) / 2, extent * (0.5 + MARGIN)
        (left, bottom), (right, top) = middle - half, middle + half
        return float(left), float(bottom), float(right), float(top)

    def rows_of(self, study_id: str) -> NDArray[np.int64]:
        """The points of a study in order of frames; none for a study that the map does not hold."""
        if study_id not in self.study_ids:
            return np.zeros(0, dtype=np.int64)
        number = self.study_ids.index(study_id)
        return self.by_time[self._study_starts[number] : self._study_starts[number + 1]]

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
        found = [np.zeros(0, dtype=np.int64)]
        for study_id, wanted in frames.items():
            rows = self.rows_of(study_id)
            found.append(rows[np.isin(self.frame_index[rows], wanted)])
        return np.sort(np.concatenate(found))
