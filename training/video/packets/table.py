"""What a demux pass saw: one row for each packet, in the order in which a decoder must get them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

NO_VALUE = np.iinfo(np.int64).min
"""Stands where a packet carries no time stamp or no place in the file."""

LOST = 0
"""The size of a packet that is lost: it has a row, so that its frame keeps its number, but it is not in the file."""

Rows = NDArray[np.int32]
"""Numbers of packets or frames that are worked out: half the bytes, since a long study has 500,000 in each column."""


@dataclass(frozen=True, eq=False)
class PacketTable:
    """The packets of one video stream in decode order; P is their number.

    `pts`, `pos`, `size` are the packet's signature, by which it is known again after a seek.
    """

    pts: NDArray[np.int64]
    """(P,) presentation time stamp as the container gives it, in units of the time base, or `NO_VALUE`."""
    dts: NDArray[np.int64]
    """(P,) decoding time stamp, or `NO_VALUE`."""
    pos: NDArray[np.int64]
    """(P,) first byte in the file, or `NO_VALUE`."""
    size: NDArray[np.int64]
    """(P,) bytes; `LOST` where the packet is lost."""
    is_key: NDArray[np.bool_]
    """(P,) decoding can start here."""
    is_shown: NDArray[np.bool_]
    """(P,) the packet announces a frame; one that an edit list cuts away or a hidden reference frame does not."""
    is_damaged: NDArray[np.bool_]
    """(P,) the demuxer knows that the packet is incomplete, or that some before it are lost."""
    rank: NDArray[np.int64]
    """(P,) place in presentation order among all packets, shown or not; a permutation of 0..P-1."""
    stream: int = 0
    """The number of the stream in the file."""

    def __post_init__(self) -> None:
        shapes = {name: getattr(self, name).shape for name in ARRAY_NAMES}
        if len(set(shapes.values())) != 1 or self.rank.ndim != 1:
            raise ValueError(f"the columns of a packet table must all be (P,), not {shapes}")
        for name in ARRAY_NAMES:
            getattr(self, name).flags.writeable = False

    def __len__(self) -> int:
        return len(self.rank)

    @cached_property
    def order(self) -> Rows:
        """(P,) packets (rows) in presentation order."""
        order = np.empty(len(self), np.int32)
        order[self.rank] = np.arange(len(self))
        return order

    @cached_property
    def packet_of_frame(self) -> Rows:
        """(N,) the row of the packet that announces each frame."""
        return self.order[self.is_shown[self.order]]

    @cached_property
    def frame_of_packet(self) -> Rows:
        """(P,) the frame that each packet announces, -1 for none."""
        frames = np.full(len(self), -1, np.int32)
        frames[self.packet_of_frame] = np.arange(len(self.packet_of_frame))
        return frames

    @cached_property
    def key_rows(self) -> NDArray[np.int64]:
        """(K,) rows where decoding can start; the first row always counts as one."""
        return np.union1d(np.flatnonzero(self.is_key), [0]).astype(np.int64)

    @cached_property
    def start_row(self) -> Rows:
        """(P,) for each packet, the row that decoding must start from for its frame to come out whole.

        It is the last key packet that comes before it in decode order and does not come after it in presentation order:
        a frame that leads an open GOP's key frame depends on the GOP before.
        """
        key = np.searchsorted(self.key_rows, np.arange(len(self)), side="right") - 1
        while True:
            late = (key > 0) & (self.rank[self.key_rows[key]] > self.rank)
            if not late.any():
                return self.key_rows[key].astype(np.int32)
            key[late] -= 1

    @cached_property
    def highest_rank(self) -> Rows:
        """(P,) the highest rank among each packet and those before it in decode order."""
        return np.maximum.accumulate(self.rank, dtype=np.int32)

    def find(self, pts: int | None, pos: int | None, size: int) -> int | None:
        """The row with this signature, or None where none or several carry it."""
        if pts is not None:
            value, column, order = pts, self.pts, self._by_pts
        elif pos is not None:
            value, column, order = pos, self.pos, self._by_pos
        else:
            return None
        low, high = (int(np.searchsorted(column, value, side, sorter=order)) for side in ("left", "right"))
        rows = [row for row in order[low:high].tolist() if self.size[row] == size]
        rows = [row for row in rows if pos is None or self.pos[row] in (NO_VALUE, pos)]
        return rows[0] if len(rows) == 1 else None

    @cached_property
    def is_lost(self) -> NDArray[np.bool_]:
        """(P,) the packet is not in the file."""
        return np.asarray(self.size == LOST, bool)

    @cached_property
    def _by_pts(self) -> NDArray[np.intp]:
        """(P,) rows by time stamp."""
        return np.argsort(self.pts, kind="stable")

    @cached_property
    def _by_pos(self) -> NDArray[np.intp]:
        """(P,) rows by place."""
        return np.argsort(self.pos, kind="stable")


ARRAY_NAMES = ("pts", "dts", "pos", "size", "is_key", "is_shown", "is_damaged", "rank")
"""The columns of a packet table, as they are named in a saved index."""
