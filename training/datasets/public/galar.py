"""Galar: 80 recordings as folders of frames, with a table of labels for each (Le Floch et al. 2025).

Layout (https://doi.org/10.1038/s41597-025-05112-7, https://doi.org/10.25452/figshare.plus.25304616; as public code
reads it): `<number>/frame_000100.PNG`, `frame_000105.PNG`, ... (below any folder) and `Labels/<number>.csv`, whose
number may lack the zeros of the folder (`Labels/1.csv`, `001/`), a row for each frame: `frame` and a column of 0 and 1
for each label (technical: `good view`, `reduced view`, `no view`, `bubbles`, `dirt`; anatomical regions `mouth`,
`esophagus`, `stomach`, `small intestine`, `colon`; landmarks; findings).
Every frame was annotated, so one without any finding is read as normal, unless it shows nothing (`no view`): ours.
Frames whose numbers are one least step of their table apart are successive (ours). Not tried on real files.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from training.datasets.public.files import image_paths, left_out_notes, read_numbered
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.errors import UserError

REGIONS = {"esophagus": "esophagus", "stomach": "stomach", "small intestine": "small bowel", "colon": "colon"}
NO_FINDINGS = (
    *("mouth", *REGIONS),
    *("good view", "reduced view", "no view", "bubbles", "dirt"),
    *("z-line", "pylorus", "ampulla of vater", "ileocecal valve"),
)
UNREAD = ("index", "frame", "section", "mouth", *REGIONS)
"""Columns that are no labels of a frame; a region is one of its own."""
_FRAME = re.compile(r"frame_0*([0-9]+)$", re.IGNORECASE)


def read(folder: Path) -> PublishedSet:
    """Read the recordings whose frames are there; the others are missing.

    Raises:
        UserError: no tables, or one without the column `frame`, or with a frame that is no number.
    """
    tables = {path.stem: path for path in sorted(folder.rglob("Labels/*.csv"))}
    if not tables:
        raise UserError(f"{folder} has no Labels/*.csv below it.", "Unpack the labels beside the folders of frames.")
    paths = image_paths(folder)
    frames = _frames(paths)
    images: list[PublishedImage] = []
    missing: list[str] = []
    unused: Counter[str] = Counter()
    for study, path in tables.items():
        of_study = frames.get(_folder_of(study, frames), {})
        if not of_study:
            missing.append(f"{study}/")
            continue
        rows = _rows(path, unused)
        step = min((after - before for before, after in pairwise(sorted(rows))), default=1)
        missing += [f"{study}/frame_{number:06d}.PNG" for number in rows if number not in of_study]
        images += [
            _image(study, of_study[number], row, number // step) for number, row in rows.items() if number in of_study
        ]
    return PublishedSet(tuple(images), tuple(missing), notes=tuple(_notes(images, paths, unused)))


def _folder_of(study: str, folders: Iterable[str]) -> str:
    """The folder of a recording: of its name, or else of its number (1.csv and 001/); empty: none, or several."""
    names = list(folders)
    alike = [name for name in names if name.isdecimal() and study.isdecimal() and int(name) == int(study)]
    return study if study in names else alike[0] if len(alike) == 1 else ""


def _rows(path: Path, unused: Counter[str]) -> dict[int, dict[str, str]]:
    """Frame number -> the row of a table that speaks of it first; rows that say nothing new are counted."""
    result: dict[int, dict[str, str]] = {}
    for line, row in read_numbered(path, ("frame",)):
        if not row["frame"]:
            unused["name no frame"] += 1
        elif (number := _number(path, line, row["frame"])) in result:
            unused["repeat a frame of their table"] += 1
        else:
            result[number] = row
    return result


def _number(path: Path, line: int, cell: str) -> int:
    try:
        number = float(cell)
        if number < 0 or not number.is_integer():
            raise ValueError("are not whole numbers")
    except ValueError as error:
        raise UserError(
            f"{path}, line {line}: the frame “{cell[:60]}” is not a frame number.", "Download the file again."
        ) from error
    return int(number)


def _frames(paths: Iterable[str]) -> dict[str, dict[int, str]]:
    """Recording -> frame number -> path."""
    result: dict[str, dict[int, str]] = defaultdict(dict)
    for path in paths:
        place = Path(path)
        if match := _FRAME.match(place.stem):
            result[place.parent.name].setdefault(int(match.group(1)), path)
    return result


def _image(study: str, path: str, row: dict[str, str], number: int) -> PublishedImage:
    sentences = [name for name, cell in row.items() if cell in ("1", "1.0")]
    labels = [name for name in sentences if name not in UNREAD]
    if not any(name not in NO_FINDINGS for name in labels) and "no view" not in labels:
        labels.append("normal")
    region = next((REGIONS[name] for name in sentences if name in REGIONS), "")
    return PublishedImage(path, tuple(labels), study=study, region=region, frame_number=number)


def _notes(images: list[PublishedImage], paths: list[str], unused: Counter[str]) -> Iterable[str]:
    if images:
        yield "Frames without a marked finding count as normal: every frame of Galar was annotated."
    used = {image.path for image in images}
    yield from left_out_notes([path for path in paths if path not in used], "have no row in a table of labels")
    yield from (f"{count:,} rows of the tables {what} and are left out." for what, count in unused.items())


DATA_SET = DataSet(
    name="galar",
    title="Galar",
    where="https://doi.org/10.25452/figshare.plus.25304616",
    what="the labels, and the frames of some or all recordings",
    licence="CC BY 4.0, as https://github.com/IAMOdon/body-atlas-models (CATALOGUE.md) read on its page",
    citation="Le Floch et al., Galar, Scientific Data (2025), doi 10.1038/s41597-025-05112-7",
    read=read,
    images=3_513_539,
)
