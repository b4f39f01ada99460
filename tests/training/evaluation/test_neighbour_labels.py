"""Queries are drawn fairly, and shares are those of a slow count."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.embeddings.studies import write_study
from training.embeddings.neighbour_index import NeighbourIndex
from training.evaluation.neighbour_labels import RANKS, SearchableFrames, draw_queries, run_queries, summary


def labels_of(*sizes: int) -> dict[str, NDArray[np.int64]]:
    random = np.random.default_rng(1)
    return {f"g{number}": random.integers(0, 2, size) for number, size in enumerate(sizes)}


def test_labels_take_turns_and_groups_come_round() -> None:
    labels = labels_of(100, 10, 10, 10)
    drawn = draw_queries(labels, 8, 0)
    assert len(set(drawn)) == 8
    assert sum(int(labels[group][row]) for group, row in drawn) == 4
    assert [sum(group == name for group, _ in drawn) for name in labels] == [2, 2, 2, 2]
    assert drawn == draw_queries(labels, 8, 0)
    assert drawn != draw_queries(labels, 8, 1)


def test_all_frames_can_be_asked_for_and_groups_left_out() -> None:
    labels = labels_of(5, 3)
    assert sorted(draw_queries(labels, 100, 0)) == [("g0", row) for row in range(5)] + [("g1", row) for row in range(3)]
    assert {group for group, _ in draw_queries(labels, 100, 0, ["g1"])} == {"g1"}


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_shares_are_those_of_a_slow_count(tmp_path: Path, metric: str) -> None:
    random = np.random.default_rng(2)
    labels = labels_of(9, 8, 7)
    points = {group: random.standard_normal((len(its), 3)).astype(np.float16) for group, its in labels.items()}
    index = NeighbourIndex.open([write_study(tmp_path, group, points[group], patient_id=group) for group in points])
    queries = draw_queries(labels, 10, 0)
    answers = run_queries(SearchableFrames(index, labels), queries, metric)  # type: ignore[arg-type]
    for (group, row), answer in zip(queries, answers, strict=True):
        query = points[group][row].astype(float)
        ranked = []
        for other, its in points.items():
            for place, point in enumerate(its.astype(float)):
                if other != group:
                    gap = np.sqrt(((point - query) ** 2).sum())
                    cosine = 1 - point @ query / np.linalg.norm(point) / np.linalg.norm(query)
                    ranked.append(
                        (gap if metric == "euclidean" else cosine, labels[other][place] == labels[group][row])
                    )
        hits = [hit for _, hit in sorted(ranked)]
        assert answer.shares == {rank: pytest.approx(np.mean(hits[:rank])) for rank in RANKS}
        assert answer.chance == pytest.approx(np.mean(hits))
    assert summary(answers)["share_at_5"] == pytest.approx(np.mean([answer.shares[5] for answer in answers]))
