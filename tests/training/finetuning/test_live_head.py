"""The classifier of the live scores: what it is, and how its AUC is estimated."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from training.datasets.folds import make_folds
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.finetuning.live_head import (
    FOLDS,
    MAX_FRAMES,
    PENALTIES,
    estimate_head,
    fit_head,
    frames_to_learn,
    select_present,
)
from training.runs.reporter import Cancelled


def labelled(patients: int, each: int = 8, classes: tuple[str, ...] = ("normal", "blood")) -> LabelledFrames:
    """Studies of one patient each, with `each` frames of every class."""
    studies = tuple(
        StudyEntry(study_id=f"S{number}", patient_id=f"P{number}", path=Path(f"{number}.mp4"))
        for number in range(patients)
    )
    count = each * len(classes)
    study = np.repeat(np.arange(patients), count)
    label = np.tile(np.repeat(np.arange(len(classes)), each), patients)
    return LabelledFrames(studies, classes, study, np.tile(np.arange(count), patients), label)


def points_of(frames: LabelledFrames, size: int = 40, apart: float = 0.7) -> NDArray[np.float32]:
    rng = np.random.default_rng(0)
    made = rng.normal(size=(len(frames), size)).astype(np.float32)
    made[np.arange(len(frames)), frames.label] += apart * 2
    return made


def test_the_head_is_a_balanced_logistic_regression() -> None:
    """Compared with scikit-learn's, whose objective is ours divided by the penalty; its bias is not penalised."""
    frames = labelled(4, classes=("normal", "blood", "polyp")).select(np.arange(60))
    points = points_of(frames)
    head = fit_head(frames, points, penalty=0.3)
    scale = float(np.sqrt(np.square(points, dtype=np.float64).mean()))
    # A column of ones as a feature, so that the bias is penalised there as well.
    ones = np.column_stack([points / scale, np.ones(len(points))])
    reference = LogisticRegression(
        C=1 / (0.3 * len(points)), class_weight="balanced", fit_intercept=False, tol=1e-10, max_iter=10_000
    ).fit(ones, frames.label)
    assert np.abs(head.scores(points) - reference.predict_proba(ones)).max() < 1e-3
    assert head.weight.dtype == np.float32


def test_a_class_without_frames_gets_low_scores() -> None:
    frames = labelled(4, classes=("normal", "blood", "polyp"))
    some = frames.select(np.flatnonzero(frames.label < 2))
    scores = fit_head(some, points_of(some)).scores(points_of(some))
    assert scores.shape[1] == 3
    assert scores[:, 2].max() < scores[:, :2].max(axis=1).min()


def test_the_estimate_is_a_cross_validation_by_patient() -> None:
    frames = labelled(6)
    points = points_of(frames)
    found = estimate_head(frames, points)
    assert found is not None
    assert (found.patients, found.labels) == (6, len(frames))
    slow = {}
    for penalty in PENALTIES:
        values = []
        for fold in make_folds(frames, FOLDS, 0, "patients"):
            assert not set(fold.training_patients) & set(fold.held_out_patients)
            head = fit_head(frames.select(fold.training), points[fold.training], penalty)
            scores = head.scores(points[fold.held_out])[:, 1]
            values.append(roc_auc_score(frames.label[fold.held_out], scores))
        slow[penalty] = float(np.mean(values))
    assert found.auc["blood"] == pytest.approx(max(slow.values()), abs=0.01)
    assert slow[found.penalty] == pytest.approx(max(slow.values()), abs=0.01)


def test_four_patients_of_a_class_are_too_few() -> None:
    assert estimate_head(labelled(4), points_of(labelled(4))) is None
    frames = labelled(6)
    rows = np.flatnonzero((frames.label == 0) | (frames.study < 4))
    assert estimate_head(frames.select(rows), points_of(frames)[rows]) is None


def test_a_class_of_few_patients_is_left_out_of_the_estimate() -> None:
    frames = labelled(6, classes=("normal", "polyp", "blood"))
    rows = np.flatnonzero((frames.label != 1) | (frames.study < 2))
    found = estimate_head(frames.select(rows), points_of(frames)[rows])
    assert found is not None
    assert set(found.auc) == {"blood"}


def test_an_estimate_can_be_given_up() -> None:
    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        estimate_head(labelled(6), points_of(labelled(6)), cancel)


def test_many_labels_are_thinned_evenly() -> None:
    frames = labelled(6, each=1000)
    used = frames_to_learn(frames)
    assert len(used) <= MAX_FRAMES
    assert used.counts() == {"normal": 1500, "blood": 1500}
    assert len(np.unique(used.study)) == 6


def test_classes_without_frames_are_dropped() -> None:
    frames = labelled(2, classes=("normal", "polyp", "blood"))
    kept = select_present(frames, np.flatnonzero(frames.label != 1))
    assert kept.counts() == {"normal": 16, "blood": 16}
