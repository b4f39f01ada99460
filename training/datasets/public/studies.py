"""The studies of an export: which frame of which recording an image of the set is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from training.datasets.manifest import StudyEntry, StudySpan, unknown_patients
from training.datasets.public.placing import PlacedImage


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
            kind="stills" if any(one.image.frame_number is None for one in members) else "video",
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
    passed = [region for region, _ in groupby(one.image.region for one in members)]
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
