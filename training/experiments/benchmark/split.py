"""One fixed split for all methods and seeds, by group, or by frame where groups are unknown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.split import split_by_patient
from training.errors import UserError
from training.experiments.benchmark.config import SplitBy, SplitName

TEST_SHARE = {"60:40": 0.4, "80:10:10": 0.1}
"""Share of the test groups (Vats et al. 2022: 60:40, and 80:10:10 for CAD-CAP)."""
OPTIMISTIC = (
    "The patients of these frames are unknown, so the frames were split at random. Frames of one patient may be on "
    "both sides, and every figure is optimistic."
)
"""What every report of a split by frames says."""
HeldOut = Callable[[LabelledFrames, float, int], NDArray[np.bool_]]
"""Frames, share, seed -> (M,) mask of those held out."""


@dataclass(frozen=True)
class GroupSplit:
    """Rows of the labelled frames, ascending; no group is on two sides where the split is by group."""

    name: SplitName
    training: NDArray[np.int64]
    choosing: NDArray[np.int64] | None
    """Of 80:10:10, frames that choose the best epoch; else None: the test frames choose it, as in the paper."""
    test: NDArray[np.int64]
    by: SplitBy = "groups"

    def groups(self, frames: LabelledFrames, rows: NDArray[np.int64]) -> tuple[str, ...]:
        """Groups of some rows, sorted."""
        return tuple(np.unique(frames.patients[rows]).tolist())

    def to_json(self, frames: LabelledFrames) -> dict[str, Any]:
        """Groups and frames of each class on each side; of a split by frames each file is a group."""
        sides = {"training": self.training, "choosing": self.choosing, "judged": self.test}
        return {
            "name": self.name,
            "by": self.by,
            **{
                side: {"groups": list(self.groups(frames, rows)), "frames": frames.select(rows).counts()}
                for side, rows in sides.items()
                if rows is not None
            },
        }


def group_split(frames: LabelledFrames, name: SplitName, seed: int) -> GroupSplit:
    """Split M labelled frames by group; the classes' shares are near those of the groups, as well as groups allow.

    Ours: Vats et al. give the shares and do not say how frames are divided. Divided one by one, neighbouring frames of
    a sequence would be on both sides.

    Raises:
        UserError: too few groups for every class in training and a test part that is not empty.
    """
    return _laid_out(frames, name, seed, "groups", _groups_apart)


def frame_split(frames: LabelledFrames, name: SplitName, seed: int) -> GroupSplit:
    """Split M labelled frames at random, each for itself.

    It is what the paper seems to do: it names no patients, and some of its classes have few frames. Class by class
    (ours), so that each has its share on every side; a single frame of a class is used for training.

    Raises:
        UserError: no class has two frames.
    """
    return _laid_out(frames, name, seed, "frames", _frames_apart)


def _laid_out(frames: LabelledFrames, name: SplitName, seed: int, by: SplitBy, held_out: HeldOut) -> GroupSplit:
    apart = held_out(frames, TEST_SHARE[name], seed)
    test, rest = np.flatnonzero(apart), np.flatnonzero(~apart)
    if name == "60:40":
        return GroupSplit(name, rest, None, test, by)
    chosen = held_out(frames.select(rest), 0.1 / 0.9, seed)
    return GroupSplit(name, rest[~chosen], rest[chosen], test, by)


def _groups_apart(frames: LabelledFrames, share: float, seed: int) -> NDArray[np.bool_]:
    split = split_by_patient(frames, share, seed)
    if split is None:
        groups = len(np.unique(frames.patients))
        raise UserError(
            f"The {groups} groups with labels cannot be split so that training has every class and the test part is "
            "not empty.",
            "Label frames of more groups, or leave out classes of only one group. Images of unknown patients can be "
            "split frame by frame with --set split_by=frames.",
        )
    return split.held_out


def _frames_apart(frames: LabelledFrames, share: float, seed: int) -> NDArray[np.bool_]:
    """Of each class its share, at least one frame, and never all."""
    rng = np.random.default_rng([seed, 29])
    apart = np.zeros(len(frames), dtype=bool)
    for label in range(len(frames.classes)):
        mine = np.flatnonzero(frames.label == label)
        count = min(max(1, round(share * len(mine))), len(mine) - 1)
        apart[rng.permutation(mine)[: max(0, count)]] = True
    if not apart.any():
        raise UserError("No class has two frames, one for training and one for testing.", "Label more frames.")
    return apart
