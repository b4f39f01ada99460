"""One fixed split by group for all methods and seeds: groups that teach, that choose an epoch, and that judge."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.benchmark.config import SplitName
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.split import split_frames
from training.errors import UserError

JUDGED = {"60:40": 0.4, "80:10:10": 0.1}
"""Share of the groups that judge (Vats et al. 2022: 60:40, and 80:10:10 for CAD-CAP)."""


@dataclass(frozen=True)
class GroupSplit:
    """Rows of the labelled frames, ascending; no group stands on two sides."""

    name: SplitName
    training: NDArray[np.int64]
    choosing: NDArray[np.int64] | None
    """Of 80:10:10, frames that choose the best epoch; else None: the judged frames choose it, as in the paper."""
    judged: NDArray[np.int64]

    def groups(self, frames: LabelledFrames, rows: NDArray[np.int64]) -> tuple[str, ...]:
        """Groups of some rows, sorted."""
        return tuple(np.unique(frames.patients[rows]).tolist())

    def to_json(self, frames: LabelledFrames) -> dict[str, Any]:
        """Groups and frames of each class on each side."""
        sides = {"training": self.training, "choosing": self.choosing, "judged": self.judged}
        return {
            "name": self.name,
            **{
                side: {"groups": list(self.groups(frames, rows)), "frames": frames.select(rows).counts()}
                for side, rows in sides.items()
                if rows is not None
            },
        }


def group_split(frames: LabelledFrames, name: SplitName, seed: int) -> GroupSplit:
    """Split M labelled frames by group; the classes' shares are near those of the groups, as well as groups allow.

    The paper splits frames at random; neighbouring frames of one sequence then stand on both sides (ours is by group).

    Raises:
        UserError: too few groups for every class to be learned and something to be judged.
    """
    apart = _held_out(frames, JUDGED[name], seed)
    judged, rest = np.flatnonzero(apart), np.flatnonzero(~apart)
    if name == "60:40":
        return GroupSplit(name, rest, None, judged)
    chosen = _held_out(frames.select(rest), 0.1 / 0.9, seed)
    return GroupSplit(name, rest[~chosen], rest[chosen], judged)


def _held_out(frames: LabelledFrames, share: float, seed: int) -> NDArray[np.bool_]:
    split = split_frames(frames, share, 0, seed)
    if split.kind != "patients":
        groups = len(np.unique(frames.patients))
        raise UserError(
            f"The {groups} groups with labels cannot be split so that every class is learned and something is judged.",
            "Label frames of more groups, or leave out a class that only one of them has.",
        )
    return split.held_out
