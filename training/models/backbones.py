"""ResNet trunks: torchvision's layers up to the last feature map, with no pooling and no classifier."""

from collections import OrderedDict

import torchvision.models as zoo
from torch import Tensor, nn

from training.models.config import BackboneName

# The children of torchvision's ResNet in the order of its forward pass, up to the last feature map.
LAYERS = ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4")
_BUILDERS = {"resnet18": zoo.resnet18, "resnet50": zoo.resnet50}


def build_trunk(backbone: BackboneName) -> nn.Sequential:
    """A randomly initialised trunk (He et al. 2016): (B, 3, S, S) float -> (B, D, ceil(S/32), ceil(S/32)).

    Its state has torchvision's names ("layer1.0.conv1.weight"), so that published weights fit as they are.
    """
    resnet = _BUILDERS[backbone](weights=None)
    return nn.Sequential(OrderedDict((name, getattr(resnet, name)) for name in LAYERS))


def trunk_state(published: dict[str, Tensor]) -> dict[str, Tensor]:
    """The part of a published ResNet's state that belongs to the trunk (all but `fc`)."""
    return {name: tensor for name, tensor in published.items() if not name.startswith("fc.")}
