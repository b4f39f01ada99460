"""The parameters of a training command as a table: made from its config class, for a form and for its estimate."""

import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from training.errors import UserError
from training.models.backbones import BACKBONES
from training.settings import Choice
from training.texts import Text
from wce_desktop.core.annotation.landmark import BODY_REGIONS
from wce_desktop.core.language import names_to_translate, number_text, parse_decimal, parse_whole, to_translate, tr

Kind = Literal["choice", "switch", "whole", "number", "text", "list"]

CHOSEN_ELSEWHERE = frozenset(
    {
        "studies", "images", "labels", "label_studies", "boxes", "links", "embeddings", "out", "init", "method",
        "preset", "classes", "download", "weights_cache", "model_name", "held_out_patients", "device", "resume",
        "findings", "gather", "scored_by", "normal_label", "by", "init_sha256",
    }
)  # fmt: skip
"""Fields that the window fills in from what is chosen beside the form, or that mean nothing in a window."""

METHOD = to_translate("Method")
"""The group of what only the chosen method has."""
_GROUPS = {
    METHOD: "window views masked_share temperature",
    to_translate("Training data"): "regions",
    to_translate("Sequences"): "sequence_length frame_step",
    to_translate("Tracklets"): "shortest_seconds threshold",
    to_translate("Network"): ("projection embedding backbone embedding_layer cube_frames decoder_width linear_start"),
    to_translate("Steps and learning rates"): "steps procedures",
    to_translate("Views"): "least_area frame_size",
    to_translate("Augmentation"): "brightness rotations",
    to_translate("Evaluation and memory"): "held_out_share",
    to_translate("This computer"): "workers threads evaluations",
}
"""The groups in their order, with the fields that begin each; a field stands in the group of the one before it."""

TITLES = {
    "sequence_length": to_translate("Frames per sequence (N)"),
    "sequences": to_translate("Sequences per batch"),
    "sequence_source": to_translate("Sequences come from"),
    "frame_step": to_translate("Frames from one of a clip to the next"),
    "decay_all": to_translate("Weight decay of biases and norms"),
    "cube_frames": to_translate("Cube, frames"),
    "cube_size": to_translate("Cube, side (px)"),
    "width": to_translate("Encoder, width"),
    "blocks": to_translate("Encoder, blocks"),
    "heads": to_translate("Encoder, attention heads"),
    "decoder_width": to_translate("Decoder, width"),
    "decoder_blocks": to_translate("Decoder, blocks"),
    "decoder_heads": to_translate("Decoder, attention heads"),
    "queue_keys": to_translate("Keys in the queue (K)"),
    "key_momentum": to_translate("Momentum of the key encoder (m)"),
    "validation_share": to_translate("Share kept for the validation loss"),
    "validation_clips": to_translate("Maximum clips of the validation loss"),
    "halving_patience": to_translate("Evaluations before the rate is halved"),
    "blur": to_translate("Share of blurred clips"),
    "window": to_translate("Time window (w)"),
    "projection": to_translate("Projection head"),
    "negatives": to_translate("Negatives of each term (k)"),
    "shared_negatives": to_translate("Both terms share negatives"),
    "memory_weight": to_translate("Weight of the memory bank (alpha)"),
    "view_weight": to_translate("Weight of the other view (beta)"),
    "bank_momentum": to_translate("Memory bank momentum"),
    "bank_start": to_translate("Initial memory bank entries"),
    "bank_memory_gb": to_translate("Largest memory bank kept in RAM (GB)"),
    "frame_size": to_translate("Frame size before cropping (px)"),
    "prior_share": to_translate("Prior view, share of the frame"),
    "prior_size": to_translate("Prior view size (px)"),
    "tile_size": to_translate("Tile size (px)"),
    "crop_px": to_translate("Crop size (px)"),
    "context": to_translate("Crop size, as a multiple of its box"),
    "most_crops": to_translate("Maximum frames of a tracklet"),
    "max_gap": to_translate("Gap in an event (frames)"),
    "shortest_seconds": to_translate("Minimum duration (s)"),
    "fewest_detections": to_translate("Minimum confident detections"),
    "confidence": to_translate("Confident from this score"),
    "longest_only": to_translate("Only the longest of each study"),
    "false_positives": to_translate("Share of different findings that may be joined"),
    "procedures": to_translate("Patients of a batch"),
    "frame_steps": to_translate("Steps of the single-frame encoder"),
    "tracklet_steps": to_translate("Steps of the multi-view encoder"),
    "views": to_translate("Views of a tracklet"),
    "embedding": to_translate("Embedding size"),
    "head_hidden": to_translate("Hidden layer of the frame head"),
    "projection_hidden": to_translate("Hidden layer of the tracklet head"),
    "tile_crop": to_translate("Share of a tile that is used"),
    "win_size": to_translate("WIN view size (px)"),
    "rim_share": to_translate("Border ignored in the redness search"),
    "least_redness": to_translate("Minimum redness (a*)"),
    "least_area": to_translate("Random view, minimum share of the frame"),
    "prior_colour": to_translate("Colour jitter of the prior view"),
    "distorted_colour": to_translate("Colour jitter of other tiles"),
    "win_colour": to_translate("Colour jitter of the WIN view"),
    "final_rate_share": to_translate("Final share of the learning rate"),
    "classifier_learning_rate": to_translate("Learning rate of the classifier"),
    "replaces": to_translate("Compare with"),
    "step_every": to_translate("Steps between learning rate drops"),
    "step_factor": to_translate("Learning rate drop factor"),
    "input_size": to_translate("Input size (px)"),
    "memory_mib": to_translate("Memory for frames (MiB)"),
    "head_init": to_translate("Initial weights of the projection head"),
    "normalise": to_translate("Embeddings of unit length"),
    "triplet_weight": to_translate("Weight of the triplet loss"),
    "least_per_class": to_translate("Minimum frames of a class in a batch"),
    "clip_norm": to_translate("Maximum gradient norm (0: none)"),
    "linear_start": to_translate("Fit a linear classifier first"),
    "trained_layers": to_translate("Trained layers, from the last (4: all, 0: none)"),
    "batch_norm": to_translate("Batch norm statistics"),
    "scores": to_translate("Scores of the classes"),
    "refit": to_translate("Refit the classifier at the end"),
    "positive_share": to_translate("Share of finding frames in a batch"),
    "classifier_gradient": to_translate("Classifier trains the embedding"),
    "minutes": to_translate("Maximum duration (minutes)"),
    "fewest_steps": to_translate("Minimum steps"),
    "most_steps": to_translate("Maximum steps"),
    "workers": to_translate("Processes that read frames"),
    "threads": to_translate("CPU threads"),
    "keep_decoded_gb": to_translate("Disk for decoded frames (GB)"),
    "gradient_cache_chunk": to_translate("Frames per forward pass"),
    "evaluations": to_translate("Evaluations during training"),
    "held_out_share": to_translate("Share of held-out patients"),
    "patience": to_translate("Early stopping after evaluations without gain (0: never)"),
    "max_normal_per_study": to_translate("Maximum normal frames per study"),
    "max_frames": to_translate("Maximum frames"),
    "checkpoint_seconds": to_translate("Seconds between checkpoints"),
    "knn_neighbours": to_translate("Neighbours (kNN)"),
    "log_to": to_translate("Also write curves for"),
    "record_host": to_translate("Name of this computer in the card"),
}
"""What the form calls a field, where that is not its name in words."""


CHOICE_TITLES = {
    "studies": to_translate("different studies"),
    "resample": to_translate("one study"),
    **{backbone.name: backbone.title for backbone in BACKBONES.values()},
    "resnet50v2": "ResNet-50 v2",
    "adam": to_translate("Adam"),
    "adamw": to_translate("AdamW"),
    "plateau": to_translate("by validation loss"),
    "first": to_translate("first embedding"),
    "random": to_translate("at random"),
    "sgd": to_translate("SGD"),
    "step": to_translate("stepwise"),
    "adapt": to_translate("updated"),
    "frozen": to_translate("fixed"),
    "balanced": to_translate("classes balanced"),
    "against_normal": to_translate("against normal"),
    "softmax": to_translate("shared"),
    "proportional": to_translate("as in the data"),
    "free": to_translate("any angle"),
    "quarter": to_translate("quarter turns"),
    "auto": to_translate("automatic"),
    "tensorboard": "TensorBoard",
    "mlflow": "MLflow",
    **{name: name for name in names_to_translate("mean, sum, anywhere, default, cosine, constant, none")},
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
    """One parameter that a form can show."""

    name: str  # the config's field
    title: str  # what the form calls it
    kind: Kind  # which widget fits
    default: Any  # of the field, before any preset
    help: str  # the field's description
    group: str  # the heading that it stands under
    minimum: float | None = None  # of numbers; None where open
    maximum: float | None = None
    is_above: bool = False  # `minimum` itself is not allowed
    is_optional: bool = False  # an empty value (None) is allowed
    choices: tuple[str, ...] = ()  # of a choice
    is_open: bool = False  # whether a choice also takes other values, typed
    item: type = str  # type of a list's items

    @property
    def allowed(self) -> str:
        """The allowed values in words; empty where anything goes."""
        if self.minimum is not None and self.maximum is not None:
            return tr("{least} to {most}", least=_bound(self.minimum), most=_bound(self.maximum))
        if self.minimum is not None:
            least = _bound(self.minimum)
            return tr("more than {least}", least=least) if self.is_above else tr("{least} or more", least=least)
        return ", ".join(map(self.words_of, self.choices))

    def text_of(self, value: Any) -> str:
        """A value as the form writes it; nothing for None."""
        if value is None:
            return ""
        if self.kind == "list":
            return ", ".join(tr(str(item)) for item in value)
        return number_text(value, "g") if isinstance(value, float) else str(value)

    def words_of(self, value: Any) -> str:
        """A value as a person reads it."""
        if self.kind == "switch":
            return tr("on") if value else tr("off")
        text = self.text_of(value)
        return tr(CHOICE_TITLES.get(text, text)) if self.kind == "choice" else text or tr("automatic")

    def parse(self, text: str) -> Any:
        """What was typed in the chosen language, in the field's type; the config checks the range.

        Raises:
            UserError: it is empty where it must not be, or where a number is wanted no number, or one that could be
                read as another one.
        """
        typed = text.strip()
        if self.kind == "list":
            parts = [part.strip() for part in typed.split(",") if part.strip()]
            named = {tr(name): name for name in BODY_REGIONS}
            read = parse_whole if self.item is int else lambda part: named.get(part, part)
            return tuple(self._convert(part, read) for part in parts)
        if not typed and self.is_optional:
            return None
        return self._convert(typed, {"whole": parse_whole, "number": parse_decimal}.get(self.kind, str))

    def _convert(self, typed: str, read: Callable[[str], Any]) -> Any:
        try:
            return read(typed)
        except ValueError as error:
            is_whole = self.kind != "number"
            text = Text(
                "“{typed}” is not a whole number, which “{title}” needs."
                if is_whole
                else "“{typed}” is not a number, which “{title}” needs.",
                typed,
                self.title,
            )
            has_mark = "," in typed or "." in typed
            hint = Text("Write it as {example:,}.", 21000 if is_whole else 0.5) if has_mark else self.help
            raise UserError(text, hint) from error


def _bound(number: float) -> str:
    return number_text(number, ",.10g")


def title_of(name: str) -> str:
    """What the form calls a field, in English."""
    return TITLES.get(name, name.replace("_", " ").capitalize())


def parameters(
    config_class: type[BaseModel], own: Collection[str] = (), unused: Collection[str] = ()
) -> tuple[Parameter, ...]:
    """The parameters of a command's config, group by group, without what the window fills in.

    `own`: settings of the chosen method; they come first. `unused`: settings that it does not use.
    """
    result, group = [], METHOD
    begun = {name: group for group, names in _GROUPS.items() for name in names.split()}
    fields = config_class.model_fields
    for name in (*own, *(name for name in fields if name not in own)):
        info = fields[name]
        group = begun.get(name, group)
        if name not in CHOSEN_ELSEWHERE and name not in unused:
            result.append(_parameter(name, info, group))
    order = list(map(tr, _GROUPS))
    return tuple(sorted(result, key=lambda parameter: order.index(parameter.group)))


_KINDS: Mapping[Any, Kind] = {bool: "switch", int: "whole", float: "number"}
_ENDS = ("ge", "gt", "le", "lt")
"""Of a range; an end that is itself excluded is named all the same, the config refuses it."""


def _parameter(name: str, info: FieldInfo, group: str) -> Parameter:
    parts = get_args(info.annotation) if get_origin(info.annotation) in (Union, types.UnionType) else ()
    is_optional = type(None) in parts
    annotation: Any = next(part for part in parts if part is not type(None)) if is_optional else info.annotation
    ends = {key: end for item in info.metadata for key in _ENDS if (end := getattr(item, key, None)) is not None}
    common = {
        "name": name,
        "title": tr(title_of(name)),
        "default": info.get_default(call_default_factory=True),
        "help": info.description or "",
        "group": tr(group),
        "is_optional": is_optional,
    }
    if registry := [item for item in info.metadata if isinstance(item, Choice)]:
        return Parameter(kind="choice", choices=registry[0].names, is_open=registry[0].is_open, **common)
    if get_origin(annotation) is Literal:
        return Parameter(kind="choice", choices=tuple(map(str, get_args(annotation))), **common)
    if get_origin(annotation) is tuple:
        return Parameter(kind="list", item=get_args(annotation)[0], **common)
    kind, least, most = _KINDS.get(annotation, "text"), ends.get("ge", ends.get("gt")), ends.get("le", ends.get("lt"))
    return Parameter(kind=kind, minimum=least, maximum=most, is_above="gt" in ends, **common)
