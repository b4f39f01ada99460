"""Both engines against the plain network, for every trunk; and what happens when memory runs out."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.training.inference.slow_score_cam import layer_output
from training.compute import plan as plans
from training.compute.plan import choose_plan
from training.errors import UserError
from training.inference import engine as engines
from training.inference.engine import WITHOUT_OPENVINO, Engine, embed_prepared, open_engine
from training.inference.explanation import LAYERS
from training.inference.openvino_engine import OpenVinoEngine
from training.inference.torch_engine import TorchEngine, masks_of
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model
from training.models.network import FrameClassifier, class_activation_maps, inference_network, load_network
from training.models.scores import scores_of
from training.runs.reporter import SilentReporter

PLAN = choose_plan("cpu", precision="float32")
ENGINES = [OpenVinoEngine, TorchEngine]
Make = Callable[..., Engine]


def pictures(count: int, side: int) -> NDArray[np.uint8]:
    """(count, side, side, 3) smooth random pictures."""
    import cv2

    small = np.random.default_rng(0).integers(0, 256, (count, 8, 8, 3), np.uint8)
    return np.stack([cv2.resize(picture, (side, side), interpolation=cv2.INTER_CUBIC) for picture in small])


@pytest.fixture
def frames() -> NDArray[np.uint8]:
    return pictures(6, 64)


def network_of(backbone: str, side: int, **more: Any) -> FrameClassifier:
    torch.manual_seed(2)
    config = ModelConfig(backbone=backbone, classes=("normal", "polyp", "blood"), input_size=side, **more)
    network = FrameClassifier(config).train()
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = None  # statistics are those of the one batch below, so that frames differ
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.uniform_(module.bias, -0.2, 0.2)
    with torch.inference_mode():
        network(torch.from_numpy(pictures(16, side)))
    return network.eval()


def difference(found: NDArray[np.float32], wanted: torch.Tensor) -> float:
    """Largest difference as a share of the largest value."""
    return float(np.abs(found - wanted.numpy()).max() / wanted.abs().max())


@pytest.mark.parametrize(
    ("backbone", "side", "more"),
    [
        ("resnet18", 64, {"embedding_layer": 128, "scores": "against_normal"}),
        ("resnet50", 128, {}),
        ("efficientnet_lite0", 65, {}),  # an odd side, for the padding
        ("efficientnet_lite0", 64, {"round_mask": True}),
    ],
)
def test_every_trunk_says_what_the_plain_network_says(backbone: str, side: int, more: dict[str, Any]) -> None:
    network, frames = network_of(backbone, side, **more), pictures(3, side)
    with torch.inference_mode():
        wanted = network(torch.from_numpy(frames))
        cams = class_activation_maps(wanted.features, network.cam_weight)
        image = network.normalise(torch.from_numpy(frames[1:2]))
        activations = {layer: layer_output(network, image, layer) for layer in LAYERS}
    assert wanted.logits.softmax(1).std(dim=0).max() > 1e-3, "frames differ, or the test could not fail"
    for make in ENGINES:
        engine = make(inference_network(network), PLAN)
        found = engine.run(frames)
        assert difference(found.embeddings, wanted.embedding) < 1e-4
        assert difference(found.logits, wanted.logits) < 1e-4
        assert difference(found.cams, cams) < 1e-4
        assert np.abs(found.scores - scores_of(wanted.logits.numpy(), network.config.scores)).max() < 1e-4
        for layer in LAYERS:
            look = engine.look(frames[1], layer)
            assert difference(look.activations, activations[layer]) < 1e-4
            assert difference(look.output.logits, wanted.logits[1:2]) < 1e-3
        assert difference(look.cams, cams[1]) < 1e-4


@pytest.mark.parametrize("make", ENGINES)
def test_masked_frames(make: Make, frames: NDArray[np.uint8]) -> None:
    network = network_of("resnet18", 64)
    maps = np.random.default_rng(1).random((5, 3, 3), dtype=np.float32)
    maps[3] = 0.7  # the same everywhere: its mask is 0
    with torch.inference_mode():
        image = network.normalise(torch.from_numpy(frames[:1]))
        wanted = network(image * masks_of(torch.from_numpy(maps), 64))
    found = make(inference_network(network), PLAN).masked(frames[0], maps)
    assert difference(found.embedding, wanted.embedding) < 1e-4
    assert difference(found.logits, wanted.logits) < 1e-4


def test_masks_written_out() -> None:
    activations = torch.tensor([[[0.0, 2.0], [4.0, 8.0]], [[3.0, 3.0], [3.0, 3.0]]])
    masks = masks_of(activations, 2)
    assert torch.allclose(masks[0, 0], torch.tensor([[0, 0.25], [0.5, 1]]))
    assert not masks[1].any()
    assert masks_of(activations, 8).shape == (2, 1, 8, 8)
    assert float(masks_of(activations, 8)[0].max()) == 1


@pytest.mark.parametrize("make", ENGINES)
def test_bfloat16_says_nearly_the_same(make: Make, resnet: ModelFolder, frames: NDArray[np.uint8]) -> None:
    with torch.inference_mode():
        wanted = load_network(resnet)(torch.from_numpy(frames))
    found = make(network_of_model(resnet), choose_plan("cpu", precision="bfloat16")).run(frames)
    assert np.abs(found.scores - wanted.logits.softmax(1).numpy()).max() < 0.03
    assert difference(found.embeddings, wanted.embedding) < 0.03


def test_embedding_in_batches(model: ModelFolder, frames: NDArray[np.uint8]) -> None:
    network = network_of_model(model)
    found = embed_prepared(network, replace(PLAN, batch=4), frames, SilentReporter())
    np.testing.assert_allclose(found, open_engine(network, PLAN).run(frames).embeddings, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", ENGINES)
def test_weights_of_another_network(make: Make) -> None:
    network = inference_network(network_of("resnet18", 64))
    trunk = dict(network.trunk)
    misshapen = {**trunk, "layer2.0.conv1.weight": trunk["layer2.0.conv1.weight"][:, :3]}
    with pytest.raises(UserError, match="do not fit the network resnet18"):
        make(replace(network, trunk=misshapen), PLAN)
    del trunk["bn1.bias"]
    with pytest.raises(UserError, match=r"lack the tensor bn1\.bias|do not fit the network resnet18"):
        make(replace(network, trunk=trunk), PLAN)


def test_without_openvino_torch_computes_and_says_so(model: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "has_openvino", lambda: False)
    monkeypatch.setattr(plans, "has_openvino", lambda: False)
    said: list[str] = []
    engine = open_engine(network_of_model(model), choose_plan("cpu"), said.append)
    assert isinstance(engine, TorchEngine)
    assert engine.plan.precision == "float32"
    assert said == [WITHOUT_OPENVINO]


def small_memory(engine: TorchEngine, room: int, error: RuntimeError, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device with room for `room` frames."""
    features = engine._features

    def narrow(images: torch.Tensor, kept: dict[str, torch.Tensor] | None = None) -> torch.Tensor:
        if len(images) > room:
            raise error
        return features(images, kept)

    monkeypatch.setattr(engine, "_features", narrow)


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA out of memory"), RuntimeError("DefaultCPUAllocator: can't allocate memory")]
)
def test_out_of_memory_halves_the_batch_and_says_so(
    model: ModelFolder, frames: NDArray[np.uint8], error: RuntimeError, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    engine = TorchEngine(network_of_model(model), PLAN, said.append)
    wanted, masks = engine.run(frames), np.random.default_rng(1).random((6, 2, 2), dtype=np.float32)
    under_masks = engine.masked(frames[0], masks)
    small_memory(engine, 3, error, monkeypatch)
    assert np.allclose(engine.run(frames).scores, wanted.scores, atol=1e-5)
    assert np.allclose(engine.masked(frames[0], masks).logits, under_masks.logits, atol=1e-4)
    assert said == [
        "Out of memory: continuing with batches of 4 instead of 8.",
        "Out of memory: continuing with batches of 2 instead of 4.",
    ]


def test_not_even_one_frame_fits_and_other_errors(
    model: ModelFolder, frames: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = TorchEngine(network_of_model(model), PLAN)
    small_memory(engine, 0, torch.OutOfMemoryError("CUDA out of memory"), monkeypatch)
    with pytest.raises(UserError, match="not enough memory on the cpu device for a single frame"):
        engine.run(frames)
    small_memory(engine, 0, RuntimeError("something else"), monkeypatch)
    with pytest.raises(RuntimeError, match="something else"):
        engine.run(frames)


WITHOUT_TORCH = """
import sys
from pathlib import Path
connections = []
watched = ("socket.", "os.fork")  # a package that OpenVINO brings would report its use
sys.addaudithook(lambda event, _: connections.append(event) if event.startswith(watched) else None)
from training.inference.score import score_study
from training.models.folder import ModelFolder
from training.runs.reporter import SilentReporter
from training.service.requests import EmbedRequest, ExplainRequest
from training.service.workbench import Workbench
study, model, out = map(Path, sys.argv[1:])
assert score_study(study, ModelFolder.open(model), out / "scores.h5", device="cpu").complete
bench = Workbench("cpu", 1, SilentReporter())
requests = [ExplainRequest(model=model, path=study, frame_index=3, method=method) for method in ("cam", "quick")]
requests += [EmbedRequest(model=model, path=study, frame_index=3, region=region) for region in (None, (9, 9, 60, 60))]
for request in requests:
    assert len(list(bench.answers(request, SilentReporter()))) == 1
assert not {"torch", "torchvision"} & set(sys.modules)
assert not connections, connections
assert not [name for name in sys.modules if name.startswith("openvino_telemetry.")]
"""


def test_on_a_cpu_there_is_no_torch_and_no_network(study: Path, resnet: ModelFolder, tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", WITHOUT_TORCH, str(study), str(resnet.path), str(tmp_path)]
    (home := tmp_path / "home").mkdir()
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(home)})
    assert done.returncode == 0, done.stderr
    assert not list(home.iterdir())
