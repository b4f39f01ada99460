"""Which grey values of a file become black and which white."""

import math
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.video.dicom.elements import Elements

TAGS = {
    "window_center": 0x00281050,
    "window_width": 0x00281051,
    "window_function": 0x00281056,
    "rescale_intercept": 0x00281052,
    "rescale_slope": 0x00281053,
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
    numbers = {name: _first(elements, tag) for name, tag in TAGS.items() if name != "window_function"}
    center, width, slope = numbers["window_center"], numbers["window_width"], numbers["rescale_slope"]
    function = elements.text(TAGS["window_function"]) or "LINEAR"
    if center is None or width is None or width < (1 if function == "LINEAR" else 1e-6):
        return None
    return Window(center, width, function, slope or 1.0, numbers["rescale_intercept"] or 0.0)


def holds_window(group: bytes, order: str) -> bool:
    """Whether the bytes of a sequence have a center of a window in them."""
    tag = TAGS["window_center"]
    return struct.pack(order + "HH", tag >> 16, tag & 0xFFFF) in group


def _first(elements: Elements, tag: int) -> float | None:
    try:
        number = float(next(iter(elements.texts(tag)), "")[:32])
    except ValueError:
        return None
    return number if math.isfinite(number) else None
