"""Galar: 80 recordings as folders of frames, with a table of labels for each (Le Floch et al. 2025).

Layout (https://doi.org/10.1038/s41597-025-05112-7, https://figshare.com/articles/25304616; as public code reads it):
`<number>/frame_000100.PNG` (below any folder) and `Labels/<number>.csv`, a row for each frame: `frame` and a column
of 0 and 1 for each label (technical: `good view`, `reduced view`, `no view`, `bubbles`, `dirt`; anatomical regions
`mouth`, `esophagus`, `stomach`, `small intestine`, `colon`; landmarks; findings). Every frame was annotated, so one
without any finding is read as normal, unless it shows nothing (`no view`): ours. Not tried on real files.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from training.datasets.public.delimited import read_delimited
from training.datasets.public.files import image_paths
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
        UserError: no tables, or one without the column `frame`.
    """
    tables = {path.stem: path for path in sorted(folder.rglob("Labels/*.csv"))}
    if not tables:
        raise UserError(f"{folder} has no Labels/*.csv below it.", "Unpack the labels beside the folders of frames.")
    frames = _frames(folder)
    images: list[PublishedImage] = []
    missing: list[str] = []
    for study, path in tables.items():
        if study not in frames:
            missing.append(f"{study}/")
            continue
        rows = {int(float(row["frame"])): row for row in read_delimited(path, ("frame",)) if row["frame"]}
        missing += [f"{study}/frame_{number:06d}.PNG" for number in rows if number not in frames[study]]
        images += [_image(study, frames[study][number], row) for number, row in rows.items() if number in frames[study]]
    return PublishedSet(tuple(images), tuple(missing), notes=tuple(_notes(images)))


def _frames(folder: Path) -> dict[str, dict[int, str]]:
    """Recording -> frame number -> path."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for path in image_paths(folder):
        place = Path(path)
        if match := _FRAME.match(place.stem):
            found[place.parent.name][int(match.group(1))] = path
    return found


def _image(study: str, path: str, row: dict[str, str]) -> PublishedImage:
    said = [name for name, cell in row.items() if cell in ("1", "1.0")]
    labels = [name for name in said if name not in UNREAD]
    if not any(name not in NO_FINDINGS for name in labels) and "no view" not in labels:
        labels.append("normal")
    region = next((REGIONS[name] for name in said if name in REGIONS), "")
    return PublishedImage(path, tuple(labels), study=study, region=region, frame_number=int(float(row["frame"])))


def _notes(images: list[PublishedImage]) -> Iterable[str]:
    if images:
        yield "Frames on which no finding is marked count as normal: every frame of Galar was annotated."


DATA_SET = DataSet(
    name="galar",
    title="Galar",
    where="https://figshare.com/articles/25304616",
    what="the labels, and the frames of some or all recordings",
    licence="see its page",
    citation="Le Floch et al., Galar, Scientific Data (2025), doi 10.1038/s41597-025-05112-7",
    verified="",
    read=read,
    images=3_513_539,
)
