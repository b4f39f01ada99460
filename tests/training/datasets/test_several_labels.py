"""Frames with several labels: one side of a split, one label in a batch, read once."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.datasets.frames import labelled
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.folds import make_folds
from training.datasets.frame_store import load_frames
from training.datasets.labelled_frames import LabelledFrames, collect_frames
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import load_manifest
from training.datasets.sampler import BalancedSampler
from training.datasets.several_labels import OneLabelABatch
from training.datasets.split import split_frames
from training.runs.reporter import SilentReporter

BOTH = [("A", 0, 40, 0), ("A", 50, 90, 1), ("A", 70, 100, 2)]
"""20 of the 50 findings are both a polyp and an ulcer."""


def test_a_split_by_time_keeps_all_rows_of_a_frame_on_one_side() -> None:
    frames = labelled(BOTH)
    for seed in range(10):
        split = split_frames(frames, 0.3, 2, seed)
        assert split.kind == "time"
        held_out, training = (set(frames.frame_key[side].tolist()) for side in (split.held_out, split.training))
        assert not held_out & training
        for side in (split.held_out, split.training):
            assert set(frames.label[side].tolist()) == {0, 1, 2}
        for key in held_out:
            assert split.held_out[frames.frame_key == key].all()


def test_random_folds_keep_all_rows_of_a_frame_on_one_side() -> None:
    frames = labelled(BOTH)
    for fold in make_folds(frames, 4, 0, "random"):
        assert not set(frames.frame_key[fold.training].tolist()) & set(frames.frame_key[fold.held_out].tolist())


class _Rows:
    """Batches as written."""

    def __init__(self, *rows: int) -> None:
        self._rows = np.array(rows, dtype=np.int64)

    def batch(self, step: int) -> NDArray[np.int64]:
        return self._rows

    def epoch_steps(self, epochs: float) -> int:
        return 7


def test_a_batch_has_a_frame_as_one_of_its_labels_only() -> None:
    frames = labelled(BOTH)
    sampler = OneLabelABatch(BalancedSampler(frames, 24, 0.5, 0), frames)
    plain = BalancedSampler(frames, 24, 0.5, 0)
    repaired = 0
    for step in range(40):
        rows, before = sampler.batch(step), plain.batch(step)
        assert np.array_equal(rows, sampler.batch(step)), "depends on the step only"
        assert frames.label[rows].tolist() == frames.label[before].tolist(), "each class keeps its share"
        pairs = set(zip(frames.frame_key[rows].tolist(), frames.label[rows].tolist(), strict=True))
        assert len({key for key, _ in pairs}) == len(pairs)
        repaired += not np.array_equal(rows, before)
    assert repaired, "the sampler does meet frames as both"
    assert sampler.epoch_steps(2) == plain.epoch_steps(2)


def test_where_a_class_has_no_other_frame_the_first_label_counts_twice() -> None:
    frames = labelled([("A", 0, 2, 0), ("A", 5, 7, 1), ("A", 6, 7, 2)])
    rows = OneLabelABatch(_Rows(0, 1, 3, 4), frames).batch(0)
    assert frames.label.tolist() == [0, 0, 1, 1, 2]
    assert rows.tolist() == [0, 1, 3, 3]


@pytest.fixture
def two_kinds(tmp_path: Path) -> LabelledFrames:
    folder = write_tiny_studies(tmp_path / "s", patients=1, kinds=("normal", "polyp", "blood"))
    rows = [*read_labels(folder / "labels.csv"), LabelRow(study_id="P0-study", start=14, stop=18, label="blood")]
    manifest = load_manifest(folder / "manifest.json")
    counts = {study.study_id: study.frame_count() for study in manifest.studies}
    return collect_frames(manifest, rows, counts, ("normal", "polyp", "blood"))


def test_every_row_of_a_frame_gets_its_pixels(two_kinds: LabelledFrames, tmp_path: Path) -> None:
    store = load_frames(two_kinds, 32, 1 << 30, tmp_path / "spill", SilentReporter(), "reading")
    assert len(store) == len(two_kinds)
    assert store.pixels.reshape(len(store), -1).any(axis=1).all()
    _, number, rows = np.unique(two_kinds.frame_key, return_inverse=True, return_counts=True)
    assert (rows == 2).any()
    for place in np.flatnonzero(rows == 2):
        assert np.array_equal(*store.pixels[number == place])
