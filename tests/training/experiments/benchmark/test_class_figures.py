"""Figures of a classifier against scikit-learn."""

import numpy as np
import pytest

from training.experiments.benchmark.class_figures import FIGURES, class_figures


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_scikit_learn(classes: int, seed: int) -> None:
    from sklearn import metrics

    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, 60)
    scores = rng.dirichlet(np.ones(classes), 60)
    given = scores.argmax(1)
    found = class_figures(labels, scores)
    assert tuple(found) == FIGURES
    named = {"average": "macro", "zero_division": 0, "labels": np.unique(labels)}
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(labels, given))
    assert found["precision"] == pytest.approx(metrics.precision_score(labels, given, **named))
    assert found["recall"] == pytest.approx(metrics.recall_score(labels, given, **named))
    assert found["macro_f1"] == pytest.approx(metrics.f1_score(labels, given, **named))
    wanted = (
        metrics.roc_auc_score(labels, scores[:, 1])
        if classes == 2
        else metrics.roc_auc_score(labels, scores, multi_class="ovr")
    )
    assert found["auc"] == pytest.approx(wanted)


def test_of_one_class_there_is_no_auc_and_no_division_by_nothing() -> None:
    found = class_figures(np.zeros(3, np.int64), np.array([[0.2, 0.8]] * 3))
    assert found == {
        "accuracy": 0.0,
        "auc": None,
        "precision": 0.0,
        "recall": 0.0,
        "macro_f1": 0.0,
        "group_accuracy": None,
    }


def test_each_group_counts_once() -> None:
    labels, groups = np.zeros(10, np.int64), np.array(["large"] * 8 + ["a", "b"])
    scores = np.tile([0.9, 0.1], (10, 1))
    scores[8:] = [0.1, 0.9]
    found = class_figures(labels, scores, groups)
    assert found["accuracy"] == pytest.approx(0.8)
    assert found["group_accuracy"] == pytest.approx(1 / 3)
