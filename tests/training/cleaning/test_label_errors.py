"""Confident learning agrees with its definition written out; cross-validation keeps groups apart."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.cleaning import cross_validated_scores, find_label_errors
from training.cleaning.label_errors import checkable
from training.errors import UserError


def _naive(labels: list[int], scores: list[list[float]]) -> tuple[list[list[int]], dict[int, int], list[int]]:
    """Northcutt et al. 2021, eq. 1 and 2, frame by frame: the joint, row -> class it counts as, rows by margin.

    As in cleanlab, a label with the highest score of all is kept.
    """
    classes = len(scores[0])
    own = {name: [row[name] for row, label in zip(scores, labels, strict=True) if label == name]
           for name in range(classes)}  # fmt: skip
    thresholds = [sum(own[name]) / len(own[name]) for name in range(classes)]
    joint = [[0] * classes for _ in range(classes)]
    doubted: dict[int, int] = {}
    for at, (label, row) in enumerate(zip(labels, scores, strict=True)):
        confident = [name for name in range(classes) if row[name] >= thresholds[name]]
        if not confident:
            continue
        counted = max(confident, key=lambda name: row[name])
        joint[label][counted] += 1
        if counted != label and max(row) > row[label]:
            doubted[at] = counted

    def margin(at: int) -> float:
        return scores[at][labels[at]] - max(s for name, s in enumerate(scores[at]) if name != labels[at])

    return joint, doubted, sorted(doubted, key=margin)


def _noisy(seed: int, count: int = 300, classes: int = 4) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    true = rng.choice(classes, count, p=[0.6, 0.2, 0.15, 0.05])
    labels = np.where(rng.random(count) < 0.1, rng.integers(0, classes, count), true)
    labels[:classes] = np.arange(classes)
    logits = rng.normal(0, 1.5, (count, classes))
    logits[np.arange(count), true] += 2
    powers = np.exp(logits)
    return labels, powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
def test_errors_are_those_of_the_definition(seed: int) -> None:
    labels, scores = _noisy(seed)
    result = find_label_errors(labels, scores)
    joint, doubted, order = _naive(labels.tolist(), scores.tolist())
    assert result.joint.tolist() == joint
    assert dict(zip(result.rows.tolist(), result.suggested.tolist(), strict=True)) == doubted
    assert result.rows.tolist() == order
    assert len(result) > 10
    assert (result.margin < 0).all()
    assert (np.diff(result.margin) >= 0).all()
    assert result.self_confidence == pytest.approx(scores[result.rows, labels[result.rows]])


def test_right_labels_are_not_doubted() -> None:
    labels = np.array([0, 0, 1, 1])
    assert len(find_label_errors(labels, np.eye(2)[labels])) == 0
    assert len(find_label_errors(labels, np.full((4, 2), 0.5))) == 0


@pytest.mark.parametrize(
    ("labels", "scores"),
    [([0, 0], np.ones((2, 2))), ([0, 2], np.ones((2, 2))), ([], np.ones((0, 2))), ([0, 1], np.ones(2))],
)
def test_wrong_arrays_are_refused(labels: list[int], scores: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match=r"class|labels"):
        find_label_errors(np.array(labels, np.int64), scores)


def _clusters(patients: int = 8, frames: int = 30) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.str_]]:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, patients * frames)
    embeddings = rng.normal(0, 1, (len(labels), 12)).astype(np.float32)
    embeddings[np.arange(len(labels)), labels] += 7
    return embeddings, labels, np.repeat([f"p{at}" for at in range(patients)], frames)


def test_planted_errors_are_listed_first() -> None:
    embeddings, labels, groups = _clusters()
    wrong = np.arange(0, len(labels), 20)
    given = labels.copy()
    given[wrong] = (given[wrong] + 1) % 3
    result = find_label_errors(given, cross_validated_scores(embeddings, given, groups))
    right = np.isin(result.rows, wrong)
    assert right.mean() > 0.9
    assert right.sum() >= 0.7 * len(wrong)
    assert (result.suggested[right] == labels[result.rows[right]]).all()


def test_a_patient_is_scored_by_models_that_never_saw_it() -> None:
    embeddings, labels, groups = _clusters()
    scores = cross_validated_scores(embeddings, labels, groups)
    assert scores.shape == (len(labels), 3)
    assert scores.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    mine = groups == "p3"
    changed = labels.copy()
    changed[mine] = (changed[mine] + 1) % 3  # the folds may change, what they learned of this patient may not
    again = cross_validated_scores(embeddings, changed, groups)
    assert (again[mine].argmax(axis=1) == labels[mine]).mean() > 0.9


def test_too_few_patients_or_classes() -> None:
    embeddings, labels, _ = _clusters()
    with pytest.raises(UserError, match="one patient"):
        cross_validated_scores(embeddings, labels, np.full(len(labels), "p0"))
    with pytest.raises(UserError, match="two classes"):
        cross_validated_scores(embeddings, np.zeros(len(labels), np.int64), np.arange(len(labels)))
    kept, note = checkable(np.array([0, 0, 1, 1]), np.array(["a", "b", "c", "c"]), ("normal", "polyp"))
    assert kept == [0]
    assert "polyp" in note
