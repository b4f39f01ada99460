"""Placing new studies into a map: the old points stay, the new ones find their cloud."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.projection.embedded_studies import CLOUDS, write_embeddings
from tests.training.projection.test_run import Watcher, config
from training.errors import UserError
from training.projection.map_file import ProjectionFile
from training.projection.map_making import project
from training.runs.reporter import Cancelled, SilentReporter


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the study "old", maps of it by both methods, and the study "new" with two missing frames."""
    folder = tmp_path_factory.mktemp("maps")
    old = write_embeddings(folder / "old.h5", 200, 1)
    write_embeddings(folder / "new.h5", 60, 2, missing=(3, 4))
    for method in ("tsne", "pca"):
        project(config((old,), folder / f"{method}.npz", method=method, iterations=150), SilentReporter())
    return folder


def onto(maps: Path, out: Path, method: str = "tsne", names: tuple[str, ...] = ("new",), **fields: Any) -> Any:
    files = tuple(maps / f"{name}.h5" for name in names)
    return config(files, out, onto=maps / f"{method}.npz", **fields)


@pytest.mark.parametrize("method", ["tsne", "pca"])
def test_old_points_stay_and_new_ones_lie_among_their_like(method: str, maps: Path, tmp_path: Path) -> None:
    told = project(onto(maps, tmp_path / "more.npz", method, ("old", "new")), SilentReporter())
    before, after = ProjectionFile.open(maps / f"{method}.npz"), ProjectionFile.open(tmp_path / "more.npz")
    assert (told["points"], after.method, after.study_ids) == (258, method, ("old", "new"))
    assert np.array_equal(after.coordinates[:200], before.coordinates)
    assert after.study[200:].tolist() == [1] * 58
    placed, cloud = after.coordinates[200:], after.frame_index[200:] * CLOUDS // 60
    nearest = ((placed[:, None] - before.coordinates) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest * CLOUDS // 200 == cloud).mean() > 0.95
    assert after.parameters["placed"] == ["new"]
    assert set(after.parameters["files"]) == {"old", "new"}
    assert after.notes == (
        "1 study that the map already shows is left unchanged.",
        "2 frames have no embedding and are left out.",
        "58 frames of 1 study were placed into a map that was made without them.",
    )


def test_placing_twice_gives_the_same_and_a_third_study_can_follow(maps: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "a.npz", tmp_path / "b.npz"
    project(onto(maps, first), SilentReporter())
    project(onto(maps, again), SilentReporter())
    assert np.array_equal(ProjectionFile.open(first).coordinates, ProjectionFile.open(again).coordinates)
    third = write_embeddings(tmp_path / "third.h5", 20, 3)
    project(config((third,), tmp_path / "c.npz", onto=first), SilentReporter())
    assert ProjectionFile.open(tmp_path / "c.npz").parameters["placed"] == ["new", "third"]


def test_what_cannot_be_placed_is_told(maps: Path, tmp_path: Path) -> None:
    out = tmp_path / "more.npz"
    with pytest.raises(UserError, match="already shows all of these studies"):
        project(onto(maps, out, names=("old",)), SilentReporter())
    odd = write_embeddings(tmp_path / "odd.h5", 20, space="projection")
    with pytest.raises(
        UserError, match=r"the map tsne.npz and odd cannot be in one map.*spaces backbone and projection"
    ):
        project(config((odd,), out, onto=maps / "tsne.npz"), SilentReporter())
    project(config((maps / "old.h5",), tmp_path / "half.npz"), Watcher(until=10))
    with pytest.raises(UserError, match=r"half.npz is not finished"):
        project(config((maps / "new.h5",), out, onto=tmp_path / "half.npz"), SilentReporter())
    assert not out.exists()


def test_a_cancel_writes_nothing(maps: Path, tmp_path: Path) -> None:
    class Cancelling(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        project(onto(maps, tmp_path / "more.npz"), Cancelling())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", ["tsne", "pca"])
def test_further_frames_lie_among_their_nearest_of_the_sample(method: str, maps: Path, tmp_path: Path) -> None:
    files = tuple(maps / f"{name}.h5" for name in ("old", "new"))
    settings = {"method": method, "sample": 100, "iterations": 150}
    project(config(files, tmp_path / "sample.npz", **settings), SilentReporter())
    told = project(config(files, tmp_path / "all.npz", shown=1000, **settings), SilentReporter())
    sample, shown = ProjectionFile.open(tmp_path / "sample.npz"), ProjectionFile.open(tmp_path / "all.npz")
    assert told["points"] == len(shown) == 258
    places = {
        (study, frame): row for row, (study, frame) in enumerate(zip(shown.study, shown.frame_index, strict=True))
    }
    assert list(places) == sorted(places)
    rows = [places[key] for key in zip(sample.study, sample.frame_index, strict=True)]
    assert np.array_equal(shown.coordinates[rows], sample.coordinates)
    cloud = shown.frame_index * CLOUDS // np.where(shown.study == 0, 200, 60)
    nearest = np.array(rows)[((shown.coordinates[:, None] - sample.coordinates) ** 2).sum(axis=2).argmin(axis=1)]
    assert (cloud[nearest] == cloud).mean() > 0.95
    assert shown.notes[-1] == "159 frames lie among their nearest of the 99 that the map was made of."
    again = project(config(files, tmp_path / "all.npz", shown=1000, resume=True, **settings), SilentReporter())
    assert again["points"] == 258
    more = write_embeddings(tmp_path / "third.h5", 20, 3)
    project(config((more,), tmp_path / "more.npz", onto=tmp_path / "all.npz"), SilentReporter())
    assert len(ProjectionFile.open(tmp_path / "more.npz")) == 278
