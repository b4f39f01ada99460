"""Principal components by blocks against the singular value decomposition of the whole matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.errors import UserError
from training.projection import pca as matrix
from training.projection.pca import fit_pca
from training.runs.reporter import Cancelled, SilentReporter


def slow(rows: NDArray[np.float32], components: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Axes (K, D) and variances (K,)."""
    centred = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    _, values, axes = np.linalg.svd(centred, full_matrices=False)
    return axes[:components], values[:components] ** 2 / len(rows)


def sample(count: int, size: int, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(count, size)) * np.geomspace(5, 0.05, size) + 3).astype(np.float32)


@pytest.mark.parametrize(("count", "size"), [(400, 60), (30, 200), (5, 3)])
def test_axes_and_variances_are_those_of_the_whole_matrix(
    count: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix, "BLOCK_ROWS", 7)
    rows = sample(count, size)
    kept = min(5, size, count - 1)
    found = fit_pca(rows, kept, 0, SilentReporter())
    axes, variance = slow(rows, kept)
    assert np.allclose(np.abs((found.components * axes).sum(axis=1)), 1, atol=1e-3)
    assert np.allclose(found.variance, variance, rtol=1e-2)
    assert found.total_variance == pytest.approx(rows.var(axis=0, dtype=np.float64).sum(), rel=1e-3)
    coordinates = found.transform(rows, SilentReporter())
    assert np.allclose(coordinates.mean(axis=0), 0, atol=1e-3)
    assert np.allclose(coordinates.var(axis=0), variance, rtol=2e-2)
    many = fit_pca(rows, kept, 0, SilentReporter(), threads=3)
    assert np.array_equal(many.components, found.components)


def test_the_same_seed_gives_the_same_axes_and_their_signs_are_settled() -> None:
    rows = sample(300, 40)
    first, again = (fit_pca(rows, 10, 3, SilentReporter()) for _ in range(2))
    assert np.array_equal(first.components, again.components)
    other = fit_pca(rows, 3, 4, SilentReporter())
    assert np.allclose(first.components[:3], other.components, atol=1e-3)  # whatever the random start
    largest = np.abs(first.components).argmax(axis=1)
    assert (first.components[np.arange(10), largest] > 0).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_few_or_equal_rows_are_no_trouble(count: int, size: int, equal: bool) -> None:
    rows = np.ones((count, size), np.float32) if equal else sample(count, size)
    found = fit_pca(rows, 2, 0, SilentReporter())
    assert np.isfinite(found.transform(rows, SilentReporter())).all()
    assert 0 <= sum(found.explained) <= 1 + 1e-6
    if equal:
        assert np.allclose(found.transform(rows, SilentReporter()), 0, atol=1e-6)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_beyond_all_bounds_are_a_sentence() -> None:
    with pytest.raises(UserError, match="too large for a map"):
        fit_pca(sample(10, 4) * np.float32(1e30), 2, 0, SilentReporter())


def test_it_can_be_cancelled_between_blocks() -> None:
    class Cancelling(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        fit_pca(sample(10, 4), 2, 0, Cancelling())
