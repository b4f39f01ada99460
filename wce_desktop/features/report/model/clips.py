"""Clips and stills of findings, masked outside the field of view and without metadata.

Clips are MPEG-4 part 2 in MP4: an encoder of FFmpeg itself, under the LGPL, that every player and slide program reads.
x264 and x265, which PyAV's build also holds, are under the GPL and not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from training.errors import UserError, writing
from training.files.outputs import written_beside
from training.runs.reporter import Reporter
from training.video import FrameMissing
from wce_desktop.core import Span, counted, tr
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.features.report.model.pictures import NOT_MASKED, MaskedFrames
from wce_desktop.library.exchange.study_pictures import encoded
from wce_desktop.session.frame_facts import FramePlace

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream

Numbered = tuple[int, Finding, tuple[int, ...]]
"""A finding with its number and the frames that stand for it."""
CODEC = "mpeg4"
CLIP_FPS = 8
AROUND_FRAMES = 16
"""Frames before and behind a finding that its clip shows, too."""
MOST_FRAMES = 3000
"""Of a clip: more than six minutes at its speed."""
QUALITY = (2, 4)
"""Quantisers of the encoder, 1 (best) to 31: hardly any loss."""
_BITEXACT = 0x00800000


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: clips, stills, frames that could not be decoded, and whether something was masked."""

    clips: int
    stills: int
    missing: int
    is_masked: bool

    @property
    def sentence(self) -> str:
        """What happened, for the reader."""
        clips, stills = counted(self.clips, "clip"), counted(self.stills, "still")
        if self.clips + self.stills == 1:
            sentences = [tr("{clips} and {stills} was saved.", clips=clips, stills=stills)]
        else:
            sentences = [tr("{clips} and {stills} were saved.", clips=clips, stills=stills)]
        if self.missing:
            missing = counted(self.missing, "frame")
            sentences.append(tr("Left out because they cannot be decoded: {frames}.", frames=missing))
        if not self.is_masked:
            sentences.append(tr(NOT_MASKED))
        return " ".join(sentences)


def export_findings(folder: Path, place: FramePlace, numbered: list[Numbered], reporter: Reporter) -> Exported:
    """Write a clip and the key frames of each finding into a folder; files of the same names are replaced.

    Args:
        numbered: findings with the numbers that the report gives them, and the frames to save as stills.

    Raises:
        UserError: the video cannot be read, or the folder cannot be written.
    """
    clips = stills = missing = 0
    with MaskedFrames(place) as source:
        frame_count = len(place.index)
        for at, (number, finding, frames) in enumerate(numbered):
            kind = re.sub(r"[^a-z0-9]+", "-", finding.kind.lower()).strip("-") or "finding"
            stem = f"finding-{number:02d}-{kind}"
            with writing(folder):
                missing += write_clip(folder / f"{stem}.mp4", source, clip_span(finding, frame_count), reporter)
                written = [write_still(folder / f"{stem}-frame-{frame + 1}.png", source, frame) for frame in frames]
            clips, stills, missing = clips + 1, stills + sum(written), missing + written.count(False)
            reporter.progress(at + 1, len(numbered), "findings", "clips")
        return Exported(clips, stills, missing, not source.is_whole)


def clip_span(finding: Finding, frame_count: int) -> Span:
    """The frames of a finding's clip: its own and some around them."""
    start = max(finding.span.start - AROUND_FRAMES, 0)
    stop = min(finding.span.stop + AROUND_FRAMES, frame_count, start + MOST_FRAMES)
    return Span(start, max(stop, start + 1))


def write_clip(path: Path, source: MaskedFrames, span: Span, reporter: Reporter) -> int:
    """Write these frames as MP4 and return how many could not be decoded.

    Raises:
        OSError: the file cannot be written.
        UserError: none of the frames can be decoded.
    """
    import av

    missing = 0
    with written_beside(path, clean=True) as beside:
        options = {"fflags": "+bitexact"}
        with av.open(str(beside), "w", format="mp4", container_options=options) as container:
            stream: VideoStream | None = None
            for frame_index in range(span.start, span.stop):
                reporter.check()
                try:
                    picture = source.read(frame_index)
                except FrameMissing:
                    missing += 1
                    continue
                height, width = picture.shape[0] // 2 * 2, picture.shape[1] // 2 * 2  # the encoder takes even ones
                stream = stream or _add_stream(container, height, width)
                even = np.ascontiguousarray(picture[:height, :width])
                container.mux(stream.encode(av.VideoFrame.from_ndarray(even, format="rgb24")))
            if stream is None:
                raise UserError(
                    "No frame of {clip} can be decoded.", "The video is damaged there; no clip was saved.", path.stem
                )
            container.mux(stream.encode(None))
    return missing


def write_still(path: Path, source: MaskedFrames, frame_index: int) -> bool:
    """Write one frame as PNG; False where it cannot be decoded."""
    try:
        picture = source.read(frame_index)
    except FrameMissing:
        return False
    with written_beside(path, clean=True) as beside:
        beside.write_bytes(encoded(picture, ".png"))
    return True


def _add_stream(container: OutputContainer, height: int, width: int) -> VideoStream:
    from av.video.stream import VideoStream

    stream = container.add_stream(CODEC, rate=CLIP_FPS)
    assert isinstance(stream, VideoStream)
    stream.height, stream.width = height, width
    stream.pix_fmt = "yuv420p"
    stream.codec_context.qmin, stream.codec_context.qmax = QUALITY
    stream.codec_context.flags |= _BITEXACT
    return stream
