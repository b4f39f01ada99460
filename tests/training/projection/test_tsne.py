"""t-SNE in steps: the same as openTSNE in one go, the same when taken up again, and better step by step."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.projection import tsne as module
from training.projection.tsne import (
    Affinities,
    Tsne,
    TsneState,
    find_affinities,
    first_state,
    schedule_for,
    usable_perplexity,
)
from training.runs.reporter import Cancelled


def clouds(count: int = 90) -> NDArray[np.float32]:
    rng = np.random.default_rng(0)
    centres = np.repeat(np.eye(3, 10) * 8, count // 3, axis=0)
    return (centres + rng.normal(size=(count, 10))).astype(np.float32)


@pytest.fixture(scope="module")
def affinities() -> Affinities:
    return find_affinities(clouds(), 10, 0, 1)


def begin(affinities: Affinities, state: TsneState | None = None) -> Tsne:
    start = state or first_state(clouds(), 0)
    return Tsne(affinities, start, exaggeration_iterations=20, exaggeration=12.0, threads=1, check=lambda _: None)


def test_stopping_and_going_on_gives_the_very_same_map(affinities: Affinities) -> None:
    whole, first = begin(affinities), begin(affinities)
    for _ in range(6):
        whole.advance(10)
    for _ in range(3):
        first.advance(10)
    second = begin(affinities, first.state)
    for _ in range(3):
        second.advance(10)
    assert second.iteration == whole.iteration == 60
    assert np.array_equal(second.state.coordinates, whole.state.coordinates)
    assert second.kl_divergence == whole.kl_divergence


def test_a_stretch_ends_with_the_exaggeration(affinities: Affinities) -> None:
    tsne = begin(affinities)
    tsne.advance(15)
    assert tsne.is_exaggerating
    tsne.advance(15)
    assert tsne.iteration == 20
    assert not tsne.is_exaggerating


def test_the_divergence_falls_and_is_the_one_of_the_definition(affinities: Affinities) -> None:
    tsne = begin(affinities)
    tsne.advance(20)
    told = []
    for _ in range(5):
        tsne.advance(20)
        told.append(tsne.kl_divergence)
    assert told[-1] < told[0]
    # eq. 4 and 5 of van der Maaten and Hinton 2008, over all pairs
    points = tsne.state.coordinates
    closeness = 1 / (1 + ((points[:, None] - points) ** 2).sum(axis=2))
    np.fill_diagonal(closeness, 0)
    q = closeness / closeness.sum()
    p = affinities.matrix.toarray()
    is_pair = p > 0
    assert told[-1] == pytest.approx(float((p[is_pair] * np.log(p[is_pair] / q[is_pair])).sum()), rel=0.02)


def test_clouds_stay_apart_on_the_map(affinities: Affinities) -> None:
    tsne = begin(affinities)
    tsne.advance(20)
    tsne.advance(100)
    points = tsne.coordinates
    distances = ((points[:, None] - points) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    assert (distances.argmin(axis=1) // 30 == np.arange(90) // 30).all()


def test_affinities_are_symmetric_sum_to_one_and_have_the_perplexity_asked_for(affinities: Affinities) -> None:
    p = affinities.matrix.toarray()
    assert np.allclose(p, p.T)
    assert p.sum() == pytest.approx(1)
    assert usable_perplexity(30, 10) == 3
    assert usable_perplexity(30, 1000) == 30


def test_a_cancel_is_heard_while_it_steps(affinities: Affinities) -> None:
    def cancel(_: int) -> None:
        raise Cancelled

    tsne = Tsne(
        affinities, first_state(clouds(), 0), exaggeration_iterations=0, exaggeration=1.0, threads=1, check=cancel
    )
    with pytest.raises(Cancelled):
        tsne.advance(1000)


def test_duplicates_do_not_stay_on_one_point_at_the_start() -> None:
    state = first_state(np.zeros((5, 3), np.float32), 0)
    assert len(np.unique(state.coordinates, axis=0)) == 5


def test_a_large_map_reaches_the_divergence_of_the_longer_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    count, divergences = 900, []
    affinities = find_affinities(clouds(count), 30, 0, 1)
    assert (schedule_for(3_999), schedule_for(4_000)) == ((250, 750, 0.8), (125, 300, 0.95))
    for schedule in (schedule_for(3_999), schedule_for(4_000)):
        monkeypatch.setattr(module, "schedule_for", lambda _, schedule=schedule: schedule)
        early = schedule.exaggeration_iterations
        start = first_state(clouds(count), 0)
        tsne = Tsne(
            affinities, start, exaggeration_iterations=early, exaggeration=12.0, threads=1, check=lambda _: None
        )
        while tsne.iteration < schedule.iterations:
            tsne.advance(25)
        divergences.append(tsne.kl_divergence)
    assert divergences[1] < 1.05 * divergences[0]  # within a cloud nothing is structured, which is the worst case
