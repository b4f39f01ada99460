"""A folder of images with a table of labels beside them, as a person or a script writes it.

`labels.csv` has a row for each image (`filename,label`, and where it is known `group`, the patient or recording, and
`source`, the device or data set); a label such as `erosion|blood` names two findings. `boxes.csv`
(`filename,x_min,y_min,x_max,y_max`, in px, and where wanted `label`) says where they are. The files lie as the table
names them, below the folder itself or below its folder `images`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from training.datasets.labels import NORMAL
from training.datasets.public.files import image_paths
from training.datasets.public.layout import PublishedBox, PublishedImage, PublishedSet
from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.settings import MAX_TEXT
from training.texts import count_text

LABELS, BOXES = "labels.csv", "boxes.csv"
SEPARATOR = "|"
"""Between the labels of one image."""
HEAD_BYTES = 4096
"""In which the first line of a table ends."""
_PLACES = ("", "images/")


class _ImageRow(TableRow):
    filename: str = Field(min_length=1, max_length=MAX_TEXT)
    label: str = Field("", max_length=MAX_TEXT)
    group: str = Field("", max_length=MAX_TEXT)
    source: str = Field("", max_length=MAX_TEXT)


class _BoxRow(TableRow):
    filename: str = Field(min_length=1, max_length=MAX_TEXT)
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    label: str = Field("", max_length=MAX_TEXT)


def is_labelled_table(path: Path) -> bool:
    """Whether a file is a table that gives images a label by their file names; only its first line is read."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
    cells = re.split(r"[,;\t]", (text.splitlines() or [""])[0])
    return {"filename", "label"} <= {cell.strip().strip('"').lower() for cell in cells}


def read_labelled_table(folder: Path, labels: str = LABELS) -> PublishedSet:
    """Read the images that the table names; each group counts as a recording and as a patient.

    Rows without a label and boxes without a finding to name are left out, which is said.

    Args:
        folder: of the images.
        labels: name of the table in it.

    Raises:
        UserError: naming file and line, for a row that cannot be read; or no image of the table is there.
    """
    rows = read_rows(folder / labels, _ImageRow, ("filename", "label"))
    paths = image_paths(folder)
    place_of = _places(paths)
    named: dict[str, list[_ImageRow]] = defaultdict(list)
    missing = []
    for row in rows:
        if (path := place_of.get(_plain_path(row.filename))) is None:
            missing.append(row.filename)
        else:
            named[path].append(row)
    if not named:
        raise UserError(
            "None of the {count} images that {table} names is in {folder}.",
            "Put the images beside the table or in a folder images beside it, and write their names as they are there.",
            len(rows),
            labels,
            folder,
        )
    boxes, notes = _boxes(folder, place_of, named)
    images = tuple(_image(path, its, boxes.get(path, ())) for path, its in named.items() if _labels(its))
    if bare := [path for path, its in named.items() if not _labels(its)]:
        notes.append(
            count_text(
                "{count:,} image has no label and is left out: {example}.",
                "{count:,} images have no label and are left out, such as {example}.",
                len(bare),
                bare[0],
            )
        )
    if others := [path for path in paths if path not in named]:
        notes.append(
            count_text(
                "{count:,} image is not in {table} and is left out: {example}.",
                "{count:,} images are not in {table} and are left out, such as {example}.",
                len(others),
                labels,
                others[0],
            )
        )
    return PublishedSet(images, tuple(missing), notes=tuple(notes))


def loose_images_notes(paths: Sequence[str]) -> list[str]:
    """The sentence on images that lie in no class folder; none where there are none."""
    if not paths:
        return []
    return [
        count_text(
            "{count:,} image is in no class folder and is left out: {example}.",
            "{count:,} images are in no class folder and are left out, such as {example}.",
            len(paths),
            paths[0],
        )
    ]


def _places(paths: Iterable[str]) -> dict[str, str]:
    """What a table may call a file -> its path below the folder."""
    places: dict[str, str] = {}
    for path in paths:
        for start in _PLACES:
            if path.startswith(start):
                places.setdefault(path.removeprefix(start), path)
    return places


def _plain_path(name: str) -> str:
    return name.replace("\\", "/").removeprefix("./")


def _labels(rows: Iterable[_ImageRow]) -> tuple[str, ...]:
    """The labels of an image, each once; several rows of one image add up."""
    parts = (part.strip() for row in rows for part in row.label.split(SEPARATOR))
    return tuple(dict.fromkeys(filter(None, parts)))


def _image(path: str, rows: list[_ImageRow], boxes: Iterable[PublishedBox]) -> PublishedImage:
    group = next((row.group for row in rows if row.group), "")
    source = next((row.source for row in rows if row.source), "")
    return PublishedImage(path, _labels(rows), group, group, tuple(boxes), source=source)


def _boxes(
    folder: Path, place_of: Mapping[str, str], named: Mapping[str, list[_ImageRow]]
) -> tuple[dict[str, list[PublishedBox]], list[str]]:
    """The boxes of each image; a box that is not named surrounds the one finding of its image."""
    if not (folder / BOXES).is_file():
        return {}, []
    boxes: dict[str, list[PublishedBox]] = defaultdict(list)
    without_image = unclear = 0
    for row in read_rows(folder / BOXES, _BoxRow, ("filename", "x_min", "y_min", "x_max", "y_max")):
        path = place_of.get(_plain_path(row.filename), "")
        if path not in named:
            without_image += 1
            continue
        findings = [row.label] if row.label else [name for name in _labels(named[path]) if name.lower() != NORMAL]
        if len(findings) == 1:
            boxes[path].append(PublishedBox(findings[0], row.x_min, row.y_min, row.x_max, row.y_max))
        else:
            unclear += 1
    return boxes, _box_notes(without_image, unclear)


def _box_notes(without_image: int, unclear: int) -> list[str]:
    notes: list[str] = []
    if without_image:
        notes.append(
            count_text(
                "{count:,} box is of an image that is not labelled, and is left out.",
                "{count:,} boxes are of images that are not labelled, and are left out.",
                without_image,
            )
        )
    if unclear:
        notes.append(
            count_text(
                "{count:,} box is left out: its image has several findings or none, and the box does not say which.",
                "{count:,} boxes are left out: their images have several findings or none, and the boxes do not say "
                "which.",
                unclear,
            )
        )
    return notes
