"""The initial weights of a pretraining (ImageNet, a file, another run, or random), and its card."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from training.datasets.synthetic import lineage_entry, trained_on
from training.errors import UserError
from training.files.tensors import load_tensors
from training.methods.clip_method import ClipSettings
from training.models.clip_encoder import ClipEncoder
from training.models.folder import ModelFolder, file_sha256
from training.models.imagenet import fill_trunk, imagenet_state, trunk_of_file, trunk_part
from training.models.network import load_state
from training.models.projection_head import Pretrainer, init_as_keras
from training.models.videomae_file import fill_clip_encoder
from training.pretraining.config import PretrainConfig
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.pretraining.studies import PretrainStudies
from training.runs.provenance import patients_of_card, patients_of_file, unknown
from training.runs.reporter import Reporter
from training.texts import Text
from training.version import made_with

PREFIXES = ("encoder.", "query.encoder.")
"""Where a network that contains an encoder of clips keeps it: a masked autoencoder's, a contrast's."""
CHOOSE = "Give random, a file of VideoMAE, or the run folder of a pretraining by videomae or colo-scrl."


def clip_encoder(pretrained: Pretrained) -> ClipEncoder:
    """The encoder of clips of a pretraining, in eval mode on the CPU."""
    encoder = ClipEncoder(clip_settings(pretrained).encoder_config())
    state = next((part for prefix in PREFIXES if (part := pretrained.part(prefix))), {})
    load_state(encoder, state, pretrained.weights)
    return encoder.eval()


def clip_settings(pretrained: Pretrained) -> ClipSettings:
    """The settings of a pretraining of clips: the encoder's sizes and the steps between a clip's frames."""
    assert isinstance(pretrained.config, ClipSettings)
    return pretrained.config


def load_pretrainer(pretrained: Pretrained) -> Pretrainer:
    """Trunk and projection head of a pretraining, in eval mode on the CPU; raises `UserError` if they do not fit."""
    network = Pretrainer(pretrained.config.backbone, pretrained.config.projection)
    load_state(network.trunk, pretrained.part("trunk."), pretrained.weights)
    load_state(network.head, pretrained.part("head."), pretrained.weights)
    return network.eval()


RANDOM_WARNING = (
    "Pretraining starts from random weights, because ImageNet weights are not on this computer. The embedding may "
    "collapse or be worse than with ImageNet weights. To use them, allow the download "
    "(--set download=true) or give a weights file."
)


class PretrainStart(NamedTuple):
    """A network to pretrain and its origin."""

    network: Any
    """A `Pretrainer`, or the network of a `ClipMethod`."""
    lineage: dict[str, Any]
    """The origin, for the card."""
    patients: frozenset[str] = frozenset()
    """Patients that the weights were already trained on."""
    warning: str = ""


def pretrain_start(config: PretrainConfig, reporter: Reporter) -> PretrainStart:
    """Build the network; random parts depend on the seed only. The heads always start random."""
    torch.manual_seed(config.seed)
    network = config.method_class.make_network(config)
    if config.method_class.encodes_clips:
        return _clip_start(network, config, reporter)
    assert isinstance(network, Pretrainer)
    if config.head_init == "keras":
        init_as_keras(network.head)
    path = Path(config.init)
    if config.init == "random":
        return PretrainStart(network, {"init": "random"})
    if config.init in ("auto", "imagenet"):
        return _from_imagenet(network, config, reporter)
    if path.is_file():
        return _file_start(
            network,
            config,
            lambda: fill_trunk(
                network.trunk, trunk_of_file(path, config.backbone, reporter), config.backbone, config.init
            ),
            reporter,
        )
    if not path.is_dir():
        raise UserError(
            "There is nothing to start from at {init}.",
            "Give auto, random, imagenet, a weights file, a model folder or a pretraining's run folder.",
            config.init,
        )
    if is_pretraining(path):
        start = Pretrained.open(path)
        fill_trunk(network.trunk, start.part("trunk."), config.backbone, config.init)
        return PretrainStart(network, start.lineage, start.patients)
    folder = ModelFolder.open(path)
    folder.need_network()
    fill_trunk(network.trunk, trunk_part(load_tensors(folder.weights_path)), config.backbone, config.init)
    patients = patients_of_card(folder.card)
    lineage = {"init": "model", "model_id": folder.config.model_id, "sha256": folder.sha256}
    lineage |= lineage_entry(folder.card)
    return PretrainStart(network, {**lineage, "taught_patients": sorted(patients)}, patients)


def _file_start(network: Any, config: PretrainConfig, fill: Callable[[], object], reporter: Reporter) -> PretrainStart:
    """`fill` the network from the weights file `init`, whose checksum is logged, kept, and compared where one is given.

    Raises:
        UserError: the file has another checksum, or does not fit.
    """
    path = Path(config.init)
    sha256 = file_sha256(path)
    reporter.log(Text("The weights are those of {name}, SHA-256 {sha256}.", path.name, sha256))
    if config.init_sha256 not in ("", sha256):
        raise UserError(
            "{name} has another checksum than {wanted}.", "Copy or download the file again.", path, config.init_sha256
        )
    fill()
    lineage: dict[str, Any] = {"init": "file", "file": path.name, "sha256": sha256}
    patients = patients_of_file(path)
    if patients is None:
        return PretrainStart(network, lineage, warning=unknown(path))
    return PretrainStart(network, {**lineage, "taught_patients": sorted(patients)}, patients)


def _clip_start(network: Any, config: PretrainConfig, reporter: Reporter) -> PretrainStart:
    """Fill the encoder of a method's network by `init`; `auto` is random, since no other weights are known.

    Raises:
        UserError: `init` is neither a pretraining of clips nor a file of VideoMAE, or its encoder has other sizes.
    """
    assert isinstance(config, ClipSettings)
    if config.init in ("random", "auto"):
        return PretrainStart(network, {"init": "random"})
    path = Path(config.init)
    if path.is_file():

        def fill() -> None:
            encoder = ClipEncoder(config.encoder_config())
            fill_clip_encoder(encoder, path)
            network.load_encoder(encoder)

        return _file_start(network, config, fill, reporter)
    if not path.is_dir() or not is_pretraining(path):
        what = (
            Text("ImageNet weights are of single frames")
            if config.init == "imagenet"
            else Text("{init} has none", config.init)
        )
        raise UserError(Text("{method} trains an encoder of clips, and {what}.", config.method, Text(what)), CHOOSE)
    pretrained = Pretrained.open(path, of_clips=True)
    theirs, ours = (each.encoder_config().model_dump() for each in (clip_settings(pretrained), config))
    for name, value in ours.items():
        if theirs[name] != value:
            raise UserError(
                "The encoder in {run} has another size: {name} is {other}, not {value}.",
                "Choose the preset and the settings of that run.",
                pretrained.run,
                name,
                theirs[name],
                value,
            )
    network.load_encoder(clip_encoder(pretrained))
    return PretrainStart(network, pretrained.lineage, pretrained.patients)


def _from_imagenet(network: Pretrainer, config: PretrainConfig, reporter: Reporter) -> PretrainStart:
    try:
        state = imagenet_state(
            config.backbone, config.weights_cache, download_consented=config.download, reporter=reporter
        )
    except UserError:
        if config.init == "imagenet" or config.download:
            raise  # requested explicitly: never replaced silently
        return PretrainStart(network, {"init": "random"}, warning=RANDOM_WARNING)
    fill_trunk(network.trunk, state, config.backbone, config.init)
    return PretrainStart(network, {"init": "imagenet"})


def pretrain_card(
    config: PretrainConfig,
    start: PretrainStart,
    studies: PretrainStudies,
    done: int,
    figures: dict[str, Any],
    computed: dict[str, Any],
    warning: str,
) -> dict[str, Any]:
    """JSON values; `figures`: of the last step; `computed`: device, precision, processes, chunks."""
    paths = {"studies", "images", "labels", "label_studies", "out", "init", "weights_cache", "resume"}
    settings = config.model_dump(mode="json", exclude=paths)
    return {
        "schema_version": 1,
        "notice": "Research use only, not for diagnosis.",
        "kind": "pretraining",
        "method": {"name": config.method, "preset": config.preset, "settings": settings},
        "trained_on": trained_on((path for _, path, _ in studies.files.values()), start.lineage),
        "data": {
            "studies": studies.study_ids,
            "patients": studies.patients,
            "frames": studies.frames,
            "left_out": studies.left_out,
            "sha256": studies.digest,
        },
        "split": {
            "kind": "patients",
            "training_patients": studies.patients,
            "held_out_patients": list(config.held_out_patients),
        },
        "figures": figures,
        "warning": warning,
        "lineage": dict(start.lineage),
        "finished": done >= config.steps,
        "steps_done": done,
        "steps": config.steps,
        "seed": config.seed,
        "computed": computed,
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        **made_with(has_name=config.record_host),
    }
