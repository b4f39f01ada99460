"""Prepared frames that need not be decoded again: one mapped file a study, shared by all processes that read."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

UNREAD, READ, MISSING = 0, 1, 2
_PAGE = 4096


class KeptFrames:
    """The frames of a study, each filled in when it is first read.

    Two processes may fill in the same frame: they write the same bytes, and a frame counts only after its pixels.
    """

    def __init__(self, path: Path, frames: int, size: int) -> None:
        self._states = np.memmap(path, np.uint8, "r+", 0, (frames,))
        self._pixels = np.memmap(path, np.uint8, "r+", _head(frames), (frames, size, size, 3))

    def fill(self, start: int, stop: int, pixels: NDArray[np.uint8]) -> list[int] | None:
        """Copy the frames of [start, stop) that decode to the front of `pixels`; their numbers, None: not all known."""
        states = self._states[start:stop]
        if (states == UNREAD).any():
            return None
        there = start + np.flatnonzero(states == READ)
        pixels[: len(there)] = self._pixels[there]
        return [int(index) for index in there]

    def put(self, index: int, frame: NDArray[np.uint8] | None) -> None:
        """Keep a prepared frame (S, S, 3), or that it does not decode."""
        if frame is not None:
            self._pixels[index] = frame
        self._states[index] = MISSING if frame is None else READ


def kept_frames(folder: Path, number: int, frames: int, size: int, budget_bytes: int) -> KeptFrames | None:
    """The kept frames of a study, made where all of them fit into what is left of the budget; else None.

    The first studies that are read get the room. Room on the disk is taken at once: a mapped file that finds the disk
    full later would end the process.
    """
    path, nbytes = folder / f"kept-{number}.frames", _head(frames) + frames * size * size * 3
    if not path.exists():
        taken = sum(other.stat().st_size for other in folder.glob("kept-*.frames"))
        if taken + nbytes > budget_bytes or not _made(path, nbytes):
            return None
    # Another process may be making it just now.
    return KeptFrames(path, frames, size) if path.stat().st_size == nbytes else None


def _made(path: Path, nbytes: int) -> bool:
    """False where the disk has no room; True also where another process was first."""
    try:
        with path.open("xb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, nbytes)
            else:
                file.truncate(nbytes)
    except FileExistsError:
        return True
    except OSError:
        path.unlink(missing_ok=True)
        return False
    return True


def _head(frames: int) -> int:
    """Bytes before the pixels: a state for each frame, in whole pages."""
    return -(-frames // _PAGE) * _PAGE
