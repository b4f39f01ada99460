"""The three views of prior-guided contrast (Vats et al. 2022): prior, distorted and WIN, a batch at once.

The two views of PIRL (Misra and van der Maaten 2020): a random view and nine tiles in random order; our adaptation.

The tiles are those of prior-guided contrast. What differs is what the priors bring: the view lies anywhere, not on red,
and no tile is treated otherwise than another. PIRL reads tiles of 64 px from 255 px, which these frames need not have,
and changes the colours of tiles and view alike.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms import view_batch
from training.transforms.augment import Augmentation, parts_of
from training.transforms.prior_view import RIM_SHARE, PriorSquares, prior_squares
from training.transforms.view_batch import T_D, T_P, T_WIN, PgconViews

SMALLER = 1.5
"""The random view is read from a frame of at most so many times its own side: the largest squares skip little then, and
the smallest lose little."""


@dataclass(frozen=True)
class PirlViews:
    """How the views are made; sizes are those of `PriorViews`, so that methods see as much of a frame (ours)."""

    least_area: float = 0.2
    """The random view is a square of this share of the frame's area up to all of it, as in PIRL's random crops."""
    view_size: int = 120
    tile_size: int = 64
    tile_crop: float = 0.75
    transform: Augmentation = T_D
    """For the view and for every tile."""

    def __call__(self, frames: Tensor, field_of_view: Tensor, generator: torch.Generator) -> PgconViews:
        """Make the views of a batch; arguments and errors are those of `PriorViews`.

        Returns:
            `prior` is the random view, `win` holds nothing.
        """
        views = view_batch.empty_views(frames, self.view_size, self.tile_size, self.view_size, has_win=False)
        count, size, device = len(frames), frames.shape[1], frames.device
        views.boxes.copy_(random_squares(count, size, self.least_area, generator))
        view = view_batch.draw(self.transform, torch.zeros(count, dtype=torch.bool), generator, device)
        tiles = view_batch.draw_tiles(self.transform, self.transform, count, generator, device)
        views.order.copy_(tiles.order)
        for part in parts_of(frames):
            boxes, maps = views.boxes[part], view_batch.square_maps(views.boxes[part], view.turns[part], size)
            whole = view_batch.planes_of(frames[part], round(SMALLER * self.view_size))
            view_batch.read_views(whole, maps, view.colours[part], views.prior[part])
            planes = view_batch.planes_of(frames[part])
            views.shared[part] = view_batch.tile_views(planes, boxes, tiles[part], self.tile_crop, views.tiles[part])
        return views


def random_squares(count: int, size: int, least_area: float, generator: torch.Generator) -> Tensor:
    """(B, 4) int64 on the CPU: squares of a random share of the frame's area, anywhere in it."""
    chance = torch.rand(count, 3, generator=generator)
    sides = ((least_area + (1.0 - least_area) * chance[:, 2]).sqrt() * size).round().long().clamp(1, size)
    starts = (chance[:, :2] * (size - sides + 1).unsqueeze(1)).long()
    return torch.cat([starts, starts + sides.unsqueeze(1)], 1)


__all__ = ["PgconViews", "PriorViews"]


@dataclass(frozen=True)
class PriorViews:
    """How the views are made; the defaults are the paper's, or ours where it is silent."""

    prior_share: float = 0.28
    """Side of the prior square as a share of the frame's; the paper's 100 of 336 px is 0.298, its 150 of 576 px 0.260:
    see `prior_share` of a study, and `shares` of a call, by which a pretraining gives each frame its own. This lies
    between them (ours)."""
    prior_size: int = 120
    """Side of the prior view in px (the paper's)."""
    tile_size: int = 64
    """Side of a tile in px: PIRL's (ours)."""
    tile_crop: float = 0.75
    """Side of what is read of a tile, as a share of its side, at a random place: PIRL's 64 of 85 px, so that tiles
    cannot be matched by edges that continue (ours)."""
    win_size: int = 120
    """Side of the WIN view in px: the prior view's, so that a negative is not recognised by its size (ours)."""
    win: bool = True
    """Whether the WIN view is made; PGCon alone needs none. The other views are the same either way."""
    rim_share: float = RIM_SHARE
    """Width of the rim of the field of view that is not searched for red, as a share of the frame's side (ours)."""
    least_redness: float = 1.0
    """a* below which nothing counts as red: greys of a JPEG reach nearly 1 (ours)."""
    prior_transform: Augmentation = T_P
    distorted_transform: Augmentation = T_D
    win_transform: Augmentation = T_WIN

    def __call__(
        self, frames: Tensor, field_of_view: Tensor, generator: torch.Generator, *, shares: Tensor | None = None
    ) -> PgconViews:
        """Make the views of a batch.

        Args:
            frames: (B, S, S, 3) uint8 RGB on any device, black outside the field of view.
            field_of_view: (B,) bool, whether it is round, or (B, S, S) bool, the field of view itself. Only views of
                frames that are said to be round turn by any angle; squares within a frame turn by quarters.
            generator: on the CPU; the only source of randomness. The same seed draws the same on every device.
            shares: (B,) float: each frame's own `prior_share`; more than 1 is the whole frame.

        Raises:
            UserError: the frames are too small for nine tiles.
        """
        views = view_batch.empty_views(frames, self.prior_size, self.tile_size, self.win_size, self.win)
        count, size, device = len(frames), frames.shape[1], frames.device
        field, square = field_of_view.to(device), torch.zeros(count, dtype=torch.bool)
        prior = view_batch.draw(self.prior_transform, square, generator, device)
        tiles = view_batch.draw_tiles(self.prior_transform, self.distorted_transform, count, generator, device)
        win = view_batch.draw(
            self.win_transform, field_of_view if field_of_view.ndim == 1 else square, generator, device
        )
        wanted = torch.full((count,), self.prior_share) if shares is None else shares
        sides = (wanted.to(device) * size).round().long().clamp(1, size)
        views.order.copy_(tiles.order)
        for part in parts_of(frames):
            squares = self.squares(frames[part], field[part], sides[part])
            views.boxes[part], views.found[part] = squares.boxes, squares.found
            planes, maps = (
                view_batch.planes_of(frames[part]),
                view_batch.square_maps(squares.boxes, prior.turns[part], size),
            )
            view_batch.read_views(planes, maps, prior.colours[part], views.prior[part])
            views.shared[part] = view_batch.tile_views(
                planes, squares.boxes, tiles[part], self.tile_crop, views.tiles[part]
            )
            if self.win:
                view_batch.win_views(frames[part], squares.boxes, win[part], views.win[part])
        return views

    def squares(self, frames: Tensor, field_of_view: Tensor, sides_px: Tensor) -> PriorSquares:
        """Where the prior views lie: no chance is in it. `sides_px` is (B,) int64."""
        rim_px = round(self.rim_share * frames.shape[1])
        return prior_squares(frames, field_of_view, sides_px, rim_px=rim_px, least_redness=self.least_redness)
