"""From settings to the views that methods with a memory bank compare, and their layout in a batch."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.methods import pirl, wincon
from training.methods.packed_views import PackedViews
from training.pretraining.config import PretrainConfig
from training.transforms.augment import Augmentation
from training.transforms.jigsaw import TILES
from training.transforms.pgcon_views import PriorViews
from training.transforms.pirl_views import PirlViews
from training.transforms.prior_view import prior_share
from training.transforms.view_sets import T_D, T_P, T_WIN

MakeViews = Callable[[SequenceBatch, torch.Generator], tuple[Tensor, ...]]
"""Frames as they were read, generator -> the views of the layout, in [0, 1]."""
COLOURS = ("brightness", "saturation", "white_balance", "contrast", "hue")


def view_layout(config: PretrainConfig) -> PackedViews:
    """The shapes of a frame's views, in the order in which methods unpack them."""
    shapes: tuple[tuple[int, ...], ...] = (
        (3, config.prior_size, config.prior_size),
        (TILES, 3, config.tile_size, config.tile_size),
    )
    return PackedViews((*shapes, (3, config.win_size, config.win_size)) if config.method == wincon.NAME else shapes)


def make_views(config: PretrainConfig) -> MakeViews:
    """What makes the views of a batch."""
    if config.method == pirl.NAME:
        return _random_views(config)
    made = PriorViews(
        prior_size=config.prior_size,
        tile_size=config.tile_size,
        tile_crop=config.tile_crop,
        win_size=config.win_size,
        win=config.method == wincon.NAME,
        rim_share=config.rim_share,
        least_redness=config.least_redness,
        prior_transform=_scaled(T_P, config.prior_colour, config),
        distorted_transform=_scaled(T_D, config.distorted_colour, config),
        win_transform=_scaled(T_WIN, config.win_colour, config),
    )

    def prior_views(read: SequenceBatch, generator: torch.Generator) -> tuple[Tensor, ...]:
        views = made(read.frames, read.is_round, generator, shares=prior_shares(read.sides_px, config.prior_share))
        return (views.prior, views.tiles, views.win) if made.win else (views.prior, views.tiles)

    return prior_views


def prior_shares(sides_px: Tensor, share: float | None) -> Tensor:
    """(B,) float: side of each frame's prior view as a share of the frame's; by the size of its study, or one for all.

    Args:
        sides_px: (B,) int64, side of the frame's square in its study: what the paper gives sizes for.
        share: None: see `prior_share`.
    """
    sides = sides_px.tolist()
    by_side = {side: prior_share(side) if share is None else share for side in set(sides)}
    return torch.tensor([by_side[side] for side in sides])


def _random_views(config: PretrainConfig) -> MakeViews:
    """Of `pirl`, as large as those of the other methods."""
    made = PirlViews(
        least_area=config.least_area,
        view_size=config.prior_size,
        tile_size=config.tile_size,
        tile_crop=config.tile_crop,
        transform=_scaled(T_D, config.distorted_colour, config),
    )

    def random_views(read: SequenceBatch, generator: torch.Generator) -> tuple[Tensor, ...]:
        views = made(read.frames, read.is_round, generator)
        return views.prior, views.tiles

    return random_views


def _scaled(transform: Augmentation, strength: float, config: PretrainConfig) -> Augmentation:
    """With colours changed so many times as far, and turned as the settings allow."""
    colours = {name: min(0.9, getattr(transform, name) * strength) for name in COLOURS}
    return replace(
        transform, **{**colours, "hue": min(0.5, colours["hue"])}, rotations=config.rotations, flips=config.flips
    )
