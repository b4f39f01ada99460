"""Reading the HDF5 files that this program writes without the HDF5 library.

The library follows whatever a file says: links to other files, external storage, variable-length data as pointers; on
damaged text attributes it loops without end. These files need none of it. They hold a root group with tables of plain
numbers, each in one piece, and attributes that are integers, booleans or text. That much is read here, and everything
else is refused before any table is mapped.
"""

import math
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from training.files import hdf5_bytes as low
from training.files.hdf5_bytes import Bytes, Hdf5Error
from training.texts import Text

MAX_RANK = 4
MAX_TEXTS = 4096
"""Texts in one attribute."""

# What follows the version in a datatype's description -> the type. Little-endian only: nothing else is written.
_NUMBERS = {
    bytes.fromhex("080000 08000000 0000 4000"): "<i8",
    bytes.fromhex("000000 01000000 0000 0800"): "|u1",
    bytes.fromhex("080000 01000000 0000 0800"): "|i1",
    bytes.fromhex("200f00 02000000 0000 1000 0a05000a 0f000000"): "<f2",
    bytes.fromhex("201f00 04000000 0000 2000 17080017 7f000000"): "<f4",
    bytes.fromhex("203f00 08000000 0000 4000 340b0034 ff030000"): "<f8",
}
_INTEGER, _FLOAT, _VARIABLE = 0, 1, 9
_BOOLEAN = bytes.fromhex("18020000 01000000 10080000 01000000 00000800") + b"FALSE\0\0\0TRUE\0\0\0\0\0\1"
_DATASET = {low.DATASPACE, low.DATATYPE, low.LAYOUT}
_HARMLESS = {low.OLD_FILL, low.FILL, low.OLD_TIME, low.TIME, low.ATTRIBUTE}


@dataclass(frozen=True)
class StoredTable:
    """Where a table lies in the file: in one piece, as plain numbers."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int
    """Bytes from the start of the file; the whole table lies inside the file."""

    @property
    def size(self) -> int:
        """Bytes."""
        return math.prod(self.shape) * self.dtype.itemsize

    def mapped(self, file: BinaryIO) -> NDArray[Any]:
        """The table, mapped read-only; stays valid after the file is closed."""
        if self.size == 0:
            return np.empty(self.shape, self.dtype)
        return np.memmap(file, dtype=self.dtype, mode="r", offset=self.offset, shape=self.shape)

    def read(self, file: BinaryIO) -> NDArray[Any]:
        """The table, in memory."""
        return np.array(self.mapped(file))


@dataclass(frozen=True)
class Hdf5Content:
    """What a file holds."""

    attributes: Mapping[str, Any]
    """int, bool, str or a tuple of str."""
    tables: Mapping[str, StoredTable]


def read_content(file: BinaryIO, size: int, names: Collection[str]) -> Hdf5Content:
    """The attributes of an open HDF5 file, and where its tables of these names lie; reads no table.

    Raises:
        Hdf5Error: it is damaged or holds what this program does not write: links, groups in the place of tables, tables
            in HDF5 chunks, with filters or outside of the file, text or records as tables.
    """
    data = Bytes(file, size)
    attributes: dict[str, Any] = {}
    addresses: dict[str, int] = {}
    for message in low.messages(data, low.root_address(data)):
        if message.kind == low.ATTRIBUTE:
            name, value = _attribute(data, message.body)
            attributes[name] = value
        elif message.kind == low.SYMBOL_TABLE:
            addresses |= _wanted(data, message.body, names)
        elif message.kind not in _HARMLESS:
            raise Hdf5Error("its root group has a form that this program does not write")
    return Hdf5Content(attributes, {name: _table(data, name, address) for name, address in addresses.items()})


def _wanted(data: Bytes, symbol_table: bytes, names: Collection[str]) -> dict[str, int]:
    result: dict[str, int] = {}
    for link in low.links(data, symbol_table):
        if link.name not in names:
            continue
        if link.is_soft:
            raise Hdf5Error(Text("{name} is a link to another object", link.name))
        if link.name in result:
            raise Hdf5Error(Text("{name} occurs twice", link.name))
        result[link.name] = link.address
    return result


def _table(data: Bytes, name: str, address: int) -> StoredTable:
    parts: dict[int, bytes] = {}
    for message in low.messages(data, address):
        if message.kind in _HARMLESS:
            continue
        if message.kind == low.SYMBOL_TABLE:
            raise Hdf5Error(Text("{name} is a group, not a table", name))
        if message.kind not in _DATASET or message.kind in parts:
            raise Hdf5Error(Text("{name} is compressed, stored outside of the file, or damaged", name))
        parts[message.kind] = message.body
    if parts.keys() != _DATASET:
        raise Hdf5Error(Text("{name} is not a table", name))
    kind = _NUMBERS.get(_type_facts(parts[low.DATATYPE]))
    if kind is None:
        raise Hdf5Error(Text("{name} does not hold numbers of a known type", name))
    table = StoredTable(np.dtype(kind), _shape(parts[low.DATASPACE], name), 0)
    return StoredTable(table.dtype, table.shape, _offset(data, name, parts[low.LAYOUT], table.size))


def _type_facts(body: bytes) -> bytes:
    """A number's datatype without its version and padding; b"" for any other."""
    if len(body) < 8:
        return b""
    length = {_INTEGER: 12, _FLOAT: 20}.get(body[0] & 0x0F, 0)
    return body[1:length]


def _shape(body: bytes, name: str) -> tuple[int, ...]:
    version, rank, _, _ = low.numbers("<4B", body)
    if version not in (1, 2) or not 1 <= rank <= MAX_RANK:
        raise Hdf5Error(Text("{name} has a wrong number of dimensions", name))
    return low.numbers(f"<{rank}Q", body[8 if version == 1 else 4 :])


def _offset(data: Bytes, name: str, body: bytes, wanted: int) -> int:
    version, storage = low.numbers("<2B", body)
    if version not in (3, 4) or storage != 1:
        raise Hdf5Error(Text("{name} is not stored contiguously", name))
    address, size = low.numbers("<2Q", body[2:])
    if wanted == 0:
        return 0
    if size != wanted or address + size > data.size:
        raise Hdf5Error(Text("{name} does not have its stated size", name))
    return address


def _attribute(data: Bytes, body: bytes) -> tuple[str, Any]:
    version, _, name_size, type_size, space_size = low.numbers("<2B3H", body)
    if version not in (1, 3):
        raise Hdf5Error("an attribute is damaged")
    at, step = (8, 8) if version == 1 else (9, 1)  # the older form pads every part
    places = [at]
    for size in (name_size, type_size, space_size):
        places.append(places[-1] - (-size // step) * step)
    if places[-1] > len(body):
        raise Hdf5Error("an attribute is damaged")
    name = low.decoded(body[at : at + name_size])
    kind, space = body[places[1] : places[1] + type_size], body[places[2] : places[2] + space_size]
    return name, _value(data, name, kind, space, body[places[3] :])


def _value(data: Bytes, name: str, kind: bytes, space: bytes, content: bytes) -> Any:
    is_list = low.numbers("<2B", space)[1] > 0
    if len(kind) >= 8 and kind[0] & 0x0F == _VARIABLE and kind[1] & 0x0F == 1:
        count = _text_count(name, space, content) if is_list else 1
        texts = tuple(low.heap_string(data, content[16 * each :]) for each in range(count))
        return texts if is_list else texts[0]
    if not is_list and _NUMBERS.get(_type_facts(kind)) == "<i8":
        return struct.unpack("<q", struct.pack("<Q", *low.numbers("<Q", content)))[0]
    if not is_list and kind == _BOOLEAN:
        return low.numbers("<B", content)[0] != 0
    raise Hdf5Error(Text("the attribute {name} has a type that this program does not write", name))


def _text_count(name: str, space: bytes, content: bytes) -> int:
    shape = _shape(space, Text("the attribute {name}", name))
    if len(shape) != 1 or shape[0] > MAX_TEXTS or 16 * shape[0] > len(content):
        raise Hdf5Error(Text("the attribute {name} is damaged", name))
    return shape[0]
