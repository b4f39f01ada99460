"""Networks, what is put into them, and the folder in which a model lies on disk."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from torch import nn

    from training.models.backbones import Backbone

__all__ = ["register_backbone"]

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)
"""Statistics of ImageNet's training pictures, RGB in [0, 1]: what torchvision's weights expect."""


def register_backbone(
    name: str,
    make_trunk: "Callable[[], nn.Module]",
    *,
    embedding_size: int | None = None,
    title: str = "",
    mean: tuple[float, float, float] = IMAGENET_MEAN,
    std: tuple[float, float, float] = IMAGENET_STD,
) -> "Backbone":
    """Add a backbone of one's own, so that `finetune(backbone=name, init="random")` and the command line know it.

    It lasts for this process. A package that names the function which registers it in the entry points of the group
    `wce_desktop.backbones` makes it known to every process. Its weights are started from with `init=FILE`. Forward
    passes are computed by OpenVINO where it can convert the network, else by PyTorch.

    Args:
        name: as in settings and in the model's `config.json`.
        make_trunk: makes a randomly initialised network, `(B, 3, S, S)` float32, normalised, to a feature map
            `(B, F, h, w)`, tokens `(B, N, F)` of a square, or a vector `(B, F)`. Of a `torch.nn.Sequential` whose
            children `layer1` to `layer4` end at 1/4, 1/8, 1/16 and 1/32 of the side, single layers can be trained and
            explained; of any other module all or nothing is trained, and only the last feature map is explained.
        embedding_size: F, the length of an embedding; None: as the network says.
        title: as on screen; empty: the name.
        mean: subtracted from RGB in [0, 1].
        std: what the difference is divided by; positive.

    Returns:
        What the program keeps of it.

    Raises:
        TypeError: an argument has the wrong type, or `make_trunk` makes no module.
        ValueError: the name is empty or that of another trunk, a number is out of range, or the network gives
            something else.
    """
    from training.models.backbones import BACKBONES, Backbone
    from training.models.outside import outside_backbone

    if not isinstance(name, str) or not callable(make_trunk):
        raise TypeError("name must be a text, and make_trunk a function without arguments that makes the network")
    if embedding_size is not None and (not isinstance(embedding_size, int) or embedding_size < 1):
        raise ValueError(f"embedding_size must be a whole number of at least 1, not {embedding_size!r}")
    if len(mean) != 3 or len(std) != 3 or min(std) <= 0:
        raise ValueError(f"mean and std need three numbers each, and std positive ones, not {mean} and {std}")
    if not name or ":" in name or (name in BACKBONES and BACKBONES[name].make is not make_trunk):
        raise ValueError(f"name must be new, not empty and without a colon, not {name!r}; see {', '.join(BACKBONES)}")
    trunk = make_trunk()
    if _has_layers(trunk):
        size, make_layers = _channels(trunk), cast("Callable[[], nn.Sequential]", make_trunk)
        backbone = Backbone(name, title or name, size, 0, 0.0, make_layers, mean=mean, std=std)
    else:
        backbone = outside_backbone(name, make_trunk, title=title, mean=mean, std=std)
        size = backbone.embedding_size
    if embedding_size not in (None, size):
        raise ValueError(f"embedding_size must be the trunk's number of channels, {size}, not {embedding_size}")
    BACKBONES[name] = replace(backbone, make=make_trunk)
    return BACKBONES[name]


def _has_layers(trunk: "nn.Module") -> bool:
    """Whether single layers of it can be trained and explained; raises `TypeError` for what is no module."""
    import torch

    if not isinstance(trunk, torch.nn.Module):
        raise TypeError(f"make_trunk must make a torch.nn.Module, not {type(trunk).__name__}")
    names = [name for name, _ in trunk.named_children()]
    return isinstance(trunk, torch.nn.Sequential) and names[-4:] == [f"layer{number}" for number in range(1, 5)]


def _channels(trunk: "nn.Module") -> int:
    """F of a trunk with four layers; raises `ValueError` where their maps have other sides."""
    import torch

    values = torch.zeros(1, 3, 64, 64)
    with torch.inference_mode():
        for name, child in trunk.eval().named_children():
            values = child(values)
            side = 64 >> (int(name[-1]) + 1) if name.startswith("layer") else None
            if side and tuple(values.shape[2:]) != (side, side):
                shape = tuple(values.shape[2:])
                raise ValueError(f"make_trunk: of 64 x 64 px, {name} must make {side} x {side}, but is {shape}")
    return int(values.shape[1])
