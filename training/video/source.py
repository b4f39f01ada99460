"""What every study looks like to its readers: numbered RGB frames."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from training.video.errors import FrameMissing
from training.video.frame_index import FrameIndex

Picture = NDArray[np.uint8]

DEFAULT_CACHE_BYTES = 256 * 1024**2


class FrameSource(ABC):
    """A study opened for reading; for one thread at a time.

    Every frame is (height_px, width_px, 3) uint8 RGB, also where the file holds grey (repeated three times) or 16-bit
    values (the upper eight bits). A frame of another size than the first is scaled to fit, centred on black.
    """

    def __init__(self, path: Path, index: FrameIndex, width_px: int, height_px: int) -> None:
        self.path = path
        self.index = index
        self.width_px = width_px
        self.height_px = height_px
        self._missing = set(index.missing.tolist())

    def __len__(self) -> int:
        return len(self.index)

    def read(self, frame_index: int) -> Picture:
        """One frame (H, W, 3) uint8 RGB; the caller owns the array.

        Raises:
            IndexError: not in [0, len(self)).
            FrameMissing: the frame does not decode.
        """
        picture = self._read_or_none(self._checked(frame_index))
        if picture is None:
            raise FrameMissing(self.path.name, frame_index)
        return picture

    def iterate(self, start: int = 0, stop: int | None = None, step: int = 1) -> Iterator[tuple[int, Picture | None]]:
        """Each `step`-th frame of [start, stop) with its number, at the speed of decoding; None for a missing frame.

        Decodes on its own, so `read` may be called meanwhile; close the iterator (or exhaust it) to free its decoder.

        Raises:
            IndexError: the span does not lie in [0, len(self)).
            ValueError: step < 1.
        """
        stop = len(self) if stop is None else stop
        if not 0 <= start <= stop <= len(self):
            raise IndexError(f"span [{start}, {stop}) does not lie in [0, {len(self)})")
        if step < 1:
            raise ValueError(f"step must be at least 1, not {step}")
        return self._iterate(start, stop, step)

    @property
    def missing(self) -> list[int]:
        """Frames known by now not to decode: those of the index and those met while reading; ascending."""
        return sorted(self._missing)

    @abstractmethod
    def close(self) -> None:
        """Let go of file and decoder; the source cannot be read afterwards."""

    @abstractmethod
    def _read_or_none(self, frame_index: int) -> Picture | None: ...

    @abstractmethod
    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]: ...

    def _checked(self, frame_index: int) -> int:
        if not 0 <= frame_index < len(self):
            raise IndexError(f"frame {frame_index} does not lie in [0, {len(self)})")
        return int(frame_index)

    def __enter__(self) -> "FrameSource":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
