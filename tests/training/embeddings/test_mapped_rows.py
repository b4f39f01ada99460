import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from tests.training.embeddings.studies import write_study
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import SCHEMA_VERSION
from training.embeddings.mapped_rows import MOST_MAPPED
from training.embeddings.neighbour import Metric, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex
from training.embeddings.neighbour_rows import open_rows
from training.embeddings.writer import partial_path
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.sources import Rows, open_sources

STUDIES = MOST_MAPPED + 40


def rows_of(seed: int, count: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float16)


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """Those that are open, and 300 more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Path("/dev/null").open() as file:
        resource.setrlimit(resource.RLIMIT_NOFILE, (file.fileno() + MOST_MAPPED + 44, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
@pytest.mark.usefixtures("few_descriptors")
def test_more_studies_than_a_process_may_open_files(tmp_path: Path) -> None:
    studies: list[StudyEmbeddings] = [write_study(tmp_path, f"s{seed}", rows_of(seed)) for seed in range(STUDIES)]
    with_files = [EmbeddingFile.open(study.path) for study in studies[:20]]
    index = NeighbourIndex.open(studies)
    for _ in range(2):  # the first files were let go meanwhile
        found = index.find(index.vector("s7", 1), 2)
        assert (found.items[0].study_id, found.items[0].frame_index, found.items[0].distance) == ("s7", 1, 0.0)
    sources = open_sources(
        ProjectConfig.model_validate({"embeddings": [study.path for study in studies], "out": tmp_path / "map"})
    )
    shown = Rows(sources, [source.rows() for source in sources])
    assert np.concatenate(list(shown.blocks())).shape == (3 * STUDIES, 8)
    for file in with_files:
        file.close()


def test_rows_read_as_an_array_does(tmp_path: Path) -> None:
    expected = rows_of(1, 9)
    with EmbeddingFile.open(write_study(tmp_path, "a", expected).path) as file:
        rows = file.embeddings
    assert (rows.shape, len(rows), rows.nbytes) == ((9, 8), 9, 144)
    assert rows.dtype == expected.dtype
    for key in (3, slice(2, 5), [4, 1], (slice(None), 0)):
        assert np.array_equal(rows[key], expected[key])
    assert np.array_equal(np.asarray(rows, np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("is_removed", [True, False])
def test_a_file_that_was_replaced_is_not_read(tmp_path: Path, is_removed: bool) -> None:
    with EmbeddingFile.open(write_study(tmp_path, "a", rows_of(1)).path) as file:
        rows = file.embeddings
    file.path.unlink()
    if not is_removed:
        write_study(tmp_path, "a", rows_of(2))
    with pytest.raises(UserError, match="replaced or removed"):
        rows[0]


def test_int8_reads_as_what_was_written_but_for_rounding(tmp_path: Path) -> None:
    expected = np.abs(rows_of(1, 300)).astype(np.float32) * np.logspace(-3, 4, 300)[:, None].astype(np.float32)
    expected[7], expected[8] = np.nan, 0
    study = write_study(tmp_path, "a", expected, schema_version=SCHEMA_VERSION["int8"])
    with EmbeddingFile.open(study.path) as file:
        rows = file.embeddings
        assert np.flatnonzero(file.missing).tolist() == [7]
    assert rows.nbytes == 8 * 300
    read = np.asarray(rows)
    assert read.dtype == rows.dtype == np.float32
    step = np.ptp(expected, axis=1, keepdims=True) / 254
    assert np.nanmax(np.abs(read - expected) - 0.501 * step - 1e-30) <= 0
    for key in (3, slice(2, 5), [4, 1], (slice(None), 0)):
        assert np.array_equal(rows[key], read[key], equal_nan=True)
    index, plain = NeighbourIndex.open([study]), NeighbourIndex.open([write_study(tmp_path, "b", read)])
    near = [item.frame_index for item in index.find(index.vector("a", 90), 5).items]
    assert near == [item.frame_index for item in plain.find(read[90], 5).items]


def test_int8_without_its_scales_is_damaged(tmp_path: Path) -> None:
    study = write_study(tmp_path, "a", rows_of(1), schema_version=SCHEMA_VERSION["int8"])
    with h5py.File(study.path, "r+") as file:
        del file["scales"]
    with pytest.raises(UserError, match="no table scales"):
        EmbeddingFile.open(study.path)


def like_embeddings(seed: int, count: int) -> np.ndarray:
    """Of 6 dimensions but for noise, as those of a network are of few."""
    random, directions = np.random.default_rng(seed), np.random.default_rng(99).standard_normal((6, 40))
    return random.standard_normal((count, 6)) @ directions + 0.1 * random.standard_normal((count, 40))


def test_components_read_as_what_was_written_but_for_the_rest(tmp_path: Path) -> None:
    expected = like_embeddings(1, 500).astype(np.float32)
    expected[7] = np.nan
    study = write_study(tmp_path, "a", expected, schema_version=SCHEMA_VERSION["int8-pca"])
    assert not partial_path(study.path).exists()
    with EmbeddingFile.open(study.path) as file:
        rows = file.embeddings
        assert np.flatnonzero(file.missing).tolist() == [7]
        assert file.components is not None
        assert (file.header.storage, file.components.table.shape) == ("int8-pca", (31, 40))
    read = np.asarray(rows)
    assert read.dtype == rows.dtype == np.float32
    assert read.shape == rows.shape == (500, 40)
    whole = np.isfinite(expected).all(axis=1)
    error = np.linalg.norm(read - expected, axis=1)[whole] / np.linalg.norm(expected, axis=1)[whole]
    assert error.max() < 0.1
    for key in (3, slice(2, 5), [4, 1], (slice(None), 0), (slice(3, 8), slice(2, 4))):
        assert np.allclose(rows[key], read[key], equal_nan=True, rtol=1e-5, atol=1e-4)


def test_the_first_study_of_a_model_gives_the_components_of_all(tmp_path: Path) -> None:
    kept: dict[str, Any] = {"schema_version": SCHEMA_VERSION["int8-pca"], "components": tmp_path / "kept"}
    rows = like_embeddings(2, 20)
    studies = [
        write_study(tmp_path, "a", like_embeddings(1, 500), **kept),
        write_study(tmp_path, "b", rows, **kept),
        write_study(tmp_path, "c", rows, **kept, model_sha256="other"),
    ]
    assert len(list((tmp_path / "kept").iterdir())) == 2
    tables = [part.embeddings for part in open_rows(studies[:2]).parts]
    assert tables[0].components is tables[1].components  # type: ignore[attr-defined]
    assert np.abs(np.asarray(tables[1]) - rows).mean() < 0.1 * np.abs(rows).mean()
    with EmbeddingFile.open(studies[2].path) as file:
        assert file.components is not tables[0].components  # type: ignore[attr-defined]
    next((tmp_path / "kept").glob("components-other*")).write_bytes(b"damaged")
    with pytest.raises(UserError, match="is damaged"):
        write_study(tmp_path, "d", rows, **kept, model_sha256="other")


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_neighbours_of_files_of_every_storage(tmp_path: Path, metric: Metric) -> None:
    studies = [
        write_study(tmp_path, name, like_embeddings(seed, 300), schema_version=version)
        for seed, (name, version) in enumerate(SCHEMA_VERSION.items())
    ]
    index = NeighbourIndex.open(studies)
    every = np.concatenate([part.embeddings for part in open_rows(studies).parts]).astype(np.float64)
    for study, frame in (("float16", 5), ("int8-pca", 100)):
        query = index.vector(study, frame).astype(np.float64)
        found = index.find(query, 20, metric=metric)
        distances = np.linalg.norm(every - query, axis=1)
        if metric == "cosine":
            distances = 1 - every @ query / np.linalg.norm(every, axis=1) / np.linalg.norm(query)
        assert np.allclose([item.distance for item in found.items], np.sort(distances)[:20], atol=1e-3)
        assert found.items[0].frame_index == frame


@pytest.mark.parametrize("damage", ["missing", "other"])
def test_components_that_are_not_those_of_the_file(tmp_path: Path, damage: str) -> None:
    study = write_study(tmp_path, "a", like_embeddings(1, 60), schema_version=SCHEMA_VERSION["int8-pca"])
    with h5py.File(study.path, "r+") as file:
        if damage == "missing":
            del file["components"]
        else:
            file["components"][3] = 1
    with pytest.raises(UserError, match=r"no table components|is damaged"), EmbeddingFile.open(study.path) as opened:
        _ = opened.embeddings[0]
