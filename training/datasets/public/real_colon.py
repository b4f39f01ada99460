"""REAL-Colon: 60 whole colonoscopies as folders of frames, with a box around each removed lesion (Biffi et al. 2024).

Layout (https://doi.org/10.25452/figshare.plus.22202866; as https://github.com/cosmoimd/real-colon-dataset describes and
reads it): `SSS-VVV_frames/SSS-VVV_<t>.jpg`, `SSS-VVV_annotations/SSS-VVV_<t>.xml` (an `<object>` for each box, with
`<name>`, `<unique_id>` of the lesion, `<bndbox>` in pixels of `<size>`), `video_info.csv` (`unique_video_name`, `fps`),
`lesion_info.csv` (`unique_object_id`, `unique_video_name`, `size [mm]`, `histology_class`). Each recording is of a
patient of its own. Only lesions that were removed have boxes, so a frame without a box is not normal: it has no label.
The layout is from the public description; not tried on real files.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from training.datasets.public.files import image_paths, left_out_notes, read_numbered
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError
from training.files.markup_text import read_xml

VIDEOS, LESIONS = "video_info.csv", "lesion_info.csv"
SIZE = "size [mm]"
_FRAME = re.compile(r"(\d+-\d+)_(\d+)")
"""Stem of a frame and of its annotation: recording and number."""
_CORNERS = ("xmin", "ymin", "xmax", "ymax")


@dataclass
class _Tables:
    """What both tables say."""

    rates: dict[str, float] = field(default_factory=dict)
    """Recording -> frames per second; of each recording, 0 where it is not said."""
    classes: dict[str, str] = field(default_factory=dict)
    """Lesion -> its histology class, "" where it is not said."""
    sizes_mm: dict[str, float] = field(default_factory=dict)


def read(folder: Path) -> PublishedSet:
    """Read the recordings whose frames are there; the others are missing.

    Raises:
        UserError: a table is missing, lists a recording or a lesion twice, or has a rate that is none; an annotation
            is no such XML file.
    """
    tables = _tables(folder)
    paths = image_paths(folder)
    frames, unused = _by_number(paths)
    files = sorted(path for path in folder.rglob("*.xml") if not path.name.startswith(".") and path.is_file())
    xmls, further = _by_number(path.relative_to(folder).as_posix() for path in files)
    if not frames:
        raise UserError(
            f"{folder} has no frames named as in 001-001_1.jpg below it.", "Unpack the folders SSS-VVV_frames there."
        )
    notes: Counter[str] = Counter()
    images: list[PublishedImage] = []
    missing = [f"{study}_frames/" for study in tables.rates if study not in frames]
    for study, numbered in frames.items():
        annotated = xmls.get(study, {})
        images += _recording(folder, study, numbered, annotated, tables, notes)
        missing += [f"{study}_frames/{study}_{number}.jpg" for number in annotated if number not in numbered]
    sentences = [f"{count:,} {what}." for what, count in notes.items() if count]
    sentences += left_out_notes(unused, "have other names or repeat a frame")
    sentences += [f"{len(further):,} XML files have other names or repeat a frame and are left out."] if further else []
    rates = {study: rate for study, rate in tables.rates.items() if rate}
    return PublishedSet(
        tuple(images),
        tuple(missing),
        notes=("A frame without a box has no label: only removed lesions have boxes.", *sentences),
        sizes_mm=tables.sizes_mm,
        histology={lesion: name for lesion, name in tables.classes.items() if name},
        images_per_second=rates,
    )


def _recording(
    folder: Path,
    study: str,
    frames: Mapping[int, str],
    annotated: Mapping[int, str],
    tables: _Tables,
    notes: Counter[str],
) -> Iterable[PublishedImage]:
    """The images of a recording with the boxes of their annotations."""
    for number, path in frames.items():
        boxes = _boxes(folder / annotated[number], tables, notes) if number in annotated else ()
        notes["frames have no annotation and therefore no label"] += number not in annotated
        labels = tuple(dict.fromkeys(box.label for box in boxes))
        yield PublishedImage(path, labels, study=study, boxes=boxes, frame_number=number)


def _tables(folder: Path) -> _Tables:
    tables = _Tables()
    for line, row in read_numbered(folder / VIDEOS, ("unique_video_name", "fps")):
        name = row["unique_video_name"]
        _check_new(folder / VIDEOS, line, name, tables.rates)
        tables.rates[name] = _rate(folder / VIDEOS, line, row["fps"])
    for line, row in read_numbered(folder / LESIONS, ("unique_object_id", "unique_video_name", "histology_class")):
        name = row["unique_object_id"]
        _check_new(folder / LESIONS, line, name, tables.classes)
        tables.classes[name] = row["histology_class"]
        size = _number(row.get(SIZE, ""))
        if size is not None and size > 0:
            tables.sizes_mm[name] = size
    return tables


def _check_new(path: Path, line: int, name: str, known: Mapping[str, object]) -> None:
    if not name or name in known:
        said = f"{name[:60]} is listed twice" if name else "the name is empty"
        raise UserError(f"{path}, line {line}: {said}.", "Download the file again.")


def _rate(path: Path, line: int, cell: str) -> float:
    """Frames per second; 0 for an empty cell."""
    rate = _number(cell) if cell else 0.0
    if rate is None or not (0 < rate <= 1000 or not cell):
        raise UserError(f"{path}, line {line}: “{cell[:60]}” is no number of frames per second.", "Download it again.")
    return rate


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _by_number(paths: Iterable[str]) -> tuple[dict[str, dict[int, str]], list[str]]:
    """Recording -> number -> path; and the paths that have another name, or whose frame an earlier one has."""
    result: dict[str, dict[int, str]] = defaultdict(dict)
    others = []
    for path in paths:
        match = _FRAME.fullmatch(Path(path).stem)
        if match is None or int(match.group(2)) in result[match.group(1)]:
            others.append(path)
        else:
            result[match.group(1)][int(match.group(2))] = path
    return result, others


def _boxes(path: Path, tables: _Tables, notes: Counter[str]) -> tuple[PublishedBox, ...]:
    """The boxes of an annotation in shares of the size that it names: a copy may have smaller frames."""
    root = read_xml(path)
    objects = root.findall("object")
    width, height = (_value(path, root, f"size/{name}") for name in ("width", "height")) if objects else (1.0, 1.0)
    if width <= 0 or height <= 0:
        raise UserError(f"{path} names no size of the frame.", "Download it again.")
    boxes = []
    for element in objects:
        lesion = (element.findtext("unique_id") or "").strip()
        notes[f"boxes have a lesion that {LESIONS} does not list"] += lesion not in tables.classes
        x_min, y_min, x_max, y_max = (_value(path, element, f"bndbox/{name}") for name in _CORNERS)
        outside = x_min < -1 or y_min < -1 or x_max > width + 1 or y_max > height + 1
        notes["boxes reach beyond their frame and are cut at its edges"] += outside
        name = tables.classes.get(lesion) or (element.findtext("name") or "").strip() or "lesion"
        corners = x_min / width, y_min / height, x_max / width, y_max / height
        boxes.append(PublishedBox(name, *corners, is_relative=True, finding=lesion))
    twice = [lesion for lesion, count in Counter(box.finding for box in boxes).items() if lesion and count > 1]
    notes["frames have two boxes of one lesion"] += bool(twice)
    return tuple(boxes)


def _value(path: Path, element: Element, name: str) -> float:
    cell = (element.findtext(name) or "").strip()
    number = _number(cell)
    if number is None:
        raise UserError(f"{path}: {name} is “{cell[:60]}”, not a number.", "Download the file again.")
    return number


DATA_SET = DataSet(
    name="real-colon",
    title="REAL-Colon",
    where="https://doi.org/10.25452/figshare.plus.22202866",
    what="video_info.csv, lesion_info.csv, frames and annotations of some or all recordings",
    licence="CC BY 4.0",
    citation="Biffi et al., REAL-Colon, Scientific Data 11, 539 (2024), doi 10.1038/s41597-024-03359-0",
    read=read,
    images=2_757_723,
    marks=(VIDEOS,),
)
