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
    make_trunk: "Callable[[], nn.Module]",
    *,
    embedding_size: int | None = None,
    title: str = "",
    mean: tuple[float, float, float] = IMAGENET_MEAN,
    std: tuple[float, float, float] = IMAGENET_STD,
    load_published: "Callable[[], nn.Module] | None" = None,
) -> "Backbone":
    """Add a backbone of one's own, so that `finetune(backbone=name)` and the command line know it.

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
        load_published: makes the network with published weights, which it may download, as `torch.hub.load` does;
            called for `init="imagenet"` where `download=True` allows it, and its weights are then kept.

    Returns:
        What the program keeps of it.

    Raises:
        TypeError: an argument has the wrong type, or `make_trunk` makes no module.
        ValueError: the name is empty or that of another trunk, a number is out of range, or the network gives
            something else.
    """
    from training.models.backbones import BACKBONES
    from training.models.outside import outside_backbone

    if not isinstance(name, str) or not callable(make_trunk):
        raise TypeError("name must be a text, and make_trunk a function without arguments that makes the network")
    if embedding_size is not None and (not isinstance(embedding_size, int) or embedding_size < 1):
        raise ValueError(f"embedding_size must be a whole number of at least 1, not {embedding_size!r}")
    if len(mean) != 3 or len(std) != 3 or min(std) <= 0:
        raise ValueError(f"mean and std need three numbers each, and std positive ones, not {mean} and {std}")
    if not name or ":" in name or (name in BACKBONES and BACKBONES[name].build is not make_trunk):
        raise ValueError(f"name must be new, not empty and without a colon, not {name!r}; see {', '.join(BACKBONES)}")
    backbone = outside_backbone(name, make_trunk, title=title, mean=mean, std=std, load_published=load_published)
    if embedding_size not in (None, backbone.embedding_size):
        size = backbone.embedding_size
        raise ValueError(f"embedding_size must be the trunk's number of channels, {size}, not {embedding_size}")
    BACKBONES[name] = backbone
    return backbone
