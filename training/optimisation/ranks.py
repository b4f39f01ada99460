"""The processes of one training, as torchrun starts them: the first one leads, the others compute rows of each batch.

The first process (rank 0) reads, draws, augments, computes the loss, updates the weights and writes. The others hold a
copy of the network. In each step they get its weights and some rows of the batch, return the embeddings of the rows,
get the gradient of the loss for these, and return that of the weights. So the loss is that of the whole batch for every
method, negatives, memory banks and queues included, and a run does not depend on the number of processes: each step is
that of one process with the same batch but for rounding, and a checkpoint can be resumed with another number.
"""

import gc
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, NamedTuple

import torch
from torch import Tensor, distributed, nn
from torch.distributed.rendezvous import rendezvous

from training.errors import UserError
from training.runs.reporter import Cancelled
from training.version import version

PATIENCE = timedelta(days=2)
"""How long a process waits for the others: they wait while the first one reads studies and evaluates."""
LAST_WORDS = timedelta(seconds=20)
"""How long a process that failed waits until the first one has heard of it: torchrun ends all once it is gone."""
END, BEGIN, TRY, STEP = range(4)
_MOST_AXES = 8
_FAILURE, _HEARD = "failure", "heard"


class Order(NamedTuple):
    """What the first process asks of the others."""

    kind: int
    size: int = 0
    """Bytes of the text (BEGIN), or rows that go through the network at once (TRY, STEP)."""
    shape: tuple[int, ...] = ()
    """Of the whole batch (TRY, STEP)."""


class Ranks:
    """This process among those of its run; alone, nothing here does anything.

    Orders and agreements go over gloo between CPUs, some 0.1 ms each, tensors over nccl between GPUs.
    """

    def __init__(self, rank: int = 0, count: int = 1, local_rank: int = 0, store: Any = None) -> None:
        self.rank, self.count, self.local_rank, self._store = rank, count, local_rank, store
        self.stop_requested = False
        """Whether another process was asked to stop."""
        self.is_busy = False
        """Whether the others are in the middle of an order."""

    def device(self, kind: str) -> torch.device:
        """Where a process that helps computes: each on a GPU of its own; raises `UserError` where there are too few."""
        if kind != "cuda":
            return torch.device(kind)
        if self.local_rank >= torch.cuda.device_count():
            raise UserError(
                "There are more processes than GPUs ({device_count}).",
                "Start as many processes as there are GPUs (--nproc-per-node), or compute on the CPU (--device cpu).",
                torch.cuda.device_count(),
            )
        torch.cuda.set_device(self.local_rank)
        return torch.device("cuda", self.local_rank)

    def sizes(self, rows: int) -> list[int]:
        """Rows of a batch for each process, the first ones get one more where it cannot be divided evenly.

        Raises:
            UserError: there are fewer rows than processes.
        """
        if rows < self.count:
            raise UserError(
                "A batch of {rows} cannot be divided among {count} processes.",
                "Choose larger batches, or start fewer processes (--nproc-per-node).",
                rows,
                self.count,
            )
        return [rows // self.count + (rank < rows % self.count) for rank in range(self.count)]

    # The first process.

    def begin(self, recipe: Mapping[str, Any], network: nn.Module) -> None:
        """Let the others make the method of a recipe (JSON values) with the state of this network, and its device."""
        if self.count == 1:
            return
        device = next(network.parameters()).device.type
        if device not in ("cpu", "cuda"):
            raise UserError("Several processes cannot train on {device}.", "Set --device cpu.", device)
        text = bytearray(json.dumps({**recipe, "device": device, "version": version()}).encode())
        with self.at_work():
            self._send(Order(BEGIN, len(text)))
            distributed.broadcast(torch.frombuffer(text, dtype=torch.uint8), 0)
            self.share_state(network)

    def share(self, kind: int, rows: Tensor, chunk: int) -> Tensor:
        """Give the rows of a batch (B, ...) to all; returns those of this process."""
        parts = torch.split(rows, self.sizes(len(rows)))
        self._send(Order(kind, chunk, tuple(rows.shape)))
        for rank, part in enumerate(parts[1:], 1):
            distributed.send(part.contiguous(), rank)
        return parts[0]

    def collect(self, own: Tensor, rows: int) -> Tensor:
        """The embeddings (B, ...) of all rows of a batch, from those of this process."""
        sizes = self.sizes(rows)[1:]
        parts = [own, *(own.new_empty((size, *own.shape[1:])) for size in sizes)]
        for rank, part in enumerate(parts[1:], 1):
            distributed.recv(part, rank)
        return torch.cat(parts)

    def spread(self, slopes: Tensor) -> Tensor:
        """Give each process the gradient for its embeddings, from that for all (B, ...); returns its own."""
        parts = torch.split(slopes, self.sizes(len(slopes)))
        for rank, part in enumerate(parts[1:], 1):
            distributed.send(part.contiguous(), rank)
        return parts[0]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """A context in which others do an order; raises `UserError` with the sentence of one that fails meanwhile."""
        self.is_busy = True
        try:
            yield
        except RuntimeError as error:
            if failure := self._failure():
                raise failure from error
            if is_lost(error):
                raise UserError(
                    "Another process of this run has ended.",
                    "See its messages; the last checkpoint is kept. Start the same command with --resume to continue.",
                ) from error
            raise
        self.is_busy = False

    def _send(self, order: Order) -> None:
        numbers = torch.zeros(3 + _MOST_AXES, dtype=torch.int64)
        numbers[:3] = torch.tensor([order.kind, order.size, len(order.shape)])
        numbers[3 : 3 + len(order.shape)] = torch.tensor(order.shape)
        distributed.broadcast(numbers, 0)

    def _failure(self) -> UserError | None:
        """What a process that failed left behind."""
        if self._store is None or not self._store.check([_FAILURE]):
            return None
        self._store.set(_HEARD, "")
        return UserError(*json.loads(self._store.get(_FAILURE)))

    # The others.

    def receive(self) -> Order:
        """Wait for the next order."""
        numbers = torch.zeros(3 + _MOST_AXES, dtype=torch.int64)
        distributed.broadcast(numbers, 0)
        kind, size, axes, *shape = numbers.tolist()
        return Order(kind, size, tuple(shape[:axes]))

    def receive_text(self, order: Order) -> str:
        """The recipe that follows BEGIN."""
        text = torch.zeros(order.size, dtype=torch.uint8)
        distributed.broadcast(text, 0)
        return bytes(text.tolist()).decode()

    def receive_rows(self, order: Order, device: torch.device) -> Tensor:
        """The rows of the batch for this process, that follow TRY and STEP."""
        rows = torch.empty((self.sizes(order.shape[0])[self.rank], *order.shape[1:]), device=device)
        distributed.recv(rows, 0)
        return rows

    def exchange(self, own: Tensor) -> Tensor:
        """Give the first process the embeddings of these rows for the gradient of the loss."""
        slope = torch.empty_like(own)
        distributed.send(own.contiguous(), 0)
        distributed.recv(slope, 0)
        return slope

    def report(self, error: BaseException) -> None:
        """Tell the first process why this one fails, and wait until it has heard of it; the group is left."""
        with suppress(RuntimeError):
            self._store.set(_FAILURE, json.dumps(_sentences(error)))
            _leave()
            self._store.wait([_HEARD], LAST_WORDS)

    # All.

    def share_state(self, network: nn.Module) -> None:
        """Give parameters and buffers of the first process's network to the others."""
        tensors = _state(network)
        numbers = sum(tensor.numel() for tensor in tensors)
        if self.largest(numbers) != -self.largest(-numbers):
            raise UserError(
                "Another process of this run has another version of the program.", "Install the same version on all."
            )
        for tensor in tensors:
            with torch.no_grad():
                given = tensor.detach().contiguous()
                distributed.broadcast(given, 0)
                tensor.copy_(given)

    def share_weights(self, network: nn.Module) -> None:
        """Give the parameters of the first process's network to the others."""
        parameters = list(network.parameters())
        flat = torch.cat([each.detach().reshape(-1) for each in parameters])
        distributed.broadcast(flat, 0)
        if self.rank:
            _fill(parameters, flat)

    def add_gradients(self, network: nn.Module) -> None:
        """Add the gradients of the others to those of the first process; those it does not have stay None."""
        parameters = [each for each in network.parameters() if each.requires_grad]
        slopes = [torch.zeros_like(each) if each.grad is None else each.grad for each in parameters]
        flat = torch.cat([each.reshape(-1) for each in slopes])
        distributed.reduce(flat, 0)
        if self.rank == 0:
            _fill([each.grad for each in parameters], flat, [each.numel() for each in parameters])

    def mean_(self, tensor: Tensor, weight: float) -> None:
        """Replace a tensor by its mean over all processes with these weights, which sum to one."""
        if self.count > 1:
            tensor *= weight
            distributed.all_reduce(tensor)

    def largest(self, number: int) -> int:
        """The largest of the numbers of all processes."""
        if self.count == 1:
            return number
        numbers = torch.tensor(number)
        distributed.all_reduce(numbers, distributed.ReduceOp.MAX)
        return int(numbers)


ALONE = Ranks()
_joined = ALONE


def current() -> Ranks:
    """The processes of this run; alone unless they have joined."""
    return _joined


@contextmanager
def joined() -> Iterator[Ranks]:
    """Connect to the other processes of this run, by torchrun's variables, while this context is open.

    The process then has to end by `training.files.terminal.end_process`.

    Raises:
        UserError: this torch cannot connect processes, or they do not find each other.
    """
    global _joined
    if not distributed.is_available():
        raise UserError("This build of PyTorch does not support distributed training.", "Start it without torchrun.")
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    try:
        store, rank, count = next(rendezvous(os.environ.get("INIT_METHOD", "env://"), timeout=PATIENCE))
        distributed.init_process_group(backend, store=store, rank=rank, world_size=count, timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise UserError(
            "The processes of this run cannot connect to each other ({error}).", "Start them with torchrun.", error
        ) from error
    ranks = _joined = Ranks(rank, count, int(os.environ.get("LOCAL_RANK", "0")), store)
    try:
        yield ranks
    finally:
        _joined = ALONE
        if not ranks.is_busy and distributed.is_initialized():
            with suppress(RuntimeError):
                if rank == 0:
                    ranks._send(Order(END))
                ranks.largest(0)
        _leave()


_LOST = re.compile("gloo|NCCL|onnection (closed|reset)|roken pipe")


def is_lost(error: BaseException) -> bool:
    """Whether an error says that the connection to another process is gone."""
    network = getattr(distributed, "DistNetworkError", ()), getattr(distributed, "DistBackendError", ())
    return isinstance(error, network) or (isinstance(error, RuntimeError) and bool(_LOST.search(str(error))))


def _leave() -> None:
    gc.collect()  # graphs hold the group, in circles of references
    if distributed.is_initialized():
        distributed.destroy_process_group()


def _state(network: nn.Module) -> list[Tensor]:
    """What the others need of a network; memories of earlier batches stay with the first process."""
    parts = [part for part in network.modules() if not getattr(part, "is_memory", False)]
    own = (tensor for part in parts for tensor in (*part.parameters(False), *part.buffers(False)))
    return list({id(tensor): tensor for tensor in own}.values())


@torch.no_grad()
def _fill(tensors: Sequence[Tensor | None], flat: Tensor, sizes: Sequence[int] | None = None) -> None:
    """Copy parts of a flat tensor into tensors, one after the other; None is left out."""
    sizes = sizes or [each.numel() for each in tensors if each is not None]
    for tensor, part in zip(tensors, torch.split(flat, list(sizes)), strict=True):
        if tensor is not None:
            tensor.copy_(part.view_as(tensor))


def _sentences(error: BaseException) -> tuple[str, str]:
    """Sentence and hint for the person."""
    if isinstance(error, UserError):
        return str(error.message), str(error.hint)
    if isinstance(error, Cancelled | KeyboardInterrupt):
        return "Another process of this run was ended.", "Start the same command with --resume to continue."
    what = f"{type(error).__name__}: {error}".replace("\n", " ")
    return f"Another process of this run failed ({what}).", "Please report it with the output of that process."
