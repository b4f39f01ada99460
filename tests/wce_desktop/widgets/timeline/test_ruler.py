"""Round times stand at the frames that were recorded then."""

import numpy as np
import pytest

from wce_desktop.widgets.timeline.axis import FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.marks_paint import ticks


def test_constant_rate() -> None:
    content = Content(8000, np.arange(8000) / 8.0)
    assert ticks(FrameWindow(0, 8000), 600, content) == [
        (0.0, "0:00:00"),
        (2400.0, "0:05:00"),
        (4800.0, "0:10:00"),
        (7200.0, "0:15:00"),
    ]


def test_variable_rate_puts_times_where_they_were() -> None:
    seconds = np.concatenate((np.arange(100) / 2.0, 50 + np.arange(300) / 6.0))
    marks = {text: position for position, text in ticks(FrameWindow(0, 400), 1000, Content(400, seconds))}
    assert marks["0:00:30"] == pytest.approx(60)
    assert marks["0:01:10"] == pytest.approx(220)


def test_without_times_frames_are_numbered_from_one() -> None:
    marks = ticks(FrameWindow(0, 5000), 500, Content(5000))
    assert marks == [(999.0, "1,000"), (1999.0, "2,000"), (2999.0, "3,000"), (3999.0, "4,000"), (4999.0, "5,000")]


@pytest.mark.parametrize("times", [[], [3.0], [2.0, 2.0, 2.0], [0.0, 1e6]])
def test_odd_times(times: list[float]) -> None:
    count = len(times)
    marks = ticks(FrameWindow.whole(count), 300, Content(count, np.array(times)))
    assert all(0 <= position <= count for position, _ in marks)
