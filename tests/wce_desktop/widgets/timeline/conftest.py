"""A timeline on the screen, with a study in it."""

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from wce_desktop.core.event import Event, EventList, Events
from wce_desktop.widgets.timeline import TimelineView, Track

FRAMES = 4000
COLORS = ("#e69f00", "#cc79a7", "#f0e442", "#d55e00", "#56b4e9", "#009e73")


def make_tracks(count: int, classes: int = 2) -> list[Track]:
    """Low scores with one peak of a single frame in the middle of each track."""
    tracks = []
    for at in range(classes):
        values = np.random.default_rng(at).random(count).astype(np.float32) * 0.3
        values[count // 2 : count // 2 + 1] = 0.9
        tracks.append(Track(f"class{at}", f"Class {at}", COLORS[at % 6], values))
    return tracks


@pytest.fixture
def timeline(qtbot: QtBot) -> Iterator[TimelineView]:
    """1000 px wide, 4000 frames at 8 a second, two tracks, all frames in the detail."""
    view = TimelineView()
    qtbot.addWidget(view)
    view.resize(1000, 190)
    view.set_study(FRAMES, np.arange(FRAMES) / 8.0)
    view.set_tracks(make_tracks(FRAMES))
    view.show_all()
    view.show()
    yield view
    view.hide()


def event_list(events: list[Event]) -> EventList:
    """These events, in any order, as a list of the application."""
    tables = []
    for name in sorted({event.name for event in events}):
        own = sorted((event for event in events if event.name == name), key=lambda event: event.span.start)
        starts, stops = ([getattr(event.span, end) for event in own] for end in ("start", "stop"))
        scores = np.array([event.peak_score for event in own], dtype=np.float32)
        peaks = np.array([event.peak_frame for event in own], dtype=np.int64)
        tables.append(Events(name, np.array(starts, dtype=np.int64), np.array(stops, dtype=np.int64), scores, peaks))
    return EventList(tables)
