"""What the tests of two ranks run in each of two processes: python -m tests.training.optimisation.two_ranks FOLDER.

Every scenario writes FOLDER/<scenario>-<rank>.safetensors (weights and buffers) and .json (what was said).
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.training.optimisation.tiny_network import TinyPretrainer, sequence_batch, tiny_pretrainer
from training.compute.out_of_memory import Chunks
from training.errors import UserError
from training.files.terminal import end_process
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.optimisation.loop import LoopPlan, train
from training.optimisation.ranks import Ranks, joined
from training.runs.folder import Point
from training.runs.reporter import Cancelled, SilentReporter

STEPS = 3
RATE = 0.5
MARGIN = 0.1
FRAMES = (12, 8)
"""Of each rank's sequence: a short span gives one rank fewer frames."""


class Asked(SilentReporter):
    """Asks for a stop or a cancel before a step, on one rank only."""

    def __init__(self, stop_at: int | None = None, cancel_at: int | None = None) -> None:
        self._stop_at, self._cancel_at, self._asked = stop_at, cancel_at, -1
        self.lines: list[str] = []

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return self._stop_at is not None and self._asked >= self._stop_at

    def check(self) -> None:
        self._asked += 1
        if self._cancel_at is not None and self._asked >= self._cancel_at:
            raise Cancelled

    def log(self, line: str) -> None:
        self.lines.append(line)


class SmallCard(TimeTriplet):
    """Runs out of memory where more than `room` frames keep their activations."""

    room = 1000

    def embed(self, images: Tensor) -> Tensor:
        if torch.is_grad_enabled() and len(images) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return super().embed(images)


Scenario = Callable[[Path, Ranks], dict[str, Any]]


def learn(
    folder: Path,
    ranks: Ranks,
    *,
    train_mode: bool,
    method: type[TimeTriplet] | type[SimClr] = TimeTriplet,
    gather: bool = False,
    chunk: int | None = None,
    reporter: Asked | None = None,
    feed: Callable[[int], tuple[Tensor, Tensor]] | None = None,
    room: int = 1000,
) -> dict[str, Any]:
    """Train some steps in the loop; the weights go to a file, what was told comes back."""
    network: TinyPretrainer = tiny_pretrainer(train=train_mode)
    made = method(network, gather=gather)
    if isinstance(made, SmallCard):
        made.room = room
    if isinstance(made, TimeTriplet):
        made.triplet_loss.window, made.triplet_loss.margin = 2, MARGIN
    made.encode = ranks.distributed(network)
    points: list[Point] = []
    chunks, listener = Chunks(chunk), reporter or Asked()
    plan = LoopPlan(0, STEPS, lambda step: (RATE,), folder, 1e9, {}, chunks=chunks, ranks=ranks)
    optimizer = torch.optim.SGD(network.parameters(), RATE)
    said: dict[str, Any] = {}

    def own(step: int) -> tuple[Tensor, Tensor]:
        return batch(step, ranks.rank, made.views)

    try:
        said["done"] = train(made, optimizer, feed or own, plan, listener, listener, points.append)
    except Cancelled:
        said["cancelled"] = True
    except UserError as error:
        said["error"] = error.message
    state = {name: value.clone().contiguous() for name, value in network.state_dict().items()}
    save_file(state, folder / "weights.safetensors")
    points_said = [point.figures for point in points]
    checkpoints = sorted(path.name for path in folder.glob("step-*"))
    return {**said, "points": points_said, "chunk": chunks.size, "lines": listener.lines, "checkpoints": checkpoints}


def batch(step: int, rank: int, views: int) -> tuple[Tensor, Tensor]:
    """The rank's sequence, with `views` of each frame."""
    images, labels = sequence_batch(step, rank, FRAMES[rank])
    shown = [images, *(images + 0.1 * view for view in range(1, views))]
    return torch.cat(shown), labels.repeat(views)


def diverging(step: int) -> tuple[Tensor, Tensor]:
    """Not a number on the second rank's second step."""
    rank = torch.distributed.get_rank()
    images, labels = batch(step, rank, 1)
    return images * (float("nan") if (step, rank) == (1, 1) else 1.0), labels


def unreadable(step: int) -> tuple[Tensor, Tensor]:
    """A study that only the second rank reads, and cannot."""
    rank = torch.distributed.get_rank()
    if (step, rank) == (1, 1):
        raise UserError("No frame of study P1 can be read.", "Check the file.")
    return batch(step, rank, 1)


def second(ranks: Ranks, **asked: int) -> Asked:
    """What only the second rank is asked."""
    return Asked(**asked) if ranks.rank == 1 else Asked()


SCENARIOS: dict[str, Scenario] = {
    "per-rank": lambda folder, ranks: learn(folder, ranks, train_mode=True),
    "gather-time-triplet": lambda folder, ranks: learn(folder, ranks, train_mode=False, gather=True),
    "gather-simclr": lambda folder, ranks: learn(folder, ranks, train_mode=False, gather=True, method=SimClr),
    "gather-cached": lambda folder, ranks: learn(folder, ranks, train_mode=False, gather=True, chunk=4),
    "small-card": lambda folder, ranks: learn(
        folder, ranks, train_mode=False, method=SmallCard, room=5 if ranks.rank else 1000
    ),
    "stopped": lambda folder, ranks: learn(folder, ranks, train_mode=True, reporter=second(ranks, stop_at=2)),
    "cancelled": lambda folder, ranks: learn(folder, ranks, train_mode=True, reporter=second(ranks, cancel_at=2)),
    "diverged": lambda folder, ranks: learn(folder, ranks, train_mode=True, feed=diverging),
    "unreadable": lambda folder, ranks: learn(folder, ranks, train_mode=True, feed=unreadable),
    "text": lambda folder, ranks: {"text": ranks.from_first(lambda: "schön" if ranks.is_first else "wrong")},
    "own": lambda folder, ranks: {"seed": ranks.seed(3), "mean": ranks.mean([ranks.rank, 1.0])},
}


def run(folder: Path) -> None:
    """All scenarios, one after the other, in one group of processes."""
    with joined("cpu") as ranks:
        for name, scenario in SCENARIOS.items():
            place = folder / f"{name}-{ranks.rank}"
            place.mkdir(parents=True)
            said = scenario(place, ranks)
            (place / "said.json").write_text(json.dumps(said), encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    run(Path(sys.argv[1]))
    end_process(0)
