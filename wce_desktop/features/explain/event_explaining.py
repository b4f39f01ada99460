"""The strip of explanations over the event on screen: which frames it shows, and computing what they lack."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from training.errors import NothingToDoError, UserError
from training.inference.explanation import Method
from wce_desktop.core import Span, counted, format_time, score_text, spread_frames, tr
from wce_desktop.features.explain.explaining import Explaining
from wce_desktop.features.explain.frame_cams import explain_method
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import basic, key_texts, plain_text
from wce_desktop.widgets.key_texts import KeepsKeys
from wce_desktop.widgets.player import annotation_painter, overlay_layer
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Connections, Part, Workspace

TILE_PX = 78
WORDS_PX = 18
GAP_PX = 6
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -10_000, Qt.Key.Key_End: 10_000}


@dataclass(frozen=True, slots=True)
class Tile:
    """One frame of the strip, and what stands below it."""

    frame_index: int
    words: str


class _Tiles(KeepsKeys, QWidget):
    """Paints the tiles; after Tab, arrow keys move between them and Enter goes to the frame."""

    frame_chosen = Signal(int)
    room_changed = Signal()

    def __init__(self, overlay: overlay_layer.OverlayLayer, thumbnail: Callable[[int], QImage | None]) -> None:
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
        painter.setFont(annotation_painter.text_font(11))
        for at, tile in enumerate(self.tiles):
            self._paint_tile(painter, self.rect_of(at), tile, at)

    def _paint_tile(self, painter: QPainter, rect: QRectF, tile: Tile, at: int) -> None:
        painter.fillRect(rect, QColor(COLORS.raised))
        picture = self._thumbnail(tile.frame_index)
        if picture is not None and not picture.isNull():
            size = QSizeF(picture.size()).scaled(rect.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRectF(rect.center() - QPointF(size.width() / 2, size.height() / 2), size)
            painter.drawImage(target, picture, QRectF(picture.rect()))
            layer = self._overlay.layer(tile.frame_index)
            if layer is not None:
                painter.save()
                painter.setClipRect(rect)
                overlay_layer.paint_layer(painter, self._overlay, layer, target, QSizeF(picture.size()), line_px=0.8)
                painter.restore()
        is_current = tile.frame_index == self.current
        if is_current or (self.hasFocus() and at == self._at):
            style = Qt.PenStyle.SolidLine if is_current else Qt.PenStyle.DotLine
            painter.setPen(QPen(QColor(COLORS.accent), 2, style))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)
        painter.setPen(QColor(COLORS.text if is_current else COLORS.muted))
        below = QRectF(rect.left(), rect.bottom() + 2, rect.width(), WORDS_PX)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), tile.words)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for at, tile in enumerate(self.tiles):
            if self.rect_of(at).contains(event.position()):
                self._at = at
                self.frame_chosen.emit(tile.frame_index)

    def keeps(self, event: QKeyEvent) -> bool:
        """Arrows and Enter, while the strip has the focus."""
        is_ours = event.key() in _STEPS or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return self.hasFocus() and is_ours and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier

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

    def __init__(self, overlay: overlay_layer.OverlayLayer, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.title = plain_text.PlainLabel()
        self.title.setStyleSheet(f"color: {COLORS.muted}")
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        fold = self.close_button = QToolButton()
        fold.setText("×")
        key_texts.set_tip(fold, tr("Hide the strip ({explain_event})"))
        fold.setAccessibleName(tr("Hide the strip"))
        fold.setStyleSheet("padding: 0 6px")
        self.tiles = _Tiles(overlay, thumbnail)
        basic.in_column(basic.in_row((self.title, 1), fold), self.tiles, of=self, margins=(8, 2, 8, 2), spacing=2)
        self.hide()

    def show_tiles(self, tiles: Sequence[Tile]) -> None:
        """Show these frames."""
        self.tiles.tiles = tuple(tiles)
        self.tiles.set_current(self.tiles.current)

    def set_current(self, frame_index: int) -> None:
        """Mark the frame on screen."""
        if frame_index != self.tiles.current:
            self.tiles.set_current(frame_index)


MOST_TILES = 16
LEAST_FRAME_PX = 220
ROOM_FOR_TWO_PX = 880  # height of a window that holds two strips and a frame worth looking at


class StripBelow(Protocol):
    """Another strip below the frame."""

    @property
    def is_shown(self) -> bool:
        """Whether it is shown."""

    def fold(self, is_folded: bool) -> None:
        """Hide or show it."""


def strip_method(method: Method) -> Method:
    """How a strip is explained: exact Score-CAM would take its seconds for every frame."""
    return "quick" if method == "score-cam" else method


class EventExplaining(Part):
    """Shows explanations along an event; frames are explained one after the other."""

    def __init__(self, workspace: Workspace, owner: Part, explaining: Explaining, below: StripBelow) -> None:
        super().__init__(workspace, owner)
        self._explaining, self._below = explaining, below
        self.strip = EventStrip(workspace.player.frame_view.overlay, workspace.thumbnails.get)
        self._span: Span | None = None
        self._title = ""
        self._peak: int | None = None
        self._frames: tuple[int, ...] = ()
        self.strip.tiles.frame_chosen.connect(workspace.guard(workspace.go_to_frame))
        self.strip.close_button.clicked.connect(self.fold)
        self.strip.tiles.room_changed.connect(self._fill)
        self._explaining.map_changed.connect(lambda _: self._show_state())
        self._explaining.queue.changed.connect(self._show_state)
        self._explaining.shown_anew.connect(self._ask)
        workspace.thumbnails.arrived.connect(lambda _: self.strip.tiles.update())
        workspace.player.frame_view.resized.connect(self._hide_if_low, Qt.ConnectionType.QueuedConnection)
        self._connections = Connections(
            (self._session.frame_changed, self.strip.set_current), (self._session.study_closed, self.fold)
        )

    def explain_event(self) -> None:
        """Show or hide the explanations along the event on screen."""
        if not self.strip.isHidden():
            self.fold()
            return
        reading = self._workspace.reading
        event = reading.event_here()
        if event is not None and not reading.place.is_span_marked:
            if event.name not in reading.flags.pathology_names and reading.flags.live is not None:
                raise UserError(
                    "Only the live scores know this class; the model in use cannot explain it.",
                    "Keep the live scores as a model ({key}) and use it.",
                    key_of("keep_live_model"),
                )
            self._session.explain(event.name)
            title = self._session.vocabulary.of(event.name).shown_title
            self._open(event.span, event.peak_frame, title)
        elif reading.place.is_span_marked:
            self._open(reading.place.span_to_label(), reading.place.frame_index, tr("Marked span"))
        else:
            raise NothingToDoError(
                "No event is flagged on this frame.",
                "Go to an event ({next_unseen_event}), or mark a span ({mark_start}, {mark_stop}).",
                key_of("next_unseen_event"),
                key_of("mark_start"),
                key_of("mark_stop"),
            )

    def _hide_if_low(self, frame_height: int) -> None:
        """Hide this strip where the neighbour strip is shown too and little room is left for the frame."""
        if frame_height < LEAST_FRAME_PX and self._below.is_shown and not self.strip.isHidden():
            self.fold()

    def _open(self, span: Span, peak: int, title: str) -> None:
        reading = self._workspace.reading
        self._span, self._peak = span, peak if peak in span else None
        start = format_time(float(reading.index.video_seconds[span.start]))
        frames = counted(len(span), "frame")
        self._title = tr("{title}, {frames}, at {time}", title=title, frames=frames, time=start)
        if self._below.is_shown and self._workspace.window.height() < ROOM_FOR_TWO_PX:
            self._below.fold(True)
        self.strip.show()
        self.strip.set_current(reading.place.frame_index)
        self._fill()

    def fold(self) -> None:
        """Hide the strip and cancel its requests."""
        self._span = None
        self._frames = ()
        self.strip.hide()
        self._explaining.queue.ask_later(())

    def _fill(self) -> None:
        """Choose as many frames as fit."""
        reading = self._session.reading
        if self._span is None or reading is None:
            return
        frames = spread_frames(self._span, min(MOST_TILES, self.strip.tiles.room), self._peak)
        if frames != self._frames:
            self._frames = frames
            self.strip.show_tiles([Tile(frame, self._words(frame)) for frame in frames])
            self._ask()

    def _words(self, frame_index: int) -> str:
        """Time and score of a frame."""
        reading, name = self._workspace.reading, self._explaining.cams.class_name
        time = format_time(float(reading.index.video_seconds[frame_index]))
        score = reading.flags.track(name or "")[frame_index] if name in reading.flags.pathology_names else np.nan
        return time if np.isnan(score) else f"{time}  {score_text(float(score))}"

    def _ask(self) -> None:
        """Request missing explanations; a strip uses the quick method, E computes one frame exactly."""
        cams = self._explaining.cams
        if self._span is None:
            return
        self.strip.show_tiles([Tile(frame, self._words(frame)) for frame in self._frames])
        missing = () if cams.is_from_scores else [frame for frame in self._frames if cams.explanation(frame) is None]
        asked = (cams.request(frame, strip_method(cams.method)) for frame in missing)
        requests = [request for request in asked if request is not None]
        self._explaining.queue.ask_later(requests)
        self._show_state()

    def _show_state(self) -> None:
        if self._span is None:
            return
        waiting = self._explaining.queue.waiting_count
        method = tr(explain_method(strip_method(self._explaining.cams.method)).title)
        done = len(self._frames) - waiting
        how_far = tr("explaining, {done} of {count}", done=done, count=len(self._frames)) if waiting else ""
        self.strip.title.setText("   ".join(filter(None, (self._title, method, how_far))))
        self.strip.tiles.update()
