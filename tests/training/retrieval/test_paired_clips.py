"""Queries, galleries and relevant clips of paired studies, from labels that are made up."""

from pathlib import Path

import numpy as np
import pytest

from training.datasets.findings import LinkRow
from training.datasets.labels import LabelRow
from training.datasets.manifest import Manifest, StudyEntry
from training.errors import UserError
from training.retrieval.paired_clips import ClipSettings, PairedClips, paired_clips
from training.retrieval.study_pairs import paired_studies

A = StudyEntry(study_id="P01a", patient_id="P01", path=Path("a.mp4"))
B = StudyEntry(study_id="P01b", patient_id="P01", path=Path("b.mp4"))
SETTINGS = ClipSettings(length=8, stride=4, fewest_shown=3)


def seen(study: str, lesion: str, start: int, stop: int) -> LabelRow:
    return LabelRow(study_id=study, start=start, stop=stop, label="polyp", finding_id=f"{study}-{lesion}")


LABELS = [
    seen("P01a", "L1", 10, 14),
    seen("P01a", "L1", 40, 41),  # too short to search for
    seen("P01a", "L2", 0, 6),
    seen("P01a", "L3", 45, 50),  # not seen in the other study
    seen("P01b", "L1", 20, 25),
    seen("P01b", "L2", 3, 5),  # two frames only
    seen("P01b", "L2", 33, 39),
    seen("P02a", "L1", 0, 50),
    LabelRow(study_id="P01b", start=5, stop=20, label="normal"),
]


def made(settings: ClipSettings = SETTINGS, frames: tuple[int, int] = (50, 40)) -> PairedClips:
    return paired_clips((A, B), frames, LABELS, settings)


def relevant_by_a_loop(pair: PairedClips, fewest: int) -> list[list[bool]]:
    """By counting frames one by one."""
    shown = {name: [r for r in LABELS if r.finding_id == f"P01b-{name}"] for name in ("L1", "L2", "L3")}
    rows = []
    for lesion in pair.query_lesions:
        row = []
        for start, stop in zip(pair.gallery_starts, pair.gallery_stops, strict=True):
            count = sum(any(r.start <= frame < r.stop for r in shown[str(lesion)]) for frame in range(start, stop))
            row.append(count >= fewest)
        rows.append(row)
    return rows


def test_linked_findings_are_one_lesion() -> None:
    labels = [
        row.model_copy(update={"finding_id": f"f{at}"}) if row.finding_id else row for at, row in enumerate(LABELS)
    ]
    assert not paired_clips((A, B), (50, 40), labels, SETTINGS).relevant.any(), "no finding is in both studies"
    links = [
        LinkRow(study_id="P01a", frame_index=2, other_study_id="P01b", other_frame_index=35, is_same=True,
                name="polyp", other_name="polyp", reader=""),
        LinkRow(study_id="P01a", frame_index=12, other_study_id="P01b", other_frame_index=35, is_same=False,
                name="polyp", other_name="polyp", reader=""),
    ]  # fmt: skip
    pair = paired_clips((A, B), (50, 40), labels, SETTINGS, links)
    assert pair.relevant.any(axis=1).tolist() == [True, False, False]
    shown = pair.gallery_starts[pair.relevant[0]]
    assert shown.tolist() == [28, 32], "clips with three frames of 33 to 38"


def test_a_query_is_the_clip_around_a_visit() -> None:
    pair = made()
    assert pair.query_lesions.tolist() == ["L2", "L1", "L3"]
    assert pair.query_starts.tolist() == [0, 8, 42]
    assert pair.query_stops.tolist() == [8, 16, 50]
    assert pair.frames == (50, 40)


@pytest.mark.parametrize("fewest", [1, 3, 5])
def test_relevant_clips_show_the_lesion_in_enough_frames(fewest: int) -> None:
    pair = made(SETTINGS.model_copy(update={"fewest_shown": fewest}))
    assert pair.relevant.shape == (len(pair.query_lesions), 9)
    assert pair.relevant.tolist() == relevant_by_a_loop(pair, fewest)


def test_the_gallery_may_be_the_clips_that_show_a_lesion() -> None:
    every, some = made(), made(SETTINGS.model_copy(update={"gallery": "lesions"}))
    kept = every.relevant.any(axis=0)
    assert 0 < int(kept.sum()) < every.relevant.shape[1]
    assert some.gallery_starts.tolist() == every.gallery_starts[kept].tolist()
    assert some.relevant.tolist() == every.relevant[:, kept].tolist()


def test_a_clip_longer_than_both_studies() -> None:
    pair = made(SETTINGS.model_copy(update={"length": 64}))
    assert pair.query_starts.tolist() == [0, 0, 0]
    assert pair.query_stops.tolist() == [50] * 3
    assert (pair.gallery_starts.tolist(), pair.gallery_stops.tolist()) == ([0], [40])
    assert pair.relevant[:, 0].tolist() == relevant_by_a_loop(pair, 3)[0] + relevant_by_a_loop(pair, 3)[1] + [False]


def test_a_patient_without_lesions_has_no_queries() -> None:
    pair = paired_clips((A, B), (50, 40), [], SETTINGS)
    assert pair.relevant.shape == (0, 9)
    nothing = paired_clips((A, B), (50, 40), [], SETTINGS.model_copy(update={"gallery": "lesions"}))
    assert nothing.relevant.shape == (0, 0)


def test_the_first_two_studies_of_a_patient_are_a_pair() -> None:
    other = StudyEntry(study_id="P02a", patient_id="P02", path=Path("c.mp4"))
    third = StudyEntry(study_id="P01c", patient_id="P01", path=Path("d.mp4"))
    assert paired_studies(Manifest(studies=(A, other, B, third))) == [(A, B)]
    with pytest.raises(UserError, match="No patient has two studies"):
        paired_studies(Manifest(studies=(A, other)))


def test_a_label_beyond_the_study_counts_as_far_as_the_study_goes() -> None:
    pair = made(frames=(50, 22))
    assert pair.gallery_stops.max() == 22
    assert np.flatnonzero(pair.relevant.any(axis=0)).tolist() == []
