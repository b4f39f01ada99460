"""Check of a data set's folder: what is there, what is missing, what its labels mean, which images are copies."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.datasets.public import boxes, contents
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.files.terminal import in_columns
from training.runs.reporter import Reporter, reported
from training.video.image_header import image_size

SHOWN = 3
NO_TERM = "(not in the vocabulary)"


def report(
    data_set: DataSet, found: PublishedSet, inside: contents.Contents, copies: str, damaged: Sequence[str]
) -> dict[str, Any]:
    """What a person should know of a folder, as JSON values; `text` holds the table of labels."""
    return {
        "text": "\n".join(_table(found, inside)),
        "data set": data_set.title,
        "images": len(found.images),
        "images in the publication": data_set.images,
        "recordings": len({image.study for image in found.images if image.study}),
        "boxes": sum(not box.is_empty for image in found.images for box in image.boxes),
        "masks": sum(bool(image.mask) for image in found.images),
        "videos": len(found.videos),
        "missing": missing_sentence(found),
        "labels without a term": unknown_sentence(inside),
        "copies": copies,
        "damaged": _few(damaged, "image", "cut short or of an unknown kind"),
        "complete": is_complete(data_set, found) and not damaged,
        "notes": [*found.notes, *boxes.empty_boxes_note(boxes.empty_in(found.images))],
        "read as": "tested on  " + data_set.verified if data_set.verified else "not verified on real files",
        "licence": data_set.licence,
        "cite": data_set.citation,
    }


def is_complete(data_set: DataSet, found: PublishedSet) -> bool:
    """Whether every file that the set speaks of is there, and as many images as its publication counts."""
    return not found.missing and (data_set.images is None or len(found.images) >= data_set.images)


def missing_sentence(found: PublishedSet) -> str:
    """How many files are missing and which come first; empty where none is."""
    return _few(found.missing, "file", "missing")


def _few(paths: Sequence[str], what: str, state: str) -> str:
    more = f" and {len(paths) - SHOWN:,} more" if len(paths) > SHOWN else ""
    count = f"1 {what} is" if len(paths) == 1 else f"{len(paths):,} {what}s are"
    return f"{count} {state}: {', '.join(paths[:SHOWN])}{more}." if paths else ""


def damaged_images(folder: Path, images: tuple[PublishedImage, ...], reporter: Reporter) -> list[str]:
    """Paths of images that are cut short, or no images; none of larger sets than `MOST_IMAGES`."""
    looked_at = reported(images, reporter, "files", "looking for damaged images") if len(images) <= MOST_IMAGES else ()
    return [image.path for image in looked_at if image_size(folder / image.path) is None]


def unknown_sentence(inside: contents.Contents) -> str:
    """Labels that no term stands for, with their images; empty where there is none."""
    return ", ".join(f"{label} ({inside.counts[label]:,} images)" for label in inside.unknown)


def _table(found: PublishedSet, inside: contents.Contents) -> list[str]:
    """A line for each published label: its images, those that are missing, and the term it is read as."""
    rows = [("images", "missing", "as published", "read as")]
    for label in sorted({*inside.counts, *found.missing_labels}, key=lambda label: (-inside.counts[label], label)):
        missing = found.missing_labels.get(label, 0)
        rows.append((_number(inside.counts[label]), _number(missing), label, inside.terms.get(label, NO_TERM)))
    rows += [(_number(count), "", "(not requested)", term) for term, count in inside.left_out.most_common()]
    if unsaid := sum(not image.labels for image in found.images):
        rows.append((_number(unsaid), "", "(not stated)", "no label"))
    return in_columns(rows, right=(0, 1)).splitlines()


def _number(count: int) -> str:
    return f"{count:,}" if count else "-"


MOST_IMAGES = 200_000
"""Of larger sets nobody would wait for every file to be read."""


def copies_sentence(folder: Path, images: tuple[PublishedImage, ...], reporter: Reporter) -> str:
    """How many images are byte-identical copies of others, and how many of those carry other labels; empty: none."""
    if len(images) > MOST_IMAGES:
        return f"not checked for more than {MOST_IMAGES:,} images"
    groups = [group for group in _identical(folder, images, reporter) if len(group) > 1]
    if not groups:
        return ""
    copies = sum(len(group) - 1 for group in groups)
    torn = [group for group in groups if len({image.labels for image in group}) > 1]
    text = f"{copies:,} of the images are exact copies of others (the first: {_names(groups[0])})"
    if torn:
        text += f"; {len(torn):,} images have several names with different labels (the first: {_names(torn[0])})"
    return text


def _identical(folder: Path, images: tuple[PublishedImage, ...], reporter: Reporter) -> list[list[PublishedImage]]:
    """Images of one content; only files of one length are read."""
    by_length: dict[int, list[PublishedImage]] = defaultdict(list)
    for image in images:
        by_length[(folder / image.path).stat().st_size].append(image)
    alike = [image for group in by_length.values() if len(group) > 1 for image in group]
    by_content: dict[bytes, list[PublishedImage]] = defaultdict(list)
    for image in reported(alike, reporter, "files", "looking for copies"):
        by_content[hashlib.blake2b((folder / image.path).read_bytes(), digest_size=16).digest()].append(image)
    return list(by_content.values())


def _names(group: list[PublishedImage]) -> str:
    return " and ".join(image.path for image in group[:2])
