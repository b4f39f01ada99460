"""Principal components of a matrix that is read in blocks: randomised, the same for the same seed.

Each thread takes a block, and BLAS has one thread inside it. Measured on two cores beside other work: BLAS's own
threads wait for each other by spinning, and a pass over 15,000 x 2,048 took up to four times the CPU time that it takes
so.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.compute.plan import one_blas_thread
from training.errors import UserError
from training.runs.reporter import Reporter

BLOCK_ROWS = 1024
"""Few enough that a block of 2,048 numbers a row stays below what the allocator hands back to the system each time."""


class Matrix(Protocol):
    """(N, D), read a block at a time, as often as asked."""

    @property
    def shape(self) -> tuple[int, ...]:
        """N and D."""

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Blocks (n, D) float32 in order; not to be written to."""


def blocks_of(rows: Matrix | NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    """The blocks of a matrix; of one that is in memory its rows, some thousand at a time."""
    if isinstance(rows, np.ndarray):
        yield from (rows[start : start + BLOCK_ROWS] for start in range(0, len(rows), BLOCK_ROWS))
    else:
        yield from rows.blocks()


R = TypeVar("R")


def over_blocks(
    rows: Matrix | NDArray[np.float32], work: Callable[[NDArray[np.float32]], R], threads: int, reporter: Reporter
) -> Iterator[R]:
    """`work` of each block, in order, so that sums come out the same whatever the threads do; may be cancelled."""
    with one_blas_thread():
        for result in in_lanes(blocks_of(rows), work, threads):
            reporter.check()
            yield result


OVERSAMPLING = 10
PASSES = 4
"""Power iterations: after four, 50 components of embeddings agree with exact ones to a per mille of variance."""


@dataclass(frozen=True)
class Pca:
    """K principal axes of D-dimensional rows."""

    mean: NDArray[np.float32]
    """(D,)"""
    components: NDArray[np.float32]
    """(K, D) of length 1, orthogonal, by falling variance; the largest entry of each is positive."""
    variance: NDArray[np.float64]
    """(K,) along each axis."""
    total_variance: float
    """Over all D axes."""

    @property
    def explained(self) -> tuple[float, float]:
        """Shares of the variance in [0, 1] along the first two axes."""
        shares = np.zeros(2)
        shares[: len(self.variance)] = self.variance[:2] / max(self.total_variance, 1e-30)
        return float(shares[0]), float(shares[1])

    def transform(
        self, rows: Matrix | NDArray[np.float32], reporter: Reporter, threads: int = 1
    ) -> NDArray[np.float32]:
        """(N, D) rows -> (N, K) coordinates."""
        axes = np.ascontiguousarray(self.components.T)
        parts = list(over_blocks(rows, lambda block: (block - self.mean) @ axes, threads, reporter))
        return np.concatenate(parts) if parts else np.zeros((0, axes.shape[1]), np.float32)


def fit_pca(
    rows: Matrix | NDArray[np.float32], components: int, seed: int, reporter: Reporter, threads: int = 1
) -> Pca:
    """Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.3 on the covariance, one pass over the blocks a step.

    Fewer components come back where N or D is smaller; the result is the same with any number of threads.

    Raises:
        UserError: the squares of the numbers are beyond float32.
    """
    count, size = rows.shape
    kept = max(1, min(components, count, size))
    mean, total = _moments(rows, reporter, threads)
    width = min(size, kept + OVERSAMPLING)
    basis = np.random.default_rng(seed).standard_normal((size, width)).astype(np.float32)
    for step in range(PASSES):
        reporter.progress(step, PASSES + 1, "passes", "principal components")
        basis = np.linalg.qr(_covariance_times(rows, mean, basis, reporter, threads))[0].astype(np.float32)
    reporter.progress(PASSES, PASSES + 1, "passes", "principal components")
    small = basis.T.astype(np.float64) @ _covariance_times(rows, mean, basis, reporter, threads)
    if not np.isfinite(small).all():
        raise UserError("The embeddings hold numbers that are too large for a map.", "Make them again.")
    variance, rotation = np.linalg.eigh((small + small.T) / 2)
    order = np.argsort(variance)[::-1][:kept]
    axes = (basis.astype(np.float64) @ rotation[:, order]).T
    axes *= np.sign(axes[np.arange(kept), np.abs(axes).argmax(axis=1)])[:, None]
    spread = np.maximum(variance[order], 0)
    return Pca(mean, axes.astype(np.float32), spread, max(total, float(spread.sum())))


def _moments(rows: Matrix | NDArray[np.float32], reporter: Reporter, threads: int) -> tuple[NDArray[np.float32], float]:
    """(D,) mean and the variance over all axes together."""
    count, size = rows.shape
    # Around the mean of the first rows: a large mean would swallow the digits of a small variance.
    shift = next(blocks_of(rows)).mean(axis=0)

    def moments(block: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
        moved = block - shift
        return moved.sum(axis=0, dtype=np.float64), float(np.einsum("nd,nd->", moved, moved, dtype=np.float64))

    sums, squares = np.zeros(size), 0.0
    for part, square in over_blocks(rows, moments, threads, reporter):
        sums, squares = sums + part, squares + square
    offset = sums / count
    mean = np.asarray(shift + offset, np.float32)
    return mean, max(squares / count - float(offset @ offset), 0.0)


def _covariance_times(
    rows: Matrix | NDArray[np.float32],
    mean: NDArray[np.float32],
    basis: NDArray[np.float32],
    reporter: Reporter,
    threads: int,
) -> NDArray[np.float64]:
    """(D, D) covariance times (D, L), without ever making it."""

    def part(block: NDArray[np.float32]) -> NDArray[np.float32]:
        centred = block - mean
        return np.asarray(centred.T @ (centred @ basis), np.float32)

    result = np.zeros(basis.shape)
    for product in over_blocks(rows, part, threads, reporter):
        result += product
    return result / rows.shape[0]


def two_axes(coordinates: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, K) -> (N, 2): a missing second axis is 0."""
    flat = np.zeros((len(coordinates), 2), np.float32)
    flat[:, : coordinates.shape[1]] = coordinates[:, :2]
    return flat
