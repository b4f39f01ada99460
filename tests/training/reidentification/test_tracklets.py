"""Tracklets read from studies with labels and boxes, and the crops around the boxes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.datasets.findings import BoxRow, read_boxes, write_boxes
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.phantom.dataset import write_studies
from training.reidentification.byte_track import TrackerSettings
from training.reidentification.matching import is_same_finding, separate_pairs
from training.reidentification.tracklets import Tracklets, read_tracklets, square_crop
from training.runs.reporter import SilentReporter
from training.video.opening import open_source


def box_of(x_min: float, y_min: float, x_max: float, y_max: float) -> BoxRow:
    return BoxRow(study_id="S", frame_index=0, x_min=x_min, y_min=y_min, x_max=x_max, y_max=y_max, label="polyp")


def test_a_crop_is_centred_on_its_box_with_context() -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[10:20, 12:22] = (200, 10, 20)
    crop = square_crop(picture, box_of(12, 10, 22, 20), 20, 2.0)
    assert crop.shape == (20, 20, 3)
    assert (crop[5:15, 5:15] == (200, 10, 20)).all()
    assert crop.sum() == picture.sum()


def test_a_crop_is_black_beyond_the_frame() -> None:
    crop = square_crop(np.full((20, 20, 3), 90, np.uint8), box_of(0, 0, 10, 10), 20, 2.0)
    assert not crop[:5].any()
    assert not crop[:, :5].any()
    assert (crop[5:, 5:] == 90).all()


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies")
    write_studies(folder, studies=2, frames=60, seed=3, size_px=48, positive_share=0.4, reporter=SilentReporter())
    return folder


def read(folder: Path, boxes: Path | None = None, tracker: TrackerSettings | None = None) -> Tracklets:
    found = boxes or folder / "boxes.csv"
    where = folder / "manifest.json", folder / "labels.csv", found
    return read_tracklets(*where, side_px=16, context=1.5, reporter=SilentReporter(), tracker=tracker)


def test_tracklets_are_the_visits_of_findings(studies: Path) -> None:
    found = read(studies)
    visits = [row for row in read_labels(studies / "labels.csv") if row.finding_id]
    assert set(found.findings) <= {row.finding_id for row in visits}
    assert 0 < len(found) <= len(visits)
    assert len(found) == len(found.table) == len(found.classes) == len(found.patients)
    spans = {(row.finding_id, row.start / 2): row for row in visits}  # two frames a second
    for at, crops in enumerate(found.crops):
        row = spans[str(found.findings[at]), float(found.table.starts[at])]
        assert crops.shape[1:] == (16, 16, 3)
        assert len(crops) <= row.stop - row.start
        assert found.table.seconds[at] == pytest.approx((row.stop - row.start) / 2)
        assert found.classes[at] == row.label
        assert found.patients[at] == found.table.procedures[at] == row.study_id


def test_frames_with_two_boxes_of_a_label_are_left_out(studies: Path, tmp_path: Path) -> None:
    rows = read_boxes(studies / "boxes.csv")
    twice = tmp_path / "boxes.csv"
    write_boxes(twice, [*rows, rows[0]])
    before, after = (sum(map(len, read(studies, boxes).crops)) for boxes in (None, twice))
    assert after == before - 1


def test_boxes_that_name_findings_may_share_a_frame_and_a_label(studies: Path, tmp_path: Path) -> None:
    rows = read_boxes(studies / "boxes.csv")
    named, unnamed = tmp_path / "named.csv", tmp_path / "unnamed.csv"
    other = rows[0].model_copy(update={"finding_id": "another"})
    write_boxes(named, [*rows, other])
    write_boxes(unnamed, [row.model_copy(update={"finding_id": ""}) for row in (*rows, other)])
    whole, with_both, without = (sum(map(len, read(studies, boxes).crops)) for boxes in (None, named, unnamed))
    assert with_both == whole
    assert without < whole, "two of a label in a frame cannot be told apart"


def test_a_tracker_makes_tracklets_of_boxes(studies: Path, tmp_path: Path) -> None:
    found = read(studies, tracker=TrackerSettings())
    assert set(found.findings) <= {row.finding_id for row in read_labels(studies / "labels.csv")}
    boxes = read_boxes(studies / "boxes.csv")
    assert 0 < sum(map(len, found.crops)) <= len(boxes)
    assert is_same_finding(found.table, found.findings, separate_pairs(found.table)).dtype == bool, "none overlap"
    nameless = tmp_path / "boxes.csv"
    write_boxes(nameless, [row.model_copy(update={"finding_id": "", "score": 0.7}) for row in boxes])
    again = read(studies, nameless, tracker=TrackerSettings())
    assert 0 < len(again) <= len(found), "labels tell what a box without a name shows, where they name one finding"
    assert again.table.scores[0] == pytest.approx(0.7)
    first = found.of(np.array([1, 0]))
    assert first.findings.tolist() == found.findings[[1, 0]].tolist()
    assert len(first.crops[1]) == len(found.crops[0]) == len(first.table.scores[1])


def test_what_lies_outside_the_field_of_view_is_black(studies: Path, tmp_path: Path) -> None:
    """The clock in the corner would tell which tracklets are near each other in time."""
    row = next(row for row in read_labels(studies / "labels.csv") if row.finding_id)
    corner = tmp_path / "boxes.csv"
    place: dict[str, Any] = {"x_min": 0, "y_min": 40, "x_max": 8, "y_max": 48, "label": row.label}
    write_boxes(corner, [BoxRow(study_id=row.study_id, frame_index=row.start, **place)])
    (crops,) = read(studies, corner).crops
    with open_source(load_manifest(studies / "manifest.json")[row.study_id].path) as source:
        assert source.read(row.start)[40:48, 0:8].max() > 60, "there is a clock"
    assert crops[0, 6:, :3].max() == 0


def test_a_box_beyond_the_frame_is_a_sentence(studies: Path, tmp_path: Path) -> None:
    rows = read_boxes(studies / "boxes.csv")
    beyond = tmp_path / "boxes.csv"
    write_boxes(beyond, [rows[0].model_copy(update={"x_max": 90.0}), *rows[1:]])
    with pytest.raises(UserError, match="beyond the frame"):
        read(studies, beyond)


def test_a_box_that_names_its_finding_is_of_no_other(studies: Path, tmp_path: Path) -> None:
    rows = read_boxes(studies / "boxes.csv")
    other = rows[0].model_copy(update={"finding_id": "another", "x_max": rows[0].x_max + 1})
    named = tmp_path / "boxes.csv"
    write_boxes(named, [*rows, other])
    before, after = (read(studies, boxes) for boxes in (None, named))
    assert all((one == same).all() for one, same in zip(before.crops, after.crops, strict=True))


def test_labels_without_boxes_are_refused(studies: Path, tmp_path: Path) -> None:
    empty = tmp_path / "boxes.csv"
    write_boxes(empty, [])
    with pytest.raises(UserError, match="no finding with boxes"):
        read(studies, empty)
