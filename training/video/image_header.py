"""What an image file holds, by its content: kind, size, orientation, pictures, bits; and whether it is whole.

Only what is asked for is read. Sources: the specifications of the formats; EXIF 2.32 for the orientation.
"""

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from training.errors import UserError
from training.texts import Text
from training.version import IMAGE_NUMBERING, NUMBERING
from training.video import shape, tiff_pages
from training.video.dicom.elements import DEFLATED
from training.video.dicom.header import NATIVE, read_header
from training.video.tiff_pages import FileBytes

_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0), 0xF7}) - {0xC4, 0xC8, 0xCC}
"""Markers that say the size; 0xF7 is that of JPEG-LS."""
_JPEG_END = b"\xff\xd9"
_MOST_PIXELS = 2**30
"""Of a picture that decoders take; more is a damaged header."""
_PADDING = b"\0\n\r "
"""What writers leave behind the end of a file."""
_FIRST_HEAD_BYTES = 262_144
_FIRST_TAIL_BYTES = 65_536
"""Where rules before `IMAGE_NUMBERING` looked for a size, and for the end."""
_TURNED = frozenset({5, 6, 7, 8})
"""EXIF orientations that swap rows and columns."""


@dataclass(frozen=True)
class ImageHeader:
    """What a decoder must know before it starts."""

    kind: str
    """Such as "JPEG"; empty for a file that is no picture."""
    height: int = 0
    """In px as stored."""
    width: int = 0
    orientation: int = 1
    """1 to 8, as EXIF counts them; how the first picture is to be turned."""
    pages: tuple[int, ...] = (0,)
    """Numbers of the pictures of a file that holds several; previews are left out."""
    places: tuple[int, ...] = ()
    """Where the directories of the pages of a TIFF file lie, in bytes."""
    bits: int = 8
    """Of a stored value: 8, or 16 for more than 8."""
    used_bits: int | None = None
    """How many of 16 bits are used, where the file says so."""
    is_whole: bool = True
    """False: cut short. Of pages only those that are whole are in `pages`."""
    is_supported: bool = True
    """False: a picture of a kind that cannot be read."""
    is_cmyk: bool = False
    is_white_zero: bool = False
    """16-bit grey of which the lowest value is white; of 8 bits decoders know."""
    in_first: bool = True
    """Whether the rules before `IMAGE_NUMBERING` could read it."""

    @property
    def is_readable(self) -> bool:
        """Whether there is a picture to decode."""
        has_size = min(self.height, self.width) > 0 and self.height * self.width <= _MOST_PIXELS
        return self.is_supported and has_size and bool(self.pages)

    def size(self, numbering: int = NUMBERING) -> tuple[int, int]:
        """(height, width) in px as shown by these rules, of which those before `IMAGE_NUMBERING` turn TIFF only."""
        is_turned = self.orientation in _TURNED and (numbering >= IMAGE_NUMBERING or self.kind == "TIFF")
        return (self.width, self.height) if is_turned else (self.height, self.width)


def image_header(path: Path) -> ImageHeader:
    """The header of an image file; of something that cannot be opened, or is no file, one that is not readable."""
    try:
        if not path.is_file():  # a pipe would block
            return ImageHeader("")
        with path.open("rb", buffering=0) as file:
            header = header_of(file)
    except OSError:
        return ImageHeader("")
    if header.kind == "DICOM" and (size := _dicom_size(path)) is not None:
        return ImageHeader("DICOM", *size, in_first=False)
    return header


def _dicom_size(path: Path) -> tuple[int, int] | None:
    """(height, width) in pixels of a file of one picture; None where it cannot be read or is cut short."""
    try:
        header = read_header(path, takes_single=True)
        is_raw = header.transfer_syntax in NATIVE
        row_bits = header.width_px * header.samples * header.bits_allocated
        needed = header.pixel_data.start + header.height_px * row_bits // 8
        size = shape.Shape(header.pixel_aspect).size(header.height_px, header.width_px)
        if header.photometric != "YBR_FULL_422" and is_raw and header.transfer_syntax != DEFLATED:
            return size if path.stat().st_size >= needed else None
        return size
    except (UserError, OSError):
        return None


def header_of(file: BinaryIO) -> ImageHeader:
    """The header of an image in an open file; raises `OSError` where it cannot be read."""
    data = FileBytes(file)
    start = data.head
    for magic, place, reader in _READERS:
        if start.startswith(magic, place):
            try:
                return reader(data)
            except (EOFError, IndexError):
                return ImageHeader("", is_whole=False)
            except (struct.error, ValueError):
                return ImageHeader("")
    return next((_other(kind) for magic, place, kind in _OTHERS if start.startswith(magic, place)), ImageHeader(""))


def image_size(path: Path, numbering: int = NUMBERING) -> tuple[int, int] | None:
    """(height, width) in pixels as shown, or None for a file that is no whole picture of a kind that can be read.

    Decoders paint the lost part of a cut file grey; such a picture must not pass for a frame.
    """
    header = image_header(path)
    return header.size(numbering) if header.is_readable else None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """(height, width) of a whole JPEG or JPEG-LS stream in memory; None for one that is damaged or cut short."""
    try:
        header = _jpeg(FileBytes(io.BytesIO(data)))
    except (EOFError, ValueError, struct.error):
        return None
    return (header.height, header.width) if header.height and header.width else None


def _other(kind: str) -> ImageHeader:
    return ImageHeader(kind, is_supported=False, in_first=False)


def _png(data: FileBytes) -> ImageHeader:
    width, height, depth = struct.unpack(">IIB", data.at(16, 9))
    header = ImageHeader("PNG", height, width, bits=16 if depth == 16 else 8)
    place, pictures, is_animated = 8, 0, False
    while True:
        length, name = struct.unpack(">I4s", data.at(place, 8))
        content = place + 8
        data.at(content + length, 4)  # its checksum
        if name == b"IEND":
            break
        if name == b"sBIT":
            header = replace(header, used_bits=max(data.at(content, length), default=None))
        elif name == b"eXIf":
            header = replace(header, orientation=tiff_pages.exif_orientation(data.at(content, length)))
        elif name == b"acTL":
            is_animated = True
        pictures += name == b"fcTL" or (name == b"IDAT" and not pictures)  # the first may be no part of the animation
        place = content + length + 4
    pages = tuple(range(pictures)) if is_animated else (0,)
    return replace(header, pages=pages, in_first=place + 8 > data.size - _FIRST_TAIL_BYTES)


def _jpeg(data: FileBytes) -> ImageHeader:
    """The segments up to the size, and the end: at the end of the file, or behind the last scan."""
    header, place = ImageHeader("JPEG"), 2
    has_exif = False
    while True:
        marker = _marker(data, place)
        if marker in (0xFF, 0x01, *range(0xD0, 0xD9)):  # fill bytes, and markers without a length
            place += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack(">H", data.at(place + 2, 2))
        if marker == 0xE1 and not has_exif and data.at(place + 4, min(length - 2, 6)) == b"Exif\0\0":
            has_exif = True
            header = replace(header, orientation=tiff_pages.exif_orientation(data.at(place + 10, length - 8)))
        if marker in _JPEG_FRAMES:
            break
        place += 2 + length
    depth, height, width, values = struct.unpack(">BHHB", data.at(place + 4, 6))
    header = replace(header, height=height, width=width, is_cmyk=values == 4)
    if marker == 0xF7 or (depth != 8 and marker != 0xC3):
        header = replace(header, kind="JPEG-LS" if marker == 0xF7 else f"{depth}-bit JPEG", is_supported=False)
    if data.tail(64).rstrip(_PADDING).endswith(_JPEG_END):
        return replace(header, in_first=place + 9 < _FIRST_HEAD_BYTES)
    _find_end(data.all(), place)
    was_seen = place + 9 < _FIRST_HEAD_BYTES and _JPEG_END in data.tail(_FIRST_TAIL_BYTES)
    return replace(header, in_first=was_seen)


def _marker(data: FileBytes, place: int) -> int:
    first, marker = data.at(place, 2)
    if first != 0xFF:
        raise ValueError("no marker where a segment ends")
    return marker


def _find_end(data: bytes, place: int) -> None:
    """Follow segments and scans from `place` to the end marker; raises `EOFError` where there is none."""
    while True:
        place = data.find(b"\xff", place)
        if place < 0 or place + 1 >= len(data):
            raise EOFError
        marker = data[place + 1]
        if marker == 0xD9:
            return
        if marker == 0xFF:
            place += 1
        elif marker in (0x00, 0x01, *range(0xD0, 0xD9)):  # a value, or a restart within a scan
            place += 2
        else:  # a segment; the values of a scan follow its own
            place += 2 + int.from_bytes(data[place + 2 : place + 4])


def _bmp(data: FileBytes) -> ImageHeader:
    announced, offset, more = struct.unpack("<I4xII", data.at(2, 16))
    if more == 12:  # of OS/2
        width, height, _, bits = struct.unpack("<HHHH", data.at(18, 8))
        compression = 0
    else:
        width, height, bits, compression = struct.unpack("<ii2xHI", data.at(18, 16))
    row_bytes = (abs(width) * bits + 31) // 32 * 4
    needed = offset + row_bytes * abs(height) if compression in (0, 3) else announced
    if data.size < needed:
        raise EOFError
    return ImageHeader("BMP", abs(height), abs(width))


def _tiff(data: FileBytes) -> ImageHeader:
    pages, is_whole, is_big = tiff_pages.read_pages(data)
    if not pages:
        raise EOFError
    first = next((page for page in pages if not page.is_preview), pages[0])
    shown = [page for page in pages if page.is_whole and (first.is_preview or not page.is_preview)]
    if unread := next((page.unread for page in shown if page.unread), ""):
        return ImageHeader(unread, is_supported=False, in_first=False)
    return ImageHeader(
        "TIFF",
        first.height,
        first.width,
        first.orientation,
        tuple(page.number for page in shown),
        tuple(page.place for page in shown),
        bits=16 if first.bits > 8 else 8,
        is_white_zero=first.is_white_zero and first.bits > 8,
        is_whole=is_whole and all(page.is_whole for page in pages),
        in_first=not is_big,
    )


def _webp(data: FileBytes) -> ImageHeader:
    (length,) = struct.unpack("<I", data.at(4, 4))
    data.at(8 + length - 1, 1)
    return _by_pillow(data, "WebP")


def _gif(data: FileBytes) -> ImageHeader:
    width, height, flags = struct.unpack("<HHB", data.at(6, 5))
    place, pictures = 13 + _palette_bytes(flags), 0
    while (block := data.at(place, 1)[0]) != 0x3B:
        if block == 0x2C:
            pictures += 1
            place += 11 + _palette_bytes(data.at(place + 9, 1)[0])
        elif block == 0x21:
            place += 2
        else:
            raise ValueError("no block where one ends")
        while length := data.at(place, 1)[0]:
            place += 1 + length
        place += 1
    return ImageHeader("GIF", height, width, pages=tuple(range(pictures)), in_first=False)


def _palette_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _jpeg_2000(data: FileBytes) -> ImageHeader:
    if _JPEG_END not in data.tail(64):
        raise EOFError
    start = data.head
    if start.startswith(b"\xff\x4f"):
        right, bottom, left, top = struct.unpack(">IIII", data.at(8, 16))
        height, width, depth = bottom - top, right - left, data.at(42, 1)[0]
    else:
        height, width, depth = struct.unpack(">II2xB", data.at(start.index(b"ihdr") + 4, 11))
    return ImageHeader("JPEG 2000", height, width, bits=16 if (depth & 0x7F) + 1 > 8 else 8, in_first=False)


def _boxes(data: FileBytes) -> ImageHeader:
    """AVIF and HEIC: the kind is one of the brands of the file."""
    (length,) = struct.unpack(">I", data.at(0, 4))
    brands = data.at(8, length - 8)
    if b"avif" not in brands and b"avis" not in brands:
        is_heic = any(brand in brands for brand in (b"hei", b"hev", b"mif1", b"msf1"))
        return _other("HEIC" if is_heic else "")
    place = 0
    while place < data.size:
        (length,) = struct.unpack(">I", data.at(place, 4))
        if length == 1:
            (length,) = struct.unpack(">Q", data.at(place + 8, 8))
        if length == 0:
            break
        data.at(place + max(length, 8) - 1, 1)
        place += max(length, 8)
    return _by_pillow(data, "AVIF")


def _by_pillow(data: FileBytes, kind: str) -> ImageHeader:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data.all())) as image:
            orientation = int(image.getexif().get(tiff_pages.ORIENTATION, 1))
            count = int(getattr(image, "n_frames", 1))
            width, height = image.size
    except Exception as error:  # of damaged files, its decoders raise errors of many classes
        raise ValueError(Text("no {kind} file", kind)) from error
    orientation = orientation if 1 <= orientation <= 8 else 1
    pages = tuple(range(min(max(count, 1), tiff_pages.MOST_PAGES)))
    return ImageHeader(kind, height, width, orientation, pages, in_first=False)


_READERS: tuple[tuple[bytes, int, Callable[[FileBytes], ImageHeader]], ...] = (
    (b"\xff\xd8", 0, _jpeg),
    (b"\x89PNG\r\n\x1a\n", 0, _png),
    (b"BM", 0, _bmp),
    (b"II*\0", 0, _tiff),
    (b"MM\0*", 0, _tiff),
    (b"II+\0", 0, _tiff),
    (b"MM\0+", 0, _tiff),
    (b"WEBP", 8, _webp),
    (b"GIF8", 0, _gif),
    (b"\0\0\0\x0cjP  ", 0, _jpeg_2000),
    (b"\xff\x4f\xff\x51", 0, _jpeg_2000),
    (b"ftyp", 4, _boxes),
    *((b"P%d" % number, 0, lambda data: _by_pillow(data, "PNM")) for number in range(1, 7)),
)
"""Magic bytes, where they lie, and what reads such files."""
_OTHERS = (
    (b"\xff\x0a", 0, "JPEG XL"),
    (b"\0\0\0\x0cJXL ", 0, "JPEG XL"),
    (b"\x76\x2f\x31\x01", 0, "OpenEXR"),
    (b"8BPS", 0, "Photoshop"),
    (b"%PDF", 0, "PDF"),
    (b"DICM", 128, "DICOM"),
)
"""Pictures of kinds that cannot be read."""
