"""The three views of prior-guided contrast (Vats et al. 2022): prior, distorted and WIN, a batch at once."""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms.augment import CHUNK_ELEMENTS, Augmentation
from training.transforms.jigsaw import check_tiles
from training.transforms.prior_view import prior_squares
from training.transforms.tile_view import tile_views
from training.transforms.view_draws import Draw, TileDraw, draw, draw_tiles
from training.transforms.view_reading import read_views, shrunk, square_maps
from training.transforms.view_sets import T_D, T_P, T_WIN
from training.transforms.win_view import without_boxes


@dataclass(frozen=True)
class PgconViews:
    """Views of B frames; pictures are float32 in [0, 1], not normalised."""

    prior: Tensor
    """(B, 3, P, P): the prior view."""
    tiles: Tensor
    """(B, 9, 3, t, t): the tiles of the distorted view, in the order shown."""
    order: Tensor
    """(B, 9) int64: which tile of the frame (row by row) each place shows."""
    win: Tensor
    """(B, 3, W, W): the WIN view; (0, 3, W, W) where it was not asked for."""
    boxes: Tensor
    """(B, 4) int64: the prior square in px of the frame: x_min, y_min, x_max, y_max, half-open."""
    shared: Tensor
    """(B, 9) bool: which tiles, in the order shown, overlap the prior square."""
    found: Tensor
    """(B,) bool: False where nothing was red, and the square is in the middle."""


@dataclass(frozen=True)
class PriorViews:
    """How the views are made; the defaults are the paper's, or ours where it is silent."""

    prior_share: float = 0.28
    """Side of the prior square as a share of the frame's; the paper's 100 of 336 px is 0.298, its 150 of 576 px 0.260:
    see `prior_share` of a study, and `shares` of a call. This lies between them (ours)."""
    prior_size: int = 120
    """Side of the prior view in px (the paper's)."""
    tile_size: int = 64
    """Side of a tile in px: PIRL's (ours)."""
    tile_crop: float = 0.75
    """Side of what is read of a tile, as a share of its side, at a random place: PIRL's 64 of 85 px, so that tiles
    cannot be matched by edges that continue (ours)."""
    win_size: int = 120
    """Side of the WIN view in px: the prior view's, so that a negative is not told by its size (ours)."""
    win: bool = True
    """Whether the WIN view is made; PGCon alone needs none."""
    rim_share: float = 0.02
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
            field_of_view: (B,) bool, whether it is round, or (B, S, S) bool, the field of view itself.
            generator: on the CPU; the only source of randomness. The same seed draws the same on every device.
            shares: (B,) float: each frame's own `prior_share`.

        Raises:
            UserError: the frames are too small for nine tiles.
        """
        count, size, device = len(frames), frames.shape[1], frames.device
        check_tiles(size)
        field = field_of_view.to(device)
        is_square = torch.zeros(count, dtype=torch.bool)
        prior = draw(self.prior_transform, is_square, generator, device)
        tiles = draw_tiles(self.prior_transform, self.distorted_transform, count, generator, device)
        may_turn = field_of_view if field_of_view.ndim == 1 else is_square
        win = draw(self.win_transform, may_turn, generator, device)
        wanted = torch.full((count,), self.prior_share) if shares is None else shares
        sides = (wanted.to(device) * size).round().long().clamp(1, size)
        step = max(1, CHUNK_ELEMENTS // (3 * size * size)) if device.type == "cpu" else max(1, count)
        parts = [
            self._some(
                frames[start : start + step],
                field[start : start + step],
                sides[start : start + step],
                prior.part(start, start + step),
                tiles.part(start, start + step),
                win.part(start, start + step),
            )
            for start in range(0, count, step)
        ]
        return joined(parts)

    def _some(
        self, frames: Tensor, field: Tensor, sides: Tensor, prior: Draw, tiles: TileDraw, win: Draw
    ) -> PgconViews:
        """The views of as many frames as a CPU keeps in its cache."""
        size = frames.shape[1]
        rim_px = round(self.rim_share * size)
        squares = prior_squares(frames, field, sides, rim_px=rim_px, least_redness=self.least_redness)
        planes = frames.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)
        maps = square_maps(squares.boxes, prior.turns, size)
        prior_view = read_views(planes, maps, prior.colours, self.prior_size)
        jigsaw, shared = tile_views(planes, squares.boxes, tiles, self.tile_crop, self.tile_size)
        win_view = self._win(planes, squares.boxes, win)
        return PgconViews(prior_view, jigsaw, tiles.order, win_view, squares.boxes, shared, squares.found)

    def _win(self, planes: Tensor, boxes: Tensor, win: Draw) -> Tensor:
        """(B, 3, W, W), or none of them."""
        if not self.win:
            return planes.new_empty((0, 3, self.win_size, self.win_size))
        small, kept = shrunk(without_boxes(planes, boxes), self.win_size)
        whole = torch.tensor([0, 0, 1, 1], device=planes.device).expand(len(planes), 4)
        maps = square_maps(whole, win.turns, 1)
        # The blocks that were averaged end before the frame does: the same place has another coordinate there.
        maps = torch.cat([maps[..., :2], maps[..., 2:] + (1.0 - kept)], 2) / kept
        return read_views(small, maps, win.colours, self.win_size)


def joined(parts: list[PgconViews]) -> PgconViews:
    """One batch of several."""
    if len(parts) == 1:
        return parts[0]
    columns = [[vars(part)[name] for part in parts] for name in vars(parts[0])]
    return PgconViews(*(torch.cat(column) for column in columns))
