"""The settings of a benchmark."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from training.experiments.benchmark.comparison import COMPARISONS, METHODS
from training.files.marks import ByField, Cache, MemoryField, OutputFolder, ThreadsField, WeightsCacheField
from training.methods.registry import FRAME_PRETRAINING
from training.runs.resume import run_folder_check
from training.settings import Only, Settings, shortened

check_folder = run_folder_check(
    "benchmark", "benchmark", "report folder", parts={"cells", "inputs", "frames.tmp"}, needs_resume=False
)

SplitName = Literal["60:40", "80:10:10"]
SplitBy = Literal["groups", "frames"]
SHARED = frozenset({"steps", "sequences", "sequence_length", "backbone", "input_size", "seed", "device", "threads"})
"""Settings of a pretraining that are the same for all methods, or that have a field of their own here."""


class BenchmarkConfig(Settings):
    """The complete settings of a benchmark; frozen and validated."""

    only = (
        Only("by,sources,video_frames", "images"),
        Only("video", "video_frames"),
        Only("pretrain_per_study", "pretrain_studies"),
        Only("pretrain_studies,pretrain_images,pretrain_settings", "methods", FRAME_PRETRAINING, "pretraining methods"),
        Only("finetune_shares", "finetune"),
        Only("steps", "budget", ("smoke", "small")),
        Only("steps", "hours", (None,)),
    )

    methods: tuple[str, ...] = Field(("random", "simclr"), description=f"Of {', '.join(METHODS)}.")
    images: Path | None = Field(None, description="Folder of labelled images.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON), instead of images.")
    labels: Path = Field(description="Labels (CSV) of the images (filename,label,group) or of the studies' frames.")
    by: ByField = "group"
    video_frames: Path | None = Field(
        None,
        description="With images, for methods that need video: CSV of a video's frames (frame_index,run,filename).",
    )
    video: Path | None = Field(None, description="Video of that CSV; empty: video.mp4 beside it.")
    sources: tuple[str, ...] = Field(
        (), description="Sources of the images to evaluate on (column source of the labels); empty: all."
    )
    pretrain_studies: Path | None = Field(
        None,
        description="Manifest of other studies to pretrain on; empty: the training part of the data. Patients of the "
        "test part are left out.",
    )
    pretrain_images: tuple[Path, ...] = Field(
        (),
        description="Folders of images without labels to pretrain on, instead of the training part or beside "
        "pretrain_studies. Images of the test part are left out.",
    )
    out: Annotated[Path, OutputFolder("report folder", check_folder)] = Field(
        description="Report folder to write; finished parts are reused."
    )
    cells: Annotated[Path | None, Cache()] = Field(
        None, description="Folder for pretrainings and figures; empty: in the report folder."
    )
    normal_label: str = Field(
        "normal", description="Label of images without a finding; empty: none, only kinds of findings are classified."
    )
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: every label found.")

    budget: Literal["smoke", "brief", "small", "paper"] = Field("small", description="Network, frames and steps.")
    steps: int | None = Field(None, ge=1, description="Steps of each pretraining; empty: from the budget.")
    batch_size: int | None = Field(
        None, ge=2, le=4096, description="Frames per step of methods that see single frames; empty: from the budget."
    )
    pretrain_per_study: int | None = Field(
        None, ge=1, description="Frames per study of pretrain_studies, evenly spaced, for methods without video."
    )
    pretrain_settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description='Further settings of the pretrainings, as JSON: {"simclr": {"temperature": 0.2}}.',
    )
    hours: float | None = Field(None, gt=0, description="Draw as many frames as fit into this time.")
    seeds: int | None = Field(None, ge=1, le=20, description="Repeats of all but the split; empty: 3, in smoke 1.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the first repeat.")
    split: SplitName = Field("60:40", description="Groups for training and testing; 80:10:10 has a validation set.")
    split_by: SplitBy = Field(
        "groups",
        description="frames: only for images of unknown patients; the results are optimistic.",
    )
    split_seed: int = Field(0, ge=0, description="Seed of the split.")
    normal_per_study: int = Field(2000, ge=1, description="Normal frames per study or group, evenly spaced in time.")

    sees: Literal["frames", "prior views"] = Field(
        "frames", description="Evaluation input: whole frames, or the square around the reddest region."
    )
    neighbours: int = Field(290, ge=1, description="Labelled frames that vote (kNN), if there are so many.")
    temperature: float = Field(0.1, gt=0, description="Temperature of their votes.")
    shares: tuple[float, ...] = Field((0.01, 0.1, 1.0), description="Shares of the labels of linear evaluation.")
    shots: tuple[int, ...] = Field((1, 5, 10), description="Labelled frames per class for few-shot evaluation.")
    finetune: bool = Field(False, description="Also fine-tune the whole network, with BatchNorm.")
    finetune_shares: tuple[float, ...] = Field((1.0,), description="Shares of the labels of the full fine-tuning.")

    weights_cache: WeightsCacheField
    memory_mib: MemoryField = 1536
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    threads: ThreadsField = None
    resume: bool = Field(False, description="Accepted as in every command; finished parts are always reused.")

    def inner(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """See `Settings`."""
        for method, settings in self.pretrain_settings.items():
            yield "pretrain", {"method": method, **settings}

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
            raise ValueError("shares of the labels must be above 0, at most 1, and different")
        return shares

    @field_validator("shots")
    @classmethod
    def _check_shots(cls, shots: tuple[int, ...]) -> tuple[int, ...]:
        if any(count < 1 for count in shots) or len(set(shots)) < len(shots):
            raise ValueError("few-shot needs at least one frame per class, and different numbers")
        return shots

    @field_validator("pretrain_settings")
    @classmethod
    def _check_pretrain_settings(cls, settings: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        if unknown := sorted(settings.keys() - FRAME_PRETRAINING.keys()):
            raise ValueError(
                f"settings are given by pretraining: {', '.join(FRAME_PRETRAINING)}, not {shortened(repr(unknown[0]))}"
            )
        for method, given in settings.items():
            if shared := sorted(SHARED & given.keys()):
                raise ValueError(f"{shared[0]} is the same for all methods, so it cannot be set for {method} alone")
        return settings

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies (a manifest) or images (a folder), with labels")
        if self.split_by == "frames" and self.studies is not None:
            raise ValueError("studies are split by patient; split_by=frames is for images without groups")
        if self.split_by == "frames" and self.video_frames is not None:
            raise ValueError("frames of a video are similar to their neighbours, so they must be split by group")
        if self.pretrains_on_others and self.video_frames is not None:
            raise ValueError("give other data to pretrain on or video_frames, not both")
        if self.finetune and self.sees != "frames":
            raise ValueError("a full fine-tuning needs whole frames; omit finetune or sees")
        assert self.budget in COMPARISONS
        return self

    @property
    def pretrains_on_others(self) -> bool:
        """Whether pretrainings learn from other data than the training part."""
        return self.pretrain_studies is not None or bool(self.pretrain_images)

    @property
    def cells_folder(self) -> Path:
        """Folder for finished pretrainings and figures."""
        return self.cells or self.out / "cells"
