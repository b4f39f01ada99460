"""Base classes of pretraining methods and of their settings."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import Field, field_validator

from training.methods.method import Method
from training.settings import Settings
from training.texts import Text

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

    from training.datasets.sequence_feed import SequenceBatch
    from training.datasets.sequences import SequenceSampler
    from training.models.projection_head import Pretrainer
    from training.transforms.augment import Augmentation

MAX_LAYERS = 8
MAX_WIDTH = 16_384
"""Of the projection head's layers."""


class PretrainSettings(Settings):
    """Common settings that methods read; extended by a method's own."""

    needs_head: ClassVar[bool] = False
    """Whether the projection head has at least one layer."""

    sequence_length: int = Field(72, ge=1, le=100_000, description="Consecutive frames in a sequence (N).")
    sequences: int = Field(1, ge=1, le=4096, description="Sequences per batch.")
    sequence_source: Literal["studies", "resample", "anywhere"] = Field(
        "studies", description="Take a batch's sequences from different studies, all from one, or from anywhere."
    )
    projection: tuple[int, ...] = Field(
        (128, 128, 128), description="Widths of the projection head's layers; empty: none, the loss sees the embedding."
    )
    head_init: Literal["default", "keras"] = Field(
        "default", description="Initial projection head: PyTorch's default, or Keras' (Glorot uniform, zero bias)."
    )
    input_size: int = Field(256, ge=32, le=1024, description="Side of the frames in px.")
    rotations: Literal["free", "quarter", "none"] = Field("free", description="Rotations; free only in round views.")
    flips: bool = Field(True, description="Mirror frames at random.")

    @field_validator("projection")
    @classmethod
    def _check_projection(cls, widths: tuple[int, ...]) -> tuple[int, ...]:
        if cls.needs_head and not widths:
            raise ValueError("this method needs a projection head of at least one layer")
        if len(widths) > MAX_LAYERS or not all(1 <= width <= MAX_WIDTH for width in widths):
            raise ValueError(
                Text(
                    "a projection head has up to {max_layers} layers with widths of 1 to {max_width:,}",
                    MAX_LAYERS,
                    MAX_WIDTH,
                )
            )
        return widths

    @property
    def batch_frames(self) -> int:
        """Largest number of frames in a batch."""
        return self.sequence_length * self.sequences

    @property
    def read_size(self) -> int:
        """Side in px of the frames that are read."""
        return self.input_size

    @property
    def positive_window(self) -> int:
        """Frames up to this far apart are positives; 0: time is not used."""
        return 0


class PretrainBatch(NamedTuple):
    """A batch made from the frames that were read."""

    images: "Tensor"
    """Normalised, on the frames' device; a batch can be split into chunks of rows."""
    labels: "Tensor"
    found: "Tensor | None" = None
    """(B,) bool, whether a frame has a prior, see `PriorSquares`; None for methods without one."""


class PretrainMethod(Method):
    """A network and a loss without labels; most have a trunk and a projection head."""

    settings: PretrainSettings
    course: Mapping[str, Any] = {}
    """Common settings of its paper; overridden by presets."""
    fixed: Mapping[str, Any] = {}
    """Common settings that the method requires; they override presets."""
    needs_video = False
    """Whether it needs consecutive frames."""
    encodes_clips = False
    """Whether it trains an encoder of clips instead of a network of single frames; see `ClipMethod`."""
    betas: tuple[float, float] = (0.9, 0.999)
    """Of Adam and AdamW."""
    has_bank = False
    """Whether it has a memory bank: its labels are rows of the bank."""
    view_names: Mapping[str, str] = {}
    """With a memory bank: key -> title of each vector that `embed` returns for a frame, in order."""
    views = 1
    """Number of views of each frame in a batch."""
    relative_cost = 2.0
    """Cost of a frame relative to one forward and backward pass of a whole frame, for the benchmark's estimate.

    Measured on a CPU with the benchmark's budget `small`; for PIRL that of PGCon is used.
    """

    def prepare(self) -> None:
        """A method makes its loss."""

    @staticmethod
    def make_network(settings: Any) -> "nn.Module":
        """Trunk and heads with random weights; `settings`: a `PretrainConfig`."""
        from training.models.projection_head import Pretrainer

        return Pretrainer(settings.backbone, settings.projection)

    @abstractmethod
    def batch(self, read: "SequenceBatch", generator: "torch.Generator") -> PretrainBatch:
        """A batch from the frames that were read; `generator`, on the CPU, is the only source of randomness."""

    @classmethod
    def images_per_frame(cls, settings: PretrainSettings) -> float:
        """Number of pixels per frame that the network processes, in images of the input size."""
        return cls.views

    @classmethod
    def check_frames(cls, settings: PretrainSettings, frames: int) -> None:
        """Raise `UserError` if no batch can be drawn from this number of frames."""

    @classmethod
    def warning(cls, settings: PretrainSettings, sampler: "SequenceSampler") -> str:
        """A warning if batches cannot contain a triplet; otherwise empty."""
        return ""

    @property
    def margin(self) -> float:
        """Margin of the triplet loss, its value for a collapsed embedding; 0: no triplets."""
        return 0.0

    def forget_batch(self) -> None:
        """Forget what the method remembers of the last batch, which was evaluated and not trained on."""

    def chance_terms(self) -> dict[str, float]:
        """Value of each contrastive term when all vectors are equal; empty: not checked."""
        return {}


class FrameSettings(PretrainSettings):
    """Augmentation of whole frames: the kinds are those of Pascual et al. 2022 (section 4.2), the strengths ours."""

    brightness: float = Field(0.2, ge=0, lt=1, description="Random brightness, +- this share.")
    contrast: float = Field(0.2, ge=0, lt=1, description="Random contrast, +- this share.")
    saturation: float = Field(0.2, ge=0, lt=1, description="Random saturation, +- this share.")
    hue: float = Field(0.05, ge=0, le=0.5, description="Random hue, +- this share of the colour circle.")
    grey: float = Field(0.2, ge=0, le=1, description="Share of the frames converted to grey.")
    zoom: float = Field(0.0, ge=0, lt=0.5, description="Random zoom, +- this share.")
    round_mask: bool = Field(True, description="Mask frames outside the largest circle (radius 128 at 256 x 256).")

    def augmentation(self) -> "Augmentation":
        """The augmentation with these settings."""
        from training.transforms.augment import Augmentation

        names = (
            "rotations", "flips", "zoom", "brightness", "contrast", "saturation", "hue", "grey", "round_mask"
        )  # fmt: skip
        # No white balance: it is not in the paper (Pascual et al. 2022).
        return Augmentation(**{name: getattr(self, name) for name in names}, white_balance=0.0)


class FrameMethod(PretrainMethod):
    """Augments each frame `views` times: a batch has all first views, then all second ones."""

    network: "Pretrainer"
    settings: FrameSettings

    def prepare(self) -> None:
        """Set up network and augmentation; a method adds its loss."""
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
            projection: Tensor = self.network(images).projection
        return projection
