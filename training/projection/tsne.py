"""t-SNE by openTSNE, a few steps at a time, so that it can be watched, stopped, and resumed."""

import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError

EXACT_NEIGHBOURS = 60_000
"""Up to so many frames neighbours are exact, which was quicker here than openTSNE's Annoy; beyond, Annoy."""
LARGE, SELDOM = 30_000, 13
"""Beyond so many frames a step takes long, and a cancel is looked for after each; before, in the middle of 25 (each
look costs a divergence)."""
INITIAL_DEVIATION = 1e-4
LARGE_MAP = 4_000
"""From so many frames on a higher momentum reaches the same divergence in 0.4 of the steps; smaller maps swing then
(800 frames: divergence 0.13 instead of 0.10)."""
EARLY_MOMENTUM = 0.5


class Schedule(NamedTuple):
    """How a map is optimised."""

    exaggeration_iterations: int
    iterations: int
    """Together with the first ones."""
    momentum: float
    """After the first ones."""


def schedule_for(count: int) -> Schedule:
    """The schedule for so many frames. Ours: openTSNE's own is 250, 750 and 0.8 for any number."""
    return Schedule(125, 300, 0.95) if count >= LARGE_MAP else Schedule(250, 750, 0.8)


@dataclass(frozen=True)
class TsneState:
    """Where an optimisation stands; enough to continue as if nothing had happened."""

    iteration: int
    coordinates: NDArray[np.float64]
    """(N, 2)"""
    update: NDArray[np.float64]
    """(N, 2): the momentum's."""
    gains: NDArray[np.float64]
    """(N, 2)"""
    kl_divergence: float


@dataclass(frozen=True)
class Affinities:
    """The symmetric (N, N) neighbour probabilities of t-SNE as a sparse matrix (CSR)."""

    data: NDArray[np.float64]
    indices: NDArray[np.int32]
    indptr: NDArray[np.int32]

    @property
    def matrix(self) -> Any:
        """A copy as scipy's; openTSNE scales it in place."""
        from scipy.sparse import csr_matrix

        count = len(self.indptr) - 1
        return csr_matrix((self.data.copy(), self.indices, self.indptr), shape=(count, count))


def need_opentsne() -> None:
    """Raise `UserError` where openTSNE is not installed, before any work is done."""
    if importlib.util.find_spec("openTSNE") is None:
        raise UserError(
            "t-SNE needs the package openTSNE, which is not installed here.",
            "Install it (pip install openTSNE), or choose the method pca.",
        )


def usable_perplexity(asked: float, count: int) -> float:
    """At most a third of the other frames, which is openTSNE's own bound."""
    return min(asked, (count - 1) / 3)


def find_affinities(reduced: NDArray[np.float32], perplexity: float, seed: int, threads: int) -> Affinities:
    """(N, K) principal coordinates -> neighbour probabilities (van der Maaten and Hinton 2008, eq. 1; 3 * perplexity
    neighbours as in van der Maaten 2014)."""
    from openTSNE.affinity import PerplexityBasedNN

    method = "exact" if len(reduced) <= EXACT_NEIGHBOURS else "annoy"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it warns of is set on purpose
        result = PerplexityBasedNN(
            reduced,
            perplexity=usable_perplexity(perplexity, len(reduced)),
            method=method,
            n_jobs=threads,
            random_state=seed,
        ).P
    result.sort_indices()
    return Affinities(result.data, result.indices.astype(np.int32), result.indptr.astype(np.int32))


def first_state(reduced: NDArray[np.float32], seed: int) -> TsneState:
    """The beginning: the first two principal coordinates, scaled (Kobak and Berens 2019), with a breath of noise.

    The noise separates duplicates, which would otherwise always stay together.
    """
    flat = reduced[:, :2].astype(np.float64)
    flat *= INITIAL_DEVIATION / max(float(flat[:, 0].std()), 1e-12)
    flat = flat + np.random.default_rng(seed).normal(0, INITIAL_DEVIATION / 100, flat.shape)
    return TsneState(0, flat, np.zeros_like(flat), np.ones_like(flat), float("nan"))


class Tsne:
    """An optimisation that makes some steps when asked.

    In the first `exaggeration_iterations` attraction counts `exaggeration` times. `check` is called every few
    iterations with their number so far; it may raise to end at once.
    """

    def __init__(
        self,
        affinities: Affinities,
        state: TsneState,
        *,
        exaggeration_iterations: int,
        exaggeration: float,
        threads: int,
        check: Callable[[int], None],
    ) -> None:
        self._affinities, self._begin, self._check = affinities, exaggeration_iterations, check
        self._exaggeration, self._threads = exaggeration, threads
        self.iteration, self.kl_divergence = state.iteration, state.kl_divergence
        self._embedding = _embedding(affinities, state)

    @property
    def coordinates(self) -> NDArray[np.float32]:
        """(N, 2)"""
        return np.asarray(self._embedding, np.float32)

    @property
    def state(self) -> TsneState:
        """Where it stands."""
        optimizer = self._embedding.optimizer
        return TsneState(
            self.iteration,
            np.array(self._embedding, np.float64),
            np.array(optimizer.update),
            np.array(optimizer.gains),
            self.kl_divergence,
        )

    @property
    def is_exaggerating(self) -> bool:
        """Whether the next step pulls clouds apart."""
        return self.iteration < self._begin

    def advance(self, iterations: int) -> None:
        """Make so many steps, or fewer up to the end of the exaggeration."""
        early = self.is_exaggerating
        count = min(iterations, self._begin - self.iteration) if early else iterations
        # Scaled in place and back by each call: rounding would make a resumed map differ from an undisturbed one.
        self._embedding.affinities.P.data[:] = self._affinities.data
        self._embedding.optimize(
            count,
            inplace=True,
            exaggeration=self._exaggeration if early else None,
            momentum=EARLY_MOMENTUM if early else schedule_for(len(self._embedding)).momentum,
            learning_rate="auto",
            n_jobs=self._threads,
            use_callbacks=True,
            callbacks=[lambda made, *_: self._check(self.iteration + made)],
            callbacks_every_iters=SELDOM if len(self._embedding) <= LARGE else 1,
        )
        self.iteration += count
        self.kl_divergence = float(self._embedding.kl_divergence)


def _embedding(affinities: Affinities, state: TsneState) -> Any:
    embedding = held_embedding(affinities.matrix, state.coordinates.copy())
    embedding.optimizer.update, embedding.optimizer.gains = state.update.copy(), state.gains.copy()
    return embedding


def held_embedding(probabilities: Any, coordinates: NDArray[np.float64]) -> Any:
    """openTSNE's embedding of ready-made probabilities (N, N) and coordinates (N, 2)."""
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import Affinities as OpenTsneAffinities

    held = OpenTsneAffinities()
    held.P = probabilities
    return TSNEEmbedding(coordinates, held, random_state=0)
