"""Memory that a process shares with the ones it starts; it is gone when the last of them is, however they end.

On Linux and macOS a file without a name, whose handle is inherited; on Windows a mapping with a name.
"""

import mmap
import os
import sys
import tempfile
import uuid

import numpy as np
from numpy.typing import NDArray


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
