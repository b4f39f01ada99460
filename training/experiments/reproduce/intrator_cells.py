"""The trainings of Intrator et al. 2023 on the phantom, and what needs none; each is computed once and kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.reproduce.intrator import HISTOGRAM, LITE0, PROTOCOL, REDNESS, IntratorBudget
from training.experiments.reproduce.phantom_set import RenderedPhantom
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.models.backbones import BACKBONES, DEFAULT_BACKBONE, has_imagenet_weights
from training.reidentification.baselines import colour_histograms, redness_similarities
from training.reidentification.filtering import kept_for_training
from training.reidentification.matching import TECHNIQUES, is_same_finding, pair_similarities, separate_pairs
from training.reidentification.tracklets import Tracklets, read_tracklets
from training.runs.folder import keep_result, kept_result, key_of
from training.runs.reporter import Cancelled, Reporter

Cell = Mapping[str, Any]
"""The JSON values that are kept of a training, or of what needs none."""


@dataclass(frozen=True)
class Setting:
    """What all cells of a call share."""

    config: ReproduceConfig
    budget: IntratorBudget
    phantom: RenderedPhantom
    reporter: Reporter

    @cached_property
    def training(self) -> Tracklets:
        """The tracklets of the patients that train, all of them."""
        return self._read(self.phantom.outside)

    @cached_property
    def evaluated(self) -> Tracklets:
        """The tracklets of the other patients."""
        return self._read(self.phantom.manifest)

    @cached_property
    def starts_from_imagenet(self) -> bool:
        """Whether the encoders' trunk has ImageNet weights that are at hand, or that may be downloaded."""
        name = self.budget.backbone
        return name in BACKBONES and (self.config.download or self.has_weights(name))

    @cached_property
    def threads(self) -> int:
        """CPU threads that were asked for, else the fastest number; measured where something is computed."""
        from training.reidentification.config import EncoderConfig
        from training.reidentification.encoder import SingleFrameEncoder
        from training.reidentification.training import fastest_threads

        encoder = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE)).eval()
        return self.config.threads or fastest_threads(encoder, self.budget.crop_px)

    def has_weights(self, backbone: str) -> bool:
        """Whether the ImageNet weights of a backbone are at hand."""
        return has_imagenet_weights(backbone, self.config.weights_cache)

    def _read(self, manifest: Path) -> Tracklets:
        labels, boxes = manifest.with_name("labels.csv"), manifest.with_name("boxes.csv")
        side, context = self.budget.crop_px, self.budget.context
        return read_tracklets(manifest, labels, boxes, side_px=side, context=context, reporter=self.reporter)


def untrained_cell(setting: Setting) -> Cell:
    """The evaluated pairs with their truth, and the similarities that need no training; kept."""
    decides = _decides(setting) | {"lite0": setting.has_weights(DEFAULT_BACKBONE)}
    folder = setting.config.out / "cells" / f"intrator-untrained-{key_of(decides)}"
    kept = kept_result(folder)
    if kept is not None:
        return kept
    evaluated = setting.evaluated
    pairs = separate_pairs(evaluated.table)
    similarities = {
        HISTOGRAM: pair_similarities([colour_histograms(each) for each in evaluated.crops], pairs, "averaging"),
        REDNESS: redness_similarities(evaluated.crops, pairs),
    }
    if setting.has_weights(DEFAULT_BACKBONE):
        similarities[LITE0] = pair_similarities(_imagenet_features(setting), pairs, "averaging")
    result = {
        "procedures": evaluated.table.procedures.tolist(),
        "findings": evaluated.findings.tolist(),
        "classes": evaluated.classes.tolist(),
        "pairs": pairs.tolist(),
        "is_same": is_same_finding(evaluated.table, evaluated.findings, pairs).tolist(),
        "similarities": _as_lists(similarities),
        "training": _counts(setting),
    }
    keep_result(folder, decides, result)
    return result


def trained_cell(setting: Setting, seed: int) -> Cell:
    """The similarities by both encoders, trained with one seed; kept with their weights (safetensors)."""
    encoders = setting.budget.encoders.model_copy(update={"seed": seed})
    start = "imagenet" if setting.starts_from_imagenet else "random"
    decides = _decides(setting) | {
        "backbone": setting.budget.backbone,
        "encoders": encoders.model_dump(),
        "start": start,
    }
    folder = setting.config.out / "cells" / f"intrator-{key_of(decides)}"
    kept = kept_result(folder)
    if kept is not None:
        return kept
    similarities = _train_and_compare(setting, seed, folder)
    steps = [encoders.frame_steps, encoders.tracklet_steps]
    result = {"seed": seed, "steps": steps, "similarities": _as_lists(similarities)}
    keep_result(folder, decides, result)
    return result


def trained_cells(setting: Setting, seeds: Sequence[int]) -> list[Cell]:
    """The cells of the seeds; fewer after a stop."""
    made: list[Cell] = []
    for seed in seeds:
        setting.reporter.log(f"Encoders of re-identification, seed {seed} ({len(made) + 1} of {len(seeds)})")
        try:
            made.append(trained_cell(setting, seed))
        except Cancelled:
            if not setting.reporter.stop_requested or not made:
                raise
            break
    return made


def _train_and_compare(setting: Setting, seed: int, folder: Path) -> dict[str, NDArray[np.float64]]:
    """Train both encoders, keep their weights, and compare the evaluated pairs by each technique."""
    import torch

    from training.compute.devices import training_device
    from training.optimisation.pace import threads_for_training
    from training.reidentification.config import EncoderConfig
    from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
    from training.reidentification.training import frame_embeddings, tracklet_vectors, train_frames, train_tracklets
    from training.runs.checkpoint import write_tensors

    budget, reporter = setting.budget, setting.reporter
    settings = budget.encoders.model_copy(update={"seed": seed})
    rows = kept_for_training(setting.training.table, budget.kept)
    crops = [setting.training.crops[at] for at in rows]
    procedures = setting.training.table.procedures[rows].tolist()
    device = training_device(setting.config.device, reporter)
    folder.mkdir(parents=True, exist_ok=True)
    with torch.random.fork_rng(), threads_for_training(setting.threads):
        torch.manual_seed(seed)
        frames = SingleFrameEncoder(EncoderConfig(backbone=budget.backbone))
        _fill_from_imagenet(setting, frames.trunk)
        train_frames(frames.to(device), crops, procedures, settings, reporter)
        write_tensors(folder / "single-frame.safetensors", _state(frames), {"backbone": budget.backbone})
        embeddings = frame_embeddings(frames, setting.evaluated.crops)
        joint = MultiViewEncoder(frames).to(device)
        train_tracklets(joint, crops, procedures, settings, reporter)
        write_tensors(folder / "multi-view.safetensors", _state(joint), {"backbone": budget.backbone})
        vectors = tracklet_vectors(joint, setting.evaluated.crops, settings.views)
    pairs = separate_pairs(setting.evaluated.table)
    return {name: pair_similarities(vectors if name == "joint" else embeddings, pairs, name) for name in TECHNIQUES}


def _fill_from_imagenet(setting: Setting, trunk: Any) -> None:
    """Put ImageNet weights into a trunk, where there are any."""
    from training.models.imagenet import imagenet_state
    from training.models.trunk_weights import fill_trunk

    if setting.starts_from_imagenet:
        name, config = setting.budget.backbone, setting.config
        state = imagenet_state(
            name, config.weights_cache, download_consented=config.download, reporter=setting.reporter
        )
        fill_trunk(trunk, state, name, "ImageNet")


def _state(network: Any) -> dict[str, Any]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}


def _imagenet_features(setting: Setting) -> list[NDArray[np.float32]]:
    """T arrays (n, 1280): the pooled features of the crops of the evaluated tracklets, ImageNet weights."""
    from torch import nn

    from training.models.imagenet import imagenet_state
    from training.models.trunk_weights import fill_trunk
    from training.optimisation.pace import threads_for_training
    from training.reidentification.config import EncoderConfig
    from training.reidentification.encoder import SingleFrameEncoder
    from training.reidentification.training import frame_embeddings

    network = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE))
    fill_trunk(
        network.trunk, imagenet_state(DEFAULT_BACKBONE, setting.config.weights_cache), DEFAULT_BACKBONE, "ImageNet"
    )
    network.head = nn.Sequential()
    with threads_for_training(setting.threads):
        return frame_embeddings(network.eval(), setting.evaluated.crops)


def _decides(setting: Setting) -> dict[str, Any]:
    """What decides the evaluated pairs and the tracklets that train."""
    budget = setting.budget
    cut = {"crop_px": budget.crop_px, "context": budget.context, "kept": budget.kept.model_dump()}
    return {**cut, "data": budget.phantom.key, "protocol": PROTOCOL}


def _counts(setting: Setting) -> dict[str, int]:
    """How much there is to train on."""
    every = setting.training
    rows = kept_for_training(every.table, setting.budget.kept)
    return {
        "tracklets": len(rows),
        "procedures": len(np.unique(every.table.procedures[rows])),
        "frames": sum(len(every.crops[at]) for at in rows),
    }


def _as_lists(similarities: Mapping[str, NDArray[np.float64]]) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in similarities.items()}
