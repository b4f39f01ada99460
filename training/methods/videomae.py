"""VideoMAE: reconstruct the masked nine tenths of a clip (Xiang et al. 2023, section IV-B; Tong et al. 2022).

The paper states joint space-time cubes, tube masking of 90 %, an encoder of visible tokens, a shallow decoder and the
squared error of normalised pixels (eq. 1), and that the parameters "follow the practice of VideoMAE": those are the
defaults, of VideoMAE's code for Kinetics. Ours: the batch, and crops and mirroring by `ClipAugmentation` instead of
VideoMAE's multi-scale crops.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from training.methods.clip_method import SMALL, SMOKE, ClipMethod, ClipSettings, transformer_gflops
from training.methods.pretrain_method import PretrainBatch
from training.texts import Text

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.losses.terms import Losses
    from training.models.clip_encoder import MaskedAutoencoder


class VideoMaeSettings(ClipSettings):
    """Masks and decoder."""

    masked_share: float = Field(0.9, gt=0, lt=1, description="Share of the cubes that are masked.")
    decay_all: bool = Field(
        False,
        description="Weight decay also of biases, norms and the mask token; VideoMAE decays the other weights only.",
    )
    decoder_width: int = Field(384, ge=8, le=4096, description="Width of the decoder's tokens (VideoMAE's).")
    decoder_blocks: int = Field(4, ge=1, le=24, description="Transformer blocks of the decoder (VideoMAE's).")
    decoder_heads: int = Field(6, ge=1, le=64, description="Attention heads of the decoder (VideoMAE's).")

    @model_validator(mode="after")
    def _check_masks(self) -> Self:
        places = self.encoder_config().places
        if not 0 < int(self.masked_share * places) < places:
            raise ValueError(
                Text(
                    "masking {masked_share:g} of {places} places of a frame masks none or all of them",
                    self.masked_share,
                    places,
                )
            )
        if self.decoder_width % self.decoder_heads or self.decoder_width % 2:
            raise ValueError(
                Text(
                    "the decoder's width of {decoder_width} is odd or not a multiple of {decoder_heads} heads",
                    self.decoder_width,
                    self.decoder_heads,
                )
            )
        return self


class VideoMae(ClipMethod):
    """A masked autoencoder of clips; one random map of masked places holds for all frames of a clip."""

    name = "videomae"
    title = "Masked clips (VideoMAE)"
    sentence = "Clips are reconstructed from a tenth of their parts (VideoMAE, Xiang 2023)."
    network: "MaskedAutoencoder"
    settings: VideoMaeSettings
    settings_class = VideoMaeSettings
    # VideoMAE's: rate 1.5e-4 for 256 clips, here for 64, falling to 1e-5 (6.7 %); 40 of 800 epochs of warmup; every
    # fourth frame.
    course: Mapping[str, Any] = {
        "init": "random",
        "sequence_length": 64,
        "frame_step": 4,
        "sequences": 64,
        "input_size": 224,
        "rotations": "none",
        "epochs": 800,
        "optimizer": "adamw",
        "learning_rate": 1.5e-4 * 64 / 256,
        "weight_decay": 0.05,
        "schedule": "cosine",
        "warmup_share": 0.05,
        "final_rate_share": 1 / 15,
    }
    presets: Mapping[str, Mapping[str, Any]] = {
        # Half the encoder's width and a third of its blocks, as VideoMAE's ViT-B.
        "small": {**SMALL, "decoder_width": 64, "decoder_blocks": 1, "decoder_heads": 2},
        "smoke": {**SMOKE, "decoder_width": 16, "decoder_blocks": 1, "decoder_heads": 2, "learning_rate": 1e-3},
    }
    unused: Sequence[str] = (*ClipMethod.unused, "projection")
    betas = (0.9, 0.95)
    share_name = ""

    def prepare(self) -> None:
        """Make the augmentation."""
        from training.transforms.augment import ClipAugmentation

        super().prepare()
        settings = self.settings
        self.augmentation = ClipAugmentation(
            settings.input_size, least_area=settings.least_area, flips=settings.flips, rotations=settings.rotations
        )

    @staticmethod
    def make_network(settings: Any) -> "MaskedAutoencoder":
        """Encoder and decoder with random weights."""
        from training.models.clip_encoder import MaskedAutoencoder

        return MaskedAutoencoder(
            settings.encoder_config(), settings.decoder_width, settings.decoder_blocks, settings.decoder_heads
        )

    @classmethod
    def clip_gflops(cls, settings: ClipSettings) -> float:
        """Of the encoder on visible tokens and of the decoder on all."""
        assert isinstance(settings, VideoMaeSettings)
        config = settings.encoder_config()
        visible = config.times * (config.places - int(settings.masked_share * config.places))
        decoder = transformer_gflops(config.tokens, settings.decoder_width, settings.decoder_blocks)
        return transformer_gflops(visible, config.width, config.blocks) + decoder

    def batch(self, read: "SequenceBatch", generator: "torch.Generator") -> PretrainBatch:
        """Packed clips and masks, see `pack`, and the targets (C, M, P) float32."""
        from training.losses.masked_reconstruction import normalised_cubes
        from training.models.clip_encoder import cubes_of_clips, rows_of, tube_masks, tube_numbers

        config = self.encoder_config
        clips = self.augmentation(*self.clips(read), generator)
        masked = tube_masks(len(clips), config.places, self.settings.masked_share, generator).to(clips.device)
        targets = normalised_cubes(rows_of(cubes_of_clips(clips, config), tube_numbers(masked, config.times)))
        encoder = self.network.encoder
        return PretrainBatch(self.pack((clips - encoder.mean) / encoder.std, masked), targets)

    def pack(self, clips: "Tensor", masked: "Tensor") -> "Tensor":
        """Clips (C, T, 3, S, S) and masks (C, places) bool -> (C, X) float32, so that a batch can be split."""
        import torch

        return torch.cat([clips.flatten(1), masked.float()], 1)

    def unpack(self, packed: "Tensor") -> "tuple[Tensor, Tensor]":
        """The reverse of `pack`."""
        config = self.encoder_config
        clips, masked = packed[:, : -config.places], packed[:, -config.places :]
        return clips.reshape(-1, config.frames, 3, config.input_size, config.input_size), masked > 0.5

    def embed(self, images: "Tensor") -> "Tensor":
        """Packed clips and masks (C, X) -> reconstructions of the masked cubes (C, M, P) float32."""
        with self.precision(images.device):
            result = self.network(*self.unpack(images))
        self._embedding = result.tokens.detach().float().mean(1)
        reconstruction: Tensor = result.reconstruction.float()
        return reconstruction

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """Eq. 1 of reconstructions and targets, both (C, M, P)."""
        from training.losses.masked_reconstruction import masked_reconstruction_loss
        from training.losses.terms import Losses

        return Losses(masked_reconstruction_loss(embedding, labels))
