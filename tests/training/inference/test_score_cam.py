"""Score-CAM against the definition written out, on a tiny network and on a ResNet-18."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from tests.training.inference.conftest import lively
from tests.training.inference.slow_score_cam import slow_score_cam
from training.compute.plan import choose_plan
from training.errors import UserError
from training.inference.explained_model import ExplainedModel, class_logit
from training.inference.explanation import LAYERS
from training.inference.masked_passes import MaskedPasses, masks_of
from training.inference.score_cam import finished, score_cam
from training.inference.score_cam_quick import quick_passes, quick_score_cam
from training.models.config import ModelConfig
from training.models.network import FrameClassifier
from training.runs.reporter import Cancelled, SilentReporter

CPU = torch.device("cpu")
FLOAT32 = choose_plan(CPU, precision="float32")


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


class Noting(SilentReporter):
    """Keeps what is logged."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture(scope="module")
def network() -> FrameClassifier:
    """A ResNet-18 of three classes on 64 px with an embedding layer; twenty channels of its last layer are silent."""
    torch.manual_seed(1)
    config = ModelConfig(classes=("normal", "polyp", "blood"), input_size=64, embedding_layer=128)
    made = lively(FrameClassifier(config))
    layer4: Any = made.trunk.layer4
    with torch.no_grad():
        layer4[-1].bn2.bias[:20] = -1000
    return made


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
    found = score_cam(ExplainedModel.of(network, FLOAT32), prepared, class_logit(column), layer=layer)
    wanted, increases = slow_score_cam(network, prepared, column, layer)
    assert increases.std() > 0.01, "a reference that can tell channels apart"
    np.testing.assert_allclose(found.increase, increases, atol=2e-3)
    np.testing.assert_allclose(found.map, wanted, rtol=1e-3, atol=1e-3 * wanted.max())
    assert found.weights.sum() == pytest.approx(1, abs=1e-5)


def test_channels_that_are_the_same_everywhere_need_no_pass(
    network: FrameClassifier, prepared: NDArray[np.uint8]
) -> None:
    found = score_cam(ExplainedModel.of(network, FLOAT32), prepared, class_logit(1))
    assert found.passes <= 512 - 20 + 1
    assert not found.increase[:20].any()
    assert found.weights[0] > 0, "they take part in the softmax all the same"


def test_without_any_structure_the_map_is_black_or_even(network: FrameClassifier) -> None:
    black = np.zeros((64, 64, 3), np.uint8)
    for channel in range(3):
        black[..., channel] = round(255 * network.config.mean[channel])
    found = score_cam(ExplainedModel.of(network, FLOAT32), black, class_logit(1), layer="layer1")
    assert np.isfinite(found.map).all()
    assert (found.map >= 0).all()


def test_half_precision_shows_the_same(network: FrameClassifier, prepared: NDArray[np.uint8]) -> None:
    exact = score_cam(ExplainedModel.of(network, FLOAT32), prepared, class_logit(1), layer="layer1")
    plan = choose_plan(CPU, precision="bfloat16")
    rough = score_cam(ExplainedModel.of(network, plan), prepared, class_logit(1), layer="layer1")
    assert np.corrcoef(exact.map.ravel(), rough.map.ravel())[0, 1] > 0.999


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_batches_make_no_difference(network: FrameClassifier, prepared: NDArray[np.uint8], batch: int) -> None:
    model = ExplainedModel.of(network, FLOAT32)
    plain = score_cam(model, prepared, class_logit(0), layer="layer1")
    batched = score_cam(model, prepared, class_logit(0), layer="layer1", batch=batch)
    np.testing.assert_allclose(batched.increase, plain.increase, atol=1e-3)


def test_masks_written_out() -> None:
    activations = torch.tensor([[[0.0, 2.0], [4.0, 8.0]], [[3.0, 3.0], [3.0, 3.0]]])
    masks = masks_of(activations, 2)
    assert torch.allclose(masks[0, 0], torch.tensor([[0, 0.25], [0.5, 1]]))
    assert not masks[1].any()
    assert masks_of(activations, 8).shape == (2, 1, 8, 8)
    assert float(masks_of(activations, 8)[0].max()) == 1


def test_nothing_is_left_in_the_network(network: FrameClassifier, prepared: NDArray[np.uint8]) -> None:
    def state() -> list[object]:
        hooks = [
            (name, len(module._forward_hooks), len(module._forward_pre_hooks), len(module._backward_hooks))
            for name, module in network.named_modules()
        ]
        return [*hooks, *(tensor.double().sum().item() for tensor in network.state_dict().values())]

    before, modes = state(), [module.training for module in network.modules()]
    grads = [parameter.requires_grad for parameter in network.parameters()]
    threads = torch.get_num_threads()
    quick_score_cam(ExplainedModel.of(network), prepared, class_logit(1), channels=4)
    assert state() == before
    assert [module.training for module in network.modules()] == modes
    assert [parameter.requires_grad for parameter in network.parameters()] == grads
    assert torch.get_num_threads() == threads


def test_progress_is_told_and_a_cancel_ends_it(network: FrameClassifier, prepared: NDArray[np.uint8]) -> None:
    model = ExplainedModel.of(network, FLOAT32)
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
    model = ExplainedModel.of(network, FLOAT32)
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
    model = ExplainedModel.of(network, FLOAT32)
    quick = quick_score_cam(model, prepared, class_logit(2), layer="layer1", channels=1000)
    exact = score_cam(model, prepared, class_logit(2), layer="layer1")
    np.testing.assert_allclose(quick.map, exact.map, rtol=1e-3, atol=1e-4)


def test_out_of_memory_it_goes_on_with_smaller_batches_and_says_so(
    network: FrameClassifier, prepared: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, said = ExplainedModel.of(network, FLOAT32), Noting()
    whole = score_cam(model, prepared, class_logit(1), layer="layer1")
    features = model.fast.features

    def small_memory(limit: int) -> None:
        def narrow(images: torch.Tensor) -> torch.Tensor:
            if len(images) > limit:
                raise torch.OutOfMemoryError("no room")
            return features(images)

        monkeypatch.setattr(model.fast, "features", narrow)

    small_memory(2)
    found = score_cam(model, prepared, class_logit(1), layer="layer1", reporter=said)
    np.testing.assert_allclose(found.map, whole.map, rtol=1e-3, atol=1e-4)
    assert said.lines == [f"Out of memory: continuing with {size} masked inputs at a time." for size in (4, 2)]
    passes = MaskedPasses(model, prepared, class_logit(1), "layer1")
    small_memory(0)
    with pytest.raises(UserError, match="There is not enough memory"):
        finished(passes, SilentReporter())


@pytest.mark.parametrize("ask", [score_cam, quick_score_cam])
def test_a_layer_that_does_not_exist(network: FrameClassifier, prepared: NDArray[np.uint8], ask: Any) -> None:
    with pytest.raises(UserError, match="no layer 'layer5'") as raised:
        ask(ExplainedModel.of(network, FLOAT32), prepared, class_logit(1), layer="layer5")
    assert ", ".join(LAYERS) in raised.value.hint


def test_a_tiny_network_by_hand() -> None:
    """Two channels, one of which is the left half of the input: worked out on paper."""

    class Tiny(ExplainedModel):
        def __init__(self) -> None:
            self.plan, self.input_size, self.classes, self.model_id = FLOAT32, 2, ("normal", "left"), "tiny"
            self.cam_weight = None
            self._mean, self._std = torch.zeros(1, 3, 1, 1), torch.ones(1, 3, 1, 1)
            self._embedding_layer, self._classifier = None, nn.Linear(2, 2)
            with torch.no_grad():
                self._classifier.weight.copy_(torch.tensor([[0.0, 0.0], [1.0, -1.0]]))
                self._classifier.bias.fill_(0.5)
            self._classifier.requires_grad_(False)
            self.exact = self.fast = HalfTrunk()  # type: ignore[assignment]

    class HalfTrunk:
        def features(self, images: torch.Tensor) -> torch.Tensor:
            grey = images[:, :1]
            left = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
            return torch.cat([grey * left, grey * (1 - left)], 1)

        def layer_and_features(self, images: torch.Tensor, layer: str) -> tuple[torch.Tensor, torch.Tensor]:
            return self.features(images), self.features(images)

    white = np.full((2, 2, 3), 255, np.uint8)
    found = score_cam(Tiny(), white, class_logit(1))
    # Masked by "left" the pooled channels are (1/2, 0): logit 1/2 + bias; by "right" (0, 1/2): -1/2 + bias. X_b gives
    # the bias, so the increases are 1/2 and -1/2.
    np.testing.assert_allclose(found.increase, [0.5, -0.5], atol=1e-6)
    weight = np.exp(0.5) / (np.exp(0.5) + np.exp(-0.5))
    np.testing.assert_allclose(found.map, [[weight, 1 - weight]] * 2, atol=1e-6)
    assert found.passes == 3
