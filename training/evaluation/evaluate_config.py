"""What `evaluate` is asked to do: data, and folds, method, start, or a finished model; what each setting means."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from training.files.marks import LogToField, MemoryField, OutputFolder, RecordHostField, ThreadsField
from training.methods.registry import FINETUNING, FRAME_PRETRAINING
from training.models.backbones import BackboneName
from training.runs.resume import run_folder_check
from training.settings import Only, Settings, shortened
from training.texts import Text

OWN_FIELDS = frozenset(
    {"studies", "labels", "boxes", "out", "init", "method", "preset", "classes", "steps", "backbone", "input_size"}
    | {"batch_size", "device", "precision", "threads", "seed", "resume"}
)
"""Settings of a finetuning that have a field of their own here, or that cross-validation decides."""


class EvaluateConfig(Settings):
    """One cross-validation, or one evaluation of a finished model; frozen, checked when made; enough to run it
    again."""

    only = (
        Only("by,sources", "images"),
        Only("class_names", "model"),
        Only("batch_size,fold_seed", "model", (None,)),
        Only("pretrain_preset,pretrain_settings,pretrain_studies,pretrain_each_seed", "pretrain"),
        Only("pretrain_video", "pretrain_studies"),
    )

    studies: Path | None = Field(None, description="Manifest of the studies (JSON).")
    images: Path | None = Field(None, description="Folder of labelled images, instead of studies.")
    labels: Path = Field(description="Labels (CSV) of the studies' frames, or of images: filename,label,group.")
    findings: Path | None = Field(None, description="Findings (CSV); empty: findings.csv beside the labels.")
    out: Annotated[
        Path, OutputFolder("report folder", run_folder_check("evaluate", "cross-validation", "report folder"))
    ] = Field(description="Report folder to write.")
    sources: tuple[str, ...] = Field(
        (), description="Sources of the images that are used (column source of the labels); empty: all."
    )
    by: str = Field(
        "group", min_length=1, description="Column of the images' labels that names the patient or another group."
    )
    normal_label: str = Field("normal", min_length=1, description="Label of normal images.")
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: all labels found.")
    merged_class: str = Field(
        "", description="Treat findings of several kinds as one class of this name; empty: each kind is a class."
    )
    imbalance: int | None = Field(
        None,
        ge=1,
        le=100_000,
        description="Normal frames drawn for each other frame, in training and evaluation alike; empty: all frames.",
    )

    method: str = Field("tl-ba", description=f"Fine-tuning method: {', '.join(FINETUNING)}.")
    model: Path | None = Field(
        None, description="Model folder to evaluate as it is, instead of a cross-validation; nothing is trained."
    )
    class_names: dict[str, str] = Field(
        default_factory=dict,
        description='Class of that model by label, where they differ, as JSON: {"Bleeding": "Blood"}.',
    )
    init: str = Field(
        "imagenet",
        description="Initial weights: random, imagenet, a weights file, a model folder, or a pretraining's run folder.",
    )
    preset: str = Field("default", description="Preset of the fine-tuning; other settings override it.")
    steps: int | None = Field(
        None, ge=1, description="Steps per training; empty: from epochs and labels, in each fold."
    )
    backbone: BackboneName | None = Field(None, description="Backbone; empty: from the preset.")
    input_size: int | None = Field(
        None, ge=32, le=1024, description="Side of the input frames in px; empty: from the preset."
    )
    batch_size: int | None = Field(None, ge=2, le=4096, description="Frames per step; empty: from the preset.")
    settings: dict[str, Any] = Field(
        default_factory=dict, description='Further settings of the finetuning, as JSON: {"margin": 0.5}.'
    )

    pretrain: str = Field(
        "", description="Method to pretrain with in each fold, on its training patients only; empty: none."
    )
    pretrain_preset: str = Field("small", description="Preset of the pretraining in each fold.")
    pretrain_settings: dict[str, Any] = Field(
        default_factory=dict, description='Further settings of that pretraining, as JSON: {"steps": 400}.'
    )
    pretrain_studies: Path | None = Field(
        None,
        description="Manifest of the studies to pretrain on, or CSV of a video's frames (frame_index,run,filename); "
        "empty: the studies.",
    )
    pretrain_video: Path | None = Field(
        None, description="Video that the CSV describes; empty: video.mp4 in the same folder."
    )

    pretrain_each_seed: bool = Field(False, description="Pretrain once per fold and seed, instead of once per fold.")

    folds: int = Field(5, ge=2, le=100, description="Number of folds; each is held out once.")
    fold_seed: int = Field(0, ge=0, description="Seed of the split into folds, independent of seed.")
    seeds: int = Field(1, ge=1, le=20, description="Trainings per fold, with consecutive seeds from `seed`.")
    split: Literal["patients", "random"] = Field(
        "patients", description="patients, or random for image sets without patients; the report states which."
    )
    label_share: float = Field(1.0, gt=0, le=1, description="Share of the labelled training patients to train on.")
    normal_per_study: int = Field(
        2000, ge=1, description="Normal frames per study, evenly spaced in time (Laiz: >= 2,000)."
    )
    memory_mib: MemoryField = 1536

    bootstraps: int = Field(
        1000, ge=0, le=100_000, description="Bootstrap resamples of patients for the interval of the AUC."
    )
    imbalance_repeats: int = Field(10, ge=1, le=1000, description="Resamples of frames per degree of imbalance.")
    shown: int = Field(
        12, ge=0, le=200, description="Number of false positives, false negatives and true positives shown per fold."
    )

    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    precision: Literal["auto", "float32", "bfloat16"] = Field("auto", description="auto: bfloat16 where it is fast.")
    threads: ThreadsField = None
    log_to: LogToField = "none"
    record_host: RecordHostField = False
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the first training of each fold.")
    resume: bool = Field(False, description="Keep the finished folds of the report folder.")

    def inner(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """See `Settings`."""
        if self.settings:
            yield "finetune", {"method": self.method, "preset": self.preset, "init": self.init, **self.settings}
        if self.pretrain_settings:
            named = {"method": self.pretrain, "preset": self.pretrain_preset}
            yield "pretrain", {**named, **self.pretrain_settings}

    @field_validator("pretrain")
    @classmethod
    def _check_pretrain(cls, name: str) -> str:
        if name and name not in FRAME_PRETRAINING:
            raise ValueError(
                Text(
                    "there is no method {name}; there are {frame_pretraining}",
                    shortened(repr(name)),
                    ", ".join(FRAME_PRETRAINING),
                )
            )
        return name

    @field_validator("settings")
    @classmethod
    def _check_settings(cls, settings: dict[str, Any]) -> dict[str, Any]:
        taken = sorted(OWN_FIELDS & settings.keys())
        if taken:
            raise ValueError(Text("{taken} is a setting of evaluate, not of the fine-tuning", taken[0]))
        return settings

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies (a manifest) or images (a folder), and their labels")
        if self.studies is not None and not self.needs_patients:
            raise ValueError("studies have patients, so they are split by patient; random is for images without groups")
        trains = {"method", "init", "preset", "settings", "pretrain", "folds", "seeds", "steps", "backbone"}
        trains |= {"input_size", "label_share", "imbalance"}
        if self.model is not None and (set_too := sorted(trains & self.model_fields_set)):
            raise ValueError(Text("{name} is of a cross-validation; a model is evaluated as it is", set_too[0]))
        if self.pretrain and self.init not in ("random", "imagenet"):
            raise ValueError(
                "give init or pretrain, not both (to choose where the pretraining starts, set init in "
                "pretrain_settings)"
            )
        if self.pretrain and self.pretrain_studies is None and self.studies is None:
            raise ValueError("pretraining needs videos: give pretrain_studies")
        return self

    @property
    def needs_patients(self) -> bool:
        """False only where the caller said that the set has none."""
        return self.split == "patients"


evaluate_config = EvaluateConfig.checked


class CompareConfig(Settings):
    """Which reports are compared."""

    reports: tuple[Path, ...] = Field(
        min_length=2, description="Report folders of evaluate; the others are compared with the first."
    )
    out: Annotated[Path, OutputFolder("comparison")] = Field(description="Folder to write the comparison to.")
    bootstraps: int = Field(1000, ge=0, le=100_000, description="Draws of patients for the intervals.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the draws.")
