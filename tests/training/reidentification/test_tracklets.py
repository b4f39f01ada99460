"""Tracklets read from studies with labels and boxes, and the crops around the boxes."""

from pathlib import Path

import numpy as np
import pytest

from training.datasets.findings import BoxRow, read_boxes, write_boxes
from training.datasets.labels import read_labels
from training.errors import UserError
from training.phantom.dataset import write_studies
from training.reidentification.tracklets import Tracklets, read_tracklets, square_crop
from training.runs.reporter import SilentReporter


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


def read(folder: Path, boxes: Path | None = None) -> Tracklets:
    found = boxes or folder / "boxes.csv"
    where = folder / "manifest.json", folder / "labels.csv", found
    return read_tracklets(*where, side_px=16, context=1.5, reporter=SilentReporter())


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
