"""The scores of a study: one track in [0, 1] for each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of all frames; frames that cannot be read have NaN.

    Args:
        classes: names of the C classes.
        values: (N, C) float32 in [0, 1] or NaN.
        frame_index: (N,) int64, increasing.
        model_id: the model's name.

    Raises:
        ValueError: for shapes that do not fit, and values outside [0, 1].
    """

    classes: tuple[str, ...]
    values: NDArray[np.float32]
    frame_index: NDArray[np.int64]
    model_id: str = ""

    def __post_init__(self) -> None:
        shape = (self.frame_index.size, len(self.classes))
        if self.values.shape != shape:
            raise ValueError(f"scores need shape (N, C) = {shape}, not {self.values.shape}")
        if self.values.dtype != np.float32:
            raise ValueError(f"scores are float32, not {self.values.dtype}")
        if self.values.size and not (np.nanmin(self.values) >= 0 and np.nanmax(self.values) <= 1):
            raise ValueError("scores lie in [0, 1]")
        if np.any(np.diff(self.frame_index) <= 0):
            raise ValueError("frame indices increase")

    def track(self, name: str) -> NDArray[np.float32]:
        """(N,) float32: the scores of one class.

        Raises:
            KeyError: for a class that the model does not know.
        """
        if name not in self.classes:
            raise KeyError(name)
        return self.values[:, self.classes.index(name)]

    def dense(self, name: str, frame_count: int) -> NDArray[np.float32]:
        """(frame_count,) float32: the scores of one class by frame index, NaN where the model saw no frame."""
        track = np.full(frame_count, np.nan, dtype=np.float32)
        inside = self.frame_index < frame_count
        track[self.frame_index[inside]] = self.track(name)[inside]
        return track
