"""The detail: scores, threshold, events, labels, findings, seen frames."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from wce_desktop.core import Span, to_translate, tr
from wce_desktop.widgets.key_texts import KeepsKeys
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.timeline import scores_paint as scores
from wce_desktop.widgets.timeline import spans_paint as spans
from wce_desktop.widgets.timeline import style
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.gestures import Gesture, VerticalOrHorizontal
from wce_desktop.widgets.timeline.lane import Lane
from wce_desktop.widgets.timeline.marks_paint import PIN_PX, paint_links, paint_ruler, paint_selected
from wce_desktop.widgets.timeline.popup import paint_legend

BRACKET_PX = 5


def paint_marked(painter: QPainter, area: QRect, axis: FrameAxis, span: Span) -> None:
    """The span between I and O: a band in the accent colour between two brackets."""
    accent = QColor(COLORS.accent)
    painter.save()
    painter.setClipRect(area)
    left, right = axis.x(span.start), axis.x(span.stop)
    top, bottom = area.top(), area.bottom() + 1
    painter.fillRect(QRectF(left, top, max(right - left, 2.0), bottom - top), style.tint(accent, 0.16))
    painter.setPen(QPen(accent, 2))
    for x, inward in ((left + 1, BRACKET_PX), (right - 1, -BRACKET_PX)):
        painter.drawPolyline([QPointF(x + inward, top + 1), QPointF(x, top + 1), QPointF(x, bottom - 1)])
        painter.drawLine(QPointF(x, bottom - 1), QPointF(x + inward, bottom - 1))
    painter.restore()


LEAST_PX = 88
GRAB_PX = 4
KEYS = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Plus, Qt.Key.Key_Minus)
SHIFTED_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down)
NO_STUDY = to_translate("no study: drop a video here, or open one with {open_files}")


class DetailLane(KeepsKeys, Lane):
    """The zoomed lane.

    Emits `threshold_changed` (score) while the threshold is dragged and `threshold_committed` (score) on
    release; `window_requested` (start, stop) when the wheel, a drag with Shift or a key wants to show other frames.
    """

    threshold_changed = Signal(float)
    threshold_committed = Signal(float)
    window_requested = Signal(float, float)

    def __init__(self, content: Content, parent: QWidget | None = None) -> None:
        super().__init__(content, parent)
        self._threshold_held = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(LEAST_PX)
        # By Tab only: after a click on the timeline the keys of the whole window keep their meaning.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Timeline detail"))
        self.setAccessibleDescription(
            tr(
                "Scores, labels and findings around the current frame. Page Up and Page Down move, plus and minus "
                "zoom, Shift with Up or Down moves the threshold."
            )
        )
        self.add_layer("back", self.rect, self._paint_back, ground=style.GROUND)
        self.add_layer("ruler", self.ruler_area, self.painting(paint_ruler), ground=style.GROUND)
        for name, area, paint in (
            ("ground", self.score_area, (scores.paint_ground,)),
            ("labels", self.label_area, (spans.paint_labels,)),
            ("findings", self.finding_area, (spans.paint_findings, paint_links)),
        ):
            self.add_layer(name, area, self.painting(*paint), ground=style.LANE)
        self.add_layer("seen", self.seen_area, self.painting(spans.paint_seen), ground=style.NOT_SEEN)
        self.add_layer("scores", self.score_area, self._paint_scores)

    def sizeHint(self) -> QSize:
        """High enough for six tracks' names."""
        return QSize(900, 128)

    def ruler_area(self) -> QRect:
        """The area of the times."""
        return self.row(0, style.RULER_PX)

    def score_area(self) -> QRect:
        """Where the tracks run: what the other rows leave."""
        return self.row(style.RULER_PX, max(10, self.label_area().top() - style.GAP_PX - style.RULER_PX))

    def label_area(self) -> QRect:
        """The area of the labels."""
        return self.row(self.finding_area().top() - style.GAP_PX - style.LABELS_PX, style.LABELS_PX)

    def finding_area(self) -> QRect:
        """The area of the findings."""
        return self.row(self.seen_area().top() - style.GAP_PX - style.FINDINGS_PX, style.FINDINGS_PX)

    def seen_area(self) -> QRect:
        """The area of the seen frames."""
        return self.row(self.height() - style.SEEN_PX - style.GAP_PX, style.SEEN_PX)

    def threshold_handle(self) -> QRect:
        """The tab with the threshold's number, right of the lane; a long one begins on it."""
        lane = self.score_area()
        centre = round(scores.score_y(lane, self.content.threshold))
        top = min(max(centre - 8, lane.top() - 6), lane.bottom() - 10)
        usual, words = style.RIGHT_GUTTER_PX - 6, self.content.threshold_words(self.content.threshold)
        width = max(usual, self.fontMetrics().horizontalAdvance(words) + 8)
        return QRect(lane.right() + 2 + usual - width, top, width, 17)

    def cursor_moved(self, before: int, now: int) -> None:
        """Repaint the cursor and the scores written at the left."""
        super().cursor_moved(before, now)
        self.update(self._legend_area())

    def _legend_area(self) -> QRect:
        return QRect(10, 4, style.LEFT_GUTTER_PX - 16, max(1, self.score_area().bottom() - 4))

    def start_gesture(self, event: QMouseEvent) -> Gesture | None:
        """The threshold by its tab or its line; scrubbing; with Shift or the middle button moving along."""
        at = event.position()
        if event.button() == Qt.MouseButton.MiddleButton or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return Gesture(at, lambda _, pixels: self._drag(pixels))
        if event.button() != Qt.MouseButton.LeftButton:
            return None
        if self.content.tracks and self.threshold_handle().contains(at.toPoint()):
            return self._grab_threshold(at)
        if self._is_on_threshold(at):
            return VerticalOrHorizontal(at, lambda: self._grab_threshold(at), lambda: self.scrub(at))
        return self.scrub(at) if at.x() >= style.LEFT_GUTTER_PX else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The pointer shows where the threshold can be taken."""
        if not event.buttons():
            at = event.position()
            on_handle = bool(self.content.tracks) and self.threshold_handle().contains(at.toPoint())
            is_grip = on_handle or self._is_on_threshold(at)
            self.setCursor(Qt.CursorShape.SizeVerCursor if is_grip else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer; with Shift, or sideways, move along."""
        turned = event.angleDelta()
        if not self.content.frame_count or turned.isNull():
            return
        window, count = self.shown(), self.content.frame_count
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(turned.x()) > abs(turned.y()):
            notches = (turned.y() or turned.x()) / 120
            self._show(window.moved(-0.15 * notches * window.length, count))
        else:
            self._show(window.zoomed(0.8 ** (turned.y() / 120), self.axis.position(event.position().x()), count))
        event.accept()

    def keeps(self, event: QKeyEvent) -> bool:
        """While keys arrive here, these few mean the timeline, whatever they mean elsewhere."""
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return event.key() in KEYS or (shifted and event.key() in SHIFTED_KEYS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pages, zoom, and the threshold in hundredths."""
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        window, count = self.shown(), self.content.frame_count
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            direction = 1 if event.key() == Qt.Key.Key_PageDown else -1
            self._show(window.moved(0.8 * direction * window.length, count))
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            factor = 0.8 if event.key() == Qt.Key.Key_Plus else 1.25
            self._show(window.zoomed(factor, self.content.cursor + 0.5, count))
        elif shifted and event.key() in SHIFTED_KEYS:
            step = 0.01 if event.key() == Qt.Key.Key_Up else -0.01
            self.threshold_changed.emit(round(min(max(self.content.threshold + step, 0.0), 1.0), 2))
            self.threshold_committed.emit(self.content.threshold)
        else:
            super().keyPressEvent(event)

    def _show(self, window: FrameWindow) -> None:
        if self.content.frame_count and window != self.shown():
            self.window_requested.emit(window.start, window.stop)

    def _drag(self, pixels: float) -> None:
        if self.axis.px_per_frame:
            self._show(self.shown().moved(-pixels / self.axis.px_per_frame, self.content.frame_count))

    def _is_on_threshold(self, at: QPointF) -> bool:
        lane = self.score_area()
        near = abs(at.y() - scores.score_y(lane, self.content.threshold)) <= GRAB_PX
        return bool(self.content.tracks) and near and lane.left() <= at.x() <= lane.right()

    def _grab_threshold(self, at: QPointF) -> Gesture:
        self._threshold_held = True

        def drag(to: QPointF, _: float) -> None:
            self.threshold_changed.emit(round(scores.score_at(self.score_area(), to.y()), 2))

        return Gesture(at, drag, self._release_threshold)

    def _release_threshold(self, _: QPointF) -> None:
        self._threshold_held = False
        self.update()
        self.threshold_committed.emit(self.content.threshold)

    def _paint_back(self, painter: QPainter, area: QRect) -> None:
        for row, name in ((self.label_area(), tr("labels")), (self.finding_area(), tr("findings"))):
            style.caption(painter, self.gutter(row), name)
        if not self.content.tracks:
            return
        painter.setFont(style.small_font(self.font(), 9))
        lane = self.score_area()
        for text, top in (("1", lane.top() - 2), ("0", lane.bottom() - 9)):
            painter.setPen(style.QUIET_INK)
            painter.drawText(QRect(lane.right() + 4, top, 20, 12), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_scores(self, painter: QPainter, area: QRect) -> None:
        if not self.content.frame_count:
            style.sentence(painter, QRectF(area), tr(NO_STUDY))
        elif not self.content.tracks:
            style.sentence(painter, QRectF(area), self.content.no_scores or tr(scores.NOT_SCORED))
        else:
            scores.paint_lines(painter, area, self.shown(), self.content)

    def _paint_threshold(self, painter: QPainter, lane: QRect) -> None:
        """The line, and the tab by which it can be taken with its number; both brighter while it is held."""
        y = round(scores.score_y(lane, self.content.threshold)) + 0.5
        painter.save()
        pen = QPen(style.CURSOR if self._threshold_held else style.THRESHOLD, 1)
        pen.setDashPattern([5, 3])
        painter.setPen(pen)
        painter.drawLine(QPointF(lane.left(), y), QPointF(lane.right() + 1, y))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(style.INK if self._threshold_held else style.SCALE_INK, 1))
        painter.setBrush(style.GRID if self._threshold_held else style.LANE)
        tab = QRectF(self.threshold_handle()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(tab, 4, 4)
        painter.setPen(style.INK)
        painter.drawText(tab, Qt.AlignmentFlag.AlignCenter, self.content.threshold_words(self.content.threshold))
        painter.restore()

    def paint_moving(self, painter: QPainter) -> None:
        """Marked span, threshold, cursor, the scores under it."""
        lane = self.score_area()
        bottom = self.seen_area().bottom() + 1
        if self.content.marked is not None:
            everything = lane.adjusted(0, 0, 0, bottom - 1 - lane.bottom())
            paint_marked(painter, everything, self.axis, self.content.marked)
        if len(self.content.selected):
            paint_selected(painter, self.axis, self.label_area().top() - PIN_PX, self.content.selected)
        if self.content.tracks:
            self._paint_threshold(painter, lane)
            paint_legend(painter, self._legend_area(), self.content)
        self.paint_cursor(painter, lane.top() - 7, bottom)
        self.paint_focus(painter)
