"""The clip encoder: a vanilla ViT on joint space-time cubes (Xiang et al. 2023, section IV-B; Tong et al. 2022)."""

import torch
from torch import Tensor, nn

from training.models import IMAGENET_MEAN, IMAGENET_STD
from training.models.clip_config import ClipEncoderConfig

MLP_RATIO = 4
"""Width of a block's feed-forward layer, as a multiple of the tokens' (VideoMAE's)."""


class ClipEncoder(nn.Module):
    """Clips -> cubes -> tokens -> transformer blocks; a clip's embedding is the mean of its final tokens.

    As VideoMAE: every cube is one token by a linear layer (its Conv3d with kernel = stride), fixed sine-cosine
    positions, normalisation before attention and feed-forward layer, GELU, one normalisation at the end. Colours are
    normalised by ImageNet's statistics.
    """

    mean: Tensor
    std: Tensor
    positions: Tensor

    def __init__(self, config: ClipEncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Linear(config.cube_numbers, config.width)
        self.blocks = transformer_blocks(config.width, config.blocks, config.heads)
        # Not part of the state: they follow from the config.
        self.register_buffer("mean", torch.tensor(IMAGENET_MEAN).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(IMAGENET_STD).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("positions", sine_positions(config.tokens, config.width), persistent=False)

    def normalise(self, frames: Tensor) -> Tensor:
        """(B, T, S, S, 3) uint8 RGB -> (B, T, 3, S, S) float32, mean and std taken out."""
        images = frames.permute(0, 1, 4, 2, 3).to(torch.float32) / 255
        return (images - self.mean) / self.std

    def forward(self, clips: Tensor) -> Tensor:
        """(B, T, 3, S, S) float, normalised -> (B, D) float32, not of length 1."""
        return self.tokens(clips).mean(dim=1, dtype=torch.float32)

    def tokens(self, clips: Tensor, visible: Tensor | None = None) -> Tensor:
        """The final tokens of all cubes, or of the visible ones, which alone are then computed with.

        Args:
            clips: (B, T, 3, S, S) float, normalised.
            visible: (B, V) int64, numbers of the cubes to use, see `cubes_of_clips`; None: all N.

        Returns:
            (B, V, D) or (B, N, D), in the blocks' own precision.

        Raises:
            ValueError: clips of another shape.
        """
        cubes, positions = cubes_of_clips(clips, self.config), self.positions.expand(len(clips), -1, -1)
        if visible is not None:
            cubes, positions = rows_of(cubes, visible), rows_of(positions, visible)
        final: Tensor = self.blocks(self.embed(cubes) + positions)
        return final


def transformer_blocks(width: int, blocks: int, heads: int) -> nn.TransformerEncoder:
    """Blocks with normalisation first and one normalisation at the end, without dropout: (B, N, D) -> (B, N, D)."""
    block = nn.TransformerEncoderLayer(
        width, heads, MLP_RATIO * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )
    made = nn.TransformerEncoder(block, blocks, nn.LayerNorm(width), enable_nested_tensor=False)
    for parameter in made.parameters():
        if parameter.ndim > 1:  # TransformerEncoder starts all its blocks as copies of one
            nn.init.xavier_uniform_(parameter)
    return made


def sine_positions(count: int, width: int) -> Tensor:
    """(N, D) float32: sines in the even columns, cosines in the odd ones, of a token's number (Vaswani et al. 2017)."""
    number = torch.arange(count, dtype=torch.float64).unsqueeze(1)
    angle = number / 10_000 ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1).float()


def cubes_of_clips(clips: Tensor, config: ClipEncoderConfig) -> Tensor:
    """(B, T, 3, S, S) -> (B, N, P): each cube's numbers by frame, row, column, channel.

    Cubes are numbered by time, row, column: cube n is at time `n // places`, and at place `n % places` of the frame.

    Raises:
        ValueError: clips of another shape.
    """
    wanted = (config.frames, 3, config.input_size, config.input_size)
    if clips.shape[1:] != wanted:
        raise ValueError(f"clips must be (B, {', '.join(map(str, wanted))}), not {tuple(clips.shape)}")
    times, side, frames, size = config.times, config.side, config.cube_frames, config.cube_size
    parts = clips.reshape(len(clips), times, frames, 3, side, size, side, size)
    return parts.permute(0, 1, 4, 6, 2, 5, 7, 3).reshape(len(clips), config.tokens, config.cube_numbers)


def clips_of_cubes(cubes: Tensor, config: ClipEncoderConfig) -> Tensor:
    """The reverse of `cubes_of_clips`: (B, N, P) -> (B, T, 3, S, S)."""
    times, side, frames, size = config.times, config.side, config.cube_frames, config.cube_size
    parts = cubes.reshape(len(cubes), times, side, side, frames, size, size, 3)
    shape = (len(cubes), config.frames, 3, config.input_size, config.input_size)
    return parts.permute(0, 1, 4, 7, 2, 5, 3, 6).reshape(shape)


def rows_of(rows: Tensor, numbers: Tensor) -> Tensor:
    """(B, N, D) and (B, V) int64 -> (B, V, D)."""
    return rows.gather(1, numbers.unsqueeze(2).expand(-1, -1, rows.shape[2]))
