"""Draws of labelled frames."""

from pathlib import Path

import numpy as np
import pytest

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.experiments.few_labels.data import draw_labels


def frames(groups: int = 6, each: int = 10) -> LabelledFrames:
    """Of each group `each` frames of both classes."""
    study = np.repeat(np.arange(groups), 2 * each)
    return LabelledFrames(
        studies=tuple(
            StudyEntry(study_id=f"s{number}", patient_id=f"p{number}", path=Path("/none")) for number in range(groups)
        ),
        classes=("normal", "blood"),
        study=study,
        frame_index=np.tile(np.arange(2 * each), groups),
        label=np.tile(np.repeat([0, 1], each), groups),
    )


@pytest.mark.parametrize("count", [4, 7, 40])
def test_a_draw_has_equal_classes_and_few_frames_of_a_group(count: int) -> None:
    labelled = frames()
    rows = np.arange(20, 120)  # not the first group
    drawn = draw_labels(labelled, rows, count, 4, seed=1)
    assert len(drawn) == len(set(drawn.tolist())) == count
    assert set(drawn.tolist()) <= set(rows.tolist())
    assert abs(int((labelled.label[drawn] == 0).sum()) - count / 2) <= 0.5
    for label in (0, 1):
        _, counts = np.unique(labelled.patients[drawn[labelled.label[drawn] == label]], return_counts=True)
        assert counts.max() <= 4


def test_seeds_decide_the_draw() -> None:
    labelled, rows = frames(), np.arange(120)
    first = draw_labels(labelled, rows, 12, 4, seed=0)
    assert np.array_equal(first, draw_labels(labelled, rows, 12, 4, seed=0))
    assert not np.array_equal(first, draw_labels(labelled, rows, 12, 4, seed=1))


def test_a_class_that_does_not_reach_gives_all_that_it_may(recwarn: pytest.WarningsRecorder) -> None:
    labelled = frames(groups=2)
    assert len(draw_labels(labelled, np.arange(40), 100, 3, seed=0)) == 2 * 2 * 3
    assert np.array_equal(draw_labels(labelled, np.arange(40), 0, 3, seed=0), np.arange(40))
    assert not recwarn.list


def test_a_draw_of_findings_has_all_normal_frames(recwarn: pytest.WarningsRecorder) -> None:
    labelled, rows = frames(), np.arange(20, 120)
    drawn = draw_labels(labelled, rows, 5, 2, seed=0, of_findings=True)
    assert set(rows[labelled.label[rows] == 0].tolist()) <= set(drawn.tolist())
    findings = drawn[labelled.label[drawn] == 1]
    assert len(findings) == 5
    assert np.unique(labelled.patients[findings], return_counts=True)[1].max() <= 2
    assert not recwarn.list
