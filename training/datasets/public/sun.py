"""SUN Colonoscopy Video Database: 100 polyps in a folder each with boxes, 13 recordings without (Misawa et al. 2021).

Layout (http://amed8k.sundatabase.org/; as public code reads it): `sundatabase_positive_part1/case<N>/*.jpg` (and
`part2`), `sundatabase_positive_part1/annotation_txt/case<N>.txt` (a line for each frame: its name, a blank, and
`x_min,y_min,x_max,y_max,class` in pixels, several after each other; class 0 is a polyp, 1 none),
`sundatabase_negative_part1/case<N>/*.jpg` (and `part2` to `part4`). A case of the positive parts is one polyp. Which
two of the 100 polyps are of one patient is not said. The layout is from the public description; not tried on real
files.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from training.datasets.public.files import frame_numbers, image_paths, left_out_notes, text_lines
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError

CLASSES = ("polyp", "non-polyp")
"""Of the classes 0 and 1 in the text files."""
IMAGES_PER_SECOND = 30.0
"""As https://github.com/GewelsJI/VPS (docs/DATA_DESCRIPTION.md) says of clips of these frames."""
ONE_PATIENT_TWICE = (
    "Each case counts as a patient: the 100 polyps are of 99 patients, and which two are of one is not published."
)
_CASE = re.compile(r"case\d+", re.IGNORECASE)
Said = Mapping[str, Mapping[str, tuple[PublishedBox, ...]]]
"""Case -> name of a frame -> its boxes; one around nothing says that there is no polyp."""


def read(folder: Path) -> PublishedSet:
    """Read the cases; a frame of a case with a polyp that the text files do not name has no label.

    Raises:
        UserError: no cases, or a line that is no frame with boxes.
    """
    said = {path.stem.lower(): _boxes(path) for path in sorted(folder.rglob("annotation_txt/*.txt"))}
    cases: dict[str, list[str]] = defaultdict(list)
    others: list[str] = []
    for path in image_paths(folder):
        case = _case(path)
        (cases[case] if case else others).append(path)
    if not cases:
        raise UserError(f"{folder} has no folders case1, case2, ... below it.", "Give the folder that holds the parts.")
    images = [
        _image(path, case, number, said)
        for case, members in cases.items()
        for path, number in frame_numbers(members).items()
    ]
    missing = [f"{case}/" for case in said if case not in cases]
    there = {case: {Path(path).name for path in members} for case, members in cases.items()}
    missing += [f"{case}/{name}" for case in said if case in there for name in said[case] if name not in there[case]]
    return PublishedSet(
        tuple(images),
        tuple(missing),
        notes=tuple(_notes(images, others)),
        images_per_second=dict.fromkeys(cases, IMAGES_PER_SECOND),
    )


def _case(path: str) -> str:
    """The recording of a frame: both parts number their cases from 1, so those without a polyp get a word in front."""
    *above, parent, _ = ["", *path.split("/")]
    if not _CASE.fullmatch(parent):
        return ""
    return f"negative-{parent.lower()}" if any("negative" in name.lower() for name in above) else parent.lower()


def _image(path: str, case: str, number: int, said: Said) -> PublishedImage:
    if case.startswith("negative-"):
        return PublishedImage(path, (CLASSES[1],), study=case, frame_number=number, split="negative")
    boxes = said.get(case, {}).get(Path(path).name, ())
    labels = tuple(dict.fromkeys(box.label for box in boxes))
    around = tuple(box for box in boxes if box.label == CLASSES[0])
    return PublishedImage(path, labels, study=case, boxes=around, frame_number=number, split="positive")


def _boxes(path: Path) -> dict[str, tuple[PublishedBox, ...]]:
    found: dict[str, tuple[PublishedBox, ...]] = {}
    for number, line in enumerate(text_lines(path), 1):
        if not line.strip():
            continue
        try:
            name, *rest = line.split(maxsplit=1)
            cells = [float(cell) for cell in "".join(rest).replace(",", " ").split()]
            if not cells or len(cells) % 5 or not all(map(math.isfinite, cells)):
                raise ValueError(f"{len(cells)} numbers")
            polyp = path.stem.lower()
            boxes = [
                PublishedBox(_class(kind), x_min, y_min, x_max, y_max, finding=polyp)
                for x_min, y_min, x_max, y_max, kind in zip(*[iter(cells)] * 5, strict=True)
            ]
        except ValueError as error:
            raise UserError(
                f"{path}, line {number}: “{line.strip()[:80]}” is not a frame with boxes.",
                "A line reads: name x_min,y_min,x_max,y_max,class, with class 0 or 1. Download the file again.",
            ) from error
        found[name] = tuple(dict.fromkeys((*found.get(name, ()), *boxes)))
    return found


def _class(number: float) -> str:
    if number not in (0, 1):
        raise ValueError(f"class {number:g}")
    return CLASSES[int(number)]


def _notes(images: list[PublishedImage], others: list[str]) -> Iterable[str]:
    yield ONE_PATIENT_TWICE
    counts = Counter(len(image.boxes) for image in images)
    several = sum(count for boxes, count in counts.items() if boxes > 1)
    if several:
        yield f"{several:,} frames have two boxes of one polyp."
    bare = sum(not image.labels for image in images)
    if bare:
        yield f"{bare:,} frames are not named in the text files and have no label."
    if any(CLASSES[1] in image.labels for image in images):
        yield "Frames without a polyp (non-polyp) are read as normal."
    yield from left_out_notes(others, "are in no folder of a case")


DATA_SET = DataSet(
    name="sun",
    title="SUN Colonoscopy Video Database",
    where="http://amed8k.sundatabase.org/",
    what="all parts, on request",
    licence="non-commercial, on request",
    citation="Misawa et al., SUN database, Gastrointestinal Endoscopy 93(4), 960-967 (2021)",
    verified="",
    read=read,
    images=158_690,
)
