"""A folder of labelled images as studies of stills: surveyed first, then added as a whole.

A study is needed for each group, because a study is of one patient and its frames share a field of view. Its images get
a second name in the library's folder (a hard link), or are copied where the disk knows no links.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from training.datasets.findings import BoxRow
from training.datasets.labels import label_rows
from training.datasets.public.layout import PublishedBox, PublishedImage
from training.errors import writing
from training.files.terminal import printable
from training.runs.reporter import Reporter
from training.texts import Text, count_text
from training.video import NUMBERING, build_index
from wce_desktop.core import counted_text, new_id, tr
from wce_desktop.core.annotation import Box, Change, Label
from wce_desktop.core.study import Study
from wce_desktop.library import edits, study_rows
from wce_desktop.library.exchange.labelled_folder import ImageStudy, LabelledFolder, Meanings
from wce_desktop.library.exchange.planning import StudyPlan, StudyRows
from wce_desktop.library.exchange.source import ImportSource
from wce_desktop.library.library import Library
from wce_desktop.library.moving import IMAGES
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import Store

# Several studies with their labels that are added in one transaction: all of them are in the library, or none.


@dataclass(frozen=True)
class NewStudy:
    """A study and what is entered for it.

    Attributes:
        study: its `pseudonym` goes into the patient record.
        changes: what is entered.
        is_there: whether the library has the study already, so that only the changes are made.
    """

    study: Study
    changes: Sequence[Change]
    is_there: bool = False


def add_studies(
    store: Store, studies: Sequence[NewStudy], title: str, reporter: Reporter, before_end: Callable[[], None]
) -> None:
    """Add studies with their labels as one step, which undo takes back as one.

    Args:
        studies: of which the library has none, neither by id nor by content, but for those marked so.
        title: what undo calls it.
        reporter: receives progress, and can cancel.
        before_end: the last step of the transaction; nothing is added where it raises.

    Raises:
        Cancelled: the reporter asked to end; nothing was added.
        UserError: a study cannot be stored.
    """
    group = new_id() if len(studies) > 1 else ""
    with store.writing(Text("the studies")) as connection:
        for done, each in enumerate(studies):
            reporter.check()
            reporter.progress(done, len(studies), "studies", "importing")
            is_new, study = not each.is_there, each.study
            if is_new:
                study = study_rows.add(connection, replace(study, pseudonym=""), store.reader)
            if is_new and each.study.pseudonym:
                record = study_rows.read_record(connection, study.study_id)
                edits.change_record(connection, replace(record, pseudonym=each.study.pseudonym), now_utc())
            if each.changes:
                edits.apply_edit(connection, study.study_id, title, each.changes, store.reader, None, group)
        reporter.check()
        before_end()


def add_labelled_images(library: Library, folder: LabelledFolder, words: Meanings, reporter: Reporter) -> Added:
    """Add the images as studies with their labels and boxes; either everything is added, or nothing.

    A study that the library has already, by its content, is left as it is. If it has no label and no box, as after an
    import that was undone, it gets them.

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
            for each in (each for each in new if not each.is_there):
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
        study_ids: of the studies that are new or had no labels.
        contents: their labels and boxes in words.
        there: groups that the library had already, with labels.
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
    """The studies with their images in a folder aside; and how many the library has already, with labels."""
    own = library.studies.all()
    known = {study.fingerprint: study for study in own if study.fingerprint}
    patients = {study.pseudonym: study.patient_id for study in own if study.pseudonym}
    source = ImportSource(folder.folder, folder.folder)
    new: list[NewStudy] = []
    labelled: set[str] = set()
    done = there = 0
    total = len(folder.images)
    names = _names(folder, {study.name for study in own})

    def changes(study_id: str, each: ImageStudy, images: Sequence[PublishedImage]) -> Sequence[Change]:
        rows = _rows(study_id, each, images, words)
        return StudyPlan(source, study_id, rows, library, frozenset(), reporter).changes()

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
        if (own_study := known.get(index.fingerprint)) is not None:
            if own_study.study_id not in labelled:  # else another group of this folder has the same images
                _give_back(library, own_study, place)
            shutil.rmtree(place.parent, ignore_errors=True)
            if own_study.study_id in labelled or _has_labels(library, own_study.study_id):
                there += 1
            else:
                labelled.add(own_study.study_id)
                new.append(NewStudy(own_study, changes(own_study.study_id, each, images), is_there=True))
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
        labelled.add(study_id)
        new.append(NewStudy(study, changes(study_id, each, images)))
    return new, there


def _has_labels(library: Library, study_id: str) -> bool:
    return bool(library.annotations.answers(study_id) or library.annotations.boxes(study_id))


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
