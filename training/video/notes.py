"""What is odd about a video file, in sentences that the index keeps."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.video.packet_scan import PacketScan
from training.video.presentation import Ints

if TYPE_CHECKING:
    from av.video.stream import VideoStream

_UNEVEN = 0.02  # containers round times to milliseconds: gaps this alike, relative to the usual one, count as constant


def video_notes(
    scan: PacketScan,
    stream: "VideoStream",
    pts: Ints,
    segment: Ints,
    seconds: NDArray[np.float64],
    decoded_once: bool,
) -> tuple[str, ...]:
    """Sentences on a video whose frames, in presentation order, have `pts` (N,), `segment` (N,) and `seconds` (N,)."""
    notes = [_rate_note(seconds), _start_note(pts, stream), *_damage_notes(scan, stream)]
    hidden = int((~scan.is_shown).sum())
    if hidden:
        notes.append(f"{hidden:,} packets are not shown (cut away by an edit list, or hidden reference frames).")
    repeated = int((np.diff(pts)[np.diff(segment) == 0] == 0).sum())
    if repeated:
        notes.append(f"{repeated:,} frames carry the same time stamp as the frame before.")
    if segment[-1]:
        notes.append(f"The clock starts again {segment[-1]:,} times; the times here run on.")
    if decoded_once:
        notes.append("The file does not store the order of its frames; it was decoded once to learn it.")
    return tuple(note for note in notes if note)


def _rate_note(seconds: NDArray[np.float64]) -> str:
    gaps = np.diff(seconds)
    if len(gaps) < 2:
        return ""
    usual = float(np.median(gaps))
    if np.abs(gaps - usual).max() <= max(_UNEVEN * usual, 0.0011):
        return ""
    return f"The frame rate varies: {gaps.min():.3f} to {gaps.max():.3f} seconds between frames, {usual:.3f} at the median."


def _start_note(pts: Ints, stream: "VideoStream") -> str:
    start = float(pts[0] * (stream.time_base or 0))
    usual = float(np.median(np.diff(pts)) * (stream.time_base or 0)) if len(pts) > 1 else 0.0
    # One frame's delay comes with every file that has B-frames in some containers.
    return f"The file's clock shows {start:.3f} seconds at the first frame." if abs(start) > 2.5 * usual else ""


def _damage_notes(scan: PacketScan, stream: "VideoStream") -> list[str]:
    notes = []
    if stream.frames > len(scan.size):
        notes.append(f"The file announces {stream.frames:,} frames, but ends after {len(scan.size):,}.")
    if scan.read_errors:
        notes.append(f"The file is damaged: reading failed {scan.read_errors:,} times.")
    if not scan.is_key[0]:
        notes.append("The file does not begin with a key frame; its first frames may not decode.")
    return notes
