"""SUN Colonoscopy Video Database: 100 polyps in a folder each with boxes, 13 recordings without (Misawa et al. 2021);
and SUN-SEG: its polyps as short clips with masks (Ji et al. 2022).

Layout (http://amed8k.sundatabase.org/; as public code reads it): `sundatabase_positive_part1/case<N>/*.jpg` (and
`part2`), `sundatabase_positive_part1/annotation_txt/case<N>.txt` (a line for each frame: its name, a blank, and
`x_min,y_min,x_max,y_max,class` in pixels, several after each other; class 0 is a polyp, 1 none),
`sundatabase_negative_part1/case<N>/*.jpg` (and `part2` to `part4`). A case of the positive parts is one polyp. Which
two of the 100 polyps are of one patient is not said. The layout is from the public description; not tried on real
files.

Layout of SUN-SEG (https://github.com/GewelsJI/VPS, docs/DATA_DESCRIPTION.md and docs/DATA_PREPARATION.md):
`TrainDataset/Frame/case<N>_<clip>/*.jpg`, `TrainDataset/GT/case<N>_<clip>/*.png` (the mask of a frame has its name),
`TrainDataset/Classification/classification.txt` (lines with the name of a frame and its pathology); the same below
`TestEasyDataset/{Seen,Unseen}/` and `TestHardDataset/{Seen,Unseen}/`. The clips of a case show one polyp. Boxes are
those of the masks: the description of `bbox_annotation.json` gives their corners in an order that public code found to
be another. The layout is from the public description; not tried on real files.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from training.datasets.public.files import finite, frame_numbers, image_paths, left_out_notes, parsed_lines
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError

CLASSES = ("polyp", "non-polyp")
_CLASS_OF: dict[float, str] = dict(enumerate(CLASSES))
"""Of the classes 0 and 1 in the text files."""
IMAGES_PER_SECOND = 30.0
"""As https://github.com/GewelsJI/VPS (docs/DATA_DESCRIPTION.md) says of clips of these frames."""
ONE_PATIENT_TWICE = (
    "Each case counts as a patient: the 100 polyps are of 99 patients, and which two are of one is not published."
)
_CASE = re.compile(r"case\d+", re.IGNORECASE)
Said = Mapping[str, Mapping[str, tuple[PublishedBox, ...]]]
"""Case -> name of a frame -> its boxes; one around nothing says that there is no polyp."""


def read(folder: Path) -> PublishedSet:
    """Read the cases; a frame of a case with a polyp that the text files do not name has no label.

    Raises:
        UserError: no cases, or a line that is no frame with boxes.
    """
    said = {path.stem.lower(): _boxes(path) for path in sorted(folder.rglob("annotation_txt/*.txt"))}
    cases: dict[str, list[str]] = defaultdict(list)
    others: list[str] = []
    for path in image_paths(folder):
        case = _case(path)
        (cases[case] if case else others).append(path)
    if not cases:
        raise UserError(f"{folder} has no folders case1, case2, ... below it.", "Give the folder that holds the parts.")
    images = [
        _image(path, case, number, said)
        for case, members in cases.items()
        for path, number in frame_numbers(members).items()
    ]
    missing = [f"{case}/" for case in said if case not in cases]
    there = {case: {Path(path).name for path in members} for case, members in cases.items()}
    missing += [f"{case}/{name}" for case in said if case in there for name in said[case] if name not in there[case]]
    return PublishedSet(
        tuple(images),
        tuple(missing),
        notes=tuple(_notes(images, others)),
        images_per_second=dict.fromkeys(cases, IMAGES_PER_SECOND),
    )


def _case(path: str) -> str:
    """The recording of a frame: both parts number their cases from 1, so those without a polyp get a word in front."""
    *above, parent, _ = ["", *path.split("/")]
    if not _CASE.fullmatch(parent):
        return ""
    return f"negative-{parent.lower()}" if any("negative" in name.lower() for name in above) else parent.lower()


def _image(path: str, case: str, number: int, said: Said) -> PublishedImage:
    if case.startswith("negative-"):
        return PublishedImage(path, (CLASSES[1],), study=case, frame_number=number, split="negative")
    boxes = said.get(case, {}).get(Path(path).name, ())
    labels = tuple(dict.fromkeys(box.label for box in boxes))
    around = tuple(box for box in boxes if box.label == CLASSES[0])
    return PublishedImage(path, labels, study=case, boxes=around, frame_number=number, split="positive")


def _boxes(path: Path) -> dict[str, tuple[PublishedBox, ...]]:
    polyp = path.stem.lower()

    def boxes_of(line: str) -> tuple[str, list[PublishedBox]]:
        name, *rest = line.split(maxsplit=1)
        cells = finite("".join(rest).replace(",", " ").split())
        if not cells or len(cells) % 5:
            raise ValueError(f"{len(cells)} numbers")
        return name, [
            PublishedBox(_CLASS_OF[kind], x_min, y_min, x_max, y_max, finding=polyp)
            for x_min, y_min, x_max, y_max, kind in zip(*[iter(cells)] * 5, strict=True)
        ]

    result: dict[str, tuple[PublishedBox, ...]] = {}
    hint = "name x_min,y_min,x_max,y_max,class, with class 0 or 1"
    for name, boxes in parsed_lines(path, boxes_of, "is not a frame with boxes", hint):
        result[name] = tuple(dict.fromkeys((*result.get(name, ()), *boxes)))
    return result


def _notes(images: list[PublishedImage], others: list[str]) -> Iterable[str]:
    yield ONE_PATIENT_TWICE
    counts = Counter(len(image.boxes) for image in images)
    several = sum(count for boxes, count in counts.items() if boxes > 1)
    if several:
        yield f"{several:,} frames have two boxes of one polyp."
    bare = sum(not image.labels for image in images)
    if bare:
        yield f"{bare:,} frames are not named in the text files and have no label."
    if any(CLASSES[1] in image.labels for image in images):
        yield "Frames without a polyp (non-polyp) are read as normal."
    yield from left_out_notes(others, "are in no folder of a case")


SUN = DataSet(
    name="sun",
    title="SUN Colonoscopy Video Database",
    where="http://amed8k.sundatabase.org/",
    what="all parts, on request",
    licence="non-commercial, on request",
    citation="Misawa et al., SUN database, Gastrointestinal Endoscopy 93(4), 960-967 (2021)",
    read=read,
    images=158_690,
    marks=("sundatabase_positive_part1", "sundatabase_positive_part2"),
)


NOT_SAID = "polyp"
"""Of a frame with a mask that no classification names."""
_CLIP = re.compile(r"(case\d+)(?:_.*)?", re.IGNORECASE)
_DRAWINGS = ("edge", "scribble", "polygon")
"""Further drawings of the same masks."""


def read_seg(folder: Path) -> PublishedSet:
    """Read the clips of all parts; a frame without a mask has no label, and its mask is missing.

    Raises:
        UserError: no clips, or a frame with two pathologies.
    """
    frames: dict[str, list[str]] = defaultdict(list)
    masks: dict[str, str] = {}
    others = []
    for path in image_paths(folder):
        kind, case = _seg_place(path)
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
        _seg_image(path, case, number, masks, pathologies)
        for case, members in frames.items()
        for path, number in frame_numbers(members).items()
    ]
    missing = [f"{_beside(image.path)}.png" for image in images if not image.mask]
    there = {_beside(image.path) for image in images}
    missing += [_beside(path, "Frame") + ".jpg" for place, path in masks.items() if place not in there]
    return PublishedSet(
        tuple(images),
        tuple(missing),
        notes=tuple(_seg_notes(images, others)),
        images_per_second=dict.fromkeys(frames, IMAGES_PER_SECOND),
    )


def _seg_place(path: str) -> tuple[str, str]:
    """(the folder in small letters that says what a file is, its case)."""
    parts = path.split("/")
    clip = _CLIP.fullmatch(parts[-2]) if len(parts) > 2 else None
    return (parts[-3].lower(), clip.group(1).lower()) if clip else ("", "")


def _beside(path: str, kind: str = "GT") -> str:
    """The path of a frame or a mask in the folder of the other kind, without its suffix."""
    *above, _, clip, name = path.split("/")
    return "/".join([*above, kind, clip, name.rpartition(".")[0]])


def _seg_image(path: str, case: str, number: int, masks: dict[str, str], pathologies: dict[str, str]) -> PublishedImage:
    mask = masks.get(_beside(path), "")
    labels = (pathologies.get(Path(path).stem, NOT_SAID),) if mask else ()
    split = "/".join(path.split("/")[:-3])
    return PublishedImage(
        path, labels, study=case, mask=mask, mask_finding=case if mask else "", frame_number=number, split=split
    )


def _pathologies(folder: Path) -> dict[str, str]:
    """Stem of a frame -> its pathology."""
    result: dict[str, str] = {}

    def add(line: str) -> None:
        name, pathology = line.split()
        if result.setdefault(Path(name).stem, pathology) != pathology:
            raise ValueError("another pathology")

    problem = "is not a frame with a pathology, or gives another pathology than before"
    for path in sorted(folder.rglob("classification.txt")):
        parsed_lines(path, add, problem, "name pathology")
    return result


def _seg_notes(images: list[PublishedImage], others: list[str]) -> Iterable[str]:
    yield ONE_PATIENT_TWICE
    yield from left_out_notes(others, "are in no folder of a clip")
    if not any(image.labels and image.labels[0] != NOT_SAID for image in images):
        yield "No pathology was found for the frames: every mask is read as a polyp."


SUN_SEG = DataSet(
    name="sun-seg",
    title="SUN-SEG",
    where="https://github.com/GewelsJI/VPS",
    what="the annotations, and the frames of SUN put into Frame as VPS says",
    licence="non-commercial, on request (frames)",
    citation="Ji et al., Video polyp segmentation, Machine Intelligence Research 19 (2022)",
    read=read_seg,
    images=49_136,
    marks=("TrainDataset", "TestEasyDataset", "TestHardDataset"),
)
