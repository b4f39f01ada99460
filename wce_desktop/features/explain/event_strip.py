"""A strip below the frame with explanations along one event."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from wce_desktop.core.language import tr
from wce_desktop.widgets import theme
from wce_desktop.widgets.basic import in_column, in_row
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.player.annotation_painter import text_font
from wce_desktop.widgets.player.overlay_layer import OverlayLayer, paint_layer
from wce_desktop.widgets.theme import COLORS

TILE_PX = 78
WORDS_PX = 18
GAP_PX = 6
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -10_000, Qt.Key.Key_End: 10_000}


@dataclass(frozen=True, slots=True)
class Tile:
    """One frame of the strip, and what stands below it."""

    frame_index: int
    words: str


class _Tiles(QWidget):
    """Paints the tiles; after Tab, arrow keys move between them and Enter goes to the frame."""

    frame_chosen = Signal(int)
    room_changed = Signal()

    def __init__(self, overlay: OverlayLayer, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._overlay, self._thumbnail = overlay, thumbnail
        self.tiles: tuple[Tile, ...] = ()
        self.current = -1
        self._at = 0
        self.setFixedHeight(TILE_PX + WORDS_PX + 4)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Explanations along the event"))

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * (TILE_PX + GAP_PX), TILE_PX + WORDS_PX + 4)

    @property
    def room(self) -> int:
        """How many tiles fit."""
        return max(1, (self.width() + GAP_PX) // (TILE_PX + GAP_PX))

    def rect_of(self, at: int) -> QRectF:
        """Where a tile's picture lies."""
        return QRectF(2 + at * (TILE_PX + GAP_PX), 2, TILE_PX, TILE_PX)

    def set_current(self, frame_index: int) -> None:
        """Mark the frame on screen; keys go on from it."""
        self.current = frame_index
        places = [at for at, tile in enumerate(self.tiles) if tile.frame_index == frame_index]
        self._at = places[0] if places else min(self._at, max(0, len(self.tiles) - 1))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.room_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(text_font(11))
        for at, tile in enumerate(self.tiles):
            self._paint_tile(painter, self.rect_of(at), tile, at)

    def _paint_tile(self, painter: QPainter, rect: QRectF, tile: Tile, at: int) -> None:
        painter.fillRect(rect, QColor(theme.COLORS.raised))
        picture = self._thumbnail(tile.frame_index)
        if picture is not None and not picture.isNull():
            size = QSizeF(picture.size()).scaled(rect.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRectF(rect.center() - QPointF(size.width() / 2, size.height() / 2), size)
            painter.drawImage(target, picture, QRectF(picture.rect()))
            layer = self._overlay.layer(tile.frame_index)
            if layer is not None:
                painter.save()
                painter.setClipRect(rect)
                paint_layer(painter, self._overlay, layer, target, QSizeF(picture.size()), line_px=0.8)
                painter.restore()
        is_current = tile.frame_index == self.current
        if is_current or (self.hasFocus() and at == self._at):
            style = Qt.PenStyle.SolidLine if is_current else Qt.PenStyle.DotLine
            painter.setPen(QPen(QColor(COLORS.accent), 2, style))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)
        painter.setPen(QColor(theme.COLORS.text if is_current else COLORS.muted))
        below = QRectF(rect.left(), rect.bottom() + 2, rect.width(), WORDS_PX)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), tile.words)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for at, tile in enumerate(self.tiles):
            if self.rect_of(at).contains(event.position()):
                self._at = at
                self.frame_chosen.emit(tile.frame_index)

    def event(self, event: QEvent) -> bool:
        """Take arrows and Enter before the window's shortcuts do, while the strip has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.hasFocus():
            is_ours = event.key() in _STEPS or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_ours and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _STEPS and self.tiles:
            self._at = max(0, min(self._at + _STEPS[Qt.Key(event.key())], len(self.tiles) - 1))
            self.frame_chosen.emit(self.tiles[self._at].frame_index)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.tiles:
            self.frame_chosen.emit(self.tiles[self._at].frame_index)
        else:
            super().keyPressEvent(event)


class EventStrip(QWidget):
    """The strip with its title; hidden until an event is explained."""

    def __init__(self, overlay: OverlayLayer, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.title = PlainLabel()
        self.title.setStyleSheet(f"color: {COLORS.muted}")
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        fold = self.close_button = QToolButton()
        fold.setText("×")
        set_tip(fold, tr("Hide the strip ({explain_event})"))
        fold.setAccessibleName(tr("Hide the strip"))
        fold.setStyleSheet("padding: 0 6px")
        self.tiles = _Tiles(overlay, thumbnail)
        head = in_row((self.title, 1), fold)
        in_column(head, self.tiles, of=self, margins=(8, 2, 8, 2), spacing=2)
        self.hide()

    def show_tiles(self, tiles: Sequence[Tile]) -> None:
        """Show these frames."""
        self.tiles.tiles = tuple(tiles)
        self.tiles.set_current(self.tiles.current)

    def set_current(self, frame_index: int) -> None:
        """Mark the frame on screen."""
        if frame_index != self.tiles.current:
            self.tiles.set_current(frame_index)
