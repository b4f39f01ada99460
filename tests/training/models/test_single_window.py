"""Leaving out what only padding sees changes no sum and no gradient."""

import pytest
import torch
from torch import nn

from training.methods.pgcon_heads import SingleWindowConv2d, use_single_windows
from training.models.backbones import find_backbone


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("sides", [(1, 1), (2, 2), (1, 2), (2, 1), (3, 3), (1, 5)])
def test_a_convolution_and_its_gradients_are_those_of_its_parent(sides: tuple[int, int], stride: int) -> None:
    torch.manual_seed(0)
    plain = nn.Conv2d(5, 7, 3, stride, 1).double()
    ours = SingleWindowConv2d.like(plain)
    maps = torch.randn(4, 5, *sides, dtype=torch.float64)
    found = []
    for conv in (plain, ours):
        seen = maps.clone().requires_grad_()
        answer = conv(seen)
        weights = torch.arange(answer.numel(), dtype=torch.float64).view_as(answer)
        asked = torch.autograd.grad((weights * answer).sum(), (seen, conv.weight, conv.bias))  # type: ignore[arg-type]
        found.append((answer, *asked))
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_which_maps_are_laid_under_the_kernel_once() -> None:
    by_stride = {stride: SingleWindowConv2d(1, 1, 3, stride, 1) for stride in (1, 2)}
    once = {(stride, side) for stride, conv in by_stride.items() for side in range(1, 6) if conv.is_laid_once(0, side)}
    assert once == {(1, 1), (2, 1), (2, 2)}


def test_a_trunk_keeps_names_weights_and_what_it_says_of_tiles() -> None:
    torch.manual_seed(0)
    trunk = find_backbone("resnet18").make_trunk().double().eval()
    tiles = torch.rand(3, 3, 32, 32, dtype=torch.float64)
    before, names = trunk(tiles), list(trunk.state_dict())
    use_single_windows(trunk)
    assert list(trunk.state_dict()) == names
    assert isinstance(trunk.get_submodule("layer4.1.conv2"), SingleWindowConv2d)
    torch.testing.assert_close(trunk(tiles), before)
