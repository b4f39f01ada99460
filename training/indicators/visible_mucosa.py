"""Visible mucosa: the share of the field of view that neither fluid, bubbles, debris nor darkness covers.

A rule of our own, with limits chosen by hand: what is greener than mucosa, full of small edges, or dark, is covered.
"""

import numpy as np
from numpy.typing import NDArray

GREEN = 0.66
"""Fluid and debris are greener than mucosa: green divided by red."""
TEXTURE, TEXTURED = 0.07, 0.25
"""Bubbles: contrast of small edges, and the share of the neighbourhood that has it."""
DARK = 0.30
"""Brightest channel, of 1."""


def visible_share(images: NDArray[np.uint8], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Share of the field of view that shows mucosa; see `Indicator`. NaN without a field of view."""
    import cv2

    view = cv2.erode(inside, np.ones((7, 7), np.uint8)) > 0
    area = np.count_nonzero(view)
    clear = [np.count_nonzero(_is_clear(image, view)) / area if area else np.nan for image in images]
    return np.array(clear, np.float32)


def _is_clear(image: NDArray[np.uint8], view: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(S, S, 3) RGB -> (S, S) True where mucosa is visible; the border of the view is no edge."""
    import cv2

    small = image.astype(np.float32) / 255
    smooth = cv2.GaussianBlur(small, (5, 5), 0.95)
    gray = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    coarse, mean = cv2.GaussianBlur(gray, (7, 7), 1.4), cv2.GaussianBlur(gray, (11, 11), 2.5)
    edges = ((np.abs(gray - coarse) > TEXTURE * (mean + 0.05)) & view).astype(np.float32)
    is_textured = cv2.GaussianBlur(edges, (11, 11), 2.5) > TEXTURED
    is_green = cv2.transform(smooth, np.array([[-GREEN, 1, 0]])) > 0
    is_dark = cv2.inRange(smooth, (0, 0, 0), (DARK, DARK, DARK)) > 0
    return np.asarray(view & ~(is_textured | is_green | is_dark))
