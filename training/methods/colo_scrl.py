"""Momentum contrast on clips, the second training of Colo-SCRL (Xiang et al. 2023, section IV-C).

Two views of a clip are positives, the keys of a queue negatives (eq. 2, 4); the momentum encoder follows by eq. 3. It
starts from an encoder that VideoMAE trained (`init`). The text gives no values of learning rate, weight decay,
temperature, momentum, length of the queue, batch, head or crops: they are ours, or MoCo's where said.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from training.methods.clip_method import SMALL, SMOKE, ClipMethod, ClipSettings
from training.methods.pretrain_method import PretrainBatch, PretrainSettings
from training.settings import Only
from training.texts import Text

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.datasets.sequences import SequenceSampler
    from training.losses.terms import Losses
    from training.models.clip_encoder import ClipContrast


class ColoScrlSettings(ClipSettings):
    """Contrast, validation and colour jitter."""

    needs_head: ClassVar[bool] = True
    only = (Only("halving_patience", "schedule", ("plateau",)), Only("validation_clips", "validation_share"))

    temperature: float = Field(0.07, gt=0, description="Temperature of the contrast (tau; ours, MoCo's).")
    queue_keys: int = Field(16_384, ge=1, le=1_000_000, description="Keys in the queue (K; ours).")
    key_momentum: float = Field(0.999, ge=0, lt=1, description="Momentum of the key encoder (m; ours, MoCo's).")
    validation_share: float = Field(
        0.1, ge=0, lt=0.9, description="Share of each span, at its end, kept for the validation loss (ours); 0: none."
    )
    validation_clips: int = Field(64, ge=1, le=4096, description="Most clips of the validation loss (ours).")
    halving_patience: int = Field(
        10, ge=0, le=10_000, description="Evaluations without a lower validation loss before the rate is halved (ours)."
    )
    brightness: float = Field(0.4, ge=0, lt=1, description="Random brightness, +- this share (ours).")
    contrast: float = Field(0.4, ge=0, lt=1, description="Random contrast, +- this share (ours).")
    saturation: float = Field(0.4, ge=0, lt=1, description="Random saturation, +- this share (ours).")
    hue: float = Field(0.1, ge=0, le=0.5, description="Random hue, +- this share of the colour circle (ours).")
    blur: float = Field(0.5, ge=0, le=1, description="Share of the clips that are blurred (ours).")


class ColoScrl(ClipMethod):
    """Query encoder, momentum encoder, queue and InfoNCE; each clip's two views are drawn clip by clip."""

    name = "colo-scrl"
    title = "Two views of a clip (Colo-SCRL, Xiang et al.)"
    sentence = "Two augmented views of a clip are positives (Xiang 2023). Start from a pretraining by videomae."
    network: "ClipContrast"
    settings: ColoScrlSettings
    settings_class = ColoScrlSettings
    # Stated: Adam with weight decay, the rate halved when the validation loss stops falling, 500 epochs. The clips are
    # those of the first stage (ours).
    course: Mapping[str, Any] = {
        "init": "random",
        "sequence_length": 64,
        "frame_step": 4,
        "sequences": 64,
        "input_size": 224,
        "rotations": "none",
        "projection": (512, 128),
        "epochs": 500,
        "evaluations": 500,
        "optimizer": "adam",
        "learning_rate": 1e-4,
        "weight_decay": 1e-5,
        "schedule": "plateau",
    }
    presets: Mapping[str, Mapping[str, Any]] = {
        # Ours: a course of some hundred steps needs a momentum encoder that follows sooner.
        "small": {
            **SMALL,
            "optimizer": "adam",
            "learning_rate": 3e-4,
            "projection": (128, 64),
            "queue_keys": 1024,
            "key_momentum": 0.99,
            "evaluations": 20,
            "halving_patience": 3,
        },
        "smoke": {
            **SMOKE,
            "learning_rate": 1e-3,
            "projection": (32, 16),
            "queue_keys": 64,
            "key_momentum": 0.99,
            "evaluations": 4,
            "validation_clips": 4,
            "halving_patience": 1,
        },
    }
    views = 2
    share_name = "negatives_ahead"

    def prepare(self) -> None:
        """Make the augmentation."""
        from training.transforms.augment import ClipAugmentation

        super().prepare()
        names = ("least_area", "flips", "rotations", "brightness", "contrast", "saturation", "hue", "blur")
        self.augmentation = ClipAugmentation(
            self.settings.input_size, **{name: getattr(self.settings, name) for name in names}
        )
        self._keys: Tensor | None = None

    @classmethod
    def warning(cls, settings: PretrainSettings, sampler: "SequenceSampler") -> str:
        """A warning if the queue holds keys of the same clip, which count as negatives."""
        assert isinstance(settings, ColoScrlSettings)
        clips = sum(max(len(span) // settings.sequence_length, 1) for span in sampler.spans)
        if settings.queue_keys <= clips:
            return ""
        return Text(
            "The queue holds {queue_keys:,} keys, but the frames make only {clips:,} clips: other views of a clip "
            "then count as different clips. Decrease queue_keys, or add studies.",
            settings.queue_keys,
            clips,
        )

    @classmethod
    def clip_gflops(cls, settings: ClipSettings) -> float:
        """Of both views; that of the key has no backward pass, which takes two thirds of a step."""
        return super().clip_gflops(settings) * 4 / 3

    @staticmethod
    def make_network(settings: Any) -> "ClipContrast":
        """Both encoders, alike, with random weights, and a queue of random keys."""
        from training.losses.info_nce import KeyQueue
        from training.models.clip_encoder import ClipContrast

        queue = KeyQueue(settings.queue_keys, settings.projection[-1], settings.seed)
        return ClipContrast(settings.encoder_config(), settings.projection, queue)

    def batch(self, read: "SequenceBatch", generator: "torch.Generator") -> PretrainBatch:
        """Both views of each clip (C, 2, T, 3, S, S) float32; labels are not needed."""
        import torch

        clips, is_round = self.clips(read)
        views = torch.stack([self.augmentation(clips, is_round, generator) for _ in range(self.views)], 1)
        encoder = self.network.encoder
        return PretrainBatch((views - encoder.mean) / encoder.std, torch.zeros(len(views), device=views.device))

    def embed(self, images: "Tensor") -> "Tensor":
        """Both views (C, 2, T, 3, S, S) -> queries, and keys without gradient, (C, 2, P) float32 of length one."""
        import torch

        first, second = images.unbind(1)
        with self.precision(images.device):
            query = self.network.query(first)
            with torch.no_grad():
                key = self.network.key(second)
        return torch.stack([query, key], 1)

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """InfoNCE (eq. 2, 4) of a whole batch's queries and keys (C, 2, P) with the queue's keys as negatives."""
        from training.losses.info_nce import nce_of_similarities, similarities
        from training.losses.terms import Losses, share_ahead

        query, key = embedding[:, 0], embedding[:, 1].detach()
        own, others = similarities(query, key, self.network.queue.keys)
        self._keys, self._embedding = key, query.detach()
        self._ahead = share_ahead(own, others)
        return Losses(nce_of_similarities(own, others, self.settings.temperature).mean())

    def settle(self) -> None:
        """Put the batch's keys into the queue, once the gradient is complete."""
        if self._keys is not None:
            self.network.queue.push_(self._keys)
            self._keys = None

    def forget_batch(self) -> None:
        """Its keys do not go into the queue."""
        self._keys = None

    def after_step(self) -> None:
        """Let the key encoder follow (eq. 3)."""
        self.network.follow_(self.settings.key_momentum)
