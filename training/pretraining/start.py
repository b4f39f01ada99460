"""The initial weights of a pretraining: ImageNet, a file, another run, or random."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from training.datasets.synthetic import lineage_entry
from training.errors import UserError
from training.files.tensors import load_tensors
from training.models.folder import ModelFolder, file_sha256
from training.models.imagenet import imagenet_state
from training.models.projection_head import Pretrainer, init_as_keras
from training.models.trunk_weights import fill_trunk, trunk_of_file, trunk_part
from training.pretraining.clip_start import clip_start
from training.pretraining.config import PretrainConfig
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs.provenance import patients_of_card, patients_of_file, unknown
from training.runs.reporter import Reporter

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
    """Build the network; random parts depend on the seed only. The heads always start random.

    Raises:
        UserError: `init` is not usable.
    """
    torch.manual_seed(config.seed)
    network = config.method_class.make_network(config)
    if config.method_class.encodes_clips:
        return PretrainStart(network, *clip_start(network, config))
    assert isinstance(network, Pretrainer)
    if config.head_init == "keras":
        init_as_keras(network.head)
    path = Path(config.init)
    if config.init == "random":
        return PretrainStart(network, {"init": "random"})
    if config.init in ("auto", "imagenet"):
        return _from_imagenet(network, config, reporter)
    if path.is_file():
        _fill(network, trunk_of_file(path, config.backbone, config.weights_cache), config)
        lineage = {"init": "file", "file": path.name, "sha256": file_sha256(path)}
        patients = patients_of_file(path)
        if patients is None:
            return PretrainStart(network, lineage, warning=unknown(path))
        return PretrainStart(network, {**lineage, "taught_patients": sorted(patients)}, patients)
    if not path.is_dir():
        raise UserError(
            "There is nothing to start from at {init}.",
            "Give auto, random, imagenet, a weights file, a model folder or a pretraining's run folder.",
            config.init,
        )
    return _from_run(network, path, config) if is_pretraining(path) else _from_model(network, path, config)


def _from_imagenet(network: Pretrainer, config: PretrainConfig, reporter: Reporter) -> PretrainStart:
    try:
        state = imagenet_state(
            config.backbone, config.weights_cache, download_consented=config.download, reporter=reporter
        )
    except UserError:
        if config.init == "imagenet" or config.download:
            raise  # requested explicitly: never replaced silently
        return PretrainStart(network, {"init": "random"}, warning=RANDOM_WARNING)
    _fill(network, state, config)
    return PretrainStart(network, {"init": "imagenet"})


def _from_run(network: Pretrainer, path: Path, config: PretrainConfig) -> PretrainStart:
    start = Pretrained.open(path)
    _fill(network, start.trunk_state(), config)
    return PretrainStart(network, start.lineage, start.patients)


def _from_model(network: Pretrainer, path: Path, config: PretrainConfig) -> PretrainStart:
    folder = ModelFolder.open(path)
    _fill(network, trunk_part(load_tensors(folder.weights_path)), config)
    patients = patients_of_card(folder.card)
    lineage = {"init": "model", "model_id": folder.config.model_id, "sha256": folder.sha256}
    lineage |= lineage_entry(folder.card)
    return PretrainStart(network, {**lineage, "taught_patients": sorted(patients)}, patients)


def _fill(network: Pretrainer, state: Mapping[str, Tensor], config: PretrainConfig) -> None:
    fill_trunk(network.trunk, state, config.backbone, config.init)
