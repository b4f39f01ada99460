"""The two views of PIRL (Misra and van der Maaten 2020): a random view and nine tiles in random order; our adaptation.

The tiles are those of prior-guided contrast. What differs is what the priors bring: the view lies anywhere, not on red,
and no tile is treated otherwise than another. PIRL reads tiles of 64 px from 255 px, which these frames need not have,
and changes the colours of tiles and view alike.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms.augment import Augmentation
from training.transforms.view_batch import PgconViews, empty_views, parts_of
from training.transforms.view_draws import T_D, draw, draw_tiles
from training.transforms.view_reading import planes_of, read_views, square_maps, tile_views

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
        views = empty_views(frames, self.view_size, self.tile_size, self.view_size, has_win=False)
        count, size, device = len(frames), frames.shape[1], frames.device
        views.boxes.copy_(random_squares(count, size, self.least_area, generator))
        view = draw(self.transform, torch.zeros(count, dtype=torch.bool), generator, device)
        tiles = draw_tiles(self.transform, self.transform, count, generator, device)
        views.order.copy_(tiles.order)
        for part in parts_of(frames):
            boxes, maps = views.boxes[part], square_maps(views.boxes[part], view.turns[part], size)
            whole = planes_of(frames[part], round(SMALLER * self.view_size))
            read_views(whole, maps, view.colours[part], views.prior[part])
            planes = planes_of(frames[part])
            views.shared[part] = tile_views(planes, boxes, tiles[part], self.tile_crop, views.tiles[part])
        return views


def random_squares(count: int, size: int, least_area: float, generator: torch.Generator) -> Tensor:
    """(B, 4) int64 on the CPU: squares of a random share of the frame's area, anywhere in it."""
    chance = torch.rand(count, 3, generator=generator)
    sides = ((least_area + (1.0 - least_area) * chance[:, 2]).sqrt() * size).round().long().clamp(1, size)
    starts = (chance[:, :2] * (size - sides + 1).unsqueeze(1)).long()
    return torch.cat([starts, starts + sides.unsqueeze(1)], 1)
