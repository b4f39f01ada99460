"""A folder of labelled images as frames: its groups stand in for patients, and no image needs a study.

Groups of images as studies: a folder for each, so that commands which read studies can read them.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from training.datasets.frame_store import FrameStore, room_for
from training.datasets.labelled_frames import LabelledFrames, check_kinds
from training.datasets.labels import NORMAL
from training.datasets.manifest import Manifest, StudyEntry
from training.datasets.pretraining_spans import LabelledImage
from training.datasets.table import read_rows
from training.errors import UserError
from training.runs.reporter import Reporter
from training.settings import MAX_TEXT
from training.texts import Text
from training.video import FieldOfView, find_field_of_view, image_reader, prepare_frame


def write_image_folders(groups: Mapping[str, Sequence[Path]], folder: Path) -> tuple[StudyEntry, ...]:
    """A folder for each group with its images, linked where the system allows it, else copied.

    Args:
        groups: group -> image files; their order gives the frame indices.
        folder: where the folders are made; files that are there already are kept.

    Returns:
        A study of stills for each group; the group is its patient.
    """
    result: list[StudyEntry] = []
    for group, files in groups.items():
        place = folder / f"{len(result):05}"
        place.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(files):
            copy = place / f"{number:06}{file.suffix.lower()}"
            if not copy.exists():
                try:
                    copy.symlink_to(file.resolve())
                except OSError:  # Windows asks for a right that few have
                    shutil.copyfile(file, copy)
        entry = StudyEntry(study_id=f"images of {group}", patient_id=group, path=place.resolve(), kind="stills")
        result.append(entry)
    return tuple(result)


def as_studies(labelled: LabelledFrames, files: Sequence[Path], folder: Path) -> tuple[Manifest, list[tuple[str, int]]]:
    """Labelled images as studies of stills, for commands that read studies.

    Args:
        labelled: M rows; `frame_index` counts `files`.
        files: of the images.
        folder: see `write_image_folders`.

    Returns:
        The manifest, and study id and frame of each row (M).
    """
    images: dict[int, dict[int, int]] = {}  # study -> image -> its place in the study
    for study, index in zip(labelled.study.tolist(), labelled.frame_index.tolist(), strict=True):
        mine = images.setdefault(study, {})
        mine.setdefault(index, len(mine))
    old = [labelled.studies[study] for study in images]
    groups = {entry.study_id: [files[k] for k in mine] for entry, mine in zip(old, images.values(), strict=True)}
    written = write_image_folders(groups, folder)
    entries = [
        new.model_copy(update={"patient_id": entry.patient_id, "source": entry.source})
        for new, entry in zip(written, old, strict=True)
    ]
    name_of = {study: entry.study_id for study, entry in zip(images, entries, strict=True)}
    columns = zip(labelled.study.tolist(), labelled.frame_index.tolist(), strict=True)
    return Manifest(studies=tuple(entries)), [(name_of[study], images[study][index]) for study, index in columns]


SEPARATOR = "|"
"""Between the labels of one image."""
FILL_IN_GROUP = "Fill in the column group (the patient of each image), or name another one with --by COLUMN."
VIEW_SAMPLES = 48
"""Images of a group from which its field of view is found."""
STRETCH = 256
"""Images without groups that are read together and share fields of view, one for each size (ours)."""


class _ImageRow(LabelledImage):
    """The group may be missing: such a set can only be split at random."""

    group: str = Field("", max_length=MAX_TEXT)
    source: str = Field(default="", max_length=MAX_TEXT)
    """Data set or capsule make of the image."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Each once, in order."""
        return tuple(dict.fromkeys(filter(None, (part.strip() for part in self.label.split(SEPARATOR)))))


@dataclass(frozen=True)
class ImageSet:
    """Labelled images; each group is a patient and, in each of its sources, a study.

    `frame_index` counts the rows of the CSV.
    """

    folder: Path
    filenames: tuple[str, ...]
    """Of every row of the CSV."""
    labelled: LabelledFrames
    """M images, sorted by group."""
    has_groups: bool = True
    """False where the patients of the images are unknown: each is then its own group."""

    def load(self, frames: LabelledFrames, size: int, memory_bytes: int, spill: Path, reporter: Reporter) -> FrameStore:
        """Read and prepare some of the images; see `training.datasets.frame_store.load_frames` for the arguments.

        Raises:
            UserError: an image is missing or none of a group's can be read.
        """
        pixels = room_for((len(frames), size, size, 3), memory_bytes, spill)
        there, is_round = np.zeros(len(frames), dtype=bool), np.zeros(len(frames), dtype=bool)
        done = 0
        for rows in self._together(frames):
            for row, picture, view in self.prepared(frames, rows, size):
                pixels[row], there[row], is_round[row] = picture, True, view.kind == "circle"
            if not there[rows].all():
                self._report_missing(frames, rows, there, reporter)
            reporter.check()
            done += len(rows)
            reporter.progress(done, len(frames), "images", "reading images")
        store = FrameStore(frames, pixels, is_round, np.full((len(frames), 3), np.nan, dtype=np.float32))
        return store if there.all() else store.select(there)

    def _together(self, frames: LabelledFrames) -> list[NDArray[np.int64]]:
        """Rows that are read together: those of a group; without groups a draw, so that no class has its own views."""
        if self.has_groups:
            return [np.flatnonzero(frames.study == group) for group in np.unique(frames.study)]
        drawn = np.random.default_rng(0).permutation(len(frames))
        return [np.sort(rows) for rows in np.array_split(drawn, max(1, -(-len(frames) // STRETCH)))]

    def prepared(
        self, frames: LabelledFrames, rows: NDArray[np.int64], size: int
    ) -> Iterator[tuple[int, NDArray[np.uint8], FieldOfView]]:
        """Images that belong together as a model sees them; those of one size share a field of view, found from them.

        Args:
            frames: of this set.
            rows: of `frames`, all of one group where there are groups.
            size: side in px.

        Returns:
            Row, (size, size, 3) uint8 RGB, field of view in px of the image; an image that cannot be read is left out.
        """
        by_size: dict[tuple[int, ...], list[tuple[int, NDArray[np.uint8]]]] = {}
        paths = {row: self.folder / self.filenames[int(frames.frame_index[row])] for row in rows.tolist()}
        reader = image_reader.ImageReader(image_reader.shared_bits(list(paths.values())))
        for row, path in paths.items():
            picture = reader.read(path)
            if picture is not None:
                by_size.setdefault(picture.shape, []).append((row, picture))
        for pictures in by_size.values():
            chosen = np.unique(np.linspace(0, len(pictures) - 1, VIEW_SAMPLES).astype(int)).tolist()
            view = find_field_of_view([pictures[k][1] for k in chosen])
            for row, picture in pictures:
                yield row, prepare_frame(picture, view, size), view

    def _report_missing(
        self, frames: LabelledFrames, rows: NDArray[np.int64], there: NDArray[np.bool_], reporter: Reporter
    ) -> None:
        missing = [self.filenames[int(frames.frame_index[row])] for row in rows[~there[rows]]]
        if len(missing) == len(rows):
            of = (
                Text("of group {group} ", frames.studies[int(frames.study[rows[0]])].study_id)
                if self.has_groups
                else ""
            )
            raise UserError(
                "None of the {count} images {of}can be read (the first is {missing}).",
                "Check the folder {folder}.",
                len(rows),
                of,
                missing[0],
                self.folder,
            )
        reporter.log(
            Text("{count} images cannot be read and are left out: {missing}.", len(missing), ", ".join(missing[:5]))
        )


def read_image_set(
    folder: Path,
    labels: Path,
    *,
    normal_label: str = NORMAL,
    classes: Sequence[str] = (),
    needs_groups: bool = True,
    sources: Sequence[str] = (),
    by: str = "group",
    without_groups: str = FILL_IN_GROUP,
) -> ImageSet:
    """Labelled images (`filename,label,group,source`; the source may be missing) as one frame each.

    An image with several labels, joined by `|`, has a row in `labelled` for each of them.

    Args:
        folder: where the files lie.
        labels: the CSV.
        normal_label: the label that means that nothing is there; it is called "normal" from here on. Empty: there is no
            normal class, only kinds are classified, and images labelled "normal" are left out.
        classes: targets; empty: every other label, in order of appearance.
        needs_groups: whether each image must name its group; without groups each image is its own.
        sources: whose images are used; empty: all images.
        by: column that names the group of an image.
        without_groups: hint of the error for an image that needs a group and has none.

    Raises:
        UserError: no folder, a missing file or group, an image that is listed twice or called both normal and something
            else, no normal image, or, where there is no normal class, fewer than two kinds.
    """
    if not folder.is_dir():
        raise UserError("There is no folder {folder}.", "Give the folder that holds the images.", folder)
    column_of = {} if by == "group" else {"group": by}
    needed = ("filename", "label", *column_of.values())
    rows = _of_sources(read_rows(labels, _ImageRow, needed, column_of=column_of), sources, labels)
    for row in rows:
        _check_labels(row, normal_label or NORMAL, labels)
    names = _targets([label for row in rows for label in row.labels], normal_label, classes, labels)
    study_of = [(_group(row, needs_groups, labels, without_groups), row.source) for row in rows]
    if not needs_groups and any(row.group for row in rows):
        raise UserError(
            "{labels} names groups, so the images are split by group.",
            "A random split is only for image sets without patients.",
            labels,
        )
    number = {study: place for place, study in enumerate(dict.fromkeys(study_of))}
    number_of = {name: at for at, name in enumerate(names) if at} | {normal_label: 0}  # others are of no interest
    classed = [(place, number_of.get(label, -1)) for place, row in enumerate(rows) for label in row.labels]
    table = [(number[study_of[place]], place, label) for place, label in classed if label >= 0]
    _check_files(folder, rows, list(dict.fromkeys(place for _, place, _ in table)))
    columns = np.array(sorted(table), dtype=np.int64).reshape(-1, 3)
    studies_of = Counter(group for group, _ in number)
    studies = tuple(
        StudyEntry(
            study_id=group if studies_of[group] == 1 else f"{group} ({source})",
            patient_id=group,
            path=folder,
            source=source,
        )
        for group, source in number
    )
    labelled = LabelledFrames(studies, names, columns[:, 0], columns[:, 1], columns[:, 2])
    kept = labelled if normal_label else labelled.without_normal()
    return ImageSet(folder, tuple(row.filename for row in rows), kept, needs_groups)


def _of_sources(rows: list[_ImageRow], sources: Sequence[str], labels: Path) -> list[_ImageRow]:
    there = dict.fromkeys(row.source for row in rows if row.source)
    for name in sources:
        if name not in there:
            raise UserError(
                "{labels}: no image has the source {name}.",
                "There are {there}.",
                labels,
                name,
                ", ".join(there) or Text("none"),
            )
    return [row for row in rows if not sources or row.source in sources]


def _check_labels(row: _ImageRow, normal: str, labels: Path) -> None:
    if not row.labels:
        raise UserError("{labels}: the image {filename} has no label.", "Give it one.", labels, row.filename)
    if normal in row.labels and len(row.labels) > 1:
        raise UserError(
            "{labels}: the image {filename} is labelled both {normal} and {other}.",
            "Remove one of the two labels.",
            labels,
            row.filename,
            normal,
            next(label for label in row.labels if label != normal),
        )


def _group(row: _ImageRow, needed: bool, labels: Path, hint: str) -> str:
    if row.group or not needed:
        return row.group or row.filename
    raise UserError(
        "{labels}: the image {filename} has no group, so patients cannot be separated.",
        hint,
        labels,
        row.filename,
    )


def _targets(found: list[str], normal: str, wanted: Sequence[str], labels: Path) -> tuple[str, ...]:
    there = list(dict.fromkeys(found))
    if normal and normal not in there:
        raise UserError(
            "{labels}: no image is labelled {normal}; there are {there}.",
            "Name the label of normal images: --set normal_label={there2}; a benchmark also works without one: "
            "--set normal_label=",
            labels,
            normal,
            ", ".join(there),
            there[-1] if there else "normal",
        )
    others = [name for name in there if name != (normal or NORMAL)]
    for name in wanted:
        if name not in others:
            raise UserError(
                "{labels}: no image is labelled {name}.", "There are {others}.", labels, name, ", ".join(others)
            )
    if not normal:
        check_kinds(wanted or others)
    if not others:
        raise UserError(
            "{labels}: every image is labelled {normal}.", "Label some images of the other classes.", labels, normal
        )
    return (NORMAL, *dict.fromkeys(wanted or others))


def _check_files(folder: Path, rows: Sequence[_ImageRow], used: Sequence[int]) -> None:
    seen: dict[str, str] = {}
    for place in used:
        row = rows[place]
        if row.filename in seen:
            as_what = (
                Text("twice")
                if seen[row.filename] == row.label
                else Text("as {seen} and as {label}", seen[row.filename], row.label)
            )
            raise UserError(
                "The image {filename} is labelled {said}.",
                "List each image once; join several labels with |, as in erosion|blood.",
                row.filename,
                as_what,
            )
        seen[row.filename] = row.label
        if not (folder / row.filename).is_file():
            raise UserError(
                "The image {folder} does not exist.", "Check the folder and the CSV.", folder / row.filename
            )


def copies_between_groups(image_set: ImageSet) -> list[tuple[str, str]]:
    """Pairs of byte-identical files that are in different groups: a split by group would not keep them apart."""
    seen: dict[str, tuple[int, str]] = {}
    pairs = []
    for group, place in zip(image_set.labelled.study.tolist(), image_set.labelled.frame_index.tolist(), strict=True):
        name = image_set.filenames[place]
        digest = hashlib.sha256((image_set.folder / name).read_bytes()).hexdigest()
        if digest in seen and seen[digest][0] != group:
            pairs.append((seen[digest][1], name))
        seen.setdefault(digest, (group, name))
    return pairs
