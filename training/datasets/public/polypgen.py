"""PolypGen: the sequences of a set of six centres, with boxes and masks of the polyps (Ali et al. 2023).

Layout (https://www.synapse.org/#!Synapse:syn26376615, arXiv 2106.04463; as public code reads it):
`sequenceData/positive/seq<N>/images_seq<N>/*.jpg`, `masks_seq<N>/<name>_mask.jpg` or `<name>.jpg`,
`bbox_seq<N>/<name>.txt` or `<name>_mask.txt` (a line `polyp x_min y_min x_max y_max` in pixels for each box);
`sequenceData/negativeOnly/seq<N>_neg/*.jpg`. Nothing is said of patients, of which boxes show one polyp, nor of the
rate. Its single frames (`data_C1` to `data_C6`) are not read. The layout is from the public description; not tried on
real files.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from training.datasets.public.boxes import mask_boxes
from training.datasets.public.files import finite, frame_numbers, image_paths, left_out_notes, parsed_lines
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError

POLYP, NEGATIVE = "polyp", "negative"
_PLACE = re.compile(r"(images|masks)_(seq\d+)|(seq\d+_neg)", re.IGNORECASE)


def read(folder: Path) -> PublishedSet:
    """Read the sequences; a frame without a box, in a sequence with polyps, has no label.

    Raises:
        UserError: no sequences, a line that is no box, or a mask that is no picture.
    """
    paths = image_paths(folder)
    frames: dict[str, list[str]] = defaultdict(list)
    masks: dict[tuple[str, str], str] = {}
    others = []
    for path in paths:
        part, sequence = _place(path)
        if part == "masks":
            masks[sequence, _stem(path)] = path
        elif sequence:
            frames[sequence].append(path)
        else:
            others.append(path)
    if not frames:
        raise UserError(
            f"{folder} has neither seq<N>/images_seq<N> nor seq<N>_neg below it.", "Give the folder sequenceData."
        )
    texts = {
        (path.parent.name.lower().removeprefix("bbox_"), _stem(path.name)): path
        for path in sorted(folder.rglob("bbox_seq*/*.txt"))
    }
    images = [
        _image(folder, path, sequence, number, texts, masks)
        for sequence, members in frames.items()
        for path, number in frame_numbers(members).items()
    ]
    drawn = {(image.study, _stem(image.path)) for image in images}
    missing = [f"{sequence}/images_{sequence}/{stem}.jpg" for sequence, stem in sorted({*texts, *masks} - drawn)]
    return PublishedSet(tuple(images), tuple(missing), notes=tuple(_notes(images, others)))


def _place(path: str) -> tuple[str, str]:
    """("images" or "masks", sequence) of a file; the sequence is empty for others."""
    found = _PLACE.fullmatch(path.rsplit("/", 2)[-2]) if "/" in path else None
    if found is None:
        return "", ""
    return (found.group(1) or "images").lower(), (found.group(2) or found.group(3)).lower()


def _stem(path: str) -> str:
    return Path(path).stem.removesuffix("_mask")


def _image(
    folder: Path,
    path: str,
    sequence: str,
    number: int,
    texts: dict[tuple[str, str], Path],
    masks: dict[tuple[str, str], str],
) -> PublishedImage:
    """A frame with the boxes of its text file, else of its mask."""
    if sequence.endswith("_neg"):
        return PublishedImage(path, (NEGATIVE,), study=sequence, frame_number=number, split="negative")
    key = sequence, _stem(path)
    boxes: tuple[PublishedBox, ...] = ()
    if key in texts:
        boxes = _boxes(texts[key])
    elif key in masks:
        boxes = tuple(PublishedBox(POLYP, *corners) for corners in mask_boxes(folder / masks[key]))
    labels = tuple(dict.fromkeys(box.label for box in boxes))
    return PublishedImage(path, labels, study=sequence, boxes=boxes, frame_number=number, split="positive")


def _boxes(path: Path) -> tuple[PublishedBox, ...]:
    def box(line: str) -> PublishedBox:
        name, *cells = line.split()
        x_min, y_min, x_max, y_max = finite(cells)
        return PublishedBox(name, x_min, y_min, x_max, y_max)

    return tuple(parsed_lines(path, box, "is not a box", "polyp x_min y_min x_max y_max"))


def _notes(images: list[PublishedImage], others: list[str]) -> Iterable[str]:
    yield "Each sequence counts as a patient: PolypGen does not name patients."
    yield "PolypGen does not say which boxes show the same polyp, so there are no findings to re-identify."
    bare = sum(not image.labels for image in images)
    if bare:
        yield f"{bare:,} frames of sequences with polyps have neither a box nor a mask, and no label."
    yield from left_out_notes(others, "are in no folder of a sequence")


DATA_SET = DataSet(
    name="polypgen",
    title="PolypGen, its sequences",
    where="https://www.synapse.org/#!Synapse:syn26376615",
    what="sequenceData of PolypGen2021_MultiCenterData_v3",
    licence="CC BY 4.0, as https://github.com/dataset-ninja/polypgen (LICENSE.md) read on its page",
    citation="Ali et al., PolypGen, Scientific Data 10, 75 (2023), doi 10.1038/s41597-023-01981-y",
    verified="",
    read=read,
    images=6_500,
)
