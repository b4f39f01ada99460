"""The digest of frames and labels: the same for the same data under other names, another one for any other label."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.data_digest import content_of, labelled_digest
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import load_manifest


def frames_of(folder: Path) -> LabelledFrames:
    studies = load_manifest(folder / "manifest.json").studies[:2]
    study, frame = np.array([0, 0, 1]), np.array([1, 5, 2])
    return LabelledFrames(studies, ("normal", "polyp"), study, frame, np.array([0, 1, 1]))


def test_names_and_order_do_not_count_and_labels_and_frames_do(tmp_path: Path) -> None:
    frames = frames_of(write_tiny_studies(tmp_path))
    digest = labelled_digest(frames)
    assert len(digest) == 64
    first, second = frames.studies
    moved = shutil.copytree(first.path, tmp_path / "another")
    renamed = first.model_copy(update={"study_id": "other", "patient_id": "name", "path": moved})
    assert labelled_digest(replace(frames, studies=(renamed, second))) == digest
    swapped = replace(frames.select(np.array([2, 0, 1])), studies=(second, first))
    assert labelled_digest(replace(swapped, study=1 - swapped.study)) == digest
    for other in (
        replace(frames, label=np.array([1, 1, 1])),
        replace(frames, frame_index=np.array([1, 6, 2])),
        replace(frames, studies=(first, first)),
    ):
        assert labelled_digest(other) != digest
    assert labelled_digest(frames, frames) != labelled_digest(frames)


def test_a_recording_that_is_gone_does_not_end_a_training(tmp_path: Path) -> None:
    assert content_of(tmp_path / "gone.mp4") == ""
