"""What overview and detail share: an axis of frames, layers kept as pictures, the cursor, the pointer, and gestures."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.widgets import basic, theme
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.gestures import Gesture
from wce_desktop.widgets.timeline.style import CURSOR, LANE, LEFT_GUTTER_PX, RIGHT_GUTTER_PX, small_font, tint

TRANSPARENT = QtGui.QColor(0, 0, 0, 0)
PaintLayer = Callable[[QtGui.QPainter, QtCore.QRect], None]


@dataclass(eq=False)
class Layer:
    """One layer: where it is, how it is painted, its picture, and whether that has to be repainted.

    A picture of the right size is painted over rather than thrown away: fresh memory costs more than the painting.
    """

    area: Callable[[], QtCore.QRect]
    paint: PaintLayer
    ground: QtGui.QColor
    picture: QtGui.QPixmap | None = None
    is_stale: bool = True


CURSOR_REACH_PX = 7
EVENT_REACH_PX = 4
"""An event so near to a right click counts as clicked: many are narrower than a pixel."""


class Lane(QtWidgets.QWidget):
    """A lane of frames between two gutters; it stores only the state of the pointer.

    It paints its layers in the order they were added, each from its picture, then what moves with every frame. After
    `invalidate` the next paint event paints a layer's picture again, and only this one. A picture has the screen's own
    pixels, also where one of the application's holds several of them.

    Emits `frame_requested` (frame_index) for a click or a drag, and `hovered` (frame_index, global position) while the
    pointer rests above, with -1 when it leaves.
    """

    frame_requested = QtCore.Signal(int)
    hovered = QtCore.Signal(int, QtCore.QPointF)
    menu_requested = QtCore.Signal(int, float, QtCore.QPoint)
    """Frame of a right click, how many frames beside it an event still counts as clicked, global position."""

    def __init__(self, content: Content, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.window_shown = FrameWindow(0.0, 0.0)
        self._hover_x: float | None = None
        self._gesture: Gesture | None = None
        self._layers: dict[str, Layer] = {}
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFont(small_font(self.font()))

    def add_layer(
        self, name: str, area: Callable[[], QtCore.QRect], paint: PaintLayer, *, ground: QtGui.QColor = TRANSPARENT
    ) -> None:
        """Add a layer on top; `paint` is called with the widget's coordinates and finds it filled with `ground`.

        A layer with an opaque ground is laid down many times as fast as one that lets others shine through.
        """
        self._layers[name] = Layer(area, paint, ground)

    def invalidate(self, *names: str) -> None:
        """These layers (all of them when none is named) show something else now."""
        for name in names or tuple(self._layers):
            layer = self._layers[name]
            layer.is_stale = True
            self.update(layer.area())

    def paint_moving(self, painter: QtGui.QPainter) -> None:
        """Paint what no layer keeps, on top of them all."""

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Lay the pictures over each other."""
        with QtGui.QPainter(self) as painter:
            painter.setFont(self.font())
            for layer in self._layers.values():
                area = layer.area()
                if area.intersects(event.rect()) and not area.isEmpty():
                    painter.drawPixmap(area.topLeft(), self._picture(layer, area))
            self.paint_moving(painter)

    def changeEvent(self, event: QtCore.QEvent) -> None:
        """Every picture has the colours of another theme."""
        if event.type() in (QtCore.QEvent.Type.PaletteChange, QtCore.QEvent.Type.StyleChange):
            self.invalidate()
        super().changeEvent(event)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Every picture has the wrong size now."""
        self.invalidate()
        super().resizeEvent(event)

    def _picture(self, layer: Layer, area: QtCore.QRect) -> QtGui.QPixmap:
        ratio = self.devicePixelRatioF()
        size = QtCore.QSize(round(area.width() * ratio), round(area.height() * ratio))
        picture = layer.picture
        if picture is None or picture.size() != size or picture.devicePixelRatioF() != ratio:
            picture = layer.picture = QtGui.QPixmap(size)
            picture.setDevicePixelRatio(ratio)
            layer.is_stale = True
        if layer.is_stale:
            layer.is_stale = False
            picture.fill(layer.ground)
            with QtGui.QPainter(picture) as painter:
                painter.setFont(self.font())
                painter.translate(-area.topLeft())
                layer.paint(painter, area)
        return picture

    @property
    def axis(self) -> FrameAxis:
        """Where each frame lies on this lane now."""
        return FrameAxis(self.shown(), LEFT_GUTTER_PX, self.lane_width())

    spoken_role = QtGui.QAccessible.Role.Slider

    @property
    def spoken_value(self) -> str:
        """What a screen reader says: the frame on screen, its scores, and whether it was seen."""
        return self.content.words

    def shown(self) -> FrameWindow:
        """The frames on this lane."""
        return self.window_shown

    def lane_width(self) -> int:
        """Pixels between the gutters, at least one."""
        return max(1, self.width() - LEFT_GUTTER_PX - RIGHT_GUTTER_PX)

    def row(self, top: int, height: int) -> QtCore.QRect:
        """A row between the gutters."""
        return QtCore.QRect(LEFT_GUTTER_PX, top, self.lane_width(), height)

    def gutter(self, row: QtCore.QRect) -> QtCore.QRect:
        """The room for a name left of a row."""
        return QtCore.QRect(10, row.top(), LEFT_GUTTER_PX - 16, row.height())

    def painting(self, *paints: Callable[[QtGui.QPainter, QtCore.QRect, FrameWindow, Content], None]) -> PaintLayer:
        """A layer's painting, given the frames that are shown then; the last is on top."""

        def paint(painter: QtGui.QPainter, area: QtCore.QRect) -> None:
            for each in paints:
                each(painter, area, self.shown(), self.content)

        return paint

    def frame_at(self, x: float) -> int:
        """The frame under a point, the nearest one on the lane beyond its ends; -1 without a study."""
        axis = self.axis
        inside = min(max(x, axis.left), math.nextafter(axis.left + axis.width, 0.0))
        return axis.frame(inside, self.content.frame_count)

    def cursor_x(self, frame: int) -> float:
        """The middle of a frame on the screen."""
        return self.axis.x(frame + 0.5)

    def cursor_moved(self, before: int, now: int) -> None:
        """Repaint only where the cursor was and where it is."""
        basic.value_changed(self)
        for frame in (before, now):
            self._update_column(self.cursor_x(frame), self.axis.px_per_frame / 2)

    def request_frame(self, frame: int) -> None:
        """Ask for a frame, unless there is no study."""
        if frame >= 0:
            self.frame_requested.emit(frame)

    def scrub(self, at: QtCore.QPointF) -> Gesture:
        """Ask for the frame under the pointer, each one once in a row."""
        last = -1

        def move(to: QtCore.QPointF, _: float = 0.0) -> None:
            nonlocal last
            frame = self.frame_at(to.x())
            if frame != last:
                last = frame
                self.request_frame(frame)

        move(at)
        return Gesture(at, move)

    def start_gesture(self, event: QtGui.QMouseEvent) -> Gesture | None:
        """What a press at this place starts; each lane says."""
        return None

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Start a gesture; a further button changes nothing."""
        if self._gesture is None and self.content.frame_count:
            self._gesture = self.start_gesture(event)
        self._hover(None)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Continue the gesture, or say what lies under the pointer."""
        if self._gesture is not None:
            self._gesture.moved(event.position())
            return
        self._hover(event.position(), event.globalPosition())

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """The gesture ends once no button is left."""
        if self._gesture is not None and not event.buttons():
            gesture, self._gesture = self._gesture, None
            gesture.finished()

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Ask for the menu of the frame under the pointer; by the menu key, of the frame on screen."""
        is_key = event.reason() == QtGui.QContextMenuEvent.Reason.Keyboard
        axis, x = self.axis, self.cursor_x(self.content.cursor) if is_key else float(event.pos().x())
        if self.content.frame_count and axis.left <= x <= axis.left + axis.width:
            at = self.mapToGlobal(QtCore.QPoint(round(x), self.height() // 2)) if is_key else event.globalPos()
            self.menu_requested.emit(self.frame_at(x), EVENT_REACH_PX / max(axis.px_per_frame, 1e-9), at)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        """The pointer left the lane."""
        self._hover(None)
        super().leaveEvent(event)

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        """The pointer entered the lane."""
        self._hover(event.position(), event.globalPosition())
        super().enterEvent(event)

    def _hover(self, at: QtCore.QPointF | None, globally: QtCore.QPointF | None = None) -> None:
        inside = at is not None and self.axis.left <= at.x() < self.axis.left + self.axis.width
        before, self._hover_x = self._hover_x, at.x() if at is not None and inside else None
        for x in (before, self._hover_x):
            if x is not None:
                self._update_column(x)
        if self._hover_x is None or not self.content.frame_count:
            if before is not None:
                self.hovered.emit(-1, QtCore.QPointF())
        else:
            self.hovered.emit(self.frame_at(self._hover_x), globally or QtCore.QPointF())

    def _update_column(self, x: float, reach: float = 0.0) -> None:
        half = int(reach) + CURSOR_REACH_PX
        if -half <= x <= self.width() + half:
            self.update(QtCore.QRect(int(x) - half, 0, 2 * half + 2, self.height()))

    def paint_cursor(self, painter: QtGui.QPainter, top: int, bottom: int, *, head_below: bool = False) -> None:
        """The frame on screen as a white line with a head, its whole width shaded where frames are wide enough."""
        axis, x = self.axis, self.cursor_x(self.content.cursor)
        if self._hover_x is not None:
            painter.fillRect(QtCore.QRectF(round(self._hover_x), top, 1, bottom - top), tint(CURSOR, 0.28))
        if not self.content.frame_count or not axis.left <= x <= axis.left + axis.width:
            return
        if axis.px_per_frame >= 4:
            left = axis.x(self.content.cursor)
            painter.fillRect(QtCore.QRectF(left, top, axis.px_per_frame, bottom - top), tint(CURSOR, 0.13))
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillRect(QtCore.QRectF(x - 1.75, top, 3.5, bottom - top), tint(LANE, 0.45))
        painter.fillRect(QtCore.QRectF(x - 0.75, top, 1.5, bottom - top), CURSOR)
        base, tip = (bottom, bottom - 7) if head_below else (top, top + 7)
        head = QtGui.QPainterPath(QtCore.QPointF(x - 5, base))
        head.lineTo(x + 5, base)
        head.lineTo(x, tip)
        head.closeSubpath()
        painter.fillPath(head, CURSOR)

    def paint_focus(self, painter: QtGui.QPainter) -> None:
        """A line in the accent colour around the lane while keys arrive here."""
        if self.hasFocus():
            painter.setPen(QtGui.QPen(QtGui.QColor(theme.COLORS.accent), 1))
            painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QtCore.QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
