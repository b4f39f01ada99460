"""What is said of classes that only some sources have."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.datasets.source_notes import source_notes


def frames(**counts: dict[str, int]) -> LabelledFrames:
    """Source -> frames of each class; "none" has no name."""
    classes = ("normal", *dict.fromkeys(name for each in counts.values() for name in each if name != "normal"))
    studies = tuple(
        StudyEntry(study_id=name, patient_id=name, path=Path(name), source="" if name == "none" else name)
        for name in counts
    )
    rows = [
        (study, frame, classes.index(name))
        for study, each in enumerate(counts.values())
        for name, count in each.items()
        for frame in range(count)
    ]
    study, frame, label = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return LabelledFrames(studies, classes, study, frame, label)


def test_a_class_of_one_source_without_normal_frames_says_nothing() -> None:
    assert source_notes(frames(X={"normal": 3, "erosion": 2}, Y={"normal": 2, "erosion": 1}, AIIMS={"worms": 4})) == [
        "Worms: from AIIMS only, which has no normal frames: the figure says nothing."
    ]


def test_a_class_of_one_of_several_sources_is_named() -> None:
    assert source_notes(frames(X={"normal": 3, "erosion": 2}, Y={"normal": 2})) == [
        "Erosion: from X only. Against normal frames of other sources the figure also measures how X looks."
    ]
    assert source_notes(frames(X={"normal": 3, "erosion": 2})) == []


def test_frames_of_a_source_without_normal_frames_are_counted() -> None:
    assert source_notes(frames(X={"normal": 3, "erosion": 2}, Y={"erosion": 30})) == [
        "Erosion: 30 frames from Y are not compared, because there are no normal frames from there."
    ]
    assert source_notes(frames(X={"erosion": 2}, Y={"erosion": 3}, Z={"normal": 2})) == [
        "Erosion: from X, Y, which have no normal frames: the figure says nothing."
    ]


def test_without_sources_or_normal_frames_nothing_is_said() -> None:
    unknown = frames(none={"normal": 3, "erosion": 2})
    assert source_notes(unknown) == []
    assert source_notes(replace(unknown, classes=("ulcer", "erosion"))) == []
