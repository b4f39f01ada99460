"""Transport streams that were joined: the cells of each part are counted anew, which looks like a loss."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from training.video.packets.scan import PacketScan
from training.video.packets.table import NO_VALUE

_SYNC, _TABLE_OF_PROGRAMS = b"\x47", 0
_MOST_BYTES = 64 << 20
_CELL_BYTES = (188, 192, 204)
_HEAD_OF_M2TS = 4  # bytes: the time of arrival stands before each cell
_CELLS_LOOKED_BACK = 16
_FLAGGED_EARLY = 2  # rows: where a parser looks ahead, the flag comes with the packet before the last one


def without_joins(scan: PacketScan, path: Path) -> PacketScan:
    """The scan in which the last packets of parts that are whole are not damaged.

    The demuxer calls a packet damaged when the count of its cells does not go on behind it. Where parts were joined it
    starts anew: a key packet follows, before it the tables of a new part, and no cell of the packet itself is missing.
    """
    damaged, begins_part = scan.is_damaged.copy(), scan.begins_part.copy()
    with path.open("rb") as file:
        for row in np.flatnonzero(damaged).tolist():
            near = row + 1 + np.flatnonzero(scan.is_key[row + 1 : row + 1 + _FLAGGED_EARLY])
            if not len(near):
                continue
            key = int(near[0])
            start, stop = int(scan.pos[row]), int(scan.pos[key])
            if not 0 <= start < stop <= start + _MOST_BYTES:
                continue
            file.seek(start)
            starts_anew = bool(NO_VALUE != scan.dts[key] < scan.dts[key - 1])
            data = file.read(stop - start + 4 + _HEAD_OF_M2TS)
            damaged[row] = not _is_whole_until_join(data, starts_anew=starts_anew)
            begins_part[key] = not damaged[row]
    return replace(scan, is_damaged=damaged, begins_part=begins_part)


def _is_whole_until_join(data: bytes, *, starts_anew: bool) -> bool:
    """Whether the cells of a packet, up to the first one of the next, are counted on, and the next begins a part.

    Args:
        data: from the packet's first cell to the head of the next packet's first one, and four bytes more.
        starts_anew: the time stamps start again; else counts that start at 0 must say so.
    """
    for head in (0, _HEAD_OF_M2TS):
        for length in _CELL_BYTES:
            cells = [data[at : at + 4] for at in range(head, len(data) - _HEAD_OF_M2TS - 3 + head, length)]
            if all(cell[:1] == _SYNC for cell in cells):
                return _begins_anew(cells, starts_anew=starts_anew)
    return False


def _begins_anew(cells: list[bytes], *, starts_anew: bool) -> bool:
    """The same, of the heads of all these cells."""
    own = [cell for cell in cells if _id(cell) == _id(cells[0])]
    counts = [cell[3] & 15 for cell in own if cell[3] & 16]  # cells without content are not counted
    is_whole = all((after - before) % 16 == 1 for before, after in pairwise(counts[:-1]))
    tables = [cell for cell in cells[-_CELLS_LOOKED_BACK:] if _id(cell) == _TABLE_OF_PROGRAMS]
    begins_part = bool(tables) and (starts_anew or (tables[-1][3] & 15 == 0 and counts[-1] == 0))
    return is_whole and begins_part


def _id(cell: bytes) -> int:
    return (cell[1] & 31) << 8 | cell[2]
