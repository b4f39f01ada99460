"""Scoring: the whole pipeline against bare forward passes and against torch, for each trunk.

Run it with `python -m tests.benchmarks.bench_scoring [VIDEO]`. It prints and asserts nothing. What is compared is
measured in turns within one run, and the best of each is taken: other work comes and goes on a shared machine.
"""

import argparse
import platform
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

from training.compute.overlap import in_lanes
from training.compute.plan import choose_plan, inference_device
from training.inference.engine import open_engine
from training.inference.pipeline import BatchScorer, score_frames
from training.inference.score import score_study
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model
from training.models.network import FrameClassifier, load_network, save_network
from training.video import FieldOfView, open_source, study_field_of_view

ROUNDS = 3
NETWORKS = ("efficientnet_lite0:224", "resnet18:128", "resnet18:224", "resnet50:256")


def main() -> None:
    """Make models and a video, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, help="a study; one of 320 x 320 is made where none is given")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--frames", type=int, default=480)
    parser.add_argument("--networks", nargs="*", default=list(NETWORKS), help="NAME:SIDE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        video = options.video or write_video(folder / "study.mp4", options.frames)
        say_machine()
        for asked in options.networks:
            backbone, _, side = asked.partition(":")
            config = ModelConfig(backbone=backbone, classes=("normal", "polyp", "blood"), input_size=int(side))
            torch.manual_seed(0)
            model = save_network(FrameClassifier(config), folder / backbone, {})
            measured(video, model, folder / f"{backbone}.h5", options.device)


def measured(video: Path, model: ModelFolder, out: Path, device: str) -> None:
    """One network: frames a second of each stage and of torch, and their ratios."""
    plan = choose_plan(inference_device(device)[0])  # type: ignore[arg-type]
    engine = open_engine(network_of_model(model), plan)
    size = model.config.input_size
    frames = np.random.default_rng(0).integers(0, 256, (plan.batch, size, size, 3), np.uint8)
    with open_source(video) as source:
        count = len(source)
        view = study_field_of_view(source)
    passes = [frames] * (count // plan.batch)

    def bare() -> int:
        return sum(len(output.embeddings) for output in in_lanes(passes, engine.run, plan.lanes))

    def streamed() -> int:
        with open_source(video) as source:
            return sum(len(chunk) for chunk in score_frames(source, 0, BatchScorer(engine, view)))

    def whole() -> int:
        score_study(video, model, out, device=device)  # type: ignore[arg-type]
        return count

    def decoded() -> int:
        with open_source(video) as source:
            return sum(1 for _ in source.iterate())

    works = {"decode": decoded, "bare": bare, "stream": streamed, "whole": whole}
    if plan.device == "cpu":
        works |= {f"torch, {name}": eager(model, name == "channels last") for name in ("eager", "channels last")}
    for warm in ("bare", *works.keys() - {"bare", "stream", "whole", "decode"}):
        works[warm]()
    rates = measure(works)
    print(f"{model.config.backbone} at {size} x {size}, {plan}; {count:,} frames; frames/s:")
    for name, text in (
        ("decode", "decoding alone"),
        ("torch, eager", "torch, float32, batches of 16"),
        ("torch, channels last", "torch, float32, channels last, batches of 8"),
        ("bare", "bare passes on arrays in memory, in lanes"),
        ("stream", "pipeline (decode, prepare, forward, CAMs)"),
        ("whole", "score_study (open, load the model, file too)"),
    ):
        if name in rates:
            print(f"  {text:48} {rates[name]:8.1f}")
    print(f"  pipeline / bare passes: {rates['stream'] / rates['bare']:.2f}")
    for name in sorted(rates.keys() & {"torch, eager", "torch, channels last"}):
        print(f"  pipeline / {name}: {rates['stream'] / rates[name]:.2f}; bare: {rates['bare'] / rates[name]:.2f}")


def eager(model: ModelFolder, channels_last: bool) -> Callable[[], int]:
    """The network as it was trained, in float32."""
    plain = load_network(model)
    size, batch = model.config.input_size, 8 if channels_last else 16
    if channels_last:
        plain = plain.to(memory_format=torch.channels_last)
    frames = torch.randint(0, 256, (batch, size, size, 3), dtype=torch.uint8)

    def run() -> int:
        with torch.inference_mode():
            for _ in range(64 // batch):
                plain(frames)
        return 64

    return run


def measure(works: dict[str, Callable[[], int]]) -> dict[str, float]:
    """Frames a second of each, in turns, the best of all rounds."""
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            started = time.perf_counter()
            frames = work()
            best[name] = max(best[name], frames / (time.perf_counter() - started))
    return best


def write_video(path: Path, frames: int, side: int = 320) -> Path:
    """H.264, 320 x 320, GOP 30: smooth round pictures that move, about as hard to decode as tissue."""
    import av
    import cv2

    random = np.random.default_rng(0)
    texture = cv2.GaussianBlur(random.integers(0, 256, (2 * side, 2 * side, 3), np.uint8), (0, 0), 3)
    texture = cv2.normalize(texture, None, 20, 235, cv2.NORM_MINMAX)  # type: ignore[call-overload]
    inside = FieldOfView("circle", side, side, (side / 2, side / 2), side / 2 - 8).mask(side, side)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(
            "libx264", rate=Fraction(5), options={"g": "30", "crf": "20", "preset": "veryfast"}
        )
        stream.width = stream.height = side
        stream.pix_fmt = "yuv420p"
        for number in range(frames):
            x, y = (int(side / 2 * (1 + np.sin(number / period))) for period in (31, 47))
            picture = np.ascontiguousarray(texture[y : y + side, x : x + side]) * inside[..., None]
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture.astype(np.uint8), format="rgb24")))
        container.mux(stream.encode(None))
    return path


def say_machine() -> None:
    """Which machine and versions the figures belong to."""
    capabilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    wanted = ("avx512_bf16", "amx_bf16")
    print(f"{platform.system()} {platform.machine()}, {torch.get_num_threads()} cores", end=", ")
    print(capabilities.get("cpu_name", "CPU"), *(name for name in wanted if capabilities.get(name)), sep=" ")
    if torch.cuda.is_available():
        print(torch.cuda.get_device_name())
    print(", ".join(f"{name} {version(name)}" for name in ("torch", "openvino", "av", "h5py", "numpy")))


if __name__ == "__main__":
    main()
