"""Visible mucosa: the share of the field of view that neither fluid, bubbles, debris nor darkness covers."""

import numpy as np
from numpy.typing import NDArray

SIDE = 128
"""Frames are scaled to this side in pixels."""
GREEN = 0.66
"""Fluid and debris are greener than mucosa: green divided by red."""
TEXTURE, TEXTURED = 0.07, 0.25
"""Bubbles: contrast of small edges, and the share of the neighbourhood that has it."""
DARK = 0.30
"""Brightest channel, of 1."""


def visible_mucosa(images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(B, S, S, 3) RGB frames and (S, S) field of view -> (B,) share of the field of view that shows mucosa."""
    import cv2

    view = cv2.erode(cv2.resize(inside, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.ones((7, 7), np.uint8)) > 0
    return np.array([_clear(image)[view].mean() if view.any() else np.nan for image in images], np.float32)


def _clear(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(S, S, 3) RGB -> (SIDE, SIDE) True where mucosa is visible."""
    import cv2

    small = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    smooth = cv2.GaussianBlur(small, (0, 0), 1.5)
    gray = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    fine, coarse, mean = (cv2.GaussianBlur(gray, (0, 0), sigma) for sigma in (0.8, 2.2, 4.0))
    edges = (np.abs(fine - coarse) > TEXTURE * (mean + 0.05)).astype(np.float32)
    covered = (smooth[..., 1] > GREEN * smooth[..., 0]) | (cv2.GaussianBlur(edges, (0, 0), 4) > TEXTURED)
    is_visible: NDArray[np.bool_] = ~covered & (smooth.max(axis=2) > DARK)
    return is_visible
