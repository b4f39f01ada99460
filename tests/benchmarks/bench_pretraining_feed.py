"""The pretraining step fed from video files, against the same step on frames that lie in memory.

Run it with `python -m tests.benchmarks.bench_pretraining_feed`. It prints and asserts nothing. Both are measured in
turns within one run, and the best of each is taken: other work comes and goes on a shared machine. Nothing is read
ahead when the clock starts, so the processes have to read at least as much as is used. On a machine whose cores are all
taken by others the clock says little; seconds of CPU, those of the reading processes included, say what a feed costs
where no core is idle: the worst case.
"""

import argparse
import platform
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import torch

from tests.benchmarks.bench_scoring import write_video
from training.compute.devices import choose_autocast
from training.datasets.sequence_feed import SequenceBatch, SequenceFeed
from training.datasets.sequence_reader import StudyFile
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.models.projection_head import Pretrainer
from training.pretraining.batches import PretrainBatches, make_optimizer
from training.pretraining.config import PretrainConfig
from training.video import NUMBERING

PAPER_STEPS = 21_000


def main() -> None:
    """Make videos, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backbone", default="resnet50")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--length", type=int, default=72)
    parser.add_argument("--sequences", type=int, default=1)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    name = torch.cuda.get_device_name() if options.device == "cuda" else f"{torch.get_num_threads()} threads"
    print(f"{options.device} ({name}), {platform.machine()}, torch {torch.__version__}, PyAV {version('av')}")
    with tempfile.TemporaryDirectory() as folder:
        studies = {
            number: (f"study {number}", write_video(Path(folder) / f"{number}.mp4", 600 + 40 * number), NUMBERING)
            for number in range(max(2, options.sequences))
        }
        compare(options, studies)


def compare(options: argparse.Namespace, studies: dict[int, StudyFile]) -> None:
    """Time both ways in turns."""
    spans = [SequenceSpan(number, number, 0, 600) for number in studies]
    sampler = SequenceSampler(spans, options.length, options.sequences)
    config = PretrainConfig.model_validate(
        {"studies": "-", "out": "-", "backbone": options.backbone, "input_size": options.size}
    )
    device = torch.device(options.device)
    network = Pretrainer(config.backbone).to(device).to(memory_format=torch.channels_last).train()
    step = make_step(config, network)

    def feed() -> SequenceFeed:
        return SequenceFeed(sampler, studies, options.size, device=device, workers=options.workers)

    with feed() as files:
        kept = files(0)
        read = rate(files, options.steps * 4, options.length * options.sequences)
        workers = files.workers
    step(lambda _: kept, 0)  # warms up
    best = {"memory": float("inf"), "files": float("inf")}
    used = dict(best)
    for _ in range(options.rounds):
        clock, cpu = seconds(step, lambda _: kept, options.steps, 1)
        best["memory"], used["memory"] = min(best["memory"], clock), min(used["memory"], cpu)
        with feed() as files:
            files(0)
            clock, cpu = seconds(step, files, options.steps, 1)
            best["files"], used["files"] = min(best["files"], clock), min(used["files"], cpu)
    with SequenceFeed(sampler, studies, options.size, workers=0) as files:
        files(0)
        _, reading = seconds(just_read, files, options.steps * 4, 1)
    frames = len(kept.frames)
    print(f"{options.backbone}, {frames} frames of {options.size} px, {workers} reading processes: ", end="")
    print(f"{frames / best['files']:.1f} images/s from files, {frames / best['memory']:.1f} from memory: ", end="")
    print(f"{best['memory'] / best['files']:.3f} of its rate; the paper's 21,000 steps: ", end="")
    print(f"{PAPER_STEPS * best['files'] / 3600:.2f} h; reading alone: {read:.0f} frames/s")
    print(f"seconds of CPU a step: {used['memory']:.2f} from memory, {used['files']:.2f} from files ", end="")
    print(f"and {reading:.3f} in the reading processes: {used['memory'] / (used['files'] + reading):.3f}")


def make_step(config: PretrainConfig, network: Pretrainer) -> Callable[[Callable[[int], SequenceBatch], int], None]:
    """One step of the loop: batch, losses, backward, update."""
    autocast = choose_autocast(config.precision, network.mean.device)
    method = config.method_class(network, config, autocast=autocast)
    optimizer = make_optimizer(network, config)

    def step(feed: Callable[[int], SequenceBatch], number: int) -> None:
        losses = method.losses(*PretrainBatches(feed, method, config.seed)(number))
        losses.total.item()
        optimizer.zero_grad(set_to_none=True)
        losses.total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return step


def seconds(
    step: Callable[[Callable[[int], SequenceBatch], int], None],
    feed: Callable[[int], SequenceBatch],
    steps: int,
    first: int,
) -> tuple[float, float]:
    """Of one step, by the clock and of this process's CPU, the mean over some."""
    started, used = time.perf_counter(), time.process_time()
    for number in range(first, first + steps):
        step(feed, number)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return (time.perf_counter() - started) / steps, (time.process_time() - used) / steps


def just_read(feed: Callable[[int], SequenceBatch], number: int) -> None:
    """A step that does nothing else."""
    feed(number)


def rate(feed: SequenceFeed, steps: int, frames: int) -> float:
    """Frames a second that are read when nothing else is done."""
    started = time.perf_counter()
    for number in range(1, steps + 1):
        feed(number)
    return steps * frames / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
