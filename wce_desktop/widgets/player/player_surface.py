"""The visible part of the player: pages, frame, overlay, notes; independent of decoding."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from training.video import FieldOfView
from wce_desktop.widgets import theme
from wce_desktop.widgets.player.empty_state import EmptyState
from wce_desktop.widgets.player.frame_view import FrameView, NotesProvider
from wce_desktop.widgets.player.notes import Chip, FrameNotes
from wce_desktop.widgets.player.overlay_layer import CamProvider
from wce_desktop.widgets.player.pictures import layer_picture
from wce_desktop.widgets.player.transport import Transport

OPACITY_STEP = 0.1
OUTSIDE_PX = 1024


class PlayerSurface(QWidget):
    """Empty state or frames, above the transport; plain setters for all that is laid over a frame."""

    overlay_visible_changed = Signal(bool)
    overlay_opacity_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame_view = FrameView()
        self.empty_state = EmptyState()
        self.transport = Transport()
        self._notes_provider: NotesProvider | None = None
        self._chips: tuple[Chip, ...] = ()
        self._field_of_view: FieldOfView | None = None
        self._is_outside_masked = False
        self._is_study_open = False
        self._pages = QStackedLayout()
        self._pages.addWidget(self.empty_state)
        self._pages.addWidget(self.frame_view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._pages, 1)
        column.addWidget(self.transport)
        self.frame_view.set_notes_provider(self._notes)
        self.transport.overlay_requested.connect(self.set_overlay_visible)
        self.transport.opacity_requested.connect(self.set_overlay_opacity)
        self._show_overlay()

    def zoom_in(self) -> None:
        """Enlarge the frame; the zoom stays from frame to frame."""
        self.frame_view.zoom_in()

    def zoom_out(self) -> None:
        """Shrink the frame, down to the fit."""
        self.frame_view.zoom_out()

    def zoom_fit(self) -> None:
        """Fit the whole frame."""
        self.frame_view.zoom_fit()

    # The explanation

    def set_overlay_provider(self, provider: CamProvider | None, missing_words: str = "") -> None:
        """Take explanations by frame index from here, None if there is none (asked while painting, then kept).

        `missing_words` stand in the corner of a frame without one.
        """
        self.frame_view.overlay.set_provider(provider)
        self.frame_view.overlay.missing_words = missing_words or "No explanation for this frame"
        self._show_overlay()

    def refresh_explanation(self, frame_index: int) -> None:
        """Ask the provider again for one frame: its explanation has come, or a better one."""
        self.frame_view.overlay.forget(frame_index)
        self.frame_view.update()

    def set_busy_words(self, text: str) -> None:
        """Say in the corner what is being computed for the frame on screen; "" says nothing."""
        if text != self.frame_view.overlay.busy_words:
            self.frame_view.overlay.busy_words = text
            self.frame_view.update()

    def set_contour(self, level: float | None) -> None:
        """Draw a line around what reaches this share of the frame's strongest evidence; None draws none."""
        self.frame_view.overlay.set_contour(level)
        self.frame_view.update()

    def set_beside(self, is_beside: bool) -> None:
        """Show the frame without overlay beside the explained one, if one frame is shown and the overlay is on."""
        self.frame_view.overlay.is_beside = is_beside
        self.frame_view.update()

    def set_overlay_visible(self, is_visible: bool) -> None:
        """Lay the explanation over the frame, or show the frame alone."""
        is_changed = is_visible != self.frame_view.overlay.is_visible
        self.frame_view.overlay.is_visible = is_visible
        self._show_overlay()
        if is_changed:
            self.overlay_visible_changed.emit(is_visible)

    def set_overlay_opacity(self, opacity: float) -> None:
        """Set the overlay's opacity, held to 0.05..1."""
        self.frame_view.overlay.opacity = max(0.05, min(opacity, 1.0))
        self._show_overlay()
        self.overlay_opacity_changed.emit(self.frame_view.overlay.opacity)

    def overlay_stronger(self) -> None:
        """One step more opaque."""
        self.set_overlay_opacity(self.frame_view.overlay.opacity + OPACITY_STEP)

    def overlay_weaker(self) -> None:
        """One step more transparent."""
        self.set_overlay_opacity(self.frame_view.overlay.opacity - OPACITY_STEP)

    # Notes on the frame

    def set_field_of_view(self, field_of_view: FieldOfView | None) -> None:
        """Set the field of view: overlays lie on its square, and what is outside can be hidden."""
        self._field_of_view = field_of_view
        self.frame_view.overlay.set_field_of_view(field_of_view)
        self._show_outside()

    def set_outside_masked(self, is_masked: bool) -> None:
        """Hide what lies outside the field of view (clock, patient's name)."""
        self._is_outside_masked = is_masked
        self._show_outside()

    def set_notes_provider(self, provider: NotesProvider | None) -> None:
        """Take chips, boxes and score text of any frame from here, so that they never lag behind the frame."""
        self._notes_provider = provider
        self.refresh_notes()

    def refresh_notes(self) -> None:
        """Ask the provider again: labels or scores changed."""
        self.frame_view.update_notes()

    def set_chips(self, chips: Sequence[Chip]) -> None:
        """Add chips to the first frame on screen until another frame comes; a provider is better while playing."""
        self._chips = tuple(chips)
        self.refresh_notes()

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace the buttons' tooltips by those of the table of actions: action's id to text."""
        self.transport.set_tips(tips)

    # Inside

    def _set_study_open(self, is_open: bool) -> None:
        """Whether there is something to move through; without, the overlay has nothing to lie on."""
        self._is_study_open = is_open
        self.transport.set_study_open(is_open)
        self._show_overlay()

    def _clear(self) -> None:
        """Forget all that belongs to a study."""
        self._chips = ()
        self.frame_view.clear()
        self.frame_view.overlay.set_provider(None)
        self.set_field_of_view(None)
        self._set_study_open(False)

    def _notes(self, frame_index: int) -> FrameNotes:
        notes = self._notes_provider(frame_index) if self._notes_provider is not None else FrameNotes()
        is_first = self._chips and frame_index == self.frame_view.frames[0].frame_index
        return replace(notes, chips=notes.chips + self._chips) if is_first else notes

    def _show_overlay(self) -> None:
        overlay = self.frame_view.overlay
        self.transport.set_overlay(overlay.is_visible, overlay.opacity, self._is_study_open)
        self.frame_view.update()

    def _show_outside(self) -> None:
        frames = [frame.picture for frame in self.frame_view.frames if frame.picture is not None]
        if not (self._is_outside_masked and self._field_of_view is not None and frames):
            self.frame_view.set_outside_picture(None)
            return
        size = frames[0].size().scaled(OUTSIDE_PX, OUTSIDE_PX, Qt.AspectRatioMode.KeepAspectRatio)
        inside = self._field_of_view.mask(size.height(), size.width())
        color = QColor(theme.BACKGROUND)
        layer = np.zeros((*inside.shape, 4), np.uint8)
        layer[~inside] = (color.red(), color.green(), color.blue(), 255)
        self.frame_view.set_outside_picture(layer_picture(layer))
