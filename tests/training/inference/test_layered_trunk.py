"""Feature maps of every layer, against the trunk as it was trained."""

import pytest
import torch

from tests.training.inference.conftest import lively
from training.errors import UserError
from training.inference import layered_trunk
from training.inference.explanation import LAYERS
from training.inference.layered_trunk import LayeredTrunk
from training.models.config import ModelConfig
from training.models.network import FrameClassifier

CPU = torch.device("cpu")


@pytest.fixture(scope="module", params=["resnet18", "resnet50"])
def network(request: pytest.FixtureRequest) -> FrameClassifier:
    """Either backbone, with batch normalisation that does something."""
    torch.manual_seed(0)
    return lively(FrameClassifier(ModelConfig(backbone=request.param, classes=("normal", "polyp"), input_size=64)))


@pytest.mark.parametrize("is_fused", [True, False])
@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer(network: FrameClassifier, layer: str, is_fused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_fused:
        monkeypatch.setattr(layered_trunk, "fused", lambda trunk: None)
    images = torch.randn(2, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        trunk = LayeredTrunk(network.trunk, CPU, torch.float32)
        found, last = trunk.layer_and_features(images, layer)
        wanted = images
        for name, child in network.trunk.named_children():
            wanted = child(wanted)
            if name == layer:
                of_layer = wanted.clone()
    assert is_fused or not trunk.is_fused
    torch.testing.assert_close(found, of_layer, rtol=1e-3, atol=1e-3 * float(of_layer.abs().max()))
    torch.testing.assert_close(last, wanted, rtol=1e-3, atol=1e-3 * float(wanted.abs().max()))


def test_a_layer_that_does_not_exist(network: FrameClassifier) -> None:
    with pytest.raises(UserError, match="no layer 'fc'"):
        LayeredTrunk(network.trunk, CPU, torch.float32).layer_and_features(torch.zeros(1, 3, 64, 64), "fc")
