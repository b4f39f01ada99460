"""The split: no group on two sides, every class to learn, the same for everybody."""

import numpy as np
import pytest

from tests.training.datasets.frames import labelled
from training.benchmark.config import SplitName
from training.benchmark.split import group_split
from training.errors import UserError

MANY = labelled([(f"g{n:02}", 0, 10 + n, n % 3) for n in range(30)])


@pytest.mark.parametrize(("name", "share"), [("60:40", 0.4), ("80:10:10", 0.1)])
def test_no_group_stands_on_two_sides(name: SplitName, share: float) -> None:
    split = group_split(MANY, name, 0)
    sides = [split.training, split.judged] + ([] if split.choosing is None else [split.choosing])
    groups = [set(split.groups(MANY, rows)) for rows in sides]
    assert sum(len(side) for side in groups) == len(set.union(*groups)) == 30
    assert sorted(np.concatenate(sides).tolist()) == list(range(len(MANY)))
    assert len(split.judged) / len(MANY) == pytest.approx(share, abs=0.06)
    assert set(MANY.label[split.training].tolist()) == set(MANY.label[split.judged].tolist()) == {0, 1, 2}
    assert (split.choosing is not None) == (name == "80:10:10")


def test_the_seed_alone_decides_it() -> None:
    first, again, other = (group_split(MANY, "60:40", seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.judged, again.judged)
    assert first.judged.tolist() != other.judged.tolist()


def test_it_says_groups_and_frames_of_each_side() -> None:
    told = group_split(MANY, "60:40", 0).to_json(MANY)
    assert told["name"] == "60:40"
    assert set(told) == {"name", "training", "judged"}
    counted = [sum(told[side]["frames"].values()) for side in ("training", "judged")]
    assert sum(counted) == len(MANY)


def test_one_group_cannot_be_split() -> None:
    alone = labelled([("g", 0, 20, 0), ("g", 20, 40, 1)])
    with pytest.raises(UserError, match="The 1 groups with labels cannot be split") as caught:
        group_split(alone, "60:40", 0)
    assert "more groups" in caught.value.hint
