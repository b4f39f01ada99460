"""The pages of a TIFF or BigTIFF file (TIFF 6.0, BigTIFF), and the orientation that an EXIF block says.

The bytes of a file at any place, of which only what is asked for is read.
"""

import io
import struct
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from training.texts import Text

_HEAD_BYTES = 262_144


class FileBytes:
    """An open file; its first bytes are read at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.head = file.read(_HEAD_BYTES) or b""
        """Up to 256 KiB."""
        self.size = len(self.head) if len(self.head) < _HEAD_BYTES else file.seek(0, 2)
        """In bytes."""

    def at(self, start: int, count: int) -> bytes:
        """`count` bytes from `start`; raises `EOFError` where the file is shorter, `ValueError` for negative ones."""
        if start < 0 or count < 0:
            raise ValueError("a place before the start of the file")
        if start + count > self.size:
            raise EOFError("the file is cut short")
        if start + count <= len(self.head):
            return self.head[start : start + count]
        self._file.seek(start)
        return self._file.read(count)

    def tail(self, count: int) -> bytes:
        """The last bytes, at most `count`."""
        count = min(count, self.size)
        return self.at(self.size - count, count)

    def all(self) -> bytes:
        """The whole file."""
        return self.at(0, self.size)


MOST_PAGES = 500_000
"""A file that announces more pictures is damaged."""
ORIENTATION = 274
_SUBFILE, _WIDTH, _HEIGHT, _BITS, _COMPRESSION, _COLOURS, _FORMAT = 254, 256, 257, 258, 259, 262, 339
_STARTS, _LENGTHS = (273, 324), (279, 325)
"""Of strips and of tiles."""
_WANTED = frozenset(
    {_SUBFILE, _WIDTH, _HEIGHT, _BITS, _COMPRESSION, _COLOURS, _FORMAT, ORIENTATION, *_STARTS, *_LENGTHS}
)
_KINDS = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
_PREVIEW_OR_MASK = 1 | 4
_COMPRESSIONS = frozenset({1, 2, 3, 4, 5, 7, 8, 32773, 32946})
"""None, CCITT, LZW, JPEG, Deflate, PackBits."""
_WHITE_IS_ZERO = 0
_UNSIGNED, _SIGNED, _FLOATING = 1, 2, 3


@dataclass(frozen=True)
class TiffPage:
    """One directory of the file."""

    number: int
    """Place in the chain of directories, from 0."""
    place: int
    """Where the directory lies in the file, in bytes."""
    height: int
    width: int
    orientation: int
    bits: int
    """Of a stored value."""
    is_white_zero: bool
    """Grey whose lowest value is white."""
    is_preview: bool
    """A smaller copy, or a mask, of another page."""
    is_whole: bool
    unread: str
    """The kind, where such values cannot be read; else empty."""


def read_pages(data: FileBytes) -> tuple[list[TiffPage], bool, bool]:
    """All pages; whether the chain of directories is whole; whether the file is a BigTIFF.

    Raises:
        EOFError, ValueError, struct.error: it has not even a first directory.
    """
    order = "<" if data.at(0, 2) == b"II" else ">"
    is_big = struct.unpack(order + "H", data.at(2, 2)) == (43,)
    place: int
    (place,) = struct.unpack(order + ("Q" if is_big else "I"), data.at(8 if is_big else 4, 8 if is_big else 4))
    pages: list[TiffPage] = []
    visited = set()
    while place and place not in visited and len(pages) < MOST_PAGES:
        visited.add(place)
        try:
            tags, following = _directory(data, order, place, is_big)
        except (EOFError, struct.error):
            return pages, False, is_big
        pages.append(_page(len(pages), place, tags, data.size))
        place = following
    return pages, True, is_big


def open_at(data: NDArray[np.uint8], place: int) -> None:
    """Change a TIFF file in memory so that the directory at `place` is its first; decoders are slow to find others."""
    order = "<" if data[0] == ord("I") else ">"
    is_big = 43 in data[2:4]
    start, code = (8, struct.pack(order + "Q", place)) if is_big else (4, struct.pack(order + "I", place))
    data[start : start + len(code)] = np.frombuffer(code, np.uint8)


def exif_orientation(exif: bytes) -> int:
    """The orientation, 1 to 8, that an EXIF block (which is built like a TIFF file) says; 1 where it says none."""
    data = FileBytes(io.BytesIO(exif))
    try:
        order = "<" if data.at(0, 2) == b"II" else ">"
        (place,) = struct.unpack(order + "I", data.at(4, 4))
        tags, _ = _directory(data, order, place, False)
    except (EOFError, ValueError, struct.error):
        return 1
    return _orientation(tags)


def _directory(data: FileBytes, order: str, place: int, is_big: bool) -> tuple[dict[int, tuple[int, ...]], int]:
    """Values of the wanted tags, and where the next directory lies; 0: there is none."""
    size, slot = (20, 8) if is_big else (12, 4)
    count_kind, count_bytes = ("Q", 8) if is_big else ("H", 2)
    (count,) = struct.unpack(order + count_kind, data.at(place, count_bytes))
    entries = data.at(place + count_bytes, count * size)
    tags: dict[int, tuple[int, ...]] = {}
    for at in range(0, count * size, size):
        tag, kind, values = struct.unpack_from(order + ("HHQ" if is_big else "HHI"), entries, at)
        if tag not in _WANTED or kind not in _KINDS:
            continue
        layout = f"{order}{values}{_KINDS[kind]}"
        needed = values * struct.calcsize(order + _KINDS[kind])
        inside = entries[at + size - slot : at + size]
        if needed > slot:
            (start,) = struct.unpack(order + ("Q" if is_big else "I"), inside)
            inside = data.at(start, needed)
        tags[tag] = struct.unpack(layout, inside[:needed])
    end = place + count_bytes + count * size
    if end + slot > data.size:  # some writers leave the last place of all out
        return tags, 0
    (following,) = struct.unpack(order + ("Q" if is_big else "I"), data.at(end, slot))
    return tags, following


def _page(number: int, place: int, tags: dict[int, tuple[int, ...]], size_bytes: int) -> TiffPage:
    ends = (
        start + length
        for starts, lengths in zip(_STARTS, _LENGTHS, strict=True)
        for start, length in zip(tags.get(starts, ()), tags.get(lengths, ()), strict=False)
    )
    bits, form = max(tags.get(_BITS, (1,))), max(tags.get(_FORMAT, (_UNSIGNED,)))
    unread = ""
    if form == _FLOATING:
        unread = "floating-point TIFF"
    elif bits > 16 or form == _SIGNED:
        unread = f"{bits}-bit TIFF" if bits > 16 else "signed TIFF"
    elif (compression := tags.get(_COMPRESSION, (1,))[0]) not in _COMPRESSIONS:
        unread = Text("TIFF of compression {compression}", compression)
    return TiffPage(
        number,
        place,
        height=tags.get(_HEIGHT, (0,))[0],
        width=tags.get(_WIDTH, (0,))[0],
        orientation=_orientation(tags),
        bits=bits,
        is_white_zero=tags.get(_COLOURS, (1,))[0] == _WHITE_IS_ZERO,
        is_preview=bool(tags.get(_SUBFILE, (0,))[0] & _PREVIEW_OR_MASK),
        is_whole=max(ends, default=0) <= size_bytes,
        unread=unread,
    )


def _orientation(tags: dict[int, tuple[int, ...]]) -> int:
    value = tags.get(ORIENTATION, (1,))[:1]
    return value[0] if value and 1 <= value[0] <= 8 else 1
