"""The studies of an export: which frame of which recording an image of the set is.

Where the images of a data set go: one folder for each recording, in which their natural order is that of time.

The videos of a set as studies: labelled images are located in the videos by comparing pictures.
Kvasir-Capsule numbers the frames of its recordings and does not say from where; no real video was at hand. So nothing
is assumed: an image's number is a frame's index as it stands, or one less, or one more, whichever shows the same
pictures.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.manifest import StudyEntry, StudySpan, unknown_patients
from training.datasets.public.layout import PublishedImage, PublishedVideo
from training.errors import UserError
from training.runs.reporter import Reporter
from training.video import FrameMissing, FrameSource, formats, image_header, image_reader, open_source

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

    Images of a set that names no recordings become one study for each source and size of image, so that a study has one
    field of view (ours). A recording whose images come from several sources becomes a study for each. Names that occur
    twice in a study get their folders in front.

    Returns:
        Images, by study and in the order in which the program counts frames; paths of those that are no whole picture.

    Raises:
        UserError: two images come out under one name all the same.
    """
    studies: dict[str, list[tuple[PublishedImage, tuple[int, int]]]] = defaultdict(list)
    broken, images = [], list(images)
    sources: dict[str, set[str]] = defaultdict(set)
    for image in images:
        sources[safe_id(image.study)].add(image.source)
    for image in images:
        size = image_header.image_size(folder / image.path)
        if size is None:
            broken.append(image.path)
            continue
        studies[_study_id(image, size, set_name, len(sources[safe_id(image.study)]) > 1)].append((image, size))
    return [placed for study_id, members in studies.items() for placed in _study(study_id, members)], broken


def _study_id(image: PublishedImage, size: tuple[int, int], set_name: str, is_of_several: bool) -> str:
    """`is_of_several`: whether images of its recording come from several sources."""
    if image.study and not (is_of_several and image.source):
        return safe_id(image.study)
    if image.study:
        return safe_id(f"{image.study[: _LONGEST // 2]}-{image.source}")
    parts = (set_name, safe_id(image.source) if image.source else "", f"{size[1]}x{size[0]}")
    return "-".join(part for part in parts if part)


def safe_id(text: str) -> str:
    """A study's or patient's name that is fit for a folder on any system: 1 to 64 of A-Z a-z 0-9 . _ -."""
    return _UNSAFE.sub("-", text).strip("-._")[:_LONGEST].rstrip(".-_") or "unnamed"


def _study(study_id: str, members: list[tuple[PublishedImage, tuple[int, int]]]) -> list[PlacedImage]:
    names = _names([image.path for image, _ in members])
    placed = [
        PlacedImage(image, study_id, safe_id(image.patient or image.study) if image.study else "", name, *size)
        for (image, size), name in zip(members, names, strict=True)
    ]
    return sorted(placed, key=lambda one: formats.natural_key(one.filename))


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
            source=members[0].image.source,
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


OFFSETS = (0, -1, 1)
COMPARED = 8
"""Images of a recording that are looked up in its video."""
SIDE_PX = 32
"""Pictures are compared at this size, where compression hardly shows."""
MOST_APART = 12.0
"""Mean difference of grey levels, of 255, up to which two pictures are one (ours)."""
CLEARLY = 1.5
"""The next offset must fit so many times worse: capsules repeat frames when they do not move (ours)."""


def video_studies(
    folder: Path, videos: Sequence[PublishedVideo], images: Sequence[ExportedStudy], reporter: Reporter
) -> tuple[list[ExportedStudy], list[str]]:
    """Studies for a manifest with videos, and sentences about them.

    A recording whose labelled images were found in its video is that video, with their labels; its folder of images
    is no study then. Other videos come without labels.
    """
    by_id = {study.entry.study_id: study for study in images}
    result, unclear = [], 0
    for video in videos:
        reporter.check()
        patient = safe_id(video.study)
        frames = by_id[patient].frames if patient in by_id else {}
        offset = _offset(folder, folder / video.path, list(frames.values())) if frames else None
        unclear += bool(frames) and offset is None
        numbered = [frame for frame in frames.values() if frame.image.frame_number is not None]
        labelled = {} if offset is None else {_number(one) + offset: one for one in numbered}
        if labelled:
            del by_id[patient]
        entry = StudyEntry(study_id=safe_id(f"{patient[:58]}-video"), patient_id=patient, path=folder / video.path)
        result.append(ExportedStudy(entry, labelled))
    notes = [
        f"{len(result)} videos were exported as studies, {sum(bool(one.frames) for one in result)} of them with labels."
    ]
    if unclear:
        notes.append(
            f"In {unclear} videos the labelled images could not be located reliably. These videos have no labels, and "
            "their images remain separate studies."
        )
    return [*by_id.values(), *result], notes


def _offset(folder: Path, video: Path, images: list[PlacedImage]) -> int | None:
    """What to add to a frame number for its index in the video; None where no offset clearly fits."""
    numbered = sorted((one for one in images if one.image.frame_number is not None), key=_number)
    chosen = [numbered[place] for place in np.unique(np.linspace(0, len(numbered) - 1, COMPARED).astype(int)).tolist()]
    with closing(open_source(video)) as source:
        apart = np.array([_apart(source, one, folder) for one in chosen])
        room = len(source) - 1 - _number(numbered[-1])
    mean = apart.mean(axis=0)
    best, second = np.argsort(mean)[:2].tolist()
    is_clear = mean[best] <= MOST_APART and mean[second] >= CLEARLY * mean[best] + 1 and room >= OFFSETS[best]
    return OFFSETS[best] if is_clear else None


def _number(one: PlacedImage) -> int:
    return one.image.frame_number or 0


def _apart(source: FrameSource, one: PlacedImage, folder: Path) -> list[float]:
    """For each offset: how far the image is from the video's frame, in grey levels; 255 where there is no frame."""
    picture = image_reader.read_image(folder / one.image.path)
    if picture is None:
        return [255.0] * len(OFFSETS)
    wanted = _small(picture)
    result = [_frame(source, _number(one) + offset) for offset in OFFSETS]
    return [255.0 if frame is None else float(np.abs(_small(frame) - wanted).mean()) for frame in result]


def _frame(source: FrameSource, index: int) -> NDArray[np.uint8] | None:
    try:
        return source.read(index) if 0 <= index < len(source) else None
    except FrameMissing:
        return None


def _small(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    import cv2

    small = cv2.resize(np.ascontiguousarray(picture), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)
