"""Scoring: the whole pipeline against bare forward passes, OpenVINO by itself and torch, for each trunk.

Run it with `python -m tests.benchmarks.bench_scoring [VIDEO]`. It prints and asserts nothing. What is compared is
measured in turns within one run; medians and ranges of all rounds. OpenVINO by itself has one graph for each number of
frames in a pass, and is asked asynchronously with one and two streams; its best counts. `--bare` leaves out all but it;
`--tracks` measures the pipeline only, with and without tracks, in seconds of the processor.
"""

import argparse
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

from training.compute.openvino import core, openvino
from training.compute.overlap import in_lanes
from training.compute.plan import choose_plan, fastest_batch, inference_device
from training.indicators import INDICATORS
from training.inference.engine import open_engine
from training.inference.openvino_engine import frame_graph
from training.inference.pipeline import BatchScorer, score_frames
from training.inference.score import score_study
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.inference_network import InferenceNetwork, network_of_model
from training.models.network import FrameClassifier, load_network, save_network
from training.video import FieldOfView, open_source, study_field_of_view

ROUNDS = 5
PIPELINE, TRACKS = "pipeline (decode, prepare, forward, CAMs)", "the same with tracks"
PEER_BATCHES, PEER_STREAMS = (2, 4, 8, 16), (1, 2)
NETWORKS = ("efficientnet_lite0:160", "efficientnet_lite0:224", "resnet18:128", "resnet18:224", "resnet50:256")


def main() -> None:
    """Make models and a video, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, help="a study; one of 320 x 320 is made where none is given")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--frames", type=int, default=480)
    parser.add_argument("--networks", nargs="*", default=list(NETWORKS), help="NAME:SIDE")
    parser.add_argument("--bare", action="store_true", help="passes on arrays in memory only")
    parser.add_argument("--tracks", action="store_true", help="the pipeline with and without tracks only")
    parser.add_argument("--batch", type=int, help="frames in one of our passes; chosen by the program if left out")
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
            measured(video, model, folder / f"{backbone}.h5", options)


def measured(video: Path, model: ModelFolder, out: Path, options: argparse.Namespace) -> None:
    """One network: frames a second of each stage and of its peers, and their ratios."""
    device, size, network = options.device, model.config.input_size, network_of_model(model)
    chosen = inference_device(device)[0]
    plan = choose_plan(chosen, batch=options.batch or fastest_batch(chosen, network.backbone, size))
    engine = open_engine(network, plan)
    frames = np.random.default_rng(0).integers(0, 256, (plan.batch, size, size, 3), np.uint8)
    with open_source(video) as source:
        count = min(len(source), options.frames)
        view = study_field_of_view(source)
    passes = [frames] * (count // plan.batch)

    def bare() -> int:
        return sum(len(output.embeddings) for output in in_lanes(passes, engine.run, plan.lanes + 1))

    def streamed(tracks: Sequence[str] = ()) -> int:
        with open_source(video) as source:
            return sum(len(chunk) for chunk in score_frames(source, 0, BatchScorer(engine, view, tracks)))

    def whole() -> int:
        return score_study(video, model, out, device=device).frames

    def decoded() -> int:
        with open_source(video) as source:
            return sum(1 for _ in source.iterate())

    pipelines: dict[str, Callable[[], int]] = {PIPELINE: streamed, TRACKS: lambda: streamed(tuple(INDICATORS))}
    if options.tracks:
        say_share(measure(pipelines, time.process_time))
        return
    works: dict[str, Callable[[], int]] = {"bare passes in lanes": bare}
    if plan.device == "cpu":
        works |= openvino_alone(network, count)
    peers = list(works)[1:]
    if not options.bare:
        works |= {"decoding": decoded, **pipelines, "score_study": whole}
        if plan.device == "cpu":
            works |= {"torch, float32": eager(model, False), "torch, float32, channels last": eager(model, True)}
    rates = measure(works)
    medians = {name: statistics.median(each) for name, each in rates.items()}
    print(f"{model.config.backbone} at {size} x {size}, {plan}; {count:,} frames; frames/s:")
    for name, each in rates.items():
        if name not in peers:
            print(f"  {name:48} {medians[name]:8.1f} ({min(each):.1f} to {max(each):.1f})")
    if peers:
        best = max(peers, key=lambda peer: medians[peer])
        each, ours = rates[best], rates["bare passes in lanes"]
        ratios = [rate / peer for rate, peer in zip(ours, each, strict=True)]
        print(f"  {best:48} {medians[best]:8.1f} ({min(each):.1f} to {max(each):.1f}), the best of {len(peers)}")
        print("  all of OpenVINO:", ", ".join(f"{name[10:]} {medians[name]:.0f}" for name in peers))
        print(f"  bare passes / OpenVINO: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    if not options.bare:
        say_share(rates)
    for name in list(works)[len(peers) + 1 :]:
        print(f"  {name} / bare passes: {medians[name] / medians['bare passes in lanes']:.2f}", flush=True)


def say_share(rates: dict[str, list[float]]) -> None:
    """How much of the pipeline's time the tracks take, round by round."""
    shares = 1 - np.divide(rates[TRACKS], rates[PIPELINE])
    without, with_tracks = (statistics.median(rates[name]) for name in (PIPELINE, TRACKS))
    print(f"  {without:.1f} frames/s without tracks, {with_tracks:.1f} with", end="; ")
    print(f"share of the tracks {np.median(shares):.3f} ({min(shares):.3f} to {max(shares):.3f})", flush=True)


def openvino_alone(network: InferenceNetwork, count: int) -> dict[str, Callable[[], int]]:
    """Passes over `count` frames by OpenVINO itself, by frames in a pass and streams."""

    def passes(batch: int, streams: int) -> Callable[[], int]:
        settings = {"NUM_STREAMS": streams}
        graph = core().compile_model(frame_graph(network, "frames", batch), "CPU", settings)
        frames = np.random.default_rng(0).integers(0, 256, graph.input(0).shape, np.uint8)

        def run() -> int:
            queue = openvino.AsyncInferQueue(graph, 2 * streams)
            for _ in range(count // batch):
                queue.start_async([frames], share_inputs=True)
            queue.wait_all()
            return count // batch * batch

        return run

    return {
        f"OpenVINO, {batch} frames, {streams} streams": passes(batch, streams)
        for batch in PEER_BATCHES
        for streams in PEER_STREAMS
    }


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


def measure(
    works: dict[str, Callable[[], int]], clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Frames a second of each in each round, by turns; a round before them warms up."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS + 1):
        for name, work in works.items():
            started = clock()
            frames = work()
            rates[name].append(frames / (clock() - started))
    return {name: each[1:] for name, each in rates.items()}


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
