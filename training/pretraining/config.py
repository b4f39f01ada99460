"""The settings of a pretraining that every method has, and its presets; a method's own stand in its module."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import platformdirs
from pydantic import Field, ValidationError, model_validator

from training.errors import UserError
from training.files.marks import Cache, OutputFolder
from training.methods.method_config import MethodConfig
from training.methods.pretrain_method import PretrainMethod, PretrainSettings
from training.methods.registry import PRETRAINING
from training.runs.resume import run_folder_check
from training.settings import MAX_THREADS, error_sentence

RATE_FALLS = 4300 / 21_000
"""Share of a pretraining after which its learning rate is divided, each time (Pascual et al. 2022)."""
PRESETS: dict[str, dict[str, Any]] = {
    # Pascual et al. 2022, sections 3.1 and 4: the defaults are the paper's values.
    "paper": {},
    # Ours: some minutes on two cores, from random weights. There the paper's SGD on one sequence stayed at the margin
    # for 300 steps; with AdamW on four sequences the loss falls. Neither improved kNN accuracy in so few steps (three
    # seeds of tests/benchmarks/bench_pretraining_knn). The rate falls at the same shares of the run as in the paper.
    "small": {
        "backbone": "resnet18",
        "input_size": 128,
        "sequence_length": 18,
        "sequences": 4,
        "optimizer": "adamw",
        "learning_rate": 1e-3,
        "steps": 400,
        "step_every": 82,
    },
    # Ours: to see that everything works; nothing is learned.
    "smoke": {
        "backbone": "resnet18",
        "input_size": 64,
        "sequence_length": 24,
        "steps": 20,
        "step_every": 4,
        "learning_rate": 0.01,  # at the paper's 0.1 some random weights diverge within ten steps
        "workers": 0,
    },
}
"""Preset -> the common settings that differ from the defaults; what is given explicitly wins over the preset."""


class PretrainConfig(MethodConfig, PretrainSettings):
    """One pretraining; frozen, checked when made, and enough to run it again."""

    methods: ClassVar[Mapping[str, type[PretrainMethod]]] = PRETRAINING
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS

    studies: Path | None = Field(None, description="Manifest of the studies (JSON).")
    images: Path | None = Field(
        None, description="Instead of studies: folder of images; labels then name their groups."
    )
    out: Annotated[Path, OutputFolder("run folder", run_folder_check("pretrain", "pretraining"))] = Field(
        description="Run folder to write."
    )
    init: str = Field(
        "auto",
        description="auto (ImageNet's weights if they are here, else random), random, imagenet, a file or a run.",
    )
    method: str = Field("time-triplet", description="Pretraining method.")
    preset: str = Field("paper", description="Name of the preset that fills in what is not given.")
    labels: Path | None = Field(None, description="Labels (CSV), used for kNN accuracy only, never learned from.")
    label_studies: Path | None = Field(
        None, description="Manifest of the labelled studies, where they are not among those of the pretraining."
    )
    held_out_patients: tuple[str, ...] = Field((), description="Patients that must not enter; checked.")
    regions: tuple[str, ...] = Field(("small bowel", "colon"), description="Regions used, where spans name regions.")
    each_span_is_a_study: bool = Field(
        False, description="Every span counts as a study: for files that put video runs one after the other."
    )
    download: bool = Field(False, description="Consent to fetching ImageNet weights where they are not here yet.")
    weights_cache: Annotated[Path, Cache()] = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("wce-desktop")) / "weights",
        description="Folder in which ImageNet weights are kept.",
    )

    backbone: Literal["resnet18", "resnet50"] = Field("resnet50", description="Network.")

    steps: int = Field(21_000, ge=1, description="Optimizer steps.")
    epochs: float = Field(
        0.0, ge=0, le=100_000, description="Times that each frame is seen, in place of steps; 0: as many steps as said."
    )
    minutes: float = Field(
        0.0, ge=0, description="Bound on the training time: fewer steps where it is reached; 0: none."
    )
    optimizer: Literal["sgd", "adamw"] = Field("sgd", description="Optimizer.")
    learning_rate: float = Field(0.1, gt=0, description="Learning rate of the first steps.")
    momentum: float = Field(0.0, ge=0, lt=1, description="Momentum of SGD.")
    weight_decay: float = Field(1e-4, ge=0, description="Weight decay.")
    schedule: Literal["step", "cosine", "constant"] = Field("step", description="Course of the learning rate.")
    step_every: int = Field(4300, ge=1, description="Steps between two divisions of the rate (step only).")
    step_factor: float = Field(0.2, gt=0, le=1, description="Factor of each division (step only).")
    final_rate_share: float = Field(
        0.01, ge=0, le=1, description="Share of the rate that is left at the end (cosine only)."
    )
    warmup_share: float = Field(0.0, ge=0, lt=1, description="Share of the steps that warm up (cosine only).")

    workers: int | None = Field(None, ge=0, le=64, description="Processes that read frames; empty: as cores allow.")
    keep_decoded_gb: float = Field(
        0.0, ge=0, le=10_000, description="Studies that fit into so much temporary disk space are decoded only once."
    )
    gradient_cache_chunk: int | None = Field(
        None, ge=1, description="Frames that go through the network at once; the gradient stays that of the batch."
    )
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Where to train.")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="bfloat16 where the device is built for it."
    )
    threads: int | None = Field(None, ge=1, le=MAX_THREADS, description="CPU threads; empty: as torch chooses.")
    checkpoints_kept: int = Field(
        10, ge=1, le=100, description="Even steps whose weights are kept with the head, besides those of the start."
    )
    evaluations: int = Field(
        10, ge=0, le=10_000, description="How often kNN accuracy is measured, where labels are given."
    )
    knn_neighbours: int = Field(5, ge=1, description="Neighbours that vote for a frame's class.")
    checkpoint_seconds: float = Field(120.0, ge=0, description="Time between two checkpoints to resume from.")
    seed: int = Field(0, ge=0, lt=2**31, description="Same seed, same device, same run.")
    resume: bool = Field(False, description="Go on with the unfinished run in the run folder.")

    @classmethod
    def filled_in(cls, method: type[Any], preset: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
        """The course of the method's paper, the preset, what the method needs, what is given; the later one wins."""
        course = dict(method.course)
        if "steps" in wanted or "steps" in preset:
            course.pop("epochs", None)  # whoever says how many steps does not mean epochs
        return {**course, **preset, **method.fixed, **wanted}

    @model_validator(mode="after")
    def _check_frames(self) -> "PretrainConfig":
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies or images to learn from")
        if self.images is not None and self.method_class.needs_video:
            raise ValueError(
                f"{self.method} needs video: in a folder of images nothing says which frames are near in time"
            )
        return self

    @property
    def method_class(self) -> type[PretrainMethod]:
        """What the settings name."""
        return self.methods[self.method]

    def steps_for(self, frames: int) -> int:
        """Optimizer steps where there are so many frames: those that the epochs take, or as many as said."""
        return max(1, math.ceil(self.epochs * frames / self.batch_frames)) if self.epochs else self.steps


def pretrain_config(**fields: Any) -> PretrainConfig:
    """Make a config; raises `UserError` with the first thing that is wrong in one sentence."""
    try:
        return PretrainConfig(**fields)
    except ValidationError as error:
        raise UserError(error_sentence(error, "pretraining setting")) from error


def stored_config(fields: Mapping[str, Any]) -> PretrainConfig:
    """The config of a run folder, or of a table for several methods: settings of other methods are left out."""
    return pretrain_config(**PretrainConfig.known(fields))
