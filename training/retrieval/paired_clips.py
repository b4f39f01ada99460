"""What retrieval is evaluated on: clips around the lesions of one pass, and the clips of the other pass of a patient.

Xiang et al. 2023 (section V-A) search 62 clips of polyps of first screenings in the second ones. They do not say which
clips the gallery has, how long a clip is, or how much of a polyp a clip must show; all of that is a setting (ours).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from training.datasets.findings import LinkRow
from training.datasets.labels import LabelRow
from training.datasets.manifest import StudyEntry
from training.reidentification.linked import linked_identities
from training.reidentification.visits import Visit
from training.retrieval.clips import clip_bounds
from training.settings import Settings

Gallery = Literal["all", "lesions"]


class ClipSettings(Settings):
    """Which clips there are, and which of them are relevant to a query (ours)."""

    length: int = Field(default=16, ge=1, le=1024, description="Frames of a clip; VideoMAE has 16.")
    stride: int = Field(default=8, ge=1, le=4096, description="Frames between the starts of two clips of the gallery.")
    fewest_shown: int = Field(
        default=3, ge=1, le=1024, description="Frames of a clip in which a lesion must be labelled to count as shown."
    )
    gallery: Gallery = Field(
        default="all", description="all: every clip of the paired study; lesions: only those that show a lesion."
    )


@dataclass(frozen=True, eq=False)
class PairedClips:
    """The queries of one patient and their gallery.

    Attributes:
        patient: whose they are.
        query_study, gallery_study: the two studies.
        frames: (frames of the query's study, frames of the gallery's).
        query_starts, query_stops: (Q,) frames, ascending, of equal length except in a study shorter than a clip.
        query_lesions: (Q,) the lesion that each query is about.
        gallery_starts, gallery_stops: (G,) frames, ascending.
        relevant: (Q, G) whether a clip of the gallery shows the query's lesion.
    """

    patient: str
    query_study: StudyEntry
    gallery_study: StudyEntry
    frames: tuple[int, int]
    query_starts: NDArray[np.int64]
    query_stops: NDArray[np.int64]
    query_lesions: NDArray[np.str_]
    gallery_starts: NDArray[np.int64]
    gallery_stops: NDArray[np.int64]
    relevant: NDArray[np.bool_]


def paired_clips(
    studies: tuple[StudyEntry, StudyEntry],
    frames: tuple[int, int],
    labels: Sequence[LabelRow],
    settings: ClipSettings,
    links: Sequence[LinkRow] = (),
) -> PairedClips:
    """Queries and gallery of one patient.

    A query is the clip around the middle of a visit: of successive frames of a lesion in the first study, at least
    `fewest_shown`. Both studies name a lesion by its finding, or by what follows the study's id there ("P01a-L2",
    "P01b-L2"); findings that links say are the same are one lesion.
    """
    query, gallery = studies
    here, there = (_visits(labels, study) for study in studies)
    lesions_shown = _lesions([*here, *there], links)
    shown = [each for each in lesions_shown[: len(here)] if each[2] - each[1] >= settings.fewest_shown]
    length, last = settings.length, frames[0] - settings.length
    starts = np.array([max(0, min((start + stop - length) // 2, last)) for _, start, stop in shown], np.int64)
    order = np.argsort(starts, kind="stable")
    lesions = np.array([lesion for lesion, _, _ in shown], np.str_)[order]
    gallery_starts, gallery_stops = clip_bounds(frames[1], settings.length, settings.stride)
    frames_shown = _frames_shown(lesions_shown[len(here) :], frames[1])
    totals = {name: np.append(0, np.cumsum(each)) for name, each in frames_shown.items()}
    counts = {name: total[gallery_stops] - total[gallery_starts] for name, total in totals.items()}
    nothing = np.zeros(len(gallery_starts), np.int64)
    kept = np.ones(len(gallery_starts), np.bool_)
    if settings.gallery == "lesions":
        kept = np.max([nothing, *counts.values()], axis=0) >= settings.fewest_shown
    relevant = np.array([counts.get(str(name), nothing) >= settings.fewest_shown for name in lesions], np.bool_)
    return PairedClips(
        query.patient_id,
        query,
        gallery,
        frames,
        starts[order],
        np.minimum(starts[order] + settings.length, frames[0]),
        lesions,
        gallery_starts[kept],
        gallery_stops[kept],
        relevant.reshape(len(lesions), len(kept))[:, kept],
    )


def _visits(labels: Sequence[LabelRow], study: StudyEntry) -> list[Visit]:
    """Each stretch of successive frames of a finding, by start."""
    mine = [label for label in labels if label.study_id == study.study_id and label.finding_id]
    result = [Visit(study, label.start, label.stop, label.label, label.finding_id, {}, {}) for label in mine]
    return sorted(result, key=lambda visit: visit.start)


def _lesions(visits: Sequence[Visit], links: Sequence[LinkRow]) -> list[tuple[str, int, int]]:
    """(lesion, start, stop) of each visit."""
    names = [visit.finding.removeprefix(f"{visit.study.study_id}-") for visit in visits]
    first = linked_identities(visits, links).numbers.tolist()
    return [(names[at], visit.start, visit.stop) for at, visit in zip(first, visits, strict=True)]


def _frames_shown(visits: Sequence[tuple[str, int, int]], frames: int) -> dict[str, NDArray[np.bool_]]:
    """Lesion -> (frames,) where it is labelled."""
    shown: dict[str, NDArray[np.bool_]] = {}
    for lesion, start, stop in visits:
        shown.setdefault(lesion, np.zeros(frames, np.bool_))[start:stop] = True
    return shown
