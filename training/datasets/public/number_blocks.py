"""Recordings from file names, for sets that name none: blocks of successive numbers, or what a pattern finds."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from training.datasets.public.layout import PublishedImage, PublishedSet
from training.errors import UserError

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


def with_groups(found: PublishedSet, pattern: str) -> PublishedSet:
    """The set whose images without a recording have as one what a pattern finds in their path below the folder.

    Args:
        found: as it was read.
        pattern: a regular expression; its first group counts, or without one the whole match. It is empty for none.

    Raises:
        UserError: no regular expression, or no path has it.
    """
    if not pattern:
        return found
    try:
        search = re.compile(pattern).search
    except re.error as error:
        raise UserError(
            "The pattern {pattern} is no regular expression: {error}.",
            "For P07_0012.jpg of patient P07, write ([^/]+)_ as the pattern.",
            repr(pattern),
            error,
        ) from error
    groups = {
        image.path: each.group(1 if each.re.groups else 0) for image in found.images if (each := search(image.path))
    }
    images = tuple(
        image if image.study or not groups.get(image.path) else _of_group(image, str(groups[image.path]))
        for image in found.images
    )
    if not any(groups.values()):
        raise UserError(
            "The pattern {pattern} is in no path, such as {example}.",
            "For P07_0012.jpg of patient P07, write ([^/]+)_ as the pattern.",
            repr(pattern),
            found.images[0].path,
        )
    return replace(found, images=images)


def _of_group(image: PublishedImage, group: str) -> PublishedImage:
    return replace(image, study=group, patient=group)


def _in_block(image: PublishedImage, size: int, set_name: str) -> PublishedImage:
    number = _NUMBER.search(PurePosixPath(image.path).stem)
    if number is None:
        return image
    return replace(image, study=f"{image.source or set_name}-{int(number.group(1)) // size * size:05}")
