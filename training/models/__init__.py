"""Networks, what is put into them, and the folder in which a model lies on disk."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import nn

    from training.models.backbones import Backbone

__all__ = ["register_backbone"]

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)
"""Statistics of ImageNet's training pictures, RGB in [0, 1]: what torchvision's weights expect."""


def register_backbone(
    name: str,
    make_trunk: "Callable[[], nn.Sequential]",
    *,
    embedding_size: int,
    title: str = "",
    mean: tuple[float, float, float] = IMAGENET_MEAN,
    std: tuple[float, float, float] = IMAGENET_STD,
) -> "Backbone":
    """Add a backbone of one's own, so that `finetune(backbone=name, init="random")` and the command line know it.

    It lasts for this process: a model with this backbone is opened only where it was registered before. Forward passes
    are computed by PyTorch, and there are no ImageNet weights.

    Args:
        name: as in settings and in the model's `config.json`.
        make_trunk: makes a randomly initialised network, `(B, 3, S, S)` float32, normalised, to
            `(B, embedding_size, ceil(S / 32), ceil(S / 32))`: a `torch.nn.Sequential` whose children `layer1` to
            `layer4` end at 1/4, 1/8, 1/16 and 1/32 of the side.
        embedding_size: channels of its last feature map, the length of an embedding.
        title: as on screen; empty: the name.
        mean: subtracted from RGB in [0, 1].
        std: what the difference is divided by; positive.

    Returns:
        What the program keeps of it.

    Raises:
        TypeError: an argument has the wrong type, or `make_trunk` makes no `Sequential`.
        ValueError: the name is empty or that of another trunk, a number is out of range, or the network lacks a layer
            or gives feature maps of another shape.
    """
    from training.models.backbones import BACKBONES, Backbone

    if not isinstance(name, str) or not callable(make_trunk):
        raise TypeError("name must be a text, and make_trunk a function without arguments that makes the trunk")
    if not isinstance(embedding_size, int) or embedding_size < 1:
        raise ValueError(f"embedding_size must be a whole number of at least 1, not {embedding_size!r}")
    if len(mean) != 3 or len(std) != 3 or min(std) <= 0:
        raise ValueError(f"mean and std need three numbers each, and std positive ones, not {mean} and {std}")
    if not name or (name in BACKBONES and BACKBONES[name].make_trunk is not make_trunk):
        raise ValueError(f"name must be new and not empty, not {name!r}; there are {', '.join(BACKBONES)}")
    _check_trunk(make_trunk(), embedding_size)
    backbone = Backbone(name, title or name, embedding_size, 0, 0.0, make_trunk, mean=mean, std=std)
    BACKBONES[name] = backbone
    return backbone


def _check_trunk(trunk: "nn.Sequential", embedding_size: int) -> None:
    """Try a picture of 64 x 64 px."""
    import torch

    if not isinstance(trunk, torch.nn.Sequential):
        raise TypeError(f"make_trunk must make a torch.nn.Sequential, not {type(trunk).__name__}")
    values, sides = torch.zeros(1, 3, 64, 64), {}
    with torch.inference_mode():
        for name, child in trunk.eval().named_children():
            values = child(values)
            sides[name] = tuple(values.shape[2:])
    for number in range(1, 5):
        side = 64 >> (number + 1)
        if sides.get(f"layer{number}") != (side, side):
            shape = sides.get(f"layer{number}", "missing")
            raise ValueError(f"make_trunk: of 64 x 64 px, layer{number} must make {side} x {side}, but is {shape}")
    if values.shape != (1, embedding_size, 2, 2):
        raise ValueError(
            f"embedding_size must be the trunk's number of channels, {values.shape[1]}, not {embedding_size}"
        )
