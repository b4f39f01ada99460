"""The gradient of one batch, however many frames fit into memory at once and however many ranks share the work.

Where not all fit, the gradient of the whole batch's loss comes from a network that sees some frames at once, as in Gao
et al. 2021 (Scaling deep contrastive learning batch size under memory limited setup). Accumulating over small batches
would change the triplets; here every triplet of the batch counts, at the price of one more forward pass.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from training.compute.out_of_memory import Chunks, forget_the_rest
from training.errors import UserError
from training.losses.terms import Losses
from training.methods.method import Method
from training.optimisation.batch_norm import synchronised
from training.optimisation.ranks import ALONE, STEP, TRY, Ranks
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


def cached_gradients(
    method: Method, images: Tensor, labels: Tensor, chunk: int, ranks: Ranks = ALONE, rows: int | None = None
) -> Losses:
    """Add the gradient of the loss of the whole batch to the parameters; returns the losses, without a graph.

    1. Embeddings of all chunks without a graph. 2. Loss of all embeddings, and its gradient for each. 3. Each chunk
    again, with a graph, which carries its part of that gradient back.

    Args:
        images: rows of this process.
        labels: of the whole batch.
        chunk: frames that go through the network at once, the last chunk may hold fewer.
        ranks: with several, the others compute the other rows by `carry_back`.
        rows: of the whole batch; None: those of `images`.
    """
    count, losses = len(images) if rows is None else rows, []

    def slope_of(own: Tensor) -> Tensor:
        leaf = ranks.collect(own, count).requires_grad_()
        losses.append(_checked(method, method.losses_of(leaf, labels)))
        losses[0].total.backward()  # type: ignore[no-untyped-call]
        return ranks.spread(torch.zeros_like(leaf) if leaf.grad is None else leaf.grad)

    carry_back(method, images, chunk, slope_of, ranks, count)
    return losses[0].detached()


def carry_back(
    method: Method,
    images: Tensor,
    chunk: int,
    slope_of: Callable[[Tensor], Tensor],
    ranks: Ranks = ALONE,
    rows: int | None = None,
) -> None:
    """Embed the rows of this process and carry the gradient of the loss back to the parameters.

    Random numbers: a chunk's second pass draws those of its first. Batch normalisation in training: rows that all go
    through at once are normalised by the statistics of the whole batch, on several processes too; chunks each by their
    own, so that the gradient equals the whole batch's only where statistics are fixed (eval mode). The running
    statistics then take one step towards the mean of the chunks', and not one per pass.

    Args:
        slope_of: embeddings (B, ...) of these rows, without a graph -> the gradient of the loss for them.
        rows: of the whole batch; None: those of `images`.
    """
    count = len(images) if rows is None else rows
    if chunk >= max(ranks.sizes(count)):
        with synchronised(method.network) if ranks.count > 1 else nullcontext():
            embedding = method.embed(images)
            slope = slope_of(embedding.detach())
            if embedding.requires_grad:
                embedding.backward(slope)  # type: ignore[no-untyped-call]
        return
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
    slopes = slope_of(torch.cat(embeddings))
    after = _RandomState(images.device)
    for state, part, slope in zip(states, parts, torch.split(slopes, chunk), strict=True):
        state.restore()
        embedding = method.embed(part)
        if embedding.requires_grad:
            embedding.backward(slope)  # type: ignore[no-untyped-call]
    after.restore()
    weights = torch.tensor([len(part) for part in parts], dtype=before.dtype, device=before.device)
    result = (torch.stack(seen) * (weights / weights.sum()).unsqueeze(1)).sum(0)
    ranks.mean_(result, len(images) / count)
    statistics.write(result)


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
    """Batch -> its gradient in the parameters; of several processes the first one has it, and the loss of all rows."""

    def __init__(
        self,
        method: Method,
        chunks: Chunks,
        reporter: Reporter,
        ranks: Ranks = ALONE,
        recipe: Mapping[str, Any] | None = None,
    ) -> None:
        """`chunks` is the number of frames per forward pass; it is reduced where memory runs out.

        With several processes the others make the method from `recipe`, see `training.optimisation.helping`.
        """
        self._method, self._chunks, self._reporter, self._ranks = method, chunks, reporter, ranks
        ranks.begin(recipe or {}, method.network)
        self._has_rehearsed = ranks.count == 1

    def __call__(self, images: Tensor, labels: Tensor) -> Losses:
        """The losses of a batch without a graph; the parameters hold its gradient and nothing else.

        Raises:
            torch.OutOfMemoryError: even the smallest chunk does not fit, or with several processes after the first
                step.
            UserError: another process fails.
        """
        if self._ranks.count > 1:
            with self._ranks.at_work():
                return self._shared(images, labels)
        while True:
            statistics = RunningStatistics(self._method.network)
            before = statistics.read()
            self._method.network.zero_grad(set_to_none=True)
            try:
                losses = self._pass(images, labels)
                break
            except torch.OutOfMemoryError:
                if not self._chunks.reduce(len(images), self._reporter):
                    raise
            _forget(self._method, statistics, before, images.device)  # here the error's own frames are gone
        self._method.settle()
        return losses

    def _pass(self, images: Tensor, labels: Tensor) -> Losses:
        chunk = self._chunks.of(len(images))
        if chunk < len(images):
            return cached_gradients(self._method, images, labels, chunk)
        losses = _checked(self._method, self._method.losses(images, labels))
        losses.total.backward()  # type: ignore[no-untyped-call]
        return losses.detached()

    def _shared(self, images: Tensor, labels: Tensor) -> Losses:
        """A step with the others."""
        ranks, network, largest = self._ranks, self._method.network, max(self._ranks.sizes(len(images)))
        while not self._has_rehearsed:
            chunk = self._chunks.of(largest)
            self._has_rehearsed = not ranks.largest(rehearse(self._method, ranks.share(TRY, images, chunk), chunk))
            if not self._has_rehearsed and not self._chunks.reduce(largest, self._reporter):
                raise UserError("The graphics cards ran out of memory.", "Choose a smaller input_size or backbone.")
        network.zero_grad(set_to_none=True)
        chunk = self._chunks.of(largest)
        own = ranks.share(STEP, images, chunk)
        ranks.share_weights(network)
        losses = cached_gradients(self._method, own, labels, chunk, ranks, len(images))
        ranks.add_gradients(network)
        ranks.stop_requested |= bool(ranks.largest(0))
        self._method.settle()
        return losses


def rehearse(method: Method, images: Tensor, chunk: int) -> int:
    """Whether so many frames at once do not fit into memory, 0 or 1; nothing changes.

    Asked before processes wait for each other in the middle of a step: one alone cannot begin the step again.
    """
    if images.device.type == "cpu" or len(images) == 1:  # torch normalises no batch of one row
        return 0
    statistics, state = RunningStatistics(method.network), _RandomState(images.device)
    before, failed = statistics.read(), 0
    try:
        embedding = method.embed(images[:chunk])
        if embedding.requires_grad:
            embedding.sum().backward()  # type: ignore[no-untyped-call]
    except torch.OutOfMemoryError:
        failed = 1
    _forget(method, statistics, before, images.device)
    state.restore()
    return failed


def _forget(method: Method, statistics: RunningStatistics, before: Tensor, device: torch.device) -> None:
    """Take back what a pass that did not fit into memory left."""
    statistics.write(before)
    method.network.zero_grad(set_to_none=True)
    forget_the_rest(device)
