"""From settings to the views that methods with a memory bank compare, and their layout in a batch."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

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

COLOURS = ("brightness", "saturation", "white_balance", "contrast", "hue")


class MadeViews(NamedTuple):
    """What is made of a batch."""

    pictures: tuple[Tensor, ...]
    """The views of the layout, in [0, 1]."""
    found: Tensor | None
    """(B,) bool, whether a frame had its prior, see `PriorSquares`; None for methods without one."""


MakeViews = Callable[[SequenceBatch, torch.Generator], MadeViews]
"""Frames as they were read, generator -> their views."""


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

    def prior_views(read: SequenceBatch, generator: torch.Generator) -> MadeViews:
        views = made(read.frames, read.is_round, generator, shares=prior_shares(read.sides_px, config.prior_share))
        pictures = (views.prior, views.tiles, views.win) if made.win else (views.prior, views.tiles)
        return MadeViews(pictures, views.found)

    return prior_views


def prior_shares(sides_px: Tensor, share: float | None) -> Tensor:
    """(B,) float: side of each prior view as a share of the square that is read of its frame.

    The paper gives sizes for studies by the side of their frames; of a frame only the square around its field of view
    is read. 150 px of a study of 576 px are 150 px too where that square has 512, and 150 / 512 of it. Where it has
    fewer than the prior view, the share is more than one, and the view is the whole square.

    Args:
        sides_px: (B, 2) int64, see `SequenceBatch`.
        share: one for all, of the square; None: by the size of the study, see `prior_share`.
    """
    sides = [(frame, square) for frame, square in sides_px.tolist()]
    shares = {(frame, square): share or prior_share(frame) * frame / square for frame, square in set(sides)}
    return torch.tensor([shares[each] for each in sides])


def _random_views(config: PretrainConfig) -> MakeViews:
    """Of `pirl`, as large as those of the other methods."""
    made = PirlViews(
        least_area=config.least_area,
        view_size=config.prior_size,
        tile_size=config.tile_size,
        tile_crop=config.tile_crop,
        transform=_scaled(T_D, config.distorted_colour, config),
    )

    def random_views(read: SequenceBatch, generator: torch.Generator) -> MadeViews:
        views = made(read.frames, read.is_round, generator)
        return MadeViews((views.prior, views.tiles), None)

    return random_views


def _scaled(transform: Augmentation, strength: float, config: PretrainConfig) -> Augmentation:
    """With colours changed so many times as far, and turned as the settings allow."""
    colours = {name: min(0.9, getattr(transform, name) * strength) for name in COLOURS}
    return replace(
        transform, **{**colours, "hue": min(0.5, colours["hue"])}, rotations=config.rotations, flips=config.flips
    )
