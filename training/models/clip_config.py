"""Sizes of the clip encoder. Importing this module does not import torch."""

from typing import Any, Self

from pydantic import Field, model_validator

from training.settings import Settings
from training.texts import Text

MAX_TOKENS = 16_384
"""Of one clip (ours); attention takes memory by the square of it."""


class ClipEncoderConfig(Settings):
    """A vanilla ViT on joint space-time cubes (Xiang et al. 2023, section IV-B).

    The paper follows VideoMAE (Tong et al. 2022) and repeats no sizes: the defaults are VideoMAE's ViT-B.
    """

    frames: int = Field(default=16, ge=1, le=1024, description="Frames of a clip (T).")
    input_size: int = Field(default=224, ge=8, le=1024, description="Side of a frame in px (S).")
    cube_frames: int = Field(default=2, ge=1, le=64, description="Frames of a cube.")
    cube_size: int = Field(default=16, ge=2, le=64, description="Side of a cube in px.")
    width: int = Field(default=768, ge=8, le=4096, description="Numbers of a token, and of a clip's embedding (D).")
    blocks: int = Field(default=12, ge=1, le=48, description="Transformer blocks.")
    heads: int = Field(default=12, ge=1, le=64, description="Attention heads of a block.")

    @model_validator(mode="after")
    def _check_sizes(self) -> Self:
        for whole, part, what in (
            (self.frames, self.cube_frames, "frames of a clip"),
            (self.input_size, self.cube_size, "px of a frame's side"),
            (self.width, self.heads, "numbers of a token"),
        ):
            if whole % part:
                raise ValueError(Text("the {whole} {what} are not a multiple of {part}", whole, Text(what), part))
        if self.width % 2:
            raise ValueError("a token needs an even width, half of it for sines and half for cosines")
        if self.tokens > MAX_TOKENS:
            raise ValueError(
                Text("a clip would have {tokens:,} cubes; {max_tokens:,} are possible", self.tokens, MAX_TOKENS)
            )
        return self

    @property
    def times(self) -> int:
        """Cubes of a clip along time."""
        return self.frames // self.cube_frames

    @property
    def side(self) -> int:
        """Cubes of a clip along each side of the frame."""
        return self.input_size // self.cube_size

    @property
    def places(self) -> int:
        """Cubes of a clip at one time."""
        return self.side**2

    @property
    def tokens(self) -> int:
        """N: cubes of a clip, in the order of time, row, column."""
        return self.times * self.places

    @property
    def cube_numbers(self) -> int:
        """P: numbers of a cube, three for each pixel."""
        return self.cube_frames * self.cube_size**2 * 3


SMALL: dict[str, Any] = {"frames": 8, "input_size": 64, "cube_size": 8, "width": 128, "blocks": 4, "heads": 4}
"""Ours: sizes for two cores."""
