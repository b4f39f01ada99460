"""The network: a trunk, the embedding before the classifier, and a linear classifier behind a stop-gradient."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from training.compute.round_mask import round_mask
from training.errors import UserError
from training.files.tensors import load_tensors
from training.models.backbones import find_backbone
from training.models.config import ModelConfig
from training.models.folder import COPY_AGAIN, ModelFolder, write_model_folder
from training.models.inference_network import InferenceNetwork, network_of_state
from training.models.linear_classifier import LinearClassifier, read_evaluated, tensors_of
from training.texts import Text


class Embedded(NamedTuple):
    """B frames before the classifier."""

    embedding: Tensor
    """(B, D) float32, not normalised."""
    features: Tensor
    """(B, F, h, w)"""


class FrameOutput(NamedTuple):
    """What the network says of B frames, always float32."""

    embedding: Tensor
    """(B, D): mean of `features` over positions, through the embedding layer where there is one; not normalised."""
    logits: Tensor
    """(B, C)"""
    features: Tensor
    """(B, F, h, w): the last feature map, what CAMs are made of; in the trunk's own precision."""


class Front(NamedTuple):
    """The first layers of a trunk, which are not trained, computed apart."""

    layers: int
    """Children of the trunk that it stands for."""
    run: Callable[[Tensor], Tensor]
    """(B, 3, S, S) float, normalised -> (B, F, h, w) float32, without a gradient."""


class FrameClassifier(nn.Module):
    """Backbone, global average pooling, linear classifier (Laiz et al., TL_BA; Pascual et al., eq. 3).

    The classifier is fed with `embedding.detach()`: cross-entropy trains the classifier only, the triplet loss alone
    shapes the embedding. `classifier_gradient=True` lets cross-entropy through, for comparison.
    """

    mean: Tensor
    std: Tensor

    def __init__(self, config: ModelConfig, *, classifier_gradient: bool = False) -> None:
        super().__init__()
        self.config = config
        self.classifier_gradient = classifier_gradient
        backbone = find_backbone(config.backbone)
        self.trunk = backbone.make_trunk()
        self.front: Front | None = None
        self.embedding_layer = (
            nn.Linear(backbone.embedding_size, config.embedding_layer) if config.embedding_layer else None
        )
        self.classifier = nn.Linear(config.embedding_size, len(config.classes))
        # Not part of the state: config.json says them, and a second copy could disagree.
        self.register_buffer("mean", torch.tensor(config.mean).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(config.std).view(1, 3, 1, 1), persistent=False)

    @property
    def cam_weight(self) -> Tensor:
        """(C, F): the evidence for the scores as seen from the feature map, exact through an embedding layer.

        The layer is linear and the pooling is too: `W (A mean(f) + a) + b` is `mean((W A) f) + W a + b`.
        """
        weight: Tensor = self.classifier.weight
        if self.config.scores == "against_normal":  # as `scores.evidence_weight`
            weight = torch.cat([weight[:1], weight[1:] - weight[:1]])
        return weight if self.embedding_layer is None else weight @ self.embedding_layer.weight

    def normalise(self, frames: Tensor) -> Tensor:
        """(B, H, W, 3) uint8 RGB -> (B, 3, H, W) float32, channels last in memory, mean and std taken out.

        With `round_mask` frames are square, and black outside the circle first.
        """
        if frames.ndim != 4 or frames.shape[-1] != 3:
            raise ValueError(f"frames must be (B, H, W, 3) uint8, not {tuple(frames.shape)}")
        images = frames.permute(0, 3, 1, 2).to(torch.float32)
        if self.config.round_mask:
            images = images * round_mask(images.shape[-1], images.device)
        return images.sub_(self.mean * 255).div_(self.std * 255)

    def embed(self, frames: Tensor) -> "Embedded":
        """(B, H, W, 3) uint8 RGB, or (B, 3, H, W) float already normalised -> embedding and last feature map."""
        images = self.normalise(frames) if frames.dtype == torch.uint8 else frames
        if images.ndim != 4 or images.shape[1] != 3:
            raise ValueError(f"images must be (B, 3, H, W) float, not {tuple(images.shape)}")
        features = self._features(images.to(next(self.trunk.parameters()).dtype))
        # Pooled in float32 whatever the trunk's precision: a mean of bfloat16 keeps three digits.
        pooled = features.mean(dim=(2, 3), dtype=torch.float32)
        if self.embedding_layer is None:
            return Embedded(pooled, features)
        with torch.autocast(pooled.device.type, enabled=False):
            return Embedded(self.embedding_layer(pooled), features)

    def _features(self, images: Tensor) -> Tensor:
        """(B, 3, S, S) -> (B, F, h, w); the front, where there is one, says the first layers' part."""
        if self.front is None:
            return self.trunk(images)  # type: ignore[no-any-return]
        return self.trunk[self.front.layers :](self.front.run(images))  # type: ignore[no-any-return]

    def forward(self, frames: Tensor) -> FrameOutput:
        """(B, H, W, 3) uint8 RGB, or (B, 3, H, W) float already normalised -> `FrameOutput`."""
        embedding, features = self.embed(frames)
        logits = self.classifier(embedding if self.classifier_gradient else embedding.detach())
        return FrameOutput(embedding, logits, features)


def class_activation_maps(features: Tensor, weight: Tensor) -> Tensor:
    """Laiz et al., eq. 7: M_c(x, y) = sum_k w_k^c f_k(x, y).

    The mean of M_c over all positions is the class's logit less its bias.

    Args:
        features: (B, D, h, w) last feature map.
        weight: (C, D) of the linear classifier.

    Returns:
        (B, C, h, w) float32, in units of logits; of either sign.
    """
    if features.ndim != 4 or weight.ndim != 2 or features.shape[1] != weight.shape[1]:
        raise ValueError(f"(B, D, h, w) and (C, D) do not fit: {tuple(features.shape)}, {tuple(weight.shape)}")
    return torch.einsum("bdhw,cd->bchw", features.float(), weight.float())


def freeze_batch_norm(network: nn.Module) -> None:
    """Normalise by the running statistics, and keep them, in training mode as well."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


@contextmanager
def evaluating(network: nn.Module) -> Iterator[None]:
    """Inference in eval mode; every layer's mode is left as it was."""
    modes = [(module, module.training) for module in network.modules()]
    network.eval()
    with torch.inference_mode():
        yield
    for module, training in modes:
        module.training = training


def inference_network(network: FrameClassifier) -> InferenceNetwork:
    """The network's weights as they are now, for passes without training; a copy."""
    state = {name: tensor.detach().cpu().float().numpy().copy() for name, tensor in network.state_dict().items()}
    return network_of_state(network.config, state)


def load_network(folder: ModelFolder, device: torch.device | str = "cpu") -> FrameClassifier:
    """The folder's network with its weights as float32, in eval mode, on the device.

    Raises:
        UserError: a tensor is missing, superfluous, of another shape than the config asks for, or not finite.
    """
    folder.need_network()
    network = FrameClassifier(folder.config)
    load_state(network, load_tensors(folder.weights_path), folder.weights_path)
    return network.to(device).eval()


def load_evaluated(folder: ModelFolder, device: torch.device | str = "cpu") -> FrameClassifier:
    """`load_network` with the classifier that never learned from the held-out patients; see `read_evaluated`."""
    network = load_network(folder)
    set_classifier(network, read_evaluated(folder))
    return network.to(device)


def set_classifier(network: FrameClassifier, classifier: LinearClassifier) -> None:
    """Copy a classifier of the same shape into the network."""
    with torch.no_grad():
        for part, values in zip(network.classifier.parameters(), classifier, strict=True):
            part.copy_(torch.from_numpy(np.asarray(values, np.float32)))


def get_classifier(network: FrameClassifier) -> LinearClassifier:
    """A copy of the network's classifier, float32."""
    return LinearClassifier(*(part.detach().float().cpu().numpy().copy() for part in network.classifier.parameters()))


def load_state(network: nn.Module, state: Mapping[str, Tensor], source: Path) -> None:
    """Put a state of any float precision into the network; names and shapes must all match.

    Raises:
        UserError: naming the first tensor of `source` that does not fit.
    """
    wanted = network.state_dict()
    odd = sorted(wanted.keys() ^ state.keys())
    if odd:
        what = Text("missing") if odd[0] in wanted else Text("not part of this network")
        raise UserError(
            Text("{source}: the tensor {odd} is {what} ({count} such tensors).", source, odd[0], Text(what), len(odd)),
            COPY_AGAIN,
        )
    for name, tensor in state.items():
        if tensor.shape != wanted[name].shape:
            raise UserError(
                Text(
                    "{source}: {name} has the wrong shape, {shape} instead of {wanted}.",
                    source,
                    name,
                    str(tuple(tensor.shape)),
                    str(tuple(wanted[name].shape)),
                ),
                COPY_AGAIN,
            )
    network.load_state_dict(dict(state))


def save_network(
    network: FrameClassifier,
    path: Path,
    card: Mapping[str, Any],
    *,
    precision: torch.dtype = torch.float32,
    evaluated: LinearClassifier | None = None,
) -> ModelFolder:
    """Write the network as a model folder; `precision=torch.float16` halves the file (counters stay integers).

    `evaluated`: the classifier that the card's figures are of, if it is another one; see `read_evaluated`.

    Raises:
        UserError: the folder cannot be written.
    """
    tensors = {
        name: (tensor.to(precision) if tensor.is_floating_point() else tensor).detach().cpu().contiguous().numpy()
        for name, tensor in network.state_dict().items()
    }
    return write_model_folder(path, network.config, tensors, card, None if evaluated is None else tensors_of(evaluated))
