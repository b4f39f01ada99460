"""The settings of the comparison, frozen before it was first run: network, frames, optimizer, what each method needs.

Every method draws the same number of frames in a pretraining, whatever it does with a frame (one view, two, or a
prior, nine tiles and more); seconds are told beside the figures. Optimizer and course of the rate are one for all and
ours: the papers' SGD is for hundreds of epochs, here some twenty have to do (see `training.reproduce.budgets`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from training.errors import UserError
from training.models.config import BackboneName

PROTOCOL = 1
"""Part of every cell's key: raised when a demonstrated defect, with the test that shows it, changes the protocol."""
FEWEST_STEPS = 200
"""Below this a pretraining is no comparison, and is refused."""
NEEDS_VIDEO = frozenset({"time-triplet"})
"""Methods that learn from successive frames."""
NO_PRETRAINING = frozenset({"random", "imagenet"})
"""Rows without a pretraining of ours: the network as it starts."""
METHODS = ("random", "imagenet", "simclr", "time-triplet", "pirl", "pgcon", "wincon")


@dataclass(frozen=True)
class Comparison:
    """What all methods share."""

    name: str
    backbone: BackboneName
    input_size: int
    frames: int
    """Frames drawn in each pretraining."""
    batch: int
    """Frames of a batch."""
    epochs_factor: float = 1.0
    """Of the paper's epochs of linear evaluation."""
    finetune_steps: int = 200
    is_comparison: bool = True
    """False: too short to say anything of the methods."""
    pretrain: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every pretraining."""
    of_method: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Further settings of one method."""

    @property
    def steps(self) -> int:
        """Steps of a pretraining."""
        return max(1, self.frames // self.batch)

    def check(self) -> None:
        """Refuse a comparison of pretrainings that are too short; `smoke` is exempt, and marked in what is printed."""
        if self.is_comparison and self.steps < FEWEST_STEPS:
            raise UserError(
                f"{self.steps} steps a pretraining are too few for a comparison: at least {FEWEST_STEPS} are needed.",
                "Give more hours, fewer seeds or methods, or --set budget=smoke to see that it works.",
            )


ONE_BY_ONE = {"sequence_length": 1, "sequence_source": "anywhere"}
SHORT_RUN = {
    "init": "random",
    "optimizer": "adamw",
    "learning_rate": 1e-3,
    "schedule": "cosine",
    "warmup_share": 0.05,
    "weight_decay": 1e-4,
    "checkpoints_kept": 1,
    "evaluations": 0,
}

SMOKE = Comparison(
    "smoke",
    "resnet18",
    64,
    frames=64,
    batch=16,
    epochs_factor=0.02,
    finetune_steps=4,
    is_comparison=False,
    pretrain={**SHORT_RUN, "workers": 0},
    of_method={
        "time-triplet": {"sequence_length": 8, "sequences": 2, "window": 2},
        "*": {**ONE_BY_ONE, "sequences": 16},
    },
)

# Two cores: some 130 frames of 128 px a second forward and backward, more at 96 px. 300 steps of 64 frames are some
# twenty epochs of a set like capsule_bleeding, and for the method with the most views of a frame under ten minutes.
SMALL = Comparison(
    "small",
    "resnet18",
    96,
    frames=19_200,
    batch=64,
    pretrain=SHORT_RUN,
    of_method={
        "time-triplet": {"sequence_length": 16, "sequences": 4, "window": 3},
        "*": {**ONE_BY_ONE, "sequences": 64},
    },
)

# The papers' networks and courses: of each method its own defaults. 600 epochs (Vats et al. 2022) of 47,238 frames of
# Kvasir-Capsule, of which 60 % teach; for a graphics card.
PAPER = Comparison(
    "paper",
    "resnet50",
    224,
    frames=17_006_000,
    batch=64,
    finetune_steps=4500,
    pretrain={"init": "auto", "checkpoints_kept": 10, "evaluations": 0},
    of_method={
        "time-triplet": {"sequence_length": 64, "sequences": 1},
        "*": {**ONE_BY_ONE, "sequences": 64},
    },
)

COMPARISONS: dict[str, Comparison] = {made.name: made for made in (SMOKE, SMALL, PAPER)}


def find_comparison(name: str) -> Comparison:
    """The comparison of a name; raises `UserError` listing the names there are."""
    if name not in COMPARISONS:
        raise UserError(f"There is no budget {name!r}.", f"There are: {', '.join(COMPARISONS)}.")
    return COMPARISONS[name]
