"""The clip encoder: a vanilla ViT on joint space-time cubes (Xiang et al. 2023, section IV-B; Tong et al. 2022).

Momentum contrast on clips (Xiang et al. 2023, section IV-C; MoCo, He et al. 2020): two encoders and a queue.

A masked autoencoder of clips (Xiang et al. 2023, section IV-B; VideoMAE, Tong et al. 2022).
"""

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from training.models import IMAGENET_MEAN, IMAGENET_STD
from training.models.clip_config import ClipEncoderConfig

MLP_RATIO = 4
"""Width of a block's feed-forward layer, as a multiple of the tokens' (VideoMAE's)."""
EPSILON = 1e-6
"""Of the normalisations of tokens (VideoMAE's)."""


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
    """Blocks with normalisation first and one normalisation at the end, without dropout: (B, N, D) -> (B, N, D).

    Weights start as VideoMAE's: by Glorot's uniform rule, biases at zero. (Its keys have no bias: with a softmax over
    keys a bias changes nothing.)
    """
    block = nn.TransformerEncoderLayer(
        width,
        heads,
        MLP_RATIO * width,
        dropout=0.0,
        activation="gelu",
        layer_norm_eps=EPSILON,
        batch_first=True,
        norm_first=True,
    )
    result = nn.TransformerEncoder(block, blocks, nn.LayerNorm(width, EPSILON), enable_nested_tensor=False)
    _start_as_videomae(result)  # TransformerEncoder starts all its blocks as copies of one
    return result


def _start_as_videomae(module: nn.Module) -> None:
    for name, parameter in module.named_parameters():
        if parameter.ndim > 1:
            nn.init.xavier_uniform_(parameter)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)


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


class ClipProjector(nn.Module):
    """Encoder and projection head (ours, as MoCo's): clips -> unit vectors."""

    def __init__(self, encoder: ClipEncoder, widths: Sequence[int]) -> None:
        """`widths` of the head's layers, at least one; ReLU stands between them."""
        super().__init__()
        self.encoder = encoder
        layers: list[nn.Module] = []
        for before, after in zip((encoder.config.width, *widths), widths, strict=False):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.head = nn.Sequential(*layers[:-1])

    def forward(self, clips: Tensor) -> Tensor:
        """(B, T, 3, S, S) float, normalised -> (B, P) float32 of length one; the head computes in float32."""
        embedding = self.encoder(clips)
        with torch.autocast(clips.device.type, enabled=False):
            return normalize(self.head(embedding), dim=1)


class ClipContrast(nn.Module):
    """The encoder of queries, which is trained, and that of keys, which follows it slowly."""

    def __init__(self, config: ClipEncoderConfig, widths: Sequence[int], queue: Any) -> None:
        """`queue`: a module with the keys that are negatives, so that checkpoints hold them; see `KeyQueue`."""
        super().__init__()
        self.query = ClipProjector(ClipEncoder(config), widths)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = queue

    @property
    def encoder(self) -> ClipEncoder:
        """The encoder of queries, which is what a run is for."""
        return self.query.encoder

    def load_encoder(self, encoder: ClipEncoder) -> None:
        """Start both encoders from these weights."""
        self.encoder.load_state_dict(encoder.state_dict())
        self.key.load_state_dict(self.query.state_dict())

    @torch.no_grad()
    def follow_(self, momentum: float) -> None:
        """Eq. 3: `theta_k <- m theta_k + (1 - m) theta_q` for all weights of encoder and head."""
        for slow, fast in zip(self.key.parameters(), self.query.parameters(), strict=True):
            slow.lerp_(fast, 1 - momentum)


MASK_TOKEN_DEVIATION = 0.02
"""Of the mask token's random start, a normal distribution cut at one deviation (VideoMAE's)."""


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
        deviation = MASK_TOKEN_DEVIATION
        self.mask_token = nn.Parameter(nn.init.trunc_normal_(torch.empty(width), 0, deviation, -deviation, deviation))
        self.blocks = transformer_blocks(width, blocks, heads)
        self.predict = nn.Linear(width, config.cube_numbers)
        _start_as_videomae(self.predict)
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
