"""Scores of one study under another's file name are never shown as its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wce_desktop.alike_samples import REPORTER, alike_session
from tests.wce_desktop.sessions import open_study
from training.commands.common import find_command, make_config
from training.datasets.manifest import Manifest, StudyEntry, save_manifest
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import OtherRecordingError
from training.embeddings.writer import partial_path, partial_scores
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.sources import open_sources
from wce_desktop.core.span import Span
from wce_desktop.features.embedding_map.map_sources import map_sources
from wce_desktop.features.neighbours.neighbour_query import Query, SearchSettings
from wce_desktop.features.neighbours.neighbour_search import NeighbourSearch
from wce_desktop.features.neighbours.what_next import WhatNext
from wce_desktop.features.places.study_clips import StoredEmbeddings
from wce_desktop.session.session import Session
from wce_desktop.session.work import score_job


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Three scored studies; the file of "two" is a copy of that of "one"."""
    made = alike_session(tmp_path)
    shutil.copy(path_of(made, "one"), path_of(made, "two"))
    yield made
    made.close_study()
    made.library.close()


def path_of(session: Session, study_id: str) -> Path:
    return session.files(session.library.studies.get(study_id)).scores_path(session.model_id)


def test_the_file_is_refused_with_a_sentence(session: Session) -> None:
    path, two = path_of(session, "two"), session.library.studies.get("two")
    with pytest.raises(OtherRecordingError, match="belong to another recording") as caught:
        EmbeddingFile.open(path, two.fingerprint)
    assert caught.value.hint == "Score the study again."
    EmbeddingFile.open(path).close()  # of a study whose fingerprint is not known
    EmbeddingFile.open(path_of(session, "one"), session.library.studies.get("one").fingerprint).close()


def test_the_viewer_shows_none_of_them_and_says_why(session: Session) -> None:
    two = session.library.studies.get("two")
    open_study(session, two)
    assert session.reading is not None
    assert session.reading.flags.scores is None
    assert not len(session.reading.flags.events)
    assert session.reading.flags.refusal is not None
    assert "belong to another recording" in session.reading.flags.refusal.message
    assert not session.scores.is_scored(two)
    open_study(session, session.library.studies.get("one"))
    assert session.reading.flags.scores is not None
    assert session.reading.flags.refusal is None


def test_scoring_it_again_begins_anew(session: Session) -> None:
    two, model = session.library.studies.get("two"), session.current_model
    assert model is not None
    assert score_job(session, two, model).config["resume"] is False
    assert score_job(session, session.library.studies.get("one"), model).config["resume"] is True
    path_of(session, "two").rename(partial_path(path_of(session, "two")))  # an unfinished one
    assert score_job(session, two, model).config["resume"] is False


def test_unfinished_scores_are_refused_too(session: Session) -> None:
    two, path = session.library.studies.get("two"), path_of(session, "two")
    path.rename(partial_path(path))
    with pytest.raises(UserError):
        partial_scores(path, two.fingerprint)


def test_neighbours_leave_it_out_and_say_so(session: Session) -> None:
    search = NeighbourSearch(session)
    try:
        settings = SearchSettings(min_seconds_among=0.0, count=50)
        found = search.find(Query("frame 6", "one", "pa", 5), settings, session.model_id, REPORTER)
        assert {one.neighbour.study_id for one in found.frames} == {"one", "three"}
        assert "belong to another recording" in found.note
    finally:
        search.close()


def test_maps_places_and_what_next_refuse_it(session: Session) -> None:
    two, path = session.library.studies.get("two"), path_of(session, "two")
    (source,) = map_sources(session)
    assert set(source.paths) == {"one", "three"}
    clips = StoredEmbeddings(session.model_id, "Model")
    for refused in (
        lambda: clips.of_place(path, two, Span(0, 4), lambda: None),
        lambda: clips.of_study(path, two, 1.0, lambda: None),
        lambda: WhatNext(session).find(REPORTER),
    ):
        with pytest.raises(UserError, match="another recording"):
            refused()


def test_commands_refuse_it_where_the_manifest_knows_the_recording(session: Session, tmp_path: Path) -> None:
    studies = [session.library.studies.get(name) for name in ("one", "two")]
    entries = [
        StudyEntry(study_id=each.study_id, patient_id="p", path=path_of(session, each.study_id),
                   fingerprint=each.fingerprint)
        for each in studies
    ]  # fmt: skip
    manifest = tmp_path / "manifest.json"
    save_manifest(manifest, Manifest(studies=tuple(entries)))
    project = make_config(find_command("project")[0], {"out": tmp_path / "map.npz", "manifest": manifest})
    assert isinstance(project, ProjectConfig)
    with pytest.raises(UserError, match="another recording"):
        open_sources(project)
    neighbours = make_config(find_command("neighbours")[0], {"manifest": manifest, "study": "one", "frame": 3})
    with pytest.raises(UserError, match="another recording"):
        find_command("neighbours")[1](neighbours, REPORTER)
    unknown = tuple(replace_fingerprint(entry) for entry in entries)
    save_manifest(manifest, Manifest(studies=unknown))
    assert len(open_sources(project)) == 2


def replace_fingerprint(entry: StudyEntry) -> StudyEntry:
    return entry.model_copy(update={"fingerprint": ""})
