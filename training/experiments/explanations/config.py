"""What an evaluation of explanations is asked to do; every setting with its range and meaning."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, field_validator, model_validator

from training.experiments.explanations.sample import SampleBy
from training.files.marks import Cache, OutputFolder
from training.inference.weak_labels import THRESHOLD
from training.methods.registry import FINETUNING
from training.runs.begun import run_folder_check
from training.settings import MAX_THREADS, Settings

COMMAND = "evaluate-explanations"
check_folder = run_folder_check(COMMAND, "evaluation of explanations", "report folder", parts={"models"})

Way = Literal["cam", "score-cam", "quick", "redness", "center", "random"]
WAYS: tuple[Way, ...] = get_args(Way)
SLOW: tuple[Way, ...] = ("score-cam", "quick")
"""Explained for the sample only."""


class EvaluateExplanationsConfig(Settings):
    """One evaluation; frozen, checked when made, and enough to run it again."""

    images: Path = Field(description="Folder of labelled images.")
    labels: Path = Field(description="Labels (CSV): filename,label,group.")
    boxes: Path = Field(description="Boxes (CSV): filename,x_min,y_min,x_max,y_max in px; an image may have several.")
    out: Annotated[Path, OutputFolder("report folder", check_folder)] = Field(description="Report folder to write.")
    normal_label: str = Field("normal", min_length=1, description="Label of images in which nothing is to be found.")
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: every label found.")
    class_name: str = Field("", description="The model's class to explain; empty: the one that the image is labelled.")

    model: Path | None = Field(
        None, description="Model folder to judge, or a pretraining's run folder (likeness to itself, no labels)."
    )
    at_step: int | None = Field(None, ge=0, description="Of a pretraining: weights kept at this step; empty: newest.")
    unseen: bool = Field(False, description="Judge a given model by groups only that it never learned from.")
    folds: int | None = Field(
        None, ge=2, le=100, description="Train a model for each part by group, instead of a model."
    )
    models: Annotated[Path | None, Cache()] = Field(
        None, description="Folder of the folds' models; empty: models in the report folder."
    )
    fold_seed: int = Field(0, ge=0, description="Decides which group stands in which fold, whatever the seed.")
    method: str = Field("tl-ba", description=f"Finetuning method of the folds: {', '.join(FINETUNING)}.")
    init: str = Field("random", description="random, imagenet, a weights file, a model folder, or a pretraining's run.")
    preset: str = Field("default", description="Preset of the finetuning that fills in what is not given.")
    backbone: Literal["resnet18", "resnet50"] | None = Field(None, description="Network; empty: the preset's.")
    input_size: int | None = Field(
        None, ge=32, le=1024, description="Side of the frames in px; empty: the model's or the preset's."
    )
    batch_size: int | None = Field(None, ge=2, le=4096, description="Frames a step; empty: the preset's.")
    steps: int | None = Field(None, ge=1, description="Steps of each training; empty: as the first fold settles it.")
    settings: dict[str, Any] = Field(
        default_factory=dict, description='Further settings of the finetuning, as JSON: {"margin": 0.5}.'
    )

    explain: tuple[Way, ...] = Field(("cam", "score-cam", "center", "random"), description=f"Of {', '.join(WAYS)}.")
    layer: Literal["layer1", "layer2", "layer3", "layer4"] = Field("layer4", description="Of Score-CAM.")
    sample: int = Field(100, ge=1, description="Frames, drawn by the seed, for Score-CAM and the curves.")
    sample_by: SampleBy = Field(
        "frames", description="frames: each is as likely; kinds: as many of each label as there are, so rare ones too."
    )
    tolerance_px: float = Field(0.0, ge=0, description="How far from a box the maximum may lie and still hit.")
    threshold: float = Field(THRESHOLD, gt=0, le=1, description="Share of a map's maximum from which a box is made.")
    curve_steps: int = Field(20, ge=0, le=1000, description="Parts in which pixels go and come; 0: no curves.")
    deletion: Literal["black", "blur"] = Field("black", description="What stands where a pixel was taken away.")
    insertion: Literal["black", "blur"] = Field("blur", description="What stands where a pixel is not yet put back.")
    bootstraps: int = Field(2000, ge=0, le=100_000, description="Draws of groups for the intervals.")
    shown: int = Field(12, ge=0, le=200, description="Frames of the sample that the page shows.")

    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Where to train and explain.")
    precision: Literal["auto", "float32", "bfloat16"] = Field("auto", description="bfloat16 where it is quick.")
    threads: int | None = Field(
        None, ge=1, le=MAX_THREADS, description="CPU threads of the training; empty: what is quickest."
    )
    memory_mib: int = Field(1536, ge=1, description="Prepared frames up to this size stay in memory, else in a file.")
    seed: int = Field(0, ge=0, lt=2**31, description="Of the trainings, the sample and the random maps.")
    resume: bool = Field(False, description="Keep the models and the maps that are finished in the report folder.")

    @field_validator("explain")
    @classmethod
    def _check_explain(cls, explain: tuple[Way, ...]) -> tuple[Way, ...]:
        if not explain or len(set(explain)) < len(explain):
            raise ValueError(f"name each way of explaining once, of {', '.join(WAYS)}")
        return explain

    @model_validator(mode="after")
    def _check_model(self) -> Self:
        if (self.model is None) == (self.folds is None):
            raise ValueError("give either model (a model folder) or folds (a number: models are trained for them)")
        if self.model is None and (self.unseen or self.at_step is not None):
            raise ValueError("unseen and at_step belong to a model that is given; models of folds are always unseen")
        return self

    def ways(self, *, is_sampled: bool) -> list[Way]:
        """The ways of explaining that a frame gets: the slow ones only where it is sampled."""
        return [way for way in self.explain if is_sampled or way not in SLOW]
