"""Visible mucosa on the timeline: a line below what is hidden, a line in the popup, and what counts as seen."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from tests.wce_desktop.widgets.timeline.conftest import FRAMES
from wce_desktop.core.span import Span
from wce_desktop.widgets.timeline import TimelineView

HIDDEN = slice(1000, 2000)


def visible() -> NDArray[np.float32]:
    shares = np.full(FRAMES, 0.9, np.float32)
    shares[HIDDEN] = 0.05
    shares[3000] = np.nan
    return shares


def test_a_line_marks_what_is_hidden_and_takes_no_height(timeline: TimelineView) -> None:
    timeline.set_colors(np.full((FRAMES, 3), (150, 60, 50), np.uint8))
    height, area = timeline.overview.height(), timeline.overview.color_area()
    before = timeline.overview.grab().toImage()
    timeline.set_visible_mucosa(visible(), visible() >= 0.1)
    after = timeline.overview.grab().toImage()
    assert timeline.overview.height() == height
    x, clear = (round(timeline.overview.axis.x(frame)) for frame in (1500, 2500))
    assert after.pixelColor(x, area.bottom()).lightness() > 200
    assert after.pixelColor(clear, area.bottom()) == before.pixelColor(clear, area.bottom())
    assert after.pixelColor(x, area.top() + 2) == before.pixelColor(x, area.top() + 2)
    timeline.set_visible_mucosa(None, None)
    assert timeline.overview.grab().toImage() == before


def test_the_share_is_said_of_the_frame(timeline: TimelineView) -> None:
    assert "mucosa" not in timeline.content.words
    timeline.set_visible_mucosa(visible(), visible() >= 0.1)
    timeline.set_cursor(1500)
    assert "5 % of the mucosa visible" in timeline.content.words
    assert timeline.content.frame_words(3000) == []


def test_a_tooltip_says_why_the_share_is_not_whole(timeline: TimelineView, monkeypatch: pytest.MonkeyPatch) -> None:
    timeline.set_seen(np.ones(FRAMES, np.bool_))
    timeline.set_visible_mucosa(visible(), ~(visible() < 0.1))
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, _of: shown.append(text))
    at = timeline.overview._share_gutter().center()
    event = QHelpEvent(QEvent.Type.ToolTip, at, timeline.overview.mapToGlobal(at))
    timeline.overview.event(event)
    assert "100 % seen. 1,000 frames without visible mucosa are left out." in shown[0]


def test_what_shows_no_mucosa_is_not_to_be_seen(timeline: TimelineView) -> None:
    timeline.set_seen(np.arange(FRAMES) < 1500)
    content = timeline.content
    assert content.seen_in(Span(0, 2000)).text == "75 %"
    timeline.set_visible_mucosa(visible(), ~(visible() < 0.1))
    assert content.seen_in(Span(0, 2000)).text == "100 %"
    assert content.seen_in(Span(0, 2500)).text == "66 %"
    assert content.seen_in(Span(1000, 1500)).text == "100 %"
    whole = content.seen_in(Span(0, FRAMES))
    assert (whole.left_out, whole.reason.split()[0]) == (1000, "1,000")
    assert content.seen_in(Span(2000, 2500)).reason == ""
