"""kNN accuracy against scikit-learn, and by hand."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.embeddings.knn import knn_accuracy
from training.pretraining.config import pretrain_config
from training.pretraining.knn_probe import knn_probe
from training.runs.reporter import SilentReporter


@pytest.mark.parametrize("neighbours", [1, 5])
def test_equals_scikit_learn_one_patient_after_the_other(neighbours: int) -> None:
    rng = np.random.default_rng(neighbours)
    labels = rng.integers(0, 3, 90)
    groups = np.repeat(["A", "B", "C"], 30)
    embeddings = (rng.normal(size=(90, 6)) + 0.8 * labels[:, None]).astype(np.float32)
    hit = np.zeros(90, dtype=bool)
    for group in "ABC":
        own = groups == group
        # Weights by rank only decide equal votes.
        model = KNeighborsClassifier(neighbours, weights=lambda d: 1 + 1e-3 * np.linspace(1, 0, d.shape[1]) + 0 * d)
        model.fit(embeddings[~own], labels[~own])
        hit[own] = model.predict(embeddings[own]) == labels[own]
    expected = np.mean([hit[labels == label].mean() for label in range(3)])
    assert knn_accuracy(embeddings, labels, groups, neighbours) == pytest.approx(expected)


def test_a_frames_own_patient_has_no_vote() -> None:
    # Each frame's nearest is its own patient's twin of the same label; the other patient says the opposite.
    embeddings = np.array([[0.0], [0.1], [5.0], [5.1], [0.2], [0.3], [5.2], [5.3]], dtype=np.float32)
    labels = np.array([0, 0, 1, 1, 1, 1, 0, 0])
    groups = np.array(["A"] * 4 + ["B"] * 4)
    assert knn_accuracy(embeddings, labels, groups, 2) == 0.0
    assert knn_accuracy(embeddings, np.array([0, 0, 1, 1, 0, 0, 1, 1]), groups, 2) == 1.0


def test_every_class_counts_alike_however_rare() -> None:
    # Nine normal frames right, the only other one wrong: 0.5, not 0.9.
    embeddings = np.arange(20, dtype=np.float32)[:, None] * 0.01
    labels = np.zeros(20, dtype=np.int64)
    labels[3] = 1
    groups = np.array(["A", "B"] * 10)
    assert knn_accuracy(embeddings, labels, groups, 3) == pytest.approx((1.0 + 0.0) / 2)


def test_judges_whose_frames_are_pretrained_on_are_told(tmp_path: Path) -> None:
    class Listener(SilentReporter):
        def __init__(self) -> None:
            self.lines: list[str] = []

        def log(self, line: str) -> None:
            self.lines.append(line)

    manifest = write_tiny_studies(tmp_path / "tiny", patients=3, frames=4) / "manifest.json"
    config = pretrain_config(studies=manifest, labels=manifest.with_name("labels.csv"), out=tmp_path, input_size=32)
    apart, within = Listener(), Listener()
    assert knn_probe(config, tmp_path, apart, ["P8"]) is not None
    assert not [line for line in apart.lines if "kNN" in line]
    assert knn_probe(config, tmp_path, within, ["P0", "P2", "P8"]) is not None
    assert within.lines == [
        "kNN accuracy is too optimistic: 2 of the 3 patients to evaluate on are also pretrained on, "
        "without their labels."
    ]
