"""Pretrained encoders of clips: opening one, and starting another training from it."""

from pathlib import Path
from typing import Any, NamedTuple

from training.errors import UserError
from training.methods.clip_method import ClipSettings
from training.models.clip_encoder import ClipEncoder
from training.models.network import load_state
from training.pretraining.config import PretrainConfig
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.texts import Text

PREFIXES = ("encoder.", "query.encoder.")
"""Where a network that contains an encoder of clips keeps it: a masked autoencoder's, a contrast's."""
CHOOSE = "Give random, or the run folder of a pretraining by videomae or colo-scrl."


class ClipStart(NamedTuple):
    """Where the weights of an encoder of clips come from."""

    lineage: dict[str, Any]
    patients: frozenset[str] = frozenset()
    """Patients that the weights were already trained on."""


def clip_start(network: Any, config: PretrainConfig) -> ClipStart:
    """Fill the encoder of a method's network by `init`; `auto` is random, since no other weights are known.

    Raises:
        UserError: `init` is not a pretraining of clips, or its encoder has other sizes.
    """
    if config.init in ("random", "auto"):
        return ClipStart({"init": "random"})
    path = Path(config.init)
    if not path.is_dir() or not is_pretraining(path):
        what = (
            Text("ImageNet weights are of single frames")
            if config.init == "imagenet"
            else Text("{init} has none", config.init)
        )
        raise UserError(Text("{method} trains an encoder of clips, and {what}.", config.method, Text(what)), CHOOSE)
    pretrained = open_clip_pretraining(path)
    _check_sizes(pretrained, config)
    network.load_encoder(clip_encoder(pretrained))
    return ClipStart(pretrained.lineage, pretrained.patients)


def open_clip_pretraining(run_dir: Path, step: int | None = None) -> Pretrained:
    """The newest weights of a pretraining of clips, or those kept at a step.

    Raises:
        UserError: as `Pretrained.open`, or the run is of a method that trains a network of single frames.
    """
    found = Pretrained.of_any_kind(run_dir, step)
    if not found.config.method_class.encodes_clips:
        raise UserError(
            "The pretraining in {run_dir} trained a network of single frames ({method}), not an encoder of clips.",
            "Choose the run of a pretraining by videomae or colo-scrl.",
            run_dir,
            found.config.method,
        )
    return found


def clip_encoder(pretrained: Pretrained) -> ClipEncoder:
    """The encoder of clips of a pretraining, in eval mode on the CPU.

    Raises:
        UserError: the weights are damaged or do not fit the run's settings.
    """
    encoder = ClipEncoder(clip_settings(pretrained).encoder_config())
    state = next((part for prefix in PREFIXES if (part := pretrained.part(prefix))), {})
    load_state(encoder, state, pretrained.weights)
    return encoder.eval()


def clip_settings(pretrained: Pretrained) -> ClipSettings:
    """The settings of a pretraining of clips: the encoder's sizes and the steps between a clip's frames."""
    assert isinstance(pretrained.config, ClipSettings)
    return pretrained.config


def _check_sizes(pretrained: Pretrained, config: PretrainConfig) -> None:
    """Raise `UserError` for another encoder."""
    assert isinstance(config, ClipSettings)
    theirs, ours = clip_settings(pretrained).encoder_config(), config.encoder_config()
    for name, value in ours.model_dump().items():
        other = getattr(theirs, name)
        if other != value:
            raise UserError(
                "The encoder in {run} has another size: {name} is {other}, not {value}.",
                "Choose the preset and the settings of that run.",
                pretrained.run,
                name,
                other,
                value,
            )
