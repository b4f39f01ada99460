"""The vote agrees with the formula, names who voted, and copes with few or no labels."""

import math
from pathlib import Path

import numpy as np
import pytest

from tests.training.embeddings.studies import write_study
from training.embeddings.knn import votes
from training.embeddings.neighbour import NeighbourFilter
from training.embeddings.neighbour_index import NeighbourIndex

ANGLES = (0.0, 0.2, 0.5, 0.9, 1.4, 2.0)


@pytest.fixture
def index(tmp_path: Path) -> NeighbourIndex:
    """Two studies with the same six directions, of different lengths."""
    rows = np.array([[math.cos(angle), math.sin(angle)] for angle in ANGLES])
    return NeighbourIndex.open([write_study(tmp_path, "a", rows), write_study(tmp_path, "b", 3 * rows)])


LABELS: dict[str, dict[int, tuple[str, ...]]] = {
    "a": {1: ("blood",), 3: ("polyp",), 4: ()},
    "b": {0: ("polyp", "blood"), 5: ("ulcer",)},
    "gone": {0: ("blood",)},
}


def test_votes_are_the_papers_formula(index: NeighbourIndex) -> None:
    query = index.vector("a", 0)
    found = votes(index, query, LABELS, temperature=0.1)
    cosines = {}
    for study, frame in (("a", 1), ("a", 3), ("b", 0), ("b", 5)):
        vector = index.vector(study, frame).astype(float)
        cosines[study, frame] = vector @ query / math.hypot(*vector) / math.hypot(*query)
    raw = {frame: math.exp(cosine / 0.1) for frame, cosine in cosines.items()}
    total = sum(raw.values())
    assert found.weights == pytest.approx(
        {
            "blood": (raw["a", 1] + raw["b", 0]) / total,
            "polyp": (raw["a", 3] + raw["b", 0]) / total,
            "ulcer": raw["b", 5] / total,
        }
    )
    assert list(found.weights) == ["blood", "polyp", "ulcer"]
    assert [(voter.neighbour.study_id, voter.neighbour.frame_index) for voter in found.voters] == [
        ("b", 0),
        ("a", 1),
        ("a", 3),
        ("b", 5),
    ]
    assert found.voters[0].labels == ("polyp", "blood")
    assert found.voters[0].weight == pytest.approx(raw["b", 0] / total)
    assert found.note == "4 labelled frames voted."


def test_only_the_k_nearest_vote(index: NeighbourIndex) -> None:
    found = votes(index, index.vector("a", 0), LABELS, k=2)
    assert [(voter.neighbour.study_id, voter.neighbour.frame_index) for voter in found.voters] == [("b", 0), ("a", 1)]


def test_filters_narrow_down_who_votes(index: NeighbourIndex) -> None:
    where = NeighbourFilter("a", "A", 1, scope="other patients", frames={"b": np.arange(6) == 5})
    assert dict(votes(index, index.vector("a", 1), LABELS, where=where).weights) == {"ulcer": 1.0}
    own = NeighbourFilter("a", "A", 1, scope="this study")
    assert [voter.neighbour.frame_index for voter in votes(index, index.vector("a", 1), LABELS, where=own).voters] == [
        3
    ]


def test_no_labels_are_no_votes(index: NeighbourIndex) -> None:
    found = votes(index, index.vector("a", 0), {})
    assert (found.weights, found.voters) == ({}, ())
    assert found.note == "No labelled frame passes the filters."


def test_a_cold_temperature_does_not_overflow(index: NeighbourIndex) -> None:
    assert votes(index, index.vector("b", 5), LABELS, temperature=1e-6).weights["ulcer"] == pytest.approx(1.0)
    with pytest.raises(ValueError, match="must be > 0"):
        votes(index, index.vector("a", 0), LABELS, temperature=0)
