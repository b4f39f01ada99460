"""Networks of other libraries, or of one's own, as trunks: any module that makes a feature map, tokens or a vector."""

import importlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, cast

import torch
from torch import Tensor, nn

from training.errors import UserError
from training.models import IMAGENET_MEAN, IMAGENET_STD
from training.models.backbones import Backbone

LAST = "layer4"
"""The only child of such a trunk; the program's own trunks have four."""
TRIED_PX, OTHER_PX = 224, 160
"""Sides of the pictures that a network is tried with; one that refuses the second is used with the first only."""


class FeatureMap(nn.Module):
    """A module whose output is made a feature map (B, F, h, w).

    (B, F, h, w) stays as it is. Of tokens (B, N, F) the last h x w in rows are the map, where h = w = ceil(S / stride):
    what comes before them (class and register tokens) is left out. A vector (B, F) becomes one position.
    """

    def __init__(self, module: nn.Module, stride: int = 0) -> None:
        super().__init__()
        self.module = module
        self.stride = stride

    def forward(self, images: Tensor) -> Tensor:
        """(B, 3, S, S) -> (B, F, h, w)"""
        values: Tensor = self.module(images)
        if values.ndim == 4:
            return values
        if values.ndim == 2:
            return values[:, :, None, None]
        side = -(-images.shape[-1] // self.stride) if self.stride else int((values.shape[1]) ** 0.5)
        return values[:, -side * side :].transpose(1, 2).reshape(-1, values.shape[2], side, side)


def trunk_of(build: Callable[[], nn.Module], stride: int = 0) -> nn.Sequential:
    """A trunk with one child; `stride`: see `FeatureMap`."""
    return nn.Sequential(OrderedDict({LAST: FeatureMap(build(), stride)}))


def fix_input_size(trunk: nn.Module, size: int) -> None:
    """Resample the position embeddings of timm's transformers for S x S px, once: OpenVINO resamples them otherwise."""
    for module in trunk.modules():
        if getattr(module, "dynamic_img_size", False) and hasattr(module, "set_input_size"):
            vit: Any = module
            vit.set_input_size(tuple(-(-size // patch) * patch for patch in vit.patch_embed.patch_size))


def outside_backbone(
    name: str,
    build: Callable[[], nn.Module],
    *,
    title: str = "",
    mean: tuple[float, float, float] = IMAGENET_MEAN,
    std: tuple[float, float, float] = IMAGENET_STD,
    load_published: Callable[[], nn.Module] | None = None,
) -> Backbone:
    """Try a network with a picture and say what it is.

    Args:
        name: of the backbone.
        build: makes the network, randomly initialised.
        title: as on screen; empty: the name.
        mean: subtracted from RGB in [0, 1].
        std: what the difference is divided by.
        load_published: makes it with published weights, which may be downloaded.

    Raises:
        TypeError: `build` makes no module.
        ValueError: the output is no square feature map, no tokens of a square, and no vector.
    """
    module = build()
    if not isinstance(module, nn.Module):
        raise TypeError(f"make_trunk must make a torch.nn.Module, not {type(module).__name__}")
    prefix = "" if _has_layers(module) else f"{LAST}.module."

    def trunk_state(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
        return {f"{prefix}{key}": value for key, value in state.items()}

    common: dict[str, Any] = {"title": title or name, "gflops": 0.0, "mean": mean, "std": std, "build": build}
    common |= {"name": name, "parameters": sum(weight.numel() for weight in module.parameters())}
    if load_published is not None:
        make = load_published
        common["load_published"] = lambda: trunk_state(make().state_dict())
    if not prefix:
        return Backbone(embedding_size=_channels(module.eval()), make_trunk=cast(Any, build), **common)
    shape, only_px = _tried(module.eval())
    is_tokens = len(shape) == 3
    side = {2: 1, 3: int(shape[1] ** 0.5), 4: shape[-1]}[len(shape)]
    if len(shape) == 4 and shape[2] != side:
        raise ValueError(f"the feature map must be square, not {shape[2:]}")
    stride = -(-TRIED_PX // side) if side > 1 else TRIED_PX * 10
    return Backbone(
        embedding_size=shape[2] if is_tokens else shape[1],
        make_trunk=partial(trunk_of, build, stride if is_tokens else 0),
        trunk_state=trunk_state,
        stride=stride,
        layers=(LAST,),
        sees_tokens=is_tokens,
        only_px=only_px,
        **common,
    )


def _tried(module: nn.Module) -> tuple[tuple[int, ...], int | None]:
    """Shape of its output for `TRIED_PX`, and the only size that it takes, if it takes no other."""
    with torch.inference_mode():
        raw = module(torch.zeros(1, 3, TRIED_PX, TRIED_PX))
        if not isinstance(raw, Tensor) or raw.ndim not in (2, 3, 4):
            shape = tuple(raw.shape) if isinstance(raw, Tensor) else type(raw).__name__
            raise ValueError(
                f"the network must make a map (B, F, h, w), tokens (B, N, F) or a vector (B, F), not {shape}"
            )
        try:
            module(torch.zeros(1, 3, OTHER_PX, OTHER_PX))
        except (RuntimeError, AssertionError, ValueError):
            return tuple(raw.shape), TRIED_PX
    return tuple(raw.shape), None


def _has_layers(trunk: nn.Module) -> bool:
    """Whether single layers of it can be trained and explained."""
    names = [name for name, _ in trunk.named_children()]
    return isinstance(trunk, nn.Sequential) and names[-4:] == [f"layer{number}" for number in range(1, 5)]


def _channels(trunk: nn.Module) -> int:
    """F of a trunk with four layers; raises `ValueError` where their maps have other sides."""
    values = torch.zeros(1, 3, 64, 64)
    with torch.inference_mode():
        for name, child in trunk.named_children():
            values = child(values)
            side = 64 >> (int(name[-1]) + 1) if name.startswith("layer") else None
            if side and tuple(values.shape[2:]) != (side, side):
                shape = tuple(values.shape[2:])
                raise ValueError(f"make_trunk: of 64 x 64 px, {name} must make {side} x {side}, but is {shape}")
    return int(values.shape[1])


@cache
def library_backbone(name: str) -> Backbone:
    """A network of timm or torchvision, "timm:NAME"; the library is imported now.

    Raises:
        UserError: the library is not installed, or has no such network, or it makes nothing that can be used.
    """
    library, _, network = name.partition(":")
    make = {"timm": _timm, "torchvision": _torchvision}[library]
    try:
        return make(name, network)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise UserError(
            "The backbone {name} needs the package {library}, which is not installed.",
            "Install it with: pip install 'wce-desktop[{extra}]'",
            name,
            library,
            library,
        ) from error
    except (RuntimeError, ValueError, TypeError, AssertionError) as error:
        raise UserError(
            "{library} has no network {network} that can be a backbone: {error}.",
            "Check the name.",
            library,
            network,
            str(error).splitlines()[0].rstrip("."),
        ) from error


def _timm(name: str, network: str) -> Backbone:
    import timm

    model = timm.create_model(network, pretrained=False, num_classes=0)
    settings: dict[str, Any] = {"num_classes": 0, "global_pool": ""}
    if hasattr(model, "pos_embed") and hasattr(model, "patch_embed"):
        settings |= {"dynamic_img_size": True, "dynamic_img_pad": True}  # any input size
    shown: Any = model.pretrained_cfg
    return outside_backbone(
        name,
        lambda: _channels_first(timm.create_model(network, pretrained=False, **settings)),
        mean=tuple(shown.get("mean", IMAGENET_MEAN)),
        std=tuple(shown.get("std", IMAGENET_STD)),
        load_published=lambda: _channels_first(timm.create_model(network, pretrained=True, **settings)),
    )


def _channels_first(model: Any) -> nn.Module:
    """timm's networks whose maps are (B, h, w, F) say so."""
    return _Moved(model) if getattr(model, "output_fmt", "NCHW") == "NHWC" else model


class _Moved(nn.Module):
    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, images: Tensor) -> Tensor:
        values: Tensor = self.module(images)
        return values.permute(0, 3, 1, 2)


def _torchvision(name: str, network: str) -> Backbone:
    torchvision = importlib.import_module("torchvision")  # only here, and only where it is asked for by name

    def build(weights: str | None = None) -> nn.Module:
        return _until_pooled(torchvision.models.get_model(network, weights=weights))

    return outside_backbone(name, build, load_published=partial(build, "DEFAULT"))


def _until_pooled(model: nn.Module) -> nn.Module:
    """The children before the pooling; torchvision's networks of images are sequences of them."""
    kept: OrderedDict[str, nn.Module] = OrderedDict()
    for name, child in model.named_children():
        if isinstance(child, nn.AdaptiveAvgPool2d | nn.Linear) or name in ("classifier", "fc", "heads", "head"):
            break
        kept[name] = child
    if not kept:
        raise ValueError("it is no sequence that ends with a pooling")
    return nn.Sequential(kept)
