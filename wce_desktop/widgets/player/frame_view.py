"""The frame, as large as it can be; or two or four successive ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from wce_desktop.core import format_frame, tr
from wce_desktop.widgets import basic, plain_text, theme
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player import enhancement, geometry, overlay_layer, pictures, shape_painter
from wce_desktop.widgets.player.annotation_painter import FrameNotes

NotesProvider = Callable[[int], FrameNotes]
_LOWER_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
_LOWER_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
_UPPER_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
NOTCH = 120
"""What a notch of the wheel turns, in eighths of a degree."""
TEN_FRAMES = 10


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame on screen; `picture` is None when it could not be read."""

    frame_index: int
    picture: QImage | None


@dataclass(frozen=True, slots=True)
class ChipButton:
    """A button of a suggestion's chip: on which frame, of which class, whether it accepts, and where."""

    frame_index: int
    name: str
    is_accept: bool
    place: QRectF


class FrameView(QWidget):
    """Paints frames, overlay and notes; pans by drag. Zoom and pan stay from frame to frame.

    The wheel steps one frame a notch, with Shift ten frames; with Ctrl it zooms.

    The frame's own pixels are painted as they are, or in the view of `enhancer`, which is named on the frame;
    everything else is a layer of its own above them.
    """

    painted = Signal(int)
    """First frame index of the frames that were just drawn for the first time; connect it queued."""
    zoomed = Signal(float)
    """New factor over the fit."""
    resized = Signal(int)
    """New height in px."""
    steps_requested = Signal(int)
    """Frames to go on, or (negative) back; the wheel."""
    answer_requested = Signal(int, str, bool)
    """Frame index, class and whether it is accepted; a button of a suggestion's chip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overlay = overlay_layer.OverlayLayer()
        self.enhancer = enhancement.Enhancer()
        """The view in which frames are painted; `frames` stay as recorded."""
        self.zoom = geometry.Zoom()
        """Magnification over the fit, 1 to 24, and its centre."""
        self._scaler = pictures.PictureScaler()
        self.frames: tuple[ShownFrame, ...] = ()
        """What is shown now."""
        self._frame_size = QSizeF(4, 3)
        self._cell_count = 1
        self._notes_provider: NotesProvider | None = None
        self._notes_painted = FrameNotes()
        self._similar_counts: NDArray[np.int64] | None = None
        self._waiting_text = ""
        self._message = ("", "")
        self._is_unpainted = False
        self._dragged_from: QPointF | None = None
        self._turned = 0
        self._hot: ChipButton | None = None
        self._pressed: ChipButton | None = None
        self.tips: Mapping[str, str] = {}
        """Of the actions `accept_event` and `reject_event`, for the chips' buttons."""
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 96)
        self.setAccessibleName(tr("Frame"))

    def sizeHint(self) -> QSize:
        return QSize(800, 640)

    @property
    def spoken_value(self) -> str:
        """What a screen reader says: which frames are shown and what is written on them; else why there is none."""
        sentences = []
        for frame in self.frames:
            chips = [
                tr("{title} (suggested)", title=chip.title) if chip.is_suggested else chip.title
                for chip in self.notes(frame.frame_index).chips
            ]
            unreadable = [] if frame.picture is not None else [tr("could not be read")]
            sentences.append(", ".join((tr("frame {number}", number=frame.frame_index + 1), *unreadable, *chips)))
        return "; ".join(sentences) or " ".join(filter(None, (*self._message, self._waiting_text))) or tr("no frame")

    def set_frames(self, frames: tuple[ShownFrame, ...], cell_count: int) -> None:
        """Show successive frames, in `cell_count` cells (more cells than frames at the end of a study)."""
        self.frames, self._cell_count = frames, cell_count
        self._waiting_text, self._message = "", ("", "")
        picture = next((frame.picture for frame in frames if frame.picture is not None), None)
        if picture is not None:
            self._frame_size = QSizeF(picture.size())
        self._is_unpainted = bool(frames)
        if frames:
            self.setAccessibleDescription(tr("Frame {frame}", frame=format_frame(frames[0].frame_index + 1)))
        basic.value_changed(self)
        self.update()

    def clear(self) -> None:
        """Show nothing; the zoom goes back to the fit."""
        self._similar_counts = None
        self.set_frames((), 1)
        self.zoom_fit()

    def set_similar_counts(self, counts: NDArray[np.int64] | None) -> None:
        """Say on a frame for how many similar ones it stands: (N,) with 1 for none; None says nothing."""
        self._similar_counts = counts
        self.update()

    def set_waiting(self, text: str) -> None:
        """Say what is being waited for: in the middle when there is no frame, else in a corner; "" says nothing."""
        self._waiting_text = text
        self.update()

    def set_message(self, title: str, hint: str) -> None:
        """Show a sentence, and what to do, instead of frames."""
        self.set_frames((), 1)
        self._message = (title, hint)

    def set_notes_provider(self, provider: NotesProvider | None) -> None:
        """Take what is written on a frame from here, each time the frame is painted."""
        self._notes_provider = provider
        self.update()

    def update_notes(self) -> None:
        """Paint what is written on the frames again: of a single frame on which only chips changed, just these.

        A frame that fills a large screen takes several milliseconds to paint, and labels are given quickly.
        """
        before = self._notes_painted
        if self._cell_count > 1 or not self.frames or self.overlay.is_visible or self._corner_words(self.frames[0]):
            self.update()
            return
        now = self.notes(self.frames[0].frame_index)
        if (now.outlines, now.shapes) != (before.outlines, before.shapes):
            self.update()
            return
        if now.chips == before.chips:
            return
        cell = self._cells()[0]
        seen = self._frame_rect(cell).intersected(cell)
        for plate in (*annotate.chip_plates(before.chips, seen), *annotate.chip_plates(now.chips, seen)):
            self.update(plate.toAlignedRect().adjusted(-2, -2, 2, 2))

    def zoom_in(self) -> None:
        """Enlarge around the middle."""
        self._zoom_at(geometry.ZOOM_STEP, None)

    def zoom_out(self) -> None:
        """Shrink around the middle, down to the fit."""
        self._zoom_at(1 / geometry.ZOOM_STEP, None)

    def zoom_fit(self) -> None:
        """Show whole frames again."""
        self.zoom.fit()
        self._zoom_changed()

    def frame_rects(self) -> list[QRectF]:
        """Where each shown frame lies in the view, in view pixels; beyond its cell when zoomed."""
        return [self._frame_rect(cell) for cell in self._cells()[: len(self.frames)]]

    def is_blank(self, plate: QRectF) -> bool:
        """Whether no text of the recording, such as a clock, is painted there; True without a frame."""
        shown = zip(self.frame_rects(), self._painted_frames(), strict=False)
        return all(
            overlay_layer.is_blank(
                frame.picture, rect, plate, overlay_layer.shape_on_screen(self.overlay, rect, self._frame_size)
            )
            for rect, frame in shown
            if frame.picture is not None
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit(self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.ON_PICTURE.background))
        for at, (cell, frame) in enumerate(zip(self._cells(), self._painted_frames(), strict=False)):
            self._paint_cell(painter, cell, frame, is_alone=self.is_beside and at == 0)
        (title, hint), area = self._message, QRectF(self.rect())
        if title or (self._waiting_text and not self.frames):
            annotate.draw_card(painter, area, title or self._waiting_text, hint)
        elif self._waiting_text:
            annotate.draw_caption(painter, area, self._waiting_text, _UPPER_RIGHT)
        painter.end()
        if self._is_unpainted:
            self._is_unpainted = False
            self.painted.emit(self.frames[0].frame_index)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, modifiers = event.angleDelta().y() or event.angleDelta().x(), event.modifiers()
        event.accept()
        if not turned or not self.frames:
            return
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._zoom_at(geometry.ZOOM_STEP ** (turned / NOTCH), event.position())
            return
        if turned * self._turned < 0:
            self._turned = 0
        self._turned += turned  # a touchpad turns by parts of a notch
        notches = int(self._turned / NOTCH)
        self._turned -= notches * NOTCH
        if notches:
            self.steps_requested.emit(-notches * (TEN_FRAMES if modifiers & Qt.KeyboardModifier.ShiftModifier else 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = self.chip_button_at(event.position())
        if self._pressed is None and self.zoom.factor > 1:
            self._dragged_from = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged_from is not None:
            self.zoom.pan_by(event.position() - self._dragged_from, self._cells()[0], self._frame_size)
            self._dragged_from = event.position()
            self.update()
        else:
            self._show_hot(self.chip_button_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged_from = None
        pressed, self._pressed = self._pressed, None
        self._zoom_changed()
        if pressed is not None and pressed == self.chip_button_at(event.position()):
            self._show_hot(None)
            self.answer_requested.emit(pressed.frame_index, pressed.name, pressed.is_accept)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed = self.chip_button_at(event.position())
        if self._pressed is None:
            self.zoom_fit()

    def leaveEvent(self, event: QEvent) -> None:
        self._show_hot(None)
        super().leaveEvent(event)

    def chip_button_at(self, at: QPointF) -> ChipButton | None:
        """The button of a suggestion under a point of the view."""
        for cell, frame in zip(self._cells(), self._painted_frames(), strict=False):
            chips = self.notes(frame.frame_index).chips if cell.contains(at) else ()
            for chip, plate in zip(
                chips, annotate.chip_plates(chips, self._frame_rect(cell).intersected(cell)), strict=True
            ):
                if chip.has_buttons and plate.contains(at):
                    for is_accept, place in zip((True, False), annotate.answer_buttons(plate), strict=True):
                        if place.contains(at):
                            return ChipButton(frame.frame_index, chip.name, is_accept, place)
        return None

    def _show_hot(self, button: ChipButton | None) -> None:
        """Mark the button under the pointer."""
        if button == self._hot:
            return
        for changed in (self._hot, button):
            if changed is not None:
                self.update(changed.place.toAlignedRect())
        self._hot = button
        action_id = "" if button is None else "accept_event" if button.is_accept else "reject_event"
        self.setToolTip(plain_text.plain(self.tips.get(action_id, "")))
        self._show_cursor()

    def _show_cursor(self) -> None:
        shape = Qt.CursorShape.OpenHandCursor if self.zoom.factor > 1 else Qt.CursorShape.ArrowCursor
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._hot is not None else shape)

    @property
    def is_beside(self) -> bool:
        """True while the frame without overlay is shown beside the explained one; only with one frame."""
        return self.overlay.is_visible and self.overlay.is_beside and self._cell_count == 1

    def _cells(self) -> list[QRectF]:
        return geometry.cells(QRectF(self.rect()), self._frame_size, 2 if self.is_beside else self._cell_count)

    def _painted_frames(self) -> tuple[ShownFrame, ...]:
        return self.frames * 2 if self.is_beside else self.frames

    def _frame_rect(self, cell: QRectF) -> QRectF:
        return pictures.on_device_pixels(self.zoom.rect(cell, self._frame_size), self.devicePixelRatioF())

    def _zoom_at(self, ratio: float, anchor: QPointF | None) -> None:
        """Zoom around a point of the view; every cell shows the same part of its frame."""
        under = [cell for cell in self._cells() if anchor is not None and cell.contains(anchor)]
        cell = under[0] if under else self._cells()[0]
        self.zoom.zoom_by(ratio, anchor if under and anchor is not None else cell.center(), cell, self._frame_size)
        self._zoom_changed()

    def _zoom_changed(self) -> None:
        self._show_cursor()
        self.zoomed.emit(self.zoom.factor)
        self.update()

    def _paint_cell(self, painter: QPainter, cell: QRectF, frame: ShownFrame, *, is_alone: bool) -> None:
        rect = self._frame_rect(cell)
        if frame.picture is None:
            title = tr("Frame {frame} could not be read", frame=format_frame(frame.frame_index + 1))
            annotate.draw_card(painter, rect.intersected(cell), title)
            return
        painter.save()
        painter.setClipRect(cell)
        self._scaler.draw(painter, rect, self.enhancer.picture(frame.picture), self.devicePixelRatioF())
        notes = self._notes_painted = self.notes(frame.frame_index)
        is_small, corners = self._cell_count > 1, [_LOWER_LEFT]
        corners += [] if is_small or self.zoom.factor > 1 else [_LOWER_RIGHT]
        corners += [] if self._corner_words(frame) or (is_small and notes.chips) else [_UPPER_RIGHT]
        if is_alone:
            overlay_layer.paint_original_caption(painter, self.overlay, rect, cell, frame.picture, corners)
        elif self.overlay.is_visible:
            layer, size = self.overlay.layer(frame.frame_index), QSizeF(frame.picture.size())
            if layer is not None:
                overlay_layer.paint_layer(painter, self.overlay, layer, rect, size)
            overlay_layer.paint_words(
                painter,
                self.overlay,
                layer,
                rect,
                cell,
                frame.picture,
                notes.score_text,
                corners=corners,
                is_small=is_small,
            )
        self._paint_notes(painter, rect, cell, frame, notes)
        painter.restore()

    def notes(self, frame_index: int) -> FrameNotes:
        """What is written on a frame."""
        return self._notes_provider(frame_index) if self._notes_provider is not None else FrameNotes()

    def _paint_notes(self, painter: QPainter, rect: QRectF, cell: QRectF, frame: ShownFrame, notes: FrameNotes) -> None:
        seen = rect.intersected(cell)
        annotate.draw_outlines(painter, notes.outlines, rect, QSizeF(self._frame_size))
        shape_painter.draw_shapes(painter, notes.shapes, rect, QSizeF(self._frame_size))
        hot = self._hot if self._hot is not None and self._hot.frame_index == frame.frame_index else None
        annotate.draw_chips(painter, notes.chips, seen, (hot.name, hot.is_accept) if hot is not None else None)
        annotate.draw_corner(painter, seen, self._corner_words(frame), annotate.chip_plates(notes.chips, seen))
        if self._cell_count > 1:
            is_first = frame is self.frames[0]  # what a label given now would stand on
            number = format_frame(frame.frame_index + 1)
            annotate.draw_caption(painter, seen, number, _LOWER_RIGHT, is_current=is_first)
        elif self.zoom.factor > 1:
            annotate.draw_caption(painter, seen, f"{self.zoom.factor * 100:.0f} %", _LOWER_RIGHT)

    def _corner_words(self, frame: ShownFrame) -> list[str]:
        """In which view the frame is, so that nobody takes it for the recorded one, and for how many it stands."""
        words, chosen, counts = [], self.enhancer.chosen, self._similar_counts
        if chosen.apply is not None:
            words.append(tr("{view} (not as recorded)", view=tr(chosen.title)))
        if counts is not None and frame.frame_index < len(counts) and counts[frame.frame_index] > 1:
            words.append(tr("{count} similar frames", count=int(counts[frame.frame_index])))
        return words
