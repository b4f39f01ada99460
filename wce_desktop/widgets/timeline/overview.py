"""The overview: pictures, events, tissue colour, regions, seen frames, and the window of the detail."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core import Span, tr, whole_percent
from wce_desktop.core.annotation import Landmark
from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.event import Event
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.timeline import popup, spans_paint, style
from wce_desktop.widgets.timeline.axis import CLOSEST_FRAMES, FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content, nearest
from wce_desktop.widgets.timeline.gestures import Gesture
from wce_desktop.widgets.timeline.lane import Lane
from wce_desktop.widgets.timeline.marks_paint import paint_links, paint_ruler, paint_selected
from wce_desktop.widgets.timeline.scores_paint import GLYPH_PX, events_to_draw, mark_events, tick_events
from wce_desktop.widgets.timeline.spans_paint import landmark_x


def paint_colors(painter: QtGui.QPainter, area: QtCore.QRect, window: FrameWindow, content: Content) -> None:
    """The mean tissue colour along the window, or a grey bar with a word while it is not known."""
    if content.colors is None or not window.length:
        if content.frame_count:
            style.sentence(painter, QtCore.QRectF(area), tr("the tissue colours appear here when the study is scored"))
        return
    device = painter.device()
    columns = round(area.width() * (device.devicePixelRatioF() if device is not None else 1.0))
    rows_per_frame = len(content.colors) / max(1, content.frame_count)
    first, last = window.start * rows_per_frame, window.stop * rows_per_frame
    row = np.ascontiguousarray(content.colors.columns(first, last, columns))
    image = QtGui.QImage(row.data, columns, 1, columns * 3, QtGui.QImage.Format.Format_RGB888)
    painter.drawImage(QtCore.QRectF(area), image, QtCore.QRectF(0, 0, columns, 1))


def paint_hidden(painter: QtGui.QPainter, area: QtCore.QRect, window: FrameWindow, content: Content) -> None:
    """Along the lower edge of the tissue colours a line where less than half of the mucosa is visible."""
    if content.hidden is None or not window.length:
        return
    hidden = content.hidden.columns(window.start, window.stop, area.width())[:, 0]
    pixels = np.where(hidden > MOSTLY, style.premultiplied(style.INK), np.uint32(0)).astype(np.uint32)
    style.stretch(painter, QtCore.QRectF(area.left(), area.bottom() + 1 - HIDDEN_PX, area.width(), HIDDEN_PX), pixels)


def paint_unlike(painter: QtGui.QPainter, area: QtCore.QRect, window: FrameWindow, content: Content) -> None:
    """A dashed bar where more than half of the frames look unlike the training of the model."""
    if content.unlike is None or not window.length:
        return
    unlike = content.unlike.columns(window.start, window.stop, area.width())[:, 0] > MOSTLY
    is_dash = np.arange(len(unlike)) % 4 < 3
    pixels = np.where(unlike & is_dash, style.premultiplied(style.UNLIKE), np.uint32(0)).astype(np.uint32)
    style.stretch(painter, QtCore.QRectF(area), pixels)


def paint_events(painter: QtGui.QPainter, area: QtCore.QRect, window: FrameWindow, content: Content) -> None:
    """A tick for every event and, where there is room, its shape: hollow once it was seen, the highest peaks first."""
    axis = FrameAxis(window, area.left(), area.width())
    order = events_to_draw(axis, content.events)
    tick_events(painter, area, axis, content, order)
    mark_events(painter, area.top() + 0.5 + GLYPH_PX, axis, content, order)


def _paint_key(painter: QtGui.QPainter, area: QtCore.QRect, color: QtGui.QColor, text: str) -> None:
    """What a colour of the bar of seen frames means."""
    painter.fillRect(QtCore.QRectF(area.left(), area.center().y() - 2, 4, 5), color)
    style.caption(painter, area.adjusted(6, 0, 0, 0), text)


USUAL_PX, LOW_PX, TIGHT_PX = (14, 16, 13), (14, 12, 13), (10, 9, 4)
"""Heights of events, colours and regions: beside a detail, alone, and alone in a low window, which names no regions."""
TIMES_PX, TAIL_PX = 13, 2
HIDDEN_PX, MOSTLY = 3, 127
"""Of the line below hidden mucosa: its height, and how much must be hidden, of 255."""
UNLIKE_PX = 4
EDGE_PX = 4
"""How near to an end of the window a press takes that end."""
WIDE_ENOUGH_PX = 18
"""A window narrower than this has no ends to take."""


class OverviewLane(Lane):
    """The lane of the whole study.

    Emits `window_requested` (start, stop) when the detail should show other frames, `event_requested` (Event) for a
    click on its mark, and `landmark_moved` (Region, frame_index) when a landmark was taken elsewhere.
    """

    window_requested = QtCore.Signal(float, float)
    event_requested = QtCore.Signal(object)
    landmark_moved = QtCore.Signal(object, int)
    resized = QtCore.Signal()
    """The row of pictures came, went or changed its height."""

    def __init__(self, content: Content, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(content, parent)
        self._is_low = False
        self._pictures: popup.Pictures | None = None
        self._picture_px, self._room_px = 0, 0
        self._row: list[popup.Picture] = []
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        self.setFixedHeight(self.sizeHint().height())
        self.setAccessibleName(tr("Timeline overview"))
        self.setAccessibleDescription(
            tr("The whole study: tissue colour, events, regions, seen frames, and frames unlike the training.")
        )
        self.add_layer("back", self.rect, self._paint_back, ground=style.GROUND)
        self.add_layer("pictures", self.picture_area, self._paint_pictures, ground=style.GROUND)
        self.add_layer("bowel", self._bowel_gutter, self._paint_bowel, ground=style.GROUND)
        self.add_layer("share", self._share_gutter, self._paint_share, ground=style.GROUND)
        self.add_layer("keys", lambda: self.gutter(self.time_area()), self._paint_keys, ground=style.GROUND)
        over_colors = paint_colors, paint_hidden, spans_paint.paint_blood, paint_links
        for name, area, paint, ground in (
            ("events", self.event_area, (paint_events,), style.LANE),
            ("unlike", self.unlike_area, (paint_unlike,), style.EMPTY),
            ("seen", self.seen_area, (spans_paint.paint_passed_over, spans_paint.paint_seen), style.NOT_SEEN),
            ("regions", self.region_area, (spans_paint.paint_regions,), style.LANE),
            ("colors", self.color_area, over_colors, style.EMPTY),
            ("ruler", self.time_area, (paint_ruler,), style.GROUND),
        ):
            self.add_layer(name, area, self.painting(*paint), ground=ground)

    def sizeHint(self) -> QtCore.QSize:
        """As high as all rows."""
        times = self.time_area()
        return QtCore.QSize(900, times.top() + times.height() + (0 if self._is_tight else TAIL_PX))

    def set_low(self, is_low: bool) -> None:
        """Without the row of times, which the pointer names, and without a detail, whose window it would show."""
        self._is_low = is_low
        self.fit()

    @property
    def _is_tight(self) -> bool:
        return self._is_low and self._room_px < popup.HIGH_WINDOW_PX

    @property
    def _heights(self) -> tuple[int, int, int]:
        """Of events, colours and regions, whose room is kept so that the frame stays where it is."""
        events, colors, named = TIGHT_PX if self._is_tight else LOW_PX if self._is_low else USUAL_PX
        return events, colors, named if self.content.frame_count else 0

    def set_pictures(self, pictures: popup.Pictures | None) -> None:
        """Where small pictures of frames come from, None until they have been made; without any there is no row."""
        self._pictures = pictures
        self.fit()

    def fit(self, window_px: int | None = None) -> None:
        """Give the rows their heights; pictures have none without a study, or in a window without room (0 px)."""
        self._room_px = self._room_px if window_px is None else window_px
        height = popup.HIGH_PX if self._room_px >= popup.HIGH_WINDOW_PX else popup.LOW_PX
        is_shown = self._room_px > 0 and self._pictures is not None and self.content.frame_count > 0
        self._picture_px = height if is_shown else 0
        if (height := self.sizeHint().height()) != self.minimumHeight():
            self._row = []
            self.setFixedHeight(height)
            self.invalidate()
            self.resized.emit()
        self.invalidate("pictures")

    def picture_ready(self, frame: int) -> None:
        """The picture of a frame can be shown now."""
        if any(picture.frame_index == frame for picture in self._row):
            self.invalidate("pictures")

    def picture_area(self) -> QtCore.QRect:
        """The area of the pictures; empty without any."""
        return self.row(1, self._picture_px)

    def _paint_pictures(self, painter: QtGui.QPainter, area: QtCore.QRect) -> None:
        if self._pictures is not None:
            self._row = popup.placed(self.content, self.axis, area)
            popup.paint(painter, self._row, self._pictures, self.axis)

    def shown(self) -> FrameWindow:
        """All frames, always."""
        return FrameWindow.whole(self.content.frame_count)

    def event_area(self) -> QtCore.QRect:
        """The area of the event marks."""
        return self.row(1 + self._picture_px, self._heights[0])

    def color_area(self) -> QtCore.QRect:
        """The area of the tissue colours."""
        return self.row(self.event_area().bottom() + 1, self._heights[1])

    def seen_area(self) -> QtCore.QRect:
        """The area of the seen frames."""
        above = self.unlike_area()
        return self.row(above.bottom() + (2 if above.height() else 1), style.SEEN_PX)

    def unlike_area(self) -> QtCore.QRect:
        """The area of the frames unlike the training; empty while they are not known."""
        return self.row(self.color_area().bottom() + 2, 0 if self.content.unlike is None else UNLIKE_PX)

    def region_area(self) -> QtCore.QRect:
        """The area of the regions."""
        return self.row(self.seen_area().bottom() + 2, self._heights[2])

    def _share_gutter(self) -> QtCore.QRect:
        """Beside the colours or, where rows are lower than text, in the upper half of the gutter."""
        if not self._is_tight:
            return self.gutter(self.color_area())
        top, bottom = self.event_area().top(), self.time_area().top()
        return self.gutter(self.row(top, (bottom - top) // 2))

    def _bowel_gutter(self) -> QtCore.QRect:
        """Beside the regions or, where rows are lower than text, in the lower half of the gutter."""
        if not self._is_tight or not self.content.frame_count:
            return self.gutter(self.region_area())
        upper = self._share_gutter()
        return upper.translated(0, upper.height())

    def time_area(self) -> QtCore.QRect:
        """The area of the times."""
        return self.row(self.region_area().bottom() + 1, 0 if self._is_low else TIMES_PX)

    def window_area(self) -> QtCore.QRectF:
        """The frame around what the detail shows, at least a few pixels wide."""
        axis = self.axis
        left, right = axis.x(self.window_shown.start), axis.x(self.window_shown.stop)
        spare = max(0.0, 6.0 - (right - left)) / 2
        top = self.color_area().top()
        return QtCore.QRectF(left - spare, top, right - left + 2 * spare, self.region_area().bottom() + 1 - top)

    def start_gesture(self, event: QtGui.QMouseEvent) -> Gesture | None:
        """A landmark by its line; the detail's window by its middle or an end; elsewhere scrubbing."""
        at = event.position()
        if event.button() != QtCore.Qt.MouseButton.LeftButton or at.x() < style.LEFT_GUTTER_PX - EDGE_PX:
            return None
        if (frame := popup.at(self._row, at)) is not None:
            return Gesture(at, lambda *_: None, click=partial(self.request_frame, frame))
        mark = self._landmark_at(at)
        if mark is not None:
            return self._landmark_drag(at, mark)
        flagged = self._event_at(at)
        if flagged is not None:
            return self._frame_drag(
                at, self.request_frame, self.request_frame, lambda: self.event_requested.emit(flagged)
            )
        edge = self._edge_at(at.x())
        if edge or self._is_on_window(at.x()):
            click = partial(self.request_frame, self.frame_at(at.x()))
            return Gesture(at, lambda _, pixels: self._drag_window(edge, pixels), click=click)
        return self.scrub(at)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """The pointer shows what can be taken."""
        if not event.buttons():
            x = event.position().x()
            shape = QtCore.Qt.CursorShape.OpenHandCursor if self._is_on_window(x) else QtCore.Qt.CursorShape.ArrowCursor
            is_grip = self._edge_at(x) or self._landmark_at(event.position()) is not None
            self.setCursor(QtCore.Qt.CursorShape.SizeHorCursor if is_grip else shape)
        super().mouseMoveEvent(event)

    def _hover(self, at: QtCore.QPointF | None, globally: QtCore.QPointF | None = None) -> None:
        """Over a picture, say what lies at its frame."""
        frame = popup.at(self._row, at) if at is not None else None
        if frame is not None:
            at = QtCore.QPointF(min(self.cursor_x(frame), self.axis.left + self.axis.width - 1), 0.0)
        super()._hover(at, globally)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """The detail goes to this place, of the same length as before."""
        if self.content.frame_count and event.position().x() >= style.LEFT_GUTTER_PX:
            middle = self.frame_at(event.position().x()) + 0.5
            self._show(self.window_shown.centred(middle, self.content.frame_count))

    def _landmark_at(self, at: QtCore.QPointF) -> Landmark | None:
        """The landmark that can be taken here: in the row of the regions, near its line."""
        area, axis = self.region_area(), self.axis
        if not area.top() - EDGE_PX <= at.y() <= area.bottom() + EDGE_PX or not self.content.landmarks:
            return None
        nearest = min(self.content.landmarks, key=lambda mark: abs(landmark_x(axis, mark) - at.x()))
        return nearest if abs(landmark_x(axis, nearest) - at.x()) <= EDGE_PX else None

    def _event_at(self, at: QtCore.QPointF) -> Event | None:
        """The event whose mark is here: in the row of the events, near its peak."""
        events, axis = self.content.events, self.axis
        if not self.event_area().contains(at.toPoint()):
            return None
        frame = axis.frame(at.x(), self.content.frame_count)
        return nearest(events, np.abs(events.peak_frames - frame), GLYPH_PX / max(axis.px_per_frame, 1e-9))

    def _frame_drag(
        self, at: QtCore.QPointF, move: Callable[[int], None], drop: Callable[[int], None], click: Callable[[], None]
    ) -> Gesture:
        """Take something that lies on a frame along."""
        return Gesture(at, lambda to, _: move(self.frame_at(to.x())), lambda to: drop(self.frame_at(to.x())), click)

    def _landmark_drag(self, at: QtCore.QPointF, mark: Landmark) -> Gesture:
        others = tuple(other for other in self.content.landmarks if other is not mark)

        def move(frame: int) -> None:
            self.content.landmarks = (*others, replace(mark, frame_index=frame))
            self.invalidate("regions")

        drop = partial(self.landmark_moved.emit, mark.region)
        return self._frame_drag(at, move, drop, partial(self.request_frame, mark.frame_index))

    def _edge_at(self, x: float) -> str:
        area = self.window_area()
        if area.width() < WIDE_ENOUGH_PX or self._is_low:
            return ""
        return "start" if abs(x - area.left()) <= EDGE_PX else "stop" if abs(x - area.right()) <= EDGE_PX else ""

    def _is_on_window(self, x: float) -> bool:
        area = self.window_area()
        return area.left() <= x <= area.right() and self.window_shown != self.shown() and not self._is_low

    def _drag_window(self, edge: str, pixels: float) -> None:
        """Move the window, or one of its ends."""
        start, stop, count = self.window_shown.start, self.window_shown.stop, self.content.frame_count
        frames, shortest = pixels / self.axis.px_per_frame, min(CLOSEST_FRAMES, count)
        if edge == "start":
            self._show(FrameWindow(min(max(start + frames, 0.0), stop - shortest), stop))
        elif edge:
            self._show(FrameWindow(start, max(min(stop + frames, float(count)), start + shortest)))
        else:
            self._show(self.window_shown.moved(frames, count))

    def _show(self, window: FrameWindow) -> None:
        self.window_requested.emit(window.start, window.stop)

    def _paint_back(self, painter: QtGui.QPainter, area: QtCore.QRect) -> None:
        if not self._is_tight:
            style.caption(painter, self.gutter(self.event_area()), tr("events"))

    def _paint_bowel(self, painter: QtGui.QPainter, area: QtCore.QRect) -> None:
        """How much of the small bowel was seen, once its landmarks say where it is."""
        text = "" if self._is_tight else tr("regions")
        bowel = small_bowel(self.content.landmarks, self.content.frame_count)
        if bowel is not None:
            text = tr("small bowel, {percent} seen", percent=self.content.seen_in(bowel).text)
        style.caption(painter, area, text)

    def event(self, event: QtCore.QEvent) -> bool:
        """Beside the rows a tooltip says how much was seen, and what of it does not count."""
        if isinstance(event, QtGui.QHelpEvent) and event.type() == QtCore.QEvent.Type.ToolTip:
            content, words, within = self.content, "", Span(0, self.content.frame_count)
            bowel = small_bowel(content.landmarks, content.frame_count)
            if bowel is not None and self._bowel_gutter().contains(event.pos()):
                words, within = tr("small bowel, {percent} seen", percent=content.seen_in(bowel).text), bowel
            elif self._share_gutter().contains(event.pos()):
                words = tr("study, {percent} seen", percent=content.seen_in(within).text)
            reason = content.seen_in(within).reason if words else ""
            words = f"{words}. {reason}" if reason else words
            legend = self._legend() if event.pos().x() < style.LEFT_GUTTER_PX else ""
            text = "\n".join(filter(None, (words, legend)))
            QtWidgets.QToolTip.showText(event.globalPos(), plain(text), self)
            return True
        return super().event(event)

    def _legend(self) -> str:
        """What the marks along the tissue colours mean, as far as the study has them."""
        marks = (
            (self.content.blood, tr("Red bars: blood marks, by colour alone.")),
            (self.content.hidden, tr("Light line: less than half of the mucosa is visible.")),
            (self.content.unlike, tr("Violet dashes: unlike the training.")),
        )
        return "\n".join(words for values, words in marks if values is not None)

    def _paint_share(self, painter: QtGui.QPainter, area: QtCore.QRect) -> None:
        seen, fast = self.content.seen, self.content.only_fast
        if seen is None or not len(seen):
            style.caption(painter, area, tr("study"))
            return
        share = self.content.seen_in(Span(0, len(seen))).text
        if fast is None:
            style.caption(painter, area, tr("study, {percent} seen", percent=share))
            return
        painter.setFont(style.small_font(self.font(), 10))  # the legend of the bar of seen frames
        half = area.width() // 2
        for left, color, text in (
            (0, style.SEEN, tr("{percent} seen", percent=share)),
            (half, style.FAST, tr("{percent} fast", percent=whole_percent(int(fast.sum()), len(fast)))),
        ):
            _paint_key(painter, QtCore.QRect(area.left() + left, area.top(), half, area.height()), color, text)

    def _paint_keys(self, painter: QtGui.QPainter, area: QtCore.QRect) -> None:
        skipped, unfamiliar = self.content.only_skipped, self.content.unfamiliar
        painter.setFont(style.small_font(self.font(), 10))
        if skipped is None and unfamiliar is not None and (unfamiliar > 0).any():
            _paint_key(painter, area, style.UNLIKE, tr("unlike the training"))
        if skipped is not None:
            share = whole_percent(int(skipped.sum()), len(skipped))
            _paint_key(painter, area, style.SKIPPED, tr("{percent} skipped as similar", percent=share))

    def paint_moving(self, painter: QtGui.QPainter) -> None:
        """What the detail does not show is dimmed; the marked span and the cursor lie on top."""
        area, axis = self.window_area(), self.axis
        if self.content.frame_count:
            if self.content.marked is not None:
                left, right = axis.x(self.content.marked.start), axis.x(self.content.marked.stop)
                bar = QtCore.QRectF(left, self.color_area().top(), max(2.0, right - left), 3)
                painter.fillRect(bar, QtGui.QColor(COLORS.accent))
            if len(self.content.selected):
                paint_selected(painter, axis, self.color_area().top(), self.content.selected)
            if not self._is_low:
                self._paint_window(painter, area)
        self.paint_cursor(painter, self.event_area().top(), self.time_area().top() + 5, head_below=True)
        self.paint_focus(painter)

    def _paint_window(self, painter: QtGui.QPainter, area: QtCore.QRectF) -> None:
        painter.fillRect(area.adjusted(1, 1, -1, -1), style.tint(QtGui.QColor(COLORS.accent), 0.10))
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtGui.QPen(QtGui.QColor(COLORS.accent), 1.5))
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
