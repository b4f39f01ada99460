"""How stored pixels become the picture that is meant: RGB of the study's size, upright, and with square pixels."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.video.dicom.shown_values import usable_aspect

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

_MAX_SIDE_PX = 1 << 15
_ALMOST_STRAIGHT = 0.02  # of a turned axis


@dataclass(frozen=True)
class Shape:
    """First pixels are made square, then rows and columns are swapped, then the columns or rows are mirrored."""

    pixel_aspect: Fraction = Fraction(1)
    """Width of a stored pixel over its height."""
    is_transposed: bool = False
    mirrors_columns: bool = False
    mirrors_rows: bool = False

    def size(self, height: int, width: int) -> tuple[int, int]:
        """(height, width) in pixels of the picture of (height, width) stored ones; the shorter side is made longer."""
        height, width = self._square(height, width)
        return (width, height) if self.is_transposed else (height, width)

    def apply(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(h, w, 3) as stored -> (H, W, 3) as meant; itself where both are the same."""
        if self == AS_STORED:
            return picture
        import cv2

        height, width = self._square(*picture.shape[:2])
        if (height, width) != picture.shape[:2]:
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
        picture = picture.swapaxes(0, 1) if self.is_transposed else picture
        picture = picture[:, ::-1] if self.mirrors_columns else picture
        return np.ascontiguousarray(picture[::-1] if self.mirrors_rows else picture)

    def _square(self, height: int, width: int) -> tuple[int, int]:
        if self.pixel_aspect >= 1:
            return height, min(round(width * self.pixel_aspect), _MAX_SIDE_PX)
        return min(round(height / self.pixel_aspect), _MAX_SIDE_PX), width

    def to_json(self) -> list[int]:
        """As JSON values."""
        aspect = self.pixel_aspect
        flags = (self.is_transposed, self.mirrors_columns, self.mirrors_rows)
        return [aspect.numerator, aspect.denominator, *map(int, flags)]

    @staticmethod
    def from_json(values: Any) -> "Shape":
        """From what `to_json` gave; raises `ValueError` for anything else."""
        if not isinstance(values, list) or len(values) != 5 or not all(type(value) is int for value in values):
            raise ValueError("the shape of the frames is damaged")
        aspect = usable_aspect(values[0], values[1])
        return Shape(aspect, *(bool(value) for value in values[2:]))


AS_STORED = Shape()
"""Upright, with square pixels."""


def shape_of_frame(frame: "VideoFrame | None", aspect: Fraction | None) -> tuple[Shape, bool]:
    """The shape that the first frame and its stream's pixel aspect announce; whether it is turned by an odd angle.

    A display matrix maps stored places (x, y) to (a x + c y, b x + d y), with y pointing down.
    """
    square = usable_aspect(aspect.numerator, aspect.denominator) if aspect else Fraction(1)
    sides: Any = () if frame is None else frame.side_data
    data = next((bytes(side) for side in sides if side.type.name == "DISPLAYMATRIX"), b"")
    if len(data) < 36:
        return Shape(square), False
    matrix = np.frombuffer(data, np.int32, 9).astype(np.float64)
    a, b, c, d = matrix[[0, 1, 3, 4]] / max(np.abs(matrix[[0, 1, 3, 4]]).max(), 1.0)
    straight, across = max(abs(a), abs(d)), max(abs(b), abs(c))
    if min(straight, across) > _ALMOST_STRAIGHT or max(straight, across) == 0:
        return Shape(square), max(straight, across) > 0
    if across > straight:
        return Shape(square, True, bool(c < 0), bool(b < 0)), False
    return Shape(square, False, bool(a < 0), bool(d < 0)), False


class RgbConverter:
    """Turns decoded frames into uint8 RGB, as ffmpeg's library does by default, of one size and in their shape."""

    def __init__(self, height_px: int, width_px: int, shape: Shape) -> None:
        """The size is that of the stored frames; see `Shape` for that of the pictures."""
        from av.video.reformatter import VideoReformatter

        self._size, self._shape = (height_px, width_px), shape
        self._reformatter = VideoReformatter()  # kept: setting up a conversion costs more than small frames do
        self._more: dict[str, Any] = {"threads": 1}

    def __call__(self, frame: "VideoFrame") -> NDArray[np.uint8]:
        """One frame as an array of its own."""
        try:
            rgb = self._reformatter.reformat(frame, format="rgb24", **self._more)
        except TypeError:  # PyAV before 16 has no `threads` and uses one
            self._more = {}
            rgb = self._reformatter.reformat(frame, format="rgb24")
        return self._shape.apply(letterbox(np.asarray(rgb.to_ndarray(), np.uint8), *self._size))


def frame_bytes(frame: "VideoFrame") -> int:
    """Memory that a decoded frame takes."""
    return sum(plane.buffer_size for plane in frame.planes)


def letterbox(picture: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """Scale (h, w, 3) to fit into (height, width, 3), keeping its shape, centred on black; itself where it fits."""
    h, w = picture.shape[:2]
    if (h, w) == (height, width):
        return picture
    import cv2

    scale = min(height / h, width / w)
    new_h, new_w = max(1, round(h * scale)), max(1, round(w * scale))
    scaled = cv2.resize(picture, (new_w, new_h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    out = np.zeros((height, width, 3), np.uint8)
    top, left = (height - new_h) // 2, (width - new_w) // 2
    out[top : top + new_h, left : left + new_w] = scaled
    return out
