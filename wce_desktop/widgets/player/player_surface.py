"""The visible part of the player: pages, frame, overlay, notes; independent of decoding."""

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from training.video import FieldOfView
from wce_desktop.core.language import tr
from wce_desktop.widgets.player.empty_state import EmptyState
from wce_desktop.widgets.player.enhancement import RAW
from wce_desktop.widgets.player.frame_view import FrameView, NotesProvider
from wce_desktop.widgets.player.overlay_layer import CamProvider
from wce_desktop.widgets.player.transport import Transport


class PlayerSurface(QWidget):
    """Empty state or frames, above the transport; plain setters for all that is laid over a frame."""

    overlay_visible_changed = Signal(bool)
    overlay_opacity_changed = Signal(float)
    menu_requested = Signal(QPoint)
    """Place on the screen; a right click on the frame, or the menu key."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame_view = FrameView()
        self.empty_state = EmptyState()
        self.transport = Transport()
        self._is_study_open = False
        self._pages = QStackedLayout()
        self._pages.addWidget(self.empty_state)
        self._pages.addWidget(self.frame_view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addLayout(self._pages, 1)
        column.addLayout(self._row, 1)
        column.addWidget(self.transport)
        self.transport.overlay_requested.connect(self.set_overlay_visible)
        self.transport.opacity_requested.connect(self.set_overlay_opacity)
        self._show_overlay()

    def put_beside_frame(self, widget: QWidget) -> None:
        """Put a widget at the right of the frame, above the transport; the frame is as high with it as without."""
        self._row.addWidget(widget)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the frame; without a study there is none."""
        is_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        if self._is_study_open and (is_key or self.frame_view.geometry().contains(event.pos())):
            middle = self.frame_view.mapToGlobal(self.frame_view.rect().center())
            self.menu_requested.emit(middle if is_key else event.globalPos())

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
        self.frame_view.overlay.missing_words = missing_words or tr("No explanation for this frame")
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

    def set_enhancement(self, name: str) -> None:
        """Show frames in a view of `widgets.player.enhancement`; only on the screen."""
        self.frame_view.enhancer.choose(name)
        self.transport.set_enhancement(self.frame_view.enhancer.chosen)
        self.frame_view.update()

    # Notes on the frame

    def set_field_of_view(self, field_of_view: FieldOfView | None) -> None:
        """Set the field of view: overlays lie on its square."""
        self.frame_view.overlay.set_field_of_view(field_of_view)

    def set_notes_provider(self, provider: NotesProvider | None) -> None:
        """Take chips, boxes and score text of any frame from here, so that they never lag behind the frame."""
        self.frame_view.set_notes_provider(provider)

    def refresh_notes(self) -> None:
        """Ask the provider again: labels or scores changed."""
        self.frame_view.update_notes()

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace the buttons' tooltips by those of the table of actions: action's id to text."""
        self.transport.set_tips(tips)
        self.frame_view.set_tips(tips)

    # Inside

    def _set_study_open(self, is_open: bool) -> None:
        """Whether there is something to move through; without, the overlay has nothing to lie on."""
        self._is_study_open = is_open
        self.transport.set_study_open(is_open)
        self._show_overlay()

    def _clear(self) -> None:
        """Forget all that belongs to a study."""
        self.frame_view.clear()
        self.frame_view.overlay.set_provider(None)
        self.set_enhancement(RAW)
        self.set_field_of_view(None)
        self._set_study_open(False)

    def _show_overlay(self) -> None:
        overlay = self.frame_view.overlay
        self.transport.set_overlay(overlay.is_visible, overlay.opacity, self._is_study_open)
        self.frame_view.update()
