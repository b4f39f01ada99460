"""A folder of labelled images: recognised, read, and what its labels mean here."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from training.datasets.labels import NORMAL
from training.datasets.public import files, labelled_table
from training.datasets.public.class_folders import CAPSULE_VISION, FOLDERS, PARTS
from training.datasets.public.layout import DataSet, PublishedImage
from training.datasets.public.number_blocks import with_groups
from training.errors import UserError
from training.runs.reporter import Reporter
from training.texts import count_text
from training.video import image_header
from training.video.formats import natural_key
from wce_desktop.core import tr
from wce_desktop.library.exchange.annotations import ClassNames
from wce_desktop.library.exchange.source import TABLES

UNGROUPED_PARTS = 10
"""Into so many studies the images of a source are divided whose patients are unknown (ours)."""
BETWEEN_REPORTS = 64


def reader_for(path: Path, names: Collection[str]) -> DataSet | None:
    """How a path is read as labelled images; None where it is something else.

    That is a table of images with labels, the folder that holds one, a folder whose folders are called as classes, or
    the data set of Capsule Vision 2024.

    Args:
        names: the classes that labels may have.
    """
    folder = folder_of(path)
    table = path if path.is_file() else folder / labelled_table.LABELS
    if table.suffix.lower() in TABLES and labelled_table.is_labelled_table(table):
        return FOLDERS
    if not path.is_dir():
        return None
    below = _folders(folder)
    parts = [name for name in below if name.lower() in PARTS]
    if parts and all(_are_classes(_folders(folder / name), names) for name in parts):
        return CAPSULE_VISION
    return FOLDERS if _are_classes(below, names) else None


def folder_of(path: Path) -> Path:
    """The folder of the images, where the table in it was chosen instead."""
    return path if path.is_dir() else path.parent


def _folders(folder: Path) -> list[str]:
    """Names of the folders in one; none where it cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
    return []


def _are_classes(folders: Sequence[str], names: Collection[str]) -> bool:
    """Whether at least two folders, and at least half of all, are called as classes."""
    classes = ClassNames(names)
    count = sum(classes.of(name) is not None for name in folders)
    return count >= 2 and count * 2 >= len(folders)


@dataclass(frozen=True)
class ImageStudy:
    """The images of one study, in the order of their frames, all of one size (height, width) in px."""

    group: str
    """As the folder calls it; empty: the patients are unknown, and this is the part `part` of them."""
    source: str
    size: tuple[int, int]
    images: tuple[PublishedImage, ...]
    part: int = 0


@dataclass(frozen=True)
class LabelledFolder:
    """What was read of a folder of labelled images.

    Attributes:
        unreadable: files that are no whole picture.
        missing: files that a table names and that are not there.
        notes: sentences about what is left out.
    """

    folder: Path
    data_set: DataSet
    studies: tuple[ImageStudy, ...]
    unreadable: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def images(self) -> tuple[PublishedImage, ...]:
        """All of them."""
        return tuple(image for study in self.studies for image in study.images)

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """Label, as the folder has it -> images, the most frequent first."""
        return dict(Counter(label for image in self.images for label in image.labels).most_common())

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """In order; the empty one stands for images of which none is given."""
        return tuple(sorted({study.source for study in self.studies}))

    @property
    def groups(self) -> int:
        """Groups that stand for patients."""
        return len({(study.source, study.group) for study in self.studies if study.group})

    @property
    def ungrouped(self) -> int:
        """Images whose patients are unknown."""
        return sum(len(study.images) for study in self.studies if not study.group)


def read_labelled_folder(path: Path, data_set: DataSet, reporter: Reporter, group_by: str = "") -> LabelledFolder:
    """Read the labels and look at every image.

    Args:
        path: for which `reader_for` gave `data_set`.
        reporter: receives progress, and can cancel.
        group_by: finds the patient in the path of an image, see `with_groups`; empty: as the folder says.

    Raises:
        UserError: the folder cannot be read, the pattern is in no path, or the folder holds no picture with a label.
        Cancelled: the reporter asked to end.
    """
    folder = folder_of(path)
    is_table = path.is_file()
    result = labelled_table.read_labelled_table(folder, path.name) if is_table else data_set.read(folder)
    result = with_groups(result, group_by)
    sizes: dict[str, tuple[int, int]] = {}
    unreadable = []
    for done, image in enumerate(result.images):
        if done % BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(result.images), "images", "reading")
        size = image_header.image_size(folder / image.path)
        if size is None:
            unreadable.append(image.path)
        else:
            sizes[image.path] = size
    if not sizes:
        raise UserError("No image with a label in {folder} can be read.", "Check that the images are complete.", folder)
    studies = _studies([image for image in result.images if image.path in sizes], sizes)
    if data_set is FOLDERS:
        return LabelledFolder(folder, data_set, studies, tuple(unreadable), result.missing, result.notes)
    there = {image.path for image in result.images}
    loose = [path for path in files.image_paths(folder) if path not in there]
    notes = tuple(labelled_table.loose_images_notes(loose))
    return LabelledFolder(folder, data_set, studies, tuple(unreadable), notes=notes)


def _studies(images: Sequence[PublishedImage], sizes: Mapping[str, tuple[int, int]]) -> tuple[ImageStudy, ...]:
    part_of = _parts([image for image in images if not image.study])
    members: dict[tuple[str, str, int, tuple[int, int]], list[PublishedImage]] = defaultdict(list)
    for image in images:
        members[image.source, image.study, part_of.get(image.path, 0), sizes[image.path]].append(image)
    return tuple(
        ImageStudy(group, source, size, tuple(sorted(its, key=lambda image: natural_key(image.path))), part)
        for (source, group, part, size), its in sorted(members.items(), key=lambda item: natural_key(str(item[0])))
    )


def _parts(images: Sequence[PublishedImage]) -> dict[str, int]:
    """Path -> part, from 1, of images whose patients are unknown: each part has its share of every class.

    Images that follow each other by name stay together, since they often show the same.
    """
    kinds: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for image in images:
        kinds[image.source, image.labels].append(image.path)
    return {
        path: 1 + place * UNGROUPED_PARTS // len(paths)
        for paths in kinds.values()
        for place, path in enumerate(sorted(paths, key=natural_key))
    }


@dataclass(frozen=True)
class Meanings:
    """What the labels of a folder mean here: a class, or none for those that are left out."""

    classes: Mapping[str, str]

    def of(self, image: PublishedImage) -> tuple[str, ...]:
        """The classes of an image, each once; "normal" only where nothing else is said."""
        named = dict.fromkeys(filter(None, (self.classes.get(label, "") for label in image.labels)))
        return tuple(name for name in named if name != NORMAL) or tuple(named)


def meanings(labels: Collection[str], names: Collection[str], chosen: Mapping[str, str] | None = None) -> Meanings:
    """The classes that labels mean; one that is not known is left out unless it is chosen.

    Args:
        names: the classes of the library.
        chosen: label -> class, or nothing.
    """
    known = ClassNames(names, chosen)
    return Meanings({label: known.of(label) or "" for label in labels})


def left_out_sentences(folder: LabelledFolder, words: Meanings) -> list[str]:
    """What of a folder is not added, and why."""
    lines = []
    if count := sum(not words.of(image) for image in folder.images):
        lines.append(
            count_text(
                "{count:,} image is left out, because its label is.",
                "{count:,} images are left out, because their labels are.",
                count,
            )
        )
    if folder.unreadable:
        lines.append(
            count_text(
                "{count:,} image cannot be read and is left out: {example}.",
                "{count:,} images cannot be read and are left out, such as {example}.",
                len(folder.unreadable),
                folder.unreadable[0],
            )
        )
    if folder.missing:
        lines.append(
            count_text(
                "{count:,} image of the table is not there: {example}.",
                "{count:,} images of the table are not there, such as {example}.",
                len(folder.missing),
                folder.missing[0],
            )
        )
    return [tr(line) for line in (*lines, *folder.notes)]
