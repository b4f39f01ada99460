"""CAD-CAP, the small-bowel part of GIANA 2018: three folders of images, with masks of the lesions beside them.

Layout (https://giana.grand-challenge.org/; Leenhardt et al. 2020; as public code reads it): `normal/`, `inflammatory/`,
`vascularlesions/` (some copies have them below `training/`), JPEG files of 576 x 576 or 704 x 704 px; the mask of
`1.jpg` is `1_a.jpg`. Nothing is said of patients. Not tried on real files.
"""

from pathlib import Path

from training.datasets.public.boxes import images_and_masks
from training.datasets.public.files import left_out_notes
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.errors import UserError

KINDS = ("normal", "inflammatory", "vascularlesions")
_SPELLINGS = {
    "vascular": "vascularlesions",
    "vascular lesions": "vascularlesions",
    "vascular_lesions": "vascularlesions",
}


def read(folder: Path) -> PublishedSet:
    """Read the three folders; one that is not there is missing. Raises `UserError` where none is."""
    paths, masks = images_and_masks(folder, "_a", ".jpg")
    images = tuple(
        PublishedImage(path, (kind,), mask=masks.get(path, ""), split=_part(path))
        for path in paths
        if (kind := _kind(path)) in KINDS
    )
    if not images:
        raise UserError(f"{folder} has none of the folders {', '.join(KINDS)}.", "Give the folder that holds them.")
    notes = ["CAD-CAP does not name patients, so it cannot be split by patient."]
    others = [path for path in paths if _kind(path) not in KINDS]
    notes += left_out_notes(others, "are in other folders (a test part has no labels)")
    there = {image.labels[0] for image in images}
    drawn = {image.labels[0] for image in images if image.mask}
    notes += [f"No image of {kind} has a mask." for kind in KINDS[1:] if kind in there - drawn]
    return PublishedSet(images, tuple(f"{kind}/" for kind in KINDS if kind not in there), notes=tuple(notes))


def _kind(path: str) -> str:
    folder = path.rsplit("/", 2)[-2].lower() if "/" in path else ""
    return _SPELLINGS.get(folder, folder)


def _part(path: str) -> str:
    parts = path.split("/")
    return parts[-3].lower() if len(parts) > 2 else ""


DATA_SET = DataSet(
    name="cad-cap",
    title="CAD-CAP (GIANA 2018, small bowel)",
    where="https://giana.grand-challenge.org/",
    what="the small-bowel lesion images with their masks",
    licence="not stated in a source that could be read; available on request",
    citation="Leenhardt et al., CAD-CAP: a 25,000-image database, Endoscopy International Open 8 (2020)",
    verified="",
    read=read,
)
