"""Score-CAM: exact against pytorch-grad-cam in one run, the quick form against the exact one, and on a GPU.

Run it with `python -m tests.benchmarks.bench_score_cam [--images DIR] [--model DIR] [--frames N]`. It prints and
asserts nothing. pytorch-grad-cam is no dependency; where it is absent the benchmark says how to get it. Times are wall
clock and seconds of CPU: on a shared machine the second says more.
"""

import argparse
import importlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.compute.plan import choose_plan
from training.inference.explained_model import ExplainedModel, class_logit
from training.inference.score_cam import (
    QUICK_CHANNELS,
    MaskedPasses,
    finished,
    quick_passes,
    quick_score_cam,
    score_cam,
)
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, inference_network, load_network
from training.runs.reporter import SilentReporter
from training.video import find_field_of_view, prepare_frame

STARTER = Path("resources/models/starter")
HOW_TO_GET = "pip download --no-deps grad-cam ttach -d DIR, unpack both there, and put the folders into PYTHONPATH"
SIDE = 224
COLUMN = 1
LAYERS = ("layer2", "layer3", "layer4")
TARGET = class_logit(COLUMN)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=Path, help="folder of frames; patterns are drawn where none is given")
    parser.add_argument("--model", type=Path, default=STARTER, help="model folder")
    parser.add_argument("--frames", type=int, default=20, help="of which the agreement of the quick form is measured")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    frames = read_frames(options.images, options.frames)
    network = resized(load_network(ModelFolder.open(options.model)), SIDE)
    if torch.cuda.is_available():
        on_cuda(options.rounds)
    else:
        against_others(network, prepare(frames[0], SIDE), options.rounds)
    agreement(options.model, frames)


def against_others(network: FrameClassifier, prepared: NDArray[np.uint8], rounds: int) -> None:
    """The exact form of the model at 224 px, in turns with pytorch-grad-cam and with bare passes."""
    plain = ExplainedModel(inference_network(network), choose_plan("cpu", precision="float32"))
    default = ExplainedModel(inference_network(network), choose_plan("cpu"))
    image = network.normalise(torch.from_numpy(prepared[None]))
    theirs = pytorch_grad_cam(network, image)
    works: dict[str, Callable[[], Any]] = {"bare float32 passes": lambda: bare(network, image)}
    if theirs is None:
        print(f"pytorch-grad-cam is absent: {HOW_TO_GET}")
    else:
        works["pytorch-grad-cam"] = theirs
    works["exact, float32"] = lambda: score_cam(plain, prepared, TARGET)
    works[f"exact, {default.plan.precision}"] = lambda: score_cam(default, prepared, TARGET)
    works[f"quick, {default.plan.precision}"] = lambda: quick_score_cam(default, prepared, TARGET)
    works["quick, float32"] = lambda: quick_score_cam(plain, prepared, TARGET)
    results = timed(works, rounds, "pytorch-grad-cam" if theirs else "bare float32 passes")
    print(f"passes: {results['exact, float32'].passes} of {network.config.embedding_size} and the baseline's")
    if theirs is not None:
        for name in ("exact, float32", f"exact, {default.plan.precision}"):
            like = alike(results[name].map, results["pytorch-grad-cam"])
            print(f"correlation with pytorch-grad-cam, {name}: {like:.5f}")


def timed(works: dict[str, Callable[[], Any]], rounds: int, reference: str) -> dict[str, Any]:
    """In turns; the best of each is told beside the reference's best."""
    wall, cpu, results = dict.fromkeys(works, np.inf), dict.fromkeys(works, np.inf), {}
    for _ in range(rounds):
        for name, work in works.items():
            started, busy = time.perf_counter(), time.process_time()
            results[name] = work()
            wall[name] = min(wall[name], time.perf_counter() - started)
            cpu[name] = min(cpu[name], time.process_time() - busy)
    for name in works:
        ratios = f"{wall[reference] / wall[name]:.2f} and {cpu[reference] / cpu[name]:.2f} times as fast as {reference}"
        print(f"{name:26} {wall[name]:7.2f} s, {cpu[name]:7.2f} s of CPU; {ratios}")
    return results


def agreement(model: Path, frames: list[NDArray[np.uint8]]) -> None:
    """The quick form against the exact one that goes on from it, at the model's own size."""
    for layer in LAYERS:
        explained = ExplainedModel.open(model)
        found, seconds = [], []
        for frame in frames:
            started = time.perf_counter()
            passes = MaskedPasses(explained, prepare(frame, explained.input_size), TARGET, layer)
            quick = quick_passes(passes, SilentReporter())
            seconds.append(time.perf_counter() - started)
            found.append(alike(quick.map, finished(passes, SilentReporter()).map))
        said = f"correlation {np.mean(found):.3f}, least {min(found):.3f}"
        paced = f"{np.median(seconds):.2f} s (median), {max(seconds):.2f} s (longest)"
        print(f"quick ({QUICK_CHANNELS} channels) of {layer}, {model}, {len(found)} frames: {said}; {paced}")


def on_cuda(rounds: int) -> None:
    """A ResNet-50 at 256 px, untrained: no channel is silent."""
    torch.manual_seed(0)
    network = FrameClassifier(ModelConfig(backbone="resnet50", classes=("normal", "polyp"), input_size=256)).eval()
    model = ExplainedModel(inference_network(network), choose_plan("cuda"))
    prepared = prepare(read_frames(None, 1)[0], 256)
    score_cam(model, prepared, TARGET)  # the first pass chooses kernels
    name = f"exact, ResNet-50 at 256 px, {model.plan}"
    timed({name: lambda: score_cam(model, prepared, TARGET)}, rounds, name)


def bare(network: FrameClassifier, image: Tensor) -> None:
    """As many passes as there are channels, in batches of 16, of the network as it is."""
    batch = image.expand(16, -1, -1, -1).contiguous()
    with torch.inference_mode():
        for _ in range(network.config.embedding_size // 16):
            network(batch)


def pytorch_grad_cam(network: FrameClassifier, image: Tensor) -> Callable[[], NDArray[np.float32]] | None:
    """Their ScoreCAM of the same network and class; None where it is not installed."""
    try:
        theirs = importlib.import_module("pytorch_grad_cam")
        targets = importlib.import_module("pytorch_grad_cam.utils.model_targets")
    except ImportError:
        return None

    class Logits(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, images: Tensor) -> Tensor:
            logits: Tensor = self.network(images).logits
            return logits

    trunk: Any = network.trunk
    layer = trunk.layer4[-1] if hasattr(trunk, "layer4") else trunk
    cam = theirs.ScoreCAM(model=Logits().eval(), target_layers=[layer])
    return lambda: np.asarray(cam(input_tensor=image, targets=[targets.ClassifierOutputTarget(COLUMN)])[0], np.float32)


def resized(network: FrameClassifier, side: int) -> FrameClassifier:
    """The same weights for another size of input."""
    config = network.config.model_copy(update={"input_size": side})
    copied = FrameClassifier(config).eval()
    copied.load_state_dict(network.state_dict())
    return copied


def alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Correlation of two maps, both scaled up to 224 x 224."""
    large = [cv2.resize(each, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR).ravel() for each in (one, other)]
    return float(np.asarray(np.corrcoef(large))[0, 1])


def read_frames(folder: Path | None, count: int) -> list[NDArray[np.uint8]]:
    """(H, W, 3) uint8 RGB each: drawn from the folder with seed 0, or smooth patterns."""
    generator = np.random.default_rng(0)
    if folder is None:
        coarse = generator.integers(0, 256, (count, 9, 9, 3), np.uint8)
        return [np.asarray(cv2.resize(each, (320, 320), interpolation=cv2.INTER_CUBIC), np.uint8) for each in coarse]
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".png"))
    chosen = generator.choice(len(paths), min(count, len(paths)), replace=False)
    return [np.asarray(cv2.imread(str(paths[each])), np.uint8)[..., ::-1].copy() for each in chosen]


def prepare(frame: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """A frame as a model sees it, in the field of view that is found in it alone."""
    return prepare_frame(frame, find_field_of_view([frame]), side)


if __name__ == "__main__":
    main()
