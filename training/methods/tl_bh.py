"""TL_BH: TL_BA with the batch-hard triplet loss in the place of batch-all (Laiz et al. 2020; Hermans et al. 2017)."""

from typing import TYPE_CHECKING

from training.methods.tl_ba import TripletBatchAll

if TYPE_CHECKING:
    from training.losses.batch_all_triplet import BatchHardTripletLoss


class TripletBatchHard(TripletBatchAll):
    """Backbone + linear classifier behind a stop-gradient + batch-hard triplet loss; otherwise as TL_BA."""

    name = "tl-bh"
    title = "Triplets, hardest of a batch (TL_BH, Laiz et al.)"
    sentence = "Classifier and the hardest triplets of a batch (Hermans 2017)."

    def make_triplet_loss(self) -> "BatchHardTripletLoss":
        """Batch-hard."""
        from training.losses.batch_all_triplet import BatchHardTripletLoss

        return BatchHardTripletLoss(self.settings.margin, self.settings.reduction)
