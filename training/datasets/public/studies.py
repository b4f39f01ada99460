"""The studies of an export: which frame of which recording an image of the set is.

Where the images of a data set go: one folder for each recording, in which their natural order is that of time.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from training.datasets.manifest import StudyEntry, StudySpan, unknown_patients
from training.datasets.public.layout import PublishedImage
from training.errors import UserError
from training.video.formats import natural_key
from training.video.image_header import image_size

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """An image with its study, its name in the study's folder, and its size."""

    image: PublishedImage
    study_id: str
    patient_id: str
    """Empty where the patient is unknown."""
    filename: str
    height_px: int
    width_px: int


def place_images(folder: Path, images: Iterable[PublishedImage], set_name: str) -> tuple[list[PlacedImage], list[str]]:
    """Give every image a study and a name there.

    Images of a set that names no recordings become one study for each size of image, so that a study has one field of
    view (ours). Names that occur twice in a study get their folders in front.

    Returns:
        Images, by study and in the order in which the program counts frames; paths of those that are no whole picture.

    Raises:
        UserError: two images come out under one name all the same.
    """
    studies: dict[str, list[tuple[PublishedImage, tuple[int, int]]]] = defaultdict(list)
    broken = []
    for image in images:
        size = image_size(folder / image.path)
        if size is None:
            broken.append(image.path)
            continue
        studies[safe_id(image.study) if image.study else f"{set_name}-{size[1]}x{size[0]}"].append((image, size))
    return [placed for study_id, members in studies.items() for placed in _study(study_id, members)], broken


def safe_id(text: str) -> str:
    """A study's or patient's name that is fit for a folder on any system: 1 to 64 of A-Z a-z 0-9 . _ -."""
    return _UNSAFE.sub("-", text).strip("-._")[:_LONGEST].rstrip(".-_") or "unnamed"


def _study(study_id: str, members: list[tuple[PublishedImage, tuple[int, int]]]) -> list[PlacedImage]:
    names = _names([image.path for image, _ in members])
    placed = [
        PlacedImage(image, study_id, safe_id(image.patient or image.study) if image.study else "", name, *size)
        for (image, size), name in zip(members, names, strict=True)
    ]
    return sorted(placed, key=lambda one: natural_key(one.filename))


def _names(paths: list[str]) -> list[str]:
    """The file's own name; with its folders in front where another image of the study has the same."""
    plain = [path.rsplit("/", 1)[-1] for path in paths]
    if len({name.lower() for name in plain}) < len(plain):
        plain = [path.replace("/", "-") for path in paths]
    taken: dict[str, str] = {}
    for name, path in zip(plain, paths, strict=True):
        # Some systems know no difference between small and capital letters.
        other = taken.setdefault(name.lower(), path)
        if other != path:
            raise UserError(f"{other} and {path} would both be called {name}.", "Rename one of the two.")
    return plain


@dataclass(frozen=True)
class ExportedStudy:
    """A study of the manifest, and what was said of its frames: `frame_index` -> image of the set."""

    entry: StudyEntry
    frames: Mapping[int, PlacedImage]


def image_studies(
    out: Path, placed: list[PlacedImage], set_name: str, images_per_second: Mapping[str, float]
) -> list[ExportedStudy]:
    """A study for each folder of images below `out`, in the order of `place_images`.

    All studies of a set whose patients are unknown carry one patient, so that no split by patient takes them apart: a
    size of image is nobody. Images without the number of their frame are stills. `images_per_second` holds the rates of
    recordings, where the set says them.
    """
    studies = []
    for study_id, stretch in groupby(placed, key=lambda one: one.study_id):
        members = list(stretch)
        entry = StudyEntry(
            study_id=study_id,
            patient_id=members[0].patient_id or unknown_patients(set_name),
            path=out / "studies" / study_id,
            spans=_spans(members),
            kind="stills" if any(member.image.frame_number is None for member in members) else "video",
            images_per_second=images_per_second.get(members[0].image.study),
        )
        studies.append(ExportedStudy(entry, dict(enumerate(members))))
    return studies


def stills_notes(studies: Sequence[ExportedStudy]) -> list[str]:
    """Sentences on what the manifest's studies are not: videos, and somebody's."""
    stills = [study for study in studies if study.entry.kind == "stills"]
    patients = {one.patient_id: study.entry.patient_id for study in studies for one in study.frames.values()}
    notes = []
    if stills:
        notes.append(
            f"{len(stills)} of {len(studies)} studies consist of still images, one study per recording or image size. "
            "Methods that need video leave them out."
        )
    if unknown := patients.get(""):
        notes.append(
            f"The patients of some images are unknown. Their studies all get the patient {unknown}, so that a split by "
            "patient keeps them together. A split by image (`evaluate --images`, `--split random`) gives optimistic "
            "figures."
        )
    return notes


def _spans(members: list[PlacedImage]) -> tuple[StudySpan, ...]:
    """Stretches of one region and of successive frames of the recording; none where the set says neither.

    Labelled frames of a set lie minutes apart: spans keep a method that learns from time from taking them for
    neighbours. Regions are written only of recordings, and only where none comes back: a list of images is no passage.
    """
    passed = [region for region, _ in groupby(member.image.region for member in members)]
    is_passage = bool(members[0].image.study) and len(set(passed)) == len(passed)
    spans = []
    for (region, _), stretch in groupby(enumerate(members), key=lambda item: _stretch(item[0], item[1], is_passage)):
        indices = [index for index, _ in stretch]
        spans.append(StudySpan(start=indices[0], stop=indices[-1] + 1, region=region))
    return () if len(spans) == 1 and not spans[0].region else tuple(spans)


def _stretch(index: int, one: PlacedImage, is_passage: bool) -> tuple[str, int]:
    """Equal within a span."""
    number = one.image.frame_number
    return one.image.region if is_passage else "", 0 if number is None else number - index
