"""Where one batch lies in shared memory: what is wanted, what was read, and the pixels."""

import numpy as np
from numpy.typing import NDArray

from training.datasets.shared_memory import SharedMemory

_ALIGN = 64


class SequenceSlot:
    """Views of one slot; the process that wants frames and the one that reads them see the same bytes.

    Numbers go this way, not through pipes, since a pipe holds little and two processes that both write would wait for
    each other for ever.
    """

    def __init__(self, memory: SharedMemory, number: int, sequences: int, frames: int, size: int) -> None:
        offset = number * slot_bytes(sequences, frames, size)
        self.wanted: NDArray[np.int64] = memory.array((sequences, 3), np.int64, offset)  # type: ignore[assignment]
        """(Q, 3): study, start and stop of each sequence."""
        offset += _aligned(24 * sequences)
        self.found: NDArray[np.int64] = memory.array((frames, 5), np.int64, offset)  # type: ignore[assignment]
        """(M, 5): number of the sequence, frame of the study, whether its view is round, its two `study_sides`."""
        offset += _aligned(40 * frames)
        self.pixels: NDArray[np.uint8] = memory.array((frames, size, size, 3), np.uint8, offset)  # type: ignore[assignment]
        """(M, S, S, 3) RGB, the frames of `found` in its order."""


def slot_bytes(sequences: int, frames: int, size: int) -> int:
    """Bytes of a slot of Q sequences and M frames of S x S."""
    return _aligned(24 * sequences) + _aligned(40 * frames) + _aligned(frames * size * size * 3)


def _aligned(nbytes: int) -> int:
    return -(-nbytes // _ALIGN) * _ALIGN
