"""How many frames go through the network at once: all of a batch, or fewer where the memory does not hold them."""

import torch

from training.runs.reporter import Reporter
from training.texts import Text

SMALLEST = 4
"""Frames; batch normalisation over fewer of them is unreliable, so the run fails instead."""


class Chunks:
    """The number of frames that go through the network at once, halved whenever a GPU's memory runs out."""

    def __init__(self, size: int | None = None) -> None:
        """`size`: in frames, where it is asked for; None: the whole batch."""
        self.size = size
        self.was_reduced = False

    def of(self, frames: int) -> int:
        """Frames at once, of a batch of so many."""
        return min(self.size or frames, frames)

    def reduce(self, frames: int, reporter: Reporter) -> bool:
        """Halve it after memory ran out on a batch of so many frames, and say so; False where that cannot help."""
        smaller = self.of(frames) // 2
        if smaller < SMALLEST:
            return False
        self.size, self.was_reduced = smaller, True
        reporter.log(
            Text(
                "The graphics card ran out of memory: the network now processes {smaller} frames at a time. The loss "
                "is still that of the whole batch; batch normalisation sees {smaller} frames at a time.",
                smaller,
            )
        )
        return True

    def note(self) -> str:
        """A sentence for the card where memory ran out; empty otherwise."""
        if not self.was_reduced:
            return ""
        return Text("Memory ran out, so the network processed {size} frames at a time (gradient caching).", self.size)


def forget_the_rest(device: torch.device) -> None:
    """Give freed blocks back, so that smaller ones can be cut from them."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
    elif device.type == "mps":
        torch.mps.empty_cache()
