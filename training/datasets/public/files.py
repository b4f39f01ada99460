"""The image files below a folder, by their paths and by their names.

Tables and lists of public data sets, and boxes as YOLO writes them.

Which images of a set are successive frames, by the numbers at the end of their names.
"""

import filecmp
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from training.datasets.public.layout import PublishedBox
from training.errors import UserError
from training.files import delimited, inputs
from training.video.formats import IMAGE_SUFFIXES, files_below, natural_key

Line = TypeVar("Line")
_NUMBERED = re.compile(r"(.*?)(\d+)\D{0,2}$")
"""Some copies have an underscore behind the number."""


def frame_numbers(paths: Iterable[str]) -> dict[str, int]:
    """A number for each image of a recording, for `PublishedImage.frame_number`.

    Two images get successive numbers exactly where they lie in one folder and their names differ only in the last
    number, which is one more.

    Args:
        paths: of all images of one recording.
    """
    series: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for path in sorted(paths, key=natural_key):
        folder, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0]
        result = _NUMBERED.fullmatch(stem)
        before, number = (result.group(1), int(result.group(2))) if result else (stem, 0)
        series[folder, before].append((number, path))
    numbers: dict[str, int] = {}
    first = 0
    for members in series.values():
        least = min(number for number, _ in members)
        numbers |= {path: first + number - least for number, path in members}
        first += max(number for number, _ in members) - least + 2
    return numbers


def read_delimited(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of `read_numbered` without the numbers of their lines."""
    return [row for _, row in read_numbered(path, needed)]


def read_numbered(path: Path, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Read a table as rows of text by column.

    Args:
        path: of the file; see `read_table` for what is detected.
        needed: columns that must be there.

    Returns:
        Number of the line (from 1) and row, for each line that is not empty; cells without blanks around them, ""
        where a line is short.

    Raises:
        UserError: as `read_table`, or a cell too many in a line.
    """
    table = delimited.read_table(_there(path), needed)
    return [(line, _row(table, line, cells)) for line, cells in table.rows]


def _there(path: Path) -> Path:
    if not path.exists():
        hint = "Give the folder that holds it, or download it: `datasets list` shows where."
        raise UserError(f"{path} does not exist.", hint)
    return path


def text_lines(path: Path) -> list[str]:
    """The lines of a downloaded text file; raises `UserError` where it is none."""
    try:
        text = inputs.read_text(_there(path), "text file")
    except UserError as error:
        if not path.exists():
            raise
        raise UserError(f"{path} cannot be read as text: {error.message}", "Download it again.") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError(f"{path} cannot be read as text: line {line} holds a null byte.", "Download it again.")
    return text.splitlines()


def _row(table: delimited.Table, line: int, cells: list[str]) -> dict[str, str]:
    names = table.header
    if len(cells) > len(names) and any(cells[len(names) :]):
        raise UserError(
            f"{table.path}, line {line}: {len(cells)} cells where the first line names {len(names)} columns.",
            "The file is damaged, or has another delimiter in some lines: download it again.",
        )
    return dict(zip(names, [cell.strip() for cell in [*cells, *[""] * (len(names) - len(cells))]], strict=False))


def parsed_lines(path: Path, parse: Callable[[str], Line], problem: str, hint: str) -> list[Line]:
    """What is made of each line of a text file that is not empty.

    Args:
        path: the text file.
        parse: of a line; a `ValueError` or `KeyError` says that it is none of its kind.
        problem: what is wrong with such a line, such as "is not a box".
        hint: what a line reads.

    Raises:
        UserError: the file is no text; or naming file and line, for what cannot be parsed.
    """
    result = []
    for number, line in enumerate(text_lines(path), 1):
        if not line.strip():
            continue
        try:
            result.append(parse(line))
        except (ValueError, KeyError) as error:
            shown = f"{path}, line {number}: “{line.strip()[:60]}” {problem}."
            raise UserError(shown, f"A line reads: {hint}. Download the file again.") from error
    return result


def finite(cells: Iterable[str]) -> list[float]:
    """Numbers; raises `ValueError` where one is none."""
    numbers = [float(cell) for cell in cells]
    if not all(map(math.isfinite, numbers)):
        raise ValueError("not finite numbers")
    return numbers


def read_yolo(path: Path, names: Sequence[str]) -> tuple[PublishedBox, ...]:
    """Boxes in shares of the image's width and height, in the order of the file; none for an empty file.

    YOLO has a text file for an image, a line `class x_center y_center width height` for each box.

    Args:
        path: the text file.
        names: of the classes 0, 1, ...

    Raises:
        UserError: as `parsed_lines`.
    """
    name_of: dict[float, str] = dict(enumerate(names))

    def box(line: str) -> PublishedBox:
        kind, x, y, width, height = finite(line.split())
        corners = x - width / 2, y - height / 2, x + width / 2, y + height / 2
        return PublishedBox(name_of[kind], *corners, is_relative=True)

    problem = f"is not a box of one of {len(names)} classes"
    return tuple(parsed_lines(path, box, problem, "class x_center y_center width height"))


def image_paths(folder: Path) -> list[str]:
    """Paths of all images below a folder, relative to it, with forward slashes, in natural order.

    Hidden files and what macOS leaves in archives are no images. Raises `UserError` where there is no such folder.
    """
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.", "Give the folder that holds the unpacked data set.")
    every = files_below(folder)
    return [path for path in every if Path(path).suffix.lower() in IMAGE_SUFFIXES and (folder / path).is_file()]


def files_by_name(folder: Path) -> dict[str, str]:
    """File name -> path below the folder, for sets that keep one image in the folder of each of its classes.

    Raises:
        UserError: two files of one name that are not the same picture.
    """
    result: dict[str, str] = {}
    for path in image_paths(folder):
        name = path.rsplit("/", 1)[-1]
        if name in result and not filecmp.cmp(folder / result[name], folder / path, shallow=False):
            raise UserError(
                f"{folder / result[name]} and {folder / path} have the same name and are different images.",
                "The data set identifies images by their names. Download the folder again.",
            )
        result.setdefault(name, path)
    return result


def left_out_notes(paths: Sequence[str], where: str) -> list[str]:
    """The sentence on images that are not read, with their count and the first; none where there are none.

    Args:
        paths: of the images.
        where: they are, after "images", such as "lie in other folders".
    """
    return [f"{len(paths):,} images {where} and are left out, such as {paths[0]}."] if paths else []
