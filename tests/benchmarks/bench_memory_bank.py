"""The memory bank: its bytes for a million frames, and what a batch of 64 costs, in memory and on disk.

    python -m tests.benchmarks.bench_memory_bank [--frames 1000000]

Aim: at most 300 MB for 1,000,000 frames.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch

from training.losses.memory_bank import MemoryBank, draw_negatives

BATCH, NEGATIVES, WIDTH = 64, 200, 128


def seconds(work: Callable[[], object], repeats: int = 30) -> float:
    """CPU seconds, the median of some calls: other work comes and goes on a shared machine."""
    found = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return sorted(found)[repeats // 2]


def batch(bank: MemoryBank, generator: torch.Generator) -> Callable[[], None]:
    """What one step does with a bank: two draws of negatives, three reads, one update."""

    rows = torch.randperm(len(bank), generator=generator)[:BATCH]

    def work() -> None:
        bank.of(rows)
        for _ in range(2):
            bank.of(draw_negatives(rows, len(bank), NEGATIVES, generator))
        bank.update_(rows, torch.randn(BATCH, WIDTH, generator=generator))

    return work


def main() -> None:
    """Print bytes and milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000)
    frames = parser.parse_args().frames
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bank = MemoryBank(frames, WIDTH, start="random")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(
        f"{frames:,} frames: {MemoryBank.nbytes(frames, WIDTH) / 1e6:.0f} MB; the process grew by {grown / 1e6:.0f} MB"
    )
    print(f"in memory: {1000 * seconds(batch(bank, generator)):.1f} ms of CPU a batch of {BATCH}")
    with tempfile.TemporaryDirectory() as folder:
        on_disk = MemoryBank(frames, WIDTH, folder=Path(folder))
        print(f"on disk: {1000 * seconds(batch(on_disk, generator)):.1f} ms of CPU a batch of {BATCH}")


if __name__ == "__main__":
    main()
