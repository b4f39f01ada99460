"""Transport streams that were joined: the cells of each part are counted anew, which looks like a loss.

The cells of a transport stream (ISO/IEC 13818-1, 2.4.3): of which stream, how they are counted, what fills them.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np

from training.video.packets.scan import PacketScan
from training.video.packets.table import NO_VALUE

SYNC, TABLE_OF_PROGRAMS = 0x47, 0
COUNTS = 16
_CELL_BYTES = 188
_LENGTHS = (188, 192, 204)
_HEADS = (0, 4)
"""Bytes before each cell: in m2ts files the time of its arrival."""
_CLOCK_BYTES = 6


@dataclass(frozen=True)
class Cell:
    """The head of one cell."""

    stream: int
    count: int
    has_content: bool
    is_filled_up: bool
    """Bytes without meaning fill it, as only the last cell of a packet is."""


@dataclass(frozen=True)
class Layout:
    """How cells lie in a file."""

    head: int
    length: int


def layout_of(data: bytes) -> Layout | None:
    """The layout in which most cells of `data`, which begins with one, have their mark; None where half have none."""
    best, most = None, 0.5
    for head in _HEADS:
        for length in _LENGTHS:
            places = range(head, len(data) - 3, length)
            share = sum(data[at] == SYNC for at in places) / max(len(places), 1)
            if share > most:
                best, most = Layout(head, length), share
    return best


def is_sound(data: bytes, layout: Layout) -> bool:
    """Whether all cells have their mark."""
    return all(data[at] == SYNC for at in range(layout.head, len(data) - 3, layout.length))


def cells_of(data: bytes, layout: Layout) -> list[Cell]:
    """The cells of `data`, which begins with one; without those that have lost their mark."""
    starts = range(layout.head, len(data) - 3, layout.length)
    return [_cell(data[at : at + _CELL_BYTES]) for at in starts if data[at] == SYNC]


def _cell(data: bytes) -> Cell:
    has_field, has_content = bool(data[3] & 32), bool(data[3] & 16)
    field = data[4] if has_field and len(data) > 4 else 0
    flags = data[5] if field and len(data) > 5 else 0
    needed = 1 + _CLOCK_BYTES * (flags >> 4 & 1) if field else 0
    is_filled_up = (has_field and field - needed > 0) or (has_field and not field)
    return Cell((data[1] & 31) << 8 | data[2], data[3] & 15, has_content, is_filled_up and not flags & 15)


def go_on(cells: list[Cell]) -> bool:
    """Whether the cells with content are counted one by one."""
    counts = [cell.count for cell in cells if cell.has_content]
    return all((after - before) % COUNTS == 1 for before, after in pairwise(counts))


_MOST_BYTES = 64 << 20
_HEAD_OF_M2TS = 4  # bytes: the time of arrival stands before each cell
_CELLS_LOOKED_BACK = 16
_CELLS_TO_TABLES = 2000  # before a packet: the tables come several times a second
_FLAGGED_EARLY = 2  # rows: where a parser looks ahead, the flag comes with the packet before the last one
_CLOCK_PER_SECOND = 90_000
_LONGEST_LOSS_SECONDS = 1.0
_TABLES_PER_SECOND = 12


def without_joins(scan: PacketScan, path: Path, *, by_clues: bool = True) -> PacketScan:
    """The scan in which the last packets of parts that are whole are not damaged.

    The demuxer calls a packet damaged when the count of its cells does not go on behind it. Where parts were joined it
    starts anew: a key packet follows, before it the tables of a new part, and no cell of the packet itself is missing.

    Args:
        by_clues: parts may begin in the middle of a count, and only their sound may look damaged; else a part must
            start the counts or the clock at 0 again.
    """
    damaged, begins_part = scan.is_damaged.copy(), scan.begins_part.copy()
    with path.open("rb") as file:
        for row, key in _candidates(scan, by_clues=by_clues):
            join = _join_between(file, scan, row, key, by_clues=by_clues)
            if join is not None:
                begins_part[key], ends_whole = join
                damaged[row] &= not ends_whole
    return replace(scan, is_damaged=damaged, begins_part=begins_part)


def _candidates(scan: PacketScan, *, by_clues: bool) -> list[tuple[int, int]]:
    """Rows that end a part, perhaps, and the rows of the key packets that follow."""
    result: dict[int, int] = {}
    for row in np.flatnonzero(scan.is_damaged).tolist():
        near = row + 1 + np.flatnonzero(scan.is_key[row + 1 : row + 1 + _FLAGGED_EARLY])
        if len(near):
            result[int(near[0])] = row
    if by_clues:
        steps = np.diff(scan.dts, prepend=scan.dts[:1])
        follows_gap = (steps > 1.5 * float(np.median(steps))) & (np.arange(len(steps)) > 0)
        for key in np.flatnonzero(follows_gap & scan.is_key).tolist():
            result.setdefault(key, key - 1)
    return [(row, key) for key, row in sorted(result.items())]


def _join_between(file: BinaryIO, scan: PacketScan, row: int, key: int, *, by_clues: bool) -> tuple[bool, bool] | None:
    """Whether a part begins with the second packet, and whether the first is whole, by the cells between them."""
    start, stop = int(scan.pos[row]), int(scan.pos[key])
    if not 0 <= start < stop <= start + _MOST_BYTES:
        return None
    file.seek(start)
    data = file.read(stop - start + 4 + _HEAD_OF_M2TS)
    layout = layout_of(data)
    if layout is None:
        return None
    cells = cells_of(data, layout)
    own = [at for at, cell in enumerate(cells) if cell.stream == cells[0].stream and cell.has_content]
    if len(own) < 2:
        return None
    last, first = own[-2], own[-1]
    # No cell is missing between the first packet's first one and its last one.
    is_whole = is_sound(data, layout) and go_on([cells[at] for at in own[:-1]])
    near = _tables(cells[max(0, first - _CELLS_LOOKED_BACK + 1) : first])  # as at the beginning of a part
    at_zero = bool(near) and near[-1].count == 0 and cells[first].count == 0
    starts_at_zero = bool(NO_VALUE != scan.dts[key] < scan.dts[key - 1]) or at_zero
    if not by_clues:
        begins_part = is_whole and bool(near) and starts_at_zero
        return begins_part, begins_part
    tables = _tables(cells[last + 1 : first])  # sound may stand between them and the packet
    back = min(start // layout.length, _CELLS_TO_TABLES) * layout.length
    file.seek(start - back)
    before = _tables(cells_of(file.read(back), layout)) + _tables(cells[:last])
    usual = float(np.median(np.diff(scan.dts)))
    passed = (float(scan.dts[key] - scan.dts[key - 1]) - usual) / _CLOCK_PER_SECOND
    breaks = cells[last].is_filled_up and _counts_break(before[-1:] + tables, passed)
    # More time passes than a loss takes that ends where tables and a key packet begin.
    takes_long = passed > _LONGEST_LOSS_SECONDS
    begins_part = bool(near or tables) and (takes_long or (is_whole and (starts_at_zero or breaks)))
    # Filled up, the last cell ends the packet: if the second one was counted on from it, more are missing.
    ends_there = cells[last].is_filled_up and not go_on([cells[last], cells[first]])
    return begins_part, is_whole and (begins_part or ends_there)


def _tables(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.stream == TABLE_OF_PROGRAMS]


def _counts_break(tables: list[Cell], seconds: float) -> bool:
    """Whether tables are counted as no loss of so many seconds explains."""
    most = 2 + _TABLES_PER_SECOND * max(seconds, 0)
    return any(not 1 <= (after.count - before.count) % COUNTS <= most for before, after in pairwise(tables))
