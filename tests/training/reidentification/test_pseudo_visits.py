"""Tracklets of boxes without findings: within spans and classes, and cut into two visits."""

from pathlib import Path

from training.datasets.findings import BoxRow
from training.datasets.manifest import Manifest, StudyEntry, StudySpan
from training.reidentification.byte_track import TrackerSettings
from training.reidentification.pseudo_visits import tracks_in_spans, two_visits


def study(*spans: tuple[int, int]) -> StudyEntry:
    return StudyEntry(
        study_id="S", patient_id="P", path=Path("s.mp4"), spans=tuple(StudySpan(start=a, stop=b) for a, b in spans)
    )


def boxes(start: int, stop: int, label: str = "ulcer", left: float = 10) -> list[BoxRow]:
    return [
        BoxRow(study_id="S", frame_index=at, x_min=left, y_min=20, x_max=left + 30, y_max=50, label=label)
        for at in range(start, stop)
    ]


def stretches(entry: StudyEntry, rows: list[BoxRow], fewest: int = 3) -> list[tuple[int, int, str]]:
    visits = tracks_in_spans(Manifest(studies=(entry,)), rows, TrackerSettings(), fewest)
    return [(visit.start, visit.stop, visit.label) for visit in visits]


def test_no_tracklet_leaves_a_span_or_changes_its_class() -> None:
    rows = [*boxes(0, 12), *boxes(12, 20, "erosion")]
    assert stretches(study(), rows) == [(12, 20, "erosion"), (0, 12, "ulcer")]
    assert stretches(study((0, 6), (6, 20)), rows) == [(0, 6, "ulcer"), (12, 20, "erosion"), (6, 12, "ulcer")]


def test_short_tracklets_and_boxes_outside_all_spans_are_left_out() -> None:
    assert stretches(study((0, 4), (10, 20)), [*boxes(0, 8), *boxes(10, 12)]) == [(0, 4, "ulcer")]
    assert stretches(study(), []) == []


def test_boxes_far_apart_are_two_tracklets() -> None:
    assert stretches(study(), [*boxes(0, 5), *boxes(5, 9, left=150)]) == [(0, 5, "ulcer"), (5, 9, "ulcer")]


def test_the_first_and_the_last_third_are_two_visits_of_one_finding() -> None:
    manifest = Manifest(studies=(study(),))
    (visit,) = tracks_in_spans(manifest, boxes(5, 16), TrackerSettings(), 3)
    first, last = two_visits(visit, "tracklet 0")
    assert (list(first.boxes), list(last.boxes)) == ([5, 6, 7], [13, 14, 15])
    assert (first.start, first.stop, last.start, last.stop) == (5, 8, 13, 16)
    assert (first.finding, last.finding, first.label) == ("tracklet 0", "tracklet 0", "ulcer")
    assert list(last.scores) == [13, 14, 15]
