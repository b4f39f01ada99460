"""The nine tiles of a batch of frames, each read once, from the set of transforms that its place asks for."""

import torch
from torch import Tensor

from training.transforms.jigsaw import overlapping, tile_boxes
from training.transforms.view_draws import TileDraw, chosen
from training.transforms.view_reading import read_views, square_maps


def tile_views(planes: Tensor, boxes: Tensor, tiles: TileDraw, crop: float, out: Tensor) -> Tensor:
    """Read the tiles in the order that was drawn.

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
