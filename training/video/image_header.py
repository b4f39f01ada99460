"""Size and completeness of an image file, from its first and last bytes."""

import struct
from collections.abc import Callable
from pathlib import Path

_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0), 0xF7}) - {0xC4, 0xC8, 0xCC}
"""Markers that say the size; 0xF7 is that of JPEG-LS."""
_HEAD_BYTES = 262_144
_TAIL_BYTES = 65_536


def image_size(path: Path) -> tuple[int, int] | None:
    """(height, width) in pixels, or None for a file that is no whole JPEG, PNG, BMP, TIFF or WebP.

    Decoders paint the lost part of a cut file grey; such a picture must not pass for a frame.
    """
    try:
        if not path.is_file():  # a pipe would block
            return None
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            size_bytes = file.seek(0, 2)
            file.seek(max(size_bytes - _TAIL_BYTES, 0))
            tail = file.read()
    except OSError:
        return None
    for magic, reader in _READERS:
        if head.startswith(magic):
            try:
                size = reader(head, tail, size_bytes)
            except (struct.error, IndexError):
                return None
            return size if size and min(size) > 0 else None
    return None


def _png(head: bytes, tail: bytes, size_bytes: int) -> tuple[int, int] | None:
    width, height = struct.unpack_from(">II", head, 16)
    return (height, width) if b"IEND" in tail else None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """(height, width) of a whole JPEG or JPEG-LS stream in memory.

    Raises:
        struct.error, IndexError: it is damaged.
    """
    return _jpeg(data, data[-_TAIL_BYTES:], len(data))


def _jpeg(head: bytes, tail: bytes, size_bytes: int) -> tuple[int, int] | None:
    if b"\xff\xd9" not in tail:
        return None
    at = 2
    while at + 9 < len(head):
        if head[at] != 0xFF:
            return None
        marker = head[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", head, at + 5)
            return height, width
        # Fill bytes and markers without a length are stepped over, segments are jumped.
        at += (
            1
            if marker == 0xFF
            else 2
            if marker in (0x01, *range(0xD0, 0xD9))
            else 2 + head[at + 2] * 256 + head[at + 3]
        )
    return None


def _bmp(head: bytes, tail: bytes, size_bytes: int) -> tuple[int, int] | None:
    announced, offset = struct.unpack_from("<I4xI", head, 2)
    width, height, bits, compression = struct.unpack_from("<ii2xHI", head, 18)
    row_bytes = (abs(width) * bits + 31) // 32 * 4
    needed = offset + row_bytes * abs(height) if compression in (0, 3) else announced
    return (abs(height), abs(width)) if size_bytes >= needed else None


def _tiff(head: bytes, tail: bytes, size_bytes: int) -> tuple[int, int] | None:
    order = "<" if head.startswith(b"II") else ">"
    (directory,) = struct.unpack_from(order + "I", head, 4)
    in_head = directory + 2 < len(head)
    data, start = (head, directory) if in_head else (tail, directory - (size_bytes - len(tail)))
    if start < 0 or start + 2 > len(data):
        return (1, 1) if 8 <= directory < size_bytes - 2 and start < 0 else None  # directory in mid-file: size unknown
    (count,) = struct.unpack_from(order + "H", data, start)
    sides: dict[int, int] = {}
    for entry in range(count):
        tag, kind = struct.unpack_from(order + "HH", data, start + 2 + 12 * entry)
        (sides[tag],) = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, start + 10 + 12 * entry)
    return sides.get(257, 0), sides.get(256, 0)


def _webp(head: bytes, tail: bytes, size_bytes: int) -> tuple[int, int] | None:
    (announced,) = struct.unpack_from("<I", head, 4)
    if head[8:12] != b"WEBP" or size_bytes < announced + 8:
        return None
    kind = head[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", head, 26)
        return height & 0x3FFF, width & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", head, 21)
        return (bits >> 14 & 0x3FFF) + 1, (bits & 0x3FFF) + 1
    if kind == b"VP8X":
        width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
        return height, width
    return None


_READERS: tuple[tuple[bytes, Callable[[bytes, bytes, int], tuple[int, int] | None]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8", _jpeg),
    (b"BM", _bmp),
    (b"II*\0", _tiff),
    (b"MM\0*", _tiff),
    (b"RIFF", _webp),
)
