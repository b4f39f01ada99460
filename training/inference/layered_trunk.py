"""A trunk rebuilt for speed that also hands out the feature map of a named layer, without hooks.

Batch normalisation is folded into the convolutions before it: half the passes over memory.
"""

import copy
import itertools
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from training.errors import UserError
from training.inference.explanation import LAYERS
from training.inference.fused import fused


def folded(trunk: nn.Sequential) -> nn.Sequential:
    """A copy of a trunk (eval mode) without batch normalisation; equal up to rounding."""
    copied = copy.deepcopy(trunk).eval()
    _fold_children(copied)
    return copied


def _fold_children(module: nn.Module) -> None:
    """Every convolution is the child before its batch normalisation."""
    children = list(module.named_children())
    for (name, child), (norm_name, norm) in itertools.pairwise([*children, ("", nn.Identity())]):
        if isinstance(child, nn.Conv2d):
            assert isinstance(norm, nn.BatchNorm2d)
            setattr(module, name, fuse_conv_bn_eval(child, norm))
            setattr(module, norm_name, nn.Identity())
        else:
            _fold_children(child)


class LayeredTrunk:
    """A trunk without batch normalisation, fused where the CPU can do it; the trunk that is given stays untouched.

    Args:
        trunk: of a backbone, in eval mode.
        device: where it runs.
        precision: of weights and feature maps.
    """

    def __init__(self, trunk: nn.Sequential, device: torch.device, precision: torch.dtype) -> None:
        plain = folded(trunk).requires_grad_(False).to(device, precision).to(memory_format=torch.channels_last)
        fast = fused(plain) if device.type == "cpu" else None
        self.precision = precision
        self.is_fused = fast is not None
        self._modules = list((fast if fast is not None else plain).children())
        self._ends = _fused_ends(plain) if fast is not None else _plain_ends(plain)

    def features(self, images: Tensor) -> Tensor:
        """(B, 3, S, S) float, normalised -> (B, F, h, w) last feature map."""
        return self.layer_and_features(images, LAYERS[-1])[1]

    def layer_and_features(self, images: Tensor, layer: str) -> tuple[Tensor, Tensor]:
        """(B, 3, S, S) -> the named layer's feature map (B, K, h', w') and the last one (B, F, h, w).

        Raises:
            UserError: there is no such layer.
        """
        check_layer(layer)
        values = images.to(self.precision).contiguous(memory_format=torch.channels_last)
        kept = values
        for place, module in enumerate(self._modules):
            values = module(values)
            if place == self._ends[layer]:
                # Fused blocks may write over what they are given.
                kept = values if place == len(self._modules) - 1 else values.clone()
        return kept, values


def check_layer(layer: str) -> None:
    """Raise a UserError unless the network has this layer."""
    if layer not in LAYERS:
        raise UserError(f"The network has no layer {layer!r}.", f"It has: {', '.join(LAYERS)}.")


def _plain_ends(trunk: nn.Sequential) -> Mapping[str, int]:
    return {name: place for place, (name, _) in enumerate(trunk.named_children()) if name in LAYERS}


def _fused_ends(plain: nn.Sequential) -> Mapping[str, int]:
    """The fused trunk is flat: the stem, the pooling, then every block of every layer."""
    children, ends, place = dict(plain.named_children()), {}, 1
    for name in LAYERS:
        place += len(list(children[name].children()))
        ends[name] = place
    return ends
