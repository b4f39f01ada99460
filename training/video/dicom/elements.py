"""The elements of a DICOM file before its pixel data (PS3.5, chapter 7; PS3.10, chapter 7).

Only the elements that are asked for are kept; all others, and whole sequences, are stepped over.
"""

import io
import struct
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from training.texts import Text

SUFFIXES = frozenset({".dcm", ".dicom"})
PREAMBLE_BYTES = 128
MAGIC = b"DICM"

IMPLICIT, EXPLICIT, BIG_ENDIAN = "1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.2"
DEFLATED = "1.2.840.10008.1.2.1.99"

UNDEFINED = 0xFFFFFFFF
"""The length of what ends with a delimiter."""
ITEM, ITEM_END, SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
PIXEL_DATA = 0x7FE00010
FUNCTIONAL_GROUPS = (0x52009229, 0x52009230)
"""Sequences with what is said of all frames, and of each."""
_OTHER_PIXEL_DATA = (0x7FE00008, 0x7FE00009)  # floating point
_TRANSFER_SYNTAX = 0x00020010

MAX_VALUE_BYTES = 32 * 1024**2
"""Of an element that is kept; the times of 500,000 frames take 8 MB."""
MAX_ELEMENTS = 2_000_000
"""Before the pixel data; some ten for each frame where a file describes its frames one by one."""
MAX_DEPTH = 64
"""Of nested sequences."""
MAX_INFLATED_BYTES = 512 * 1024**2
"""Of a deflated file, which is unpacked in memory as far as it is read (ours)."""
_PIECE_BYTES = 1024**2
_LONG = frozenset({b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV"})
"""Value representations whose length takes four bytes."""


class DicomError(ValueError):
    """The file is not DICOM, is damaged, or ends too early; says what is wrong."""


@dataclass(frozen=True)
class PixelData:
    """Where the pixel data stand.

    Attributes:
        start: the first byte of the value in the file; in what is unpacked of it, where it is deflated.
        length_bytes: of the value; `UNDEFINED` where it comes in fragments.
        is_integer: False for floating point.
    """

    start: int
    length_bytes: int
    is_integer: bool = True


@dataclass(frozen=True)
class Elements:
    """What was found.

    Attributes:
        transfer_syntax: a UID; empty for none.
        values: tag -> raw bytes, of those asked for that are there.
        pixel_data: None where the file has none.
    """

    transfer_syntax: str
    values: dict[int, bytes] = field(repr=False)
    pixel_data: PixelData | None

    @property
    def order(self) -> str:
        """The byte order, as `struct` writes it."""
        return ">" if self.transfer_syntax == BIG_ENDIAN else "<"

    def text(self, tag: int) -> str:
        """A value of plain characters; empty where it is not there."""
        return self.values.get(tag, b"").decode("ascii", "replace").strip(" \0")

    def texts(self, tag: int) -> list[str]:
        """The parts of a value that holds several."""
        return [part.strip() for part in self.text(tag).split("\\")] if tag in self.values else []

    def short(self, tag: int, default: int = 0) -> int:
        """A number of two bytes."""
        value = self.values.get(tag, b"")
        return int(struct.unpack_from(self.order + "H", value)[0]) if len(value) >= 2 else default


def is_dicom(path: Path) -> bool:
    """Whether the content of a file is DICOM (PS3.10: "DICM" after 128 bytes), whatever its name is."""
    try:
        if not path.is_file():  # a pipe would block
            return False
        with path.open("rb") as file:
            return file.read(PREAMBLE_BYTES + len(MAGIC))[PREAMBLE_BYTES:] == MAGIC
    except (OSError, ValueError):
        return False


def read_elements(path: Path, wanted: Collection[int]) -> Elements:
    """Read the wanted elements (tags) before the pixel data; of a sequence that is one of them the bytes are kept."""
    size = path.stat().st_size
    with path.open("rb") as file:
        syntax = _transfer_syntax(file, size)
        if syntax == DEFLATED:
            # What stands behind the header is not unpacked.
            values, pixel_data = _Reader(_Inflated(file), MAX_INFLATED_BYTES, EXPLICIT).read(wanted)
        else:
            values, pixel_data = _Reader(file, size, syntax).read(wanted)
        return Elements(syntax, values, pixel_data)


def open_unpacked(path: Path) -> tuple[BinaryIO, int]:
    """The bytes among which `PixelData.start` counts, as an open file, and how many there are.

    A deflated file is unpacked into memory; no copy of patient data is written.
    """
    size = path.stat().st_size
    file = path.open("rb", buffering=0)
    try:
        if _transfer_syntax(file, size) != DEFLATED:
            return file, size
        unpacked = _Inflated(file).whole()
    except BaseException:
        file.close()
        raise
    file.close()
    return unpacked, unpacked.getbuffer().nbytes


def _transfer_syntax(file: BinaryIO, size: int) -> str:
    """The UID that the head of a file says; the file then stands behind its head."""
    if file.read(PREAMBLE_BYTES + len(MAGIC))[PREAMBLE_BYTES:] != MAGIC:
        raise DicomError("it is not DICOM")
    result, _ = _Reader(file, size, EXPLICIT).read((_TRANSFER_SYNTAX,), within_group=2)
    return result.get(_TRANSFER_SYNTAX, b"").decode("ascii", "replace").strip(" \0")


def check_whole(path: Path, max_bytes: int, max_items: int) -> None:
    """Check what a library would make of a whole file, which keeps some kilobytes for each item of a sequence.

    Items are counted by their tag, in sequences of any kind; a value that holds these bytes counts too.

    Raises:
        DicomError: it is not DICOM, or, unpacked, takes more than `max_bytes` or has more than `max_items`.
    """
    with path.open("rb") as file:
        syntax = _transfer_syntax(file, path.stat().st_size)
        content = _Inflated(file, max_bytes).whole().getvalue() if syntax == DEFLATED else file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise DicomError(Text("it takes more than {max_bytes:,} bytes", max_bytes))
    order = ">" if syntax == BIG_ENDIAN else "<"
    if content.count(struct.pack(f"{order}HH", ITEM >> 16, ITEM & 0xFFFF)) > max_items:
        raise DicomError(Text("it has more than {max_items:,} items in sequences", max_items))


class _Inflated:
    """The rest of a file, unpacked as far as it is read (PS3.5, A.5: without a header of zlib).

    Of one that is cut short there is what can be unpacked.

    Raises:
        DicomError: it cannot be unpacked, or takes more than `max_bytes`.
    """

    def __init__(self, file: BinaryIO, max_bytes: int | None = None) -> None:
        self._file = file
        self._max_bytes = MAX_INFLATED_BYTES if max_bytes is None else max_bytes
        self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        self._packed = b""
        self._unpacked, self._size, self._place = io.BytesIO(), 0, 0

    def whole(self) -> io.BytesIO:
        """All of it."""
        self._unpack_to(self._max_bytes + 1)
        self._unpacked.seek(0)
        return self._unpacked

    def tell(self) -> int:
        """Where the next byte is read."""
        return self._place

    def seek(self, place: int, whence: int = 0) -> int:
        """Go to a place, from the beginning or (1) from here."""
        self._place = place + (self._place if whence else 0)
        self._unpack_to(self._place)
        if self._place > self._size:
            raise DicomError("it is cut short")
        return self._place

    def read(self, length: int = -1) -> bytes:
        """The next bytes; fewer at the end."""
        self._unpack_to(self._place + length)
        self._unpacked.seek(self._place)
        result = self._unpacked.read(length)
        self._place += len(result)
        return result

    def _unpack_to(self, size: int) -> None:
        self._unpacked.seek(self._size)
        while self._size < size and not self._unpacker.eof:
            self._packed = self._packed or self._file.read(_PIECE_BYTES)
            if not self._packed:
                return
            try:
                piece = self._unpacker.decompress(self._packed, _PIECE_BYTES)
            except zlib.error as error:
                raise DicomError("its deflated content cannot be unpacked") from error
            self._packed = self._unpacker.unconsumed_tail
            self._unpacked.write(piece)
            self._size += len(piece)
            if self._size > self._max_bytes:
                raise DicomError(Text("unpacked it takes more than {max_bytes:,} bytes", self._max_bytes))


@dataclass(frozen=True)
class _Head:
    tag: int
    kind: bytes
    length: int


class _Reader:
    """Walks over the elements of an open file."""

    def __init__(self, file: BinaryIO | _Inflated, size: int, transfer_syntax: str) -> None:
        self._file = file
        self._size = size
        self._order = ">" if transfer_syntax == BIG_ENDIAN else "<"
        self._is_implicit = transfer_syntax == IMPLICIT
        self._left = MAX_ELEMENTS

    def read(
        self, wanted: Collection[int], within_group: int | None = None
    ) -> tuple[dict[int, bytes], PixelData | None]:
        """The wanted values up to the pixel data, or of one group."""
        values: dict[int, bytes] = {}
        while (within_group is None or self._next_group() == within_group) and (head := self._head()) is not None:
            if head.tag == PIXEL_DATA or head.tag in _OTHER_PIXEL_DATA:
                return values, PixelData(self._file.tell(), head.length, head.tag == PIXEL_DATA)
            if head.length == UNDEFINED:
                start = self._file.tell()
                self._skip_sequence(is_unknown=head.kind == b"UN")
                if head.tag in wanted and self._file.tell() - start <= MAX_VALUE_BYTES:
                    length = self._file.tell() - start
                    self._file.seek(start)
                    values[head.tag] = self._value(length)
            elif head.tag in wanted and (head.length <= MAX_VALUE_BYTES or head.tag not in FUNCTIONAL_GROUPS):
                values[head.tag] = self._value(head.length)
            else:
                self._skip(head.length)
        return values, None

    def _head(self) -> _Head | None:
        """Tag, representation and length of the next element; None at the end of the file."""
        self._left -= 1
        if self._left < 0:
            raise DicomError(Text("more than {max_elements:,} elements stand before the pixel data", MAX_ELEMENTS))
        head = self._file.read(8)
        if not head:
            return None
        if len(head) < 8:
            raise DicomError("it is cut short")
        group, element = struct.unpack_from(self._order + "HH", head)
        tag = group << 16 | element
        if self._is_implicit or group == ITEM >> 16:
            return _Head(tag, b"", struct.unpack_from(self._order + "I", head, 4)[0])
        kind = head[4:6]
        if not (kind.isalpha() and kind.isupper()):
            raise DicomError("an element has no valid type")
        if kind not in _LONG:
            return _Head(tag, kind, struct.unpack_from(self._order + "H", head, 6)[0])
        return _Head(tag, kind, struct.unpack(self._order + "I", self._exactly(4))[0])

    def _next_group(self) -> int:
        group = self._file.read(2)
        self._file.seek(-len(group), 1)
        return int.from_bytes(group, "big" if self._order == ">" else "little")

    def _exactly(self, length: int) -> bytes:
        result = self._file.read(length)
        if len(result) < length:
            raise DicomError("it is cut short")
        return result

    def _value(self, length: int) -> bytes:
        if length > MAX_VALUE_BYTES:
            raise DicomError(Text("a value takes {length:,} bytes", length))
        return self._exactly(length)

    def _skip(self, length: int) -> None:
        place = self._file.tell() + length
        if place > self._size:
            raise DicomError("it is cut short")
        self._file.seek(place)

    def _skip_sequence(self, *, is_unknown: bool) -> None:
        """Step over a sequence, its items and what is nested in them.

        A sequence of an unknown type has implicit types inside (PS3.5, 6.2.2).
        """
        was_implicit, self._is_implicit = self._is_implicit, self._is_implicit or is_unknown
        depth = 1
        while depth:
            head = self._head()
            if head is None:
                raise DicomError("it is cut short")
            if head.tag in (ITEM_END, SEQUENCE_END):
                depth -= 1
            elif head.length != UNDEFINED:
                self._skip(head.length)
            elif depth >= 2 * MAX_DEPTH:  # an item counts, too
                raise DicomError(Text("nested deeper than {max_depth} levels", MAX_DEPTH))
            else:
                depth += 1
        self._is_implicit = was_implicit
