"""What a benchmark is asked to do; every setting with its range and meaning."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

import platformdirs
from pydantic import Field, ValidationError, field_validator, model_validator

from training.errors import UserError
from training.experiments.benchmark.comparison import COMPARISONS, METHODS
from training.files.marks import Cache, OutputFolder
from training.runs.resume import run_folder_check
from training.settings import MAX_THREADS, Settings, error_sentence, shortened

check_folder = run_folder_check(
    "benchmark", "benchmark", "report folder", parts={"cells", "inputs", "frames.tmp"}, needs_resume=False
)

SplitName = Literal["60:40", "80:10:10"]
SplitBy = Literal["groups", "frames"]


class BenchmarkConfig(Settings):
    """One benchmark; frozen, checked when made, and enough to run it again."""

    methods: tuple[str, ...] = Field(("random", "simclr"), description=f"Of {', '.join(METHODS)}.")
    images: Path | None = Field(None, description="Folder of labelled images.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON), instead of images.")
    labels: Path = Field(description="Labels (CSV) of the images (filename,label,group) or of the studies' frames.")
    video_frames: Path | None = Field(
        None,
        description="With images, for methods that need video: CSV of a video's frames (frame_index,run,filename).",
    )
    video: Path | None = Field(None, description="Video of that CSV; empty: video.mp4 beside it.")
    out: Annotated[Path, OutputFolder("report folder", check_folder)] = Field(
        description="Report folder to write; what is finished in it is never computed again."
    )
    cells: Annotated[Path | None, Cache()] = Field(
        None, description="Where pretrainings and figures are kept; empty: in the report folder."
    )
    normal_label: str = Field(
        "normal", description="Label of images in which nothing is to be found; empty: none, only kinds are told apart."
    )
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: every label found.")

    budget: Literal["smoke", "small", "paper"] = Field("small", description="Network, frames and steps; frozen.")
    hours: float | None = Field(None, gt=0, description="Draw as many frames as fit into so many hours.")
    seeds: int = Field(3, ge=1, le=20, description="Repeats of everything but the split.")
    seed: int = Field(0, ge=0, lt=2**31, description="Of the first repeat.")
    split: SplitName = Field("60:40", description="Groups that teach and judge; of 80:10:10 a tenth chooses.")
    split_by: SplitBy = Field(
        "groups",
        description="frames only for images whose patients nobody knows; optimistic, and every report says so.",
    )
    split_seed: int = Field(0, ge=0, description="Decides which group stands where, whatever the seed.")
    normal_per_study: int = Field(2000, ge=1, description="Normal frames of a study or group, evenly in time.")

    sees: Literal["frames", "prior views"] = Field(
        "frames", description="What encoders see when they are judged: whole frames, or the square around the reddest."
    )
    neighbours: int = Field(290, ge=1, description="Labelled frames that vote (kNN); fewer where there are fewer.")
    temperature: float = Field(0.1, gt=0, description="Of their votes.")
    shares: tuple[float, ...] = Field((0.01, 0.1, 1.0), description="Shares of the labels of linear evaluation.")
    shots: tuple[int, ...] = Field((1, 5, 10), description="Labelled frames of each class, of few-shot.")
    finetune: bool = Field(False, description="Also finetune the whole network, with BatchNorm.")
    finetune_shares: tuple[float, ...] = Field((1.0,), description="Shares of the labels of the full finetuning.")

    weights_cache: Annotated[Path, Cache()] = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("wce-desktop")) / "weights",
        description="Folder in which ImageNet weights are kept.",
    )
    memory_mib: int = Field(1536, ge=1, description="Prepared frames up to this size stay in memory, else in a file.")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Where to train.")
    threads: int | None = Field(
        None, ge=1, le=MAX_THREADS, description="CPU threads; empty: what is quickest on this machine."
    )
    resume: bool = Field(False, description="Accepted like in every command; what is finished is always kept.")

    @field_validator("methods")
    @classmethod
    def _check_methods(cls, methods: tuple[str, ...]) -> tuple[str, ...]:
        if not methods or len(set(methods)) < len(methods):
            raise ValueError(f"name each method once, of {', '.join(METHODS)}")
        for name in methods:
            if name not in METHODS:
                raise ValueError(f"there is no method {shortened(repr(name))}; there are {', '.join(METHODS)}")
        return methods

    @field_validator("shares", "finetune_shares")
    @classmethod
    def _check_shares(cls, shares: tuple[float, ...]) -> tuple[float, ...]:
        if any(not 0 < share <= 1 for share in shares) or len(set(shares)) < len(shares):
            raise ValueError("a share of the labels lies above 0 and at most at 1, and stands once")
        return shares

    @field_validator("shots")
    @classmethod
    def _check_shots(cls, shots: tuple[int, ...]) -> tuple[int, ...]:
        if any(count < 1 for count in shots) or len(set(shots)) < len(shots):
            raise ValueError("few-shot needs at least one frame of each class, and each number once")
        return shots

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies (a manifest) or images (a folder), and their labels")
        if self.video_frames is not None and self.images is None:
            raise ValueError("video_frames belongs to images; studies are videos themselves")
        if self.split_by == "frames" and self.studies is not None:
            raise ValueError("studies have patients and are split by them; frames is for images without groups")
        if self.split_by == "frames" and self.video_frames is not None:
            raise ValueError("frames of a video are neighbours, so they are split by group and never one by one")
        if self.finetune and self.sees != "frames":
            raise ValueError("a full finetuning sees whole frames; leave finetune or sees out")
        assert self.budget in COMPARISONS
        return self

    @property
    def cells_folder(self) -> Path:
        """Where finished pretrainings and figures are kept."""
        return self.cells or self.out / "cells"


def benchmark_config(**fields: Any) -> BenchmarkConfig:
    """Make a config; raises `UserError` with the first thing that is wrong in one sentence."""
    try:
        return BenchmarkConfig(**fields)
    except ValidationError as error:
        raise UserError(error_sentence(error)) from error
