"""The cells of a transport stream (ISO/IEC 13818-1, 2.4.3): of which stream, how they are counted, what fills them."""

from dataclasses import dataclass
from itertools import pairwise

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
