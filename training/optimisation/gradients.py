"""The gradient of one batch, however many frames fit into memory at once and however many ranks share the work."""

from contextlib import nullcontext
from typing import Protocol

import torch
from torch import Tensor, nn

from training.compute.out_of_memory import Chunks, forget_the_rest
from training.errors import UserError
from training.losses.terms import Losses
from training.optimisation.gradient_cache import Embeds, RunningStatistics, cached_gradients
from training.optimisation.ranks import ALONE, Ranks
from training.runs.reporter import Reporter


class Learns(Embeds, Protocol):
    """A method, as far as gradients need it."""

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Losses of one batch: `losses_of(embed(images), labels)`."""


class Gradients:
    """Batch -> its gradient in the parameters, averaged over ranks; running statistics too."""

    def __init__(self, method: Learns, chunks: Chunks, reporter: Reporter, ranks: Ranks = ALONE) -> None:
        """`chunks` is the number of frames per forward pass; it is reduced where memory runs out.

        With several ranks the method must embed through `Ranks.distributed`, and give it as `encode`.
        """
        self._method, self._chunks, self._reporter, self._ranks = method, chunks, reporter, ranks
        encode = getattr(method, "encode", None)
        self._unsynced = encode if isinstance(encode, nn.parallel.DistributedDataParallel) else None
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
        settle = getattr(self._method, "settle", None)
        if settle is not None:  # what the method remembers of a batch, once it is certain
            settle()
        if self._ranks.count > 1:
            learned = statistics.read()
            self._ranks.average_(learned)
            statistics.write(learned)
        return losses

    def _pass(self, images: Tensor, labels: Tensor) -> Losses:
        chunk = self._chunks.of(len(images))
        if chunk < len(images):
            return cached_gradients(self._method, images, labels, chunk, self._unsynced)
        losses = self._method.losses(images, labels)
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
