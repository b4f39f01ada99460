"""From a decoder's frame to RGB of the study's size."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.video.shape import Shape

if TYPE_CHECKING:
    from av.video.frame import VideoFrame


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
    import cv2

    h, w = picture.shape[:2]
    if (h, w) == (height, width):
        return picture
    scale = min(height / h, width / w)
    new_h, new_w = max(1, round(h * scale)), max(1, round(w * scale))
    scaled = cv2.resize(picture, (new_w, new_h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    out = np.zeros((height, width, 3), np.uint8)
    top, left = (height - new_h) // 2, (width - new_w) // 2
    out[top : top + new_h, left : left + new_w] = scaled
    return out
