"""The settings of the comparison, fixed before it was first run: network, frames, optimizer, settings of each method.

Every method draws the same number of frames in a pretraining, whatever it does with a frame (one view, two, or a
prior, nine tiles and more); seconds are reported with the figures. In `smoke` and `small` optimizer, highest rate,
warm-up and the cosine's shape are one for all and ours: the papers' SGD is for hundreds of epochs, here some twenty
have to do (see `reproduce.budgets`). Where the cosine ends is each method's own: at 1e-3 of the rate for pirl,
pgcon and wincon (Vats et al. 2022), at 1e-2 for simclr and time-triplet. In `paper` all of it is each method's own.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from training.experiments.engine import refuse_short
from training.methods.registry import FRAME_PRETRAINING
from training.models.backbones import DEFAULT_BACKBONE

PROTOCOL = 1
"""Part of every cell's key: raised when a demonstrated defect, with the test that shows it, changes the protocol."""
RAISED = {"random": 2, "pirl": 2, "pgcon": 2, "wincon": 2}
"""Method -> its own protocol. 2 of pirl, pgcon and wincon: the tiles of a jigsaw no longer enter the running statistics
by which the method is evaluated (`test_tiles_leave_no_trace_in_the_running_statistics`); no other method has tiles.
2 of random: linear evaluation standardises embeddings of any size (`test_tiny_embeddings_are_standardised_too`); those
of an untrained EfficientNet-Lite0 are about 1e-9, and no other method's are as small."""
NO_PRETRAINING = ("random", "imagenet")
"""Rows without a pretraining of ours: the network as it starts."""
METHODS = (*NO_PRETRAINING, *FRAME_PRETRAINING)


@dataclass(frozen=True)
class Comparison:
    """What all methods share."""

    name: str
    backbone: str
    input_size: int
    frames: int
    """Frames drawn in each pretraining."""
    batch: int
    """Frames of a batch."""
    epochs_factor: float = 1.0
    """Of the paper's epochs of linear evaluation, and of full finetuning where that goes by epochs."""
    finetune_steps: int | None = 200
    """Of a full finetuning, whatever the share of the labels; None: the paper's epochs of the share."""
    is_comparison: bool = True
    """False: too short to say anything of the methods."""
    pretrain: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every pretraining."""
    of_method: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Further settings of one method."""
    epochs: float | None = None
    """How often a pretraining sees each training frame; `frames` is then 0 until `sized` is called."""

    @property
    def steps(self) -> int:
        """Steps of a pretraining."""
        return max(1, self.frames // self.batch)

    def check(self) -> None:
        """Refuse a comparison of pretrainings that are too short; `smoke` is exempt, and marked in what is printed."""
        if self.is_comparison:
            refuse_short(
                self.steps,
                "a pretraining",
                "Give more hours, more frames, fewer seeds or methods, or --set budget=smoke to see that it works.",
            )

    @property
    def seeds(self) -> int:
        """Repeats, where no other number is asked for."""
        return 3 if self.is_comparison else 1

    def changed(self, steps: int | None, batch: int | None, settings: Mapping[str, Mapping[str, Any]]) -> "Comparison":
        """The comparison with other steps, frames of a step (of methods that see single frames), and settings."""
        size, steps = batch or self.batch, steps or self.steps
        of_method = {
            name: {**given, "sequences": size} if given.get("sequence_length") == 1 else given
            for name, given in self.of_method.items()
        }
        others = {name: {**of_method.get(name, of_method.get("*", {})), **given} for name, given in settings.items()}
        frames = size * steps if self.epochs is None else self.frames
        return replace(self, batch=size, frames=frames, of_method={**of_method, **others})

    def sized(self, training_frames: int) -> "Comparison":
        """The comparison for a number of training frames, of which `epochs` times as many are drawn."""
        return self if self.epochs is None else replace(self, frames=math.ceil(self.epochs * training_frames))


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


def parts_of_frames(sequences: int, frame: int, view: int, tile: int) -> dict[str, dict[str, Any]]:
    """For methods that look at parts of a frame: sides in px of the frame, its prior and WIN view, its tiles.

    The prior view takes the share of a frame that it took when this was frozen, whatever the size of the study.
    """
    sizes = {"frame_size": frame, "prior_share": 0.28, "prior_size": view, "win_size": view, "tile_size": tile}
    return {name: {**ONE_BY_ONE, "sequences": sequences, **sizes} for name in ("pirl", "pgcon", "wincon")}


SMOKE = Comparison(
    "smoke",
    "resnet18",
    64,
    frames=32,
    batch=8,
    epochs_factor=0.02,
    finetune_steps=4,
    is_comparison=False,
    pretrain={**SHORT_RUN, "workers": 0},
    of_method={
        "time-triplet": {"sequence_length": 4, "sequences": 2, "window": 1},
        **parts_of_frames(8, 96, 32, 32),
        "*": {**ONE_BY_ONE, "sequences": 8},
    },
)

# From ImageNet weights, as the papers start, at a third of the rate from random weights. 300 steps of 64 frames are
# some twenty epochs of a set of a thousand images, and some ten minutes on one core. A prior view is then 63 px of a
# frame of 224 px, shown at 64; all views of a frame are 1.9 times 96 x 96 px at most. With views of 80 px and tiles
# of 48, tried before anything was compared, a step of wincon took 5.1 s of one core.
SMALL = Comparison(
    "small",
    DEFAULT_BACKBONE,
    96,
    frames=19_200,
    batch=64,
    pretrain={**SHORT_RUN, "init": "imagenet", "learning_rate": 3e-4},
    of_method={
        "time-triplet": {"sequence_length": 16, "sequences": 4, "window": 3},
        **parts_of_frames(64, 224, 64, 32),
        "*": {**ONE_BY_ONE, "sequences": 64},
    },
)

# A busy processor: frames of 64 px, pretrainings too short to compare them.
BRIEF = replace(
    SMALL,
    name="brief",
    input_size=64,
    frames=640,
    batch=32,
    epochs_factor=0.1,
    finetune_steps=60,
    is_comparison=False,
    of_method={
        "time-triplet": {"sequence_length": 16, "sequences": 2, "window": 3},
        **parts_of_frames(32, 160, 48, 32),
        "*": {**ONE_BY_ONE, "sequences": 32},
    },
)

# The papers' networks and courses: of each method its own defaults; for a graphics card. 600 epochs as in Vats et al.
# 2022: of 47,238 frames of Kvasir-Capsule, of which 60 % are for training, they are 17.0 million frames. A rate that
# falls in steps falls at the shares of the run of its paper (see `training.experiments.benchmark.pretraining`).
# Ours: 224 px and, where Vats et al. are silent on the initial weights of their pretrainings, ImageNet.
PAPER = Comparison(
    "paper",
    "resnet50",
    224,
    frames=0,
    batch=64,
    finetune_steps=None,
    pretrain={"init": "auto", "checkpoints_kept": 10, "evaluations": 0},
    of_method={
        "time-triplet": {"sequence_length": 64, "sequences": 1},
        # Frames of 576 px: at 320, the default before, a prior view of 150 of 576 px had 83 px, shown at 120.
        **{name: {**ONE_BY_ONE, "sequences": 64, "frame_size": 576} for name in ("pirl", "pgcon", "wincon")},
        "*": {**ONE_BY_ONE, "sequences": 64},
    },
    epochs=600.0,
)

COMPARISONS: dict[str, Comparison] = {made.name: made for made in (SMOKE, BRIEF, SMALL, PAPER)}


def protocol_of(method: str) -> int:
    """The protocol that a method's cells follow."""
    return RAISED.get(method, PROTOCOL)


def needs_video(method: str) -> bool:
    """Whether a method learns from successive frames."""
    return method in FRAME_PRETRAINING and FRAME_PRETRAINING[method].needs_video


EVALUATIONS = 5
"""How often a finetuning of a fixed number of steps is evaluated, including the last step (ours)."""
LARGEST_BATCH = 32
"""Frames of a step at most (ours; the paper names a batch for its pretraining only)."""


@dataclass(frozen=True)
class FinetuningCourse:
    """The course of one finetuning.

    Vats et al. 2022 finetune for 100, 200 and 300 epochs of 1, 10 and 100 % of the labels and report the checkpoint
    that does best on the validation set. The budget `paper` does so and evaluates after each epoch. Ours, for two
    cores: the smaller budgets take the same few steps whatever the share, evaluated five times at equal intervals.
    """

    steps: int
    batch: int
    """Frames of a step."""
    epochs: int | None
    """None where the budget fixes the steps."""
    evaluated_after: frozenset[int]
    """Steps done (from 1) after which it is evaluated; the last one is always among them."""


def finetuning_course(comparison: Comparison, share: float, frames: int) -> FinetuningCourse:
    """The course of a finetuning that learns from `frames` frames, which are `share` (in (0, 1]) of the labels.

    An epoch draws every training frame once; `finetune_steps`, where given, win over the paper's epochs.
    """
    batch = min(comparison.batch, LARGEST_BATCH)
    if comparison.finetune_steps is not None:
        steps, epochs, times = comparison.finetune_steps, None, EVALUATIONS
    else:
        epochs = times = epochs_of(share, comparison.epochs_factor)
        steps = max(1, round(epochs * frames / batch))
    parts = {round(steps * number / times) for number in range(1, times + 1)}
    return FinetuningCourse(steps, batch, epochs, frozenset(parts - {0}))


EPOCHS = {0.01: 100, 0.1: 200, 1.0: 300}
"""Share of the labels -> epochs (Vats et al. 2022).

The paper found these numbers on the validation set of CAD-CAP and takes them for all data sets, where it then reports
the checkpoint with the best validation accuracy of that data set. Here too: the numbers are the paper's whatever the
data, and the best checkpoint is chosen on the frames of the data at hand. The search for the numbers is not repeated:
a benchmark has one data set, so the others' numbers could not come from CAD-CAP.
"""


def epochs_of(share: float, factor: float = 1.0) -> int:
    """Epochs of a share of the labels: the paper's for 1, 10 and 100 %, in between those of the next smaller (ours).

    At least 1; `factor` of the paper's epochs is below 1 only to try things out.
    """
    known = max((given for given in EPOCHS if given <= share + 1e-9), default=min(EPOCHS))
    return max(1, round(EPOCHS[known] * factor))
