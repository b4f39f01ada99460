"""What methods with a memory of every frame share: rows and negatives of a batch, and the bank's step after it."""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn

from training.errors import UserError
from training.losses.memory_bank import MemoryBank, draw_negatives
from training.losses.terms import BankContrast, Losses
from training.methods.packed_views import PackedViews
from training.methods.pgcon_heads import PriorPretrainer

TERMS = 2


class BankMethod(ABC):
    """Trunk, two heads and a memory bank; one method a file says which views are drawn together."""

    views_of_a_frame: tuple[str, ...] = ("prior", "distorted")
    """Names of the vectors that `embed` gives of each frame, in its order."""
    terms: tuple[str, ...] = ("memory_term", "view_term")
    share_name = "negatives_ahead"

    def __init__(
        self,
        network: PriorPretrainer,
        layout: PackedViews,
        *,
        temperature: float = 0.07,
        weights: tuple[float, float] = (0.5, 0.5),
        autocast: torch.dtype | None = None,
    ) -> None:
        """`layout`: of the views in a batch's rows; `weights`: of the two terms, alpha and beta."""
        if network.bank is None:
            raise ValueError(f"{type(self).__name__} needs a network with a memory bank")
        self.network = network
        self.encode: nn.Module = network
        self.bank: MemoryBank = network.bank
        self.layout, self.temperature, self.weights, self.autocast = layout, temperature, weights, autocast
        self._rows: Tensor | None = None
        self._remembered: Tensor | None = None
        self._ahead: Tensor | None = None

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Loss of packed views (B, P) and what `with_negatives` made of their rows, (B, 1 + 2K) int64."""
        return self.losses_of(self.embed(images), labels)

    @abstractmethod
    def embed(self, images: Tensor) -> Tensor:
        """Packed views (B, P), normalised -> (B, V, D) float32: all that the loss needs of the images."""

    @abstractmethod
    def contrast(self, vectors: Tensor, memory: Tensor, negatives: tuple[Tensor, Tensor]) -> BankContrast:
        """The loss of vectors (B, V, D), memory (B, D) without gradient and negatives (B, K, D) for each term."""

    def losses_of(self, embedding: Tensor, labels: Tensor) -> Losses:
        """Loss of a whole batch's vectors (B, V, D); the bank itself changes only with `settle`."""
        if len(embedding) < 2:
            raise UserError(
                "A contrast needs at least two frames in a batch, and this one has a single frame.",
                "Set sequences to 2 or more; 64 is the published batch.",
            )
        rows, (first, second) = labels[:, 0], labels[:, 1:].chunk(TERMS, 1)
        made = self.contrast(embedding, self.bank.of(rows), (self.bank.of(first), self.bank.of(second)))
        self._ahead = made.ahead
        self._rows, self._remembered = rows, embedding[:, 0].detach()
        return Losses(made.total, {"memory_term": made.memory, "view_term": made.view})

    def settle(self) -> None:
        """The step's gradient is complete: the bank takes up the batch's vectors, once however often it was tried."""
        if self._rows is not None and self._remembered is not None:
            self.bank.update_(self._rows, self._remembered)
            self._rows = None

    def precision(self, device: torch.device) -> AbstractContextManager[object]:
        """Mixed precision where it was asked for."""
        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @property
    def violating_share(self) -> float:
        """Share of the last batch's negatives that were more alike than the frame's other view."""
        return 0.0 if self._ahead is None else float(self._ahead.mean())

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's anchors (z_p) before they are normalised."""
        return 0.0 if self._remembered is None else float(self._remembered.norm(dim=1).mean())


def with_negatives(rows: Tensor, frames: int, count: int, generator: torch.Generator, *, shared: bool) -> Tensor:
    """What a batch carries as labels: (B,) rows of the bank -> (B, 1 + 2K) int64, each row and its negatives' rows.

    Args:
        rows: of the batch's frames.
        frames: rows of the bank.
        count: negatives of each of the two terms (k).
        generator: on the CPU.
        shared: both terms have the same negatives.
    """
    drawn = [draw_negatives(rows, frames, count, generator)]
    drawn.append(drawn[0] if shared else draw_negatives(rows, frames, count, generator))
    return torch.cat([rows.cpu().unsqueeze(1), *drawn], 1).to(rows.device)
