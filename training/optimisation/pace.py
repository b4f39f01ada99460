"""What a training may take of this machine: threads, memory, and time."""

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from training.runs.reporter import PassedOn, Reporter
from training.texts import Text

M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
"""Parameters of `mallopt(3)`."""
NEVER = 2**31 - 1


def keep_freed_memory() -> bool:
    """Make glibc reuse large freed blocks for the rest of the process; elsewhere nothing changes.

    By default blocks above 128 KiB to 32 MiB are mapped and unmapped each time, and the system fills every new page
    with zeros: some 50,000 pages in each step of a fine-tuning with 24 frames, 15 to 30 % of its time. The process
    keeps its peak of memory until it ends.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # another C library, such as musl
        return False
    return bool(mallopt(M_MMAP_MAX, 0)) and bool(mallopt(M_TRIM_THRESHOLD, NEVER))


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


WARNED_AFTER_STEPS = 5


class TimeLimit(PassedOn):
    """Asks for a stop once a training has taken its minutes, as a person would; says early on that it will not finish.

    Nothing else of a training depends on the clock: equal settings and seeds give equal steps on a busy machine, too.
    The first `fewest_steps` of "training" are made whatever the clock says; 0 minutes are no limit.
    """

    def __init__(self, inner: Reporter, minutes: float, fewest_steps: int = 0) -> None:
        super().__init__(inner)
        self._minutes, self._fewest = minutes, fewest_steps
        self._began, self._first, self._done = time.monotonic(), -1, 0
        self._has_warned = self._is_over = False

    @property
    def stop_requested(self) -> bool:
        """Whether somebody asked for a stop, or the time is over."""
        late = self._minutes and time.monotonic() - self._began >= 60 * self._minutes and self._done >= self._fewest
        if late and not self._is_over:
            self._is_over = True
            self.log(
                Text("Stopped after {minutes:g} minutes, the time limit, at step {step}.", self._minutes, self._done)
            )
        return bool(late) or super().stop_requested

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Pass on; warn once if the steps will take longer than the limit."""
        super().progress(done, total, unit, what)
        if unit != "steps":
            return
        self._first, self._done = done if self._first < 0 else self._first, done
        made = done - self._first
        if not self._minutes or self._has_warned or made < WARNED_AFTER_STEPS:
            return
        self._has_warned = True
        needed = (time.monotonic() - self._began) / made * (total - self._first) / 60
        if needed > self._minutes:
            self.log(
                Text(
                    "All {steps} steps would take about {needed:.1f} minutes; the time limit is {minutes:g}.",
                    total,
                    needed,
                    self._minutes,
                )
            )
