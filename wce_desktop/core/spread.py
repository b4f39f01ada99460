"""A few frames that stand for a span."""

from wce_desktop.core.span import Span


def spread_frames(span: Span, count: int, always: int | None = None) -> tuple[int, ...]:
    """At most `count` (at least 1) frames of a span in order, evenly spread from its first to its last.

    `always`, a frame of the span, is among them: it takes the place of the nearest.
    """
    if len(span) <= count:
        return tuple(range(span.start, span.stop))
    if count == 1:
        return (always if always is not None else span.start,)
    step = (len(span) - 1) / (count - 1)
    frames = [span.start + round(at * step) for at in range(count)]
    if always is not None:
        frames[min(range(count), key=lambda at: abs(frames[at] - always))] = always
    return tuple(frames)
