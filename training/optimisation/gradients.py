"""The gradient of one batch, however many frames fit into memory at once and however many ranks share the work.

Where not all fit, the gradient of the whole batch's loss comes from a network that sees some frames at once, as in Gao
et al. 2021 (Scaling deep contrastive learning batch size under memory limited setup). Accumulating over small batches
would change the triplets; here every triplet of the batch counts, at the price of one more forward pass.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from training.compute.out_of_memory import Chunks, forget_the_rest
from training.errors import UserError
from training.losses.terms import Losses
from training.methods.method import Method
from training.optimisation.ranks import ALONE, Ranks
from training.runs.reporter import Reporter


class RunningStatistics:
    """Running means and variances of a network, read and written as one flat tensor.

    They follow each batch linearly, so the mean of what several parts of a batch made of them is what one update by
    the mean of the parts' statistics makes of them: that is how ranks, and chunks of a batch, count alike.
    """

    def __init__(self, network: nn.Module) -> None:
        """Of the layers that are in training mode now: frozen ones stay as they are, to the last bit."""
        norms = [part for part in network.modules() if isinstance(part, nn.BatchNorm2d) and part.training]
        self._numbers = [
            buffer for norm in norms for buffer in (norm.running_mean, norm.running_var) if buffer is not None
        ]
        self._counters = [norm.num_batches_tracked for norm in norms if norm.num_batches_tracked is not None]

    def read(self) -> Tensor:
        """A copy, (total,) float, on the device; counters come last (exact up to 2^24 steps)."""
        parts = [*self._numbers, *(counter.float() for counter in self._counters)]
        return torch.cat([part.detach().reshape(-1) for part in parts]) if parts else torch.zeros(0)

    @torch.no_grad()
    def write(self, flat: Tensor) -> None:
        """Put back what `read` gave, or a mean of such."""
        buffers: Sequence[Tensor] = (*self._numbers, *self._counters)
        for buffer, part in zip(buffers, torch.split(flat, [buffer.numel() for buffer in buffers]), strict=True):
            buffer.copy_((part if buffer.is_floating_point() else part.round()).view_as(buffer))


def cached_gradients(method: Method, images: Tensor, labels: Tensor, chunk: int, unsynced: Any = None) -> Losses:
    """Add the gradient of the loss of the whole batch to the parameters; returns the losses, without a graph.

    1. Embeddings of all chunks without a graph. 2. Loss of all embeddings, and its gradient for each. 3. Each chunk
    again, with a graph, which carries its part of that gradient back.

    Random numbers: a chunk's second pass draws those of its first. Batch normalisation in training: a chunk is
    normalised by its own statistics, so the gradient equals the whole batch's only where statistics are fixed (eval
    mode); the running statistics take one step towards the mean of the chunks', as ranks do, and not one per pass.

    Args:
        chunk: frames that go through the network at once, the last chunk may hold fewer.
        unsynced: where several ranks train, the DistributedDataParallel: gradients are averaged with the last chunk.
    """
    statistics = RunningStatistics(method.network)
    parts = torch.split(images, chunk)
    before = statistics.read()
    states, embeddings, seen = [], [], []
    with torch.no_grad():
        for part in parts:
            states.append(_RandomState(images.device))
            statistics.write(before)
            embeddings.append(method.embed(part))
            seen.append(statistics.read())
    leaf = torch.cat(embeddings).requires_grad_()
    losses = _checked(method, method.losses_of(leaf, labels))
    losses.total.backward()  # type: ignore[no-untyped-call]
    assert leaf.grad is not None
    after = _RandomState(images.device)
    for number, (part, slope) in enumerate(zip(parts, torch.split(leaf.grad, chunk), strict=True)):
        states[number].restore()
        is_last = number == len(parts) - 1
        with nullcontext() if unsynced is None or is_last else unsynced.no_sync():
            method.embed(part).backward(slope)  # type: ignore[no-untyped-call]
    after.restore()
    weights = torch.tensor([len(part) for part in parts], dtype=before.dtype, device=before.device)
    statistics.write((torch.stack(seen) * (weights / weights.sum()).unsqueeze(1)).sum(0))
    return losses.detached()


def _checked(method: Method, losses: Losses) -> Losses:
    """The losses of a batch; a method of one's own may give something else."""
    total = losses.total if isinstance(losses, Losses) else None
    if not isinstance(total, torch.Tensor) or total.ndim or not total.requires_grad:
        raise TypeError(
            f"{type(method).__name__}.losses_of must give Losses(total, terms), where total is a scalar tensor with a "
            f"gradient, not {losses!r}"
        )
    return losses


class _RandomState:
    """Where the random numbers of the CPU and of the device stand."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._cpu = torch.get_rng_state()
        self._cuda = torch.cuda.get_rng_state(device) if device.type == "cuda" else None

    def restore(self) -> None:
        """Let both draw the same numbers again."""
        torch.set_rng_state(self._cpu)
        if self._cuda is not None:
            torch.cuda.set_rng_state(self._cuda, self._device)


class Gradients:
    """Batch -> its gradient in the parameters, averaged over ranks; running statistics too."""

    def __init__(self, method: Method, chunks: Chunks, reporter: Reporter, ranks: Ranks = ALONE) -> None:
        """`chunks` is the number of frames per forward pass; it is reduced where memory runs out.

        With several ranks the method must embed through `Ranks.distributed`, and give it as `encode`.
        """
        self._method, self._chunks, self._reporter, self._ranks = method, chunks, reporter, ranks
        is_shared = isinstance(method.encode, nn.parallel.DistributedDataParallel)
        self._unsynced = method.encode if is_shared else None
        self._has_rehearsed = ranks.count == 1

    def __call__(self, images: Tensor, labels: Tensor) -> Losses:
        """The losses of a batch without a graph; the parameters hold its gradient and nothing else.

        Raises:
            torch.OutOfMemoryError: even the smallest chunk does not fit, or with several ranks after the first step.
        """
        if not self._has_rehearsed:
            self._rehearse(images)
        while True:
            statistics = RunningStatistics(self._method.network)
            before = statistics.read()
            self._method.network.zero_grad(set_to_none=True)
            try:
                losses = self._pass(images, labels)
                break
            except torch.OutOfMemoryError:
                # One rank alone cannot begin the step again: the others are in the middle of it.
                if self._ranks.count > 1 or not self._chunks.reduce(len(images), self._reporter):
                    raise
            self._forget(statistics, before, images.device)  # here the error's own frames are gone
        self._method.settle()
        if self._ranks.count > 1:
            learned = statistics.read()
            self._ranks.average_(learned)
            statistics.write(learned)
        return losses

    def _pass(self, images: Tensor, labels: Tensor) -> Losses:
        chunk = self._chunks.of(len(images))
        if chunk < len(images):
            return cached_gradients(self._method, images, labels, chunk, self._unsynced)
        losses = _checked(self._method, self._method.losses(images, labels))
        losses.total.backward()  # type: ignore[no-untyped-call]
        return losses.detached()

    def _rehearse(self, images: Tensor) -> None:
        """Find out how many frames fit on every rank, before ranks wait for each other in the middle of a step."""
        statistics = RunningStatistics(self._method.network)
        before = statistics.read()
        while True:
            try:
                with self._unsynced.no_sync() if self._unsynced else nullcontext():
                    embedding = self._method.embed(images[: self._chunks.of(len(images))])
                    embedding.sum().backward()  # type: ignore[no-untyped-call]
                is_fine = 1.0
            except torch.OutOfMemoryError:
                is_fine = 0.0
            self._method.network.zero_grad(set_to_none=True)
            self._forget(statistics, before, images.device)
            if self._ranks.mean([is_fine])[0] == 1.0:
                self._has_rehearsed = True
                return
            self._ranks.together(lambda: self._reduce(len(images)))

    def _reduce(self, frames: int) -> None:
        if not self._chunks.reduce(frames, self._reporter):
            raise UserError("The graphics cards ran out of memory.", "Choose a smaller input_size or backbone.")

    def _forget(self, statistics: RunningStatistics, before: Tensor, device: torch.device) -> None:
        statistics.write(before)
        self._method.network.zero_grad(set_to_none=True)
        if self._chunks.was_reduced:
            forget_the_rest(device)
