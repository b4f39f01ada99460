"""SimCLR: two views of a frame are positives, all other frames of the batch negatives (Chen et al. 2020).

Pascual et al. 2022 compare with it and state neither its batches nor its temperature. Ours: projection head and
optimizer are those of time-triplet, and frames are drawn from everywhere instead of in sequences.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from training.methods.pretrain_method import FrameMethod, FrameSettings

if TYPE_CHECKING:
    from torch import Tensor

    from training.losses.terms import Losses


class SimClrSettings(FrameSettings):
    """Augmentation and temperature."""

    temperature: float = Field(0.1, gt=0, description="Temperature of the contrast (tau).")


class SimClr(FrameMethod):
    """Trunk + projection head + NT-Xent on two views of each frame."""

    name = "simclr"
    title = "Two views (SimCLR)"
    sentence = "Two augmented views of a frame are positives (SimCLR)."
    settings: SimClrSettings
    settings_class = SimClrSettings
    # Ours: as many frames as time-triplet, drawn individually.
    fixed: Mapping[str, Any] = {"sequence_length": 1, "sequences": 72, "sequence_source": "anywhere"}
    views = 2
    share_name = "negatives_ahead"

    def prepare(self) -> None:
        """Make the loss."""
        from training.losses.info_nce import NTXentLoss

        super().prepare()
        self.loss = NTXentLoss(self.settings.temperature)

    def losses_of(self, projection: "Tensor", labels: "Tensor") -> "Losses":
        """Loss of a whole batch's projections (2B, P); labels are not needed."""
        from training.losses.terms import Losses

        self._embedding = projection.detach()
        return Losses(self.loss(projection))

    @property
    def violating_share(self) -> float:
        """Share of the last batch's negatives that are closer than the positive."""
        from training.losses.info_nce import negatives_ahead

        return 0.0 if self._embedding is None else negatives_ahead(self._embedding)
