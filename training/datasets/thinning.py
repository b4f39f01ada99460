"""Thinning frames evenly in time, so that a long study does not cost more than it contributes."""

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames


def thin(frames: LabelledFrames, max_normal_per_study: int, max_frames: int) -> LabelledFrames:
    """At most so many normal frames a study and frames in all; every class gives way alike, the largest first."""
    keep = np.ones(len(frames), dtype=bool)
    for study in np.unique(frames.study):
        normal = np.flatnonzero((frames.study == study) & (frames.label == 0))
        keep[normal] = False
        keep[evenly(normal, max_normal_per_study)] = True
    frames = frames.select(keep)
    allowed = fair_shares(np.bincount(frames.label, minlength=len(frames.classes)), max_frames)
    chosen = [evenly(np.flatnonzero(frames.label == label), count) for label, count in enumerate(allowed)]
    return frames.select(np.sort(np.concatenate(chosen)))


def evenly(indices: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """`count` of the indices at even distances (all of them when there are fewer)."""
    if len(indices) <= count:
        return indices
    return indices[(np.arange(count) * len(indices)) // count]


def fair_shares(counts: NDArray[np.int64], total: int) -> list[int]:
    """How many of each class to keep so that all fit into `total`: the small ones whole, the large ones cut alike."""
    shares = [0] * len(counts)
    left, order = total, sorted(range(len(counts)), key=lambda label: int(counts[label]))
    for position, label in enumerate(order):
        shares[label] = min(int(counts[label]), left // (len(order) - position))
        left -= shares[label]
    return shares
