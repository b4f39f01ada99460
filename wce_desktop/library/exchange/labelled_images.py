"""A folder of labelled images as studies of stills: surveyed first, then added as a whole.

A study is needed for each group, because a study is of one patient and its frames share a field of view. Its images get
a second name in the library's folder (a hard link), or are copied where the disk knows no links.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from training.datasets.findings import BoxRow
from training.datasets.labels import NORMAL, label_rows
from training.datasets.public import files, labelled_table
from training.datasets.public.class_folders import CAPSULE_VISION, FOLDERS, PARTS
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage
from training.errors import UserError, writing
from training.files.terminal import printable
from training.runs.reporter import Reporter
from training.texts import Text, count_text
from training.video import NUMBERING, build_index, image_header
from training.video.formats import natural_key
from wce_desktop.core import counted_text, new_id, tr
from wce_desktop.core.annotation import Box, Change, Label
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.annotations import ClassNames
from wce_desktop.library.exchange.new_studies import NewStudy, add_studies
from wce_desktop.library.exchange.planning import StudyPlan, StudyRows
from wce_desktop.library.exchange.source import TABLES, ImportSource
from wce_desktop.library.library import Library
from wce_desktop.library.moving import IMAGES

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


def read_labelled_folder(path: Path, data_set: DataSet, reporter: Reporter) -> LabelledFolder:
    """Read the labels and look at every image.

    Args:
        path: for which `reader_for` gave `data_set`.
        reporter: receives progress, and can cancel.

    Raises:
        UserError: the folder cannot be read, or holds no picture with a label.
        Cancelled: the reporter asked to end.
    """
    folder = folder_of(path)
    is_table = path.is_file()
    result = labelled_table.read_labelled_table(folder, path.name) if is_table else data_set.read(folder)
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


def add_labelled_images(library: Library, folder: LabelledFolder, words: Meanings, reporter: Reporter) -> Added:
    """Add the images as studies with their labels and boxes; either everything is added, or nothing.

    A study that the library has already, by its content, is left as it is.

    Raises:
        Cancelled: the reporter asked to end.
        UserError: the library cannot be written, or an image cannot be linked or copied.
    """
    library.check_writable("an import")
    aside = library.folder / "studies" / f".{IMAGES}.partial-{os.getpid()}"
    shutil.rmtree(aside, ignore_errors=True)
    moved: list[Path] = []
    try:
        new, there = _new_studies(library, folder, words, aside, reporter)

        def put_in_place() -> None:
            for each in new:
                place = library.folder / "studies" / each.study.study_id
                (aside / each.study.study_id).rename(place)
                moved.append(place)

        if new:
            changes = [change for each in new for change in each.changes]
            title = Text("Import {name}: {contents}", printable(folder.folder.name), in_words(changes))
            with writing(library.folder):
                add_studies(library, new, title, reporter, put_in_place)
    except BaseException:
        for place in moved:
            shutil.rmtree(place, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return Added(tuple(each.study.study_id for each in new), in_words([c for each in new for c in each.changes]), there)


@dataclass(frozen=True)
class Added:
    """What an import of labelled images has added.

    Attributes:
        study_ids: of the new studies.
        contents: their labels and boxes in words.
        there: groups that the library had already.
    """

    study_ids: tuple[str, ...]
    contents: Text
    there: int = 0


def in_words(changes: Sequence[Change]) -> Text:
    """ "5,813 labelled frames and 1,355 boxes"."""
    frames = {
        (item.study_id, frame)
        for item in (change.new for change in changes)
        if isinstance(item, Label)
        for frame in range(item.span.start, item.span.stop)
    }
    labelled = count_text("{count:,} labelled frame", "{count:,} labelled frames", len(frames))
    boxes = sum(isinstance(change.new, Box) for change in changes)
    return Text("{labelled} and {boxes}", labelled, counted_text(boxes, "box")) if boxes else labelled


def _new_studies(
    library: Library, folder: LabelledFolder, words: Meanings, aside: Path, reporter: Reporter
) -> tuple[list[NewStudy], int]:
    """The studies with their images in a folder aside; and how many the library has already."""
    own = library.studies.all()
    known = {study.fingerprint: study for study in own if study.fingerprint}
    patients = {study.pseudonym: study.patient_id for study in own if study.pseudonym}
    source = ImportSource(folder.folder, folder.folder)
    new: list[NewStudy] = []
    done = there = 0
    total = len(folder.images)
    names = _names(folder, {study.name for study in own})
    for each, name in zip(folder.studies, names, strict=True):
        images = [image for image in each.images if words.of(image)]
        done += len(each.images)
        if not images:
            continue
        reporter.check()
        reporter.progress(done - len(each.images), total, "images", "importing")
        study_id = new_id("s-")
        place = aside / study_id / IMAGES
        with writing(place):
            _put(folder.folder, images, place)
        index = build_index(place)
        if index.fingerprint in known:
            there += 1
            _give_back(library, known[index.fingerprint], place)
            shutil.rmtree(place.parent, ignore_errors=True)
            continue
        pseudonym = _patient_name(folder, each)
        patient = patients.setdefault(pseudonym, new_id("p-")) if pseudonym else new_id("p-")
        study = Study(
            study_id,
            patient,
            name,
            library.folder / "studies" / study_id / IMAGES,
            index.fingerprint,
            len(index),
            max(float(index.video_seconds[-1]), 0.0),
            runs=(),
            pseudonym=pseudonym,
            numbering=NUMBERING,
            source=each.source,
        )
        known[index.fingerprint] = study
        rows = _rows(study_id, each, images, words)
        new.append(NewStudy(study, StudyPlan(source, study_id, rows, library, frozenset(), reporter).changes()))
    return new, there


def _give_back(library: Library, study: Study, place: Path) -> None:
    """Put its images into the folder of a study that has lost them: copies of a library hold no images."""
    wanted = library.folder / "studies" / study.study_id / IMAGES
    if study.path.parts[-3:] == wanted.parts[-3:] and not wanted.exists():
        with writing(wanted):
            wanted.parent.mkdir(parents=True, exist_ok=True)
            place.rename(wanted)
        library.studies.update(study.study_id, path=wanted)


def _patient_name(folder: LabelledFolder, each: ImageStudy) -> str:
    """What the patient record calls a group; empty where the patients are unknown."""
    parts = [folder.folder.name, each.source, each.group]
    return " / ".join(filter(None, parts)) if each.group else ""


def _names(folder: LabelledFolder, taken: Collection[str]) -> list[str]:
    """Of the studies, each once, also beside those of the library; with their source where a group needs it."""
    result: list[str] = []
    seen = set(taken)
    for each in folder.studies:
        base = each.group or f"{each.source or folder.folder.name} {tr('part {number}', number=each.part)}"
        behind = [text for text in (each.source, folder.folder.name) if text and each.group]
        offered = [base, *(f"{base} ({text})" for text in behind)]
        name = next((name for name in offered if name not in seen), "")
        number = 2
        while not name:
            name = f"{base} {number}" if f"{base} {number}" not in seen else ""
            number += 1
        seen.add(name)
        result.append(name)
    return result


def _put(folder: Path, images: Sequence[PublishedImage], place: Path) -> None:
    """The images under numbers, so that their order is that of the frames and none is taken for a mask."""
    place.mkdir(parents=True)
    for number, image in enumerate(images, 1):
        source = (folder / image.path).resolve()
        target = place / f"{number:06}{Path(image.path).suffix.lower()}"
        with suppress(OSError):  # on another disk, or on one that knows no links, it is copied
            os.link(source, target)
            continue
        shutil.copyfile(source, target)


def _rows(study_id: str, each: ImageStudy, images: Sequence[PublishedImage], words: Meanings) -> StudyRows:
    named = {frame: dict.fromkeys((name, "") for name in words.of(image)) for frame, image in enumerate(images)}
    boxes = [
        (0, row)
        for frame, image in enumerate(images)
        for box in image.boxes
        if (row := _box_row(study_id, frame, box, each.size, words)) is not None
    ]
    return StudyRows(labels=label_rows(study_id, named), boxes=boxes)


def _box_row(study_id: str, frame: int, box: PublishedBox, size: tuple[int, int], words: Meanings) -> BoxRow | None:
    """A box, cut at the edges of its image; None where its class is left out, or where nothing of it is left."""
    height, width = size
    x_min, y_min = max(box.x_min, 0.0), max(box.y_min, 0.0)
    x_max, y_max = min(box.x_max, float(width)), min(box.y_max, float(height))
    name = words.classes.get(box.label, "")
    if not name or x_min >= x_max or y_min >= y_max:
        return None
    return BoxRow(study_id=study_id, frame_index=frame, x_min=x_min, y_min=y_min, x_max=x_max, y_max=y_max, label=name)
