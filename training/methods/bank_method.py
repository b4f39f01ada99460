"""Base of methods with a memory bank: views, rows and negatives of a batch, update of the bank."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from training.errors import UserError
from training.methods.pretrain_method import PretrainBatch, PretrainMethod, PretrainSettings
from training.texts import Text

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.losses.memory_bank import MemoryBank
    from training.losses.terms import BankContrast, Losses
    from training.methods.pgcon_heads import PriorPretrainer
    from training.transforms.augment import Augmentation

TERMS = 2
TILES = 9
TOO_FEW = "A contrastive loss needs at least two frames in a batch"
PUBLISHED_BATCH = "Set sequences to 2 or more; 64 is the published batch."
COLOURS = ("brightness", "saturation", "white_balance", "contrast", "hue")


class BankSettings(PretrainSettings):
    """Memory bank and views; the defaults are those of Vats et al. 2022, or ours where it is silent."""

    temperature: float = Field(0.07, gt=0, description="Temperature of the contrast (tau).")
    negatives: int = Field(200, ge=1, le=100_000, description="Negatives per term, from the memory bank (k).")
    shared_negatives: bool = Field(False, description="Use the same negatives for both terms.")
    memory_weight: float = Field(0.5, ge=0, description="Weight of the loss term with the memory bank (alpha).")
    view_weight: float = Field(0.5, ge=0, description="Weight of the loss term with the other view (beta).")
    bank_momentum: float = Field(0.5, ge=0, lt=1, description="Momentum of the memory bank's update.")
    bank_start: Literal["first", "random"] = Field(
        "first", description="Initial memory of a frame: its first embedding, or a random direction."
    )
    bank_memory_gb: float = Field(
        2.0, ge=0, le=10_000, description="A larger memory bank is stored in the run folder instead of in memory."
    )
    # The paper's larger frames: a prior view of 150 px is then reduced to 120, as in the paper, and never enlarged.
    frame_size: int = Field(576, ge=32, le=2048, description="Side in px of the frames that views are cut from.")
    prior_size: int = Field(120, ge=32, le=1024, description="Side in px of the prior or random view.")
    tile_size: int = Field(64, ge=32, le=1024, description="Side in px of a tile.")
    tile_crop: float = Field(0.75, gt=0, le=1, description="Side of the random crop of a tile, as a share.")
    distorted_colour: float = Field(1.0, ge=0, le=2, description="Strength of the colour augmentation of tiles (T_d).")

    needs_head: ClassVar[bool] = True

    @property
    def read_size(self) -> int:
        """Side in px of the frames that are read."""
        return self.frame_size

    def scaled(self, transform: "Augmentation", strength: float) -> "Augmentation":
        """A transform with scaled colour augmentation, and the settings' rotations and flips."""
        colours = {name: min(0.9, getattr(transform, name) * strength) for name in COLOURS}
        return replace(
            transform, **{**colours, "hue": min(0.5, colours["hue"])}, rotations=self.rotations, flips=self.flips
        )


class Views(NamedTuple):
    """The views of a batch of frames."""

    pictures: tuple["Tensor", ...]
    """Views in [0, 1], in the order of `shapes`."""
    found: "Tensor | None"
    """See `PretrainBatch.found`."""


class BankMethod(PretrainMethod):
    """Trunk, two heads and a memory bank; subclasses define the views."""

    network: "PriorPretrainer"
    settings: BankSettings
    # The course of Vats et al. 2022: batches of 64 frames, vectors of one dense layer, the rate falls to 1.2e-5.
    # Ours: momentum and weight decay (1e-4, the default) are PIRL's. The paper does not say from which weights it
    # starts: `init` decides here, ImageNet by default (ours).
    fixed: Mapping[str, Any] = {
        "sequence_length": 1,
        "sequences": 64,
        "sequence_source": "anywhere",
        "projection": (128,),
    }
    course: Mapping[str, Any] = {
        "epochs": 600,
        "optimizer": "sgd",
        "learning_rate": 0.012,
        "schedule": "cosine",
        "final_rate_share": 1e-3,
        "momentum": 0.9,
    }
    presets: Mapping[str, Mapping[str, Any]] = {
        # Some two pictures of the preset's size for each frame (ours).
        "small": {"frame_size": 224, "prior_size": 96, "tile_size": 48},
        "smoke": {"frame_size": 96, "prior_size": 48, "tile_size": 32},
    }
    has_bank = True
    view_names: Mapping[str, str] = {"prior": "prior view", "distorted": "distorted view"}
    terms = ("memory_term", "view_term")
    share_name = "negatives_ahead"
    relative_cost = 2.1

    def prepare(self) -> None:
        """Set the bank and the shapes of the views."""
        super().prepare()
        if self.network.bank is None:
            raise ValueError(Text("{kind} needs a network with a memory bank", type(self).__name__))
        self.bank: MemoryBank = self.network.bank
        self.layout = self.shapes(self.settings)
        self._rows: Tensor | None = None

    @staticmethod
    def make_network(settings: Any) -> "PriorPretrainer":
        """Trunk and both heads; the bank is added when the frames are known."""
        from training.methods.pgcon_heads import PriorPretrainer

        return PriorPretrainer(settings.backbone, settings.projection)

    @staticmethod
    def shapes(settings: BankSettings) -> tuple[tuple[int, ...], ...]:
        """Shapes of a frame's views."""
        return (3, settings.prior_size, settings.prior_size), (TILES, 3, settings.tile_size, settings.tile_size)

    @classmethod
    def images_per_frame(cls, settings: PretrainSettings) -> float:
        """See `PretrainMethod`."""
        assert isinstance(settings, BankSettings)
        return sum(map(math.prod, cls.shapes(settings))) / (3 * settings.input_size**2)

    @classmethod
    def check_frames(cls, settings: PretrainSettings, frames: int) -> None:
        """At least two frames per batch, all different."""
        if settings.batch_frames < 2:
            raise UserError(Text("{too_few}, but the settings have one.", TOO_FEW), PUBLISHED_BATCH)
        if settings.batch_frames > frames:
            raise UserError(
                "A batch of {batch_frames} different frames cannot be drawn from {frames}.",
                "Set sequences to {frames} or fewer, or add frames.",
                settings.batch_frames,
                frames,
            )

    @abstractmethod
    def show(self, read: "SequenceBatch", generator: "torch.Generator") -> Views:
        """The views of the frames that were read."""

    @abstractmethod
    def contrast(self, vectors: "Tensor", memory: "Tensor", negatives: "tuple[Tensor, Tensor]") -> "BankContrast":
        """The loss of vectors (B, V, D), memory (B, D) without gradient and negatives (B, K, D) for each term."""

    def batch(self, read: "SequenceBatch", generator: "torch.Generator") -> PretrainBatch:
        """Packed views (B, P) float32 and (B, 1 + 2K) int64, see `with_negatives`; `read.labels` are rows."""
        settings, network = self.settings, self.network
        views = self.show(read, generator)
        packed = self.pack([(view - network.mean) / network.std for view in views.pictures])
        shared = settings.shared_negatives
        drawn = with_negatives(read.labels, len(self.bank), settings.negatives, generator, shared=shared)
        return PretrainBatch(packed, drawn.to(packed.device), views.found)

    def pack(self, views: "Sequence[Tensor]") -> "Tensor":
        """Views (B, *shape) -> (B, P) float, one row per frame, so that a batch can be split."""
        import torch

        result = tuple(tuple(view.shape[1:]) for view in views)
        if result != self.layout:
            raise ValueError(Text("the views have the shapes {found}, not {layout}", result, self.layout))
        return torch.cat([view.flatten(1) for view in views], 1)

    def unpack(self, packed: "Tensor") -> "tuple[Tensor, ...]":
        """(B, P) -> the views, without copying."""
        import torch

        parts = torch.split(packed, [math.prod(shape) for shape in self.layout], 1)
        return tuple(part.view(len(packed), *shape) for part, shape in zip(parts, self.layout, strict=True))

    def embed(self, images: "Tensor") -> "Tensor":
        """Packed views (B, P) -> (B, V, D) float32; tiles use the jigsaw head, other views the projection head."""
        import torch

        project, puzzle = self.network.project, self.network.puzzle
        with self.precision(images.device):
            vectors = [puzzle(view) if view.ndim == 5 else project(view) for view in self.unpack(images)]
            return torch.stack(vectors, 1)

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """Loss of a whole batch's vectors (B, V, D); `settle` updates the bank."""
        from training.losses.terms import Losses

        if len(embedding) < 2:
            raise UserError(Text("{too_few}, but this one has one.", TOO_FEW), PUBLISHED_BATCH)
        rows, (first, second) = labels[:, 0], labels[:, 1:].chunk(TERMS, 1)
        result = self.contrast(embedding, self.bank.of(rows), (self.bank.of(first), self.bank.of(second)))
        self._ahead = result.ahead
        self._rows, self._embedding = rows, embedding[:, 0].detach()
        return Losses(result.total, {"memory_term": result.memory, "view_term": result.view})

    def settle(self) -> None:
        """Update the bank with the batch's vectors, after the gradient is complete."""
        if self._rows is not None and self._embedding is not None:
            self.bank.update_(self._rows, self._embedding)
            self._rows = None

    def chance_terms(self) -> dict[str, float]:
        """By the number of negatives, at most all other frames of the bank (see `draw_negatives`)."""
        negatives = min(self.settings.negatives, max(0, len(self.bank) - 1)) + self.negatives_of_batch
        weights = zip(self.terms, (self.settings.memory_weight, self.settings.view_weight), strict=True)
        return {name: math.log(1 + negatives) for name, weight in weights if weight > 0}

    @property
    def negatives_of_batch(self) -> int:
        """Number of negatives per term from the batch itself."""
        return 0


def with_negatives(rows: "Tensor", frames: int, count: int, generator: "torch.Generator", *, shared: bool) -> "Tensor":
    """(B,) rows of a bank of `frames` rows -> (B, 1 + 2K) int64: each row and `count` negatives (k) for each term."""
    import torch

    from training.losses.memory_bank import draw_negatives

    drawn = [draw_negatives(rows, frames, count, generator)]
    drawn.append(drawn[0] if shared else draw_negatives(rows, frames, count, generator))
    return torch.cat([rows.cpu().unsqueeze(1), *drawn], 1).to(rows.device)
