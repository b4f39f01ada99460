"""SUN-SEG: the polyps of the SUN database as short clips with masks (Ji et al. 2022).

Layout (https://github.com/GewelsJI/VPS, docs/DATA_DESCRIPTION.md and docs/DATA_PREPARATION.md):
`TrainDataset/Frame/case<N>_<clip>/*.jpg`, `TrainDataset/GT/case<N>_<clip>/*.png` (the mask of a frame has its name),
`TrainDataset/Classification/classification.txt` (lines with the name of a frame and its pathology); the same below
`TestEasyDataset/{Seen,Unseen}/` and `TestHardDataset/{Seen,Unseen}/`. The clips of a case show one polyp. Boxes are
those of the masks: the description of `bbox_annotation.json` gives their corners in an order that public code found to
be another. The layout is from the public description; not tried on real files.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from training.datasets.public.files import frame_numbers, image_paths, left_out_notes, text_lines
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.datasets.public.sun import IMAGES_PER_SECOND, ONE_PATIENT_TWICE
from training.errors import UserError

NOT_SAID = "polyp"
"""Of a frame with a mask that no classification names."""
_CLIP = re.compile(r"(case\d+)(?:_.*)?", re.IGNORECASE)
_DRAWINGS = ("edge", "scribble", "polygon")
"""Further drawings of the same masks."""


def read(folder: Path) -> PublishedSet:
    """Read the clips of all parts; a frame without a mask has no label, and its mask is missing.

    Raises:
        UserError: no clips, or a frame with two pathologies.
    """
    frames: dict[str, list[str]] = defaultdict(list)
    masks: dict[str, str] = {}
    others = []
    for path in image_paths(folder):
        kind, case = _place(path)
        if kind == "frame" and case:
            frames[case].append(path)
        elif kind == "gt" and case:
            masks[_beside(path)] = path
        elif kind not in _DRAWINGS:
            others.append(path)
    if not frames:
        raise UserError(f"{folder} has no Frame/case<N>_<clip>/ below it.", "Put the frames of SUN there, as VPS says.")
    pathologies = _pathologies(folder)
    images = [
        _image(path, case, number, masks, pathologies)
        for case, members in frames.items()
        for path, number in frame_numbers(members).items()
    ]
    missing = [f"{_beside(image.path)}.png" for image in images if not image.mask]
    there = {_beside(image.path) for image in images}
    missing += [_beside(path, "Frame") + ".jpg" for place, path in masks.items() if place not in there]
    return PublishedSet(
        tuple(images),
        tuple(missing),
        notes=tuple(_notes(images, others)),
        images_per_second=dict.fromkeys(frames, IMAGES_PER_SECOND),
    )


def _place(path: str) -> tuple[str, str]:
    """(the folder in small letters that says what a file is, its case)."""
    parts = path.split("/")
    clip = _CLIP.fullmatch(parts[-2]) if len(parts) > 2 else None
    return (parts[-3].lower(), clip.group(1).lower()) if clip else ("", "")


def _beside(path: str, kind: str = "GT") -> str:
    """The path of a frame or a mask in the folder of the other kind, without its suffix."""
    *above, _, clip, name = path.split("/")
    return "/".join([*above, kind, clip, name.rpartition(".")[0]])


def _image(path: str, case: str, number: int, masks: dict[str, str], pathologies: dict[str, str]) -> PublishedImage:
    mask = masks.get(_beside(path), "")
    labels = (pathologies.get(Path(path).stem, NOT_SAID),) if mask else ()
    split = "/".join(path.split("/")[:-3])
    return PublishedImage(
        path, labels, study=case, mask=mask, mask_finding=case if mask else "", frame_number=number, split=split
    )


def _pathologies(folder: Path) -> dict[str, str]:
    """Stem of a frame -> its pathology."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("classification.txt")):
        for number, line in enumerate(text_lines(path), 1):
            if not line.strip():
                continue
            name, *said = line.split()
            stem = Path(name).stem
            if len(said) != 1 or found.setdefault(stem, said[0]) != said[0]:
                problem = "gives another pathology than before" if len(said) == 1 else "is not a frame with a pathology"
                raise UserError(f"{path}, line {number}: “{line.strip()[:80]}” {problem}.", "Download the file again.")
    return found


def _notes(images: list[PublishedImage], others: list[str]) -> Iterable[str]:
    yield ONE_PATIENT_TWICE
    yield from left_out_notes(others, "are in no folder of a clip")
    if not any(image.labels and image.labels[0] != NOT_SAID for image in images):
        yield "No pathology was found for the frames: every mask is read as a polyp."


DATA_SET = DataSet(
    name="sun-seg",
    title="SUN-SEG",
    where="https://github.com/GewelsJI/VPS",
    what="the annotations, and the frames of SUN put into Frame as VPS says",
    licence="non-commercial, on request (frames)",
    citation="Ji et al., Video polyp segmentation, Machine Intelligence Research 19 (2022)",
    verified="",
    read=read,
    images=49_136,
)
