"""How much of a stretch of frames was seen, and what of it does not count."""

import numpy as np

from wce_desktop.core.seen import Seen, seen_in
from wce_desktop.core.span import Span


def test_frames_without_mucosa_are_not_left_to_read_and_do_not_count() -> None:
    seen, has_view = np.ones(100, np.bool_), np.ones(100, np.bool_)
    has_view[[10, 20]] = False
    assert seen_in(seen, has_view, Span(0, 100)) == Seen(100, 0, 98)
    assert seen_in(seen, has_view, Span(0, 100)).text == "98 %"
    assert seen_in(seen, has_view, Span(0, 100)).reason.startswith("2 frames do not count as seen")
    assert seen_in(seen, None, Span(0, 100)).reason == ""
    assert seen_in(None, has_view, Span(5, 15)) == Seen(10, 10, 0)
    assert Seen(0, 0, 0).text == "0 %"
