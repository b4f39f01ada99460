"""WCEBleedGen: bleeding and non-bleeding frames, with boxes and masks of the bleeding (Handa et al. 2024).

Layout (https://zenodo.org/records/10156571, arXiv 2408.12466; as the authors' and others' public code reads it):
`bleeding/Images/img- (1).png`, `bleeding/Annotations/ann- (1).png`, `bleeding/Bounding boxes/{TXT,XML,YOLO_TXT}/
img- (1).txt` (TXT: `x_min y_min x_max y_max` in pixels, several boxes one after the other or on lines),
`non-bleeding/images/`, `non-bleeding/annotation/`; small and capital letters vary between copies. 2,618 frames of
224 x 224 px from many sources: nothing is said of patients, and neighbouring numbers are often near-duplicates. Of real
files a part was at hand in another form (`filename,label,group`), which `folders` and `evaluate --images` read.

SEE-AI: 18,481 images of 523 studies of the small bowel, with boxes of twelve kinds (Yokote et al. 2023).

Layout (https://www.kaggle.com/datasets/capsuleyolo/kyucapsule, https://pmc.ncbi.nlm.nih.gov/articles/PMC10288072/;
as public code reads it): `SEE_AI_project_all_images/SEE_AI_project_all_images/image00001.jpg`,
`SEE_AI_project_all_txt/SEE_AI_project_all_txt/image00001.txt` (YOLO lines), `all_annotation.csv`. The paper combines
12,320 images with findings and 6,161 normal ones, so an image without a box is normal. Which image is of which patient
is not published. Not tried on real files.

PolypGen: the sequences of a set of six centres, with boxes and masks of the polyps (Ali et al. 2023).

Layout (https://www.synapse.org/#!Synapse:syn26376615, arXiv 2106.04463; as public code reads it):
`sequenceData/positive/seq<N>/images_seq<N>/*.jpg`, `masks_seq<N>/<name>_mask.jpg` or `<name>.jpg`,
`bbox_seq<N>/<name>.txt` or `<name>_mask.txt` (a line `polyp x_min y_min x_max y_max` in pixels for each box);
`sequenceData/negativeOnly/seq<N>_neg/*.jpg`. Nothing is said of patients, of which boxes show one polyp, nor of the
rate. Its single frames (`data_C1` to `data_C6`) are not read. The layout is from the public description; not tried on
real files.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from training.datasets.public import files
from training.datasets.public.boxes import mask_boxes
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError

KINDS = ("bleeding", "non-bleeding")
IMAGES = "images"
YOLO = ("YOLO-TXT", "YOLO_TXT")
"""Copies write the folder's name in either way."""
MASKS = ("annotation", "annotations")


def read_wcebleedgen(folder: Path) -> PublishedSet:
    """Read both kinds; boxes from TXT, from YOLO_TXT (in some copies YOLO-TXT) where that is missing.

    Raises:
        UserError: neither kind has images, or a box is no box.
    """
    boxes = {path.stem: path for name in YOLO for path in sorted(folder.rglob(f"{name}/*.txt"))}
    boxes |= {path.stem: path for path in sorted(folder.rglob("TXT/*.txt"))}
    images: list[PublishedImage] = []
    masks: list[str] = []
    others: list[str] = []
    for path in files.image_paths(folder):
        kind, part = _place(path)
        if part == IMAGES:
            around = boxes.pop(Path(path).stem, None) if kind == "bleeding" else None
            images.append(PublishedImage(path, (kind,), boxes=_boxes(around) if around else ()))
        else:
            (masks if part in MASKS else others).append(path)
    if not images:
        raise UserError(
            f"{folder} has neither bleeding/Images nor non-bleeding/images.", "Give the unpacked folder WCEBleedGen."
        )
    there = {image.labels[0] for image in images}
    missing = [f"{kind}/{IMAGES}/" for kind in KINDS if kind not in there] + [f"{stem} (image)" for stem in boxes]
    return PublishedSet(tuple(images), tuple(missing), notes=tuple(_notes(images, masks, others)))


def _notes(images: Sequence[PublishedImage], masks: Sequence[str], others: Sequence[str]) -> Iterable[str]:
    yield (
        "WCEBleedGen does not name patients, and many of its frames are near-duplicates: a split by frame gives "
        "optimistic figures."
    )
    bare = sum(image.labels == ("bleeding",) and all(box.is_empty for box in image.boxes) for image in images)
    if bare:
        yield f"{bare:,} bleeding frames have no box."
    if masks:
        yield f"{len(masks):,} masks are not read, because boxes mark the bleeding (such as {masks[0]})."
    yield from files.left_out_notes(others, "are in other folders")


def _place(path: str) -> tuple[str, str]:
    """("bleeding" or "non-bleeding", "images" or another folder) of a file, in small letters."""
    parts = path.lower().split("/")
    kind = next((name for name in parts[:-1] if name.replace("_", "-") in KINDS), "")
    return kind.replace("_", "-"), parts[-2] if kind and len(parts) > 2 else ""


def _boxes(path: Path) -> tuple[PublishedBox, ...]:
    if path.parent.name in YOLO:
        return files.read_yolo(path, ("bleeding",))
    lines = files.text_lines(path)
    try:
        numbers = files.finite(cell for line in lines for cell in line.replace(",", " ").split())
        if len(numbers) % 4:
            raise ValueError(f"{len(numbers)} numbers")
    except ValueError as error:
        raise UserError(f"{path} does not hold four numbers for each box: {error}.", "Download it again.") from error
    groups = zip(*[iter(numbers)] * 4, strict=True)
    return tuple(PublishedBox("bleeding", *corners) for corners in groups)


WCEBLEEDGEN = DataSet(
    name="wcebleedgen",
    title="WCEBleedGen",
    where="https://zenodo.org/records/10156571",
    what="the training data set (WCEBleedGen.zip)",
    licence="not stated in a source that could be read; see its page",
    citation="Handa et al., WCEBleedGen, arXiv 2408.12466 (2024)",
    read=read_wcebleedgen,
    images=2_618,
)


NAMES = (
    "angiodysplasia",
    "erosion",
    "stenosis",
    "lymphangiectasia",
    "lymph follicle",
    "SMT",
    "polyp-like",
    "bleeding",
    "diverticulum",
    "erythema",
    "foreign body",
    "vein",
)
"""Of the classes 0 to 11 in the text files."""


def read_see_ai(folder: Path) -> PublishedSet:
    """Read images and text files; an image whose text file is missing has no label, which is not normal.

    Raises:
        UserError: no text files, or a line that is no box.
    """
    texts = {path.stem: path for path in sorted(folder.rglob("image*.txt"))}
    if not texts:
        raise UserError(f"{folder} has no image*.txt below it.", "Unpack SEE_AI_project_all_txt beside the images.")
    every = files.image_paths(folder)
    paths = [path for path in every if path.rsplit("/", 1)[-1].startswith("image")]
    others = [path for path in every if not path.rsplit("/", 1)[-1].startswith("image")]
    images, unsaid = [], 0
    for path in paths:
        text = texts.pop(Path(path).stem, None)
        unsaid += text is None
        boxes = files.read_yolo(text, NAMES) if text is not None else ()
        labels = tuple(dict.fromkeys(box.label for box in boxes)) or (("normal",) if text is not None else ())
        images.append(PublishedImage(path, labels, boxes=boxes, region="small bowel"))
    notes = ["SEE-AI does not name patients, so it cannot be split by patient."]
    if unsaid:
        notes.append(f"{unsaid:,} images have no text file and therefore no label.")
    notes += files.left_out_notes(others, "have names that do not start with “image”")
    return PublishedSet(tuple(images), tuple(f"{stem}.jpg" for stem in texts), notes=tuple(notes))


SEE_AI = DataSet(
    name="see-ai",
    title="SEE-AI",
    where="https://www.kaggle.com/datasets/capsuleyolo/kyucapsule",
    what="SEE_AI_project_all_images and SEE_AI_project_all_txt",
    licence="CC BY 4.0, as https://github.com/IAMOdon/body-atlas-models (CATALOGUE.md) read on its page",
    citation="Yokote et al., The SEE-artificial intelligence project, DEN Open 4, e258 (2023)",
    read=read_see_ai,
    images=18_481,
)


POLYP, NEGATIVE = "polyp", "negative"
_PLACE = re.compile(r"(images|masks)_(seq\d+)|(seq\d+_neg)", re.IGNORECASE)


def read_polypgen(folder: Path) -> PublishedSet:
    """Read the sequences; a frame without a box, in a sequence with polyps, has no label.

    Raises:
        UserError: no sequences, a line that is no box, or a mask that is no picture.
    """
    paths = files.image_paths(folder)
    frames: dict[str, list[str]] = defaultdict(list)
    masks: dict[tuple[str, str], str] = {}
    others = []
    for path in paths:
        part, sequence = _sequence(path)
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
        for path, number in files.frame_numbers(members).items()
    ]
    drawn = {(image.study, _stem(image.path)) for image in images}
    missing = [f"{sequence}/images_{sequence}/{stem}.jpg" for sequence, stem in sorted({*texts, *masks} - drawn)]
    return PublishedSet(tuple(images), tuple(missing), notes=tuple(_polypgen_notes(images, others)))


def _sequence(path: str) -> tuple[str, str]:
    """("images" or "masks", sequence) of a file; the sequence is empty for others."""
    result = _PLACE.fullmatch(path.rsplit("/", 2)[-2]) if "/" in path else None
    if result is None:
        return "", ""
    return (result.group(1) or "images").lower(), (result.group(2) or result.group(3)).lower()


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
        boxes = _polyps(texts[key])
    elif key in masks:
        boxes = tuple(PublishedBox(POLYP, *corners) for corners in mask_boxes(folder / masks[key]))
    labels = tuple(dict.fromkeys(box.label for box in boxes))
    return PublishedImage(path, labels, study=sequence, boxes=boxes, frame_number=number, split="positive")


def _polyps(path: Path) -> tuple[PublishedBox, ...]:
    def box(line: str) -> PublishedBox:
        name, *cells = line.split()
        x_min, y_min, x_max, y_max = files.finite(cells)
        return PublishedBox(name, x_min, y_min, x_max, y_max)

    return tuple(files.parsed_lines(path, box, "is not a box", "polyp x_min y_min x_max y_max"))


def _polypgen_notes(images: list[PublishedImage], others: list[str]) -> Iterable[str]:
    yield "Each sequence counts as a patient: PolypGen does not name patients."
    yield "PolypGen does not say which boxes show the same polyp, so there are no findings to re-identify."
    bare = sum(not image.labels for image in images)
    if bare:
        yield f"{bare:,} frames of sequences with polyps have neither a box nor a mask, and no label."
    yield from files.left_out_notes(others, "are in no folder of a sequence")


POLYPGEN = DataSet(
    name="polypgen",
    title="PolypGen, its sequences",
    where="https://www.synapse.org/#!Synapse:syn26376615",
    what="sequenceData of PolypGen2021_MultiCenterData_v3",
    licence="CC BY 4.0, as https://github.com/dataset-ninja/polypgen (LICENSE.md) read on its page",
    citation="Ali et al., PolypGen, Scientific Data 10, 75 (2023), doi 10.1038/s41597-023-01981-y",
    read=read_polypgen,
    images=6_500,
    marks=("sequenceData",),
)
