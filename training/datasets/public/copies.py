"""Images of a set that are one file under several names: a split would put the same picture on both sides."""

import hashlib
from collections import defaultdict
from pathlib import Path

from training.datasets.public.layout import PublishedImage
from training.runs.reporter import Reporter

MOST_IMAGES = 200_000
"""Of larger sets nobody would wait for every file to be read."""
_BETWEEN_REPORTS = 256


def copies_sentence(folder: Path, images: tuple[PublishedImage, ...], reporter: Reporter) -> str:
    """How many images are byte-identical copies of others, and how many of those carry other labels; empty: none."""
    if len(images) > MOST_IMAGES:
        return f"not looked for among more than {MOST_IMAGES:,} images"
    groups = [group for group in _identical(folder, images, reporter) if len(group) > 1]
    if not groups:
        return ""
    copies = sum(len(group) - 1 for group in groups)
    torn = [group for group in groups if len({image.labels for image in group}) > 1]
    said = f"{copies:,} of the images are byte for byte copies of others (the first: {_names(groups[0])})"
    if torn:
        said += f"; {len(torn):,} pictures carry different labels under different names (the first: {_names(torn[0])})"
    return said


def _identical(folder: Path, images: tuple[PublishedImage, ...], reporter: Reporter) -> list[list[PublishedImage]]:
    """Images of one content; only files of one length are read."""
    by_length: dict[int, list[PublishedImage]] = defaultdict(list)
    for image in images:
        by_length[(folder / image.path).stat().st_size].append(image)
    alike = [image for group in by_length.values() if len(group) > 1 for image in group]
    by_content: dict[bytes, list[PublishedImage]] = defaultdict(list)
    for done, image in enumerate(alike):
        if done % _BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(alike), "files", "looking for copies")
        by_content[hashlib.blake2b((folder / image.path).read_bytes(), digest_size=16).digest()].append(image)
    return list(by_content.values())


def _names(group: list[PublishedImage]) -> str:
    return " and ".join(image.path for image in group[:2])
