"""The map's file: what is saved comes back, and what is not a map is told."""

from pathlib import Path

import numpy as np
import pytest

from training.errors import UserError
from training.projection.evolution import EvolutionFile
from training.projection.map_file import ProjectionFile, ProjectionModel, write_arrays

MODEL = ProjectionModel("m1", "0" * 64, "backbone", False)


def sample() -> ProjectionFile:
    return ProjectionFile(
        study_ids=("Ä", "b"),
        patient_ids=("P1", "P2"),
        study=np.array([0, 0, 1], np.int32),
        frame_index=np.array([3, 9, 4]),
        video_seconds=np.array([1.0, 3.0, 1.3]),
        coordinates=np.array([[1, 2], [3, 4], [5, 6]], np.float32),
        method="tsne",
        model=MODEL,
        parameters={"seed": 3, "files": {"Ä": "x.h5"}},
        iteration=50,
        iterations=75,
        kl_divergence=1.25,
        is_complete=False,
        notes=("2 frames are left out.",),
        explained=(0.5, 0.25),
        basis={"mean": np.zeros(4), "components": np.zeros((2, 4)), "reduced": np.zeros((3, 2))},
    )


def test_a_map_is_the_same_after_reopening(tmp_path: Path) -> None:
    made = sample()
    made.save(tmp_path / "map.npz")
    found = ProjectionFile.open(tmp_path / "map.npz")
    for name in ("study", "frame_index", "video_seconds", "coordinates"):
        assert np.array_equal(getattr(found, name), getattr(made, name))
        assert getattr(found, name).dtype == getattr(made, name).dtype
    for name in ("study_ids", "patient_ids", "method", "model", "parameters", "iteration", "iterations", "notes"):
        assert getattr(found, name) == getattr(made, name)
    assert (found.kl_divergence, found.is_complete, found.explained) == (1.25, False, (0.5, 0.25))
    assert found.basis == {}
    assert set(ProjectionFile.open(tmp_path / "map.npz", with_basis=True).basis) == {"mean", "components", "reduced"}
    assert [path.name for path in tmp_path.iterdir()] == ["map.npz"]


def test_what_is_no_map_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no map"):
        ProjectionFile.open(tmp_path / "a.npz")
    (tmp_path / "a.npz").write_bytes(b"nothing")
    with pytest.raises(UserError, match=r"damaged or not a (valid )?map"):
        ProjectionFile.open(tmp_path / "a.npz")
    whole = sample().save(tmp_path / "b.npz").read_bytes()
    for length in range(1, len(whole), len(whole) // 40):
        (tmp_path / "a.npz").write_bytes(whole[:length])
        with pytest.raises(UserError, match=r"damaged or not a (valid )?map"):
            ProjectionFile.open(tmp_path / "a.npz")
    with pytest.raises(UserError, match=r"damaged or not (an|a valid) evolution"):
        EvolutionFile.open(tmp_path / "b.npz")
    points = {name: getattr(sample(), name) for name in ("study", "frame_index", "video_seconds", "coordinates")}
    write_arrays(tmp_path / "c.npz", points, {"kind": "projection", "schema_version": 2})
    with pytest.raises(UserError, match="newer version"):
        ProjectionFile.open(tmp_path / "c.npz")
    write_arrays(tmp_path / "c.npz", points, {"kind": "else"})
    with pytest.raises(UserError, match="is not a map"):
        ProjectionFile.open(tmp_path / "c.npz")


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", facts=np.array([{"a": 1}], dtype=object))
    with pytest.raises(UserError, match=r"damaged or not a (valid )?map"):
        ProjectionFile.open(tmp_path / "a.npz")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        sample().save(tmp_path / "file" / "map.npz")
