"""CAMs against the equation, written out."""

import numpy as np
import pytest
import torch

from training.inference.cam import normalise_cam
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, class_activation_maps


def test_equation_7_written_out() -> None:
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(2, 5, 3, 4, generator=generator)
    weight = torch.randn(3, 5, generator=generator)
    maps = class_activation_maps(features, weight)
    for b, c, y, x in np.ndindex(2, 3, 3, 4):
        wanted = sum(float(weight[c, k]) * float(features[b, k, y, x]) for k in range(5))
        assert float(maps[b, c, y, x]) == pytest.approx(wanted, abs=1e-5)


def test_the_mean_over_positions_is_the_logit_less_the_bias() -> None:
    network = FrameClassifier(ModelConfig(classes=("normal", "polyp"), input_size=96)).eval()
    with torch.inference_mode():
        output = network(torch.randint(0, 256, (3, 96, 96, 3), dtype=torch.uint8))
        maps = class_activation_maps(output.features, network.classifier.weight)
    assert torch.allclose(maps.mean((2, 3)), output.logits - network.classifier.bias, atol=1e-4)


@pytest.mark.parametrize("shapes", [((2, 5, 3), (3, 5)), ((2, 5, 3, 3), (3, 4)), ((2, 5, 3, 3), (5,))])
def test_shapes_that_do_not_fit(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        class_activation_maps(torch.zeros(shapes[0]), torch.zeros(shapes[1]))


def test_shown_it_spans_zero_to_one_by_its_own_peak() -> None:
    shown = normalise_cam(np.array([[-3.0, 0.0], [1.0, 4.0]], np.float16))
    assert shown.dtype == np.float32
    assert np.array_equal(shown, np.array([[0, 0], [0.25, 1]], np.float32))


@pytest.mark.parametrize("value", [-2.0, 0.0, np.nan])
def test_without_evidence_nothing_is_shown(value: float) -> None:
    assert np.array_equal(normalise_cam(np.full((2, 2), value, np.float16)), np.zeros((2, 2)))
