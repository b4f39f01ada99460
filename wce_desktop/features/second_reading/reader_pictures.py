"""The frame of a difference as each of two readers left it, side by side."""

from functools import lru_cache

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from wce_desktop.core.annotation.agreement import Difference
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.study import Study
from wce_desktop.features.second_reading.compare_panel import Row, frame_of, side_of
from wce_desktop.features.second_reading.comparing import ReadingComparison
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import side_by_side
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Workspace

PLATE, SHADE, BADGE_PX = QColor(12, 12, 12, 205), QColor(12, 12, 12, 150), 34


class ReaderPictures:
    """Drawn when they are first painted, as soon as their frame is there."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._session = workspace, workspace.session
        self.forget()

    def forget(self) -> None:
        """Draw all anew: what a reader entered has changed."""
        self._drawn = lru_cache(maxsize=64)(self._draw)

    def picture(self, row: Row, comparison: ReadingComparison) -> QImage | None:
        """Twice as wide as high, the first reader at the left; dark where the reader did not enter it.

        A sign in a corner says that the class is there (its shape) or not (a cross); boxes are those of the reader.
        """
        frame = self._workspace.thumbnails.get(frame_of(row))
        return frame if frame is None or frame.isNull() else self._drawn(row, comparison.first, comparison.second,
                                                                          side_of(row, comparison))  # fmt: skip

    def _draw(self, row: Row, first: Study, second: Study, side: str) -> QImage:
        frame = self._workspace.thumbnails.get(frame_of(row))
        assert frame is not None, "asked for by `picture`"
        entry = self._session.vocabulary.of(row.kind if isinstance(row, Finding) else row.name)

        def draw_entry(painter: QPainter, place: QRectF, at: int) -> None:
            badge = QRectF(place.right() - BADGE_PX, place.bottom() - BADGE_PX, BADGE_PX, BADGE_PX)
            if (side == "first") == (at == 0):
                self._draw_boxes(painter, place, (first, second)[at], frame_of(row), entry.name)
                painter.fillRect(badge, PLATE)
                draw_glyph(painter, badge.center(), 10, entry.shape, QColor(entry.color or COLORS.text))
            else:
                painter.fillRect(place, SHADE)
                if isinstance(row, Difference) and row.is_denied:
                    painter.fillRect(badge, PLATE)
                    draw_answer(painter, badge, is_accept=False)

        return side_by_side(frame, draw_entry)

    def _draw_boxes(self, painter: QPainter, place: QRectF, study: Study, frame_index: int, name: str) -> None:
        shown = self._workspace.player.frame_view.frames
        if not shown or shown[0].picture is None:
            return  # the size of a frame is not known yet
        size = QSizeF(shown[0].picture.size())
        scale_x, scale_y = place.width() / size.width(), place.height() / size.height()
        painter.setPen(QPen(QColor(COLORS.accent), 2))
        for box in self._session.library.annotations.boxes(study.study_id):
            if (box.frame_index, box.name) == (frame_index, name):
                corner = place.left() + box.x_min * scale_x, place.top() + box.y_min * scale_y
                painter.drawRect(QRectF(*corner, (box.x_max - box.x_min) * scale_x, (box.y_max - box.y_min) * scale_y))
