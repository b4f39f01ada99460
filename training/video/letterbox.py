"""Bringing a picture of another size onto a study's size."""

import numpy as np
from numpy.typing import NDArray


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
