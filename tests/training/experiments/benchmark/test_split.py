"""The split: no group on two sides, every class to learn, the same for everybody."""

import numpy as np
import pytest

from tests.training.datasets.frames import labelled
from training.errors import UserError
from training.experiments.benchmark.config import SplitName
from training.experiments.benchmark.data import frame_split

MANY = labelled([(f"g{n:02}", 0, 10 + n, n % 3) for n in range(30)])


@pytest.mark.parametrize(("name", "share"), [("60:40", 0.4), ("80:10:10", 0.1)])
def test_no_group_stands_on_two_sides(name: SplitName, share: float) -> None:
    split = frame_split(MANY, name, 0, "groups")
    sides = [split.training, split.test] + ([] if split.choosing is None else [split.choosing])
    groups = [set(split.groups(MANY, rows)) for rows in sides]
    assert sum(len(side) for side in groups) == len(set.union(*groups)) == 30
    assert sorted(np.concatenate(sides).tolist()) == list(range(len(MANY)))
    assert len(split.test) / len(MANY) == pytest.approx(share, abs=0.06)
    assert set(MANY.label[split.training].tolist()) == set(MANY.label[split.test].tolist()) == {0, 1, 2}
    assert (split.choosing is not None) == (name == "80:10:10")


def test_the_seed_alone_decides_it() -> None:
    first, again, other = (frame_split(MANY, "60:40", seed, "groups") for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.test, again.test)
    assert first.test.tolist() != other.test.tolist()


def test_it_says_groups_and_frames_of_each_side() -> None:
    found = frame_split(MANY, "60:40", 0, "groups").to_json(MANY)
    assert found["name"] == "60:40"
    assert set(found) == {"name", "by", "training", "judged"}
    counted = [sum(found[side]["frames"].values()) for side in ("training", "judged")]
    assert sum(counted) == len(MANY)


def test_one_group_cannot_be_split() -> None:
    alone = labelled([("g", 0, 20, 0), ("g", 20, 40, 1)])
    with pytest.raises(UserError, match="The 1 groups with labels cannot be split") as caught:
        frame_split(alone, "60:40", 0, "groups")
    assert "more groups" in caught.value.hint


KINDS = ("polyp", "ulcer")


def test_kinds_alone_are_split_by_group_too() -> None:
    kinds = labelled([(f"g{n}", 0, 10, n % 2) for n in range(10)], KINDS)
    split = frame_split(kinds, "60:40", 0, "groups")
    assert set(kinds.label[split.training].tolist()) == set(kinds.label[split.test].tolist()) == {0, 1}
    assert not set(split.groups(kinds, split.training)) & set(split.groups(kinds, split.test))
    # Judged frames of one kind say nothing: neither choice of a group leaves both kinds to learn.
    with pytest.raises(UserError, match="The 2 groups"):
        frame_split(labelled([("a", 0, 9, 0), ("b", 0, 9, 1)], KINDS), "60:40", 0, "groups")


@pytest.mark.parametrize("seed", range(3))
def test_judged_kinds_are_two_at_least(seed: int) -> None:
    kinds = labelled([("a", 0, 9, 0), ("b", 0, 9, 0), ("b", 9, 18, 1), ("c", 0, 9, 1), ("c", 9, 18, 0)], KINDS)
    test = frame_split(kinds, "60:40", seed, "groups").test
    assert set(kinds.label[test].tolist()) == {0, 1}


@pytest.mark.parametrize(("name", "share"), [("60:40", 0.4), ("80:10:10", 0.1)])
def test_frames_are_split_class_by_class(name: SplitName, share: float) -> None:
    split = frame_split(MANY, name, 0, "frames")
    sides = [split.training, split.test] + ([] if split.choosing is None else [split.choosing])
    assert sorted(np.concatenate(sides).tolist()) == list(range(len(MANY)))
    for label in range(3):
        counts = [int((MANY.label[rows] == label).sum()) for rows in sides]
        assert counts[1] == round(share * sum(counts))
        assert abs(counts[-1] - counts[1]) <= 1
    assert split.to_json(MANY)["by"] == "frames"
    assert (
        frame_split(MANY, name, 0, "frames").test.tolist()
        == split.test.tolist()
        != frame_split(MANY, name, 1, "frames").test.tolist()
    )


def test_a_class_of_one_frame_teaches() -> None:
    frames = labelled([("a", 0, 2, 0), ("b", 0, 1, 1)], KINDS)
    split = frame_split(frames, "60:40", 0, "frames")
    assert frames.label[split.test].tolist() == [0]
    assert sorted(frames.label[split.training].tolist()) == [0, 1]
    with pytest.raises(UserError, match="No class has two frames"):
        frame_split(labelled([("a", 0, 1, 0), ("b", 0, 1, 1)], KINDS), "60:40", 0, "frames")
