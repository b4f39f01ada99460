"""Boxes on the frame, drawn, moved and resized with the mouse and with keys, at every zoom."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QTransform
from PySide6.QtWidgets import QWidget

from wce_desktop.core.boxes import SMALLEST_PX, Edges, clipped, moved
from wce_desktop.core.language import tr
from wce_desktop.widgets import key_texts, theme
from wce_desktop.widgets.key_texts import KeepsKeys
from wce_desktop.widgets.player.annotation_painter import HANDLE_PX, HANDLES, box_handles, draw_edited_box
from wce_desktop.widgets.player.frame_view import FrameView

REACH_PX = 7.0
"""How near to a handle a press takes it."""
STEP_PX, LONG_STEP_PX = 1.0, 10.0
"""What an arrow key moves, without and with Ctrl, in pixels of the frame."""
NEW_SHARE = 0.3
"""Of the frame's sides: a box that a key puts into the middle."""
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_SHAPES = (
    Qt.CursorShape.SizeFDiagCursor,
    Qt.CursorShape.SizeVerCursor,
    Qt.CursorShape.SizeBDiagCursor,
    Qt.CursorShape.SizeHorCursor,
)


@dataclass(frozen=True, slots=True)
class EditedBox:
    """A box as the editor shows it; edges in pixels of its frame."""

    box_id: str
    frame_index: int
    edges: Edges
    color: str


@dataclass(slots=True)
class _Drag:
    """What the pressed button does: `handle` -2 draws, -1 moves, 0 to 7 resizes by that handle."""

    frame_index: int
    start: QPointF
    before: Edges
    handle: int
    now: Edges | None = None


class BoxEditor(KeepsKeys, QWidget):
    """Covers the frame while boxes are edited. It changes nothing itself: it emits what shall become of boxes."""

    drawn = Signal(int, object, object)
    """Frame index, edges (x_min, y_min, x_max, y_max) in pixels of the frame, and its size (width, height)."""
    reshaped = Signal(str, object, object, bool)
    """Box id, edges, size of the frame, and whether it goes on with the last change, by keys."""
    removed = Signal(str)
    named = Signal(str, str)
    """Box id and a digit: the key of a class."""
    chosen = Signal(str)
    """Id of the box that keys act on; empty: none."""
    left = Signal()
    """Escape was pressed."""

    def __init__(self, view: FrameView) -> None:
        super().__init__(view)
        self._view = view
        self._boxes: tuple[EditedBox, ...] = ()
        self.chosen_id = ""
        """The id of the box that keys act on, or ""."""
        self._drag: _Drag | None = None
        self._last_key: tuple[str, bool] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        key_texts.give_keys(self)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Boxes on the frame"))
        self.setAccessibleDescription(
            tr(
                "Drag to draw a box. Tab chooses a box, arrow keys move it, with Shift they resize it, Delete "
                "removes it."
            )
        )
        view.zoomed.connect(lambda _: self.update())
        view.resized.connect(lambda _: self.setGeometry(view.rect()))
        self.hide()

    # What is edited

    def begin(self) -> None:
        """Cover the frame and take keys; another editor ends."""
        for other in self._view.findChildren(BoxEditor):
            if other is not self:
                other.left.emit()
        self.setGeometry(self._view.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """Uncover the frame."""
        self._drag = None
        self.choose("")
        self.hide()

    def set_boxes(self, boxes: Sequence[EditedBox]) -> None:
        """Show these boxes, those of all frames on screen; the chosen one stays chosen where it is among them."""
        self._boxes = tuple(boxes)
        if self.chosen_id and self._box(self.chosen_id) is None:
            self.choose("")
        self.update()

    def choose(self, box_id: str) -> None:
        """Let keys act on this box, or on none."""
        if box_id != self.chosen_id:
            self.chosen_id, self._last_key = box_id, None
            self.chosen.emit(box_id)
            self.update()

    def draw_in_middle(self) -> None:
        """Draw a box in the middle of the (first) frame, to be moved with keys."""
        if self._view.frames:
            width, height = self._size(0)
            share = (1 - NEW_SHARE) / 2
            edges = (width * share, height * share, width * (1 - share), height * (1 - share))
            self.drawn.emit(self._view.frames[0].frame_index, edges, (width, height))

    # Places: a point of the view is one of a frame by the rectangle that the frame fills

    def _size(self, at: int) -> tuple[float, float]:
        picture = self._view.frames[at].picture
        return (0.0, 0.0) if picture is None else (float(picture.width()), float(picture.height()))

    def _at(self, frame_index: int) -> int:
        """The place of a frame among those on screen, or -1."""
        return next((at for at, frame in enumerate(self._view.frames) if frame.frame_index == frame_index), -1)

    def _to_view(self, at: int) -> QTransform:
        rect, (width, _) = self._view.frame_rects()[at], self._size(at)
        scale = rect.width() / max(width, 1.0)
        return QTransform.fromTranslate(rect.left(), rect.top()).scale(scale, scale)

    def _to_frame(self, at: int, point: QPointF) -> QPointF:
        return self._to_view(at).inverted()[0].map(point)

    def on_screen(self, frame_index: int, edges: Edges) -> QRectF:
        """Where a box lies in the view, in view pixels."""
        return self._to_view(self._at(frame_index)).mapRect(QRectF(QPointF(*edges[:2]), QPointF(*edges[2:])))

    def _box(self, box_id: str) -> EditedBox | None:
        return next((box for box in self._boxes if box.box_id == box_id and self._at(box.frame_index) >= 0), None)

    def _under(self, point: QPointF) -> EditedBox | None:
        """The smallest box under a point."""
        shown = [box for box in self._boxes if self._at(box.frame_index) >= 0]
        under = [box for box in shown if self.on_screen(box.frame_index, box.edges).contains(point)]
        return min(under, key=lambda box: _area(box.edges), default=None)

    def _handle_under(self, point: QPointF) -> int:
        """The handle of the chosen box under a point, or -1."""
        box = self._box(self.chosen_id)
        if box is None:
            return -1
        reach = QMarginsF(*(REACH_PX - HANDLE_PX / 2,) * 4)
        handles = box_handles(self.on_screen(box.frame_index, box.edges))
        near = [number for number, handle in enumerate(handles) if handle.marginsAdded(reach).contains(point)]
        return near[-1] if near else -1

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take a handle or a box, or begin a new box; with other buttons or Ctrl the frame is panned as always."""
        is_ours = event.button() == Qt.MouseButton.LeftButton
        if not is_ours or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        point = event.position()
        handle, box = self._handle_under(point), self._box(self.chosen_id)
        if handle < 0:
            box = self._under(point)
            self.choose(box.box_id if box is not None else "")
        rects = enumerate(zip(self._view.frame_rects(), self._view.frames, strict=True))
        under = (at for at, (rect, frame) in rects if frame.picture is not None and rect.contains(point))
        at = self._at(box.frame_index) if box is not None else next(under, -1)
        if at < 0:
            return
        start = self._to_frame(at, point)
        frame = self._view.frames[at].frame_index
        before = box.edges if box is not None else (start.x(), start.y(), start.x(), start.y())
        self._drag = _Drag(frame, start, before, handle if box is not None else -2)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer; without a button show what can be taken."""
        if self._drag is None:
            handle, is_on_box = self._handle_under(event.position()), self._under(event.position()) is not None
            shape = Qt.CursorShape.SizeAllCursor if is_on_box else Qt.CursorShape.CrossCursor
            self.setCursor(_SHAPES[handle % 4] if handle >= 0 else shape)
            event.ignore()  # buttons of chips below light up
            return
        self._repaint_drag()
        self._drag.now = self._dragged(self._drag, event.position())
        self._repaint_drag()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask for what was drawn, moved or resized; a click alone changes nothing."""
        drag, self._drag = self._drag, None
        self.update()
        if drag is None:
            event.ignore()
            return
        at = self._at(drag.frame_index)
        if drag.now is None or at < 0 or drag.now == drag.before:
            return
        self._last_key = None
        if drag.handle == -2:
            self.drawn.emit(drag.frame_index, drag.now, self._size(at))
        else:
            self.reshaped.emit(self.chosen_id, drag.now, self._size(at), False)

    def _dragged(self, drag: _Drag, point: QPointF) -> Edges | None:
        at = self._at(drag.frame_index)
        if at < 0:
            return None
        width, height = self._size(at)
        to = self._to_frame(at, point)
        if drag.handle == -1:
            return moved(drag.before, to.x() - drag.start.x(), to.y() - drag.start.y(), width, height)
        if drag.handle == -2:
            return self._inside((drag.start.x(), drag.start.y(), to.x(), to.y()), (width, height))
        x_min, y_min, x_max, y_max = drag.before
        shift, (right, down) = to - drag.start, HANDLES[drag.handle]
        x_min, x_max = x_min + shift.x() * (right == 0), x_max + shift.x() * (right == 2)
        edges = (x_min, y_min + shift.y() * (down == 0), x_max, y_max + shift.y() * (down == 2))
        return clipped(edges, width, height) or drag.now

    def _inside(self, edges: Edges, size: tuple[float, float]) -> Edges | None:
        """What is drawn from one corner (x, y) to the other, on a frame of this size."""
        return clipped(edges, *size)

    def _paint_box(self, painter: QPainter, rect: QRectF, color: str, *, has_handles: bool) -> None:
        """Paint the chosen box, or one that is being drawn."""
        draw_edited_box(painter, rect, color, has_handles=has_handles)

    # Keys

    def keeps(self, event: QKeyEvent) -> bool:
        """This editor's keys; all others mean what they mean elsewhere."""
        is_digit = not event.modifiers() and event.text() in tuple("123456789")
        is_of_box = is_digit or event.key() in (*ARROWS, Qt.Key.Key_Delete)
        return event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Insert) or bool(self.chosen_id and is_of_box)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab goes from box to box, and leaves after the last one."""
        ids = [box.box_id for box in self._boxes if self._at(box.frame_index) >= 0]
        at = ids.index(self.chosen_id) if self.chosen_id in ids else (-1 if is_next else len(ids))
        at += 1 if is_next else -1
        if not 0 <= at < len(ids):
            return super().focusNextPrevChild(is_next)
        self.choose(ids[at])
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Shift and arrows resize (Ctrl: ten pixels), Delete removes, digits name, Insert draws."""
        key, box = Qt.Key(event.key()), self._box(self.chosen_id)
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key == Qt.Key.Key_Insert:
            self.draw_in_middle()
        elif box is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Delete:
            self.removed.emit(box.box_id)
        elif key in ARROWS:
            self._shift(box, ARROWS[key], event.modifiers())
        elif event.text() in tuple("123456789"):
            self.named.emit(box.box_id, event.text())
        else:
            super().keyPressEvent(event)

    def _shift(self, box: EditedBox, direction: tuple[int, int], modifiers: Qt.KeyboardModifier) -> None:
        """Move a box by a step, or its lower right corner; steps without a pause are one change."""
        step = LONG_STEP_PX if modifiers & Qt.KeyboardModifier.ControlModifier else STEP_PX
        size = self._size(self._at(box.frame_index))
        right, down = direction[0] * step, direction[1] * step
        is_resized = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        if is_resized:
            x_min, y_min, x_max, y_max = box.edges
            x_max, y_max = max(x_max + right, x_min + SMALLEST_PX), max(y_max + down, y_min + SMALLEST_PX)
            edges = clipped((x_min, y_min, x_max, y_max), *size)
        else:
            edges = moved(box.edges, right, down, *size)
        if edges is None or edges == box.edges:
            return
        goes_on = self._last_key == (box.box_id, is_resized)
        self._last_key = (box.box_id, is_resized)
        self.reshaped.emit(box.box_id, edges, size, goes_on)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chosen box with its handles, or what is being drawn."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box, drag = self._box(self.chosen_id), self._drag
        if drag is not None and drag.now is not None and self._at(drag.frame_index) >= 0:
            color = theme.ON_PICTURE.accent if box is None else box.color
            place = self.on_screen(drag.frame_index, drag.now)
            self._paint_box(painter, place, color, has_handles=drag.handle != -2)
        elif box is not None:
            self._paint_box(painter, self.on_screen(box.frame_index, box.edges), box.color, has_handles=True)

    def _repaint_drag(self) -> None:
        """Paint again what the moving box covers: a large frame takes long to paint."""
        drag, box = self._drag, self._box(self.chosen_id)
        edges = drag.now if drag is not None else None
        for shown in (edges, box.edges if box is not None else None):
            if shown is not None and drag is not None and self._at(drag.frame_index) >= 0:
                rect = self.on_screen(drag.frame_index, shown).toAlignedRect()
                self.update(rect.adjusted(-8, -8, 8, 8))


def _area(edges: Edges) -> float:
    return (edges[2] - edges[0]) * (edges[3] - edges[1])
