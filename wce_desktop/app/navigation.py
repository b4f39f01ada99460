"""Where the next event is: pure functions over the events of a study in order of time."""

from collections.abc import Callable, Sequence

from wce_desktop.core.event import Event


def next_event(
    events: Sequence[Event], frame_index: int, *, backwards: bool = False, keep: Callable[[Event], bool] | None = None
) -> Event | None:
    """The nearest event after (or before) a frame, by the frame of its peak; around the ends it starts over.

    Args:
        events: the study's events.
        frame_index: where the reader is.
        backwards: look towards the start.
        keep: which events count (those not seen, say); all when None.

    Returns:
        The event, or None when none counts. An event whose peak is on screen comes last.
    """
    wanted = sorted((event for event in events if keep is None or keep(event)), key=lambda event: event.peak_frame)
    if not wanted:
        return None
    if backwards:
        before = [event for event in wanted if event.peak_frame < frame_index]
        return before[-1] if before else wanted[-1]
    after = [event for event in wanted if event.peak_frame > frame_index]
    return after[0] if after else wanted[0]
