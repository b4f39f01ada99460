"""Finding a study's field of view from its own frames."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from training.video.field_of_view import FieldOfView
from training.video.source import FrameSource

_SAMPLES = 64


def study_field_of_view(source: FrameSource, samples: int = _SAMPLES) -> FieldOfView:
    """The field of view of a study, from up to `samples` frames spread over it; frames that do not decode are left out."""
    places = np.unique(np.linspace(0, len(source) - 1, samples).round().astype(int)).tolist()
    pictures = (picture for place in places for _, picture in source.iterate(place, place + 1) if picture is not None)
    try:
        return find_field_of_view(pictures)
    except ValueError:
        return FieldOfView.full(source.height_px, source.width_px)


def find_field_of_view(frames: Iterable[NDArray[np.uint8]]) -> FieldOfView:
    """The field of view that the frames (H, W, 3) of one study share."""
    bright = [frame.max(axis=2) for frame in frames]
    if not bright:
        raise ValueError("a field of view cannot be found from no frames")
    height, width = bright[0].shape
    return FieldOfView.full(height, width)
