"""How many frames of a pretraining had no prior: nothing red in them, all black, or no field of view."""

from collections.abc import Callable

import torch
from torch import Tensor

TOLD_SHARE = 0.01
"""Share of the frames from which on a person is told (ours): a few black ones are in every study."""
LOOK_EVERY = 20
"""Batches between two looks: each waits for the device."""


class PriorTally:
    """Counts along the steps of this process; a run that was taken up again counts from there, and says so."""

    def __init__(self, log: Callable[[str], None], first_step: int = 0) -> None:
        """`log` hears one sentence, once; `first_step`: steps done before."""
        self._log, self._first_step = log, first_step
        self._missed = torch.zeros((), dtype=torch.int64)
        self._frames, self._batches, self._was_told = 0, 0, False

    def add(self, found: Tensor) -> None:
        """Count one batch: (B,) bool on any device, see `PriorSquares`; nothing waits for it but every `LOOK_EVERY`."""
        if self._batches % LOOK_EVERY == 0:
            self.look()  # before this batch: those that came earlier are done
        self._missed = self._missed.to(found.device) + (~found).sum()
        self._frames += len(found)
        self._batches += 1

    def look(self) -> str:
        """The sentence on what was counted so far, "" where that is too little; it is logged the first time."""
        missed = int(self._missed)
        if missed <= TOLD_SHARE * self._frames:
            return ""
        since = f" since step {self._first_step}" if self._first_step else ""
        sentence = (
            f"In {missed:,} of {self._frames:,} frames{since} nothing red was found (they are black, without red, or "
            "without a field of view): their prior view is the middle of the frame."
        )
        if not self._was_told:
            self._log(f"{sentence} Lower least_redness, or leave such frames out.")
            self._was_told = True
        return sentence

    def counts(self) -> dict[str, dict[str, int]]:
        """For the card: JSON values; empty where nothing was counted."""
        if not self._frames:
            return {}
        counted = {"frames": self._frames, "in_the_middle": int(self._missed), "since_step": self._first_step}
        return {"prior_views": counted}
