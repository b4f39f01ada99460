"""The parameters of a training command as a table: made from its config class, for a form and for its estimate."""

import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from training.errors import UserError
from training.models.backbones import BACKBONES
from training.settings import Choice

Kind = Literal["choice", "switch", "whole", "number", "text", "list"]

CHOSEN_ELSEWHERE = frozenset(
    {
        "studies", "images", "labels", "label_studies", "boxes", "links", "embeddings", "out", "init", "method",
        "preset", "classes", "download", "weights_cache", "model_name", "held_out_patients", "device", "resume",
        "findings", "gather", "scored_by",
    }
)  # fmt: skip
"""Fields that the window fills in from what is chosen beside the form, or that mean nothing in a window."""

METHOD = "Method"
"""The group of what only the chosen method has."""
GROUPS = {
    "regions": "Training data",
    "sequence_length": "Sequences",
    "shortest_seconds": "Tracklets",
    "threshold": "Tracklets",
    "projection": "Network",
    "embedding": "Network",
    "backbone": "Network",
    "embedding_layer": "Network",
    "steps": "Steps and learning rates",
    "procedures": "Steps and learning rates",
    "window": "Method",
    "views": "Method",
    "frame_step": "Sequences",
    "cube_frames": "Network",
    "least_area": "Views",
    "masked_share": "Method",
    "decoder_width": "Network",
    "temperature": "Method",
    "frame_size": "Views",
    "brightness": "Augmentation",
    "rotations": "Augmentation",
    "linear_start": "Network",
    "held_out_share": "Evaluation and memory",
    "workers": "This computer",
    "threads": "This computer",
    "evaluations": "This computer",
}
"""The field that begins a group -> the group's title; a field stands in the group of the one before it."""

TITLES = {
    "sequence_length": "Frames per sequence (N)",
    "sequences": "Sequences per batch",
    "sequence_source": "Sequences come from",
    "frame_step": "Frames from one of a clip to the next",
    "cube_frames": "Cube, frames",
    "cube_size": "Cube, side (px)",
    "width": "Encoder, width",
    "blocks": "Encoder, blocks",
    "heads": "Encoder, attention heads",
    "masked_share": "Masked share",
    "decoder_width": "Decoder, width",
    "decoder_blocks": "Decoder, blocks",
    "decoder_heads": "Decoder, attention heads",
    "queue_keys": "Keys in the queue (K)",
    "key_momentum": "Momentum of the key encoder (m)",
    "validation_share": "Share kept for the validation loss",
    "validation_clips": "Maximum clips of the validation loss",
    "halving_patience": "Evaluations before the rate is halved",
    "blur": "Share of blurred clips",
    "window": "Time window (w)",
    "projection": "Projection head",
    "negatives": "Negatives of each term (k)",
    "shared_negatives": "Both terms share negatives",
    "memory_weight": "Weight of the memory bank (alpha)",
    "view_weight": "Weight of the other view (beta)",
    "bank_momentum": "Memory bank momentum",
    "bank_start": "Initial memory bank entries",
    "bank_memory_gb": "Largest memory bank kept in RAM (GB)",
    "frame_size": "Frame size before cropping (px)",
    "prior_share": "Prior view, share of the frame",
    "prior_size": "Prior view size (px)",
    "tile_size": "Tile size (px)",
    "crop_px": "Crop size (px)",
    "context": "Crop size, as a multiple of its box",
    "most_crops": "Maximum frames of a tracklet",
    "max_gap": "Gap in an event (frames)",
    "shortest_seconds": "Minimum duration (s)",
    "fewest_detections": "Minimum confident detections",
    "confidence": "Confident from this score",
    "longest_only": "Only the longest of each study",
    "false_positives": "Share of different findings that may be joined",
    "procedures": "Patients of a batch",
    "frame_steps": "Steps of the single-frame encoder",
    "tracklet_steps": "Steps of the multi-view encoder",
    "views": "Views of a tracklet",
    "embedding": "Embedding size",
    "head_hidden": "Hidden layer of the frame head",
    "projection_hidden": "Hidden layer of the tracklet head",
    "tile_crop": "Share of a tile that is used",
    "win_size": "WIN view size (px)",
    "rim_share": "Border ignored in the redness search",
    "least_redness": "Minimum redness (a*)",
    "least_area": "Random view, minimum share of the frame",
    "prior_colour": "Colour jitter of the prior view",
    "distorted_colour": "Colour jitter of other tiles",
    "win_colour": "Colour jitter of the WIN view",
    "epochs": "Epochs",
    "final_rate_share": "Final share of the learning rate",
    "learning_rate": "Learning rate",
    "classifier_learning_rate": "Learning rate of the classifier",
    "step_every": "Steps between learning rate drops",
    "step_factor": "Learning rate drop factor",
    "input_size": "Input size (px)",
    "batch_size": "Batch size",
    "each_span_is_a_study": "Each span is a study",
    "memory_mib": "Memory for frames (MiB)",
    "head_init": "Initial weights of the projection head",
    "normalise": "Embeddings of unit length",
    "triplet_weight": "Weight of the triplet loss",
    "least_per_class": "Minimum frames of a class in a batch",
    "clip_norm": "Maximum gradient norm (0: none)",
    "linear_start": "Fit a linear classifier first",
    "trained_layers": "Trained layers, from the last (4: all, 0: none)",
    "batch_norm": "Batch norm statistics",
    "refit": "Refit the classifier at the end",
    "positive_share": "Share of finding frames in a batch",
    "classifier_gradient": "Classifier trains the embedding",
    "minutes": "Maximum duration (minutes)",
    "fewest_steps": "Minimum steps",
    "workers": "Processes that read frames",
    "threads": "CPU threads",
    "keep_decoded_gb": "Disk for decoded frames (GB)",
    "gradient_cache_chunk": "Frames per forward pass",
    "evaluations": "Evaluations during training",
    "held_out_share": "Share of held-out patients",
    "patience": "Early stopping after evaluations without gain (0: never)",
    "max_normal_per_study": "Maximum normal frames per study",
    "max_frames": "Maximum frames",
    "checkpoint_seconds": "Seconds between checkpoints",
    "knn_neighbours": "Neighbours (kNN)",
}


CHOICE_TITLES = {
    "studies": "different studies",
    "resample": "one study",
    **{backbone.name: backbone.title for backbone in BACKBONES.values()},
    "adam": "Adam",
    "adamw": "AdamW",
    "plateau": "by validation loss",
    "first": "first embedding",
    "random": "at random",
    "sgd": "SGD",
    "step": "stepwise",
    "adapt": "updated",
    "frozen": "fixed",
    "balanced": "classes balanced",
    "proportional": "as in the data",
    "free": "any angle",
    "quarter": "quarter turns",
    "auto": "automatic",
}
"""Value of a choice -> what the form calls it, where that is another word."""


NEEDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "momentum": ("optimizer", ("sgd",)),
    "step_every": ("schedule", ("step",)),
    "step_factor": ("schedule", ("step",)),
    "warmup_share": ("schedule", ("cosine",)),
    "warmup_steps": ("schedule", ("step", "constant", "plateau")),
    "final_rate_share": ("schedule", ("cosine",)),
    "halving_patience": ("schedule", ("plateau",)),
    "positive_share": ("sampling", ("balanced",)),
    "least_per_class": ("sampling", ("proportional",)),
}
"""Field -> the choice that it depends on, and the values with which it means something; else a form hides it."""


@dataclass(frozen=True)
class Parameter:
    """One parameter that a form can show.

    Attributes:
        name: the config's field.
        title: what the form calls it.
        kind: which widget fits.
        default: of the field, before any preset.
        help: the field's description.
        group: the heading that it stands under.
        minimum, maximum: of numbers; None where open.
        is_above: `minimum` itself is not allowed.
        is_optional: an empty value (None) is allowed.
        choices: of a choice.
        item: type of a list's items.
    """

    name: str
    title: str
    kind: Kind
    default: Any
    help: str
    group: str
    minimum: float | None = None
    maximum: float | None = None
    is_above: bool = False
    is_optional: bool = False
    choices: tuple[str, ...] = ()
    item: type = str

    @property
    def allowed(self) -> str:
        """The allowed values in words; empty where anything goes."""
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:,.10g} to {self.maximum:,.10g}"
        if self.minimum is not None:
            return f"more than {self.minimum:,.10g}" if self.is_above else f"{self.minimum:,.10g} or more"
        return ", ".join(map(self.words_of, self.choices))

    def text_of(self, value: Any) -> str:
        """A value as the form writes it; nothing for None."""
        if value is None:
            return ""
        if self.kind == "list":
            return ", ".join(str(item) for item in value)
        return f"{value:g}" if isinstance(value, float) else str(value)

    def words_of(self, value: Any) -> str:
        """A value as a person reads it."""
        if self.kind == "switch":
            return "on" if value else "off"
        text = self.text_of(value)
        return CHOICE_TITLES.get(text, text) if self.kind == "choice" else text or "automatic"

    def parse(self, text: str) -> Any:
        """What was typed, in the field's type; the config checks the range.

        Raises:
            UserError: it is empty where it must not be, or no number where one is wanted.
        """
        typed = text.strip()
        if self.kind == "list":
            parts = [part.strip() for part in typed.split(",") if part.strip()]
            return tuple(self._convert(part, self.item) for part in parts)
        if not typed and self.is_optional:
            return None
        return self._convert(typed, {"whole": int, "number": float}.get(self.kind, str))

    def _convert(self, typed: str, wanted: type) -> Any:
        try:
            return wanted(typed.replace(",", "") if wanted is not str and self.kind != "list" else typed)
        except ValueError as error:
            what = "a whole number" if wanted is int else "a number"
            raise UserError(f"“{typed}” is not {what}, which “{self.title}” needs.", self.help) from error


def parameters(
    config_class: type[BaseModel], own: Collection[str] = (), unused: Collection[str] = ()
) -> tuple[Parameter, ...]:
    """The parameters of a command's config, group by group, without what the window fills in.

    `own`: settings of the chosen method; they come first. `unused`: settings that it does not use.
    """
    found, group = [], METHOD
    fields = config_class.model_fields
    for name in (*own, *(name for name in fields if name not in own)):
        info = fields[name]
        group = GROUPS.get(name, group)
        if name not in CHOSEN_ELSEWHERE and name not in unused:
            found.append(_parameter(name, info, group))
    order = list(dict.fromkeys((METHOD, *GROUPS.values())))
    return tuple(sorted(found, key=lambda parameter: order.index(parameter.group)))


def _parameter(name: str, info: FieldInfo, group: str) -> Parameter:
    annotation, is_optional = _without_none(info.annotation)
    bounds = _bounds(info.metadata)
    common = {
        "name": name,
        "title": TITLES.get(name, name.replace("_", " ").capitalize()),
        "default": info.get_default(call_default_factory=True),
        "help": info.description or "",
        "group": group,
        "is_optional": is_optional,
    }
    if registry := [item for item in info.metadata if isinstance(item, Choice)]:
        return Parameter(kind="choice", choices=registry[0].names, **common)
    if get_origin(annotation) is Literal:
        return Parameter(kind="choice", choices=tuple(map(str, get_args(annotation))), **common)
    if get_origin(annotation) is tuple:
        return Parameter(kind="list", item=get_args(annotation)[0], **common)
    kinds: Mapping[Any, Kind] = {bool: "switch", int: "whole", float: "number"}
    is_above = any(getattr(item, "gt", None) is not None for item in info.metadata)
    kind = kinds.get(annotation, "text")
    return Parameter(kind=kind, minimum=bounds[0], maximum=bounds[1], is_above=is_above, **common)


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        others = [part for part in get_args(annotation) if part is not type(None)]
        if len(others) < len(get_args(annotation)):
            return others[0], True
    return annotation, False


def _bounds(metadata: list[Any]) -> tuple[float | None, float | None]:
    """Lowest and highest value; an end that is itself excluded is named all the same, the config refuses it."""
    lowest = highest = None
    for item in metadata:
        lowest = next((v for key in ("ge", "gt") if (v := getattr(item, key, None)) is not None), lowest)
        highest = next((v for key in ("le", "lt") if (v := getattr(item, key, None)) is not None), highest)
    return lowest, highest
