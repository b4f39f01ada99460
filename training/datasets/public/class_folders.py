"""Sets with a folder of images for each class: KID 1 and 2, CAD-CAP, Capsule Vision 2024, and any plain folder.

Layouts, as the sets' pages and public code describe them (but for plain folders not tried on real files):

* KID (Koulaouzidis et al. 2017; https://mdss.uth.gr/datasets/endoscopy/kid/): `kid-dataset-1/<kind>/*.png` (such as
  `active bleeding/bleeding3.png`); `kid-dataset-2/` with the folders `inflammatory`, `polypoid`, `vascular`,
  `ampulla-of-vater`, `normal-esophagus`, `normal-stomach`, `normal-small-bowel`, `normal-colon`. The mask of `1.png` is
  `1m.png`. All images are 360 x 360 px. Nothing is said of patients.
* CAD-CAP, the small-bowel part of GIANA 2018 (https://giana.grand-challenge.org/; Leenhardt et al. 2020): `normal/`,
  `inflammatory/`, `vascularlesions/` (some copies have them below `training/`), JPEG files of 576 x 576 or
  704 x 704 px; the mask of `1.jpg` is `1_a.jpg`. Nothing is said of patients.
* Capsule Vision 2024 (Handa et al. 2024; https://figshare.com/articles/dataset/26403469,
  https://github.com/misahub2023/Capsule-Vision-2024-Challenge; written out in
  https://github.com/arnavs04/capsule-vision-2024/blob/main/data/samples/dir-info.txt):
  `training/<class>/<source>/*.jpg` and `validation/<class>/<source>/*.jpg`, with `training_data.xlsx` and
  `validation_data.xlsx` beside, which say the same and are not read. Sources are KID, KVASIR, SEE-AI and AIIMS.
* `DIR/<class>/.../<image>`: the first folder below DIR is the class, as many sets and all hand-made ones have it.
  Nothing is known of patients, so each image may come from any; who knows more puts `labels.csv`
  (`filename,label,group`) beside the images, which is then read instead (see `labelled_table`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from training.datasets.public.boxes import images_and_masks
from training.datasets.public.files import image_paths, left_out_notes
from training.datasets.public.labelled_table import LABELS, is_labelled_table, loose_images_notes, read_labelled_table
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
CAD_CAP_KINDS = ("normal", "inflammatory", "vascularlesions")
_CAD_CAP_SPELLINGS = dict.fromkeys(("vascular", "vascular lesions", "vascular_lesions"), "vascularlesions")
PARTS = ("training", "validation")
SOURCES = ("AIIMS", "KID", "KVASIR", "SEE-AI")
"""Whose images Capsule Vision 2024 joins."""
_KVASIR_NAME = re.compile(r"([0-9a-f]{16})_([0-9]+)")


def _with_masks(
    folder: Path, ending: str, mask_suffix: str, kind_of: Callable[[str], str]
) -> tuple[tuple[PublishedImage, ...], list[str]]:
    """The images of known kinds with their masks, and the paths of the others; `kind_of` takes a folder's name."""
    paths, masks = images_and_masks(folder, ending, mask_suffix)
    kinds = {path: kind_of(path.rsplit("/", 2)[-2]) if "/" in path else "" for path in paths}
    images = tuple(
        PublishedImage(path, (kind,), mask=masks.get(path, ""), region=REGIONS.get(kind, ""))
        for path, kind in kinds.items()
        if kind
    )
    return images, [path for path, kind in kinds.items() if not kind]


def read_kid_1(folder: Path) -> PublishedSet:
    """Read KID 1, or its folder's parent; the last folder of an image names its kind."""
    images, others = _with_masks(folder, "m", ".png", str)
    if not images:
        raise UserError(f"{folder} has no folders with images.", "Give the folder that holds the unpacked KID.")
    notes = ["KID does not name patients, so it cannot be split by patient."]
    return PublishedSet(images, notes=(*notes, *left_out_notes(others, "are in no folder of a kind")))


def read_kid_2(folder: Path) -> PublishedSet:
    """Read KID 2; a kind without a folder is missing."""
    result = read_kid_1(folder)
    there = {SPELLINGS.get(image.labels[0], image.labels[0]) for image in result.images}
    missing = tuple(f"{kind}/" for kind in KINDS_2 if kind not in there)
    return PublishedSet(result.images, missing, notes=result.notes)


def read_cad_cap(folder: Path) -> PublishedSet:
    """Read the three folders; one that is not there is missing. Raises `UserError` where none is."""

    def kind_of(name: str) -> str:
        kind = _CAD_CAP_SPELLINGS.get(name.lower(), name.lower())
        return kind if kind in CAD_CAP_KINDS else ""

    images, others = _with_masks(folder, "_a", ".jpg", kind_of)
    if not images:
        named = ", ".join(CAD_CAP_KINDS)
        raise UserError(f"{folder} has none of the folders {named}.", "Give the folder that holds them.")
    notes = ["CAD-CAP does not name patients, so it cannot be split by patient."]
    notes += left_out_notes(others, "are in other folders (a test part has no labels)")
    there = {image.labels[0] for image in images}
    drawn = {image.labels[0] for image in images if image.mask}
    notes += [f"No image of {kind} has a mask." for kind in CAD_CAP_KINDS[1:] if kind in there - drawn]
    images = tuple(replace(image, split=(["", "", *image.path.lower().split("/")])[-3]) for image in images)
    return PublishedSet(images, tuple(f"{kind}/" for kind in CAD_CAP_KINDS if kind not in there), notes=tuple(notes))


def _of_class(path: str, kind: str, below: Sequence[str]) -> PublishedImage:
    """An image of a class; the folders below that of the class may name the set that it was taken from."""
    source = next((name for name in below if name.upper() in SOURCES), "")
    result = _KVASIR_NAME.match(path.rsplit("/", 1)[-1]) if "kvasir" in path.lower() else None
    study, number = (result.group(1), int(result.group(2))) if result else ("", None)
    return PublishedImage(path, (kind,), study, frame_number=number, source=source)


def read_capsule_vision(folder: Path) -> PublishedSet:
    """Read both parts; one that is not there is missing. Raises `UserError` where neither is.

    A file name of Kvasir-Capsule consists of recording and frame number; other sources say neither.
    """
    images: list[PublishedImage] = []
    others: list[str] = []
    for path in image_paths(folder):
        parts = path.split("/")
        at = next((place for place, name in enumerate(parts) if name.lower() in PARTS), None)
        if at is None or len(parts) <= at + 2:
            others.append(path)
            continue
        images.append(replace(_of_class(path, parts[at + 1], parts[at + 2 : -1]), split=parts[at].lower()))
    if not images:
        raise UserError(f"{folder} has neither training/<class> nor validation/<class>.", "Give the unpacked folder.")
    there = {image.split for image in images}
    notes = [
        "Frames of one patient may be in both parts: the data set was split frame by frame, and only its Kvasir images "
        "name their recording.",
        "Its images are those of Kvasir-Capsule, KID, SEE-AI and AIIMS: do not evaluate a model on it that was trained "
        "on those.",
        *left_out_notes(others, "are not in a class folder of training or validation"),
    ]
    return PublishedSet(tuple(images), tuple(f"{part}/" for part in PARTS if part not in there), notes=tuple(notes))


def read_folders(folder: Path) -> PublishedSet:
    """Read a plain folder; images that lie directly in it have no class, which is said.

    A folder with a table of labels is read by that (`read_labelled_table`).

    Raises:
        UserError: no folder, or none with images; or the table cannot be read.
    """
    if is_labelled_table(folder / LABELS):
        return read_labelled_table(folder)
    paths = image_paths(folder)
    split = ((path, path.split("/")) for path in paths if "/" in path)
    images = tuple(_of_class(path, parts[0], parts[1:-1]) for path, parts in split)
    if not images:
        raise UserError(
            f"{folder} has no folders with images.",
            "Put the images of each class into a folder with the name of the class.",
        )
    loose = [path for path in paths if "/" not in path]
    return PublishedSet(images, notes=tuple(loose_images_notes(loose)))


_KID = (
    "https://mdss.uth.gr/datasets/endoscopy/kid/",
    "academic use, on request",
    "Koulaouzidis et al., KID Project, Endoscopy International Open 5 (2017)",
)
KID_1 = DataSet("kid1", "KID 1", _KID[0], "kid-dataset-1", *_KID[1:], read_kid_1)
KID_2 = DataSet("kid2", "KID 2", _KID[0], "kid-dataset-2", *_KID[1:], read_kid_2)
CAD_CAP = DataSet(
    name="cad-cap",
    title="CAD-CAP (GIANA 2018, small bowel)",
    where="https://giana.grand-challenge.org/",
    what="the small-bowel lesion images with their masks",
    licence="not stated in a source that could be read; available on request",
    citation="Leenhardt et al., CAD-CAP: a 25,000-image database, Endoscopy International Open 8 (2020)",
    read=read_cad_cap,
)
CAPSULE_VISION = DataSet(
    name="capsule-vision-2024",
    title="Capsule Vision 2024",
    where="https://figshare.com/articles/dataset/26403469",
    what="training and validation",
    licence="CC BY 4.0, as https://github.com/eunseobchoi/NIPS26_A_CV2024 (DATA_CARD.md) read on its page",
    citation="Handa et al., Capsule Vision 2024 Challenge, arXiv 2408.04940",
    read=read_capsule_vision,
    images=53_739,
)
FOLDERS = DataSet(
    name="folders",
    title="One folder of images per class",
    where="your own",
    what="one folder per class, or images with labels.csv",
    licence="yours",
    citation="",
    verified="the 1,572 images of WCEBleedGen sorted into two folders",
    read=read_folders,
)
