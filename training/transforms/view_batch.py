"""The views of a batch, and making them in parts that a CPU keeps in its cache.

One view is nine tiles of the frame in random order (Vats et al. 2022, distorted view; Misra and van der Maaten 2020,
PIRL).

What chance decides about the views of a batch, drawn on the CPU before any pixel is looked at.

Vats et al. 2022 describe the sets of transforms T_p, T_d and T_win in a supplement that is not at hand; these are ours.

Squares of frames, read and recoloured: the prior view, the tiles and the WIN view (Vats et al. 2022).
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.errors import UserError
from training.transforms.augment import Augmentation, reading_grid
from training.transforms.colour import Colours, coloured_planes

TILES = 9
ACROSS = 3
LEAST_TILE_PX = 8
"""Below this a tile says nothing, and the frame is refused."""


def check_frames(frames: Tensor) -> int:
    """How many frames there are: (B, S, S, 3) uint8, else `ValueError`; too small for nine tiles: `UserError`."""
    if frames.ndim != 4 or frames.shape[1] != frames.shape[2] or frames.shape[3] != 3 or frames.dtype != torch.uint8:
        raise ValueError(f"frames must be (B, S, S, 3) uint8, not {tuple(frames.shape)} {frames.dtype}")
    if not len(frames):
        raise ValueError("at least one frame is needed")
    size = frames.shape[1]
    if size < ACROSS * LEAST_TILE_PX:
        raise UserError(
            "Frames of {size} px are too small for nine tiles and a prior view.",
            "Set the side of the frames to {across} px or more; 128 and more are sensible.",
            size,
            ACROSS * LEAST_TILE_PX,
        )
    return len(frames)


def tile_boxes(size: int, device: torch.device) -> Tensor:
    """(9, 4) int64: x_min, y_min, x_max, y_max of the tiles, row by row; half-open, together the whole frame."""
    edges = torch.arange(ACROSS + 1, device=device) * size // ACROSS
    number = torch.arange(TILES, device=device)
    column, row = number % ACROSS, number // ACROSS
    return torch.stack([edges[column], edges[row], edges[column + 1], edges[row + 1]], 1)


def random_order(count: int, generator: torch.Generator) -> Tensor:
    """(B, 9) int64 on the CPU: which tile is shown at each place, every order equally likely."""
    return torch.rand(count, TILES, generator=generator, dtype=torch.float64).argsort(1)


def overlapping(tiles: Tensor, boxes: Tensor) -> Tensor:
    """(B, 9) bool: which tiles (9, 4) share at least a pixel with each frame's box (B, 4), half-open."""
    starts, stops = tiles[None, :, :2], tiles[None, :, 2:]
    return ((starts < boxes[:, None, 2:]) & (boxes[:, None, :2] < stops)).all(2)


@dataclass(frozen=True)
class PgconViews:
    """Views of B frames; pictures are float32 in [0, 1], not normalised."""

    prior: Tensor
    """(B, 3, P, P): the prior view; of PIRL the random one."""
    tiles: Tensor
    """(B, 9, 3, t, t): the tiles of the distorted view, in the order shown."""
    order: Tensor
    """(B, 9) int64: which tile of the frame (row by row) each place shows."""
    win: Tensor
    """(B, 3, W, W): the WIN view; (0, 3, W, W) where it was not asked for."""
    boxes: Tensor
    """(B, 4) int64: the square of `prior` in px of the frame: x_min, y_min, x_max, y_max, half-open."""
    shared: Tensor
    """(B, 9) bool: which tiles, in the order shown, overlap that square."""
    found: Tensor
    """(B,) bool: False where nothing was red, and the square is in the middle; of PIRL always False."""


def empty_views(frames: Tensor, view_size: int, tile_size: int, win_size: int, has_win: bool) -> PgconViews:
    """Room for the views of frames (B, S, S, 3): memory is asked for once, and every part writes into it."""
    count = check_frames(frames)

    def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.empty(shape, dtype=dtype, device=frames.device)

    return PgconViews(
        prior=room(count, 3, view_size, view_size),
        tiles=room(count, TILES, 3, tile_size, tile_size),
        order=room(count, TILES, dtype=torch.int64),
        win=room(count if has_win else 0, 3, win_size, win_size),
        boxes=room(count, 4, dtype=torch.int64),
        shared=room(count, TILES, dtype=torch.bool),
        found=torch.zeros(count, dtype=torch.bool, device=frames.device),
    )


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


def planes_of(frames: Tensor, side: int | None = None) -> Tensor:
    """(B, S, S, 3) uint8 -> (B, 3, S, S) float32 in [0, 255], channels last in memory; smaller where `side` is below S.

    What is made smaller is averaged on the way (antialiased), so that no detail is skipped when whole frames are shown
    at less than their size; Apple's devices only interpolate.
    """
    planes = frames.permute(0, 3, 1, 2)
    if side is None or side >= frames.shape[1]:
        return planes.float()
    # On a CPU bytes are averaged several times as fast as floats; they are rounded to whole steps of 255.
    planes = planes if frames.device.type == "cpu" else planes.float()
    antialias = frames.device.type != "mps"
    return torch.nn.functional.interpolate(planes, size=(side, side), mode="bilinear", antialias=antialias).float()


def square_maps(boxes: Tensor, turns: Tensor, size: int) -> Tensor:
    """(N, 2, 3) affine maps from coordinates of the result to those of the frame, both in [-1, 1], that read squares.

    Squares (N, 4) are x_min, y_min, x_max, y_max in px, half-open; turns (N, 2, 2) say how each is turned, mirrored and
    zoomed around its own middle.
    """
    places = boxes.to(torch.float32) * (2.0 / size) - 1.0
    half = (places[:, 2:] - places[:, :2]) / 2.0
    return torch.cat([half.unsqueeze(2) * turns, (places[:, :2] + half).unsqueeze(2)], 2)


def read_views(planes: Tensor, maps: Tensor, colours: Colours, out: Tensor) -> None:
    """Read V squares of each frame in one pass, then change their colours.

    Args:
        planes: (B, 3, S, S) float32 in [0, 255].
        maps: (B * V, 2, 3) float32, the squares of a frame one after the other.
        out: (B * V, 3, T, T) float32: filled, in [0, 1]; black where a view reaches beyond the frame.
    """
    count, side = len(planes), out.shape[3]
    grid = reading_grid(maps, side).reshape(count, -1, side, 2)  # the views of a frame below one another
    read = torch.nn.functional.grid_sample(planes, grid, padding_mode="zeros", align_corners=False)
    views = read.view(count, 3, -1, side, side).transpose(1, 2).reshape(-1, 3, side, side)
    torch.clamp(coloured_planes(views, colours), 0.0, 1.0, out=out)


def without_boxes(frames: Tensor, boxes: Tensor) -> Tensor:
    """The same frames with the pixels of each one's box set to zero, exactly: the negatives within the instance."""
    count, size = frames.shape[:2]
    place = torch.arange(size, device=frames.device)
    outside = (place < boxes[:, :2].unsqueeze(2)) | (place >= boxes[:, 2:].unsqueeze(2))  # (B, 2, S): along x, along y
    # All bits or none, and rows of bytes instead of pixels of three: whole registers are joined at once.
    bits = outside.to(torch.uint8) * 255
    kept = bits[:, 0].repeat_interleave(3, 1).unsqueeze(1) | bits[:, 1].unsqueeze(2)
    return (frames.reshape(count, size, 3 * size) & kept).view_as(frames)


def win_views(frames: Tensor, boxes: Tensor, win: Draw, out: Tensor) -> None:
    """Hide the boxes of frames (B, S, S, 3) uint8, then change them into `out` (B, 3, W, W) float32 in [0, 1]."""
    planes = planes_of(without_boxes(frames, boxes), out.shape[3])
    read_views(planes, torch.nn.functional.pad(win.turns, (0, 1)), win.colours, out)


def tile_views(planes: Tensor, boxes: Tensor, tiles: TileDraw, crop: float, out: Tensor) -> Tensor:
    """Read the nine tiles in the order that was drawn, each once and from the set that its place asks for.

    Args:
        boxes: (B, 4) int64: tiles that overlap it are drawn from the near set.
        crop: side of what is read of a tile, as a share of its side, in (0, 1].
        out: (B, 9, 3, t, t) float32, contiguous: filled with the tiles, in [0, 1].

    Returns:
        (B, 9) bool: which of them, in the order shown, overlap the box.
    """
    size = planes.shape[2]
    places = tile_boxes(size, planes.device)
    is_near = overlapping(places, boxes).gather(1, tiles.order)
    drawn = chosen(is_near.view(-1), tiles)
    shown = places[tiles.order].to(torch.float32)  # (B, 9, 4)
    length = shown[..., 2:] - shown[..., :2]
    start = shown[..., :2] + tiles.shift * (1.0 - crop) * length
    crops = torch.cat([start, start + crop * length], 2).view(-1, 4)
    read_views(planes, square_maps(crops, drawn.turns, size), drawn.colours, out.flatten(0, 1))
    return is_near
