"""The legend of a low timeline names the tracks that say most at the cursor."""

import numpy as np
from PySide6.QtGui import QFont, QFontMetrics
from pytestqt.qtbot import QtBot

from wce_desktop.widgets.timeline.content import Content, Track
from wce_desktop.widgets.timeline.popup import LEAST_LINE_PX, SPACE_PX, shown_tracks
from wce_desktop.widgets.timeline.style import LEFT_GUTTER_PX, small_font


def content(*scores: float) -> Content:
    tracks = [Track(f"c{at}", f"C{at}", "#ffffff", np.array([value], np.float32)) for at, value in enumerate(scores)]
    return Content(frame_count=1, tracks=tracks)


def names(found: list[Track]) -> list[str]:
    return [track.name for track in found]


def test_all_tracks_are_named_where_there_is_room() -> None:
    assert names(shown_tracks(content(0.1, 0.9, 0.5), 60)) == ["c0", "c1", "c2"]


def test_of_too_many_the_highest_are_named_in_their_order() -> None:
    low = int(2 * LEAST_LINE_PX) + 1
    assert names(shown_tracks(content(0.4, 0.1, np.nan, 0.9), low)) == ["c0", "c3"]


def test_one_is_named_however_low_it_is() -> None:
    assert names(shown_tracks(content(0.4, 0.6), 3)) == ["c1"]


def test_a_long_class_name_and_its_score_have_room_beside_each_other(qtbot: QtBot) -> None:
    font = small_font(QFont())
    font.setBold(True)
    needed = [QFontMetrics(font).horizontalAdvance(text) for text in ("Angiectasia", "<0.001")]
    assert 13 + sum(needed) + SPACE_PX <= LEFT_GUTTER_PX - 16
