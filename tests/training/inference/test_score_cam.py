"""Score-CAM against the definition written out, on two channels by hand and on a small ResNet."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.tiny_backbone import TINY
from tests.training.inference.conftest import lively
from tests.training.inference.slow_score_cam import slow_score_cam
from training.compute.plan import ComputePlan, choose_plan
from training.errors import UserError
from training.inference.engine import Engine, EngineOutput, FrameLook, ModelOutput
from training.inference.explained_model import ExplainedModel, class_logit
from training.inference.explanation import LAYERS
from training.inference.score_cam import MaskedPasses, finished, quick_passes, quick_score_cam, score_cam
from training.models.backbones import BACKBONES
from training.models.config import ModelConfig
from training.models.inference_network import InferenceNetwork
from training.models.network import FrameClassifier, inference_network
from training.models.resnet import BasicBlock, resnet_trunk
from training.runs.reporter import Cancelled, SilentReporter

FLOAT32 = choose_plan("cpu", precision="float32")


def explained(network: FrameClassifier, plan: ComputePlan = FLOAT32) -> ExplainedModel:
    return ExplainedModel(inference_network(network), plan)


class Asking(SilentReporter):
    """Notes progress; asks to end, or to stop, once so many channels are done."""

    def __init__(self, cancel_at: int = 10**9, stop_at: int = 10**9) -> None:
        self.told: list[tuple[int, int]] = []
        self.cancel_at, self.stop_at = cancel_at, stop_at

    @property
    def done(self) -> int:
        return self.told[-1][0] if self.told else 0

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return self.done >= self.stop_at

    def check(self) -> None:
        if self.done >= self.cancel_at:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        assert (unit, what) == ("channels", "Score-CAM")
        self.told.append((done, total))


CHANNELS = (64, 64, 64, 128)
"""Of the four layers: each is a pass through the network."""
SMALL = replace(
    TINY,
    name="small",
    embedding_size=CHANNELS[-1],
    make_trunk=lambda: resnet_trunk(BasicBlock, (1, 1, 1, 1), CHANNELS),
)


@pytest.fixture(scope="module")
def network() -> Iterator[FrameClassifier]:
    """Three classes on 64 px with an embedding layer; twenty channels of its last layer are silent."""
    torch.manual_seed(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BACKBONES, SMALL.name, SMALL)
        config = ModelConfig(
            backbone=SMALL.name, classes=("normal", "polyp", "blood"), input_size=64, embedding_layer=128
        )
        made = lively(FrameClassifier(config))
        layer4: Any = made.trunk.layer4
        with torch.no_grad():
            layer4[-1].bn2.bias[:20] = -1000
        yield made


@pytest.fixture(scope="module")
def prepared() -> NDArray[np.uint8]:
    """(64, 64, 3) with some structure."""
    generator = np.random.default_rng(0)
    coarse = generator.integers(0, 256, (8, 8, 3), np.uint8)
    return np.kron(coarse, np.ones((8, 8, 1), np.uint8)).astype(np.uint8)


@pytest.mark.parametrize(("layer", "column"), [("layer4", 1), ("layer1", 2)])
def test_exact_is_the_definition_written_out(
    network: FrameClassifier, prepared: NDArray[np.uint8], layer: str, column: int
) -> None:
    found = score_cam(explained(network), prepared, class_logit(column), layer=layer)
    wanted, increases = slow_score_cam(network, prepared, column, layer)
    assert increases.std() > 0.01, "a reference that can tell channels apart"
    np.testing.assert_allclose(found.increase, increases, atol=2e-3)
    np.testing.assert_allclose(found.map, wanted, rtol=1e-3, atol=1e-3 * wanted.max())
    assert found.weights.sum() == pytest.approx(1, abs=1e-5)


def test_channels_that_are_the_same_everywhere_need_no_pass(
    network: FrameClassifier, prepared: NDArray[np.uint8]
) -> None:
    found = score_cam(explained(network), prepared, class_logit(1))
    assert found.passes <= CHANNELS[-1] - 20 + 1
    assert not found.increase[:20].any()
    assert found.weights[0] > 0, "they take part in the softmax all the same"


def test_without_any_structure_the_map_is_black_or_even(network: FrameClassifier) -> None:
    black = np.zeros((64, 64, 3), np.uint8)
    for channel in range(3):
        black[..., channel] = round(255 * network.config.mean[channel])
    found = score_cam(explained(network), black, class_logit(1), layer="layer1")
    assert np.isfinite(found.map).all()
    assert (found.map >= 0).all()


def test_half_precision_shows_the_same(network: FrameClassifier, prepared: NDArray[np.uint8]) -> None:
    exact = score_cam(explained(network), prepared, class_logit(1), layer="layer1")
    plan = choose_plan("cpu", precision="bfloat16")
    rough = score_cam(explained(network, plan), prepared, class_logit(1), layer="layer1")
    assert np.corrcoef(exact.map.ravel(), rough.map.ravel())[0, 1] > 0.999


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_batches_make_no_difference(network: FrameClassifier, prepared: NDArray[np.uint8], batch: int) -> None:
    plain = score_cam(explained(network), prepared, class_logit(0), layer="layer1")
    model = explained(network, replace(FLOAT32, batch=batch))
    batched = score_cam(model, prepared, class_logit(0), layer="layer1")
    np.testing.assert_allclose(batched.increase, plain.increase, atol=1e-3)


def test_progress_is_told_and_a_cancel_ends_it(network: FrameClassifier, prepared: NDArray[np.uint8]) -> None:
    model = explained(network)
    reporter = Asking()
    score_cam(model, prepared, class_logit(1), layer="layer1", reporter=reporter)
    dones = [done for done, _ in reporter.told]
    assert dones == sorted(dones)
    assert reporter.told[-1][0] == reporter.told[-1][1] >= 60
    for asking in (Asking(cancel_at=8), Asking(stop_at=8)):
        with pytest.raises(Cancelled):
            score_cam(model, prepared, class_logit(1), layer="layer1", reporter=asking)
        assert asking.done <= 8 + FLOAT32.batch * (2 * FLOAT32.lanes + 1), "nothing new is begun"


def test_quick_goes_on_to_the_exact_one_without_asking_twice(
    network: FrameClassifier, prepared: NDArray[np.uint8]
) -> None:
    model = explained(network)
    passes = MaskedPasses(model, prepared, class_logit(1), "layer2")
    reporter = Asking()
    quick = quick_passes(passes, reporter, 40)
    assert quick.passes == 41
    assert reporter.told[-1] == (40, 40)
    exact = finished(passes, reporter)
    alone = score_cam(model, prepared, class_logit(1), layer="layer2")
    assert exact.passes == alone.passes
    np.testing.assert_allclose(exact.map, alone.map, rtol=1e-3, atol=1e-4)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(quick.increase, alone.increase, atol=1e-3)
    assert np.corrcoef(quick.map.ravel(), exact.map.ravel())[0, 1] > 0.9


def test_quick_over_all_channels_is_the_exact_one(network: FrameClassifier, prepared: NDArray[np.uint8]) -> None:
    model = explained(network)
    quick = quick_score_cam(model, prepared, class_logit(2), layer="layer1", channels=1000)
    exact = score_cam(model, prepared, class_logit(2), layer="layer1")
    np.testing.assert_allclose(quick.map, exact.map, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("ask", [score_cam, quick_score_cam])
def test_a_layer_that_does_not_exist(network: FrameClassifier, prepared: NDArray[np.uint8], ask: Any) -> None:
    with pytest.raises(UserError, match="no layer 'layer5'") as raised:
        ask(explained(network), prepared, class_logit(1), layer="layer5")
    assert ", ".join(LAYERS) in raised.value.hint


def test_a_tiny_network_by_hand() -> None:
    """Two channels, one of which is the left half of the input: worked out on paper."""

    left = np.array([[1, 0], [1, 0]], np.float32)
    maps = np.stack([left, 1 - left])
    weight, bias = np.array([[0, 0], [1, -1]], np.float32), np.float32(0.5)

    class Halves(Engine):
        """Its two channels are the halves of a white frame."""

        def run(self, frames: NDArray[np.uint8]) -> EngineOutput:
            raise NotImplementedError

        def look(self, frame: NDArray[np.uint8], layer: str) -> FrameLook:
            return FrameLook(maps, maps, self.masked(frame, np.ones((1, 2, 2), np.float32)))

        def masked(self, frame: NDArray[np.uint8], activations: NDArray[np.float32]) -> ModelOutput:
            pooled = (activations[:, None] * maps).mean((2, 3))
            return ModelOutput(pooled, pooled @ weight.T + bias)

    network = InferenceNetwork("tiny", "tiny", ("normal", "left"), 2, (0, 0, 0), (1, 1, 1), {})
    model = ExplainedModel.__new__(ExplainedModel)
    model.network, model.plan, model.pretrained = network, FLOAT32, None
    model.exact = model.fast = Halves(network, FLOAT32)
    white = np.full((2, 2, 3), 255, np.uint8)
    found = score_cam(model, white, class_logit(1))
    # Masked by "left" the pooled channels are (1/2, 0): logit 1/2 + bias; by "right" (0, 1/2): -1/2 + bias. X_b gives
    # the bias, so the increases are 1/2 and -1/2.
    np.testing.assert_allclose(found.increase, [0.5, -0.5], atol=1e-6)
    weight = np.exp(0.5) / (np.exp(0.5) + np.exp(-0.5))
    np.testing.assert_allclose(found.map, [[weight, 1 - weight]] * 2, atol=1e-6)
    assert found.passes == 3
