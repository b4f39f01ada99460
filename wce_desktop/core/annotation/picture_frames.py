"""Which frames stand for a finding in pictures, reports and exports."""

from __future__ import annotations

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.core.span import Span, SpanSet


def picture_frames(finding: Finding, labels: LabelTrack, frame_count: int) -> tuple[int, ...]:
    """The frames that stand for a finding, at least one: pictures, reports and jumps show the first.

    Its key frames in order; without any the middle one of the frames of its span that are labelled with its kind, or of
    the whole span where none is. Scores do not matter: another model must not change a report.

    Args:
        finding: of a study of `frame_count` frames.
        labels: of its study.
    """
    chosen = tuple(dict.fromkeys(frame for frame in finding.key_frames if 0 <= frame < frame_count))
    if chosen:
        return chosen
    start = min(finding.span.start, frame_count - 1)
    span = Span(start, max(min(finding.span.stop, frame_count), start + 1))
    labelled = labels.frames(finding.kind, span)
    return (_middle(labelled or SpanSet([span])),)


def _middle(frames: SpanSet) -> int:
    left = (frames.frame_count - 1) // 2
    for span in frames:
        if left < len(span):
            return span.start + left
        left -= len(span)
    raise ValueError("there is no frame")
