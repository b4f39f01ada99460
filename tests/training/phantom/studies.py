"""Small phantom studies, rendered once for all tests that look at them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from training.phantom.lesions import FrameTruth
from training.phantom.patient import PhantomConfig
from training.phantom.render import render_study

SIZE_PX = 64
LIVELY = PhantomConfig(frames=160, seed=5, size_px=SIZE_PX, positive_share=0.2)
"""Short, with several lesions."""


@cache
def lively() -> tuple[NDArray[np.uint8], tuple[FrameTruth, ...]]:
    """Frames (160, 64, 64, 3) and truths of `LIVELY`."""
    return rendered(LIVELY)


def rendered(config: PhantomConfig) -> tuple[NDArray[np.uint8], tuple[FrameTruth, ...]]:
    """All frames and truths of a config."""
    frames, truths = zip(*render_study(config), strict=True)
    return np.stack(frames), truths
