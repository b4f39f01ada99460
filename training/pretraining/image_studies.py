"""A folder of single images to pretrain on: its groups stand in for patients, and no image knows another in time."""

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
from training.video.formats import IMAGE_SUFFIXES, natural_key


class _Row(TableRow):
    """A line of the CSV: without labels it still tells groups."""

    filename: str = Field(min_length=1)
    label: str = ""
    group: str = ""


@dataclass(frozen=True)
class PretrainImages:
    """Images in groups; each group is a study and a patient."""

    folder: Path
    groups: tuple[str, ...]
    filenames: tuple[tuple[str, ...], ...]
    """Of each group, in natural order: an image's place is its frame of the study."""
    labels: tuple[tuple[str, ...], ...]
    """The same; "" where an image has none."""
    left_out: str
    """What of the folder is not used, as a sentence; empty where all is."""

    @property
    def manifest(self) -> Manifest:
        """The groups as studies."""
        return Manifest(
            studies=tuple(StudyEntry(study_id=name, patient_id=name, path=self.folder) for name in self.groups)
        )

    @property
    def spans(self) -> tuple[SequenceSpan, ...]:
        """Every group whole."""
        return tuple(SequenceSpan(number, number, 0, len(names)) for number, names in enumerate(self.filenames))

    @property
    def pictures(self) -> dict[int, tuple[str, tuple[Path, ...]]]:
        """Number of each group -> its name and its files."""
        return {
            number: (name, tuple(self.folder / file for file in files))
            for number, (name, files) in enumerate(zip(self.groups, self.filenames, strict=True))
        }

    def labelled(self) -> ImageSet | None:
        """The labelled images as a set to judge by, or None where neighbours of other groups could not judge."""
        found = [
            (group, file, label)
            for group, (files, labels) in enumerate(zip(self.filenames, self.labels, strict=True))
            for file, label in zip(files, labels, strict=True)
            if label
        ]
        names = sorted({label for _, _, label in found}, key=lambda name: (name != NORMAL, name))
        if len(names) < 2 or len({group for group, _, _ in found}) < 2:
            return None
        study, label = (np.array([column], dtype=np.int64).reshape(-1) for column in (
            [group for group, _, _ in found], [names.index(name) for _, _, name in found]
        ))  # fmt: skip
        frames = LabelledFrames(self.manifest.studies, tuple(names), study, np.arange(len(found)), label)
        return ImageSet(self.folder, tuple(file for _, file, _ in found), frames)


def pretrain_images(folder: Path, labels: Path | None, held_out: Collection[str] = ()) -> PretrainImages:
    """The images of a folder (those in folders within it too), or those that a CSV names, in their groups.

    Without a CSV, and for rows without a group, the group is the folder that the image lies in (ours). Images of groups
    that are held out are left out, and said.

    Args:
        folder: of the images.
        labels: CSV with filename and, where known, label and group; what it does not name is not used.
        held_out: groups that must not enter.

    Raises:
        UserError: no folder, no images, an image that is not there or stands twice.
    """
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.", "Give the folder that holds the images.")
    there = _files(folder)
    rows = read_rows(labels, _Row, ("filename",)) if labels else [_Row(filename=name) for name in there]
    _check_rows(folder, rows)
    grouped: dict[str, list[_Row]] = {}
    for row in sorted(rows, key=lambda row: natural_key(row.filename)):
        grouped.setdefault(_group(folder, row), []).append(row)
    kept = {name: grouped[name] for name in sorted(grouped, key=natural_key) if name not in held_out}
    if not kept:
        raise UserError(
            f"There are no images to pretrain on in {folder}.", "Check the folder, the CSV and who is held out."
        )
    said = [f"{len(there) - len(rows):,} images of the folder are not named in {labels.name}."] if labels else []
    said = said if len(there) > len(rows) else []
    if without := sum(len(grouped[name]) for name in grouped if name not in kept):
        said.append(f"{without:,} images of {len(grouped) - len(kept)} held-out groups are left out.")
    return PretrainImages(
        folder,
        tuple(kept),
        tuple(tuple(row.filename for row in group) for group in kept.values()),
        tuple(tuple(row.label for row in group) for group in kept.values()),
        " ".join(said),
    )


def _files(folder: Path) -> list[str]:
    """Every image below a folder, by its path in it."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in IMAGE_SUFFIXES)
    return [path.relative_to(folder).as_posix() for path in found if not path.name.startswith(".")]


def _check_rows(folder: Path, rows: Collection[_Row]) -> None:
    seen: set[str] = set()
    for row in rows:
        if row.filename in seen:
            raise UserError(f"The image {row.filename} stands twice in the CSV.", "Each image stands once.")
        seen.add(row.filename)
        if not (folder / row.filename).is_file():
            raise UserError(f"The image {folder / row.filename} is not there.", "Check the folder and the CSV.")


def _group(folder: Path, row: _Row) -> str:
    return row.group or Path(row.filename).parent.as_posix().replace(".", "", 1).strip("/") or folder.resolve().name
