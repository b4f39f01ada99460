"""Base of methods that train an encoder of clips; a sequence of frames is a clip."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, ValidationError, model_validator

from training.methods.pretrain_method import PretrainMethod, PretrainSettings
from training.models.clip_config import ClipEncoderConfig
from training.settings import what_is_wrong
from training.texts import Text

if TYPE_CHECKING:
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch

SMALL: dict[str, Any] = {
    "sequence_length": 8,
    "frame_step": 1,
    "sequences": 16,
    "input_size": 64,
    "cube_size": 8,
    "width": 128,
    "blocks": 4,
    "heads": 4,
}
"""Ours: clips and encoder for two cores."""
SMOKE: dict[str, Any] = {
    "sequence_length": 4,
    "frame_step": 1,
    "sequences": 2,
    "input_size": 32,
    "cube_size": 8,
    "width": 32,
    "blocks": 2,
    "heads": 2,
}
"""Ours: to check that everything works."""
SENTENCES = {
    "paper": "ViT-B on clips of 16 frames at 224 px with VideoMAE's sizes; days on a GPU.",
    "small": "A small ViT on clips of 8 frames at 64 px, 400 steps; minutes on a small computer.",
}
"""Preset -> what the window says about it."""


class ClipSettings(PretrainSettings):
    """Clips, encoder and crops; the paper repeats none of VideoMAE's sizes, which are the defaults."""

    frame_step: int = Field(1, ge=1, le=100, description="A clip has every so many frames of its sequence.")
    cube_frames: int = Field(2, ge=1, le=64, description="Frames of a space-time cube (VideoMAE's).")
    cube_size: int = Field(16, ge=2, le=64, description="Side of a space-time cube in px (VideoMAE's).")
    width: int = Field(768, ge=8, le=4096, description="Width of the encoder's tokens (ViT-B, VideoMAE's).")
    blocks: int = Field(12, ge=1, le=48, description="Transformer blocks of the encoder (ViT-B, VideoMAE's).")
    heads: int = Field(12, ge=1, le=64, description="Attention heads of the encoder (ViT-B, VideoMAE's).")
    least_area: float = Field(0.5, gt=0, le=1, description="Smallest share of a frame in a random crop (ours).")

    @model_validator(mode="after")
    def _check_encoder(self) -> Self:
        if self.sequence_length % self.frame_step:
            raise ValueError(
                Text(
                    "sequences of {sequence_length} frames are not a multiple of frame_step ({frame_step})",
                    self.sequence_length,
                    self.frame_step,
                )
            )
        try:
            self.encoder_config()
        except ValidationError as error:
            raise ValueError(what_is_wrong(error.errors()[0])) from error
        return self

    @property
    def read_size(self) -> int:
        """So large that the smallest crop has the input's pixels: crops are as sharp as evaluated frames."""
        return math.ceil(self.input_size / math.sqrt(self.least_area))

    def encoder_config(self) -> ClipEncoderConfig:
        """The sizes of the encoder."""
        same = {name: getattr(self, name) for name in ("input_size", "cube_frames", "cube_size", "width", "blocks")}
        return ClipEncoderConfig(frames=self.sequence_length // self.frame_step, heads=self.heads, **same)


class ClipMethod(PretrainMethod):
    """An encoder of clips and a loss without labels; every sequence of a batch is one clip."""

    settings: ClipSettings
    fixed: Mapping[str, Any] = {"sequence_source": "anywhere"}
    preset_sentences = SENTENCES
    needs_video = True
    encodes_clips = True
    unused: Sequence[str] = ("backbone", "head_init", "sequence_source", "knn_neighbours")

    def prepare(self) -> None:
        """Set up the encoder's sizes."""
        super().prepare()
        self.encoder_config = self.settings.encoder_config()
        self.frames_per_row = self.encoder_config.frames * self.views

    @classmethod
    def images_per_frame(cls, settings: PretrainSettings) -> float:
        """See `PretrainMethod`."""
        assert isinstance(settings, ClipSettings)
        return cls.views / settings.frame_step

    @classmethod
    def clip_gflops(cls, settings: ClipSettings) -> float:
        """10^9 multiply-adds of a forward pass of one clip, all of its views, for estimates of the time."""
        config = settings.encoder_config()
        return transformer_gflops(config.tokens, config.width, config.blocks)

    def clips(self, read: "SequenceBatch") -> "tuple[Tensor, Tensor]":
        """Clips (C, T, R, R, 3) uint8 of the frames that were read, and (C,) bool whether their view is round."""
        rows = clip_rows(read.sequence, self.encoder_config.frames)
        return read.frames[rows.to(read.frames.device)], read.is_round[rows[:, 0]]


def frame_step(settings: PretrainSettings) -> int:
    """Every so many frames of a sequence are read."""
    return settings.frame_step if isinstance(settings, ClipSettings) else 1


def transformer_gflops(tokens: int, width: int, blocks: int) -> float:
    """10^9 multiply-adds of a forward pass: linear layers and attention."""
    return blocks * tokens * (12 * width**2 + 2 * tokens * width) / 1e9


def clip_rows(sequence: "Tensor", length: int) -> "Tensor":
    """The rows of a batch that make its clips.

    Args:
        sequence: (B,) int64, ascending: the sequence of each frame.
        length: frames of a clip. A shorter sequence repeats its last frame.

    Returns:
        (C, length) int64
    """
    import torch

    if not len(sequence):
        raise ValueError("clips need frames in sequences")
    counts = torch.bincount(sequence)
    counts = counts[counts > 0]  # of a sequence that does not decode nothing was read
    firsts = counts.cumsum(0) - counts
    within = torch.minimum(torch.arange(length), counts.unsqueeze(1) - 1)
    return firsts.unsqueeze(1) + within
