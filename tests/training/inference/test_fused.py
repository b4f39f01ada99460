"""Folded and fused trunks compute what the plain one computes."""

import pytest
import torch

from tests.training.inference.conftest import lively
from training.inference import fused as module
from training.inference.fused import fused
from training.inference.layered_trunk import folded
from training.models.config import ModelConfig
from training.models.network import FrameClassifier


def network_of(backbone: str) -> FrameClassifier:
    torch.manual_seed(0)
    config = ModelConfig.model_validate({"backbone": backbone, "classes": ("normal", "polyp"), "input_size": 64})
    return lively(FrameClassifier(config)).requires_grad_(False)


def difference(wanted: torch.Tensor, found: torch.Tensor) -> float:
    return float((found.float() - wanted).abs().max() / wanted.abs().max())


@pytest.mark.parametrize("backbone", ["resnet18", "resnet50"])
def test_both_forms_agree_with_the_plain_trunk(backbone: str) -> None:
    plain = network_of(backbone).trunk
    images = torch.randn(3, 3, 64, 64, generator=torch.Generator().manual_seed(1))
    images = images.to(memory_format=torch.channels_last)
    with torch.inference_mode():
        wanted = plain(images)
        fold = folded(plain).to(memory_format=torch.channels_last)
        assert not any(isinstance(part, torch.nn.BatchNorm2d) for part in fold.modules())
        assert difference(wanted, fold(images)) < 1e-4
        fast = fused(fold)
        if fast is None:
            pytest.skip("this torch has no fused operations for this CPU")
        assert difference(wanted, fast(images)) < 1e-4
        assert torch.equal(fast(images), fast(images))  # the input is not written over


def test_folding_leaves_the_original_alone() -> None:
    plain = network_of("resnet18").trunk
    before = {name: tensor.clone() for name, tensor in plain.state_dict().items()}
    folded(plain)
    assert all(torch.equal(tensor, before[name]) for name, tensor in plain.state_dict().items())


def test_where_the_operations_are_missing_or_wrong_the_plain_layers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = folded(network_of("resnet18").trunk)

    def missing(_: torch.nn.Sequential) -> torch.nn.Sequential:
        raise AttributeError("no attribute '_convolution_pointwise'")

    monkeypatch.setattr(module, "_build", missing)
    assert fused(fold) is None
    monkeypatch.setattr(module, "_build", lambda trunk: torch.nn.Sequential(*trunk, torch.nn.Hardtanh(-1e-3, 1e-3)))
    assert fused(fold) is None
