"""Palettes: pixels that are numbers of colours (PS3.3, C.7.6.3.1.5 and C.7.6.3.1.6)."""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.video.dicom.elements import Elements

_COLOURS = ("red", "green", "blue")
TAGS = {
    **{f"{name}_descriptor": 0x00281101 + at for at, name in enumerate(_COLOURS)},
    **{f"{name}_colours": 0x00281201 + at for at, name in enumerate(_COLOURS)},
    **{f"{name}_segments": 0x00281221 + at for at, name in enumerate(_COLOURS)},
}


@dataclass(frozen=True, eq=False)
class Palette:
    """Colours by their number.

    Attributes:
        first: the value of a pixel that stands for the first colour; lower ones stand for it, too.
        colours: (C, 3) uint8 RGB; values beyond the last one stand for the last one.
    """

    first: int
    colours: NDArray[np.uint8]

    def of(self, values: NDArray[np.integer]) -> NDArray[np.uint8]:
        """(H, W) values as (H, W, 3) RGB."""
        numbers = np.clip(values.astype(np.int64) - self.first, 0, len(self.colours) - 1)
        return self.colours[numbers]


def read_palette(elements: Elements, *, is_signed: bool) -> Palette:
    """The palette of a file whose pixels are numbers of colours.

    Raises:
        ValueError: there is none, it is damaged, or it is stored in segments.
    """
    if any(TAGS[f"{name}_segments"] in elements.values for name in _COLOURS):
        raise ValueError("its palette is stored in segments, which are not read")
    parts = [_column(elements, name, is_signed=is_signed) for name in _COLOURS]
    if len({(first, len(column)) for first, column in parts}) > 1:
        raise ValueError("its palette has columns of different lengths")
    return Palette(parts[0][0], np.stack([column for _, column in parts], axis=1))


def _column(elements: Elements, name: str, *, is_signed: bool) -> tuple[int, NDArray[np.uint8]]:
    """The value of the first entry, and the entries of one colour; of 16 bits the upper eight."""
    descriptor, data = (elements.values.get(TAGS[f"{name}_{part}"], b"") for part in ("descriptor", "colours"))
    if len(descriptor) < 6:
        raise ValueError("its palette is missing")
    first_kind = "h" if is_signed else "H"
    count, first, bits = struct.unpack_from(f"{elements.order}H{first_kind}H", descriptor)
    count = count or 1 << 16  # which has no room in 16 bits
    if bits not in (8, 16) or len(data) < count * (bits // 8):
        raise ValueError("its palette is damaged")
    if bits == 16:
        return first, np.asarray(np.frombuffer(data, elements.order + "u2", count) >> 8, np.uint8)
    if len(data) >= 2 * count:  # one in each word
        return first, np.asarray(np.frombuffer(data, elements.order + "u2", count) & 255, np.uint8)
    column = np.frombuffer(data, np.uint8)
    if elements.order == ">":  # words of two
        column = column.reshape(-1, 2)[:, ::-1].ravel()
    return first, column[:count].copy()
