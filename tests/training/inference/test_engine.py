"""The engine against the plain network, and what it does when memory runs out."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from training.compute.plan import choose_plan
from training.errors import UserError
from training.inference.engine import FrameEngine
from training.models.folder import ModelFolder
from training.models.network import FrameOutput, load_network

CPU = torch.device("cpu")


@pytest.fixture
def frames() -> NDArray[np.uint8]:
    """(6, 64, 64, 3) smooth random pictures."""
    import cv2

    small = np.random.default_rng(0).integers(0, 256, (6, 8, 8, 3), np.uint8)
    return np.stack([cv2.resize(picture, (64, 64), interpolation=cv2.INTER_CUBIC) for picture in small])


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-4), ("bfloat16", 0.03)])
def test_every_precision_says_nearly_what_the_plain_network_says(
    model: ModelFolder, frames: NDArray[np.uint8], precision: str, tolerance: float
) -> None:
    with torch.inference_mode():
        wanted = load_network(model)(torch.from_numpy(frames))
    found = FrameEngine(load_network(model), choose_plan(CPU, precision=precision)).run(frames)
    assert np.abs(found.scores - wanted.scores.numpy()).max() < tolerance
    scale = float(wanted.embedding.abs().max())
    assert np.abs(found.embeddings - wanted.embedding.numpy()).max() < tolerance * scale
    assert wanted.scores.std(dim=0).max() > 0.01  # frames differ, or the test could not fail


def test_cams_belong_to_the_scores(model: ModelFolder, frames: NDArray[np.uint8]) -> None:
    network = load_network(model)
    bias = network.classifier.bias.detach().numpy().copy()
    found = FrameEngine(network, choose_plan(CPU, precision="float32")).run(frames)
    assert found.cams.shape == (6, 3, 2, 2)
    logits = found.cams.mean((2, 3)) + bias
    softmax = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    assert np.allclose(softmax, found.scores, atol=1e-4)


class Cramped(torch.nn.Module):
    """The network on a device with room for `room` frames."""

    def __init__(self, inner: torch.nn.Module, room: int, error: RuntimeError) -> None:
        super().__init__()
        self.inner, self.room, self.error = inner, room, error
        self.cam_weight = inner.cam_weight

    def forward(self, frames: torch.Tensor) -> FrameOutput:
        if len(frames) > self.room:
            raise self.error
        output: FrameOutput = self.inner(frames)
        return output


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA out of memory"), RuntimeError("DefaultCPUAllocator: can't allocate memory")]
)
def test_out_of_memory_halves_the_batch_and_says_so(
    model: ModelFolder, frames: NDArray[np.uint8], error: RuntimeError
) -> None:
    said: list[str] = []
    engine = FrameEngine(load_network(model), choose_plan(CPU, precision="float32"), said.append)
    wanted = engine.run(frames)
    cramped: Any = Cramped(engine.network, 3, error)
    engine.network = cramped
    found = engine.run(frames)
    assert np.allclose(found.scores, wanted.scores, atol=1e-5)
    assert said == [
        "Out of memory: continuing with batches of 4 instead of 8.",
        "Out of memory: continuing with batches of 2 instead of 4.",
    ]


def test_not_even_one_frame_fits(model: ModelFolder, frames: NDArray[np.uint8]) -> None:
    engine = FrameEngine(load_network(model), choose_plan(CPU, precision="float32"))
    cramped: Any = Cramped(engine.network, 0, torch.OutOfMemoryError("CUDA out of memory"))
    engine.network = cramped
    with pytest.raises(UserError, match="not enough memory on the cpu device for a single frame"):
        engine.run(frames)


def test_other_errors_are_not_taken_for_it(model: ModelFolder, frames: NDArray[np.uint8]) -> None:
    engine = FrameEngine(load_network(model), choose_plan(CPU, precision="float32"))
    cramped: Any = Cramped(engine.network, 0, RuntimeError("something else"))
    engine.network = cramped
    with pytest.raises(RuntimeError, match="something else"):
        engine.run(frames)
