"""The limit of merging from held-out tracklets: against loops over pairs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.reidentification.config import TrackletTable
from training.reidentification.run_tracklets import BY_DEFAULT, DEFAULT, OF_A_PROCEDURE, OF_PATIENTS, fix_limit
from training.reidentification.tracklets import Tracklets


def tracklets(findings: list[str], patients: list[str], starts: list[float]) -> Tracklets:
    count = len(findings)
    table = TrackletTable(
        np.array(patients), np.array(starts), np.array(starts) + 1.0, [np.ones(3, np.float32)] * count
    )
    crops = [np.zeros((3, 4, 4, 3), np.uint8)] * count
    names = np.array(findings, np.str_), np.full(count, "polyp"), np.array(patients)
    return Tracklets(table, *names, crops, np.arange(count))


def vectors(count: int) -> NDArray[np.float64]:
    return np.random.default_rng(2).normal(size=(count, 5))


def test_at_most_the_share_of_pairs_of_different_findings_is_joined() -> None:
    names = [f"f{at % 4}" for at in range(12)]
    found, held = vectors(12), tracklets(names, ["P"] * 12, [2.0 * at for at in range(12)])
    limit = fix_limit(held, found, 0.1)
    units = found / np.linalg.norm(found, axis=1, keepdims=True)
    pairs = [(one, other) for one in range(12) for other in range(one + 1, 12)]
    different = [1 - units[one] @ units[other] for one, other in pairs if names[one] != names[other]]
    assert limit.source == OF_A_PROCEDURE
    assert limit.pairs == len(different) == 54
    assert sum(distance < limit.distance - 1e-9 for distance in different) == 5
    assert limit.figures is not None
    assert limit.figures["pairs"] == 66


def test_tracklets_that_overlap_are_different_where_findings_are_not_known() -> None:
    held = tracklets([""] * 10, ["P"] * 10, [0.05 * at for at in range(10)])
    limit = fix_limit(held, vectors(10), 0.05)
    assert (limit.source, limit.pairs, limit.figures) == (OF_A_PROCEDURE, 45, None)


def test_pairs_of_two_patients_take_their_place() -> None:
    held = tracklets([""] * 10, ["P", "Q"] * 5, [2.0 * at for at in range(10)])
    assert fix_limit(held, vectors(10), 0.05)[1:3] == (OF_PATIENTS, 25)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_few_tracklets_leave_the_default(count: int) -> None:
    held = tracklets([f"f{at}" for at in range(count)], ["P"] * count, [2.0 * at for at in range(count)])
    assert fix_limit(held, vectors(count), 0.05)[:2] == (DEFAULT, BY_DEFAULT)
