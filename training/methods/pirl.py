"""PIRL: a frame and its jigsaw match the frame's memory (Misra and van der Maaten 2020), as a baseline.

Ours, so that only the prior differs from PGCon: a random view in place of the whole image, InfoNCE in place of the
paper's NCE, negatives, temperature, heads, batch and rates of PGCon. As in the paper the memory averages the view's
vector, and both terms meet in it: `alpha * InfoNCE(z_v, R_i) + beta * InfoNCE(z_j, R_i)`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import Field

from training.methods.bank_method import BankMethod, BankSettings, Views

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.losses.terms import BankContrast


class PirlSettings(BankSettings):
    """Size of the random view."""

    least_area: float = Field(0.2, gt=0, le=1, description="Smallest share of a frame in the random view.")


class Pirl(BankMethod):
    """z_v of a random view, z_j of nine tiles in random order, and the memory of every frame's z_v."""

    name = "pirl"
    title = "Jigsaw (PIRL)"
    sentence = "A random part of a frame and its jigsaw are positives (PIRL)."
    settings: PirlSettings
    settings_class = PirlSettings
    view_names: Mapping[str, str] = {"view": "random view", "jigsaw": "jigsaw"}

    def prepare(self) -> None:
        """Make the transform of the views."""
        from training.transforms.bank_views import PirlViews
        from training.transforms.view_batch import T_D

        super().prepare()
        settings = self.settings
        self.views_of = PirlViews(
            least_area=settings.least_area,
            view_size=settings.prior_size,
            tile_size=settings.tile_size,
            tile_crop=settings.tile_crop,
            transform=settings.scaled(T_D, settings.distorted_colour),
        )

    def show(self, read: "SequenceBatch", generator: "torch.Generator") -> Views:
        """Random view and tiles."""
        views = self.views_of(read.frames, read.is_round, generator)
        return Views((views.prior, views.tiles), None)

    def contrast(self, vectors: "Tensor", memory: "Tensor", negatives: "tuple[Tensor, Tensor]") -> "BankContrast":
        """The loss of (B, 2, D)."""
        import torch

        from training.losses.info_nce import bank_contrast

        view, jigsaw = vectors.unbind(1)
        weights = self.settings.memory_weight, self.settings.view_weight
        with torch.autocast(vectors.device.type, enabled=False):
            return bank_contrast(((view, memory), (jigsaw, memory)), negatives, weights, self.settings.temperature)
