"""Draws and changes arrows, circles and text on the frame with the mouse and with keys."""

import math

from PySide6.QtCore import QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter

from wce_desktop.core.boxes import Edges, clipped
from wce_desktop.core.drawings import SHAPES, Shape, ShapeKind
from wce_desktop.core.language import tr
from wce_desktop.widgets.player.box_editor import BoxEditor
from wce_desktop.widgets.player.frame_view import FrameView
from wce_desktop.widgets.player.shape_painter import draw_shapes

LEAST_SPREAD_PX = 6.0
"""In pixels of the frame: a stroke in one direction only becomes an arrow that is half as wide."""
TEXT_HEIGHT = 0.08
"""Of the frame's height: a text that a key puts into the middle."""
TOOL_KEYS = dict(zip((Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_T), SHAPES, strict=True))


class DrawingEditor(BoxEditor):
    """A box editor for shapes: what is drawn in a box is an arrow, a circle or a text."""

    tool_chosen = Signal(str)
    """One of `SHAPES`, by its key."""
    turned = Signal(str)
    """Id of an arrow whose tip goes to the next corner, or of a text to type: Return was pressed."""

    def __init__(self, view: FrameView) -> None:
        super().__init__(view)
        self.tool: ShapeKind = "arrow"
        """What a drag draws."""
        self.tip = 0
        """The corner to which the arrow drawn last points."""
        self.setAccessibleName(tr("Drawing on the frame"))
        self.setAccessibleDescription(
            tr(
                "Drag to draw. A, C and T choose arrow, circle and text, Insert puts one into the middle. Tab chooses "
                "a shape, arrow keys move it, with Shift they resize it, Return turns an arrow or changes a text, "
                "Delete removes it."
            )
        )

    def _inside(self, edges: Edges, size: tuple[float, float]) -> Edges | None:
        x_end, y_end, x_tip, y_tip = edges
        self.tip = {(True, False): 0, (True, True): 1, (False, True): 2, (False, False): 3}[
            x_tip >= x_end, y_tip > y_end
        ]
        if self.tool == "arrow" and max(abs(x_tip - x_end), abs(y_tip - y_end)) >= LEAST_SPREAD_PX:
            x_tip, y_tip = (
                end + math.copysign(max(abs(tip - end), LEAST_SPREAD_PX / 2), tip - end)
                for end, tip in ((x_end, x_tip), (y_end, y_tip))
            )
        return clipped((x_end, y_end, x_tip, y_tip), *size)

    def _paint_box(self, painter: QPainter, rect: QRectF, color: str, *, has_handles: bool) -> None:
        if has_handles:
            super()._paint_box(painter, rect, color, has_handles=True)
            return
        shape = Shape(self.tool, 0, 0, max(rect.width(), 1), max(rect.height(), 1), self.tip, tr("Text"))
        draw_shapes(painter, [shape], rect, rect.size().expandedTo(QSizeF(1, 1)))

    def keeps(self, event: QKeyEvent) -> bool:
        """The keys of the tools, too."""
        is_return = self.chosen_id and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return super().keeps(event) or bool(not event.modifiers() and (is_return or event.key() in TOOL_KEYS))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A, C and T choose what is drawn; Return turns an arrow or changes a text; the rest as for boxes."""
        key = Qt.Key(event.key())
        if key in TOOL_KEYS and not event.modifiers():
            self.tool_chosen.emit(TOOL_KEYS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen_id:
            self.turned.emit(self.chosen_id)
        else:
            super().keyPressEvent(event)

    def draw_in_middle(self) -> None:
        """Draw an arrow to the upper right, a circle, or a line of text in the middle."""
        self.tip = 0
        if self.tool != "text" or not self._view.frames:
            super().draw_in_middle()
            return
        width, height = self._size(0)
        edges = (width * 0.3, height * (0.5 - TEXT_HEIGHT / 2), width * 0.7, height * (0.5 + TEXT_HEIGHT / 2))
        self.drawn.emit(self._view.frames[0].frame_index, edges, (width, height))
