"""Marks of linked places: that they are there, and what the popup says of them."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage

from tests.wce_desktop.widgets.timeline.conftest import FRAMES
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.timeline import TimelineView
from wce_desktop.widgets.timeline.content import LinkMark
from wce_desktop.widgets.timeline.lane import Lane

SAME = LinkMark(1000, True, "the same place: P01b 0:12:03")
OTHER = LinkMark(3000, False, "not the same place: P01b 0:20:00")


def accent_near(lane: Lane, frame: int, top: int, bottom: int) -> int:
    """How many pixels near a frame have the accent colour, in some rows of a lane."""
    image = lane.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    x = round(lane.cursor_x(frame))
    wanted = QColor(COLORS.accent)
    found = 0
    for at_x in range(x - 7, x + 8):
        for at_y in range(top, bottom + 1):
            color = image.pixelColor(at_x, at_y)
            near = abs(color.red() - wanted.red()) + abs(color.green() - wanted.green())
            found += near + abs(color.blue() - wanted.blue()) < 60
    return found


def test_places_linked_as_the_same_are_marked_in_both_lanes(timeline: TimelineView) -> None:
    timeline.set_window(900, 1100)
    detail, overview = timeline.detail, timeline.overview
    rows = detail.finding_area(), overview.color_area()
    assert not accent_near(detail, 1000, rows[0].top(), rows[0].bottom())
    timeline.set_links([SAME, OTHER])
    assert accent_near(detail, 1000, rows[0].top(), rows[0].bottom()) > 5
    assert accent_near(overview, 1000, rows[1].top(), rows[1].bottom()) > 5
    assert not accent_near(overview, 3000, rows[1].top(), rows[1].bottom()), "grey where they are not the same"
    timeline.set_links([])
    assert not accent_near(detail, 1000, rows[0].top(), rows[0].bottom())


def test_the_popup_names_links_near_the_pointer(timeline: TimelineView) -> None:
    timeline.set_links([SAME, OTHER])
    x = timeline.overview.cursor_x(1000) + 3
    timeline.overview.hovered.emit(timeline.overview.frame_at(x), QPointF(300, 300))
    assert timeline.popup.lines()[-1] == SAME.text
    assert timeline.popup.width() > 175, "wide enough for the sentence"
    timeline.overview.hovered.emit(2000, QPointF(300, 300))
    assert len(timeline.popup.lines()) == 1
    timeline.overview.hovered.emit(-1, QPointF())


def test_another_study_has_no_links(timeline: TimelineView) -> None:
    timeline.set_links([SAME])
    timeline.set_study(FRAMES)
    assert not timeline.content.links
