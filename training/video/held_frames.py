"""Decoded frames that wait until it is known whether damage has reached them."""

from typing import TYPE_CHECKING

import numpy as np

from training.video.packets.table import PacketTable

if TYPE_CHECKING:
    from av.video.frame import VideoFrame


class HeldFrames:
    """Frames that wait until it is known whether what they depend on is whole.

    A frame may depend on one that is shown later but was decoded before; it waits until that one has come out too, and
    until the decoder has seen the packet after its own.
    """

    def __init__(self, table: PacketTable, first_row: int) -> None:
        self._table = table
        self._first_row = first_row
        self._waiting: list[VideoFrame] = []
        self._highest = -1
        self.damaged_rows: set[int] = set()

    def add(self, rank: int, frame: "VideoFrame | None", handed: int) -> "list[tuple[int, VideoFrame | None]]":
        """Take what came out; return rank and frame of those settled now, None for a frame that damage has reached.

        Args:
            rank: of the frame, or beyond all.
            frame: None where the packet is damaged.
            handed: the row of the packet that the decoder got last.
        """
        if frame is not None:
            self._waiting.append(frame)
            self._highest = max(self._highest, rank)
        elif rank < len(self._table):
            self.damaged_rows.add(int(self._table.order[rank]))
        else:
            self._highest = rank
        settled = [f for f in self._waiting if self._is_settled(self._row(f), handed)]
        if settled:
            self._waiting = [f for f in self._waiting if f not in settled]
        return [(f.pts or 0, None if self._is_reached(f) else f) for f in settled]

    def leans_on_damage(self, row: int) -> bool:
        """Whether a packet needs others that are damaged, or that come before the first one that was decoded."""
        start = int(self._table.start_row[row])
        return start < self._first_row or any(start <= damaged < row for damaged in self.damaged_rows)

    def _is_settled(self, row: int, handed: int) -> bool:
        return row < handed and bool(self._table.highest_rank[row] <= self._highest)

    def _row(self, frame: "VideoFrame") -> int:
        return int(self._table.order[frame.pts or 0])

    def _is_reached(self, frame: "VideoFrame") -> bool:
        if not self.damaged_rows:
            return False
        row = self._row(frame)
        start = int(self._table.start_row[row])
        damaged = np.fromiter(self.damaged_rows, np.int64)
        # What leads the key frame depends on the group before; nothing that follows depends on it.
        counts = (self._table.rank[damaged] >= self._table.rank[start]) | (damaged == start)
        return bool((counts & (damaged >= start) & (damaged <= row)).any())
