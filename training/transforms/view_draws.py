"""What chance decides about the views of a batch, drawn on the CPU before any pixel is looked at.

Vats et al. 2022 describe the sets of transforms T_p, T_d and T_win in a supplement that is not at hand; these are ours.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms.augment import Augmentation
from training.transforms.colour import Colours
from training.transforms.view_batch import TILES, random_order


@dataclass(frozen=True)
class Draw:
    """Colours and turns of N views."""

    colours: Colours
    turns: Tensor
    """(N, 2, 2) float32."""

    def __getitem__(self, part: slice) -> "Draw":
        return Draw(self.colours[part], self.turns[part])


@dataclass(frozen=True)
class TileDraw:
    """Order, places and both possible transforms of the nine tiles of B frames."""

    order: Tensor
    """(B, 9) int64: which tile is shown at each place."""
    shift: Tensor
    """(B, 9, 2) float32 in [0, 1]: where in its tile each crop lies, along x and y."""
    near: Draw
    """9B draws from the set for tiles that overlap the prior view."""
    far: Draw
    """9B draws from the set for the others."""

    def __getitem__(self, frames: slice) -> "TileDraw":
        tiles = slice(frames.start * TILES, frames.stop * TILES)
        return TileDraw(self.order[frames], self.shift[frames], self.near[tiles], self.far[tiles])


def draw(transform: Augmentation, may_turn: Tensor, generator: torch.Generator, device: torch.device) -> Draw:
    """Draw for N views, of which those of `may_turn` (N,) bool may turn by any angle, the others by quarters."""
    colours, turns = transform.drawn(len(may_turn), may_turn.cpu(), generator)
    return Draw(colours.to(device), turns.to(device))


def draw_tiles(
    near: Augmentation, far: Augmentation, count: int, generator: torch.Generator, device: torch.device
) -> TileDraw:
    """Draw for the nine tiles of `count` frames; squares turn by quarters, so that nothing is cut off."""
    order = random_order(count, generator).to(device)
    shift = torch.rand(count, TILES, 2, generator=generator).to(device)
    square = torch.zeros(count * TILES, dtype=torch.bool)
    return TileDraw(order, shift, draw(near, square, generator, device), draw(far, square, generator, device))


def chosen(is_near: Tensor, tiles: TileDraw) -> Draw:
    """(9B,) bool -> of each tile the one of its two draws."""
    near, far = tiles.near, tiles.far
    pick = is_near.view(-1, 1, 1)
    matrices = torch.where(pick, near.colours.matrices, far.colours.matrices)
    contrasts = None
    if near.colours.contrasts is not None or far.colours.contrasts is not None:
        contrasts = torch.where(is_near, _contrasts(near), _contrasts(far))
    return Draw(Colours(matrices, contrasts), torch.where(pick, near.turns, far.turns))


def _contrasts(draw: Draw) -> Tensor:
    """(N,) factors; ones where there is no contrast."""
    known = draw.colours.contrasts
    return draw.turns.new_ones(len(draw.turns)) if known is None else known


T_P = Augmentation(rotations="free", flips=True, zoom=0.0, brightness=0.2, saturation=0.15, white_balance=0.05)
"""For the prior view and the tiles that overlap it. A capsule has no upright, so turns and mirrors are free; the square
was chosen for its colour, so colour is only nudged, and it is not zoomed, so that the reddest pixel stays in it."""

T_D = Augmentation(
    rotations="free",
    flips=True,
    zoom=0.1,
    brightness=0.4,
    saturation=0.4,
    white_balance=0.1,
    contrast=0.4,
    hue=0.1,
    grey=0.2,
)
"""For the other tiles: the strengths of SimCLR and PIRL, which change colour much. What surrounds the prior is to be
recognised whatever its colour."""

T_WIN = Augmentation(rotations="free", flips=True, zoom=0.1, brightness=0.2, saturation=0.15, white_balance=0.05)
"""For the WIN view: colours as in T_p, so that a negative differs from the prior view by what it lacks, not by tint."""
