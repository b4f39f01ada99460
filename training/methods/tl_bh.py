"""TL_BH: TL_BA with the batch-hard triplet loss in the place of batch-all (Laiz et al. 2020; Hermans et al. 2017)."""

from typing import Any

from training.losses.batch_hard_triplet import BatchHardTripletLoss
from training.methods.tl_ba import TripletBatchAll
from training.models.network import FrameClassifier

NAME = "tl-bh"


class TripletBatchHard(TripletBatchAll):
    """Backbone + linear classifier behind a stop-gradient + batch-hard triplet loss; all else as in TL_BA."""

    def __init__(self, network: FrameClassifier, **settings: Any) -> None:
        super().__init__(network, **settings)
        self.triplet_loss = BatchHardTripletLoss(self.triplet_loss.margin, self.triplet_loss.reduction)
