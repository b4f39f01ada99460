"""The index finds what brute force finds, with every filter; and says what is wrong with what it is given."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.training.embeddings import brute_force
from tests.training.embeddings.studies import write_study
from training.embeddings.neighbour import SCOPES, Metric, Neighbour, NeighbourFilter, StudyEmbeddings, relation
from training.embeddings.neighbour_index import NeighbourIndex
from training.errors import UserError

RANDOM = np.random.default_rng(3)
SIZES = (17, 9, 3, 1)
PATIENTS = ("P1", "P1", "P2", "")


def make_studies() -> list[brute_force.Study]:
    """Four small studies with duplicates, frames that do not decode, zeros, and times that stand still."""
    studies = []
    for number, (size, patient) in enumerate(zip(SIZES, PATIENTS, strict=True)):
        embeddings = RANDOM.integers(-2, 3, (size, 6)).astype(np.float16)
        embeddings[size // 2] = embeddings[0]
        if size > 5:
            embeddings[3], embeddings[4] = np.nan, 0
        seconds = np.cumsum(RANDOM.integers(0, 3, size)) / 2.0
        studies.append((f"s{number}", patient, embeddings, seconds))
    return studies


STUDIES = make_studies()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> NeighbourIndex:
    folder = tmp_path_factory.mktemp("studies")
    files = [write_study(folder, name, array, patient_id=who, seconds=times) for name, who, array, times in STUDIES]
    return NeighbourIndex.open(files)


@st.composite
def filters(draw: st.DrawFn) -> NeighbourFilter:
    """Any filter that makes sense, for a frame, a span or a picture from disk."""
    study_id, patient_id, embeddings, _ = draw(st.sampled_from(STUDIES))
    frames = None
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(STUDIES), max_size=4, unique_by=lambda study: study[0]))
        bits = st.integers(0, 2**17 - 1)
        frames = {
            name: np.array([bool(mask >> place & 1) for place in range(len(array))])
            for name, _, array, _ in chosen
            for mask in [draw(bits)]
        }
    among, frame = draw(st.sampled_from([0.0, 0.5, 1.5, 100.0])), draw(st.integers(0, len(embeddings) - 1))
    where = NeighbourFilter(frames=frames, min_seconds_among=among)
    if draw(st.integers(0, 5)) == 0:
        return where
    span = (frame, draw(st.integers(frame + 1, len(embeddings)))) if draw(st.booleans()) else None
    return replace(
        where,
        study_id=study_id,
        patient_id=patient_id,
        frame_index=None if span else frame,
        span=span,
        scope=draw(st.sampled_from(SCOPES)),
        min_seconds_to_query=draw(st.sampled_from([0.0, 0.5, 1.0, 4.0, 1000.0])),
        video_seconds=draw(st.sampled_from([None, None, 3.0])),
    )


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=filters(),
    k=st.integers(1, 40),
    metric=st.sampled_from(["euclidean", "cosine"]),
    query=st.lists(st.integers(-2, 2), min_size=6, max_size=6),
)
def test_neighbours_are_those_of_brute_force(
    index: NeighbourIndex, where: NeighbourFilter, k: int, metric: Metric, query: list[int]
) -> None:
    vector = np.array(query, np.float32)
    found = index.find(vector, k, metric=metric, where=where)
    expected = brute_force.neighbours(STUDIES, vector, k, metric, where)
    assert [item.distance for item in found.items] == pytest.approx([entry[2] for entry in expected], abs=1e-12)
    if metric == "euclidean":  # of integers: sums are exact, and so equal distances are equal here and there
        assert [(item.study_id, item.frame_index) for item in found.items] == [entry[:2] for entry in expected]
    assert bool(found.note) == (len(expected) < k)


def test_frames_that_differ_by_less_than_rounding_come_in_their_order(tmp_path: Path) -> None:
    # In float32 these distances are all the same; far from the origin the quick pass knows nothing of them.
    base = np.full((200, 64), 900.0, np.float16)
    steps = RANDOM.permutation(200)
    base[np.arange(200), 0] = (900 + 0.5 * steps).astype(np.float16)
    index = NeighbourIndex.open([write_study(tmp_path, "a", base)])
    query = np.full(64, 900.0, np.float32)
    found = index.find(query, 200)
    assert [item.frame_index for item in found.items] == np.argsort(steps).tolist()
    assert [item.distance for item in found.items] == [0.5 * place for place in range(200)]


def test_duplicates_come_in_the_order_of_studies_and_frames(tmp_path: Path) -> None:
    same = np.ones((3, 4), np.float16)
    index = NeighbourIndex.open([write_study(tmp_path, "b", same), write_study(tmp_path, "a", same)])
    found = index.find(np.ones(4, np.float32), 4)
    assert [(item.study_id, item.frame_index) for item in found.items] == [("b", 0), ("b", 1), ("b", 2), ("a", 0)]
    assert all(item.distance == 0 for item in found.items)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_to_three_frames(tmp_path: Path, count: int) -> None:
    index = NeighbourIndex.open([write_study(tmp_path, "a", np.eye(3, dtype=np.float16)[:count])])
    found = index.find(index.vector("a", 0), 10, where=NeighbourFilter("a", "A", 0))
    assert [item.frame_index for item in found.items] == list(range(1, count))
    assert (
        found.note
        == {
            1: "No other frame passes the filters.",
            2: "Only 1 other frame passes the filters.",
            3: "Only 2 other frames pass the filters.",
        }[count]
    )


def test_a_study_in_which_nothing_decodes(tmp_path: Path) -> None:
    index = NeighbourIndex.open([write_study(tmp_path, "a", np.full((3, 4), np.nan, np.float16))])
    assert index.find(np.zeros(4, np.float32), 2).items == ()
    with pytest.raises(UserError, match="Frame 1 of a cannot be decoded"):
        index.vector("a", 1)
    with pytest.raises(UserError, match="No frame of a from 0 to 2 has an embedding"):
        index.mean_of("a", (0, 3))


def test_the_mean_of_a_span_leaves_out_what_does_not_decode(index: NeighbourIndex) -> None:
    rows = STUDIES[0][2][[2, 4, 5]].astype(np.float64)
    assert index.mean_of("s0", (2, 6)) == pytest.approx(rows.mean(axis=0))


def test_bad_queries_are_sentences(index: NeighbourIndex) -> None:
    with pytest.raises(UserError, match="The query has 5 numbers, the embeddings of m1 have 6"):
        index.find(np.zeros(5, np.float32), 1)
    with pytest.raises(UserError, match="not a finite vector"):
        index.find(np.full(6, np.nan, np.float32), 1)
    with pytest.raises(UserError, match="0 neighbours"):
        index.find(np.zeros(6, np.float32), 0)
    with pytest.raises(UserError, match="s9 is not part"):
        index.vector("s9", 0)
    with pytest.raises(UserError, match="no embedding of frame 17 of s0") as told:
        index.vector("s0", 17)
    assert told.value.hint.startswith("It has 0 to ")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"model_sha256": "1" * 64, "model_id": "m2"},
            "of a .m1 000000, backbone. and of b .m2 111111.*different models",
        ),
        ({"space": "projection"}, "b .m1 000000, projection.*different spaces"),
        ({"normalized": True}, "one is normalised"),
        ({"preprocessing": '{"size": 3}'}, "prepared differently"),
    ],
)
def test_mixed_embeddings_are_refused_by_name(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    rows = np.ones((3, 4), np.float16)
    first = write_study(tmp_path, "a", rows)
    with pytest.raises(UserError, match=said):
        NeighbourIndex.open([first, write_study(tmp_path, "b", rows, **changed)])


def test_files_that_cannot_be_searched_are_sentences(tmp_path: Path) -> None:
    study = write_study(tmp_path, "a", np.ones((3, 4), np.float16))
    with pytest.raises(UserError, match="no scored study"):
        NeighbourIndex.open([])
    with pytest.raises(UserError, match="a is given twice"):
        NeighbourIndex.open([study, study])
    with pytest.raises(UserError, match="There is no file"):
        NeighbourIndex.open([StudyEmbeddings("b", "B", tmp_path / "b.h5")])


def test_opening_and_searching_can_be_given_up(tmp_path: Path, index: NeighbourIndex) -> None:
    def give_up() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        NeighbourIndex.open([write_study(tmp_path, "a", np.ones((3, 4), np.float16))], check=give_up)
    with pytest.raises(InterruptedError):
        index.find(np.zeros(6, np.float32), 1, check=give_up)


def test_borders_of_pascuals_figure_3() -> None:
    neighbour = Neighbour("s", "p", 100, 20.0, 0.5)
    assert relation("s", 95, neighbour, 5) == "window"
    assert relation("s", 94, neighbour, 5) == "study"
    assert relation("s", None, neighbour, 5) == "study"
    assert relation("t", 100, neighbour, 5) == "other"
    assert relation("", None, neighbour, 5) == "other"


def test_filters_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="no scope 'mine'"):
        NeighbourFilter(scope="mine")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be >= 0"):
        NeighbourFilter(min_seconds_among=-1)
    with pytest.raises(ValueError, match="needs the query's study"):
        NeighbourFilter(scope="this study")
    with pytest.raises(ValueError, match=r"the mask of a must be \(3,\)"):
        NeighbourFilter(frames={"a": np.ones(2, bool)}).rows("a", np.arange(3), np.arange(3.0))
