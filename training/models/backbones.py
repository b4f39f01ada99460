"""The trunks that a model can have, by name."""

from torch import Tensor, nn

from training.models.config import BackboneName
from training.models.resnet import BasicBlock, Bottleneck, resnet_trunk

# The children of a trunk in the order of its forward pass, up to the last feature map.
LAYERS = ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4")


def build_trunk(backbone: BackboneName) -> nn.Sequential:
    """A randomly initialised trunk (He et al. 2016): (B, 3, S, S) float -> (B, D, ceil(S/32), ceil(S/32)).

    Its state has torchvision's names ("layer1.0.conv1.weight"), so that published weights fit as they are.
    """
    if backbone == "resnet18":
        return resnet_trunk(BasicBlock, (2, 2, 2, 2))
    return resnet_trunk(Bottleneck, (3, 4, 6, 3))


def trunk_state(published: dict[str, Tensor]) -> dict[str, Tensor]:
    """The part of a published ResNet's state that belongs to the trunk (all but `fc`)."""
    return {name: tensor for name, tensor in published.items() if not name.startswith("fc.")}
