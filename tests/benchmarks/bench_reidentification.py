"""Re-identification: what a step of the multi-view encoder adds, feeding from video, and grouping by a model.

    python -m tests.benchmarks.bench_reidentification step [--backbone efficientnet_lite0] [--procedures 8] [--views 4]
    python -m tests.benchmarks.bench_reidentification feed PHANTOM_DIR [--steps 20] [--procedures 16]
    python -m tests.benchmarks.bench_reidentification grouping [--events 2000]

`step`: seconds of a training step of the multi-view encoder, and of one of its single-frame encoder on the same number
of images; both take turns, so that other programs disturb both.

`feed`: crops are cut from the videos of a phantom into the file that training maps, and the same crops lie in memory.
Steps of both take turns; prints images a second of either, and how long cutting took, which happens once.

`grouping`: the time from the embedded frames of so many events to their groups, by a model with made-up weights and
without torch. Asserts nothing.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

Step = Callable[[], object]


class Seconds(NamedTuple):
    """Of a step: on the clock, and of the processor, which other programs disturb less."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.2f} s ({self.processor:.2f} s of the processor)"


def in_turns(steps: dict[str, Step], rounds: int) -> dict[str, Seconds]:
    """Medians for each of several steps, which take turns; the first round warms up."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in steps}
    for _ in range(rounds + 1):
        for name, step in steps.items():
            began = perf_counter(), process_time()
            step()
            seconds[name].append((perf_counter() - began[0], process_time() - began[1]))
    return {name: Seconds(*map(median, zip(*found[1:], strict=True))) for name, found in seconds.items()}


def measure_step(backbone: str, procedures: int, views: int, side_px: int, rounds: int) -> None:
    """Time training steps of both encoders on the same images."""
    import torch

    from training.compute.out_of_memory import Chunks
    from training.optimisation.gradients import Gradients
    from training.reidentification.config import EncoderConfig, EncoderTraining
    from training.reidentification.encoder import FrameContrast, MultiViewEncoder, SingleFrameEncoder, TrackletContrast
    from training.reidentification.training import optimizer_of
    from training.runs.reporter import SilentReporter

    torch.manual_seed(0)
    encoder = MultiViewEncoder(SingleFrameEncoder(EncoderConfig(backbone=backbone)))
    encoder.to(memory_format=torch.channels_last).train()
    images = torch.randn(2 * procedures * views, 3, side_px, side_px).contiguous(memory_format=torch.channels_last)
    mask = torch.ones(2 * procedures, views, dtype=torch.bool)
    settings = EncoderTraining(optimizer="adamw", learning_rate=1e-6)

    def step_of(method: FrameContrast, learns: torch.nn.Module) -> Step:
        gradients, optimizer = Gradients(method, Chunks(None), SilentReporter()), optimizer_of(learns, settings)

        def step() -> None:
            gradients(images, mask)
            optimizer.step()

        return step

    found = in_turns(
        {
            "single-frame encoder": step_of(FrameContrast(encoder, 0.1), encoder.frames),
            "multi-view encoder": step_of(TrackletContrast(encoder, 0.1), encoder),
        },
        rounds,
    )
    print(
        f"{backbone}, {len(images)} images of {side_px} px a step, {torch.get_num_threads()} threads, {rounds} rounds"
    )
    for name, seconds in found.items():
        print(f"  {name:22} {seconds} a step")
    single, joint = found.values()
    ratio, of_processor = joint.clock / single.clock, joint.processor / single.processor
    print(f"  multi-view to single-frame: {ratio:.2f} times, of the processor {of_processor:.2f} times")


def measure_feed(phantom: Path, steps: int, procedures: int) -> None:
    """Time steps that are fed from the file cut from the videos, and from memory."""
    import torch

    from training.compute.out_of_memory import Chunks
    from training.datasets.findings import read_boxes
    from training.datasets.labels import read_labels
    from training.datasets.manifest import load_manifest
    from training.models.backbones import DEFAULT_BACKBONE
    from training.optimisation.gradients import Gradients
    from training.reidentification.config import EncoderConfig, EncoderTraining
    from training.reidentification.encoder import FrameContrast, SingleFrameEncoder
    from training.reidentification.tracklets import cut_tracklets
    from training.reidentification.training import batch_of, frame_feed, optimizer_of
    from training.reidentification.views import Crops
    from training.reidentification.visits import labelled_visits
    from training.runs.reporter import SilentReporter

    visits = labelled_visits(
        load_manifest(phantom / "manifest.json"), read_labels(phantom / "labels.csv"), read_boxes(phantom / "boxes.csv")
    )
    with tempfile.TemporaryDirectory(prefix="bench-reid-") as folder:
        began = perf_counter()
        cut = cut_tracklets(
            visits, side_px=64, context=1.5, reporter=SilentReporter(), spill=Path(folder) / "crops.tmp"
        )
        seconds = perf_counter() - began
        kept = [at for at, each in enumerate(cut.crops) if len(each) >= 3]
        mapped = [cut.crops[at] for at in kept]
        # A tracklet stands for a procedure here: the phantom has few patients, and batches should be of a usual size.
        names = [str(at) for at in kept]
        torch.manual_seed(0)
        encoder = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE))
        encoder.to(memory_format=torch.channels_last).train()
        settings = EncoderTraining(procedures=procedures, optimizer="adamw", learning_rate=1e-6)
        gradients = Gradients(FrameContrast(encoder, 0.1), Chunks(None), SilentReporter())
        optimizer = optimizer_of(encoder, settings)

        def step_of(crops: list[Crops]) -> Step:
            feed, at = frame_feed(encoder, crops, names, settings), iter(range(10**6))

            def step() -> None:
                gradients(*feed(next(at)))
                optimizer.step()

            return step

        sources = {"from video": mapped, "from memory": [np.array(each) for each in mapped]}
        found = in_turns({name: step_of(crops) for name, crops in sources.items()}, steps)
        images = 2 * batch_of(settings, names)
        frames = sum(map(len, cut.crops))
        del mapped, sources, cut
    print(
        f"{frames:,} crops of 64 px cut from {len({v.study.study_id for v in visits})} videos in {seconds:.1f} s, once"
    )
    for name, each in found.items():
        print(f"  {name:12} {images / each.clock:.1f} images/s: {images} in {each} ({steps} steps)")
    video, memory = found.values()
    rate, of_processor = memory.clock / video.clock, memory.processor / video.processor
    print(f"  from video to from memory: {rate:.2f} of its rate, of the processor {of_processor:.2f}")


def measure_grouping(events: int, views: int, rounds: int) -> None:
    """Time the vectors of events and their groups, without torch."""
    from training.reidentification.config import EncoderConfig
    from training.reidentification.grouping import merge
    from training.reidentification.model import JointEmbedding

    config, rng = EncoderConfig(), np.random.default_rng(0)
    width, wide = config.embedding, config.feed_forward
    shapes = {"cls": (width,), "projection.0.": (config.projection_hidden, width), "projection.2.": (width, width)}
    for number in range(config.blocks):
        name = f"blocks.layers.{number}."
        shapes |= {f"{name}linear1.": (wide, width), f"{name}linear2.": (width, wide), f"{name}norm1.": (width,)}
        shapes |= {f"{name}norm2.": (width,), f"{name}self_attn.out_proj.": (width, width)}
        shapes |= {f"{name}self_attn.in_proj_": (3 * width, width)}
    state = {"cls": rng.normal(size=width)}
    for name, shape in shapes.items():
        if name != "cls":
            state[f"{name}weight"], state[f"{name}bias"] = rng.normal(size=shape) * 0.05, rng.normal(size=shape[0])
    joint = JointEmbedding(config, state)
    frames = [rng.normal(size=(6, width)).astype(np.float32) for _ in range(events)]
    ticks: list[float] = []

    def group() -> None:
        last = perf_counter()

        def check() -> None:
            nonlocal last
            ticks.append(perf_counter() - last)
            last = perf_counter()

        vectors = joint.of_tracklets(frames, views, check)
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        merge(1.0 - np.clip(units @ units.T, -1.0, 1.0), 0.05)

    seconds = in_turns({"grouping": group}, rounds)["grouping"]
    print(f"{events:,} events of 6 frames, {views} views: {seconds}; longest step {max(ticks) * 1000:.0f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    step = commands.add_parser("step")
    step.add_argument("--backbone", default="efficientnet_lite0")
    step.add_argument("--procedures", type=int, default=8)
    step.add_argument("--views", type=int, default=4)
    step.add_argument("--side-px", type=int, default=64)
    step.add_argument("--rounds", type=int, default=7)
    feed = commands.add_parser("feed")
    feed.add_argument("phantom", type=Path)
    feed.add_argument("--steps", type=int, default=20)
    feed.add_argument("--procedures", type=int, default=16)
    grouping = commands.add_parser("grouping")
    grouping.add_argument("--events", type=int, default=2000)
    grouping.add_argument("--views", type=int, default=8)
    grouping.add_argument("--rounds", type=int, default=5)
    asked = vars(parser.parse_args())
    measures: dict[str, Callable[..., None]] = {
        "step": measure_step, "feed": measure_feed, "grouping": measure_grouping,
    }  # fmt: skip
    measures[asked.pop("command")](**asked)


if __name__ == "__main__":
    main()
