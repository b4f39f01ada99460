"""Blocks of successive numbers in file names as recordings, for sets that name neither recordings nor patients."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from training.datasets.public.layout import PublishedImage, PublishedSet

_NUMBER = re.compile(r"(\d{1,12})\D*$")


def with_blocks(found: PublishedSet, size: int, set_name: str) -> PublishedSet:
    """The set whose images without a recording have their block as one: numbers 0 to `size` - 1, and so on.

    Images of one patient often have neighbouring numbers, so a split by blocks leaks far less than one by frames. A
    patient may lie in two blocks. Images of different sources or without a number share none.

    Args:
        found: as it was read.
        size: numbers of a block.
        set_name: beginning of a block's name where the image has no source.
    """
    images = tuple(image if image.study else _in_block(image, size, set_name) for image in found.images)
    count = sum(image is not before for image, before in zip(images, found.images, strict=True))
    note = (
        f"{count:,} images name no recording: blocks of {size} successive numbers in their file names stand for "
        "patients. A patient may lie in two blocks."
    )
    return replace(found, images=images, notes=(*found.notes, note) if count else found.notes)


def _in_block(image: PublishedImage, size: int, set_name: str) -> PublishedImage:
    number = _NUMBER.search(PurePosixPath(image.path).stem)
    if number is None:
        return image
    return replace(image, study=f"{image.source or set_name}-{int(number.group(1)) // size * size:05}")
