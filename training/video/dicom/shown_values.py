"""What stored values mean on screen: windows of grey values, palettes (PS3.3, C.7.6.3.1.5 and C.7.6.3.1.6), and the
shape of a pixel."""

import math
import struct
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from training.video.dicom.elements import Elements

_ALMOST_SQUARE = 0.01  # encoders round: the aspect 405:404 means square pixels
_MOST_STRETCHED = 16
WINDOW_TAGS = {
    "window_center": 0x00281050,
    "window_width": 0x00281051,
    "window_function": 0x00281056,
    "rescale_intercept": 0x00281052,
    "rescale_slope": 0x00281053,
}

_COLOURS = ("red", "green", "blue")
PALETTE_TAGS = {
    **{f"{name}_descriptor": 0x00281101 + at for at, name in enumerate(_COLOURS)},
    **{f"{name}_colours": 0x00281201 + at for at, name in enumerate(_COLOURS)},
    **{f"{name}_segments": 0x00281221 + at for at, name in enumerate(_COLOURS)},
}


@dataclass(frozen=True)
class Window:
    """A VOI transformation (PS3.3, C.11.2.1.2) of values that are rescaled first (C.11.1).

    Attributes:
        center: the rescaled value that becomes mid-grey.
        width: of the values from black to white.
        function: LINEAR, LINEAR_EXACT or SIGMOID.
        slope, intercept: of the rescaling.
    """

    center: float
    width: float
    function: str = "LINEAR"
    slope: float = 1.0
    intercept: float = 0.0

    def of(self, values: NDArray[np.integer]) -> NDArray[np.uint8]:
        """Stored values of any shape as brightness of 8 bits, of the same shape."""
        offset = values.astype(np.float32) * self.slope + (self.intercept - self.center)
        with np.errstate(over="ignore"):  # far outside the window the sigmoid is 0
            if self.function == "SIGMOID":
                share = 1 / (1 + np.exp(-4 * offset / self.width))
            elif self.function == "LINEAR_EXACT":
                share = offset / self.width + 0.5
            else:
                share = (offset + 0.5) / max(self.width - 1, 1e-3) + 0.5
        return np.asarray(np.rint(np.clip(share, 0, 1) * 255), np.uint8)


def read_window(elements: Elements) -> Window | None:
    """The first window of a file; None where there is none that can be used."""
    numbers = {name: _first(elements, tag) for name, tag in WINDOW_TAGS.items() if name != "window_function"}
    center, width, slope = numbers["window_center"], numbers["window_width"], numbers["rescale_slope"]
    function = elements.text(WINDOW_TAGS["window_function"]) or "LINEAR"
    if center is None or width is None or width < (1 if function == "LINEAR" else 1e-6):
        return None
    return Window(center, width, function, slope or 1.0, numbers["rescale_intercept"] or 0.0)


def holds_window(group: bytes, order: str) -> bool:
    """Whether the bytes of a sequence have a center of a window in them."""
    tag = WINDOW_TAGS["window_center"]
    return struct.pack(order + "HH", tag >> 16, tag & 0xFFFF) in group


def _first(elements: Elements, tag: int) -> float | None:
    try:
        number = float(next(iter(elements.texts(tag)), "")[:32])
    except ValueError:
        return None
    return number if math.isfinite(number) else None


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
    if any(PALETTE_TAGS[f"{name}_segments"] in elements.values for name in _COLOURS):
        raise ValueError("its palette is stored in segments, which are not read")
    parts = [_column(elements, name, is_signed=is_signed) for name in _COLOURS]
    if len({(first, len(column)) for first, column in parts}) > 1:
        raise ValueError("its palette has columns of different lengths")
    return Palette(parts[0][0], np.stack([column for _, column in parts], axis=1))


def _column(elements: Elements, name: str, *, is_signed: bool) -> tuple[int, NDArray[np.uint8]]:
    """The value of the first entry, and the entries of one colour; of 16 bits the upper eight."""
    descriptor, data = (elements.values.get(PALETTE_TAGS[f"{name}_{part}"], b"") for part in ("descriptor", "colours"))
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


def usable_aspect(across: float, down: float) -> Fraction:
    """Width over height of a pixel; 1 where the two numbers are none, almost the same, or cannot be."""
    if (
        not (0 < across < math.inf and 0 < down < math.inf)
        or not 1 / _MOST_STRETCHED <= across / down <= _MOST_STRETCHED
    ):
        return Fraction(1)
    aspect = (Fraction(across) / Fraction(down)).limit_denominator(1000)
    return Fraction(1) if abs(aspect - 1) <= _ALMOST_SQUARE else aspect
