"""What is odd about a video file, in sentences that the index keeps."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.texts import Text, count_text
from training.video.packets.presentation import Ints
from training.video.packets.scan import PacketScan

if TYPE_CHECKING:
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

_UNEVEN = 0.02  # containers round times to milliseconds: gaps this alike, relative to the usual one, count as constant


def video_notes(
    scan: PacketScan,
    stream: "VideoStream",
    damaged: int,
    pts: Ints,
    segment: Ints,
    seconds: NDArray[np.float64],
    decoded_once: bool,
    dropped: int = 0,
) -> tuple[str, ...]:
    """Sentences on a video whose frames, in presentation order, have `pts` (N,), `segment` (N,) and `seconds` (N,)."""

    def notes() -> Iterator[str]:
        yield _rate_note(seconds)
        yield _start_note(pts, stream)
        # An edit list may hide packets even from the demuxer: a lower number alone does not mean a cut.
        if stream.frames > len(scan.size) + dropped and (scan.is_damaged[-1] or scan.is_shown.all()):
            sentence = "The file announces {frames:,} frames, but only {count:,} can be read."
            yield Text(sentence, stream.frames, len(scan.size))
        if damaged:
            yield Text("Packets damaged or lost: {damaged:,}; the frames that depend on them are missing.", damaged)
        if scan.has_late_stream:
            yield (
                "Another stream starts in the middle of the file, and its frames are not shown. Split the file there."
            )
        if not scan.is_key[0]:
            yield "The file does not start with a key frame, so its first frames may not be decodable."
        if dropped:
            sentence = (
                "Frames that the recorder dropped: {dropped:,}. The picture before them is repeated in their place."
            )
            yield Text(sentence, dropped)
        if hidden := int((~scan.is_shown).sum()):
            yield count_text(
                "{count:,} packet is not shown (removed by an edit list, or hidden reference frames).",
                "{count:,} packets are not shown (removed by an edit list, or hidden reference frames).",
                hidden,
            )
        if repeated := int((np.diff(pts)[np.diff(segment) == 0] == 0).sum()):
            yield Text("Frames with the same time stamp as the frame before: {repeated:,}.", repeated)
        if segment[-1]:
            sentence = "The time stamps of the file start again (times: {segment:,}); the times shown continue."
            yield Text(sentence, segment[-1])
        if decoded_once:
            yield "The file does not store the order of its frames, so it was decoded once to find it."

    return tuple(filter(None, notes()))


def stream_notes(streams: "list[VideoStream]", shown: "VideoStream") -> tuple[str, ...]:
    """A sentence where the file holds more recordings than the one that is shown."""
    others = [f"{s.codec_context.width} x {s.codec_context.height}" for s in streams if s.index != shown.index]
    if not others:
        return ()
    size = f"{shown.codec_context.width} x {shown.codec_context.height}"
    return (
        Text(
            "The file holds {count} videos. The one of {size} pixels is shown; not shown: {others}.",
            len(streams),
            size,
            ", ".join(others),
        ),
    )


def sizes_note(sizes: set[tuple[int, int]]) -> str:
    """What is said of a video whose pictures are of these (width, height)."""
    named = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
    return Text(
        "The size of the picture changes within the video ({named}). All frames are scaled to the size that the file "
        "announces, with black borders where the shape differs.",
        named,
    )


def is_sizes_note(note: str) -> bool:
    """Whether a note is one of `sizes_note`, of whatever sizes."""
    return note.startswith(sizes_note(set()).split("(")[0])


def picture_notes(frame: "VideoFrame | None", stream: "VideoStream") -> tuple[str, ...]:
    """Sentences on what the first frame announces and RGB of eight bits does not show."""
    if frame is None:
        return ()
    notes = []
    if frame.interlaced_frame:
        notes.append(
            "The video is interlaced: each frame holds two moments, in its odd and even lines, so that moving edges "
            "look like combs."
        )
    transfer = _HIGH_DYNAMIC_RANGE.get(getattr(frame, "color_trc", 0))  # PyAV before 16 does not say
    if transfer is not None:
        notes.append(
            Text(
                "The video has a high dynamic range ({transfer}). It is shown without tone mapping, so colours look "
                "pale.",
                transfer,
            )
        )
    has_alpha = any(component.is_alpha for component in frame.format.components)
    is_seen_through = has_alpha and bool((frame.to_ndarray(format="rgba")[..., 3] < 255).any())
    if stream.metadata.get("alpha_mode") == "1" or is_seen_through:
        notes.append("The pictures are transparent in parts; they are shown without their transparency.")
    return tuple(notes)


_HIGH_DYNAMIC_RANGE = {16: "PQ", 18: "HLG"}
"""Transfer characteristics of ITU-T H.273."""


def _rate_note(seconds: NDArray[np.float64]) -> str:
    gaps = np.diff(seconds)
    if len(gaps) < 2:
        return ""
    usual = float(np.median(gaps))
    if np.abs(gaps - usual).max() <= max(_UNEVEN * usual, 0.0011):
        return ""
    spread = Text("{min:.3f} to {max:.3f}", gaps.min(), gaps.max())
    return Text("The frame rate varies: {spread} seconds between frames, {usual:.3f} at the median.", spread, usual)


def _start_note(pts: Ints, stream: "VideoStream") -> str:
    start = float(pts[0] * (stream.time_base or 0))
    usual = float(np.median(np.diff(pts)) * (stream.time_base or 0)) if len(pts) > 1 else 0.0
    # One frame's delay comes with every file that has B-frames in some containers.
    return Text("The time stamp of the first frame is {start:.3f} seconds.", start) if abs(start) > 2.5 * usual else ""
