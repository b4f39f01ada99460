"""Borders between organs: against all paths tried one by one, on short sequences."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from training.embeddings.organs import (
    ORGANS,
    best_path,
    border_chances,
    find_borders,
    fit_head,
    organ_logits,
    read_head,
)

Doubles = NDArray[np.float64]


def all_paths(values: Doubles, least: int) -> dict[tuple[int, ...], float]:
    """Every pair of borders that is allowed -> its log likelihood, frame by frame."""
    count, result = len(values), {}
    for borders in product(range(count + 1), repeat=2):
        edges = (0, *borders, count)
        lengths = np.diff(edges)
        if (lengths < 0).any() or any(0 < length < least for length in lengths):
            continue
        result[borders] = sum(values[row, organ] for organ in range(3) for row in range(edges[organ], edges[organ + 1]))
    return result


def cumulated(values: Doubles) -> Doubles:
    return np.vstack([np.zeros(3), np.cumsum(values, axis=0)])


@pytest.mark.parametrize("least", [1, 2, 4])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_path_and_the_chances_are_those_of_all_paths(seed: int, least: int) -> None:
    values = np.random.default_rng(seed).normal(0, 1, (11, 3))
    paths = all_paths(values, least)
    path = tuple(best_path(cumulated(values), least))
    assert paths[path] == pytest.approx(max(paths.values()))
    chances = np.zeros((2, 12))
    total = sum(np.exp(score) for score in paths.values())
    for borders, score in paths.items():
        for number, row in enumerate(borders):
            chances[number, row] += np.exp(score) / total
    np.testing.assert_allclose(border_chances(cumulated(values), least), chances, atol=1e-12)


def test_clear_borders_and_organs_that_are_absent() -> None:
    def study(*lengths: int) -> Doubles:
        return np.repeat(np.eye(3) * 8, lengths, axis=0)

    small_bowel, colon = find_borders(study(200, 700, 300))
    assert (small_bowel.row, colon.row) == (200, 900)
    assert small_bowel.low <= 200 <= small_bowel.high < colon.low <= 900 <= colon.high
    assert [border.row for border in find_borders(study(0, 900, 300))] == [0, 900]
    assert [border.row for border in find_borders(study(300, 900, 0))] == [300, 1200]
    assert [border.row for border in find_borders(study(0, 1200, 0))] == [0, 1200]


def test_frames_that_do_not_decode_say_nothing() -> None:
    logits = np.repeat(np.eye(3) * 8, (200, 700, 300), axis=0)
    logits[150:160] = np.nan
    assert [border.row for border in find_borders(logits)] == [200, 900]


def test_a_head_is_fitted_stored_and_read(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    organs = np.repeat(np.arange(3), 40)
    embeddings = random.normal(0, 0.3, (120, 8)) + np.eye(8)[organs]
    head = fit_head(embeddings, organs)
    assert (organ_logits(head, embeddings).argmax(axis=1) == organs).mean() > 0.95
    np.savez(tmp_path / "head.npz", weight=head.weight.astype("<f2"), bias=head.bias)
    again = read_head(tmp_path / "head.npz")
    np.testing.assert_allclose(again.weight, head.weight, rtol=1e-3, atol=1e-3)
    assert len(again.bias) == len(ORGANS)
