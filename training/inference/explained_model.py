"""A model ready to be explained: a classifier, or a pretraining without classes; kept by who asks often.

A target of Score-CAM is a function from its output for a masked input to one number.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.compute.plan import ComputePlan, DeviceName, choose_device, choose_plan
from training.compute.round_mask import round_mask
from training.inference.layered_trunk import LayeredTrunk
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, load_network, load_state
from training.models.projection_head import Pretrainer
from training.pretraining.pretrained import Pretrained, is_pretraining


class ModelOutput(NamedTuple):
    """A model's output for B inputs, float32."""

    embedding: Tensor
    """(B, D), not normalised."""
    logits: Tensor | None
    """(B, C); None where the model has no linear classifier."""


Target = Callable[[ModelOutput], Tensor]
"""`ModelOutput` of B inputs -> (B,) float32, the larger the more."""


def class_logit(column: int) -> Target:
    """A class's logit, before the softmax (Wang et al. 2020, algorithm 1)."""

    def logit(output: ModelOutput) -> Tensor:
        assert output.logits is not None
        return output.logits[:, column]

    return logit


TEMPERATURE = 0.1
"""Cosines are divided by it, as in contrastive losses: otherwise a softmax over channels hardly distinguishes them."""
SHORT = 0.05
"""Differences shorter than this share of the frame's own have no direction that means anything."""


def similarity_to(embedding: Tensor, baseline: Tensor) -> Target:
    """Similarity to a frame's embedding (D,), relative to the baseline's (D,); needs no labels.

    cos(e - b, embedding - b) / TEMPERATURE. Ours: Vats et al. leave the target of their weak labels open. Embeddings
    are means of what a ReLU lets through and all share a large part: without taking the baseline out, the cosines of
    512 masked inputs differed by 0.002, and the overlay was no more than the mean activation.
    """
    own = embedding.float() - baseline.float()
    shortest = SHORT * float(own.norm())
    wanted = torch.nn.functional.normalize(own, dim=0) / TEMPERATURE

    def similarity(output: ModelOutput) -> Tensor:
        change = output.embedding - baseline
        return torch.nn.functional.normalize(change, dim=1, eps=max(shortest, 1e-12)) @ wanted

    return similarity


class ExplainedModel:
    """A network's trunk twice: in float32 for what is shown, in the plan's precision for a Score-CAM's many passes.

    Args:
        network: stays as it is; nothing is hooked or replaced in it.
        model_id: named in every picture.
        input_size: side of the prepared square in px.
        plan: device, precision and batch; None: the best for this machine.
    """

    _is_round = False

    def __init__(
        self, network: FrameClassifier | Pretrainer, model_id: str, input_size: int, plan: ComputePlan | None = None
    ) -> None:
        self.plan = plan or choose_plan(choose_device("auto")[0])
        self.model_id = model_id
        self.input_size = input_size
        self.classes: tuple[str, ...] = network.config.classes if isinstance(network, FrameClassifier) else ()
        device = self.plan.device
        self.exact = LayeredTrunk(network.trunk, device, torch.float32)
        is_float32 = self.plan.precision == torch.float32
        self.fast = self.exact if is_float32 else LayeredTrunk(network.trunk, device, self.plan.precision)
        self._is_round = isinstance(network, FrameClassifier) and network.config.round_mask
        self._mean = network.mean.detach().to(device, torch.float32)
        self._std = network.std.detach().to(device, torch.float32)
        classifier = network.classifier if isinstance(network, FrameClassifier) else None
        layer = network.embedding_layer if isinstance(network, FrameClassifier) else None
        self._embedding_layer = _copied(layer, device)
        self._classifier = _copied(classifier, device)
        self.pretrained: Pretrained | None = None
        """The run that the network is of; None for a model."""
        self.cam_weight: Tensor | None = None
        """(C, F) float32; None where there is no linear classifier, and so no CAM."""
        if isinstance(network, FrameClassifier):
            self.cam_weight = network.cam_weight.detach().to(device, torch.float32).clone()

    @staticmethod
    def of(network: FrameClassifier, plan: ComputePlan | None = None) -> "ExplainedModel":
        """A classifier that is in memory already."""
        return ExplainedModel(network, network.config.model_id, network.config.input_size, plan)

    @staticmethod
    def open(
        path: Path, *, device: DeviceName = "auto", precision: str = "auto", step: int | None = None
    ) -> "ExplainedModel":
        """A model folder, or a pretraining's run folder (its newest weights, or those kept at `step`).

        Raises:
            UserError: neither of the two, or damaged.
        """
        plan = choose_plan(choose_device(device)[0], precision=precision)
        if not is_pretraining(path):
            return ExplainedModel.of(load_network(ModelFolder.open(path)), plan)
        pretrained = Pretrained.open(path, step)
        network = Pretrainer(pretrained.config.backbone)
        load_state(network.trunk, pretrained.trunk_state(), pretrained.weights)
        explained = ExplainedModel(network.eval(), pretrained.model_id, pretrained.config.input_size, plan)
        explained.pretrained = pretrained
        return explained

    def normalised(self, prepared: NDArray[np.uint8]) -> Tensor:
        """(S, S, 3) uint8 RGB, prepared -> (1, 3, S, S) float32 as the network sees it."""
        image = torch.from_numpy(prepared).to(self.plan.device).permute(2, 0, 1)[None].float()
        if self._is_round:
            image = image * round_mask(image.shape[-1], image.device)
        return (image - self._mean * 255) / (self._std * 255)

    def output(self, features: Tensor) -> ModelOutput:
        """(B, F, h, w) last feature maps -> embedding (before any projection head) and logits, float32."""
        embedding = features.mean(dim=(2, 3), dtype=torch.float32)
        if self._embedding_layer is not None:
            embedding = self._embedding_layer(embedding)
        return ModelOutput(embedding, self._classifier(embedding) if self._classifier is not None else None)

    def scores(self, output: ModelOutput) -> dict[str, float]:
        """Every class's score in [0, 1] of the first input; empty without classes."""
        if output.logits is None:
            return {}
        return dict(zip(self.classes, output.logits[0].softmax(0).tolist(), strict=True))


def _copied(layer: nn.Module | None, device: torch.device) -> nn.Module | None:
    import copy

    return None if layer is None else copy.deepcopy(layer).requires_grad_(False).to(device, torch.float32).eval()
