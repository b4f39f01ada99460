"""Rows that are asked often are searched by way of a sketch, and no neighbour is missed by it."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.embeddings.studies import write_study
from training.embeddings import exact_search
from training.embeddings.exact_search import ExactSearch
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows, open_rows
from training.embeddings.sketch import Sketch

SIZE = 96


def like_scenes(seed: int, frames: int) -> NDArray[np.float16]:
    """(frames, SIZE): some scenes that are seen for a while each, with noise."""
    random = np.random.default_rng(seed)
    scenes = np.abs(random.standard_normal((20, SIZE)))
    rows = scenes[np.arange(frames) * 20 // frames] + 0.1 * random.standard_normal((frames, SIZE))
    return rows.astype(np.float16)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> NeighbourRows:
    """Two studies with equal rows, rows of zeros, a row that is far longer, and rows that do not decode."""
    first, second = like_scenes(0, 1500), like_scenes(1, 1100)
    first[40:44], first[70], first[[100, 1499]] = first[50], 0, np.nan
    second[3], second[5:7] = 400 * second[3], 0
    folder = tmp_path_factory.mktemp("sketch")
    return open_rows([write_study(folder, "a", first), write_study(folder, "b", second)])


@pytest.fixture(autouse=True)
def _sketch_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_search, "SKETCHED_ROWS", 200)


def searched(rows: NeighbourRows, monkeypatch: pytest.MonkeyPatch, after: int, **asked: Any) -> list[Any]:
    """Answers to several queries, with a sketch after so many."""
    monkeypatch.setattr(exact_search, "OFTEN", after)
    search = ExactSearch(rows)
    queries = rows.gather(np.array([0, 45, 70, 800, 1503, 2000, 2599])).astype(np.float32)
    return [search.nearest(query, **asked) for query in (*queries, queries[0] + queries[4] / 3)]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("seconds", [0.0, 4.0, 60.0])
@pytest.mark.parametrize("share", [1, 2, 9])
def test_the_answers_are_those_without_a_sketch(
    rows: NeighbourRows, monkeypatch: pytest.MonkeyPatch, metric: Metric, seconds: float, share: int
) -> None:
    asked = {"k": 4, "metric": metric, "allowed": np.arange(len(rows)) % share == 0, "min_seconds_among": seconds}
    plain = searched(rows, monkeypatch, after=10**9, **asked)
    assert searched(rows, monkeypatch, after=0, **asked) == plain


def test_rows_that_live_side_by_side(rows: NeighbourRows, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = np.zeros(len(rows), dtype=bool)
    allowed[-300:] = True
    asked = {"k": 1, "metric": "euclidean", "allowed": allowed}
    plain = searched(rows, monkeypatch, after=10**9, **asked)
    assert searched(rows, monkeypatch, after=0, **asked) == plain


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_no_key_is_less_than_its_bound(rows: NeighbourRows, metric: Metric, scale: float) -> None:
    search = ExactSearch(rows)
    sketch = Sketch(rows, search.is_valid, lambda: None)
    valid = np.flatnonzero(search.is_valid)
    for query in (*scale * rows.gather(np.array([0, 70, 1503, 2000])), np.ones(SIZE)):
        least = sketch.least(query.astype(np.float32), metric)[valid]
        keys = search.exact_keys(query.astype(np.float32), metric, valid)
        assert (least <= keys).all()


def test_most_rows_are_ruled_out(rows: NeighbourRows) -> None:
    search = ExactSearch(rows)
    query = rows.gather(np.array([800])).astype(np.float32)[0]
    least = Sketch(rows, search.is_valid, lambda: None).least(query, "euclidean")
    tenth = search.nearest(query, 10, "euclidean", np.ones(len(rows), dtype=bool))[-1][1]
    assert (least <= tenth**2).sum() < len(rows) / 8


def test_making_it_can_be_given_up(rows: NeighbourRows) -> None:
    def give_up() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        Sketch(rows, ExactSearch(rows).is_valid, give_up)


def test_it_is_made_once_and_only_where_rows_are_asked_often(
    rows: NeighbourRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketches: list[Sketch] = []

    class Counted(Sketch):
        def __init__(self, *given: Any) -> None:
            sketches.append(self)
            super().__init__(*given)

    monkeypatch.setattr(exact_search, "Sketch", Counted)
    monkeypatch.setattr(exact_search, "OFTEN", 3)
    search, query = ExactSearch(rows), rows.gather(np.array([0]))[0]
    counts = []
    for _ in range(6):
        search.nearest(query, 1, "cosine", np.ones(len(rows), dtype=bool))
        counts.append(len(sketches))
    assert counts == [0, 0, 0, 1, 1, 1]
