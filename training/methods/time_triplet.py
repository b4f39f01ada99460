"""Time-based self-supervised pretraining: frames near in time are positives (Pascual et al. 2022, section 3.1)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from training.methods.pretrain_method import FrameMethod, FrameSettings, PretrainSettings
from training.texts import Text

if TYPE_CHECKING:
    from torch import Tensor

    from training.datasets.sequences import SequenceSampler
    from training.losses.terms import Losses


class TimeTripletSettings(FrameSettings):
    """The defaults are the paper's; the reduction, on which it is silent, is ours (see `BatchAllTripletLoss`)."""

    window: int = Field(9, ge=1, le=100_000, description="Frames up to this far apart are positives (w).")
    margin: float = Field(0.2, ge=0, description="Margin of the triplet loss, in squared distance.")
    reduction: Literal["mean", "sum"] = Field("mean", description="Triplet loss: mean over violating triplets, or sum.")

    @property
    def positive_window(self) -> int:
        """w."""
        return self.window


class TimeTriplet(FrameMethod):
    """Trunk + projection head + batch-all triplet loss over time, on one or several sequences a batch."""

    name = "time-triplet"
    title = "Time (Pascual et al.)"
    sentence = "Frames near in time are positives (Pascual 2022)."
    settings: TimeTripletSettings
    settings_class = TimeTripletSettings
    presets: Mapping[str, Mapping[str, Any]] = {"small": {"window": 3}}  # ours, with sequences of 18 frames
    needs_video = True
    scale_names = ("mean_distance", "distance_to_margin")
    relative_cost = 1.0

    def prepare(self) -> None:
        """Make the loss."""
        from training.losses.time_triplet import TimeTripletLoss

        super().prepare()
        self.triplet_loss = TimeTripletLoss(self.settings.margin, self.settings.window, self.settings.reduction)

    def losses_of(self, projection: "Tensor", labels: "Tensor") -> "Losses":
        """Loss of a whole batch's projections (B, P) and pseudo-labels (B,); no cross-entropy."""
        from training.losses.terms import Losses

        self._embedding = projection.detach()
        return Losses(self.triplet_loss(projection, labels))

    @property
    def margin(self) -> float:
        """Of the triplet loss."""
        return self.settings.margin

    @classmethod
    def warning(cls, settings: PretrainSettings, sampler: "SequenceSampler") -> str:
        """A warning if no batch has both a positive and a negative of a frame."""
        assert isinstance(settings, TimeTripletSettings)
        longest = min(settings.sequence_length, max(map(len, sampler.spans)))
        if settings.sequences == 1 and longest <= settings.window + 1:
            reason = Text(
                "the frames of a sequence ({longest} at most) all lie within the window of {window}",
                longest,
                settings.window,
            )
        elif longest == 1 and settings.sequence_source == "studies":
            reason = Text("every sequence has one frame")
        else:
            return ""
        return Text("These batches contain no triplets, so nothing can be learned: {reason}.", reason)
