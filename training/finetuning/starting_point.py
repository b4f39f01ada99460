"""The initial weights of a fine-tuning: random, ImageNet, a weights file, a model folder, or another run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import ValidationError

from training.datasets.labelled_frames import LabelledFrames
from training.embeddings.stored import StoredEmbeddings
from training.errors import UserError
from training.finetuning import negatives, training_set
from training.finetuning.card import lineage_of
from training.finetuning.config import FinetuneConfig, finetune_config
from training.models.backbones import GRAPH
from training.models.config import ModelConfig
from training.models.folder import ModelFolder, file_sha256
from training.models.imagenet import fill_trunk, imagenet_state, trunk_of_file
from training.models.inference_network import InferenceNetwork, network_of_model
from training.models.linear_classifier import network_digests
from training.models.network import (
    FrameClassifier,
    get_classifier,
    inference_network,
    load_evaluated,
    load_state,
    set_classifier,
)
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs import checkpoint, provenance
from training.runs.reporter import Reporter
from training.texts import Text

DEFAULT_INPUT_SIZE = 160


@dataclass(frozen=True)
class StartingPoint:
    """A network with the run's classes, and its origin."""

    network: FrameClassifier
    previous: ModelFolder | None = None
    """The model that the network comes from."""
    replaced: ModelFolder | None = None
    """Another model to compare the new one with."""
    lineage: Mapping[str, Any] = field(default_factory=dict)
    """The origin, for the card."""

    @property
    def training_patients(self) -> frozenset[str]:
        """Patients that the initial weights were trained on, including by earlier models and pretrainings."""
        card = self.previous.card if self.previous else {}
        return provenance.patients_of_card(card) | frozenset(self.lineage.get("taught_patients", []))

    @property
    def compared(self) -> ModelFolder | None:
        """The model to compare the new one with."""
        return self.replaced or self.previous


def starting_point(config: FinetuneConfig, targets: Sequence[str], model_id: str, reporter: Reporter) -> StartingPoint:
    """Build the network that training starts from; random parts depend on the seed only.

    Args:
        config: `init`, `backbone`, `input_size`, `seed`.
        targets: the run's classes, normal first.
        model_id: of the new model.
        reporter: logs settings that are ignored.

    Raises:
        UserError: `init` or `replaces` is not usable.
    """
    start = _initialised(config, targets, model_id, reporter)
    return start if config.replaces is None else replace(start, replaced=ModelFolder.open(config.replaces))


def frozen_network(
    init: str, input_size: int | None, reporter: Reporter, backbone: str | None = None
) -> InferenceNetwork:
    """The network of some weights, as `starting_point` reads them, for its embeddings; its classes mean nothing.

    Args:
        init: imagenet, random, a weights file, a model folder or a run folder.
        input_size: side of the frames in px; None: the model's own.
        reporter: logs settings that are ignored.
        backbone: of published weights or a weights file; None: the default one.

    Raises:
        UserError: `init` is not usable.
    """
    nothing, path = Path(), Path(init)
    if _holds_model(path) and (folder := ModelFolder.open(path)).config.backbone == GRAPH:
        return network_of_model(folder)  # torch cannot compute it, its input size is fixed
    given = {} if backbone is None else {"backbone": backbone}
    config = finetune_config(studies=nothing, labels=nothing, out=nothing, init=init, input_size=input_size, **given)
    return inference_network(starting_point(config, ("normal", "finding"), "embedding", reporter).network)


def _initialised(config: FinetuneConfig, targets: Sequence[str], model_id: str, reporter: Reporter) -> StartingPoint:
    torch.manual_seed(config.seed)
    path = Path(config.init)
    if config.init in ("random", "imagenet") or path.is_file():
        network = FrameClassifier(_config(config, targets, model_id))
        if config.init == "random":
            return StartingPoint(network, lineage={"init": "random"})
        return StartingPoint(network, lineage=_load_trunk(network, config, reporter))
    if not path.is_dir():
        raise UserError(
            "There is nothing to start from at {init}.",
            "Give random, imagenet, a weights file, a model folder or a run folder (a pretraining's, too).",
            config.init,
        )
    if is_pretraining(path):
        return _from_pretraining(path, config, targets, model_id, reporter)
    if not _holds_model(path):
        return _from_checkpoint(path, config, targets, model_id, reporter)
    folder = ModelFolder.open(path)
    _say_kept(config, folder.config.backbone, Text("model {model_id}", folder.config.model_id), reporter)
    network = _with_classes(load_evaluated(folder), config, targets, model_id)
    return StartingPoint(network, folder, lineage=lineage_of(folder))


def _holds_model(path: Path) -> bool:
    """Whether it is a model folder, or a run folder with a model."""
    return any((path / part / "SHA256SUMS").is_file() for part in ("", "model")) and not is_pretraining(path)


def _say_kept(config: FinetuneConfig, backbone: str, whose: Text, reporter: Reporter) -> None:
    """Log that another backbone was asked for than that of the weights."""
    if "backbone" in config.model_fields_set and config.backbone != backbone:
        reporter.log(Text("The {whose} is a {backbone}; its backbone is kept.", whose, backbone))


def _config(
    config: FinetuneConfig, classes: Sequence[str], model_id: str, like: ModelConfig | None = None
) -> ModelConfig:
    """Of the new model; `like`: of the one that it starts from."""
    given = {"backbone": config.backbone} if like is None else like.model_dump()
    update = {
        "model_id": model_id,
        "classes": tuple(classes),
        "embedding_layer": config.embedding_layer or given.get("embedding_layer"),
        "input_size": config.input_size or given.get("input_size", DEFAULT_INPUT_SIZE),
        "round_mask": config.round_mask,
        "scores": config.scores,
    }
    return ModelConfig.model_validate({**given, **update})


def _with_classes(
    old: FrameClassifier, config: FinetuneConfig, targets: Sequence[str], model_id: str
) -> FrameClassifier:
    """The old trunk and classifier rows, with new rows for new classes.

    If the embedding layer differs from the old model's, embedding layer and classifier start random.
    """
    classes = training_set.united_classes(old.config.classes, targets)
    network = FrameClassifier(_config(config, classes, model_id, old.config))
    network.trunk.load_state_dict(old.trunk.state_dict())
    if network.config.embedding_layer != old.config.embedding_layer:
        return network
    if network.embedding_layer is not None and old.embedding_layer is not None:
        network.embedding_layer.load_state_dict(old.embedding_layer.state_dict())
    set_classifier(network, get_classifier(old).with_rows(len(classes)))
    return network


def _from_pretraining(
    path: Path, config: FinetuneConfig, targets: Sequence[str], model_id: str, reporter: Reporter
) -> StartingPoint:
    """A pretraining's trunk, without its projection head; the classifier starts random."""
    pretrained = Pretrained.open(path)
    _say_kept(config, pretrained.config.backbone, Text("pretraining in {name}", path.name), reporter)
    size = config.input_size or pretrained.config.input_size
    update = {"backbone": pretrained.config.backbone, "input_size": size}
    network = FrameClassifier(_config(config.model_copy(update=update), targets, model_id))
    fill_trunk(network.trunk, pretrained.part("trunk."), network.config.backbone, config.init)
    return StartingPoint(network, lineage=pretrained.lineage)


def has_same_network(start: StartingPoint) -> bool:
    """Whether the network starts as that of the previous model and sees frames as it does; classes may be more."""
    if start.previous is None:
        return False
    old, new = (
        each.model_copy(update={"model_id": "model", "classes": ()})
        for each in (start.previous.config, start.network.config)
    )
    return old == new


def known_embeddings(
    config: FinetuneConfig, start: StartingPoint, frames: LabelledFrames, reporter: Reporter
) -> NDArray[np.float32] | None:
    """Embeddings (M, D) of frames by the network that the run starts from, NaN where none are stored.

    None where it does not start from a model, or sees frames in another way than that model.
    """
    if start.previous is None or config.embeddings is None or not has_same_network(start):
        return None
    stored = StoredEmbeddings(config.embeddings, start.previous.config, network_digests(start.previous), reporter)
    try:
        return negatives.stored_rows(frames, stored)[0]
    finally:
        stored.close()


def _from_checkpoint(
    path: Path, config: FinetuneConfig, targets: Sequence[str], model_id: str, reporter: Reporter
) -> StartingPoint:
    """The newest checkpoint of an unfinished run."""
    checkpoints = checkpoint.list_checkpoints(path / "checkpoints")
    if not checkpoints:
        raise UserError(
            "{path} is neither a model folder nor a run folder with a checkpoint.",
            "Give a folder that holds model.safetensors, or a run that got as far as a checkpoint.",
            path,
        )
    newest = checkpoints[0]
    try:
        old = FrameClassifier(ModelConfig.model_validate_json(newest.header()["model_config"]))
    except (KeyError, ValidationError) as error:
        raise UserError(
            "The checkpoint {weights} belongs to another kind of run or to another version of this program.",
            "Start from a model folder, or from a run of this version.",
            newest.weights,
        ) from error
    load_state(old, newest.state(), newest.weights)
    lineage = {"init": "run", "run": path.name, "step": newest.step, "sha256": file_sha256(newest.weights)}
    patients = provenance.patients_of_run(path)
    if patients is None:
        reporter.log(
            Text("The training patients of {name} are unknown: its split.json is missing or damaged.", path.name)
        )
    else:
        lineage["taught_patients"] = sorted(patients)
    return StartingPoint(_with_classes(old, config, targets, model_id), lineage=lineage)


def _load_trunk(network: FrameClassifier, config: FinetuneConfig, reporter: Reporter) -> dict[str, Any]:
    """Load the trunk from ImageNet or from a weights file; returns the lineage for the card."""
    if config.init == "imagenet":
        state = imagenet_state(
            config.backbone, config.weights_cache, download_consented=config.download, reporter=reporter
        )
        lineage: dict[str, Any] = {"init": "imagenet"}
    else:
        path = Path(config.init)
        state = trunk_of_file(path, config.backbone, reporter)
        lineage = {"init": "file", "file": path.name, "sha256": file_sha256(path)}
        patients = provenance.patients_of_file(path)
        if patients is not None:
            lineage["taught_patients"] = sorted(patients)
        elif sentence := provenance.unknown(path):
            reporter.log(sentence)
    fill_trunk(network.trunk, state, network.config.backbone, config.init)
    return lineage
