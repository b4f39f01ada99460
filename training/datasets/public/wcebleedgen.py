"""WCEBleedGen: bleeding and non-bleeding frames, with boxes and masks of the bleeding (Handa et al. 2024).

Layout (https://zenodo.org/records/10156571, arXiv 2408.12466; as the authors' and others' public code reads it):
`bleeding/Images/img- (1).png`, `bleeding/Annotations/ann- (1).png`, `bleeding/Bounding boxes/{TXT,XML,YOLO_TXT}/
img- (1).txt` (TXT: `x_min y_min x_max y_max` in pixels, several boxes one after the other or on lines),
`non-bleeding/images/`, `non-bleeding/annotation/`; small and capital letters vary between copies. 2,618 frames of
224 x 224 px from many sources: nothing is said of patients, and neighbouring numbers are often near-duplicates. Of real
files a part was at hand in another form (`filename,label,group`), which `folders` and `evaluate --images` read.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from training.datasets.public.files import finite, image_paths, left_out_notes, read_yolo, text_lines
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError

KINDS = ("bleeding", "non-bleeding")
IMAGES = "images"
YOLO = ("YOLO-TXT", "YOLO_TXT")
"""Copies write the folder's name in either way."""
MASKS = ("annotation", "annotations")


def read(folder: Path) -> PublishedSet:
    """Read both kinds; boxes from TXT, from YOLO_TXT (in some copies YOLO-TXT) where that is missing.

    Raises:
        UserError: neither kind has images, or a box is no box.
    """
    boxes = {path.stem: path for name in YOLO for path in sorted(folder.rglob(f"{name}/*.txt"))}
    boxes |= {path.stem: path for path in sorted(folder.rglob("TXT/*.txt"))}
    images: list[PublishedImage] = []
    masks: list[str] = []
    others: list[str] = []
    for path in image_paths(folder):
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
    yield from left_out_notes(others, "are in other folders")


def _place(path: str) -> tuple[str, str]:
    """("bleeding" or "non-bleeding", "images" or another folder) of a file, in small letters."""
    parts = path.lower().split("/")
    kind = next((name for name in parts[:-1] if name.replace("_", "-") in KINDS), "")
    return kind.replace("_", "-"), parts[-2] if kind and len(parts) > 2 else ""


def _boxes(path: Path) -> tuple[PublishedBox, ...]:
    if path.parent.name in YOLO:
        return read_yolo(path, ("bleeding",))
    lines = text_lines(path)
    try:
        numbers = finite(cell for line in lines for cell in line.replace(",", " ").split())
        if len(numbers) % 4:
            raise ValueError(f"{len(numbers)} numbers")
    except ValueError as error:
        raise UserError(f"{path} does not hold four numbers for each box: {error}.", "Download it again.") from error
    groups = zip(*[iter(numbers)] * 4, strict=True)
    return tuple(PublishedBox("bleeding", *corners) for corners in groups)


DATA_SET = DataSet(
    name="wcebleedgen",
    title="WCEBleedGen",
    where="https://zenodo.org/records/10156571",
    what="the training data set (WCEBleedGen.zip)",
    licence="not stated in a source that could be read; see its page",
    citation="Handa et al., WCEBleedGen, arXiv 2408.12466 (2024)",
    verified="",
    read=read,
    images=2_618,
)
