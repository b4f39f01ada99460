"""KID 1 and KID 2: a folder of images for each kind, with masks of what was found (Koulaouzidis et al. 2017).

Layout (https://mdss.uth.gr/datasets/endoscopy/kid/; as public code reads it): `kid-dataset-1/<kind>/*.png` (such as
`active bleeding/bleeding3.png`); `kid-dataset-2/` with the folders `inflammatory`, `polypoid`, `vascular`,
`ampulla-of-vater`, `normal-esophagus`, `normal-stomach`, `normal-small-bowel`, `normal-colon`. The mask of `1.png`
is `1m.png`. All images are 360 x 360 px. Nothing is said of patients. Not tried on real files.
"""

from pathlib import Path

from training.datasets.public.boxes import images_and_masks
from training.datasets.public.files import left_out_notes
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.errors import UserError

REGIONS = {
    "normal-esophagus": "esophagus",
    "normal-stomach": "stomach",
    "normal-small-bowel": "small bowel",
    "normal-colon": "colon",
    "ampulla-of-vater": "small bowel",
}
KINDS_2 = (*REGIONS, "inflammatory", "polypoid", "vascular")
SPELLINGS = {"polypoids": "polypoid"}


def read_kid_1(folder: Path) -> PublishedSet:
    """Read KID 1, or its folder's parent; the last folder of an image names its kind."""
    return _read(folder)


def read_kid_2(folder: Path) -> PublishedSet:
    """Read KID 2; a kind without a folder is missing."""
    found = _read(folder)
    there = {SPELLINGS.get(image.labels[0], image.labels[0]) for image in found.images}
    missing = tuple(f"{kind}/" for kind in KINDS_2 if kind not in there)
    return PublishedSet(found.images, missing, notes=found.notes)


def _read(folder: Path) -> PublishedSet:
    paths, masks = images_and_masks(folder, "m", ".png")
    images = tuple(
        PublishedImage(path, (kind,), mask=masks.get(path, ""), region=REGIONS.get(kind, ""))
        for path in paths
        if (kind := _kind(path))
    )
    if not images:
        raise UserError(f"{folder} has no folders with images.", "Give the folder that holds the unpacked KID.")
    notes = ["KID does not name patients, so it cannot be split by patient."]
    notes += left_out_notes([path for path in paths if not _kind(path)], "are in no folder of a kind")
    return PublishedSet(images, notes=tuple(notes))


def _kind(path: str) -> str:
    """Name of the folder that holds the image; empty where it lies in the set's own."""
    return path.rsplit("/", 2)[-2] if "/" in path else ""


_WHERE = "https://mdss.uth.gr/datasets/endoscopy/kid/"
_LICENCE = "academic use, on request"
_CITATION = "Koulaouzidis et al., KID Project, Endoscopy International Open 5 (2017)"
KID_1 = DataSet("kid1", "KID 1", _WHERE, "kid-dataset-1", _LICENCE, _CITATION, "", read_kid_1)
KID_2 = DataSet("kid2", "KID 2", _WHERE, "kid-dataset-2", _LICENCE, _CITATION, "", read_kid_2)
