"""The ResNet-50 V2 trunk has Keras' numbers of weights, and computes what its stacks, written out, compute."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.models.resnet import PreActivationBottleneck, resnet50_v2_trunk

KERAS_TOTAL, KERAS_STATISTICS = 23_564_800, 45_440
"""`ResNet50V2(include_top=False).summary()`: total and non-trainable parameters."""


@pytest.fixture(scope="module")
def trunk() -> nn.Sequential:
    torch.manual_seed(0)
    made = resnet50_v2_trunk()
    for module in made.modules():  # so that biases and statistics make a difference
        if isinstance(module, nn.BatchNorm2d):
            assert module.running_mean is not None
            assert module.running_var is not None
            nn.init.uniform_(module.running_mean, -0.1, 0.1)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.1, 0.1)
        elif isinstance(module, nn.Conv2d) and module.bias is not None:
            nn.init.uniform_(module.bias, -0.1, 0.1)
    return made.eval()


def convolution_biases(trunk: nn.Module) -> int:
    convolutions = [module for module in trunk.modules() if isinstance(module, nn.Conv2d)]
    return sum(each.bias.numel() for each in convolutions if each.bias is not None)


def test_keras_counts_as_many_parameters(trunk: nn.Sequential) -> None:
    weights = sum(parameter.numel() for parameter in trunk.parameters())
    statistics = sum(buffer.numel() for name, buffer in trunk.named_buffers() if "running" in name)
    assert statistics == KERAS_STATISTICS
    assert weights + statistics == KERAS_TOTAL
    assert round(weights / 1e6, 1) == 23.5


def test_timm_has_as_many_without_the_biases(trunk: nn.Sequential) -> None:
    timm = pytest.importorskip("timm")
    theirs = sum(parameter.numel() for parameter in timm.create_model("resnetv2_50", num_classes=0).parameters())
    assert sum(parameter.numel() for parameter in trunk.parameters()) - convolution_biases(trunk) == theirs


def written_out(trunk: nn.Sequential, images: Tensor) -> Tensor:
    """Keras' `ResNet` with `stack2`: conv2 to conv5, the stride in the last block of the first three."""
    blocks = iter([module for module in trunk.modules() if isinstance(module, PreActivationBottleneck)])
    first = trunk[0]
    assert isinstance(first, nn.Conv2d)
    x = functional.conv2d(functional.pad(images, (3, 3, 3, 3)), first.weight, first.bias, stride=2)
    x = functional.max_pool2d(functional.pad(x, (1, 1, 1, 1)), 3, stride=2)
    for count, stride in ((3, 2), (4, 2), (6, 2), (3, 1)):
        for number in range(count):
            x = block(next(blocks), x, number == 0, stride if number == count - 1 else 1)
    last = [module for module in trunk.modules() if isinstance(module, nn.BatchNorm2d)][-1]
    return norm_and_relu(last, x)


def block(weights: PreActivationBottleneck, x: Tensor, has_projection: bool, stride: int) -> Tensor:
    """Keras' `block2`."""
    active = norm_and_relu(weights.bn1, x)
    shortcut = x[..., ::stride, ::stride]
    if has_projection:
        assert weights.projection is not None
        shortcut = functional.conv2d(active, weights.projection.weight, weights.projection.bias, stride)
    out = norm_and_relu(weights.bn2, functional.conv2d(active, weights.conv1.weight))
    out = functional.conv2d(functional.pad(out, (1, 1, 1, 1)), weights.conv2.weight, None, stride)
    out = norm_and_relu(weights.bn3, out)
    return shortcut + functional.conv2d(out, weights.conv3.weight, weights.conv3.bias)


def norm_and_relu(norm: nn.BatchNorm2d, x: Tensor) -> Tensor:
    assert norm.running_mean is not None
    assert norm.running_var is not None
    mean, variance, weight, bias = (
        part.view(1, -1, 1, 1) for part in (norm.running_mean, norm.running_var, norm.weight, norm.bias)
    )
    return ((x - mean) / (variance + 1.001e-5).sqrt() * weight + bias).relu()


@torch.no_grad()
def test_the_trunk_equals_keras_stacks_written_out(trunk: nn.Sequential) -> None:
    images = torch.rand(1, 3, 65, 97, generator=torch.Generator().manual_seed(1))
    features = trunk(images)
    expected = written_out(trunk, images)
    assert features.shape == (1, 2048, 3, 4)
    torch.testing.assert_close(features, expected, rtol=1e-4, atol=1e-4 * float(expected.max()))


@torch.no_grad()
def test_layers_end_where_those_of_other_trunks_do(trunk: nn.Sequential) -> None:
    x, sides = torch.rand(1, 3, 65, 65), {}
    for name, child in trunk.named_children():
        x = child(x)
        sides[name] = tuple(x.shape[1:3])
    found = {name: side for name, side in sides.items() if name.startswith("layer")}
    assert found == {"layer1": (256, 17), "layer2": (512, 9), "layer3": (1024, 5), "layer4": (2048, 3)}
