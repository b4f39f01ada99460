"""The player as one widget: opening, moving, playing, explaining. The rest of the window sees only this."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from training.errors import UserError
from training.video import FieldOfView, FrameIndex
from wce_desktop.core.clock import format_time
from wce_desktop.core.span import Span
from wce_desktop.ui import theme
from wce_desktop.ui.player.conductor import Conductor
from wce_desktop.ui.player.empty_state import EmptyState
from wce_desktop.ui.player.frame_view import FrameView, NotesProvider, ShownFrame
from wce_desktop.ui.player.notes import Chip, FrameNotes
from wce_desktop.ui.player.overlay_layer import CamProvider
from wce_desktop.ui.player.pictures import layer_picture
from wce_desktop.ui.player.transport import Transport

OPACITY_STEP = 0.1
OUTSIDE_PX = 1024


class PlayerView(QWidget):
    """Shows one study's frames. Labels belong to `frame_index`, which is what is on screen, not what is being fetched.

    Opening never blocks: the first picture comes first, then the index (unless given), then every frame can be shown.
    Call `shutdown` before the window goes, so that no thread outlives it (the application's end does it too).
    """

    opened = Signal()
    """The first picture of the study is on screen."""
    index_ready = Signal(object)
    """FrameIndex; also when it was given."""
    failed = Signal(object)
    """UserError: the study cannot be read; the view shows its sentence."""
    frame_changed = Signal(int)
    """Frame index (of the first view), once it is on screen."""
    state_changed = Signal(bool, int)
    """Whether it plays, rate in frames/s."""
    seen = Signal(int, int)
    """Half-open bounds of frames that were on screen long enough (see `core.dwell.Dwell`), about once a second."""
    views_changed = Signal(int)
    overlay_visible_changed = Signal(bool)
    overlay_opacity_changed = Signal(float)
    open_requested = Signal()
    demo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame_view = FrameView()
        self.empty_state = EmptyState()
        self.transport = Transport()
        self.conductor = Conductor(self)
        self._notes_provider: NotesProvider | None = None
        self._chips: tuple[Chip, ...] = ()
        self._landmarks: list[tuple[int, str]] = []
        self._field_of_view: FieldOfView | None = None
        self._is_outside_masked = False
        self._is_opened = False
        self._pages = QStackedLayout()
        self._pages.addWidget(self.empty_state)
        self._pages.addWidget(self.frame_view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._pages, 1)
        column.addWidget(self.transport)
        self.frame_view.set_notes_provider(self._notes)
        self._connect()
        self._show_state(False, self.conductor.playback.rate_fps)
        self.transport.set_views(1)
        self._show_overlay()

    def _connect(self) -> None:
        conductor, view = self.conductor, self.frame_view
        conductor.frames_due.connect(self._draw)
        view.painted.connect(conductor.painted, Qt.ConnectionType.QueuedConnection)
        conductor.frame_changed.connect(self._on_frame_changed)
        conductor.waiting.connect(view.set_waiting)
        conductor.state_changed.connect(self._show_state)
        conductor.state_changed.connect(self.state_changed)
        conductor.seen.connect(self.seen)
        conductor.index_progressed.connect(self._show_index_progress)
        conductor.index_ready.connect(self._on_index)
        conductor.failed.connect(self._on_failed)
        self.empty_state.open_requested.connect(self.open_requested)
        self.empty_state.demo_requested.connect(self.demo_requested)
        self._connect_transport()
        if (application := QCoreApplication.instance()) is not None:
            application.aboutToQuit.connect(self.shutdown)

    def _connect_transport(self) -> None:
        transport = self.transport
        transport.play_toggled.connect(self.toggle)
        transport.step_requested.connect(self.step)
        transport.first_requested.connect(self.go_first)
        transport.last_requested.connect(self.go_last)
        transport.faster_requested.connect(self.faster)
        transport.slower_requested.connect(self.slower)
        transport.views_requested.connect(self.set_views)
        transport.overlay_requested.connect(self.set_overlay_visible)
        transport.opacity_requested.connect(self.set_overlay_opacity)

    # The study

    def open_path(self, path: Path, index: FrameIndex | None = None) -> None:
        """Open a study (a video or a folder of images) instead of the one that is open; returns at once."""
        self._clear()
        self._pages.setCurrentWidget(self.frame_view)
        self.conductor.open(path, index)

    def close_study(self) -> None:
        """Show the empty state; returns at once."""
        self.conductor.close()
        self._clear()
        self._pages.setCurrentWidget(self.empty_state)

    def shutdown(self) -> None:
        """End the study's thread and wait for it."""
        self.conductor.shutdown()

    @property
    def frame_index(self) -> int | None:
        """The frame on screen (the first one of several); None while there is none."""
        return self.conductor.on_screen

    @property
    def frame_count(self) -> int:
        """Frames of the study, 0 until the index is ready."""
        return self.conductor.playback.frame_count

    @property
    def is_playing(self) -> bool:
        """True while playing."""
        return self.conductor.playback.is_playing

    @property
    def rate_fps(self) -> int:
        """The play rate."""
        return self.conductor.playback.rate_fps

    @property
    def views(self) -> int:
        """How many successive frames are shown."""
        return self.conductor.playback.views

    # Moving

    def show_frame(self, frame_index: int) -> None:
        """Go to a frame, held within the study; remembered until the index is ready."""
        self.conductor.show_frame(frame_index)

    def step(self, frames: int) -> None:
        """Go some frames on or (negative) back; pauses."""
        self.conductor.pause()
        self.conductor.step(frames)

    def go_first(self) -> None:
        """Go to the first frame."""
        self.show_frame(0)

    def go_last(self) -> None:
        """Go to the last frame."""
        self.show_frame(self.frame_count - 1)

    def play(self, direction: int = 1) -> bool:
        """Play forwards (1) or backwards (-1) until paused or at the end; False when nothing is left that way."""
        return self.conductor.play(direction)

    def pause(self) -> None:
        """Stop at what is on screen."""
        self.conductor.pause()

    def toggle(self, direction: int = 1) -> None:
        """Pause if it plays, else play."""
        self.pause() if self.is_playing else self.play(direction)

    def faster(self) -> None:
        """Next higher rate."""
        self.conductor.faster()

    def slower(self) -> None:
        """Next lower rate."""
        self.conductor.slower()

    def set_rate(self, rate_fps: int) -> None:
        """Play at 1 to 60 frames/s."""
        self.conductor.set_rate(rate_fps)

    def set_flagged_spans(self, spans: Iterable[Span] | None) -> None:
        """Play only these frames (sorted, disjoint spans, such as a `SpanSet`) of the open study; None plays all."""
        self.conductor.set_spans(spans)

    def set_views(self, views: int) -> None:
        """Show 1, 2 or 4 successive frames."""
        self.conductor.set_views(views)
        self.transport.set_views(views)
        self.views_changed.emit(views)

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

    def set_overlay_provider(self, provider: CamProvider | None, full_scale: float | None = None) -> None:
        """Take raw CAMs (h, w) float32 by frame index from here, None where there is none (asked while painting).

        `full_scale` is the evidence drawn as the strongest colour, best one for the whole study
        (`core.overlay.full_scale_of`); None scales each map by its own maximum.
        """
        self.frame_view.overlay.set_provider(provider, full_scale)
        self._show_overlay()

    def set_explanation(self, method: str, model: str) -> None:
        """Name, in the frame's corner, the method ("CAM") and the model that the overlay comes from."""
        self.frame_view.overlay.method, self.frame_view.overlay.model = method, model
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

    # What stands on the frame

    def set_field_of_view(self, field_of_view: FieldOfView | None) -> None:
        """Tell where tissue is: overlays lie on its square, and what is outside can be hidden."""
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
        self.frame_view.update()

    def set_chips(self, chips: Sequence[Chip]) -> None:
        """Add chips to the first frame on screen until another frame comes; a provider is better while playing."""
        self._chips = tuple(chips)
        self.refresh_notes()

    def set_landmarks(self, landmarks: Iterable[tuple[int, str]]) -> None:
        """Tell the first frames of regions as (frame index, title), for the time since the last one."""
        self._landmarks = sorted(landmarks)
        self._show_position()

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace the buttons' tooltips by those of the table of actions: action's id to text."""
        self.transport.set_tips(tips)

    # Inside

    def _clear(self) -> None:
        self._is_opened = False
        self._chips, self._landmarks, self._field_of_view = (), [], None
        self.frame_view.clear()
        self.frame_view.overlay.set_provider(None, None)
        self.set_field_of_view(None)
        self.transport.set_study_open(False)
        self._show_overlay()

    def _draw(self, frames: tuple[ShownFrame, ...]) -> None:
        if self.frame_index != frames[0].frame_index:
            self._chips = ()
        self.frame_view.set_frames(frames, self.views)
        if not self.frame_view.isVisible():  # never painted, so it counts as shown (but not as seen) right away
            self.conductor.hidden(frames[0].frame_index)

    def _on_frame_changed(self, frame_index: int) -> None:
        self._show_position()
        if not self._is_opened:
            self._is_opened = True
            self._show_outside()
            self.opened.emit()
        self.frame_changed.emit(frame_index)

    def _on_index(self, index: FrameIndex) -> None:
        self.transport.set_note("")
        self.transport.set_study_open(True)
        self._show_overlay()
        self._show_position()
        self.index_ready.emit(index)

    def _on_failed(self, error: UserError) -> None:
        self.transport.set_note("")
        self.transport.set_study_open(False)
        self.frame_view.set_message(error.message, error.hint)
        self.failed.emit(error)

    def _notes(self, frame_index: int) -> FrameNotes:
        notes = self._notes_provider(frame_index) if self._notes_provider is not None else FrameNotes()
        is_first = self._chips and frame_index == self.frame_view.frames[0].frame_index
        return replace(notes, chips=notes.chips + self._chips) if is_first else notes

    def _show_state(self, is_playing: bool, rate_fps: int) -> None:
        self.transport.set_playing(is_playing, rate_fps)

    def _show_index_progress(self, done: int, total: int) -> None:
        self.transport.set_note(f"reading the index, {100 * done // total} %" if total else "reading the index…")

    def _show_overlay(self) -> None:
        overlay = self.frame_view.overlay
        self.transport.set_overlay(overlay.is_visible, overlay.opacity, self.frame_count > 0)
        self.frame_view.update()

    def _show_position(self) -> None:
        index, frame_index = self.conductor.index, self.frame_index
        if frame_index is None:
            return
        if index is None or frame_index >= len(index):
            self.transport.set_position(frame_index, 0, None, "")
            return
        seconds = float(index.video_seconds[frame_index])
        self.transport.set_position(frame_index, len(index), seconds, self._since_landmark(index, frame_index))

    def _since_landmark(self, index: FrameIndex, frame_index: int) -> str:
        """ "small bowel + 0:41:12", or nothing before the first landmark."""
        last = bisect_right(self._landmarks, frame_index, key=lambda landmark: landmark[0]) - 1
        if last < 0:
            return ""
        start, title = self._landmarks[last]
        since = float(index.video_seconds[frame_index] - index.video_seconds[min(start, len(index) - 1)])
        return f"{title} + {format_time(since)}"

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
