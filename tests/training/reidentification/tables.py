"""Tables of tracklets for tests."""

from collections.abc import Sequence

import numpy as np

from training.reidentification.config import TrackletTable


def table_of(rows: Sequence[tuple[str, float, float]], detections: Sequence[int] | None = None) -> TrackletTable:
    """A table of (procedure, start, stop) in seconds, with so many confident detections each (20 by default)."""
    counts = [20] * len(rows) if detections is None else detections
    return TrackletTable(
        np.array([procedure for procedure, _, _ in rows], np.str_),
        np.array([start for _, start, _ in rows], np.float64),
        np.array([stop for _, _, stop in rows], np.float64),
        [np.array([0.9] * count + [0.1] * 3, np.float32) for count in counts],
    )
