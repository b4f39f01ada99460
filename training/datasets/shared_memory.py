"""Memory that a process shares with the ones it starts, and where in it one batch lies: what is wanted, what was read.

On Linux and macOS a file without a name, whose handle is inherited; on Windows a mapping with a name. It is gone when
the last of the processes is, however they end.
"""

import mmap
import os
import sys
import tempfile
import uuid

import numpy as np
from numpy.typing import NDArray

_ALIGN = 64


class SharedMemory:
    """`nbytes` zeros that this process made, or, given the `token` of another process, the very bytes of that one."""

    def __init__(self, nbytes: int, token: str = "") -> None:
        self.nbytes = nbytes
        self._handle = -1
        if sys.platform == "win32":
            self.token = token or f"frames-{uuid.uuid4().hex}"
            self._map = mmap.mmap(-1, nbytes, tagname=self.token)
            return
        self._handle = int(token) if token else _nameless_file(nbytes)
        self.token = str(self._handle)
        self._map = mmap.mmap(self._handle, nbytes)

    @property
    def inherited(self) -> tuple[int, ...]:
        """Handles that a process must inherit in order to open the token."""
        return (self._handle,) if self._handle >= 0 else ()

    def array(self, shape: tuple[int, ...], dtype: type[np.generic], offset: int) -> NDArray[np.generic]:
        """A view of the bytes from `offset` on; nothing is copied."""
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(self._map, dtype, count, offset).reshape(shape)

    def close(self) -> None:
        """Let go of the handle; the bytes stay until the last array on them is gone."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _nameless_file(nbytes: int) -> int:
    if sys.platform == "linux":
        handle = os.memfd_create("frames")  # not /dev/shm: containers often leave it only 64 MiB
    else:
        with tempfile.TemporaryFile() as file:
            handle = os.dup(file.fileno())
    os.ftruncate(handle, nbytes)
    return handle


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
