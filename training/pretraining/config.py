"""What a pretraining is asked to do: every setting with its range and meaning."""

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import Field, ValidationError, field_validator, model_validator

from training.errors import UserError
from training.files.marks import Cache, OutputFolder
from training.pretraining.presets import COURSES, METHODS, PRESETS, WITH_BANK
from training.runs.resume import run_folder_check
from training.settings import MAX_THREADS, Settings, error_sentence, preset_values

__all__ = ["METHODS", "PRESETS", "PretrainConfig", "pretrain_config"]

MAX_LAYERS = 8
MAX_WIDTH = 16_384
"""Of the projection head's layers."""


class PretrainConfig(Settings):
    """One pretraining; frozen, checked when made, and enough to run it again."""

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
    method: Literal["time-triplet", "simclr", "pgcon", "wincon", "pirl"] = Field(
        "time-triplet", description="What teaches the embedding."
    )
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

    sequence_length: int = Field(72, ge=1, le=100_000, description="Successive frames of one sequence (N).")
    sequences: int = Field(1, ge=1, le=4096, description="Sequences of a batch.")
    sequence_source: Literal["studies", "resample", "anywhere"] = Field(
        "studies", description="Sequences of a batch from different studies, all from one, or from anywhere."
    )
    window: int = Field(9, ge=1, le=100_000, description="Frames up to this far apart are positives (w).")
    margin: float = Field(0.2, ge=0, description="Margin of the triplet loss, in squared distance.")
    reduction: Literal["mean", "sum"] = Field("mean", description="Triplet loss: mean over violating triplets, or sum.")
    projection: tuple[int, ...] = Field((128, 128, 128), description="Widths of the projection head's layers.")
    temperature: float = Field(0.1, gt=0, description="Temperature of the contrast (all but time-triplet).")
    negatives: int = Field(
        200,
        ge=1,
        le=100_000,
        description="Other frames' memories that each term contrasts with (k; pgcon, wincon, pirl).",
    )
    shared_negatives: bool = Field(False, description="Both terms contrast with the same memories.")
    memory_weight: float = Field(0.5, ge=0, description="Weight of the term with the frame's memory (alpha).")
    view_weight: float = Field(0.5, ge=0, description="Weight of the term with the frame's other view (beta).")
    bank_momentum: float = Field(
        0.5, ge=0, lt=1, description="Share of a frame's memory that stays when the frame is seen again."
    )
    bank_start: Literal["first", "random"] = Field(
        "first", description="A frame's memory begins with its first embedding, or as a random direction."
    )
    bank_memory_gb: float = Field(
        2.0, ge=0, le=10_000, description="A memory of all frames that is larger lies on disk, in the run folder."
    )

    backbone: Literal["resnet18", "resnet50"] = Field("resnet50", description="Network.")
    input_size: int = Field(256, ge=32, le=1024, description="Side of the frames in px.")
    frame_size: int | None = Field(
        None, ge=32, le=2048, description="Side in px of frames of which parts are shown; empty: the input size."
    )
    prior_share: float | None = Field(
        None, gt=0, le=1, description="Side of the prior view as a share of the frame's; empty: by the study's size."
    )
    prior_size: int = Field(120, ge=32, le=1024, description="Side in px at which the prior view is shown.")
    tile_size: int = Field(64, ge=32, le=1024, description="Side in px at which a tile is shown.")
    tile_crop: float = Field(0.75, gt=0, le=1, description="Share of a tile's side that is shown, at a random place.")
    win_size: int = Field(120, ge=32, le=1024, description="Side in px of the frame without its prior view (wincon).")
    rim_share: float = Field(
        0.02, ge=0, lt=0.5, description="Rim of the field of view that is not searched for red, as a share of the side."
    )
    least_redness: float = Field(
        1.0, ge=-128, le=127, description="a* below which nothing counts as red: the middle is shown."
    )
    least_area: float = Field(0.2, gt=0, le=1, description="Least share of a frame that the random view shows (pirl).")
    prior_colour: float = Field(1.0, ge=0, le=2, description="Strength of colour changes of the prior view (T_p).")
    distorted_colour: float = Field(1.0, ge=0, le=2, description="Strength of colour changes of other tiles (T_d).")
    win_colour: float = Field(1.0, ge=0, le=2, description="Strength of colour changes of the WIN view (T_win).")

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

    brightness: float = Field(0.2, ge=0, lt=1, description="Random brightness, +- this share.")
    contrast: float = Field(0.2, ge=0, lt=1, description="Random contrast, +- this share.")
    saturation: float = Field(0.2, ge=0, lt=1, description="Random saturation, +- this share.")
    hue: float = Field(0.05, ge=0, le=0.5, description="Random hue, +- this share of the colour circle.")
    grey: float = Field(0.2, ge=0, le=1, description="Share of the frames shown in grey.")
    rotations: Literal["free", "quarter", "none"] = Field("free", description="Rotations; free only in round views.")
    flips: bool = Field(True, description="Mirror frames at random.")
    zoom: float = Field(0.0, ge=0, lt=0.5, description="Random zoom, +- this share.")
    round_mask: bool = Field(True, description="Black outside the largest circle (radius 128 at 256 x 256).")

    workers: int | None = Field(None, ge=0, le=64, description="Processes that read frames; empty: as cores allow.")
    keep_decoded_gb: float = Field(
        0.0, ge=0, le=10_000, description="Studies that fit into so much temporary disk space are decoded only once."
    )
    gather: bool = Field(False, description="With several processes: negatives from all of them.")
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

    @field_validator("projection")
    @classmethod
    def _check_projection(cls, widths: tuple[int, ...]) -> tuple[int, ...]:
        if not 1 <= len(widths) <= MAX_LAYERS or not all(1 <= width <= MAX_WIDTH for width in widths):
            raise ValueError(f"a projection head has 1 to {MAX_LAYERS} layers, each of a width of 1 to {MAX_WIDTH:,}")
        return widths

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, given: Any) -> Any:
        """The preset, then what the method asks for, then what is given."""
        if not isinstance(given, dict):
            return given
        preset = preset_values(PRESETS, given.get("preset", "paper"))
        method = str(given.get("method", "time-triplet"))
        # A method that is unknown is told by the field's own check.
        wanted = {key: value for key, value in given.items() if value is not None}
        course = dict(COURSES.get(method, {}))
        if "steps" in wanted or "steps" in preset:
            course.pop("epochs", None)  # whoever says how many steps does not mean epochs
        return {**course, **preset, **METHODS.get(method, {}), **wanted}

    @model_validator(mode="after")
    def _check_frames(self) -> "PretrainConfig":
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies or images to learn from")
        if self.images is not None and self.method == "time-triplet":
            raise ValueError(
                "time-triplet needs video: in a folder of images nothing tells which frames are near in time"
            )
        if self.method in WITH_BANK and self.gather:
            raise ValueError(f"{self.method} takes its negatives from its memory bank, so there is nothing to gather")
        return self

    @property
    def read_size(self) -> int:
        """Side in px of the frames that are read."""
        return (self.frame_size if self.has_bank else None) or self.input_size

    @property
    def has_bank(self) -> bool:
        """Whether the method remembers every frame."""
        return self.method in WITH_BANK

    def steps_for(self, frames: int) -> int:
        """Optimizer steps where there are so many frames: those that the epochs take, or as many as said."""
        return max(1, math.ceil(self.epochs * frames / self.batch_frames)) if self.epochs else self.steps

    @property
    def batch_frames(self) -> int:
        """The most frames that a batch holds."""
        return self.sequence_length * self.sequences


def pretrain_config(**fields: Any) -> PretrainConfig:
    """Make a config; raises `UserError` with the first thing that is wrong in one sentence."""
    try:
        return PretrainConfig(**fields)
    except ValidationError as error:
        raise UserError(error_sentence(error, "pretraining setting")) from error
