"""The settings of a comparison of rules for what to label next."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from training.experiments.active_learning.strategies import STRATEGIES
from training.files.marks import ByField, MemoryField, OutputFolder
from training.models.backbones import DEFAULT_BACKBONE, BackboneName
from training.runs.resume import run_folder_check
from training.settings import Only, Settings

check_folder = run_folder_check(
    "active-learning", "comparison of rules", "report folder", parts={"cells"}, needs_resume=False
)


class ActiveLearningConfig(Settings):
    """The complete settings; frozen and validated."""

    only = (Only("by,sources", "images"),)

    images: Path | None = Field(None, description="Folder of labelled images.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON), instead of images.")
    labels: Path = Field(description="Labels (CSV) of the images (filename,label,group) or of the studies' frames.")
    by: ByField = "group"
    out: Annotated[Path, OutputFolder("report folder", check_folder)] = Field(
        description="Report folder to write; finished draws in it are reused."
    )
    normal_label: str = Field("normal", min_length=1, description="Label of images without a finding.")
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: all labels.")
    sources: tuple[str, ...] = Field(
        (), description="Sources of the images that are used (column source of the labels); empty: all."
    )
    init: str = Field(
        "imagenet",
        description="Weights that embed the frames: imagenet, random, a weights file, a model folder or a run folder.",
    )
    backbone: BackboneName | None = Field(
        None, description=f"Backbone of the weights; empty: {DEFAULT_BACKBONE}, or the folder's own."
    )
    input_size: int | None = Field(None, ge=32, le=1024, description="Side of the frames in px; empty: the model's.")
    strategies: tuple[str, ...] = Field(tuple(STRATEGIES), description=f"Rules to compare: {', '.join(STRATEGIES)}.")
    counts: tuple[int, ...] = Field((20, 40, 60, 80), description="Numbers of labels after each round.")
    start: Literal["own", "shared"] = Field(
        "own",
        description="own: each rule chooses the first labels, too. shared: these are two frames of each class and "
        "others at random, the same for all rules.",
    )
    positive_share: float | None = Field(
        None, gt=0, lt=1, description="Share of frames with a finding in the pool; others are left out at random."
    )
    most_of_group: int | None = Field(
        None, ge=1, description="Most frames of a class and group in the pool, evenly in time; empty: all."
    )
    draws: int = Field(20, ge=1, le=200, description="Draws of pool and held-out groups.")
    folds: int = Field(2, ge=2, le=20, description="One of so many parts of the groups is held out in a draw.")
    normal_per_study: int = Field(1000, ge=1, description="Most normal frames of a study or group, evenly in time.")
    memory_mib: MemoryField = 1536
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device that embeds the frames.")
    seed: int = Field(0, ge=0, lt=2**31, description="Number of the first draw.")
    resume: bool = Field(False, description="Accepted as in every command; finished draws are always reused.")

    @field_validator("strategies")
    @classmethod
    def _check_strategies(cls, strategies: tuple[str, ...]) -> tuple[str, ...]:
        if not strategies or len(set(strategies)) < len(strategies) or not set(strategies) <= STRATEGIES.keys():
            raise ValueError(f"name each rule once; there are {', '.join(STRATEGIES)}")
        return strategies

    @field_validator("counts")
    @classmethod
    def _check_counts(cls, counts: tuple[int, ...]) -> tuple[int, ...]:
        if not counts or counts[0] < 1 or list(counts) != sorted(set(counts)):
            raise ValueError("numbers of labels must be positive and grow")
        return counts

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies (a manifest) or images (a folder), with labels")
        return self
