"""The course of the learning rate: the factor of the highest rate at each step."""

import math
from collections.abc import Sequence
from typing import Literal, Protocol

PLATEAU_THRESHOLD = 1e-4
"""Share by which a validation loss must be lower than the lowest before it."""


class ScheduleSettings(Protocol):
    """What the course depends on, besides the number of steps."""

    @property
    def schedule(self) -> Literal["cosine", "step", "constant", "plateau"]:
        """Kind of course."""

    @property
    def warmup_share(self) -> float:
        """Share of the steps that climb linearly (cosine only)."""

    @property
    def warmup_steps(self) -> int:
        """Steps that climb linearly (step and constant)."""

    @property
    def step_every(self) -> int:
        """Steps between two divisions (step only)."""

    @property
    def step_factor(self) -> float:
        """Factor of each division (step only)."""


def rate_factor(settings: ScheduleSettings, step: int, steps: int, final_share: float = 0.01) -> float:
    """Factor in (0, 1] at `step` (0-based) of `steps`; `final_share` is left at the last step (cosine only).

    Of "plateau" it is the warmup alone; see `plateau_factor`.
    """
    if settings.schedule != "cosine":
        # Not a share: these schedules used to ignore `warmup_share`, so settings that are there have any value of it.
        climbed = min(1.0, (step + 1) / (settings.warmup_steps + 1))
        fallen = settings.step_factor ** (step // settings.step_every) if settings.schedule == "step" else 1.0
        return float(climbed * fallen)
    warmup = max(1, round(settings.warmup_share * steps))
    if step < warmup:
        return (step + 1) / warmup
    # Ends at 1 % of the highest rate rather than at nothing, so that the last step still counts.
    along = (step - warmup + 1) / max(1, steps - warmup)
    return final_share + (1.0 - final_share) * 0.5 * (1.0 + math.cos(math.pi * along))


def plateau_factor(losses: Sequence[float], patience: int, factor: float = 0.5) -> float:
    """Factor of the highest rate after these validation losses: `factor` for each time they stopped falling.

    So many losses in a row as the patience may fail to be lower than the lowest before them. PyTorch's
    `ReduceLROnPlateau` with its threshold of 1e-4; Xiang et al. 2023 halve the rate and do not state more.
    """
    lowest, waited, reductions = math.inf, 0, 0
    for loss in losses:
        is_lower = loss < lowest * (1 - PLATEAU_THRESHOLD)
        lowest, waited = (loss, 0) if is_lower else (lowest, waited + 1)
        if waited > patience:
            reductions, waited = reductions + 1, 0
    return float(factor**reductions)
