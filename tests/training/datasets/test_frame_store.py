"""Frames of a store are what `prepare_frame` makes of them; what cannot be read is told."""

from pathlib import Path

import numpy as np
import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.findings import BoxRow
from training.datasets.frame_store import load_frames
from training.datasets.labelled_frames import LabelledFrames, collect_frames
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.runs.reporter import SilentReporter
from training.video import open_source, prepare_frame, study_field_of_view


class Listener(SilentReporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def frames(folder: Path) -> LabelledFrames:
    manifest = load_manifest(folder / "manifest.json")
    counts = {study.study_id: 24 for study in manifest.studies}
    return collect_frames(manifest, read_labels(folder / "labels.csv"), counts, ("normal", "polyp"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tiny_studies(tmp_path / "s", patients=2)


def test_scattered_and_dense_frames_are_the_prepared_ones(folder: Path, tmp_path: Path) -> None:
    chosen = frames(folder).select(np.array([0, 1, 2, 20, 24, 40, 47]))
    store = load_frames(chosen, 32, 1 << 20, tmp_path / "spill", SilentReporter(), "reading")
    mapped = load_frames(chosen, 32, 1, tmp_path / "spill", SilentReporter(), "reading")
    assert not isinstance(store.pixels, np.memmap)
    assert isinstance(mapped.pixels, np.memmap)
    assert np.array_equal(store.pixels, mapped.pixels)
    with open_source(folder / "P1") as source:
        expected = prepare_frame(source.read(23), study_field_of_view(source), 32)
    assert np.array_equal(store.pixels[-1], expected)


def test_a_broken_picture_is_left_out_and_named(folder: Path, tmp_path: Path) -> None:
    (folder / "P0" / "frame0003.png").write_bytes((folder / "P0" / "frame0003.png").read_bytes()[:60])
    listener = Listener()
    store = load_frames(frames(folder), 32, 1 << 30, tmp_path / "spill", listener, "reading")
    assert len(store) == 47
    assert (0, 3) not in set(zip(store.labelled.study.tolist(), store.labelled.frame_index.tolist(), strict=True))
    assert listener.lines == ["1 labelled frames of study P0-study cannot be decoded and are left out: 3"]


def test_a_study_without_a_readable_frame_is_told(folder: Path, tmp_path: Path) -> None:
    labelled = frames(folder).select(np.array([0, 1, 2]))
    for frame in range(3):
        (folder / "P0" / f"frame{frame:04}.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(UserError, match=r"None of the 3 labelled frames of study P0-study"):
        load_frames(labelled, 32, 1 << 30, tmp_path / "spill", SilentReporter(), "reading")


def test_boxes_are_placed_in_the_prepared_square(folder: Path, tmp_path: Path) -> None:
    chosen = frames(folder).select(np.array([0, 12, 13]))
    with open_source(folder / "P0") as source:
        left, top, side = study_field_of_view(source).box
    boxes = [
        BoxRow(
            study_id="P0-study", frame_index=12, x_min=left, y_min=top, x_max=left + side, y_max=top + 4, label="polyp"
        ),
        BoxRow(study_id="P0-study", frame_index=13, x_min=1, y_min=1, x_max=2, y_max=2, label="ulcer"),
    ]
    store = load_frames(chosen, 32, 1 << 30, tmp_path / "spill", SilentReporter(), "reading", boxes)
    assert np.isnan(store.boxes[[0, 2]]).all()
    np.testing.assert_allclose(store.boxes[1], [0.0, 4 / side - 1, 1.0], atol=1e-6)


def test_a_box_beyond_the_frame_is_refused(folder: Path, tmp_path: Path) -> None:
    box = BoxRow(study_id="P0-study", frame_index=0, x_min=1, y_min=1, x_max=5000, y_max=9, label="polyp")
    with pytest.raises(UserError, match=r"frame 0 of study P0-study reaches to x = 5000, y = 9, beyond the frame"):
        load_frames(frames(folder), 32, 1 << 30, tmp_path / "spill", SilentReporter(), "reading", [box])
