"""Pretraining on a folder of single images: groups take the place of patients; there is no time information."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import Field

from training.datasets.image_set import ImageSet
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.labels import NORMAL
from training.datasets.manifest import Manifest, StudyEntry
from training.datasets.sequences import SequenceSpan
from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.texts import Text, join_texts
from training.video.formats import IMAGE_SUFFIXES, natural_key


class _Row(TableRow):
    """A row of the CSV; the label is optional."""

    filename: str = Field(min_length=1)
    label: str = ""
    group: str = ""


@dataclass(frozen=True)
class PretrainImages:
    """Images in groups; each group is a study and a patient."""

    folder: Path
    groups: tuple[str, ...]
    filenames: tuple[tuple[str, ...], ...]
    """By group, in natural order; an image's position is its frame_index."""
    labels: tuple[tuple[str, ...], ...]
    """By group and image; "": no label."""
    left_out: str
    """A sentence about unused images; empty if all are used."""

    @property
    def manifest(self) -> Manifest:
        """The groups as studies."""
        return Manifest(
            studies=tuple(StudyEntry(study_id=name, patient_id=name, path=self.folder) for name in self.groups)
        )

    @property
    def spans(self) -> tuple[SequenceSpan, ...]:
        """One span per group."""
        return tuple(SequenceSpan(number, number, 0, len(names)) for number, names in enumerate(self.filenames))

    @property
    def pictures(self) -> dict[int, tuple[str, tuple[Path, ...]]]:
        """Group number -> name and files."""
        return {
            number: (name, tuple(self.folder / file for file in files))
            for number, (name, files) in enumerate(zip(self.groups, self.filenames, strict=True))
        }

    def labelled(self) -> ImageSet | None:
        """The labelled images as an evaluation set, or None with fewer than two classes or groups."""
        result = [
            (group, file, label)
            for group, (files, labels) in enumerate(zip(self.filenames, self.labels, strict=True))
            for file, label in zip(files, labels, strict=True)
            if label
        ]
        names = sorted({label for _, _, label in result}, key=lambda name: (name != NORMAL, name))
        if len(names) < 2 or len({group for group, _, _ in result}) < 2:
            return None
        study, label = (np.array([column], dtype=np.int64).reshape(-1) for column in (
            [group for group, _, _ in result], [names.index(name) for _, _, name in result]
        ))  # fmt: skip
        frames = LabelledFrames(self.manifest.studies, tuple(names), study, np.arange(len(result)), label)
        return ImageSet(self.folder, tuple(file for _, file, _ in result), frames)


def pretrain_images(folder: Path, labels: Path | None, held_out: Collection[str] = ()) -> PretrainImages:
    """The images of a folder and its subfolders, or those that a CSV names, in groups.

    Without a CSV, and for rows without a group, the group is the image's folder (ours).

    Args:
        folder: of the images.
        labels: CSV with filename, and optionally label and group; other images are not used.
        held_out: groups to leave out.

    Raises:
        UserError: no folder, no images, or an image that is missing or listed twice.
    """
    if not folder.is_dir():
        raise UserError("There is no folder {folder}.", "Give the folder that holds the images.", folder)
    paths = (path for path in folder.rglob("*") if path.suffix.lower() in IMAGE_SUFFIXES)
    there = [path.relative_to(folder).as_posix() for path in paths if not path.name.startswith(".")]
    rows = read_rows(labels, _Row, ("filename",)) if labels else [_Row(filename=name) for name in there]
    grouped: dict[str, list[_Row]] = {}
    seen: set[str] = set()
    for row in sorted(rows, key=lambda row: natural_key(row.filename)):
        if row.filename in seen:
            raise UserError("The image {filename} is listed twice in the CSV.", "List each image once.", row.filename)
        seen.add(row.filename)
        if not (folder / row.filename).is_file():
            raise UserError(
                "The image {folder} does not exist.", "Check the folder and the CSV.", folder / row.filename
            )
        inside = Path(row.filename).parent.as_posix().replace(".", "", 1).strip("/")
        grouped.setdefault(row.group or inside or folder.resolve().name, []).append(row)
    kept = {name: grouped[name] for name in sorted(grouped, key=natural_key) if name not in held_out}
    if not kept:
        raise UserError(
            "There are no images to pretrain on in {folder}.",
            "Check the folder, the CSV and the held-out groups.",
            folder,
        )
    unused = len(there) - len(rows)
    said = (
        [Text("{unused:,} images of the folder are not listed in {name}.", unused, labels.name)]
        if labels and unused > 0
        else []
    )
    if without := sum(len(grouped[name]) for name in grouped if name not in kept):
        said.append(
            Text("{without:,} images of {count} held-out groups are left out.", without, len(grouped) - len(kept))
        )
    return PretrainImages(
        folder,
        tuple(kept),
        tuple(tuple(row.filename for row in group) for group in kept.values()),
        tuple(tuple(row.label for row in group) for group in kept.values()),
        join_texts(" ", said),
    )
