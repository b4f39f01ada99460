"""Maps are kept with what was asked for, and come back as they were."""

from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.features.embedding_map.maps import keep_map, make_request, write_points
from tests.wce_desktop.sessions import CLASSES, add_study, make_session, write_model, write_scores
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.map_file import ProjectionFile
from training.runs.reporter import SilentReporter
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.embedding_map.map_sources import map_sources
from wce_desktop.features.embedding_map.maps import MapStore, map_job, map_of_selection, map_words, points_of
from wce_desktop.session.session import Session


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    """With the little study, scored, in its library."""
    add_study(session, tmp_path)
    return session


def test_a_kept_map_is_the_same_after_reopening(session: Session) -> None:
    kept = keep_map(session)
    before = points_of(ProjectionFile.open(kept.points_path))
    again = MapStore(session.library.folder).maps()[0]
    after = points_of(ProjectionFile.open(again.points_path))
    assert again == kept
    assert np.array_equal(before.coordinates, after.coordinates)
    assert np.array_equal(before.frame_index, after.frame_index)
    assert before.study_ids == after.study_ids


def test_the_job_is_one_that_the_command_takes_and_makes_the_map(session: Session) -> None:
    store = MapStore(session.library.folder)
    kept = store.add(make_request(session, sample=40, seed=3))
    spec = map_job(session, kept)
    assert (spec.command, spec.kind) == ("project", "light")
    config = ProjectConfig(**spec.config)
    from training.projection.map_making import project

    project(config, SilentReporter())
    file = ProjectionFile.open(kept.points_path)
    assert file.study_ids == tuple(kept.request.paths)
    assert 3 <= len(file) <= 40
    assert "PCA of" in map_words(kept, file, "Starter model")
    assert "seed 3" in map_words(kept, file, "Starter model")
    placed = store.add(make_request(session, "Placed", onto=kept.map_id))
    assert map_job(session, placed).config["onto"] == str(kept.points_path)
    assert map_job(session, kept, resume=True).config["resume"] is True


def test_a_map_of_a_selection_shows_these_frames_alone(session: Session) -> None:
    store = MapStore(session.library.folder)
    kept = store.add(make_request(session, "All"))
    (study_id,) = kept.request.paths
    chosen = FrameSelection({study_id: [3, 4, 5, 20, 41], "elsewhere": [1]})
    part = store.add(map_of_selection(kept, chosen))
    assert "All" in part.request.title
    assert part.request.method == kept.request.method
    from training.projection.map_making import project

    project(ProjectConfig(**map_job(session, store.find(part.map_id)).config), SilentReporter())
    assert ProjectionFile.open(part.points_path).frame_index.tolist() == [3, 4, 5, 20, 41]
    with pytest.raises(UserError, match="None of the selected frames"):
        map_of_selection(kept, FrameSelection({"elsewhere": [1]}))


def test_a_map_can_be_renamed_and_deleted(session: Session) -> None:
    store = MapStore(session.library.folder)
    first, second = keep_map(session), keep_map(session, "Second")
    store.rename(first.map_id, " Ileum ")
    store.delete(second.map_id)
    store.delete(second.map_id)
    assert [kept.request.title for kept in store.maps()] == ["Ileum"]
    assert not list(store.folder.glob(".*"))
    with pytest.raises(UserError, match="needs a name"):
        store.rename(first.map_id, "  ")
    with pytest.raises(UserError, match="no longer exists"):
        store.find(second.map_id)


def test_a_damaged_map_does_not_hide_the_others(session: Session) -> None:
    kept = keep_map(session)
    broken = kept.folder.with_name("map-broken")
    broken.mkdir()
    (broken / "map.json").write_text('{"title": "half')
    assert [one.map_id for one in MapStore(session.library.folder).maps()] == [kept.map_id]


def test_no_studies_is_a_sentence(session: Session) -> None:
    with pytest.raises(UserError, match="No study is ticked"):
        MapStore(session.library.folder).add(make_request(session, paths={}))


def test_a_folder_that_cannot_be_written_is_named(session: Session) -> None:
    (session.library.folder / "maps").write_text("in the way")
    with pytest.raises(UserError, match="maps"):
        MapStore(session.library.folder).add(make_request(session))


def test_an_unfinished_map_says_so(session: Session) -> None:
    kept = keep_map(session, is_complete=False)
    file = ProjectionFile.open(kept.points_path)
    assert "stopped at step 250 of 750" in map_words(kept, file, "Starter model")
    assert "being computed" in map_words(kept, file, "Starter model", is_made=True)
    assert "do not decode" in map_words(kept, file, "Starter model")


def test_frames_of_two_models_are_two_sources_with_the_present_model_first(session: Session, tmp_path: Path) -> None:
    study = session.library.studies.all()[0]
    session.library.models.register(write_model(tmp_path / "more", "a0", value=1.0), title="Older")
    write_scores(session.files(study).scores_path("a0"), "a0", np.full((60, 3), 0.2, np.float32))
    sources = map_sources(session)
    assert [source.title for source in sources] == ["Model 1", "Older"]
    assert sources[0].words == "Model 1: 1 study"
    session.files(study).scores_path("a0").write_bytes(b"half a file")
    assert [source.model_id for source in map_sources(session)] == ["m1"]


def test_a_map_of_two_models_is_refused_and_both_are_named(session: Session, tmp_path: Path) -> None:
    study = session.library.studies.all()[0]
    with EmbeddingFile.open(session.files(study).scores_path("m1")) as file:
        assert file.header.classes == CLASSES
    other = tmp_path / "other" / "embeddings-m2.h5"
    write_scores(other, "m2", np.full((60, 3), 0.2, np.float32))
    import h5py

    with h5py.File(other, "r+") as raw:
        raw.attrs["model_sha256"] = "1" * 64
    paths = {**make_request(session).paths}
    study_2 = session.library.studies.add(tmp_path / "second.mp4", fingerprint="zz", frame_count=60)
    kept = MapStore(session.library.folder).add(make_request(session, paths={**paths, study_2.study_id: other}))
    from training.projection.map_making import project

    with pytest.raises(UserError, match="m1 and m2"):
        project(ProjectConfig(**map_job(session, kept).config), SilentReporter())


def test_a_library_without_scores_has_no_sources(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    add_study(session, tmp_path, is_scored=False)
    assert map_sources(session) == ()
    session.library.close()


def test_write_points_is_what_a_map_reads(tmp_path: Path) -> None:
    file = write_points(tmp_path / "p.npz", ("a", "b"))
    assert np.array_equal(points_of(ProjectionFile.open(tmp_path / "p.npz")).coordinates, file.coordinates)
