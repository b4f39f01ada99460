"""A masked autoencoder of clips (Xiang et al. 2023, section IV-B; VideoMAE, Tong et al. 2022)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from training.models.clip_config import ClipEncoderConfig
from training.models.clip_encoder import ClipEncoder, rows_of, sine_positions, transformer_blocks

MASK_TOKEN_DEVIATION = 0.02
"""Of the mask token's random start (VideoMAE's)."""


class Masked(NamedTuple):
    """What the autoencoder says of B clips."""

    reconstruction: Tensor
    """(B, M, P): of the masked cubes, in the order of their numbers."""
    tokens: Tensor
    """(B, V, D): the visible cubes' final tokens."""


class MaskedAutoencoder(nn.Module):
    """The encoder sees the visible cubes only; a shallow decoder sees their tokens and mask tokens for the others."""

    def __init__(self, config: ClipEncoderConfig, width: int, blocks: int, heads: int) -> None:
        """`width`, `blocks` and `heads` are the decoder's."""
        super().__init__()
        self.encoder = ClipEncoder(config)
        self.decoder = MaskDecoder(config, width, blocks, heads)

    def forward(self, clips: Tensor, masked: Tensor) -> Masked:
        """Reconstruct the masked cubes.

        Args:
            clips: (B, T, 3, S, S) float, normalised.
            masked: (B, places) bool, whether a place of the frame is masked, at all times; equally many in each clip.
        """
        times = self.encoder.config.times
        visible, hidden = tube_numbers(~masked, times), tube_numbers(masked, times)
        tokens = self.encoder.tokens(clips, visible)
        return Masked(self.decoder(tokens, visible, hidden), tokens)

    def load_encoder(self, encoder: ClipEncoder) -> None:
        """Start from an encoder's weights."""
        self.encoder.load_state_dict(encoder.state_dict())


class MaskDecoder(nn.Module):
    """Tokens of visible cubes and one learned token for each masked cube -> the masked cubes."""

    positions: Tensor

    def __init__(self, config: ClipEncoderConfig, width: int, blocks: int, heads: int) -> None:
        super().__init__()
        self.narrow = nn.Linear(config.width, width, bias=False)
        self.mask_token = nn.Parameter(torch.randn(width) * MASK_TOKEN_DEVIATION)
        self.blocks = transformer_blocks(width, blocks, heads)
        self.predict = nn.Linear(width, config.cube_numbers)
        self.register_buffer("positions", sine_positions(config.tokens, width), persistent=False)

    def forward(self, tokens: Tensor, visible: Tensor, hidden: Tensor) -> Tensor:
        """(B, V, D) tokens, (B, V) and (B, M) int64 numbers of cubes -> (B, M, P)."""
        positions = self.positions.expand(len(tokens), -1, -1)
        known = self.narrow(tokens) + rows_of(positions, visible)
        unknown = self.mask_token + rows_of(positions, hidden)
        final = self.blocks(torch.cat([known, unknown], 1))
        predicted: Tensor = self.predict(final[:, visible.shape[1] :])
        return predicted


def tube_numbers(chosen: Tensor, times: int) -> Tensor:
    """Numbers of the cubes at the chosen places, at all times.

    Args:
        chosen: (B, places) bool, equally many in each row.
        times: cubes of a clip along time.

    Returns:
        (B, times * C) int64, ascending.

    Raises:
        ValueError: rows with different numbers of chosen places.
    """
    counts = chosen.sum(1)
    if (counts != counts[:1]).any():
        raise ValueError("every clip needs equally many masked places")
    places = chosen.nonzero()[:, 1].view(len(chosen), 1, -1)
    offsets = torch.arange(times, device=chosen.device).view(1, -1, 1) * chosen.shape[1]
    return (places + offsets).flatten(1)


def tube_masks(count: int, places: int, share: float, generator: torch.Generator) -> Tensor:
    """Random maps (B, places) bool, True where masked; each with `int(share * places)` masked places.

    One map holds for all times of a clip: temporal tube masking.
    """
    masked = int(share * places)
    order = torch.rand(count, places, generator=generator).argsort(1)
    return torch.zeros(count, places, dtype=torch.bool).scatter_(1, order[:, :masked], True)
