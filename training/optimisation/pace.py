"""How quick a step is on this machine, and with how many threads: tried out on a copy that is thrown away."""

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch

from training.optimisation.gradients import Gradients
from training.optimisation.loop import Feed

M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
"""Parameters of `mallopt(3)`."""
NEVER = 2**31 - 1


def keep_freed_memory() -> bool:
    """Make glibc reuse large freed blocks for the rest of the process; elsewhere nothing changes.

    By default blocks above 128 KiB to 32 MiB are mapped and unmapped each time, and the system fills every new page
    with zeros: some 50,000 pages in each step of a fine-tuning with 24 frames, 15 to 30 % of its time. The process
    keeps its peak of memory until it ends.

    Returns:
        Whether the allocator took the settings.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # another C library, such as musl
        return False
    return bool(mallopt(M_MMAP_MAX, 0)) and bool(mallopt(M_TRIM_THRESHOLD, NEVER))


TIMED_STEPS = 3


class Pace(NamedTuple):
    """What was found."""

    step_seconds: float
    threads: int


def find_pace(
    gradients: Gradients, optimizer: torch.optim.Optimizer, feed: Feed, threads: int | None, device: torch.device
) -> Pace:
    """Time a few steps with all threads and with half of them, unless their number is given.

    Threads wait for each other after every layer: where other programs hold the cores, fewer of them are quicker.
    """
    every = torch.get_num_threads()
    on_cpu = device.type == "cpu"
    candidates = [threads] if threads else sorted({every, max(1, every // 2)} if on_cpu else {every}, reverse=True)
    step_seconds(gradients, optimizer, feed, 0)  # warms up
    paces = []
    for candidate in candidates:
        with threads_for_training(candidate):
            paces.append(
                Pace(min(step_seconds(gradients, optimizer, feed, step) for step in range(TIMED_STEPS)), candidate)
            )
    return min(paces)


MOST_THREADS = 4 * (os.cpu_count() or 1)
"""More than that wait for each other so long that nothing gets on."""


@contextmanager
def threads_for_training(threads: int | None) -> Iterator[None]:
    """Let torch use so many CPU threads inside, at most four for each core; None leaves it as it is.

    From then on the process keeps freed memory.
    """
    keep_freed_memory()
    before = torch.get_num_threads()
    torch.set_num_threads(min(threads, MOST_THREADS) if threads else before)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def step_seconds(gradients: Gradients, optimizer: torch.optim.Optimizer, feed: Feed, step: int) -> float:
    """How long a step takes, its reading included."""
    started = time.perf_counter()
    losses = gradients(*feed(step))
    optimizer.step()
    losses.total.item()
    return time.perf_counter() - started
