"""The index on disk: finds what exact search finds, keeps up with its studies, and survives damage and death."""

import importlib
import importlib.util
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from tests.training.embeddings.clouds import FRAMES, QUICK_ROUNDS, SIZE, cloud, given_clouds, write_clouds
from tests.training.embeddings.studies import write_study
from tests.warm_python import warm_python
from training.embeddings import disk_codes, disk_index, disk_manifest, neighbour_index
from training.embeddings.disk_index import DiskIndex
from training.embeddings.disk_manifest import IndexManifest
from training.embeddings.neighbour import SCOPES, Metric, NeighbourFilter, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex

pytestmark = pytest.mark.skipif(importlib.util.find_spec("faiss") is None, reason="faiss is not installed")
COUNT = 4


@pytest.fixture(scope="module", autouse=True)
def few_rounds() -> Iterator[None]:
    """Fewer rounds of learning than in the program, which are enough for so few frames."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk_codes, "ROUNDS", QUICK_ROUNDS)
        yield


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four studies and the index of the first three."""
    folder = tmp_path_factory.mktemp("clouds")
    write_clouds(folder, COUNT)
    open_index(folder, 3)
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "copy"))


@pytest.fixture(autouse=True)
def no_short_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_index, "EXACT_ROWS", 20)


def open_index(folder: Path, count: int) -> NeighbourIndex:
    return NeighbourIndex.open(given_clouds(folder, count), cache=folder / "cache", memory_budget_bytes=0)


def exact_index(folder: Path, count: int) -> NeighbourIndex:
    return NeighbourIndex.open(given_clouds(folder, count))


def agreement(
    index: NeighbourIndex, exact: NeighbourIndex, where: NeighbourFilter, metric: Metric, k: int = 10
) -> float:
    """Share of the exact neighbours of some frames of study c0 that the index finds."""
    hits, wanted = 0, 0
    for frame in range(0, FRAMES, 150):
        query = index.vector("c0", frame)
        mine = {(item.study_id, item.frame_index) for item in index.find(query, k, metric=metric, where=where).items}
        true = {(item.study_id, item.frame_index) for item in exact.find(query, k, metric=metric, where=where).items}
        hits, wanted = hits + len(mine & true), wanted + len(true)
    return hits / wanted


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("scope", SCOPES)
def test_it_finds_what_exact_search_finds(kept: Path, metric: Metric, scope: str) -> None:
    index, exact = open_index(kept, 3), exact_index(kept, 3)
    assert exact.is_exact
    assert not index.is_exact
    where = NeighbourFilter("c0", "C0", 0, scope=scope, min_seconds_to_query=5, min_seconds_among=3)  # type: ignore[arg-type]
    assert agreement(index, exact, where, metric) >= 0.9


def test_what_the_description_says_is_what_is_found(kept: Path) -> None:
    index, exact = open_index(kept, 3), exact_index(kept, 3)
    recall = float(index.description.split("recall@10 ")[1].split(" ")[0])
    assert index.description.startswith("approximate (euclidean: FAISS IVF64,PQ16, ")
    assert "of 4,500; distances are exact); 4,500 frames of 3 studies" in index.description
    assert abs(agreement(index, exact, NeighbourFilter("c0", "C0", scope="other studies"), "euclidean") - recall) < 0.06
    assert index.find(index.vector("c0", 0), 3).note == f"Approximate: recall {recall:.2f}."


def test_every_result_passes_the_filters_and_distances_are_true(kept: Path) -> None:
    index = open_index(kept, 3)
    query = index.vector("c1", 700)
    masks = {name: np.arange(FRAMES) % 3 == 0 for name in ("c1", "c2")}
    where = NeighbourFilter("c1", "C1", 700, min_seconds_to_query=100, min_seconds_among=30, frames=masks)
    items = index.find(query, 20, where=where).items
    assert len(items) == 20
    for place, item in enumerate(items):
        assert item.frame_index % 3 == 0
        assert item.study_id != "c0"
        assert item.study_id != "c1" or abs(item.frame_index - 700) >= 100
        assert all(o.study_id != item.study_id or abs(o.frame_index - item.frame_index) >= 30 for o in items[:place])
        gap = index.vector(item.study_id, item.frame_index).astype(float) - query
        assert item.distance == pytest.approx(float(np.sqrt((gap**2).sum())), abs=1e-9)
    assert [item.distance for item in items] == sorted(item.distance for item in items)


def test_filters_that_leave_few_are_searched_exactly(kept: Path) -> None:
    index, exact = open_index(kept, 3), exact_index(kept, 3)
    few = NeighbourFilter(frames={"c2": np.arange(FRAMES) < 12})
    found = index.find(index.vector("c0", 0), 10, where=few)
    assert found.items == exact.find(index.vector("c0", 0), 10, where=few).items
    assert found.note == "Searched exactly, because few frames pass the filters."
    apart = NeighbourFilter(min_seconds_among=200.0)
    found = index.find(index.vector("c0", 0), 40, where=apart)
    assert found.items == exact.find(index.vector("c0", 0), 40, where=apart).items
    assert len(found.items) < 40
    assert "Only" in found.note


def forbid_building(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("the index is built anew")

    monkeypatch.setattr(disk_codes, "learned", fail)


def test_a_kept_index_is_opened_as_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_building(monkeypatch)
    monkeypatch.setattr(DiskIndex, "save", lambda *_: pytest.fail("it is written again"))
    index = open_index(folder, 3)
    assert index.news == ""
    assert len(index.find(index.vector("c2", 3), 5).items) == 5


def test_a_new_study_is_appended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_building(monkeypatch)
    index = open_index(folder, 4)
    assert index.news == "1 new study was added to the index of neighbours."
    found = index.find(index.vector("c3", 30), 5, where=NeighbourFilter("c0", "C0", 0, scope="other studies"))
    assert (found.items[0].study_id, found.items[0].frame_index) == ("c3", 30)
    assert agreement(index, exact_index(folder, 4), NeighbourFilter(), "euclidean") >= 0.9
    assert open_index(folder, 4).news == ""
    assert len(list((folder / "cache").glob("neighbours-*euclidean-*"))) == 3


def test_a_study_that_was_scored_again_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_building(monkeypatch)
    write_study(folder, "c1", cloud(77), created_utc=datetime.now(UTC).isoformat())
    index = open_index(folder, 3)
    assert index.news == "1 study scored again since then replaced the older ones."
    assert (
        agreement(index, exact_index(folder, 3), NeighbourFilter(scope="this study", study_id="c1"), "euclidean") >= 0.9
    )
    assert open_index(folder, 3).news == ""


def test_fewer_studies_than_are_in_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_building(monkeypatch)
    index = NeighbourIndex.open(given_clouds(folder, 3)[1:], cache=folder / "cache", memory_budget_bytes=0)
    exact = NeighbourIndex.open(given_clouds(folder, 3)[1:])
    query = index.vector("c2", 9)
    found = {(item.study_id, item.frame_index) for item in index.find(query, 10).items}
    assert len(found & {(item.study_id, item.frame_index) for item in exact.find(query, 10).items}) >= 8


@pytest.mark.parametrize("ending", [".faiss", ".npy", ".learned", ".json"])
@pytest.mark.parametrize("how", ["cut", "changed", "gone"])
def test_a_damaged_index_is_built_anew_and_that_is_said(folder: Path, ending: str, how: str) -> None:
    path = next((folder / "cache").glob(f"neighbours-*euclidean*{ending}"))
    content = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(content[: len(content) // 2] if how == "cut" else content[:-200] + b"x" + content[-199:])
    index = open_index(folder, 3)
    missing = ending == ".json" and how == "gone"
    assert index.news == ("" if missing else "The index of neighbours was damaged and has been rebuilt.")
    assert agreement(index, exact_index(folder, 3), NeighbourFilter(), "euclidean") >= 0.9
    assert open_index(folder, 3).news == ""


def test_an_index_most_of_whose_studies_changed_is_built_anew(folder: Path) -> None:
    for number in range(3):
        write_study(folder, f"c{number}", cloud(number + 50), created_utc=datetime.now(UTC).isoformat())
    assert open_index(folder, 3).news == "The index of neighbours was rebuilt: most of its frames are new."


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
@pytest.mark.parametrize("step", [1, 2, 4, 5, 6])
def test_being_killed_half_way_leaves_an_index_that_works(folder: Path, step: int) -> None:
    command = [*warm_python(), "-m", "tests.training.embeddings.clouds", str(folder), "4", str(step)]
    killed = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    index = open_index(folder, 4)
    # Before the manifest is replaced the old index holds, and the study is added again; afterwards it is in.
    assert index.news == ("1 new study was added to the index of neighbours." if step < 6 else "")
    assert agreement(index, exact_index(folder, 4), NeighbourFilter(), "euclidean") >= 0.9
    write_study(folder, "c0", cloud(0), created_utc=datetime.now(UTC).isoformat())
    open_index(folder, 4)
    named = IndexManifest.model_validate_json(next((folder / "cache").glob("*euclidean.json")).read_text()).files
    left = {path.name for path in (folder / "cache").glob("*euclidean*") if not path.name.endswith("euclidean.json")}
    assert left == set(named)


def test_giving_up_leaves_what_was_there(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in (folder / "cache").iterdir()}
    calls = []

    def give_up() -> None:
        calls.append(1)
        if len(calls) > 4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        NeighbourIndex.open(given_clouds(folder, 4), cache=folder / "cache", memory_budget_bytes=0, check=give_up)
    assert {path.name: path.read_bytes() for path in (folder / "cache").iterdir()} == before


def test_building_tells_how_far_it_is(kept: Path) -> None:
    told: list[tuple[int, int, str, str]] = []
    NeighbourIndex.open(given_clouds(kept, 3), memory_budget_bytes=0, progress=lambda *step: told.append(step))
    assert {step[1:] for step in told} == {(3 * FRAMES, "frames", "building the index of neighbours")}
    assert [step[0] for step in told] == sorted(step[0] for step in told)
    assert told[-1][0] >= 2 * FRAMES


def test_a_folder_that_cannot_be_written_costs_nothing_but_the_keeping(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = NeighbourIndex.open(given_clouds(kept, 3), cache=tmp_path / "file" / "cache", memory_budget_bytes=0)
    assert "cannot be stored" in index.news
    assert len(index.find(index.vector("c0", 0), 5).items) == 5


def test_without_faiss_all_is_searched_exactly(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_codes, "is_there", lambda: False)
    index = NeighbourIndex.open(given_clouds(kept, 3), memory_budget_bytes=0)
    assert index.is_exact
    assert "faiss is not installed" in index.description


def test_frames_of_which_hardly_any_decode_are_searched_exactly(tmp_path: Path) -> None:
    rows = np.full((5000, SIZE), np.nan, np.float16)
    rows[:40] = cloud(1)[10:50]
    index = NeighbourIndex.open([write_study(tmp_path, "a", rows)], cache=tmp_path / "cache", memory_budget_bytes=0)
    assert index.is_exact
    assert {item.frame_index for item in index.find(index.vector("a", 0), 50).items} == set(range(40))


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_rows_that_are_too_large_for_their_numbers_are_no_neighbours(tmp_path: Path, metric: Metric) -> None:
    rows = np.concatenate([cloud(1), cloud(2), cloud(3)])
    rows[::2, 3] = np.inf
    index = NeighbourIndex.open([write_study(tmp_path, "a", rows)], cache=tmp_path / "cache", memory_budget_bytes=0)
    assert not index.is_exact
    found = index.find(index.vector("a", 1), 10, metric=metric).items
    assert len(found) == 10
    assert all(item.frame_index % 2 for item in found)


@pytest.mark.parametrize("error", [RuntimeError("could not open"), FileNotFoundError(2, "gone")])
def test_an_index_that_another_process_takes_away_is_built_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    read, failures = disk_codes.read, [error]

    def taken_away(path: Path, *, mapped: bool) -> object:
        if failures:
            raise failures.pop()
        return read(path, mapped=mapped)

    monkeypatch.setattr(disk_codes, "read", taken_away)
    index = open_index(folder, 3)
    assert index.news == "The index of neighbours could not be read and has been rebuilt."
    assert agreement(index, exact_index(folder, 3), NeighbourFilter(), "euclidean") >= 0.9


def test_an_index_is_kept_where_faiss_cannot_open_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faiss = importlib.import_module("faiss")

    def without_paths(plain: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            if any(isinstance(one, str) for one in arguments):
                raise RuntimeError("could not open C:/Users/J\u00fcrgen: No such file or directory")
            return plain(*arguments)

        return call

    for name in ("write_index", "read_index"):
        monkeypatch.setattr(faiss, name, without_paths(getattr(faiss, name)))
    assert open_index(folder, 4).news == "1 new study was added to the index of neighbours."
    index = open_index(folder, 4)
    assert index.news == ""
    assert agreement(index, exact_index(folder, 4), NeighbourFilter(), "euclidean") >= 0.9


def test_few_frames_are_searched_exactly_whatever_the_budget(tmp_path: Path) -> None:
    study: StudyEmbeddings = write_study(tmp_path, "a", np.ones((3, SIZE), np.float16))
    assert NeighbourIndex.open([study], memory_budget_bytes=0).is_exact


@pytest.fixture
def shards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The index of four studies in two shards, and what it is made of."""
    monkeypatch.setattr(disk_index, "SHARD_ROWS", 2 * FRAMES)
    shutil.rmtree(folder / "cache")
    open_index(folder, 4)
    return folder


def codes_of(folder: Path) -> set[str]:
    return {path.name for path in (folder / "cache").glob("*.faiss")}


def test_a_study_is_added_to_the_last_shard(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_building(monkeypatch)
    before = codes_of(shards)
    write_study(shards, "c4", cloud(4))
    index = open_index(shards, 5)
    assert index.news == "1 new study was added to the index of neighbours."
    assert (len(before), len(codes_of(shards)), before < codes_of(shards)) == (2, 3, True), "none is written again"
    write_study(shards, "c5", cloud(5))
    index = open_index(shards, 6)
    assert len(codes_of(shards)) == 3
    assert agreement(index, exact_index(shards, 6), NeighbourFilter(), "euclidean") >= 0.9
    assert open_index(shards, 6).news == ""


def test_a_damaged_shard_is_built_anew(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_building(monkeypatch)
    write_study(shards, "c4", cloud(4))
    open_index(shards, 5)
    (shards / "cache" / sorted(codes_of(shards))[0]).write_bytes(b"damaged")
    index = open_index(shards, 5)
    assert index.news == "A part of the index of neighbours was damaged and has been rebuilt."
    assert agreement(index, exact_index(shards, 5), NeighbourFilter(), "euclidean") >= 0.9
    assert open_index(shards, 5).news == ""


def test_a_study_is_forgotten_with_its_shard(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_manifest.forget(shards / "cache", "c1")
    assert len(codes_of(shards)) == 1
    assert not any(b'"c1"' in path.read_bytes() for path in (shards / "cache").glob("*.json"))
    forbid_building(monkeypatch)
    rest = [study for study in given_clouds(shards, 4) if study.study_id != "c1"]
    index = NeighbourIndex.open(rest, cache=shards / "cache", memory_budget_bytes=0)
    assert index.news == "1 new study was added to the index of neighbours."
    found = index.find(index.vector("c0", 30), 40, where=NeighbourFilter(scope="other studies", study_id="c0"))
    assert {item.study_id for item in found.items} <= {"c2", "c3"}


def test_an_index_of_one_shard_is_forgotten_whole(folder: Path) -> None:
    disk_manifest.forget(folder / "cache", "c1")
    assert list((folder / "cache").iterdir()) == []


def test_building_goes_on_with_the_shards_that_were_full(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(shards / "cache")
    calls = []

    def give_up() -> None:
        calls.append(1)
        if (shards / "cache").is_dir() and codes_of(shards):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        NeighbourIndex.open(given_clouds(shards, 4), cache=shards / "cache", memory_budget_bytes=0, check=give_up)
    forbid_building(monkeypatch)
    assert open_index(shards, 4).news == "2 new studies were added to the index of neighbours."
