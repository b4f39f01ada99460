"""The common settings of pretraining methods, and presets; a method's own settings are in its module."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from training.files.marks import ByField, LogToField, OutputFolder, PrecisionField, RecordHostField, WeightsCacheField
from training.methods import method_config, pretrain_method, registry
from training.models.backbones import DEFAULT_BACKBONE, BackboneName
from training.runs.resume import run_folder_check
from training.settings import MAX_THREADS, Only
from training.texts import Text

RATE_FALLS = 4300 / 21_000
"""Share of a pretraining between two divisions of the learning rate (Pascual et al. 2022)."""
PRESETS: dict[str, dict[str, Any]] = {
    # Pascual et al. 2022, sections 3.1 and 4: the defaults are the paper's values, or ours where it is silent (the
    # reduction of the loss, the strengths of the augmentation, the initial projection head).
    "paper": {},
    # Ours: some minutes on two cores. With the paper's SGD on one sequence the loss stayed at the margin for 300 steps;
    # with AdamW on four sequences it falls. The rate falls at the same shares of the run as in the paper.
    "small": {
        "backbone": DEFAULT_BACKBONE,
        "input_size": 128,
        "sequence_length": 18,
        "sequences": 4,
        "optimizer": "adamw",
        "learning_rate": 1e-3,
        "steps": 400,
        "step_every": 82,
    },
    # Ours: to check that everything works; the result is not useful.
    "smoke": {
        "backbone": DEFAULT_BACKBONE,
        "input_size": 64,
        "sequence_length": 24,
        "steps": 20,
        "step_every": 4,
        "learning_rate": 0.01,  # at the paper's 0.1 some random weights diverge within ten steps
        "workers": 0,
    },
}
"""Preset -> common settings that differ from the defaults; explicit settings override the preset."""


class PretrainConfig(method_config.MethodConfig, pretrain_method.PretrainSettings):
    """The complete settings of a pretraining; frozen and validated."""

    what = "pretraining setting"

    methods: ClassVar[Mapping[str, type[pretrain_method.PretrainMethod]]] = registry.PRETRAINING
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    only = (
        Only("by", "images"),
        Only("regions,each_span_is_a_study,keep_decoded_gb", "studies"),
        Only("label_studies,knn_neighbours", "labels"),
        Only("download", "init", ("imagenet", "auto")),
        Only("steps", "epochs", (0.0,)),
        Only("momentum", "optimizer", ("sgd",)),
        Only("step_every,step_factor", "schedule", ("step",)),
        Only("final_rate_share,warmup_share", "schedule", ("cosine",)),
        Only("warmup_steps", "schedule", ("step", "constant", "plateau")),
    )

    studies: Path | None = Field(None, description="Manifest of the studies (JSON).")
    images: Path | None = Field(
        None, description="Folder of images, instead of studies; labels then name their groups."
    )
    out: Annotated[Path, OutputFolder("run folder", run_folder_check("pretrain", "pretraining"))] = Field(
        description="Run folder to write."
    )
    init: str = Field(
        "imagenet",
        description="imagenet, auto (ImageNet weights if they are here, else random), random, a file or a run.",
    )
    init_sha256: str = Field(
        "", pattern="^([0-9a-f]{64})?$", description="SHA-256 that the weights file of init must have; empty: any."
    )
    method: str = Field("time-triplet", description="Pretraining method.")
    preset: str = Field("paper", description="Preset; explicit settings override it.")
    labels: Path | None = Field(None, description="Labels (CSV), used for kNN accuracy only, not for training.")
    by: ByField = "group"
    label_studies: Path | None = Field(
        None, description="Manifest of the labelled studies, if they are not among those of the pretraining."
    )
    held_out_patients: tuple[str, ...] = Field((), description="Patients that must not be trained on; checked.")
    regions: tuple[str, ...] = Field(("small bowel", "colon"), description="Regions to use, if spans name regions.")
    each_span_is_a_study: bool = Field(
        False, description="Treat every span as a study: for files that join several videos."
    )
    download: bool = Field(False, description="Allow the download of ImageNet weights if needed.")
    weights_cache: WeightsCacheField

    backbone: BackboneName = Field("resnet50", description="Network; also timm:NAME or torchvision:NAME.")

    batch_norm: Literal["adapt", "frozen"] = Field(
        "adapt", description="Update the running statistics on the new frames, or keep those of the initial model."
    )

    steps: int = Field(21_000, ge=1, description="Optimizer steps.")
    epochs: float = Field(
        0.0, ge=0, le=100_000, description="How often each frame is seen, instead of steps; 0: use steps."
    )
    minutes: float = Field(
        0.0, ge=0, description="Time limit in minutes, after which training stops as by Stop; 0: none."
    )
    optimizer: Literal["sgd", "adamw", "adam"] = Field("sgd", description="Optimizer.")
    learning_rate: float = Field(0.1, gt=0, description="Learning rate of the first steps.")
    momentum: float = Field(0.0, ge=0, lt=1, description="Momentum of SGD.")
    weight_decay: float = Field(1e-4, ge=0, description="Weight decay.")
    clip_norm: float = Field(
        0.0, ge=0, description="Largest norm of the gradient of all weights; 0: no limit, as in the papers."
    )
    schedule: Literal["step", "cosine", "constant", "plateau"] = Field(
        "step", description="Learning rate schedule; plateau: halved when the validation loss stops falling."
    )
    warmup_steps: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="Steps over which the rate rises first (all but cosine).",
    )
    step_every: int = Field(4300, ge=1, description="Steps between two reductions of the rate (step only).")
    step_factor: float = Field(0.2, gt=0, le=1, description="Factor of each reduction (step only).")
    final_rate_share: float = Field(0.01, ge=0, le=1, description="Final rate as a share of the highest (cosine only).")
    warmup_share: float = Field(0.0, ge=0, lt=1, description="Share of the steps used for warmup (cosine only).")

    workers: int | None = Field(
        None, ge=0, le=64, description="Processes that read frames; empty: by the number of cores."
    )
    keep_decoded_gb: float = Field(
        0.0, ge=0, le=10_000, description="Temporary disk space for decoded studies, which are then decoded only once."
    )
    gradient_cache_chunk: int | None = Field(
        None, ge=1, description="Frames per forward pass; the gradient is that of the whole batch."
    )
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    precision: PrecisionField = "auto"
    threads: int | None = Field(None, ge=1, le=MAX_THREADS, description="CPU threads; empty: chosen by torch.")
    checkpoints_kept: int = Field(
        10, ge=1, le=100, description="Number of evenly spaced steps whose weights are kept, in addition to the start."
    )
    evaluations: int = Field(
        10,
        ge=0,
        le=10_000,
        description="How often it is evaluated: kNN accuracy if labels are given, reconstructions, validation loss.",
    )
    knn_neighbours: int = Field(5, ge=1, description="Neighbours that vote for a class.")
    checkpoint_seconds: float = Field(120.0, ge=0, description="Time between two checkpoints.")
    log_to: LogToField = "none"
    record_host: RecordHostField = False
    seed: int = Field(0, ge=0, lt=2**31, description="Random seed; equal seeds give equal runs on the same device.")
    resume: bool = Field(False, description="Resume the unfinished run in the run folder.")

    @classmethod
    def filled_in(cls, method: type[Any], preset: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Defaults of the method's paper, preset, required settings, explicit settings; later ones override earlier."""
        course = dict(method.course)
        if "steps" in wanted or "steps" in preset:
            course.pop("epochs", None)  # a number of steps replaces epochs
        return {**course, **preset, **method.fixed, **wanted}

    @model_validator(mode="after")
    def _check_together(self) -> "PretrainConfig":
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies or images")
        if self.images is not None and self.method_class.needs_video:
            raise ValueError(Text("{method} needs video: a folder of images has no time information", self.method))
        if self.init_sha256 and not Path(self.init).is_file():
            raise ValueError("init_sha256 is of a weights file; name it with init")
        if self.schedule == "plateau" and not (getattr(self, "validation_share", 0) and self.evaluations):
            raise ValueError(
                "schedule=plateau needs a validation loss: colo-scrl has one if validation_share and evaluations are "
                "not 0"
            )
        return self

    @property
    def method_class(self) -> type[pretrain_method.PretrainMethod]:
        """The class of the method."""
        return self.methods[self.method]

    def steps_for(self, frames: int) -> int:
        """Number of optimizer steps for a number of training frames: from `epochs`, else `steps`."""
        return max(1, math.ceil(self.epochs * frames / self.batch_frames)) if self.epochs else self.steps


pretrain_config = PretrainConfig.checked


SINCE_CLIPS: dict[str, Any] = {"frame_step": 1, "decay_all": True}
"""Settings that came later: an older run folder does not name them, and had these values."""


def stored_config(fields: Mapping[str, Any]) -> PretrainConfig:
    """The config of a run folder or of a table for several methods, without settings of other methods and versions."""
    there = {name: value for name, value in fields.items() if name != "gather"}
    return pretrain_config(**PretrainConfig.known({**SINCE_CLIPS, **there}))
