"""The common settings of fine-tuning methods, and presets; a method's own settings are in its module."""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from training.datasets.labels import LEAST_FRAMES
from training.errors import UserError
from training.files import json_text, marks
from training.methods import method_config, registry
from training.methods.method import FinetuneMethod
from training.models.backbones import DEFAULT_BACKBONE, BackboneName
from training.models.config import MODEL_ID
from training.models.scores import SCORES, ScoreKind
from training.runs.provenance import first_start
from training.runs.resume import run_folder_check
from training.settings import Only

WHOLE_NETWORK: dict[str, Any] = {"linear_start": False, "trained_layers": 4, "batch_norm": "adapt", "patience": 0}
"""One stage that trains everything: the papers' presets, and runs of older versions."""
ONE_STAGE: dict[str, Any] = {
    **WHOLE_NETWORK,
    "learning_rate": 1e-3,
    "classifier_learning_rate": 1e-2,
    "batch_size": 48,
    "most_steps": 240,
}
"""Defaults of every start but ImageNet weights and models that came from them (`has_imagenet_features`).

Presets and explicit settings override them.

From a ResNet-18 that was trained on synthetic pictures from random weights, two stages were worse than one: AUC 0.902
against 0.967 on one draw of 157 labels of real frames.
"""
PUBLISHED: dict[str, Any] = {
    **WHOLE_NETWORK,
    "backbone": "resnet50",
    "input_size": 256,
    "most_steps": 0,
    "batch_size": 64,
    "optimizer": "sgd",
    "momentum": 0.0,
    "flips": True,
    "zoom": 0.0,
    "brightness": 0.2,
    "white_balance": 0.0,
    "close_ups": 0.0,
    "max_normal_per_study": 2000,
    "max_frames": 1_000_000,
    "refit": False,
    "scores": "softmax",
}
"""Common to the presets of both papers; their comments say which values are ours."""
PRESETS: dict[str, dict[str, Any]] = {
    # For a first check of labels.
    "quick": {"most_steps": 80},
    # Default of the window: a linear classifier first, then the last layers.
    "default": {},
    # The classifier only: seconds, and the embeddings of scored studies stay valid.
    "linear": {"linear_start": True, "trained_layers": 0},
    # The live scores of the window as a model: a classifier of the labels alone.
    "live": {"linear_start": True, "trained_layers": 0, "labels_only": True, "least_frames": 1},
    # Everything in one stage: for random weights, and what tables of methods compare.
    "whole": {**ONE_STAGE, "scores": "softmax"},
    # Laiz et al. 2020, sections 4.1 and 4.2: SGD 1e-3, 50 epochs (all positives once), batches of 13 positives and 51
    # negatives, negatives stratified over procedures; a fixed rate, margin 0.2, 256 x 256 px; quarter turns, flips and
    # brightness only. From --init imagenet, as the paper. Ours, where the paper is silent or cannot be followed: SGD
    # without momentum and weight decay, half-width of the brightness, several classes in equal parts; the mean over
    # violating triplets (the sums of its eq. 4-6: --set reduction=sum); at most 2,000 negatives a study.
    "laiz": {
        **PUBLISHED,
        "epochs": 50.0,
        "positive_share": 13 / 64,
        "sampling": "balanced",
        "learning_rate": 1e-3,
        "classifier_learning_rate": 1e-3,
        "weight_decay": 0.0,
        "schedule": "constant",
        "rotations": "quarter",
        "saturation": 0.0,
    },
    # Pascual et al. 2022, sections 3.2 and 4: SGD, 0.01 divided by 10 every 1,500 of 4,500 steps, classes in
    # proportion; colour jitter, grey, rotations, flips and a round mask on all data (section 4.2). From --init RUN, a
    # time-triplet pretraining, as the paper. Ours, because the paper does not say: batches of 64 frames, no momentum
    # and weight decay 1e-4 (those of its pretraining), one rate for backbone and classifier, margin 0.2, the strengths
    # of the augmentation (those of the pretraining); the mean over violating triplets (sums: --set reduction=sum); at
    # most 2,000 normal frames a study.
    "pascual": {
        **PUBLISHED,
        "steps": 4500,
        "sampling": "proportional",
        "learning_rate": 1e-2,
        "classifier_learning_rate": 1e-2,
        "weight_decay": 1e-4,
        "schedule": "step",
        "step_every": 1500,
        "step_factor": 0.1,
        "rotations": "free",
        "saturation": 0.2,
        "contrast": 0.2,
        "hue": 0.05,
        "grey": 0.2,
        "round_mask": True,
    },
}
"""Preset -> common settings that differ from the defaults; explicit settings override the preset."""
MANY_CLASSES, MANY_FRAMES, LARGE_INPUT = 5, 2000, 192
"""From so many classes (normal among them) and labelled frames on, a training from ImageNet weights sees frames of this
side in px (ours). It is better for ten classes and 5,800 frames; where the border lies was not measured
(docs/results/ten-classes.md)."""


class FinetuneConfig(method_config.MethodConfig):
    """The complete settings of a fine-tuning; frozen and validated."""

    what = "fine-tuning setting"

    methods: ClassVar[Mapping[str, type[FinetuneMethod]]] = registry.FINETUNING
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    only = (
        Only("by", "images"),
        Only("boxes", "studies"),
        Only("close_ups", "boxes"),
        Only("download", "init", ("imagenet",)),
        Only("epochs,most_steps", "steps", (None,)),
        Only("fewest_steps", "minutes"),
        Only("positive_share", "sampling", ("balanced",)),
        Only("least_per_class", "sampling", ("proportional",)),
        Only("momentum", "optimizer", ("sgd",)),
        Only("step_every,step_factor", "schedule", ("step",)),
        Only("warmup_share", "schedule", ("cosine",)),
        Only("warmup_steps", "schedule", ("step", "constant")),
        Only("embeddings,labels_only", "trained_layers", (0,), "trained_layers=0"),
        Only(
            "steps,epochs,batch_size,optimizer,learning_rate,schedule,rotations,flips,zoom,brightness,saturation,"
            "white_balance,contrast,hue,grey,close_ups,patience,batch_norm,rehearsal_share",
            "trained_layers",
            (1, 2, 3, 4),
            "trained_layers>0",
        ),
        Only("rehearsal_share,rehearsal_weight", "rehearsal_frames"),
        Only("patience", "evaluations"),
    )

    studies: Path | None = Field(None, description="Manifest of the studies (JSON).")
    images: Path | None = Field(None, description="Folder of labelled images, instead of studies.")
    labels: Path = Field(
        description="Labels (CSV): study_id,start,stop,label,finding_id,source or frame_index; of images "
        "filename,label,group,source."
    )
    normal_label: str = Field("normal", min_length=1, description="Label of normal images.")
    by: marks.ByField = "group"
    boxes: Path | None = Field(None, description="Boxes (CSV) around findings, for close-ups.")
    embeddings: Path | None = Field(
        None,
        description="Folder of embedding files, or of a folder of them for each study: what they hold of labelled "
        "frames is not computed again.",
    )
    out: Annotated[Path, marks.OutputFolder("run folder", run_folder_check("finetune", "fine-tuning"))] = Field(
        description="Run folder to write."
    )
    init: str = Field(
        "imagenet", description="random, imagenet, a weights file, a model folder, or the run folder of any training."
    )
    replaces: Path | None = Field(
        None, description="Model folder that the new model is compared with; empty: the model that it starts from."
    )
    method: str = Field("tl-ba", description="Fine-tuning method.")
    preset: str = Field("default", description="Preset; explicit settings override it.")
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: every label found.")
    download: bool = Field(False, description="Allow the download of ImageNet weights if needed.")
    weights_cache: marks.WeightsCacheField
    model_name: str = Field("", description="Name of the new model; empty: derived from the run folder's name.")

    backbone: BackboneName = Field(
        DEFAULT_BACKBONE,
        description="Network; also timm:NAME or torchvision:NAME. A model to start from keeps its own.",
    )
    input_size: int | None = Field(
        None,
        ge=32,
        le=1024,
        description="Side of the frames in px; empty: the model's own, else 160, or 192 with thousands of frames of "
        "five and more classes.",
    )

    embedding_layer: int | None = Field(
        None,
        ge=128,
        le=1024,
        description="Width of a linear layer before the classifier; empty: the model's own, or none.",
    )

    scores: ScoreKind = Field(
        SCORES,
        description="Scores of classes: each against normal alone, or shared among all classes by a softmax; with two "
        "classes both are the same.",
    )

    steps: int | None = Field(
        None, ge=1, description="Optimizer steps; empty: from epochs and labels, up to the most steps."
    )
    epochs: float = Field(60.0, gt=0, description="How often each positive frame is seen, if steps is empty.")
    most_steps: int = Field(
        150,
        ge=0,
        description="Most optimizer steps if steps is empty, after a linear start a fifth more for each class beyond "
        "two; 0: no limit.",
    )
    minutes: float = Field(
        0.0, ge=0, description="Time limit in minutes, after which training stops as by Stop; 0: none."
    )
    fewest_steps: int = Field(60, ge=1, description="Steps made even if the time limit is over.")
    batch_size: int = Field(24, ge=2, le=4096, description="Frames per step.")
    sampling: Literal["balanced", "proportional"] = Field(
        "balanced",
        description="Frames of a batch: equal shares of the classes, or in proportion to the frames of each class.",
    )
    positive_share: float = Field(
        0.5, gt=0, lt=1, description="Share of a batch that is not normal (not if proportional)."
    )
    least_per_class: int = Field(
        0, ge=0, le=64, description="Fewest frames of each class in a batch (proportional only); 0: pure proportion."
    )

    optimizer: Literal["adamw", "sgd"] = Field("adamw", description="Optimizer.")
    learning_rate: float = Field(3e-4, gt=0, description="Highest learning rate of the backbone.")
    classifier_learning_rate: float = Field(1e-3, gt=0, description="Highest learning rate of the linear classifier.")
    momentum: float = Field(0.9, ge=0, lt=1, description="Momentum of SGD.")
    weight_decay: float = Field(1e-4, ge=0, description="Weight decay.")
    clip_norm: float = Field(
        0.0, ge=0, description="Largest norm of the gradient of all weights; 0: no limit, as in the papers."
    )
    schedule: Literal["cosine", "step", "constant"] = Field("cosine", description="Learning rate schedule.")
    warmup_share: float = Field(0.1, ge=0, lt=1, description="Share of the steps used for warmup (cosine only).")
    warmup_steps: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="Steps over which the rate rises first (step and constant only).",
    )
    step_every: int = Field(1500, ge=1, description="Steps between two reductions of the rate (step only).")
    step_factor: float = Field(0.1, gt=0, le=1, description="Factor of each reduction (step only).")

    rotations: Literal["free", "quarter", "none"] = Field("free", description="Rotations; free only in round views.")
    flips: bool = Field(True, description="Mirror frames at random.")
    zoom: float = Field(0.1, ge=0, lt=0.5, description="Random zoom, +- this share.")
    brightness: float = Field(0.2, ge=0, lt=1, description="Random brightness, +- this share.")
    saturation: float = Field(0.15, ge=0, lt=1, description="Random saturation, +- this share (colour is diagnostic).")
    white_balance: float = Field(0.05, ge=0, lt=0.5, description="Random gain of each colour channel, +- this share.")
    contrast: float = Field(0.0, ge=0, lt=1, description="Random contrast, +- this share.")
    hue: float = Field(0.0, ge=0, le=0.5, description="Random hue, +- this share of the colour circle.")
    grey: float = Field(0.0, ge=0, le=1, description="Share of the frames converted to grey.")
    round_mask: bool = Field(
        False, description="Mask frames outside the largest circle, in training and by the model (radius 128 at 256)."
    )
    close_ups: float = Field(0.5, ge=0, le=1, description="Share of the frames shown as close-ups, given boxes.")

    linear_start: bool = Field(
        True,
        description="Fit a linear classifier on the frozen network first; the better of it and the trained network is "
        "kept.",
    )
    trained_layers: int = Field(
        2,
        ge=0,
        le=4,
        description="Layers of the network that are trained, counted from the last; 4: everything; 0: the classifier "
        "only.",
    )
    labels_only: bool = Field(
        False,
        description="If only the classifier of a model is trained: learn a new one from the labels alone, which knows "
        "no other classes; otherwise the model's own is changed.",
    )
    batch_norm: Literal["adapt", "frozen"] = Field(
        "frozen", description="Update the running statistics on the new frames, or keep those of the initial model."
    )
    refit: bool = Field(
        True, description="Refit the classifier on all training frames at the end; not after close-ups."
    )

    learn_from_held_out: bool = Field(
        True,
        description="After the evaluation fit a classifier that is refitted to the labels of the held-out patients as "
        "well. The figures are those of the classifier before, from which later fine-tunings start.",
    )

    held_out_share: float = Field(0.25, gt=0, lt=0.9, description="Share of the patients held out for evaluation.")
    gap_frames: int = Field(
        25, ge=0, description="Frames left out around held-out blocks if studies are split by time."
    )
    patience: int = Field(
        3,
        ge=0,
        le=10_000,
        description="Early stopping: evaluations without a better held-out AUC before training ends; 0: all steps.",
    )
    least_frames: int = Field(
        LEAST_FRAMES, ge=1, description="Usable frames that a class needs; with fewer it is left out."
    )
    max_normal_per_study: int = Field(600, ge=1, description="Normal frames used per study, evenly spaced in time.")
    max_frames: int = Field(6000, ge=4, description="Frames used in total, evenly over classes and time.")
    memory_mib: marks.MemoryField = 1536

    rehearsal_frames: int = Field(
        240,
        ge=0,
        le=100_000,
        description="From a model: frames without labels that keep what it knows of classes without labels; 0: none.",
    )
    rehearsal_share: float = Field(
        0.33, gt=0, le=4, description="Such frames in a batch, as a share of its labelled frames."
    )
    rehearsal_weight: float = Field(4.0, ge=0, description="Weight of their loss relative to the method's.")

    gradient_cache_chunk: int | None = Field(
        None, ge=4, description="Frames per forward pass; the gradient is that of the whole batch."
    )
    evaluations: int = Field(6, ge=0, le=10_000, description="How often held-out frames are scored during training.")
    checkpoint_seconds: float = Field(15.0, ge=0, description="Time between two checkpoints.")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    precision: marks.PrecisionField = "auto"
    threads: marks.ThreadsField = None
    stored_as: Literal["float32", "float16"] = Field("float32", description="Precision of the weights on disk.")
    log_to: marks.LogToField = "none"
    record_host: marks.RecordHostField = False
    seed: int = Field(0, ge=0, lt=2**31, description="Random seed; equal seeds give equal runs on the same device.")
    resume: bool = Field(False, description="Resume the unfinished run in the run folder.")

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies (a manifest) or images (a folder), and their labels")
        if self.images is None and self.by != "group":
            raise ValueError("by is a column of the labels of images; the patient of a study stands in the manifest")
        if self.images is not None and self.boxes is not None:
            raise ValueError("boxes are of studies, not of images")
        return self

    @field_validator("model_name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if name and not re.fullmatch(MODEL_ID, name):
            raise ValueError("a model's name has 1 to 80 letters, digits, points, dashes or underscores")
        return name

    @classmethod
    def filled_in(cls, method: type[Any], preset: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Defaults of the start, then the preset, then explicit settings."""
        defaults: Mapping[str, Any] = ONE_STAGE
        if has_imagenet_features(str(wanted.get("init", "imagenet"))):
            defaults = method.from_imagenet if wanted.get("preset", "default") in ("default", "quick") else {}
        return {**defaults, **preset, **wanted}

    def steps_of(self, wanted: int, classes: int) -> int:
        """`wanted` steps, limited by `most_steps` for so many classes, normal among them.

        The more classes share a batch, the more steps each of them needs (ours, docs/results/ten-classes.md).
        """
        more = max(classes - 2, 0) / 5 if self.linear_start else 0
        return min(wanted, round(self.most_steps * (1 + more)) or wanted)

    def for_data(self, frames: int, classes: int) -> Self:
        """With the input size for so many labelled frames and classes, normal among them."""
        is_open = self.input_size is None and self.init == "imagenet" and not self.is_classifier_only
        is_large = is_open and frames >= MANY_FRAMES and classes >= MANY_CLASSES
        return self.model_copy(update={"input_size": LARGE_INPUT}) if is_large else self

    @property
    def is_classifier_only(self) -> bool:
        """Whether the network stays as it is."""
        return not self.trained_layers

    @property
    def method_class(self) -> type[FinetuneMethod]:
        """The class of the method."""
        return self.methods[self.method]


def has_imagenet_features(init: str) -> bool:
    """Whether a start is ImageNet weights, or a model or a pretraining that came from them, also by way of others."""
    if init in ("imagenet", "random"):
        return init == "imagenet"
    with suppress(UserError, KeyError, TypeError):
        content = json_text.read_json_object(Path(init) / "config.json")
        if content["command"] == "pretrain":
            return has_imagenet_features(str(content["config"]["init"]))
    for folder in (Path(init), Path(init) / "model"):
        with suppress(UserError, OSError, ValueError):
            return first_start(json_text.read_json_object(folder / "card.json")) == "imagenet"
    return False


finetune_config = FinetuneConfig.checked


SINCE_PRESETS: dict[str, Any] = {
    "contrast": 0.0,
    "hue": 0.0,
    "grey": 0.0,
    "round_mask": False,
    "rehearsal_frames": 0,
    "learn_from_held_out": False,
    "least_frames": 1,
    "labels_only": False,
    "scores": "softmax",
}
"""Settings that came later: an older run folder does not name them, and had these values."""


def stored_config(fields: Mapping[str, Any]) -> FinetuneConfig:
    """The config of a run folder; older versions wrote settings of other methods, and trained in one stage.

    Their minutes limited the number of steps, which is stored with them.
    """
    if "most_steps" not in fields:
        fields = {**fields, "minutes": 0.0}
    return finetune_config(**FinetuneConfig.known({**WHOLE_NETWORK, **SINCE_PRESETS, **fields}))
