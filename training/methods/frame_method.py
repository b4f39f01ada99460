"""What methods on whole frames share: augmented frames through trunk and projection head."""

from typing import TYPE_CHECKING

from pydantic import Field

from training.methods.pretrain_method import PretrainBatch, PretrainMethod, PretrainSettings

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.transforms.augment import Augmentation


class FrameSettings(PretrainSettings):
    """Augmentation of whole frames."""

    gather: bool = Field(False, description="With several processes: negatives from all of them.")
    brightness: float = Field(0.2, ge=0, lt=1, description="Random brightness, +- this share.")
    contrast: float = Field(0.2, ge=0, lt=1, description="Random contrast, +- this share.")
    saturation: float = Field(0.2, ge=0, lt=1, description="Random saturation, +- this share.")
    hue: float = Field(0.05, ge=0, le=0.5, description="Random hue, +- this share of the colour circle.")
    grey: float = Field(0.2, ge=0, le=1, description="Share of the frames shown in grey.")
    zoom: float = Field(0.0, ge=0, lt=0.5, description="Random zoom, +- this share.")
    round_mask: bool = Field(True, description="Black outside the largest circle (radius 128 at 256 x 256).")

    def augmentation(self) -> "Augmentation":
        """The augmentation that the settings describe."""
        from training.transforms.augment import Augmentation

        names = (
            "rotations", "flips", "zoom", "brightness", "contrast", "saturation", "hue", "grey", "round_mask"
        )  # fmt: skip
        # No white balance: it is not in the paper (Pascual et al. 2022).
        return Augmentation(**{name: getattr(self, name) for name in names}, white_balance=0.0)


class FrameMethod(PretrainMethod):
    """Shows each frame `views` times: a batch has all first views, then all second ones."""

    settings: FrameSettings

    def prepare(self) -> None:
        """Ready to augment and embed; a method adds its loss."""
        super().prepare()
        self.augmentation = self.settings.augmentation()

    def batch(self, read: "SequenceBatch", generator: "torch.Generator") -> PretrainBatch:
        """Images (views * B, 3, S, S) float32 and pseudo-labels (views * B,) int64."""
        import torch

        views = [self.augmentation(read.frames, read.is_round, generator) for _ in range(self.views)]
        images = (torch.cat(views) - self.network.mean) / self.network.std
        return PretrainBatch(images, read.labels.repeat(self.views))

    def embed(self, images: "Tensor") -> "Tensor":
        """Projections (B, P) float32."""
        with self.precision(images.device):
            projection: Tensor = self.encode(images).projection
        return projection
