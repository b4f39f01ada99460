"""Products of float16 rows agree with float64, whatever the numbers are like, and can be given up."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.embeddings import inner_products as module
from training.embeddings.inner_products import inner_products


def is_right(rows: NDArray[np.floating], query: NDArray[np.float32], threads: int | None = None) -> bool:
    """Whether the products differ from float64's by no more than float32 rounds."""
    found = inner_products(rows, query, threads=threads)
    expected = rows.astype(np.float64) @ query.astype(np.float64)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1) * np.linalg.norm(query.astype(np.float64))
    assert found.dtype == np.float32
    return bool((np.abs(found - expected) <= 1.01 * (rows.shape[1] + 3) * 2.0**-24 * lengths + 1e-30).all())


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 70),
    size=st.integers(1, 65),
    scale=st.sampled_from([1e-5, 1e-3, 1.0, 1000.0]),
)
def test_products_of_any_scale_and_shape(seed: int, count: int, size: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    rows = (scale * random.standard_normal((count, size))).astype(np.float16)
    assert is_right(rows, random.standard_normal(size).astype(np.float32))


def test_every_half_becomes_the_float_it_stands_for() -> None:
    bits = np.arange(2**16, dtype=np.uint16)
    halves = bits.view(np.float16)
    halves = halves[np.isfinite(halves)]
    for column in (0, 1):
        rows = np.zeros((len(halves), 2), np.float16)
        rows[:, column] = halves
        assert np.array_equal(inner_products(rows, np.ones(2, np.float32)), halves.astype(np.float32))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 65), exponent=st.integers(-60, 60))
def test_a_query_of_any_scale_is_the_sum_of_a_few_halves(seed: int, size: int, exponent: int) -> None:
    query = (2.0**exponent * np.random.default_rng(seed).standard_normal(size)).astype(np.float32)
    parts, scale = module.halves_of(query)
    whole = parts.astype(np.float64).sum(axis=0) * float(scale)
    assert parts.dtype == np.float16
    assert len(parts) <= 3
    assert np.abs(whole - query).max() <= 2.0**-37 * np.abs(query).max()


def test_an_embedding_from_a_file_is_one_row_of_halves() -> None:
    query = np.random.default_rng(0).standard_normal(64).astype(np.float16).astype(np.float32)
    assert len(module.halves_of(query)[0]) == 1
    assert len(module.halves_of(np.zeros(3, np.float32))[0]) == 1


def test_rows_that_are_not_finite_leave_the_others_alone() -> None:
    random = np.random.default_rng(0)
    rows = random.standard_normal((60, 32)).astype(np.float16)
    query = random.standard_normal(32).astype(np.float32)
    expected = inner_products(rows, query)
    broken = rows.copy()
    broken[5], broken[17, 3], broken[40, 1] = np.nan, np.inf, -np.inf
    is_whole = ~np.isin(np.arange(60), (5, 17, 40))
    assert np.array_equal(inner_products(broken, query)[is_whole], expected[is_whole])


def test_rows_that_may_not_be_written_are_read(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).standard_normal((20, 32)).astype(np.float16)
    rows.tofile(tmp_path / "rows")
    mapped = np.memmap(tmp_path / "rows", dtype=np.float16, mode="r", shape=rows.shape)
    query = np.ones(32, np.float32)
    assert np.array_equal(inner_products(mapped, query), inner_products(rows, query))


def test_spans_and_threads_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPAN_ROWS", 10)
    random = np.random.default_rng(0)
    rows = random.standard_normal((95, 32)).astype(np.float16)
    query = random.standard_normal(32).astype(np.float32)
    assert is_right(rows, query, threads=3)
    assert np.array_equal(inner_products(rows, query, threads=1), inner_products(rows, query, threads=3))


@pytest.mark.parametrize("dtype", [np.float32, ">f2"])
def test_other_types_are_converted(dtype: str) -> None:
    random = np.random.default_rng(0)
    assert is_right(random.standard_normal((20, 32)).astype(dtype), random.standard_normal(32).astype(np.float32))


def test_large_queries() -> None:
    rows = np.full((3, 4), 60_000, np.float16)
    assert is_right(rows, np.full(4, 2.0**30, np.float32))


def test_rows_that_are_not_finite_disturb_no_other() -> None:
    rows = np.ones((5, 4), np.float16)
    rows[1], rows[3] = np.nan, np.inf
    assert inner_products(rows, np.ones(4, np.float32))[[0, 2, 4]].tolist() == [4, 4, 4]


def test_it_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPAN_ROWS", 10)
    calls = []

    def give_up() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        inner_products(np.ones((95, 4), np.float16), np.ones(4, np.float32), threads=1, check=give_up)
    assert len(calls) == 3
