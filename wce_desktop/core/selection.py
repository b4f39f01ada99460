"""Frames that were selected together: of one study or of several."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.span import SpanSet


class FrameSelection:
    """An immutable set of frames, study by study.

    Args:
        frames: study_id -> frame indexes in any order, repeated ones counted once; studies without frames are left out.

    Raises:
        ValueError: a frame index below 0.
    """

    def __init__(self, frames: Mapping[str, Iterable[int] | NDArray[np.int64]] | None = None) -> None:
        self._frames: dict[str, NDArray[np.int64]] = {}
        for study_id, indexes in (frames or {}).items():
            chosen = np.unique(np.asarray(list(indexes) if not isinstance(indexes, np.ndarray) else indexes, np.int64))
            if len(chosen) and chosen[0] < 0:
                raise ValueError(f"frame {chosen[0]} of {study_id} lies before the first")
            if len(chosen):
                chosen.flags.writeable = False
                self._frames[study_id] = chosen

    @property
    def count(self) -> int:
        """How many frames, over all studies."""
        return sum(map(len, self._frames.values()))

    @property
    def study_ids(self) -> tuple[str, ...]:
        """The studies that have selected frames, in the order given."""
        return tuple(self._frames)

    def of(self, study_id: str) -> NDArray[np.int64]:
        """(n,) the study's frames, in order of time; empty if it has none."""
        return self._frames.get(study_id, np.empty(0, np.int64))

    def spans(self, study_id: str) -> SpanSet:
        """The study's frames as spans."""
        return SpanSet.of_arrays(self.of(study_id), self.of(study_id) + 1)

    def __bool__(self) -> bool:
        return bool(self._frames)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """(study_id, frame_index), study by study."""
        return ((study_id, int(frame)) for study_id, frames in self._frames.items() for frame in frames)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrameSelection):
            return NotImplemented
        same = self._frames.keys() == other._frames.keys()
        return same and all(np.array_equal(frames, other._frames[name]) for name, frames in self._frames.items())

    def __hash__(self) -> int:
        return hash(tuple(sorted((name, frames.tobytes()) for name, frames in self._frames.items())))

    def __repr__(self) -> str:
        return f"FrameSelection({ {name: len(frames) for name, frames in self._frames.items()} })"
