"""Squares of frames, read and recoloured: the prior view, the tiles and the WIN view (Vats et al. 2022)."""

import torch
from torch import Tensor

from training.transforms.augment import reading_grid
from training.transforms.colour import Colours, coloured_planes
from training.transforms.view_batch import overlapping, tile_boxes
from training.transforms.view_draws import Draw, TileDraw, chosen


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
    """Affine maps that read squares of a frame.

    Args:
        boxes: (N, 4) float or int: x_min, y_min, x_max, y_max in px, half-open.
        turns: (N, 2, 2) float32: how each square is turned, mirrored and zoomed around its own middle.
        size: side of the frames (S).

    Returns:
        (N, 2, 3) float32 from coordinates of the result to those of the frame, both in [-1, 1].
    """
    places = boxes.to(torch.float32) * (2.0 / size) - 1.0
    half = (places[:, 2:] - places[:, :2]) / 2.0
    return torch.cat([half.unsqueeze(2) * turns, (places[:, :2] + half).unsqueeze(2)], 2)


def read_views(planes: Tensor, maps: Tensor, colours: Colours, out: Tensor) -> None:
    """Read V squares of each frame in one pass, then change their colours.

    Args:
        planes: (B, 3, S, S) float32 in [0, 255].
        maps: (B * V, 2, 3) float32, the squares of a frame one after the other.
        colours: of the B * V views.
        out: (B * V, 3, T, T) float32: filled, in [0, 1]; black where a view reaches beyond the frame.
    """
    count, side = len(planes), out.shape[3]
    grid = reading_grid(maps, side).reshape(count, -1, side, 2)  # the views of a frame below one another
    read = torch.nn.functional.grid_sample(planes, grid, padding_mode="zeros", align_corners=False)
    views = read.view(count, 3, -1, side, side).transpose(1, 2).reshape(-1, 3, side, side)
    torch.clamp(coloured_planes(views, colours), 0.0, 1.0, out=out)


def without_boxes(frames: Tensor, boxes: Tensor) -> Tensor:
    """The same frames with the pixels of each one's box set to zero, exactly: the negatives within the instance.

    Args:
        frames: (B, S, S, 3) uint8; not changed.
        boxes: (B, 4) int64: x_min, y_min, x_max, y_max, half-open.
    """
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
        planes: (B, 3, S, S) float32 in [0, 255].
        boxes: (B, 4) int64: tiles that overlap it are drawn from the near set.
        tiles: what was drawn.
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
