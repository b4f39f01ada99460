"""Holding out contiguous blocks of time, with a gap beside them: neighbouring frames are nearly the same picture."""

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError
from training.texts import Text

BLOCKS_PER_CLASS = 8
"""A class's longest block is at most about this fraction of its frames."""
MAX_LOST_SHARE = 0.2
"""The gap shrinks until no class loses more than this share of its training frames to it."""


def hold_out_blocks(
    frames: LabelledFrames, share: float, gap_frames: int, seed: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], int]:
    """Masks (M,) of held-out frames and of frames left out beside them, and the gap that was used.

    A single frame of a class is used for training.

    Raises:
        UserError: normal frames, or the frames of every other class, are too few for both sides.
    """
    counts = np.bincount(frames.label, minlength=len(frames.classes))
    few = Text("normal") if counts[0] < 2 else Text("as a finding") if counts[1:].max(initial=0) < 2 else ""
    if few:
        raise UserError(
            "Fewer than two usable frames are labelled {few}, too few for training and evaluation.",
            "Label at least two frames normal, and two frames of one class (for example blood).",
            few,
        )
    rng = np.random.default_rng(seed)
    held_out = np.zeros(len(frames), dtype=bool)
    for label in np.flatnonzero(counts >= 2):
        mine = np.flatnonzero(frames.label == label)
        held_out[_choose_blocks(_blocks(frames, mine), share * len(mine), rng)] = True
    gap = _largest_gap(frames, held_out, gap_frames)
    return held_out, _beside(frames, held_out, gap), gap


def _largest_gap(frames: LabelledFrames, held_out: NDArray[np.bool_], gap_frames: int) -> int:
    """The largest gap up to the one asked for that costs no class too much; a larger gap never costs less."""
    training = np.bincount(frames.label[~held_out], minlength=len(frames.classes))
    least, most = 0, gap_frames
    while least < most:
        gap = (least + most + 1) // 2
        lost = np.bincount(frames.label[_beside(frames, held_out, gap)], minlength=len(frames.classes))
        least, most = (gap, most) if (lost <= MAX_LOST_SHARE * training).all() else (least, gap - 1)
    return least


def _blocks(frames: LabelledFrames, mine: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The frames of one class, cut where the study changes or labels pause, and long stretches cut into pieces."""
    breaks = (np.diff(frames.study[mine]) != 0) | (np.diff(frames.frame_index[mine]) > 1)
    longest = max(1, -(-len(mine) // BLOCKS_PER_CLASS))
    blocks: list[NDArray[np.int64]] = []
    for stretch in np.split(mine, np.flatnonzero(breaks) + 1):
        blocks.extend(np.array_split(stretch, -(-len(stretch) // longest)))
    return blocks


def _choose_blocks(blocks: list[NDArray[np.int64]], wanted: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Blocks in random order until about `wanted` frames are held out; at least one block, never all."""
    chosen: list[NDArray[np.int64]] = []
    for index in rng.permutation(len(blocks)):
        taken = sum(map(len, chosen))
        last_one = len(chosen) == len(blocks) - 1
        if last_one or (chosen and taken + len(blocks[index]) > wanted * 1.25):
            continue
        chosen.append(blocks[index])
        if taken + len(blocks[index]) >= wanted:
            break
    return np.concatenate(chosen)


def _beside(frames: LabelledFrames, held_out: NDArray[np.bool_], gap: int) -> NDArray[np.bool_]:
    """Mask (M,) of frames that are not held out, but within `gap` frames of one that is."""
    beside = np.zeros(len(frames), dtype=bool)
    for study in np.unique(frames.study):
        here = frames.study == study
        held = frames.frame_index[here & held_out]
        if not len(held):
            continue
        mine = np.flatnonzero(here & ~held_out)
        after = np.searchsorted(held, frames.frame_index[mine])
        later = np.abs(held[np.minimum(after, len(held) - 1)] - frames.frame_index[mine])
        earlier = np.abs(frames.frame_index[mine] - held[np.maximum(after - 1, 0)])
        beside[mine] = np.minimum(later, earlier) <= gap
    return beside
