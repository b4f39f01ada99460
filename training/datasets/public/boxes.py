"""Boxes of a set's images in pixels of the image, whether it gives corners, shares or masks.

Sets that draw what they found: a mask beside each image, and the boxes around its bright parts.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from training.datasets.public import contents, files, studies
from training.datasets.public.layout import PublishedBox, PublishedImage
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
    paths = files.image_paths(folder)
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


Boxes = Mapping[str, Sequence[PublishedBox]]
"""Path of an image -> its boxes in pixels of the image, each with the term of what it surrounds."""


def frame_boxes(folder: Path, placed: list[studies.PlacedImage], inside: contents.Contents) -> tuple[Boxes, list[str]]:
    """The boxes of all images, cut at the images' edges; images without boxes are left out.

    The second is the path of an image for each box of it that encloses nothing in it, and is left out.
    """
    empty: list[str] = []
    result: dict[str, list[PublishedBox]] = {}
    for one in placed:
        boxes = [*one.image.boxes, *_of_mask(folder, one)]
        cut = [_in_pixels(box, one, inside.terms[box.label]) for box in boxes if box.label in inside.terms]
        if kept := [box for box in cut if not box.is_empty]:
            result[one.image.path] = kept
        empty += [one.image.path] * (len(cut) - len(kept))
    return result, empty


def empty_in(images: Sequence[PublishedImage]) -> list[str]:
    """The path of an image for each box of it that encloses nothing as it was published."""
    return [image.path for image in images for box in image.boxes if box.is_empty]


def empty_boxes_note(paths: Sequence[str]) -> list[str]:
    """The sentence on boxes that enclose nothing, with their count and an image; none where there are none."""
    if not paths:
        return []
    what = "1 box is empty and is" if len(paths) == 1 else f"{len(paths):,} boxes are empty and are"
    return [f"{what} left out (such as in {paths[0]})."]


def _of_mask(folder: Path, one: studies.PlacedImage) -> list[PublishedBox]:
    if not one.image.mask or not one.image.labels:
        return []
    parts = mask_boxes(folder / one.image.mask)
    if one.image.mask_finding and parts:
        lefts, tops, rights, bottoms = zip(*parts, strict=True)
        parts = [(min(lefts), min(tops), max(rights), max(bottoms))]
    finding = one.image.mask_finding
    return [PublishedBox(one.image.labels[0], *corners, finding=finding) for corners in parts]


def _in_pixels(box: PublishedBox, one: studies.PlacedImage, term: str) -> PublishedBox:
    across, down = (one.width_px, one.height_px) if box.is_relative else (1, 1)
    x_min, x_max = (min(max(x * across, 0.0), float(one.width_px)) for x in (box.x_min, box.x_max))
    y_min, y_max = (min(max(y * down, 0.0), float(one.height_px)) for y in (box.y_min, box.y_max))
    left, top, right, bottom = (round(value, 2) for value in (x_min, y_min, x_max, y_max))
    return PublishedBox(term, left, top, right, bottom, finding=box.finding)
