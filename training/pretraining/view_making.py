"""From settings to the views that methods with a memory bank compare, and their layout in a batch."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from training.methods import pirl, wincon
from training.methods.packed_views import PackedViews
from training.pretraining.config import PretrainConfig
from training.transforms.augment import Augmentation
from training.transforms.jigsaw import TILES
from training.transforms.pgcon_views import PriorViews
from training.transforms.pirl_views import PirlViews
from training.transforms.view_sets import T_D, T_P, T_WIN

MakeViews = Callable[[Tensor, Tensor, torch.Generator], tuple[Tensor, ...]]
"""Frames (B, S, S, 3) uint8, whether each is round (B,) bool, generator -> the views of the layout, in [0, 1]."""
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
        prior_share=config.prior_share,
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

    def prior_views(frames: Tensor, is_round: Tensor, generator: torch.Generator) -> tuple[Tensor, ...]:
        views = made(frames, is_round, generator)
        return (views.prior, views.tiles, views.win) if made.win else (views.prior, views.tiles)

    return prior_views


def _random_views(config: PretrainConfig) -> MakeViews:
    """Of `pirl`, as large as those of the other methods."""
    made = PirlViews(
        least_area=config.least_area,
        view_size=config.prior_size,
        tile_size=config.tile_size,
        tile_crop=config.tile_crop,
        transform=_scaled(T_D, config.distorted_colour, config),
    )

    def random_views(frames: Tensor, is_round: Tensor, generator: torch.Generator) -> tuple[Tensor, ...]:
        views = made(frames, is_round, generator)
        return views.prior, views.tiles

    return random_views


def _scaled(transform: Augmentation, strength: float, config: PretrainConfig) -> Augmentation:
    """With colours changed so many times as far, and turned as the settings allow."""
    colours = {name: min(0.9, getattr(transform, name) * strength) for name in COLOURS}
    return replace(
        transform, **{**colours, "hue": min(0.5, colours["hue"])}, rotations=config.rotations, flips=config.flips
    )
