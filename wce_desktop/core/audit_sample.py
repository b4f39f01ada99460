"""A random sample of frames that nobody looked at, and what it says about lesions that were missed.

The sample is stratified in time: the frames are cut into as many stretches of equal length as frames are drawn, and one
frame of each is drawn. Every frame has the same chance. The number of frames with a finding varies then no more than in
a simple random sample (Hoeffding, Ann Math Stat 27:713, 1956), so the bound of Clopper and Pearson (Biometrika 26:404,
1934) holds.

A further sample is drawn in the same way from the frames that are left, so all samples together are a random one. Who
draws more because of what the first sample showed has several chances to stop at a bound that is too low; the share of
errors that is allowed is therefore halved with each further sample (see `level`).
"""

import math

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
SAMPLE_FRAMES = 300
"""So many without a finding bound the share by 1 % at 95 %."""


def draw_sample(frames: NDArray[np.int64], count: int, seed: int | tuple[int, ...]) -> NDArray[np.int64]:
    """Draw frames stratified in time, in random order: those looked at first are a random sample, too.

    Args:
        frames: (N,) rising, the frames to draw from.
        count: how many are wanted.
        seed: the same one draws the same frames.

    Returns:
        (min(count, N),) frames, each once.
    """
    random = np.random.default_rng(seed)
    drawn = min(count, len(frames))
    if not drawn:
        return frames[:0]
    edges = np.arange(drawn + 1) * len(frames) // drawn
    places = edges[:-1] + np.floor(random.random(drawn) * np.diff(edges)).astype(np.int64)
    turned = places + random.integers(len(frames))  # stretches differ by a frame: turning gives all the same chance
    return np.asarray(random.permutation(frames[turned % len(frames)]))


def level(samples: int) -> float:
    """At which level so many samples of one audit bound the share together: 0.95, 0.975, 0.9875."""
    return 1 - (1 - LEVEL) * 0.5 ** (samples - 1)


def upper_bound(positive: int, count: int, level: float = LEVEL) -> float:
    """The upper bound of Clopper and Pearson on a share in [0, 1], of which `positive` of `count` were drawn.

    Raises:
        ValueError: `positive` is not in 0 to `count`.
    """
    if not 0 <= positive <= count:
        raise ValueError(f"{positive} of {count} cannot be")
    if positive == count:
        return 1.0
    from scipy.special import betaincinv  # scipy takes time, and the window starts without it

    return float(betaincinv(positive + 1, count - positive, level))


def most_visits(share: float, frames: int, visit_frames: int) -> int:
    """How many visits of `visit_frames` frames or more there can be, where a share of `frames` shows a finding.

    A visit is a run of frames that show one lesion. V visits of n or more take V * n frames at least, and at most
    `share * frames` show a finding: V <= share * frames / n, however long each is.
    """
    return math.floor(share * frames / visit_frames)
