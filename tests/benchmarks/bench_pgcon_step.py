"""A step of PGCon or WINCon against its encoder's forward and backward alone: what views, bank and loss add.

    python -m tests.benchmarks.bench_pgcon_step [--method wincon] [--backbone resnet50] [--device cpu] [--threads 2]

Frames lie on the device. In turns within one run: the encoder on views that are made already (`embed`, and back with
ones), and the whole step (views, rows and negatives drawn, `embed`, bank, loss, back, the bank's update; no optimizer
on either side). The median of the turns' ratios is told, and each part alone. Aim: at most 10 % more.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import torch

from tests.benchmarks.bench_pgcon_views import tissue
from training.compute.out_of_memory import Chunks
from training.datasets.sequence_feed import SequenceBatch
from training.datasets.sequences import SequenceSpan
from training.methods.bank_method import BankMethod
from training.methods.pgcon_heads import PriorPretrainer
from training.optimisation.gradients import Gradients
from training.pretraining.batches import FrameRows, PretrainBatches, add_bank
from training.pretraining.config import pretrain_config
from training.runs.reporter import SilentReporter

KNOWN_FRAMES = 100_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", default="pgcon", choices=("pgcon", "wincon", "pirl"))
    parser.add_argument("--backbone", default="resnet50")
    parser.add_argument("--frames", type=int, default=64)
    parser.add_argument("--frame-size", type=int, default=320)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    compare(parser.parse_args())


def compare(options: argparse.Namespace) -> None:
    """Print the ratio, and what each part takes."""
    torch.set_num_threads(options.threads)
    device = torch.device(options.device)
    config = pretrain_config(
        studies="-",
        out="-",
        method=options.method,
        backbone=options.backbone,
        sequences=options.frames,
        frame_size=options.frame_size,
    )
    network = PriorPretrainer(config.backbone, config.projection)
    add_bank(network, config, KNOWN_FRAMES, Path(), SilentReporter())
    network = network.to(device).to(memory_format=torch.channels_last).train()
    autocast = torch.bfloat16 if device.type == "cuda" else None
    method = config.method_class(network, config, autocast=autocast)
    assert isinstance(method, BankMethod)
    frames = tissue(options.frames, config.read_size).to(device)
    labels = torch.arange(options.frames, device=device)
    read = SequenceBatch(
        frames, labels, torch.ones(options.frames, dtype=torch.bool), torch.full((options.frames, 2), 336)
    )
    rows = FrameRows([SequenceSpan(0, 0, 0, KNOWN_FRAMES)])
    batches = PretrainBatches(lambda _: read, method, 0, rows)
    gradients = Gradients(method, Chunks(), SilentReporter())
    images, drawn = batches(0)

    def encoder() -> None:
        network.zero_grad(set_to_none=True)
        vectors = method.embed(images)
        vectors.backward(torch.ones_like(vectors))  # type: ignore[no-untyped-call]

    def whole() -> None:
        gradients(*batches(1))

    def loss() -> None:
        vectors = torch.randn(options.frames, len(method.view_names), 128, device=device, requires_grad=True)
        method.losses_of(vectors, drawn).total.backward()  # type: ignore[no-untyped-call]
        method.settle()

    parts = {"encoder": encoder, "whole": whole, "views": lambda: batches(1), "bank and loss": loss}
    found: dict[str, list[float]] = {name: [] for name in parts}
    for turn in range(options.rounds + 1):
        for name, work in parts.items():
            taken = timed(work, device)
            if turn:  # the first one warms up
                found[name].append(taken)
    ratio = median(a / b for a, b in zip(found["whole"], found["encoder"], strict=True))
    print(f"{options.method}, {config.backbone}, {options.frames} frames of {config.read_size} px on {device}:")
    print(f"whole step / encoder alone: {ratio:.3f} (median of {options.rounds} turns)")
    print(", ".join(f"{name} {1000 * median(times):.1f} ms" for name, times in found.items()))


def timed(work: Callable[[], object], device: torch.device) -> float:
    """Seconds of one call, the device's work included; on a CPU, which others share, seconds of CPU."""
    clock = time.perf_counter if device.type == "cuda" else time.process_time
    synchronise(device)
    started = clock()
    work()
    synchronise(device)
    return clock() - started


def synchronise(device: torch.device) -> None:
    """Wait for the device."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


if __name__ == "__main__":
    main()
