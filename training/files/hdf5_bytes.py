"""The byte level of the HDF5 files that this program writes: numbers, object headers, groups and string heaps.

Only the oldest form of the format is known here (superblock 0, object headers 1, symbol tables), which is what
`libver="earliest"` writes. Every address is checked against the file, and the number of bytes read is bounded.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

SIGNATURE = b"\x89HDF\r\n\x1a\n"
UNDEFINED = 2**64 - 1
MAX_READ_BYTES = 16 * 1024**2
"""Of everything but the tables; the project's own files hold some 10 KB of it."""
MAX_BLOCKS = 1024
"""Of one object header or one group: a loop of blocks ends here."""

NIL, DATASPACE, DATATYPE, OLD_FILL, FILL, LAYOUT = 0x00, 0x01, 0x03, 0x04, 0x05, 0x08
ATTRIBUTE, CONTINUATION, SYMBOL_TABLE, OLD_TIME, TIME = 0x0C, 0x10, 0x11, 0x0E, 0x12


class Hdf5Error(ValueError):
    """The file is damaged, or has parts that this program does not write; the text says what."""


class Bytes:
    """The bytes of an open file, with bounds."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.size = size
        self._left = MAX_READ_BYTES

    def take(self, address: int, size: int) -> bytes:
        """`size` bytes from `address` on.

        Raises:
            Hdf5Error: they do not lie in the file, or more was read than such a file can need.
        """
        if size > self._left:
            raise Hdf5Error("it holds more structure than this kind of file has")
        if address + size > self.size:
            raise Hdf5Error("a part of it is beyond its end")
        self._left -= size
        self._file.seek(address)
        content = self._file.read(size)
        if len(content) != size:
            raise Hdf5Error("it is cut short")
        return content


class Message(NamedTuple):
    """One entry of an object header."""

    kind: int
    body: bytes
    address: int
    """Of the body in the file."""


class Link(NamedTuple):
    """One entry of a group."""

    name: str
    address: int
    """Of the object's header."""
    is_soft: bool
    """The entry names another place instead of an object."""


def root_address(data: Bytes) -> int:
    """Where the header of the root group lies; raises `Hdf5Error` for another form of the format."""
    if data.size < len(SIGNATURE) or data.take(0, len(SIGNATURE)) != SIGNATURE:
        raise Hdf5Error("it does not start with the HDF5 signature")
    block = data.take(0, 96)
    if block[8] != 0 or block[13:15] != b"\x08\x08":
        raise Hdf5Error("it is an HDF5 file in a form that this program does not write")
    base, _, end, driver, _, root = struct.unpack_from("<6Q", block, 24)
    if base != 0 or driver != UNDEFINED:
        raise Hdf5Error("it is an HDF5 file in a form that this program does not write")
    if end > data.size:
        raise Hdf5Error("it is cut short")
    return int(root)


def messages(data: Bytes, address: int) -> Iterator[Message]:
    """The entries of an object header and its continuations.

    Raises:
        Hdf5Error: the header is damaged, or an entry is shared with another object.
    """
    version, size = struct.unpack_from("<B7xI", data.take(address, 16))
    if version != 1:
        raise Hdf5Error("an object header is damaged or has a form that this program does not write")
    blocks, done = [(address + 16, size)], 0
    while done < len(blocks):
        start, length = blocks[done]
        done += 1
        for message in _block(data.take(start, length), start):
            if message.kind == CONTINUATION:
                blocks.append(numbers("<2Q", message.body))  # type: ignore[arg-type]
            elif message.kind != NIL:
                yield message
        if len(blocks) > MAX_BLOCKS:
            raise Hdf5Error("an object header has no end")


def _block(block: bytes, start: int) -> Iterator[Message]:
    at = 0
    while at + 8 <= len(block):
        kind, size, flags = struct.unpack_from("<2HB", block, at)
        at += 8
        if at + size > len(block):
            raise Hdf5Error("an object header is damaged")
        if flags & 2:
            raise Hdf5Error("a description is shared between objects, which this program does not write")
        yield Message(kind, block[at : at + size], start + at)
        at += size


def links(data: Bytes, symbol_table: bytes) -> Iterator[Link]:
    """The entries of a group."""
    tree, heap = numbers("<2Q", symbol_table)
    names = _names(data, heap)
    open_nodes, seen = [tree], 0
    while open_nodes:
        node = open_nodes.pop()
        seen += 1
        if seen > MAX_BLOCKS:
            raise Hdf5Error("a group has no end")
        start = data.take(node, 24)
        if start[:4] == b"TREE" and start[4] == 0:
            used = numbers("<H", start[6:])[0]
            keys = data.take(node + 24, (2 * used + 1) * 8)
            open_nodes += [numbers("<Q", keys[16 * each + 8 :])[0] for each in range(used)]
        elif start[:4] == b"SNOD" and start[4] == 1:
            count = numbers("<H", start[6:])[0]
            entries = data.take(node + 8, 40 * count)
            yield from (_link(names, entries[at : at + 40]) for at in range(0, len(entries), 40))
        else:
            raise Hdf5Error("a group is damaged")


def _names(data: Bytes, heap: int) -> bytes:
    start = data.take(heap, 32)
    if start[:5] != b"HEAP\0":
        raise Hdf5Error("the names of a group are damaged")
    size, _, address = struct.unpack_from("<3Q", start, 8)
    return data.take(address, size)


def _link(names: bytes, entry: bytes) -> Link:
    name_at, address, cache = struct.unpack_from("<2QI", entry)
    end = names.find(b"\0", name_at) if name_at < len(names) else -1
    if end < 0:
        raise Hdf5Error("the names of a group are damaged")
    return Link(decoded(names[name_at:end]), address, cache == 2)


def heap_string(data: Bytes, place: bytes) -> str:
    """A string of variable length, from the 16 bytes that say where it lies."""
    length, address, index = numbers("<IQI", place)
    if length == 0:
        return ""
    start = data.take(address, 16)
    if start[:5] != b"GCOL\x01":
        raise Hdf5Error("the texts of an attribute are damaged")
    block = data.take(address, numbers("<Q", start[8:])[0])
    at = 16
    while at + 16 <= len(block):
        number, size = struct.unpack_from("<H6xQ", block, at)
        if number == 0:
            break
        if number == index and length <= size <= len(block) - at - 16:
            return decoded(block[at + 16 : at + 16 + length])
        at += 16 + -(-size // 8) * 8
    raise Hdf5Error("the texts of an attribute are damaged")


def numbers(form: str, content: bytes) -> tuple[int, ...]:
    """The numbers at the start of some bytes; raises `Hdf5Error` where there are too few."""
    if len(content) < struct.calcsize(form):
        raise Hdf5Error("a description is cut short")
    return struct.unpack_from(form, content)


def decoded(content: bytes) -> str:
    """UTF-8 without trailing zeros; raises `Hdf5Error` where it is none."""
    try:
        return content.rstrip(b"\0").decode()
    except UnicodeDecodeError as error:
        raise Hdf5Error("a text is not UTF-8") from error
