"""Neighbours across the library: filters by label, votes, and what cannot be searched."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.alike_samples import (
    FRAMES,
    REPORTER,
    alike_session,
    embeddings_of,
    label,
    scores_of,
    write_embeddings,
)
from training.errors import UserError
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.neighbour_query import Found, Query, SearchSettings
from wce_desktop.features.neighbours.neighbour_search import NeighbourSearch
from wce_desktop.session.session import Session

EVERYTHING = SearchSettings(min_seconds_among=0.0)
BLOOD_OF_ONE = Query("frame 6", "one", "pa", 5)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = alike_session(tmp_path)
    yield made
    made.library.close()


def find(session: Session, query: Query, settings: SearchSettings = EVERYTHING) -> Found:
    search = NeighbourSearch(session)
    try:
        return search.find(query, settings, session.model_id, REPORTER)
    finally:
        search.close()


def addresses(found: Found) -> set[tuple[str, int]]:
    return {(one.neighbour.study_id, one.neighbour.frame_index) for one in found.frames}


def test_blood_looks_like_blood_in_every_study(session: Session) -> None:
    found = find(session, BLOOD_OF_ONE, replace(EVERYTHING, count=11))
    blood = {(study, frame) for study in ("one", "two", "three") for frame in range(4, 8)}
    assert addresses(found) == blood - {("one", 5)}
    assert "exact" in found.searched
    relations = {one.neighbour.study_id: one.relation for one in found.frames}
    assert relations == {"one": "window", "two": "other", "three": "other"}


def test_other_patients_are_those_of_other_patients(session: Session) -> None:
    found = find(session, BLOOD_OF_ONE, replace(EVERYTHING, count=4, scope="other patients"))
    assert addresses(found) == {("three", frame) for frame in range(4, 8)}


def test_only_labelled_frames_or_those_of_one_class(session: Session) -> None:
    label(session, "two", "blood", 4, 6)
    label(session, "three", "polyp", 14, 15)
    labelled = find(session, BLOOD_OF_ONE, replace(EVERYTHING, is_labelled_only=True))
    assert addresses(labelled) == {("two", 4), ("two", 5), ("three", 14)}
    polyps = find(session, BLOOD_OF_ONE, replace(EVERYTHING, class_name="polyp"))
    assert addresses(polyps) == {("three", 14)}
    assert "Only 1 other frame" in polyps.note


def test_a_label_given_meanwhile_counts_once_labels_are_read_again(session: Session) -> None:
    search = NeighbourSearch(session)
    settings = replace(EVERYTHING, is_labelled_only=True)
    assert not search.find(BLOOD_OF_ONE, settings, session.model_id, REPORTER).frames
    label(session, "three", "blood", 4, 5)
    assert not search.find(BLOOD_OF_ONE, settings, session.model_id, REPORTER).frames
    search.forget_labels()
    assert addresses(search.find(BLOOD_OF_ONE, settings, session.model_id, REPORTER)) == {("three", 4)}
    search.close()


def test_labelled_neighbours_vote_and_the_nearest_weigh_most(session: Session) -> None:
    label(session, "two", "blood", 4, 8)
    label(session, "three", "normal", 0, 4)
    found = find(session, BLOOD_OF_ONE)
    assert found.suggestion is not None
    name, share = found.suggestion
    assert name == "blood"
    assert share > 0.9
    assert len(found.voters) == 3  # the root of eight labelled frames, rounded up
    assert sum(one.weight for one in found.voters) == pytest.approx(1)


def test_frames_of_one_class_are_shown_but_every_class_votes(session: Session) -> None:
    label(session, "two", "blood", 4, 8)
    label(session, "three", "polyp", 14, 16)
    found = find(session, BLOOD_OF_ONE, replace(EVERYTHING, class_name="polyp"))
    assert addresses(found) == {("three", 14), ("three", 15)}
    assert found.suggestion is not None
    assert found.suggestion[0] == "blood"


def test_without_labels_nobody_votes(session: Session) -> None:
    found = find(session, BLOOD_OF_ONE)
    assert found.suggestion is None
    assert found.votes.note == "No frame is labelled yet."


def test_the_mean_of_chosen_frames_finds_neither_of_them(session: Session) -> None:
    chosen = FrameSelection({"one": [4, 5], "three": [4]})
    found = find(session, Query("3 chosen frames", frames=chosen), replace(EVERYTHING, count=9))
    assert addresses(found) == {(study, frame) for study in ("one", "two", "three") for frame in range(4, 8)} - set(
        chosen
    )
    assert found.query.own_frames == chosen


def test_a_span_is_its_mean_and_not_its_own_neighbour(session: Session) -> None:
    found = find(session, Query("a span", "one", "pa", span=(4, 8)), replace(EVERYTHING, count=8))
    assert addresses(found) == {(study, frame) for study in ("two", "three") for frame in range(4, 8)}
    assert found.query.own_frames.of("one").tolist() == [4, 5, 6, 7]


def test_a_vector_from_a_model_needs_no_study(session: Session) -> None:
    query = Query("the picture x.png", vector=np.array([0, 9, 0], np.float32))
    found = find(session, query, replace(EVERYTHING, count=6, scope="other patients"))
    assert addresses(found) == {(study, frame) for study in ("one", "two", "three") for frame in (14, 15)}
    assert not found.query.own_frames
    wrong = Query("the picture", vector=np.zeros(5, np.float32))
    with pytest.raises(UserError, match="5 numbers"):
        find(session, wrong)


def test_what_cannot_be_searched_is_a_sentence(session: Session, tmp_path: Path) -> None:
    search = NeighbourSearch(session)
    with pytest.raises(UserError, match="No model is in use"):
        search.find(BLOOD_OF_ONE, EVERYTHING, "", REPORTER)
    with pytest.raises(UserError, match="No study has been scored by this model"):
        search.find(BLOOD_OF_ONE, EVERYTHING, "another", REPORTER)
    with pytest.raises(UserError, match=r"unknown.*not scored by the model in use"):
        search.find(Query("frame 1", "unknown", "", 0), EVERYTHING, session.model_id, REPORTER)
    with pytest.raises(UserError, match="No frames are chosen"):
        search.find(Query("nothing"), EVERYTHING, session.model_id, REPORTER)
    search.close()


def test_a_study_that_another_model_scored_is_called_by_its_name(session: Session) -> None:
    session.files(session.library.studies.get("two")).scores_path(session.model_id).unlink()
    chosen = FrameSelection({"one": [4], "two": [4]})
    for query in (Query("frame 5 of Mrs two", "two", "pa", 4), Query("2 chosen frames", frames=chosen)):
        with pytest.raises(UserError, match="“Mrs two” was not scored by the model in use"):
            find(session, query)


def test_a_frame_that_does_not_decode_is_said_and_left_out_of_a_mean(session: Session) -> None:
    rows = embeddings_of(0)
    rows[5] = np.nan
    write_embeddings(session, "one", rows, scores_of())
    with pytest.raises(UserError, match="no embedding of frame 6"):
        find(session, BLOOD_OF_ONE)
    found = find(
        session, Query("2 chosen frames", frames=FrameSelection({"one": [4, 5]})), replace(EVERYTHING, count=8)
    )
    assert {frame for _, frame in addresses(found)} <= {4, 5, 6, 7}


def test_a_study_of_other_weights_is_named(session: Session) -> None:
    write_embeddings(session, "two", np.ones((FRAMES, 3), np.float32), None, sha256="1" * 64)
    with pytest.raises(UserError, match=r"two.*different models"):
        find(session, BLOOD_OF_ONE)


def test_a_study_scored_meanwhile_takes_part(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one",))
    search = NeighbourSearch(session)
    few = search.find(BLOOD_OF_ONE, EVERYTHING, session.model_id, REPORTER)
    assert len(few.frames) == FRAMES - 1
    write_embeddings(session, "one", np.ones((2, 3), np.float32), None)
    first = search.find(Query("frame 1", "one", "pa", 0), EVERYTHING, session.model_id, REPORTER)
    assert addresses(first) == {("one", 1)}
    search.close()
    session.library.close()


def _damage(session: Session, study_id: str) -> str:
    path = session.files(session.library.studies.get(study_id)).scores_path(session.model_id)
    path.write_bytes(path.read_bytes()[:1000])
    return session.library.studies.get(study_id).name


def test_damaged_scores_of_another_study_are_left_out_and_told_by_its_name(session: Session) -> None:
    name = _damage(session, "two")
    found = find(session, BLOOD_OF_ONE)
    assert "two" not in {one.neighbour.study_id for one in found.frames}
    assert f"The scores of {name} are damaged or belong to another recording and were left out." in found.note


def test_damaged_scores_of_the_study_asked_for_are_an_error(session: Session) -> None:
    name = _damage(session, "one")
    with pytest.raises(UserError, match=f"The scores of “{name}” are damaged"):
        find(session, BLOOD_OF_ONE)
