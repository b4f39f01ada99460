"""What an evaluation of explanations is asked to do; every setting with its range and meaning."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, field_validator, model_validator

from training.files.marks import Cache, MemoryField, OutputFolder, ThreadsField
from training.inference.explanation import THRESHOLD
from training.methods.registry import FINETUNING
from training.models.backbones import BackboneName
from training.runs.resume import run_folder_check
from training.settings import Only, Settings

COMMAND = "evaluate-explanations"
check_folder = run_folder_check(COMMAND, "evaluation of explanations", "report folder", parts={"models"})

SampleBy = Literal["frames", "kinds"]
Way = Literal["cam", "score-cam", "quick", "prior-grid", "redness", "center", "random"]
WAYS: tuple[Way, ...] = get_args(Way)
SLOW: tuple[Way, ...] = ("score-cam", "quick", "prior-grid")
"""Explained for the sample only."""


class EvaluateExplanationsConfig(Settings):
    """One evaluation; frozen, checked when made, and enough to run it again."""

    only = (
        Only("at_step,unseen,class_name", "model"),
        Only("models,fold_seed,method,init,preset,batch_size,steps,settings", "folds"),
        Only("layer", "explain", ("score-cam", "quick")),
        Only("deletion,insertion", "curve_steps"),
    )

    images: Path = Field(description="Folder of labelled images.")
    labels: Path = Field(description="Labels (CSV): filename,label,group.")
    boxes: Path = Field(description="Boxes (CSV): filename,x_min,y_min,x_max,y_max in px; an image may have several.")
    out: Annotated[Path, OutputFolder("report folder", check_folder)] = Field(description="Report folder to write.")
    normal_label: str = Field("normal", min_length=1, description="Label of normal images.")
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: all labels found.")
    class_name: str = Field("", description="Class of the model to explain; empty: the label of the image.")

    model: Path | None = Field(
        None,
        description="Model folder to evaluate, or a pretraining's run folder (explains the similarity to the "
        "frame's own embedding; no labels).",
    )
    at_step: int | None = Field(None, ge=0, description="Stored step of a pretraining; empty: the newest.")
    unseen: bool = Field(False, description="Evaluate a given model only on groups that it was not trained on.")
    folds: int | None = Field(
        None, ge=2, le=100, description="Number of folds by group; trains one model per fold, instead of model."
    )
    models: Annotated[Path | None, Cache()] = Field(
        None, description="Folder of the folds' models; empty: the folder models in the report folder."
    )
    fold_seed: int = Field(0, ge=0, description="Seed of the split into folds, independent of seed.")
    method: str = Field("tl-ba", description=f"Fine-tuning method of the folds: {', '.join(FINETUNING)}.")
    init: str = Field(
        "imagenet",
        description="Initial weights: imagenet, random, a weights file, a model folder, or a pretraining's run folder.",
    )
    preset: str = Field("default", description="Preset of the fine-tuning; other settings override it.")
    backbone: BackboneName | None = Field(None, description="Backbone; empty: from the preset.")
    input_size: int | None = Field(
        None, ge=32, le=1024, description="Side of the input frames in px; empty: from the model or the preset."
    )
    batch_size: int | None = Field(None, ge=2, le=4096, description="Frames per step; empty: from the preset.")
    steps: int | None = Field(
        None, ge=1, description="Steps per training; empty: from epochs and labels, in each fold."
    )
    settings: dict[str, Any] = Field(
        default_factory=dict, description='Further settings of the finetuning, as JSON: {"margin": 0.5}.'
    )

    explain: tuple[Way, ...] = Field(
        ("cam", "score-cam", "center", "random"), description=f"Explanations to evaluate: {', '.join(WAYS)}."
    )
    layer: Literal["layer1", "layer2", "layer3", "layer4"] = Field("layer4", description="Layer for Score-CAM.")
    sample: int = Field(100, ge=1, description="Number of frames, drawn at random, for Score-CAM and the curves.")
    sample_by: SampleBy = Field(
        "frames",
        description="frames: all frames are equally likely; kinds: the same number of frames of each label, as far as "
        "available.",
    )
    tolerance_px: float = Field(0.0, ge=0, description="Distance from a box at which the maximum still is a hit.")
    threshold: float = Field(
        THRESHOLD, gt=0, le=1, description="Share of an overlay's maximum at and above which pixels form the box."
    )
    curve_steps: int = Field(20, ge=0, le=1000, description="Steps in which pixels go and come; 0: no curves.")
    deletion: Literal["black", "blur"] = Field("black", description="What replaces deleted pixels.")
    insertion: Literal["black", "blur"] = Field("blur", description="What fills pixels that are not inserted yet.")
    bootstraps: int = Field(2000, ge=0, le=100_000, description="Bootstrap resamples of groups for the intervals.")
    shown: int = Field(12, ge=0, le=200, description="Number of sampled frames on the report page.")

    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train and explain on.")
    precision: Literal["auto", "float32", "bfloat16"] = Field("auto", description="auto: bfloat16 where it is fast.")
    threads: ThreadsField = None
    memory_mib: MemoryField = 1536
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the trainings, the sample and the random overlays.")
    resume: bool = Field(False, description="Keep the finished models and overlays of the report folder.")

    def inner(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """See `Settings`."""
        if self.settings:
            yield "finetune", {"method": self.method, "preset": self.preset, "init": self.init, **self.settings}

    @field_validator("explain")
    @classmethod
    def _check_explain(cls, explain: tuple[Way, ...]) -> tuple[Way, ...]:
        if not explain or len(set(explain)) < len(explain):
            raise ValueError(f"name each explanation once; there are {', '.join(WAYS)}")
        return explain

    @model_validator(mode="after")
    def _check_model(self) -> Self:
        if (self.model is None) == (self.folds is None):
            raise ValueError("give either model (a model folder) or folds (a number of folds to train models for)")
        if self.model is None and (self.unseen or self.at_step is not None):
            raise ValueError(
                "unseen and at_step need a given model; models of folds are always evaluated on unseen groups"
            )
        return self

    def ways(self, *, is_sampled: bool) -> list[Way]:
        """The ways of explaining that a frame gets: the slow ones only where it is sampled."""
        return [way for way in self.explain if is_sampled or way not in SLOW]
