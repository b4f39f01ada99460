"""CAMs against the equation, written out."""

import numpy as np
import pytest
import torch

from training.inference.explanation import above, background, normalise_cam
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, class_activation_maps
from training.video import FieldOfView


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


def test_the_background_of_a_score_cam_is_the_median_inside_the_field_of_view() -> None:
    view = FieldOfView("circle", 80, 60, centre=(39.5, 29.5), radius=29.5)
    rng = np.random.default_rng(4)
    values = rng.random((7, 7)).astype(np.float32)
    x_min, y_min, side = view.box
    inside = []  # slowly: each cell by its centre
    for row in range(7):
        for column in range(7):
            x, y = x_min + (column + 0.5) * side / 7, y_min + (row + 0.5) * side / 7
            if view.mask(60, 80)[int(y), int(x)]:
                inside.append(float(values[row, column]))
    assert 30 < len(inside) < 49
    assert background(values, "score-cam", view) == pytest.approx(float(np.median(inside)))
    assert background(values, "quick", view) == background(values, "score-cam", view)
    assert background(values, "cam", view) == 0
    assert background(np.full((3, 3), np.nan, np.float32), "quick", view) == 0
    beyond = FieldOfView("circle", 80, 60, centre=(39.5, 29.5), radius=38.0)  # its square is higher than the frame
    assert 0 < background(values, "quick", beyond) < 1


def test_what_is_not_above_the_background_shows_nothing() -> None:
    values = np.array([[0.2, 0.4], [0.6, 1.0]], np.float32)
    np.testing.assert_allclose(above(values, 0.4), np.array([[0, 0], [1 / 3, 1]]), rtol=1e-6)
    np.testing.assert_allclose(above(values, 0.0, 2.0), values / 2)
    assert not above(values, 0.96).any(), "a flat map has nothing that stands out"
    assert not above(np.full((2, 2), np.nan, np.float32), 0.0).any()
