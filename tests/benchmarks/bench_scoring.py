"""Scoring: the whole pipeline against bare forward passes, and the default on this CPU against plain float32.

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
from training.compute.plan import choose_device, choose_plan
from training.inference.engine import FrameEngine
from training.inference.pipeline import BatchScorer, score_frames
from training.inference.score import score_study
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, load_network, save_network
from training.video import FieldOfView, open_source, study_field_of_view

ROUNDS = 3


def main() -> None:
    """Make a model and a video, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, help="a study; one of 320 x 320 is made where none is given")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--frames", type=int, default=480)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        video = options.video or write_video(folder / "study.mp4", options.frames)
        config = ModelConfig(backbone="resnet50", classes=("normal", "polyp", "blood"), input_size=256)
        torch.manual_seed(0)
        model = save_network(FrameClassifier(config), folder / "model", {})
        say_machine()
        against_bare(video, model, folder, options.device)
        if not torch.cuda.is_available():
            against_float32(model)


def against_bare(video: Path, model: ModelFolder, folder: Path, device: str) -> None:
    """The first line of the table, and where the time of the pipeline goes."""
    plan = choose_plan(choose_device(device)[0])  # type: ignore[arg-type]
    engine = FrameEngine(load_network(model), plan)
    size = model.config.input_size
    frames = np.random.default_rng(0).integers(0, 256, (plan.batch, size, size, 3), np.uint8)
    with open_source(video) as source:
        count = len(source)
        view = study_field_of_view(source)
    passes = [frames] * (count // plan.batch)

    def bare() -> int:
        for batch in passes:
            engine.run(batch)
        return len(passes) * plan.batch

    def in_parallel() -> int:
        before = torch.get_num_threads()
        for _ in in_lanes(passes, engine.run, plan.lanes, lambda: torch.set_num_threads(plan.threads_per_lane)):
            pass
        torch.set_num_threads(before)
        return len(passes) * plan.batch

    def streamed() -> int:
        with open_source(video) as source:
            return sum(len(chunk) for chunk in score_frames(source, 0, BatchScorer(engine, view)))

    def whole() -> int:
        score_study(video, model, folder / "out.h5", device=device)  # type: ignore[arg-type]
        return count

    def decoded() -> int:
        with open_source(video) as source:
            return sum(1 for _ in source.iterate())

    bare(), in_parallel()
    rates = measure({"bare": bare, "lanes": in_parallel, "stream": streamed, "whole": whole, "decode": decoded})
    print(f"ResNet-50 at {size} x {size}, {plan}; {count:,} frames")
    print(f"  decoding alone                                  {rates['decode']:8.1f} frames/s")
    print(f"  bare forward passes, one after the other        {rates['bare']:8.1f} frames/s")
    print(f"  bare forward passes in lanes                    {rates['lanes']:8.1f} frames/s")
    print(f"  pipeline (decode, prepare, forward, CAMs)       {rates['stream']:8.1f} frames/s")
    print(f"  score_study (open, load the model, file too)    {rates['whole']:8.1f} frames/s")
    print(f"  pipeline / bare passes: {rates['stream'] / rates['bare']:.2f} (aim 0.95)")
    print(f"  pipeline / bare passes in lanes: {rates['stream'] / rates['lanes']:.2f}")
    print(f"  score_study / bare passes: {rates['whole'] / rates['bare']:.2f}")


def against_float32(model: ModelFolder) -> None:
    """The second line of the table: what `score` does by default against the network as it was trained."""
    plain = load_network(model)
    plan = choose_plan(torch.device("cpu"))
    engine = FrameEngine(load_network(model), plan)
    size = model.config.input_size
    frames = np.random.default_rng(0).integers(0, 256, (64, size, size, 3), np.uint8)
    batches = [frames[start : start + plan.batch] for start in range(0, 64, plan.batch)]

    def eager() -> int:
        with torch.inference_mode():
            for start in range(0, 32, 16):
                plain(torch.from_numpy(frames[start : start + 16]))
        return 32

    def default() -> int:
        before = torch.get_num_threads()
        list(in_lanes(batches, engine.run, plan.lanes, lambda: torch.set_num_threads(plan.threads_per_lane)))
        torch.set_num_threads(before)
        return 64

    eager(), default()
    rates = measure({"float32": eager, "default": default})
    print(f"ResNet-50 at {size} x {size} on this CPU")
    print(f"  plain float32 eager forward, batches of 16      {rates['float32']:8.1f} frames/s")
    print(f"  default of `score` (fused: {engine.is_fused})                {rates['default']:8.1f} frames/s")
    print(f"  default / float32: {rates['default'] / rates['float32']:.2f} (aim 3)")


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
    print(", ".join(f"{name} {version(name)}" for name in ("torch", "torchvision", "av", "h5py", "numpy")))


if __name__ == "__main__":
    main()
