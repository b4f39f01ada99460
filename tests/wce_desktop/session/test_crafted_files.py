"""What lies in the library and was changed by hand: the window says a sentence or makes it again, and goes on."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.training.files.test_hdf5 import CRAFTED
from tests.wce_desktop.alike_samples import REPORTER, alike_session
from tests.wce_desktop.sessions import add_study, make_session, open_study
from training.errors import UserError
from training.planning.speed_book import MEASURED, SpeedBook
from wce_desktop.features.embedding_map.map_sources import map_sources
from wce_desktop.features.embedding_map.maps import MapStore
from wce_desktop.features.neighbours.neighbour_query import Query, SearchSettings
from wce_desktop.features.neighbours.neighbour_search import NeighbourSearch
from wce_desktop.library.lineage import training_patients
from wce_desktop.library.run_files import read_json
from wce_desktop.session.presets import PresetStore, built_in
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings

DEEP = '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = alike_session(tmp_path)
    yield made
    made.library.close()


def craft(path: Path, change: Callable[[h5py.File], object]) -> None:
    with h5py.File(path, "r+", libver=("earliest", "latest")) as file:
        change(file)


def texts(file: h5py.File) -> None:
    shape = file["embeddings"].shape
    del file["embeddings"]
    file.create_dataset("embeddings", shape=shape, dtype=h5py.string_dtype())


@pytest.mark.parametrize("change", [texts, CRAFTED["soft link"][0], CRAFTED["group"][0], CRAFTED["frames descend"][0]])
def test_neighbours_leave_a_crafted_study_out_and_say_so(
    session: Session, change: Callable[[h5py.File], object]
) -> None:
    study = session.library.studies.get("two")
    craft(session.files(study).scores_path(session.model_id), change)
    search = NeighbourSearch(session)
    try:
        settings = SearchSettings(min_seconds_among=0.0, count=50)
        found = search.find(Query("frame 6", "one", "pa", 5), settings, session.model_id, REPORTER)
        assert {one.neighbour.study_id for one in found.frames} == {"one", "three"}
        with pytest.raises(UserError, match="damaged"):
            search.find(Query("frame 6", "two", "pa", 5), settings, session.model_id, REPORTER)
    finally:
        search.close()


def test_a_study_with_crafted_scores_opens_without_them(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    path = session.files(study).scores_path(session.model_id)
    changes: list[Callable[[h5py.File], object]] = [
        texts,
        lambda file: file["scores"].write_direct(np.full(file["scores"].shape, 7, "f4")),
        lambda file: file.attrs.__setitem__("preprocessing", '{"field_of_view": {"kind": "circle", "radius": "x"}}'),
    ]
    for change in changes:
        whole = path.read_bytes()
        craft(path, change)
        open_study(session, study)
        assert session.reading is not None
        assert session.reading.flags.scores is None
        session.close_study()
        path.write_bytes(whole)
    open_study(session, study)
    assert session.reading is not None
    assert session.reading.flags.scores is not None
    session.close_study()
    session.library.close()


def test_a_crafted_study_is_no_source_of_a_map(session: Session) -> None:
    study = session.library.studies.get("two")
    craft(session.files(study).scores_path(session.model_id), texts)
    (source,) = map_sources(session)
    assert set(source.paths) == {"one", "three"}


@pytest.mark.parametrize("text", [DEEP, '{"threshold": 1' + "0" * 400 + "}", '{"rate_fps": "fast"}', '{"a": NaN}'])
def test_settings_of_another_kind_are_back_at_their_defaults(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    settings = Settings(tmp_path / "settings.json")
    assert settings["threshold"] == 0.5
    assert "reset to their defaults" in str(settings.problem)


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        "[]",
        '{"pretrain": 3}',
        '{"pretrain": [3]}',
        '{"pretrain": {"a": 1}}',
        '{"pretrain": [{"name": 3, "title": "x"}]}',
        '{"pretrain": [{"name": "x", "title": "x", "settings": [1]}]}',
        '{"finetune": [{"name": "x"}]}',
    ],
    ids=lambda text: text[:40],
)
def test_presets_of_another_kind_are_kept_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.json").write_text(text)
    store = PresetStore(tmp_path / "p.json")
    assert "could not be read" in store.problem
    assert (tmp_path / "p.damaged").read_text() == text
    assert store.of("pretrain") == built_in("pretrain")


MAP = {
    "schema_version": 1, "created_utc": "2026", "title": "t", "model_id": "m", "space": "backbone", "paths": {},
    "method": "tsne", "sample": 3, "seed": 0, "onto": "", "details": {},
}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [{"title": 3}, {"sample": "many"}, {"seed": -1}, {"paths": [1]}, {"paths": {"a": 3}}, {"details": 3}],
    ids=str,
)
def test_a_map_whose_description_is_wrong_is_passed_over(tmp_path: Path, change: dict[str, object]) -> None:
    for name, content in (("good", MAP), ("bad", MAP | change)):
        (tmp_path / "maps" / name).mkdir(parents=True)
        (tmp_path / "maps" / name / "map.json").write_text(json.dumps(content))
    (tmp_path / "maps" / "deep").mkdir()
    (tmp_path / "maps" / "deep" / "map.json").write_text(DEEP)
    assert [kept.map_id for kept in MapStore(tmp_path).maps()] == ["good"]


def test_json_beside_models_and_runs_that_is_none_is_empty(tmp_path: Path) -> None:
    for text in (DEEP, "[", "[1]", '{"a": Infinity}', "\udcff"):
        (tmp_path / "card.json").write_bytes(text.encode("utf-8", "surrogatepass"))
        assert read_json(tmp_path / "card.json") == {}


@pytest.mark.parametrize(
    "text", [DEEP, "[]", '{"cpu resnet18 x": 3}', '{"cpu resnet18 0": 3}', '{"cpu resnet18 64": -1}']
)
def test_speeds_of_another_kind_are_forgotten(tmp_path: Path, text: str) -> None:
    (tmp_path / "speeds.json").write_text(text)
    speed = SpeedBook(tmp_path / "speeds.json").expect("cpu", "resnet18", 64)
    assert speed.value > 0
    assert speed.doubt != MEASURED


def test_patients_that_are_no_list_are_nobody(session: Session, tmp_path: Path) -> None:
    (model,) = session.library.models.all()
    (model.folder / "card.json").write_text('{"split": {"training_patients": 3, "earlier_patients": ["P1"]}}')
    assert training_patients(model) == {"P1"}
