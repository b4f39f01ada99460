"""Pictures of landmarks and findings above the overview."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wce_desktop.core import Span
from wce_desktop.core.annotation import Finding, Landmark, Region
from wce_desktop.widgets.timeline import TimelineView
from wce_desktop.widgets.timeline.popup import HIGH_PX, HIGH_WINDOW_PX, LOW_PX
from wce_desktop.widgets.timeline.style import NOT_SEEN, NOTE_INK, SEEN


def red(_: int) -> QImage:
    """A picture of a frame."""
    picture = QImage(64, 64, QImage.Format.Format_RGB32)
    picture.fill(QColor("#ff0000"))
    return picture


def finding(frame: int, relevance: str = "") -> Finding:
    """A finding of one frame."""
    new = Finding.new(study_id="s", kind="class0", span=Span(frame, frame + 1))
    return replace(new, relevance=relevance)


def landmark(region: Region, frame: int) -> Landmark:
    """A landmark of the study."""
    return Landmark(f"l{frame}", "s", region, frame)


@pytest.fixture
def row(timeline: TimelineView) -> Callable[[], list[int]]:
    """The frames whose pictures are shown."""
    timeline.set_pictures(red)
    timeline.overview.fit(700)

    def shown() -> list[int]:
        timeline.overview.grab()
        return [picture.frame_index for picture in timeline.overview._row]

    return shown


def test_the_row_keeps_its_height_so_that_the_frame_stays_where_it_is(
    timeline: TimelineView, row: Callable[[], list[int]]
) -> None:
    height = timeline.overview.height()
    timeline.set_landmarks([landmark(Region.SMALL_BOWEL, 100)])
    timeline.set_findings([finding(2000)])
    assert timeline.overview.height() == height
    assert row() == [100, 2000]
    timeline.overview.fit(HIGH_WINDOW_PX)
    assert timeline.overview.height() == height - LOW_PX + HIGH_PX
    timeline.overview.fit(0)
    assert timeline.overview.height() == height - LOW_PX, "the reading mode has none"
    timeline.set_study(0)
    assert timeline.overview.height() < height - LOW_PX


def test_landmarks_come_before_findings_and_these_by_relevance_where_there_is_little_room(
    timeline: TimelineView, row: Callable[[], list[int]]
) -> None:
    timeline.set_landmarks([landmark(Region.SMALL_BOWEL, 1000)])
    timeline.set_findings([finding(1001), finding(2000, "P0"), finding(2001, "P2"), finding(3000), finding(3999)])
    assert row() == [1000, 2001, 3000, 3999]
    lane = timeline.overview.picture_area()
    assert all(lane.contains(picture.place) for picture in timeline.overview._row)


def test_a_click_goes_to_the_frame_and_the_pointer_names_it(
    timeline: TimelineView, row: Callable[[], list[int]]
) -> None:
    timeline.set_landmarks([landmark(Region.SMALL_BOWEL, 1000)])
    timeline.set_findings([finding(2000)])
    QApplication.processEvents()  # the lanes are laid out anew
    row()
    asked: list[int] = []
    timeline.frame_requested.connect(asked.append)
    for picture in timeline.overview._row:
        corner = picture.place.topLeft() + QPoint(3, 3)
        QTest.mouseMove(timeline.overview, corner)
        assert timeline.popup.frame == picture.frame_index
        QTest.mouseClick(timeline.overview, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, corner)
    assert asked == [1000, 2000]
    timeline.popup.frame = 1000
    assert "first duodenal frame" in timeline.popup.lines()
    timeline.popup.frame = 2000
    assert "finding: Class0" in timeline.popup.lines()
    timeline.popup.dismiss()


def test_ten_thousand_findings_are_placed_at_once(timeline: TimelineView, row: Callable[[], list[int]]) -> None:
    timeline.set_findings([finding(at % 4000) for at in range(10_000)])
    assert 10 < len(row()) < 60


def test_stretches_passed_over_stand_out_and_the_small_bowel_has_its_share(timeline: TimelineView) -> None:
    seen = np.zeros(4000, np.bool_)
    seen[:1000] = seen[2000:2400] = True
    timeline.set_landmarks([landmark(Region.SMALL_BOWEL, 1000), landmark(Region.COLON, 3000)])
    timeline.set_seen(seen)
    timeline.set_whole_only(True)
    lane = timeline.overview
    picture, area = lane.grab().toImage(), lane.seen_area()
    at = [area.left() + int(share * area.width()) for share in (0.1, 0.4, 0.55, 0.8)]
    assert [picture.pixelColor(x, area.center().y()) for x in at] == [SEEN, NOTE_INK, SEEN, NOT_SEEN]
