"""Reads and writes YOLO's layout: a text file for each image, a line `class x_center y_center width height` a box."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.datasets.annotations import content
from training.errors import UserError
from training.files import inputs, markup_text
from training.runs.reporter import Reporter, reported
from training.texts import Text
from training.video.formats import IMAGE_SUFFIXES, files_below
from training.video.image_header import image_size

YAML_NAMES = ("data.yaml", "data.yml", "dataset.yaml", "dataset.yml")
LIST_NAMES = ("classes.txt", "obj.names", "labels.txt")
NO_LINE = "its line is not one of YOLO"
UNCLEAR = "the numbers of its line have no clear meaning: box, score and track, or an outline"
SLACK = 0.02
"""By how much of the image an outline may reach beyond its edge."""
NOT_LABELS = frozenset({"train.txt", "val.txt", "valid.txt", "test.txt", "readme.txt", *LIST_NAMES})
MAX_BYTES = 16 * 1024**2
"""Of a text file; the boxes of an image take a few hundred bytes."""
_CELLS = 10
"""More numbers in a line count as a further annotation."""


def yolo_folder(path: Path) -> Path | None:
    """The folder of a YOLO data set that a path names: itself, or where its list of classes lies; None for others."""
    if path.is_dir():
        return path if any((path / name).is_file() for name in (*YAML_NAMES, *LIST_NAMES)) else None
    return path.parent if path.suffix.lower() in (".yaml", ".yml") or path.name in LIST_NAMES else None


def read_yolo_folder(folder: Path, reporter: Reporter, budget: content.Budget) -> content.AnnotationFile:
    """The boxes of all text files below a folder, in shares of their images.

    After the class a line has four numbers for a box, and perhaps a score and the id of a track, or the key points that
    data.yaml announces, which are not used; or
    an outline x, y, x, y, ... What six numbers mean is decided for the whole data set; a line without a clear meaning
    is left out.

    Raises:
        UserError: the classes have no names, or a file cannot be read.
        ImportTooLargeError: see `Budget`.
    """
    file = content.AnnotationFile(folder, "YOLO")
    there = (folder / name for name in YAML_NAMES if (folder / name).is_file())
    described = [markup_text.read_yaml_object(path, "list of classes") for path in there]
    names = _names(folder, described)
    file.fingerprints = content.texts(described[0].get("fingerprints")) if described else {}
    files = files_below(folder)
    images = {_without_suffix(path, "images"): path for path in files if Path(path).suffix.lower() in IMAGE_SUFFIXES}
    files_of_text = [path for path in files if path.lower().endswith(".txt") and Path(path).name not in NOT_LABELS]
    in_labels = [path for path in files_of_text if "labels" in path.split("/")[:-1]] or files_of_text
    lines: list[_Line] = []
    keypoints = _keypoints(described)
    for path in reported(in_labels, reporter, "files", "reading"):
        bare = _without_suffix(path, "labels")
        picture = images.get(bare, "")
        image = content.AnnotatedImage(picture or bare)
        if picture and (size := image_size(folder / picture)) is not None:
            image.height, image.width = size
        budget.take_bytes(folder / path)
        try:
            written = inputs.read_text(folder / path, "file of boxes", max_bytes=MAX_BYTES)
        except UserError as error:
            file.notes.append(Text("{path} is left out: {message}", path, error.message))
            continue
        more = list(_lines(file, image, written, keypoints))
        budget.take(1 + sum(1 + len(line.cells) // _CELLS for line in more) + len(image.file_name) // 100)
        lines += more
        file.images.append(image)
    _add_lines(file, lines, names)
    return file


def _keypoints(described: Sequence[Mapping[str, Any]]) -> int:
    """How many numbers of key points follow each box; 0: none."""
    for shape in (each.get("kpt_shape") for each in described):
        if isinstance(shape, list) and len(shape) == 2:
            count, numbers = map(content.whole, map(str, shape))
            if count is not None and numbers is not None and 0 <= count < 10_000 and 0 <= numbers < 10:
                return count * numbers
    return 0


def _names(folder: Path, described: Sequence[Mapping[str, Any]]) -> list[str]:
    """The classes in the order of their numbers; a number that is not named is an empty text.

    Raises:
        UserError: no file names them.
    """
    if names := next(filter(None, map(names_of, described)), None):
        return names
    for name in LIST_NAMES:
        if (folder / name).is_file():
            lines = inputs.read_text(folder / name, "list of classes", max_bytes=MAX_BYTES).splitlines()
            return [line.strip() for line in lines]
    raise UserError(
        "{folder} does not say what its classes are called.",
        "Put data.yaml or classes.txt beside images and labels.",
        folder,
    )


def names_of(described: Mapping[str, Any]) -> list[str]:
    """The value of `names` in data.yaml: a list or a map; none where there is none.

    Numbers beyond four digits are no class, and gaps between them are empty.
    """
    names = described.get("names")
    if isinstance(names, list):
        return [str(each).strip() for each in names if not isinstance(each, list | dict)]
    result = {
        int(place): str(name).strip()
        for place, name in (names.items() if isinstance(names, dict) else ())
        if place.isdecimal() and len(place) < 5 and not isinstance(name, list | dict)
    }
    return [result.get(place, "") for place in range(max(result, default=-1) + 1)]


def write_yolo(
    folder: Path,
    images: Sequence[content.AnnotatedImage],
    names: Sequence[str],
    fingerprints: Mapping[str, str] | None = None,
) -> None:
    """Write data.yaml, classes.txt, and labels/<name>.txt for each image; an image without boxes has an empty file.

    Args:
        folder: in which `images/` has or will have the pictures.
        images: with `file_name` without folders, width and height; boxes in px.
        names: of the classes; boxes of others are not written.
        fingerprints: study -> fingerprint of its recording; an import finds the study by it.

    Raises:
        OSError: as writing does.
    """
    numbers = {name: place for place, name in enumerate(names)}
    labels = folder / "labels"
    labels.mkdir(parents=True, exist_ok=True)
    for image in images:
        width, height = image.width or 1, image.height or 1
        lines = []
        for box in image.boxes:
            if box.name in numbers:
                centre = (box.x_min + box.x_max) / 2 / width, (box.y_min + box.y_max) / 2 / height
                extent = (box.x_max - box.x_min) / width, (box.y_max - box.y_min) / height
                shares = " ".join(f"{min(max(share, 0.0), 1.0):.8f}" for share in (*centre, *extent))
                lines.append(f"{numbers[box.name]} {shares}\n")
        (labels / f"{image.stem}.txt").write_text("".join(lines), encoding="utf-8")
    entries = "".join(f"  {place}: {json.dumps(name, ensure_ascii=False)}\n" for place, name in enumerate(names))
    head = (
        "# All images are in one folder: split them by patient before you train.\npath: .\ntrain: images\nval: images\n"
    )
    head += f"fingerprints: {json.dumps(dict(fingerprints), ensure_ascii=False)}\n" if fingerprints else ""
    (folder / "data.yaml").write_text(f"{head}nc: {len(names)}\nnames:\n{entries}", encoding="utf-8")
    (folder / "classes.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a text file: the number of the class, and what follows it, the sixth cell as it is written, too."""

    image: content.AnnotatedImage
    kind: int
    cells: array[float]
    """Not a number where a cell is none."""
    sixth: str = ""


def _lines(
    file: content.AnnotationFile, image: content.AnnotatedImage, written: str, keypoints: int
) -> Iterator[_Line]:
    for line in written.splitlines():
        cells = line.split()
        kind = content.whole(cells[0]) if cells else None
        if kind is None or len(cells) < 5:
            if cells:
                file.leave_out(content.BOX, NO_LINE, image)
            continue
        has_keypoints = keypoints and len(cells) - 5 in (keypoints, keypoints + 1)  # perhaps with a score
        given = cells[1:5] if has_keypoints else cells[1:]
        yield _Line(image, kind, array("d", map(content.number, given)), "".join(given[5:6]))


def _add_lines(file: content.AnnotationFile, lines: Sequence[_Line], names: Sequence[str]) -> None:
    """Add the boxes of all lines of a data set, which share one meaning."""
    outlines = [line for line in lines if len(line.cells) > 6]
    has_ids, has_scores = _have_ids(lines), bool(outlines) and all(len(line.cells) % 2 for line in outlines)
    for line in lines:
        name = names[line.kind] if line.kind < len(names) else f"class {line.kind}"
        corners = _corners(line.cells, has_ids=has_ids, has_scores=has_scores)
        if corners is None:
            file.leave_out(content.BOX, UNCLEAR, line.image)
        else:
            file.add_box(line.image, name, corners, is_relative=True)


def _have_ids(lines: Sequence[_Line]) -> bool | None:
    """Whether six numbers are a box, its score and the id of its track; False: three corners; None: unclear."""
    lasts = [line.sixth for line in lines if len(line.cells) == 6]
    if not lasts or not any(last.isdigit() for last in lasts):
        return False
    if not all(last.isdigit() for last in lasts):
        return None if any(last.isdigit() and int(last) > 1 for last in lasts) else False
    return True if any(int(last) > 1 for last in lasts) else None


def _corners(values: Sequence[float], *, has_ids: bool | None, has_scores: bool) -> content.Corners | None:
    """The box of a line in shares; None where its numbers have no clear meaning."""
    count = len(values)
    if count == 6 and has_ids is None:
        return None
    if count < 6 or (count == 6 and has_ids):
        if any(value < 0 or value > 1 for value in values[4:5]):
            return None
        x, y, width, height = values[:4]
        return x - width / 2, y - height / 2, x + width / 2, y + height / 2
    points = values[:-1] if has_scores and count > 6 else values
    if len(points) % 2 or any(value < -SLACK or value > 1 + SLACK for value in points):
        return None
    return content.bounds(zip(points[0::2], points[1::2], strict=True))


def _without_suffix(path: str, part: str) -> str:
    """A path without its suffix and without its innermost folder `part`: images/a.png and labels/a.txt are both a."""
    parts = path.rsplit(".", 1)[0].split("/")
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] == part:
            return "/".join([*parts[:at], *parts[at + 1 :]])
    return "/".join(parts)
