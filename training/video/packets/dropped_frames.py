"""Frames that a recorder dropped: AVI has an empty chunk in their place, which repeats the picture before.

ffmpeg counts empty chunks as time and gives no packet for them.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.video.packets.presentation import Ints

_ENTRY_BYTES = 16
_MOST_AT_ONCE = 100_000
"""Frames dropped one after the other: a longer gap is a damaged number rather than a pause."""


def repeated_pictures(
    path: Path, stream: int, slots: Ints, is_shown: NDArray[np.bool_], announced: int
) -> tuple[Ints, Ints] | None:
    """(N,) the picture that each frame of an AVI file shows, and its place in the count; None where none was dropped.

    Args:
        path: the file.
        stream: number of the stream in the file.
        slots: (P,) the place of each packet in the count of the file's chunks.
        is_shown: (P,) whether the packet announces a frame.
        announced: the number of frames that the header gives.
    """
    own = np.unique(slots)
    count = int(own[-1]) + 1
    if count < announced and _entries(path, stream) == announced:
        count = announced  # the last ones were dropped
    if own[0] < 0 or len(own) < len(slots) or count == len(own):
        return None
    if np.diff(own, prepend=-1, append=count).max() > _MOST_AT_ONCE:
        return None
    shown = np.sort(slots[is_shown])
    frames = np.union1d(shown, np.setdiff1d(np.arange(count), own))
    pictures = np.searchsorted(shown, frames, side="right") - 1
    return np.maximum(pictures, 0).astype(np.int64), frames.astype(np.int64)


def _entries(path: Path, stream: int) -> int:
    """How many chunks of a stream the old index (idx1) at the end of the file lists, empty ones too."""
    with path.open("rb") as file:
        file.seek(12)
        while len(head := file.read(8)) == 8:
            size = int.from_bytes(head[4:], "little")
            if head[:4] != b"idx1":
                file.seek(size + size % 2, 1)
                continue
            table: NDArray[np.uint8] = np.frombuffer(file.read(size), np.uint8)
            rows = table[: len(table) // _ENTRY_BYTES * _ENTRY_BYTES].reshape(-1, _ENTRY_BYTES)
            name = np.frombuffer(f"{stream:02d}d".encode(), np.uint8)
            return int((rows[:, :3] == name).all(axis=1).sum())
    return 0
