"""Sets that draw what they found: a mask beside each image, and the boxes around its bright parts."""

from pathlib import Path

import numpy as np

from training.datasets.public.files import image_paths
from training.errors import UserError

BRIGHT = 128
"""Masks may be JPEG files, whose edges are neither black nor white."""
LEAST_PIXELS = 16
"""Smaller bright parts are what JPEG leaves around an edge, no finding (ours)."""


def images_and_masks(folder: Path, ending: str, mask_suffix: str) -> tuple[list[str], dict[str, str]]:
    """Images of a folder whose masks lie beside them under their name and an ending.

    Args:
        folder: of the set.
        ending: between the image's name and the suffix of the mask, such as "m" in `1m.png`.
        mask_suffix: such as ".png".

    Returns:
        Paths of the images, and image -> mask where there is one. A file is a mask only where its image exists too.
    """
    paths = image_paths(folder)
    there = {path.rsplit(".", 1)[0]: path for path in reversed(paths)}
    masks = {}
    for path in paths:
        stem, _, suffix = path.rpartition(".")
        if f".{suffix.lower()}" == mask_suffix and stem.endswith(ending) and stem.removesuffix(ending) in there:
            masks[there[stem.removesuffix(ending)]] = path
    drawn = set(masks.values())
    return [path for path in paths if path not in drawn], masks


def mask_boxes(path: Path) -> list[tuple[int, int, int, int]]:
    """(x_min, y_min, x_max, y_max) in pixels around each 8-connected bright part of a mask.

    Raises:
        UserError: the file is no picture.
    """
    import cv2

    grey = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_GRAYSCALE) if path.stat().st_size else None
    if grey is None:
        raise UserError(f"The mask {path} cannot be read.", "Download it again.")
    _, _, stats, _ = cv2.connectedComponentsWithStats((grey >= BRIGHT).astype(np.uint8), connectivity=8)
    return [
        (left, top, left + width, top + height)
        for left, top, width, height, area in stats[1:].tolist()
        if area >= LEAST_PIXELS
    ]
