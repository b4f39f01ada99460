"""The one way from an image file to its pixels."""

import io
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.version import IMAGE_NUMBERING, NUMBERING
from training.video import multiframe, shape, source, tiff_pages
from training.video.image_header import ImageHeader, image_header

Values = NDArray[np.uint8] | NDArray[np.uint16]

T = TypeVar("T")

_BY_OPENCV = frozenset({"JPEG", "PNG", "BMP", "TIFF", "WebP"})
_SAMPLES = 64
"""16-bit images of a folder of which the values are looked at."""
_MAPPED_BYTES = 256 * 1024**2
"""Of larger files, which hold many pictures, only what is decoded is read."""
_NOTHING = np.zeros(0, np.uint8)
_UPRIGHT = {
    orientation: shape.Shape(Fraction(1), orientation > 4, orientation in (2, 3, 6, 7), orientation in (3, 4, 7, 8))
    for orientation in range(1, 9)
}
"""EXIF orientation -> from the stored picture to the one that is meant: transposed, then mirrored."""


class ImageReader:
    """Reads image files as (H, W, 3) uint8 RGB, upright. For one thread at a time; call `close` at the end.

    Grey is repeated three times, an alpha channel is ignored.
    """

    def __init__(self, value_bits: int | None = None, numbering: int = NUMBERING) -> None:
        """Start reading.

        Of 16-bit images the upper eight of `value_bits` are taken; None: what each file says, or its largest value. By
        rules before `IMAGE_NUMBERING` only TIFF is turned.
        """
        self._value_bits, self._numbering = value_bits, numbering
        self._path: Path | None = None
        self._data = _NOTHING
        self._header = ImageHeader("")
        self._pillow: Any = None

    def read(self, path: Path, page: int | None = None) -> source.Picture | None:
        """A picture, or None where the file is not whole or of a kind that cannot be read; see `image_header`."""
        header = self._open(path)
        if not header.is_readable or (page is not None and page not in header.pages):
            return None
        if header.kind == "DICOM":
            return multiframe.single_picture(path)
        page = header.pages[0] if page is None else page
        values = self._values(header, page)
        if len(header.pages) == 1:  # one of several is probably followed by the next
            self.close()
        if values is None:
            return None
        if values.dtype == np.uint16:
            bits = self._value_bits or _bits(int(values.max(initial=0)), header.used_bits)
            values = np.asarray(np.minimum(values >> (bits - 8), 255), np.uint8)  # larger values become white
            if header.is_white_zero and self._numbering >= IMAGE_NUMBERING:
                values = 255 - values
        is_turned = self._numbering >= IMAGE_NUMBERING and header.kind != "TIFF"  # OpenCV turns TIFF by itself
        return _UPRIGHT[header.orientation if is_turned else 1].apply(np.asarray(values, np.uint8))

    def values(self, path: Path, page: int) -> Values | None:
        """A picture (H, W, 3) RGB with its values as stored."""
        header = self._open(path)
        return self._values(header, page) if header.is_readable else None

    def close(self) -> None:
        """Let go of a file with several pictures."""
        self._path, self._data, self._pillow = None, _NOTHING, None

    def _open(self, path: Path) -> ImageHeader:
        if path != self._path:
            self.close()
            self._header = image_header(path)
            if self._header.is_readable:
                try:
                    is_large = path.stat().st_size > _MAPPED_BYTES  # changes to what is mapped are not written
                    self._data = np.memmap(path, np.uint8, "c") if is_large else np.fromfile(path, np.uint8)
                    self._path = path
                except OSError:
                    return ImageHeader("")
        return self._header

    def _values(self, header: ImageHeader, page: int) -> Values | None:
        if header.kind not in _BY_OPENCV or header.is_cmyk or (len(header.pages) > 1 and header.kind != "TIFF"):
            return self._by_pillow(page)
        if header.pages != (0,):
            tiff_pages.open_at(self._data, header.places[header.pages.index(page)])
        return _by_opencv(self._data)

    def _by_pillow(self, page: int) -> Values | None:
        from PIL import Image

        try:
            if self._pillow is None:
                self._pillow = Image.open(io.BytesIO(self._data.tobytes()))
            self._pillow.seek(page)
            if self._pillow.mode.startswith("I;16"):
                return np.repeat(np.asarray(self._pillow, np.uint16)[..., None], 3, axis=2)
            return np.array(self._pillow.convert("RGB"), np.uint8)
        except Exception:  # of damaged files, its decoders raise errors of many classes
            self._pillow = None
            return None


def read_image(path: Path) -> source.Picture | None:
    """An image by itself as (H, W, 3) uint8 RGB, upright; None where it cannot be read. See `ImageReader`."""
    return ImageReader().read(path)


def shared_bits(paths: Sequence[Path]) -> int:
    """How many bits the values of the 16-bit images among these use, 8 to 16; see `value_bits_of`."""
    headers = [(path, image_header(path)) for path in _spread(paths)]
    return value_bits_of([(path, header) for path, header in headers if header.is_readable and header.bits > 8])


def value_bits_of(images: Sequence[tuple[Path, ImageHeader]]) -> int:
    """How many bits 16-bit images use, 8 to 16: by the largest value in a sample of pictures, and what files state."""
    if not images:
        return 16
    largest = 0
    pictures = [(path, page) for path, header in images for page in header.pages]
    with closing(ImageReader()) as reader:
        for path, page in _spread(pictures):
            values = reader.values(path, page)
            if values is not None and values.dtype == np.uint16:
                largest = max(largest, int(values.max(initial=0)))
    stated = [header.used_bits or 0 for _, header in images]
    return _bits(largest, max(stated) if all(stated) else None)


def _bits(largest: int, stated: int | None) -> int:
    """The bits of values up to the largest; where a file states fewer, they are the upper ones of 16."""
    needed = largest.bit_length() or 16
    if stated is not None:
        needed = stated if needed <= stated else 16
    return min(max(needed, 8), 16)


def _spread(items: Sequence[T]) -> list[T]:
    """At most `_SAMPLES` of them, the first and the last among them."""
    return [items[place] for place in np.unique(np.linspace(0, len(items) - 1, _SAMPLES).astype(int)).tolist() if items]


def _by_opencv(code: NDArray[np.uint8]) -> Values | None:
    """The first picture (H, W, 3) RGB as stored, TIFF turned."""
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # a damaged file is told in our own words
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        bgr = cv2.imdecode(code, flags)
        if bgr is None or bgr.dtype not in (np.uint8, np.uint16):
            return None
        rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
    except cv2.error:
        return None
    if rgb.dtype == np.uint16:
        return np.asarray(rgb, np.uint16)
    return np.asarray(rgb, np.uint8)
