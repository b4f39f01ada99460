"""The processes of one run, as torchrun starts them: what each of them knows of the others, and how they agree."""

import gc
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NoReturn, TypeVar

import torch
from torch import Tensor, distributed, nn

from training.datasets.sequence_feed import default_workers
from training.errors import UserError
from training.runs.reporter import Cancelled, PassedOn, Reporter

Result = TypeVar("Result")

PATIENCE = timedelta(hours=2)
"""How long a rank waits for the others: the first one evaluates, writes and downloads weights while they wait."""
SEED_STRIDE = 2**20
_FINE, _STOP, _CANCEL, _FAILED = range(4)


@dataclass(frozen=True)
class Ranks:
    """This process among those of its run. Alone, everything here is a plain call.

    Agreements go over gloo between CPUs, some 0.1 ms each; gradients go by torch's DistributedDataParallel.
    """

    rank: int = 0
    count: int = 1
    local_rank: int = 0
    """Number among the processes of this machine; also the number of its GPU."""
    local_count: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this rank reports, evaluates and writes for all."""
        return self.rank == 0

    def seed(self, seed: int) -> int:
        """A seed of this rank's own, for augmentation; the first rank's is that of a run alone."""
        return seed + SEED_STRIDE * self.rank

    def device(self, chosen: torch.device) -> torch.device:
        """Where this rank computes: each one on a GPU of its own; raises `UserError` where there are too few."""
        if self.count == 1 or chosen.type != "cuda":
            return chosen
        if self.local_rank >= torch.cuda.device_count():
            raise UserError(
                "There are more processes than GPUs ({device_count}).",
                "Start as many processes as there are GPUs (--nproc-per-node), or compute on the CPU (--device cpu).",
                torch.cuda.device_count(),
            )
        torch.cuda.set_device(self.local_rank)
        return torch.device("cuda", self.local_rank)

    def workers(self, wanted: int | None) -> int | None:
        """Processes that read frames for this rank: those wanted, else its share of what the machine's cores allow."""
        if wanted is not None or self.count == 1:
            return wanted
        return max(1, default_workers() // self.local_count)

    def reporter(self, reporter: Reporter) -> Reporter:
        """The first rank reports; the others are silent, but still hear that they should stop."""
        return reporter if self.is_first else _Quiet(reporter)

    def distributed(self, network: nn.Module) -> nn.Module:
        """The network whose backward pass averages gradients over ranks; its parameters become the first rank's.

        Buffers are not broadcast: every rank's running statistics count, see `running_statistics`.
        """
        if self.count == 1:
            return network
        device = next(network.parameters()).device
        devices = [device] if device.type == "cuda" else None
        kind = nn.parallel.DistributedDataParallel
        # Renamed in recent versions of torch, which warn of the old name.
        is_newer = "forward_sync_buffers" in inspect.signature(kind.__init__).parameters
        own_buffers: dict[str, Any] = {"forward_sync_buffers" if is_newer else "broadcast_buffers": False}
        return kind(network, device_ids=devices, **own_buffers)

    def go_on(self, reporter: Reporter) -> bool:
        """False on all ranks once one was asked to stop; raises `Cancelled` on all once one was asked to cancel."""
        if self.count == 1:
            reporter.check()
            return not reporter.stop_requested
        try:
            reporter.check()
            request = _STOP if reporter.stop_requested else _FINE
        except Cancelled:
            request = _CANCEL
        strongest = self._strongest(request)
        if strongest == _CANCEL:
            raise Cancelled
        return strongest == _FINE

    def together(self, work: Callable[[], Result]) -> Result:
        """Do `work`, which must not wait for other ranks; where it fails on one rank, it fails on all of them.

        Raises:
            what `work` raised here; `UserError` with the same words, or `Cancelled`, where it was raised elsewhere.
        """
        if self.count == 1:
            return work()
        failure: Exception | None = None
        try:
            result = work()
        except Exception as error:  # passed on below, to all ranks
            failure = error
        if self._strongest(_FINE if failure is None else _FAILED) == _FAILED:
            self._fail(failure)
        return result

    def on_first(self, work: Callable[[], object]) -> None:
        """Do `work` on the first rank while the others wait; see `together`."""
        self.together(work if self.is_first else lambda: None)

    def first_then_others(self, work: Callable[[], Result]) -> Result:
        """Do `work` on the first rank, then on the others, which find what it left (a downloaded file)."""
        if self.count == 1:
            return work()
        if self.is_first:
            result = self.together(work)
            self.together(lambda: None)
            return result
        self.together(lambda: None)
        return self.together(work)

    def from_first(self, make: Callable[[], str]) -> str:
        """The text that `make` gives on the first rank, on all ranks; nothing is pickled."""
        if self.count == 1:
            return make()
        return self._texts(self.together(make if self.is_first else str))[0]

    def mean(self, values: Sequence[float]) -> tuple[float, ...]:
        """The mean over ranks of each value; one that is not finite anywhere is not finite everywhere."""
        if self.count == 1:
            return tuple(values)
        numbers = torch.tensor(values, dtype=torch.float64)
        distributed.all_reduce(numbers)
        return tuple((numbers / self.count).tolist())

    def average_(self, tensor: Tensor) -> None:
        """Replace a tensor by its mean over ranks, on its device."""
        if self.count > 1:
            distributed.all_reduce(tensor)
            tensor /= self.count

    def _strongest(self, state: int) -> int:
        """The largest of all ranks' states."""
        states = torch.tensor(state)
        distributed.all_reduce(states, distributed.ReduceOp.MAX)
        return int(states)

    def _fail(self, failure: Exception | None) -> NoReturn:
        """Raise the failure here too; what the first rank that failed says counts."""
        messages = self._texts("" if failure is None else _describe(failure))
        if failure is not None:
            raise failure
        kind, sentence, hint = next(text for text in messages if text).split("\n", 2)
        if kind == "cancelled":
            raise Cancelled
        raise UserError(sentence, hint)

    def _texts(self, text: str) -> list[str]:
        """One text of each rank."""
        mine = torch.frombuffer(bytearray(text.encode() or b"\0"), dtype=torch.uint8)
        size = torch.tensor(len(mine))
        distributed.all_reduce(size, distributed.ReduceOp.MAX)
        padded = torch.zeros(int(size), dtype=torch.uint8)
        padded[: len(mine)] = mine
        gathered = [torch.empty_like(padded) for _ in range(self.count)]
        distributed.all_gather(gathered, padded)
        return [bytes(part.tolist()).rstrip(b"\0").decode() for part in gathered]


ALONE = Ranks()


@contextmanager
def joined(device: str = "auto") -> Iterator[Ranks]:
    """The ranks of this run, from torchrun's variables; alone where there are none. Leaves the group at the end.

    Ranks that are done wait for each other, so that none takes down what another still talks to. The process then has
    to end by `training.files.terminal.end_process`.

    Args:
        device: of the settings; where GPUs are used, gradients go over nccl, else everything over gloo.

    Raises:
        UserError: this torch cannot connect processes, or they do not find each other.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield ALONE
        return
    if not distributed.is_available():
        raise UserError("This build of PyTorch does not support distributed training.", "Start it without torchrun.")
    backend = "cpu:gloo,cuda:nccl" if device in ("auto", "cuda") and torch.cuda.is_available() else "gloo"
    try:
        distributed.init_process_group(backend, timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise UserError(
            "The processes of this run cannot connect to each other ({error}).", "Start them with torchrun.", error
        ) from error
    try:
        local_rank, local_count = (int(os.environ.get(f"LOCAL_{name}", "0")) for name in ("RANK", "WORLD_SIZE"))
        yield Ranks(distributed.get_rank(), distributed.get_world_size(), local_rank, max(1, local_count))
        with suppress(RuntimeError):  # another rank failed after this one was done, and says so itself
            distributed.barrier()
    finally:
        gc.collect()  # networks hold the group, in circles of references
        distributed.destroy_process_group()


class _Quiet(PassedOn):
    """Says nothing; stop and cancel are those of the process."""

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """The first rank says it."""

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """The first rank says it."""

    def log(self, line: str) -> None:
        """The first rank says it."""


def _describe(failure: Exception) -> str:
    """Kind, sentence and hint, a line each."""
    if isinstance(failure, Cancelled):
        return "cancelled\n\n"
    if isinstance(failure, UserError):
        return "\n".join(("user", failure.message.replace("\n", " "), failure.hint))
    said = f"{type(failure).__name__}: {failure}".replace("\n", " ")
    return f"bug\nAnother process of this run failed ({said}).\nPlease report it with the output of that process."
