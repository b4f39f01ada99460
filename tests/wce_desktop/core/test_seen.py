"""How much of a stretch of frames was seen, and what of it need not be read."""

import numpy as np

from wce_desktop.core.seen import Seen, seen_in
from wce_desktop.core.span import Span


def test_frames_without_mucosa_are_not_to_be_read() -> None:
    seen, has_view = np.ones(100, np.bool_), np.ones(100, np.bool_)
    has_view[[10, 20]] = False
    assert seen_in(seen, has_view, Span(0, 100)) == Seen(98, 98, 2)
    seen[[10, 30]] = False
    part = seen_in(seen, has_view, Span(0, 100))
    assert (part.text, part.left) == ("98 %", 1)
    assert part.reason == "2 frames without visible mucosa are left out."
    assert seen_in(seen, None, Span(0, 100)) == Seen(100, 98)
    assert seen_in(None, has_view, Span(5, 15)) == Seen(9, 0, 1)
    assert Seen(0, 0).text == "100 %"
