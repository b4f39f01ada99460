"""Kvasir-Capsule's layout: a folder of frames for each class, and metadata.csv with the corners of boxes.

(Smedsrud et al., Scientific Data 2021; the layout is described in `training.datasets.public.kvasir_capsule`.)
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.datasets.annotations.content import AnnotatedImage, AnnotationFile
from training.datasets.public import kvasir_capsule
from training.datasets.public.contents import labels_folder, vocabulary
from training.datasets.public.files import read_delimited
from training.files.csv_text import guarded
from training.files.delimited import first_line, read_table
from training.runs.reporter import Reporter

IMAGES = "labelled_images"
FINGERPRINT = "recording_fingerprint"
"""A column of ours, by which an import finds the study."""
NEGATIVES = "negatives.csv"
NEGATIVE_COLUMNS = (*kvasir_capsule.METADATA[:3], "absent_class")
COLUMNS = (*kvasir_capsule.METADATA[:3], "finding_category", "finding_class", *kvasir_capsule.CORNERS, FINGERPRINT)


def is_kvasir(folder: Path) -> bool:
    """Whether a folder has the table of this layout."""
    path = folder / "metadata.csv"
    if not path.is_file():
        return False
    header = first_line(path)
    return all(name in header for name in kvasir_capsule.METADATA)


def read_kvasir(folder: Path, reporter: Reporter) -> AnnotationFile:
    """Read such a folder: the recording and the frame number say which frame an image is.

    Raises:
        UserError: the table is damaged.
    """
    reporter.check()
    result = kvasir_capsule.read(folder)
    file = AnnotationFile(folder, "Kvasir-Capsule")
    file.fingerprints = {**_fingerprints(folder / NEGATIVES), **_fingerprints(folder / "metadata.csv")}
    for published in result.images:
        image = AnnotatedImage(
            published.path.rsplit("/", 1)[-1], study_id=published.study, frame_index=published.frame_number
        )
        image.labels += published.labels
        for box in published.boxes:
            file.add_box(image, box.label, (box.x_min, box.y_min, box.x_max, box.y_max))
        file.images.append(image)
    table = folder / NEGATIVES
    if table.is_file():  # this program wrote the folder
        file.add_negatives(
            AnnotatedImage(
                row["filename"],
                study_id=row["video_id"],
                frame_index=kvasir_capsule.frame_number(table, row),
                absent=[row["absent_class"]],
            )
            for row in read_delimited(table, NEGATIVE_COLUMNS)
        )
    return file


def _fingerprints(table: Path) -> dict[str, str]:
    """Of the recordings, where this program wrote the table."""
    if not table.is_file() or FINGERPRINT not in first_line(table):
        return {}
    read = read_table(table, (COLUMNS[1], FINGERPRINT), numbers=())
    study, content = (read.header.index(name) for name in (COLUMNS[1], FINGERPRINT))
    return {cells[study]: cells[content] for _, cells in read.rows if len(cells) > content and cells[content]}


def kvasir_name(name: str) -> str:
    """The data set's own word for a class of the vocabulary; the class itself where it has none."""
    published = json.loads((labels_folder() / "published" / "kvasir-capsule.json").read_text(encoding="utf-8"))
    return next((label for label, term in published["labels"].items() if term == name), name)


def class_folder(name: str) -> str:
    """The folder of a class, without what a file system may not take."""
    plain = "".join(character if character.isalnum() or character in " -_" else "-" for character in kvasir_name(name))
    return plain.strip()[:100] or "class"


def write_kvasir(
    folder: Path,
    images: Sequence[AnnotatedImage],
    negatives: Sequence[AnnotatedImage] = (),
    fingerprints: Mapping[str, str] | None = None,
) -> None:
    """Write metadata.csv: a row for each label of an image, with corners for each box of that class; and a README.

    Args:
        folder: of the set.
        images: with `file_name`, study and frame; boxes in px.
        negatives: frames with `absent`, the same; written to negatives.csv.
        fingerprints: study -> fingerprint of its recording; an import finds the study by it.

    Raises:
        OSError: as writing does.
    """
    (folder / "README.md").write_text(
        f"""\
Frames in the layout of Kvasir-Capsule, written by wce-desktop. Research use only, not for diagnosis.

{IMAGES}/     a folder for each class that a reader said is there
metadata.csv         a row for each image and class, with the corners of boxes
{NEGATIVES}        (where there are any) a row for each frame and class of which a reader said that the class
                     is not there. It says nothing of other classes, and does not mean normal: other things may be
                     on the frame. These frames have no picture here, unless another class is on them.

The folder of normal frames has those that a reader called normal, nothing else.
""",
        encoding="utf-8",
    )
    if negatives:
        with (folder / NEGATIVES).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=";")
            writer.writerow((*NEGATIVE_COLUMNS, FINGERPRINT))
            for image in negatives:
                recording = (fingerprints or {}).get(image.study_id, "")
                for name in dict.fromkeys(image.absent):
                    row = image.file_name, image.study_id, image.frame_index, guarded(kvasir_name(name)), recording
                    writer.writerow(row)
    landmarks = frozenset(term.name for term in vocabulary("kvasir-capsule").terms.values() if term.kind == "landmark")
    names = {name for image in images for name in (*image.labels, *(box.name for box in image.boxes))}
    words = {name: kvasir_name(name) for name in names}
    with (folder / "metadata.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(COLUMNS)
        for image in images:
            for name in dict.fromkeys([*image.labels, *(box.name for box in image.boxes)]):
                start = image.file_name.rsplit("/", 1)[-1], image.study_id, image.frame_index
                kind = "Anatomy" if name in landmarks else "Luminal"
                rows: list[tuple[object, ...]] = [
                    (b.x_min, b.y_min, b.x_max, b.y_min, b.x_max, b.y_max, b.x_min, b.y_max)
                    for b in image.boxes
                    if b.name == name
                ]
                for corners in rows or [("",) * 8]:
                    recording = (fingerprints or {}).get(image.study_id, "")
                    writer.writerow((*start, kind, guarded(words[name]), *corners, recording))
