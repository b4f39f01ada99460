"""Capsule Vision 2024: ten classes, with folders for the set that each image was taken from (Handa et al. 2024).

Layout (https://figshare.com/articles/dataset/26403469, https://github.com/misahub2023/Capsule-Vision-2024-Challenge;
written out in https://github.com/arnavs04/capsule-vision-2024/blob/main/data/samples/dir-info.txt):
`training/<class>/<source>/*.jpg` and `validation/<class>/<source>/*.jpg`, with `training_data.xlsx` and
`validation_data.xlsx` beside, which say the same and are not read. Sources are KID, KVASIR, SEE-AI and AIIMS. Not tried
on real files.
"""

import re
from pathlib import Path

from training.datasets.public.files import image_paths, left_out_notes
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.errors import UserError

PARTS = ("training", "validation")
_KVASIR_NAME = re.compile(r"([0-9a-f]{16})_([0-9]+)")


def read(folder: Path) -> PublishedSet:
    """Read both parts; one that is not there is missing. Raises `UserError` where neither is."""
    images: list[PublishedImage] = []
    others: list[str] = []
    for path in image_paths(folder):
        parts = path.split("/")
        at = next((place for place, name in enumerate(parts) if name.lower() in PARTS), None)
        if at is not None and len(parts) > at + 2:
            study, number = _recording(path)
            images.append(PublishedImage(path, (parts[at + 1],), study, frame_number=number, split=parts[at].lower()))
        else:
            others.append(path)
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


def _recording(path: str) -> tuple[str, int | None]:
    """Recording and frame number, which a file name of Kvasir-Capsule consists of; empty and None for other sources."""
    found = _KVASIR_NAME.match(path.rsplit("/", 1)[-1])
    return (found.group(1), int(found.group(2))) if found and "kvasir" in path.lower() else ("", None)


DATA_SET = DataSet(
    name="capsule-vision-2024",
    title="Capsule Vision 2024",
    where="https://figshare.com/articles/dataset/26403469",
    what="training and validation",
    licence="CC BY 4.0, as https://github.com/eunseobchoi/NIPS26_A_CV2024 (DATA_CARD.md) read on its page",
    citation="Handa et al., Capsule Vision 2024 Challenge, arXiv 2408.04940",
    verified="",
    read=read,
    images=53_739,
)
