"""Annotation files as rows of an import: classes by our names, images by study and frame, what is left out counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from training.datasets.annotations import content
from training.datasets.annotations.content import BOX, IMAGE, LABEL, AnnotatedBox, AnnotatedImage, AnnotationFile
from training.datasets.findings import BoxRow
from training.datasets.labels import Answer, LabelRow, Source
from training.datasets.public.contents import labels_folder
from training.errors import UserError
from training.models.config import plain_name
from training.runs.reporter import Reporter, SilentReporter
from training.settings import shortened
from training.texts import Text, join_texts
from wce_desktop.core import counted, to_translate, tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.image_groups import AnnotationChoice, ImageGroup, image_groups, names_of
from wce_desktop.library.exchange.places import FoundBy, Place, Places
from wce_desktop.library.exchange.source import ImportSource
from wce_desktop.library.exchange.study_frames import Studies

OUTSIDE = to_translate("it lies outside the frame")
NO_SIZE = to_translate("the recording cannot be opened, and boxes are shares of its frames")
MATCHED: Mapping[FoundBy, tuple[str, str]] = {
    "file name": (
        to_translate("{count} image matched with frames by the names of the study's images."),
        to_translate("{count} images matched with frames by the names of the study's images."),
    ),
    "study and frame": (
        to_translate(
            "{count} image matched with frames by the study and the number of the frame that the file gives them."
        ),
        to_translate(
            "{count} images matched with frames by the study and the number of the frame that the file gives them."
        ),
    ),
    "time": (
        to_translate("{count} image matched with frames by the times in their names."),
        to_translate("{count} images matched with frames by the times in their names."),
    ),
    "number": (
        to_translate("{count} image matched with frames by the numbers in their names."),
        to_translate("{count} images matched with frames by the numbers in their names."),
    ),
}
"""A sentence for one image and one for many, by how they were found."""
SHOWN_CLASSES = 8
BETWEEN_REPORTS = 256


@dataclass(frozen=True)
class Survey:
    """What has to be asked before annotation files can be imported.

    Attributes:
        formats: of the files, in words.
        recordings: to which the images belong, those without a study first; `problem` says why one has none.
        unknown: class of the files without a class of the vocabulary -> its boxes and labels.
        unclear_numbers: whether frames are found by the numbers in names, which may count from 0 or from 1.
    """

    formats: tuple[str, ...]
    recordings: tuple[ImageGroup, ...]
    unknown: Mapping[str, int]
    unclear_numbers: bool = False

    @property
    def images(self) -> int:
        """All of them."""
        return sum(len(recording.images) for recording in self.recordings)

    @property
    def unplaced(self) -> int:
        """Images whose study the files do not say."""
        return sum(len(recording.images) for recording in self.recordings if not recording.study_id)

    @property
    def needs_answers(self) -> bool:
        """Whether a person has something to say."""
        return bool(self.unplaced or self.unknown or self.unclear_numbers)


class ClassNames:
    """Finds the class of the vocabulary that a file's class means."""

    def __init__(self, names: Collection[str], chosen: Mapping[str, str] | None = None) -> None:
        """`chosen` wins over spelling and over the words of public data sets."""
        self._known = {plain_name(name): name for name in reversed(tuple(names))}
        published = {label: name for label, name in _published().items() if name in names}
        self._known = {**published, **self._known}
        self._chosen = chosen or {}

    def of(self, name: str) -> str | None:
        """The class; None for a stranger, and `LEFT_OUT` where a person said so."""
        return self._chosen[name] if name in self._chosen else self._known.get(plain_name(name))


def _published() -> dict[str, str]:
    """The words of public data sets that mean the same class in all of them."""
    result: dict[str, str] = {}
    unclear = set()
    for path in sorted((labels_folder() / "published").glob("*.json")):
        for label, name in json.loads(path.read_text(encoding="utf-8"))["labels"].items():
            plain = plain_name(label)
            if result.setdefault(plain, name) != name:
                unclear.add(plain)
    return {plain: name for plain, name in result.items() if plain not in unclear}


def survey(
    files: Sequence[AnnotationFile], studies: tuple[Study, ...], names: Collection[str], choice: AnnotationChoice
) -> Survey:
    """What a person has to be asked about these files.

    Args:
        studies: of the library.
        names: the classes that labels may have.
        choice: what is already said.
    """
    library, classes = Studies(studies), ClassNames(names, choice.names)
    groups = image_groups(files, library, choice, lambda name: classes.of(name) is not None)
    places = Places(library, choice.first_frame)
    places.learn_numbers(groups)
    unknown = Counter[str]()
    for image in (image for file in files for image in file.images):
        said = Counter([*image.labels, *image.absent, *(box.name for box in image.boxes)])
        unknown.update({name: count for name, count in said.items() if classes.of(name) is None})
    is_unclear = choice.first_frame is None and any(number.first is None for number in places.numbers.values())
    return Survey(
        tuple(dict.fromkeys(file.format for file in files)),
        tuple(sorted(groups, key=lambda group: bool(group.study_id))),
        dict(unknown.most_common()),
        is_unclear,
    )


def annotation_source(
    path: Path,
    files: Sequence[AnnotationFile],
    studies: tuple[Study, ...],
    names: Collection[str],
    choice: AnnotationChoice | None = None,
    reporter: Reporter | None = None,
    folder_of: Callable[[str], Path] | None = None,
) -> tuple[ImportSource, tuple[str, ...]]:
    """The rows of an import with sentences about what is left out; and examples of names and their frames.

    A frame with a box of a class also gets the label of that class: classifiers learn from labels.

    Args:
        path: what was chosen, for titles and sentences.
        files: as read.
        studies: of the library.
        names: the classes that labels may have.
        choice: what a person said.
        reporter: receives progress in images, and can cancel.
        folder_of: folder of a study in the library by its id, where the times of its frames are kept.

    Raises:
        UserError: no study is known, or nothing can be used.
        Cancelled: the reporter asked to end.
    """
    choice, reporter = choice or AnnotationChoice(), reporter or SilentReporter()
    library = Studies(studies, folder_of)
    classes = ClassNames(names, choice.names)
    groups = image_groups(files, library, choice, lambda name: classes.of(name) is not None)
    rows = _Rows(Places(library, choice.first_frame), classes)
    rows.add(files, groups, reporter)
    rows.check(path)
    folder = path if path.is_dir() else path.parent
    labels, notes = tuple(rows.label_rows()), tuple(rows.sentences())
    source = ImportSource(path, folder, labels=labels, boxes=tuple(rows.boxes), notes=notes)
    return source, tuple(rows.examples)


class _Rows:
    """Collects rows, and counts what cannot become one."""

    def __init__(self, places: Places, classes: ClassNames) -> None:
        self.boxes: list[BoxRow] = []
        self.examples: list[str] = []
        self._places, self._classes = places, classes
        self._labels: dict[tuple[str, str, Answer], dict[int, Source]] = {}
        self._left_out = Counter[tuple[str, str]]()
        self._where: dict[tuple[str, str], list[str]] = {}
        self._unplaced: dict[str, Counter[str]] = {}
        self._unknown = Counter[str]()
        self._notes: list[str] = []
        self._found_by = Counter[FoundBy]()
        self._placed = self._images = self._cut = 0
        self._recordings = ""

    def add(self, files: Sequence[AnnotationFile], groups: Sequence[ImageGroup], reporter: Reporter) -> None:
        """Take in files, their images by recording."""
        for file in files:
            self._left_out += file.left_out
            for key, names in file.where.items():
                for where in names:
                    self._note_where(key, where)
            self._notes += map(tr, file.notes)
        self._places.learn_numbers(groups)
        self._recordings = names_of(groups)
        count = sum(len(group.images) for group in groups)
        for group in groups:
            placed: list[tuple[AnnotatedImage, Place]] = []
            for image, frame_name in group.images:
                if self._images % BETWEEN_REPORTS == 0:
                    reporter.check()
                    reporter.progress(self._images, count, "images", "reading")
                self._images += 1
                place = self._places.place(image, frame_name, group)
                if isinstance(place, str):
                    said = {IMAGE: 1, BOX: len(image.boxes), LABEL: len(image.labels) + len(image.absent)}
                    self._unplaced.setdefault(place, Counter()).update(said)
                    self._note_where((IMAGE, place), image.shown_name if group.study_id else group.name)
                    continue
                self._found_by[place.found_by] += 1
                self._add_image(image, place)
                placed.append((image, place))
            self._placed += len(placed)
            self.examples += self._places.example(group, placed)

    def _note_where(self, key: tuple[str, str], name: str) -> None:
        """Keep the first names that a reason for leaving something out is about."""
        names = self._where.setdefault(key, [])
        if name not in names and len(names) <= content.SHOWN_IMAGES:
            names.append(name)

    def _add_image(self, image: AnnotatedImage, place: Place) -> None:
        answers: tuple[tuple[list[str], Answer], ...] = ((image.labels, "yes"), (image.absent, "no"))
        for names, answer in answers:
            for name in filter(None, map(self._class, names)):
                self._label(place, name, "reader", answer)
        for box in image.boxes:
            if name := self._class(box.name):
                self._add_box(box, place, name)

    def _class(self, name: str) -> str:
        """The class that a name means here; empty, and counted, where it is left out."""
        result = self._classes.of(name) or ""
        self._unknown.update([] if result else [name])
        return result

    def _add_box(self, box: AnnotatedBox, place: Place, name: str) -> None:
        if place.size is None and box.is_relative:
            self._left_out[BOX, NO_SIZE] += 1
            return
        height, width = place.size or (100_000, 100_000)
        corners = [box.x_min, box.y_min, box.x_max, box.y_max]
        if box.is_relative:
            corners = [round(share * side, 3) for share, side in zip(corners, (width, height) * 2, strict=True)]
        x_min, y_min, x_max, y_max = corners
        cut = max(x_min, 0.0), max(y_min, 0.0), min(x_max, float(width)), min(y_max, float(height))
        if cut[0] >= cut[2] or cut[1] >= cut[3]:
            self._left_out[BOX, OUTSIDE] += 1
            return
        self._cut += any(abs(one - other) > 1 for one, other in zip(corners, cut, strict=True))
        self.boxes.append(
            BoxRow(
                study_id=place.study_id,
                frame_index=place.frame_index,
                x_min=cut[0],
                y_min=cut[1],
                x_max=cut[2],
                y_max=cut[3],
                label=name,
                suggested_by=box.method,
            )
        )
        self._label(place, name, "accepted_suggestion" if box.source == "accepted" else "reader")

    def _label(self, place: Place, name: str, source: Source, answer: Answer = "yes") -> None:
        frames = self._labels.setdefault((place.study_id, name, answer), {})
        if frames.get(place.frame_index) != "reader":
            frames[place.frame_index] = source

    def label_rows(self) -> Iterable[LabelRow]:
        """A row for each run of successive frames with the same label of one source."""
        for (study_id, name, answer), frames in self._labels.items():
            ordered = enumerate(sorted(frames.items()))
            for (_, source), run in groupby(ordered, lambda each: (each[1][0] - each[0], each[1][1])):
                (_, (start, _)), *rest = run
                stop = start + len(rest) + 1
                yield LabelRow(study_id=study_id, start=start, stop=stop, label=name, source=source, answer=answer)

    def check(self, path: Path) -> None:
        """Refuse files of which no image is known, or nothing can be used.

        Raises:
            UserError: saying why.
        """
        if self._images and not self._placed:
            reason = max(self._unplaced, key=lambda each: self._unplaced[each][IMAGE])
            raise UserError(
                "No image of {path} could be matched with a frame of the library: {reason}.",
                "Open the recording that was annotated first. Then choose it as the study of these files (in the "
                "shell: --study ID, or for each recording --recording NAME=ID). They have: {names}.",
                path,
                Text(reason),
                self._recordings,
            )
        lost = sum(self._left_out.values()) + sum(self._unknown.values())
        if lost and not self.boxes and not self._labels:
            text = join_texts(" ", [Text("Nothing of {path} can be used.", path), *self._reasons()])
            raise UserError(text, "Correct the files, or export them again.")

    def _reasons(self) -> list[str]:
        """What is left out, a sentence for each reason."""
        unplaced = self._unplaced.items()
        lines = [self._left_out_line(_images_in_words(counts), (IMAGE, place)) for place, counts in unplaced]
        left_out = self._left_out.most_common()
        lines += [self._left_out_line(counted(count, key[0]), key) for key, count in left_out if count]
        lines += [
            tr_count(
                "The class “{name}” is left out: {count} box or label.",
                "The class “{name}” is left out: {count} boxes or labels.",
                count,
                name=shortened(name),
            )
            for name, count in self._unknown.most_common(SHOWN_CLASSES)
        ]
        if (further := len(self._unknown) - SHOWN_CLASSES) > 0:
            lines.append(
                tr_count("{count} further class is left out.", "{count} further classes are left out.", further)
            )
        return lines

    def _left_out_line(self, rows: str, key: tuple[str, str]) -> str:
        names = [shortened(name) for name in self._where.get(key, [])]
        if not names:
            return tr("{rows} left out: {reason}.", rows=rows, reason=tr(key[1]))
        on = ", ".join(names[: content.SHOWN_IMAGES]) + (" …" if len(names) > content.SHOWN_IMAGES else "")
        return tr("{rows} left out: {reason} ({names}).", rows=rows, reason=tr(key[1]), names=on)

    def sentences(self) -> list[str]:
        """What is left out, and how frames were found."""
        lines = self._reasons()
        if self.boxes:
            lines.append(tr("Frames with a box are labelled with its class, too."))
        if self._cut:
            lines.append(tr("{boxes} cut at the edge of the frame.", boxes=counted(self._cut, "box")))
        lines += [tr_count(*MATCHED[how], count) for how, count in self._found_by.most_common()]
        if self._found_by["number"]:
            first = self._places.first_frame
            lines += dict.fromkeys(number.sentence(first) for number in self._places.numbers.values())
        return [*lines, *self._notes]


def _images_in_words(counts: Mapping[str, int]) -> str:
    """ "2 images with 3 boxes and 1 label"."""
    images, boxes, labels = (counted(counts[unit], unit) for unit in (IMAGE, BOX, LABEL))
    if counts[BOX] and counts[LABEL]:
        return tr("{images} with {boxes} and {labels}", images=images, boxes=boxes, labels=labels)
    if counts[BOX] or counts[LABEL]:
        return tr("{images} with {marks}", images=images, marks=boxes if counts[BOX] else labels)
    return images
