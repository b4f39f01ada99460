"""The player as one widget, with the interface used by the rest of the window."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtCore, QtGui, QtWidgets

from training.errors import UserError
from training.video import FrameIndex
from wce_desktop.core import clock, similar
from wce_desktop.core.language import tr
from wce_desktop.widgets.basic import in_column, in_row
from wce_desktop.widgets.player import empty_state, enhancement, frame_view, overlay_layer, transport
from wce_desktop.widgets.player.controller import PlayerController


class PlayerView(QtWidgets.QWidget):
    """Shows one study's frames. Labels belong to `frame_index`, of the frame on screen, not the one being read.

    Opening never blocks: the first picture comes first, then the index (unless given), then every frame can be shown.
    Call `shutdown` before the window goes, so that no thread outlives it (the application's end does it too).
    """

    opened = QtCore.Signal()
    """The first picture of the study is on screen."""
    views_changed = QtCore.Signal(int)
    """The number of frames side by side."""
    overlay_visible_changed = QtCore.Signal(bool)
    upright_changed = QtCore.Signal(bool)
    """Whether what stands beside the frame has little width."""
    menu_requested = QtCore.Signal(QtCore.QPoint)
    """Place on the screen; a right click on the frame, or the menu key."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame_view = frame_view.FrameView()
        self.empty_state = empty_state.EmptyState()
        self.transport = transport.Transport()
        self._pages = QtWidgets.QStackedLayout()
        self._pages.addWidget(self.empty_state)
        self._pages.addWidget(self.frame_view)
        self.add_page = self._pages.addWidget
        self._row = in_row((self._pages, 1), margins=0, spacing=0)
        self._tools = QtWidgets.QWidget()
        self._tools_column = in_column(1, of=self._tools, margins=0, spacing=0)
        self._tools.hide()
        self._row.insertWidget(0, self._tools)
        self._beside: list[QtWidgets.QWidget] = []
        self._below: list[QtWidgets.QWidget] = []
        self._column = in_column((self._row, 1), self.transport, of=self, margins=0, spacing=0)
        view = self.frame_view
        # The frame's own, under the names of the player.
        self.zoom_in, self.zoom_out, self.zoom_fit = view.zoom_in, view.zoom_out, view.zoom_fit
        self.set_notes_provider, self.refresh_notes = view.set_notes_provider, view.update_notes
        self.set_field_of_view = view.overlay.set_field_of_view
        self.controller = controller = PlayerController(self)
        # The controller's own, under the names of the player.
        self.index_ready, self.failed, self.shutdown = controller.index_ready, controller.failed, controller.shutdown
        self.frame_changed, self.state_changed = controller.frame_changed, controller.state_changed
        self.looked, self.flush_seen = controller.looked, controller.flush_seen
        self.show_frame, self.play, self.pause = controller.show_frame, controller.play, controller.pause
        self.faster, self.slower, self.set_rate = controller.faster, controller.slower, controller.set_rate
        self.set_pace, self.playback = controller.set_pace, controller.playback
        self._landmarks: list[tuple[int, str]] = []
        self._is_opened = self._is_study_open = False
        controller.frames_due.connect(self._draw)
        controller.frame_changed.connect(self._on_frame_changed)
        controller.waiting.connect(view.set_waiting)
        controller.state_changed.connect(self._show_state)
        controller.index_progressed.connect(self._show_index_progress)
        controller.index_ready.connect(self._on_index)
        controller.failed.connect(self._on_failed)
        view.steps_requested.connect(self.step)
        view.painted.connect(controller.painted, QtCore.Qt.ConnectionType.QueuedConnection)
        self._show_state(False, self.playback.rate_fps)
        self._show_overlay()
        self.transport.set_views(1)
        if (application := QtCore.QCoreApplication.instance()) is not None:
            application.aboutToQuit.connect(self.shutdown)

    # The study

    def open_path(self, path: Path, index: FrameIndex | None = None, frame_index: int = 0) -> None:
        """Open a study (a video or a folder of images) at a frame, instead of what is open; returns at once."""
        self._clear()
        self.show_page(self.frame_view)
        self.controller.open(path, index, frame_index)

    def close_study(self) -> None:
        """Show the empty state; returns at once."""
        self.controller.close()
        self._clear()
        self.show_page(self.empty_state)

    def show_page(self, page: QtWidgets.QWidget | None) -> None:
        """Show a page that was added in place of the frame, which nobody sees meanwhile; None: the frame again."""
        is_frame = page in (None, self.frame_view, self.empty_state)
        if not is_frame:
            self.pause()
            self.controller.leave_screen()
        self._pages.setCurrentWidget(page or self.frame_view)
        self.setFocusProxy(None if is_frame else page)  # type: ignore[arg-type]  # keys mean what is shown; None is none

    def set_seen_limit(self, seen_up_to_fps: int) -> None:
        """Set up to which rate frames count as seen; above it the transport says so."""
        self.controller.set_seen_limit(seen_up_to_fps)
        self.transport.set_seen_limit(seen_up_to_fps)

    @property
    def frame_index(self) -> int | None:
        """The frame on screen (the first one of several); None while there is none."""
        return self.controller.on_screen

    @property
    def position(self) -> int:
        """The frame that was asked for last: it is on screen, or on its way there."""
        return self.playback.position

    @property
    def is_settled(self) -> bool:
        """True while it plays, and while the frame on screen is the one that was asked for last."""
        return self.is_playing or self.frame_index == self.position

    @property
    def is_playing(self) -> bool:
        """True while playing."""
        return self.playback.is_playing

    # Moving

    def step(self, frames: int) -> None:
        """Go some frames on or (negative) back; pauses."""
        self.controller.pause()
        self.controller.step(frames)

    def toggle(self, direction: int = 1) -> None:
        """Pause if it plays, else play."""
        self.pause() if self.is_playing else self.play(direction)

    def set_flagged_frames(self, flagged: NDArray[np.bool_] | None) -> None:
        """Play only these frames of the open study: (N,) bool, True for them; None plays all."""
        self.controller.set_flagged(flagged)

    def set_kept_frames(self, kept: NDArray[np.bool_] | None) -> None:
        """Leave out frames of the open study while playing: (N,) bool, False for these; None leaves out none.

        A frame that stands for those left out behind it says how many they are.
        """
        self.controller.set_kept(kept)
        self.frame_view.set_similar_counts(None if kept is None else similar.similar_counts(kept))

    def set_views(self, views: int) -> None:
        """Show 1, 2 or 4 successive frames."""
        self.controller.set_views(views)
        self.transport.set_views(views)
        self.views_changed.emit(views)

    def set_landmarks(self, landmarks: Iterable[tuple[int, str]]) -> None:
        """Set the first frames of regions as (frame index, title), for the time since the last one."""
        self._landmarks = sorted(landmarks)
        self._show_position()

    def put_beside_frame(self, widget: QtWidgets.QWidget) -> None:
        """Put a widget at the right of the frame, above the transport; the frame is as high with it as without."""
        self._row.addWidget(widget)
        self._beside.append(widget)

    def put_below_tools(self, widget: QtWidgets.QWidget) -> None:
        """Put a widget below the transport, or below all that stands in the column at the left of the frame."""
        self._below.append(widget)
        self._column.addWidget(widget)

    def put_second(self, widget: QtWidgets.QWidget) -> None:
        """Put a widget at the right of the frame, as wide as the frame while it is shown."""
        self._row.insertWidget(self._row.indexOf(self._pages) + 1, widget, 1)

    def set_upright(self, is_upright: bool) -> None:
        """Put the playing buttons and what stands beside the frame into one column at its left: the frame is higher."""
        for at, widget in enumerate((self.transport, *self._beside, *self._below)):
            if is_upright:
                self._tools_column.insertWidget(at, widget)
            else:
                (self._row if widget in self._beside else self._column).addWidget(widget)
        self.transport.set_upright(is_upright)
        self._tools.setVisible(is_upright)
        self.upright_changed.emit(is_upright)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Ask for the menu of the frame; without a study there is none."""
        is_key = event.reason() == QtGui.QContextMenuEvent.Reason.Keyboard
        if self._is_study_open and (is_key or self.frame_view.geometry().contains(event.pos())):
            middle = self.frame_view.mapToGlobal(self.frame_view.rect().center())
            self.menu_requested.emit(middle if is_key else event.globalPos())

    # The explanation

    def set_overlay_provider(self, provider: overlay_layer.CamProvider | None, missing_words: str = "") -> None:
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

    def set_look(self, level: float, *, is_filled: bool) -> None:
        """Draw a contour around what reaches this share of the frame's strongest evidence, or fill the overlay."""
        self.frame_view.overlay.set_look(level, is_filled=is_filled)
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

    def set_enhancement(self, name: str) -> None:
        """Show frames in a view of `widgets.player.enhancement`; only on the screen."""
        self.frame_view.enhancer.choose(name)
        self.transport.set_enhancement(self.frame_view.enhancer.chosen)
        self.frame_view.update()

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace the buttons' tooltips by those of the table of actions: action's id to text."""
        self.transport.set_tips(tips)
        self.frame_view.tips = tips

    # Inside

    def _set_study_open(self, is_open: bool) -> None:
        """Whether there is something to move through; without, the overlay has nothing to lie on."""
        self._is_study_open = is_open
        self.transport.set_study_open(is_open)
        self._show_overlay()

    def _clear(self) -> None:
        """Forget all that belongs to a study."""
        self._is_opened = False
        self._landmarks = []
        self.frame_view.clear()
        self.frame_view.overlay.set_provider(None)
        self.set_enhancement(enhancement.RAW)
        self.set_field_of_view(None)
        self._set_study_open(False)

    def _draw(self, frames: tuple[frame_view.ShownFrame, ...]) -> None:
        self.frame_view.set_frames(frames, self.playback.views)
        if not self.frame_view.isVisible():  # never painted, so it counts as shown (but not as seen) right away
            self.controller.hidden(frames[0].frame_index)

    def _on_frame_changed(self) -> None:
        self._show_position()
        if not self._is_opened:
            self._is_opened = True
            self.opened.emit()

    def _on_index(self) -> None:
        self.transport.set_note("")
        self._set_study_open(True)
        self._show_position()

    def _on_failed(self, error: UserError) -> None:
        self.transport.set_note("")
        self._set_study_open(False)
        self.frame_view.set_message(tr(error.message), tr(error.hint))

    def _show_state(self, is_playing: bool, rate_fps: int) -> None:
        self.transport.set_playing(is_playing, rate_fps, is_adaptive=self.playback.is_adaptive)

    def _show_index_progress(self, done: int, total: int) -> None:
        self.transport.set_note(
            tr("reading the index, {percent} %", percent=100 * done // total) if total else tr("reading the index…")
        )

    def _show_position(self) -> None:
        index, frame_index = self.controller.index, self.frame_index
        if frame_index is None:
            return
        if index is None or frame_index >= len(index):
            self.transport.set_position(frame_index, 0, None, "")
            return
        seconds, passed = float(index.video_seconds[frame_index]), ""
        last = bisect_right(self._landmarks, frame_index, key=lambda landmark: landmark[0]) - 1
        if last >= 0:
            start, title = self._landmarks[last]
            passed = f"{title} + {clock.format_time(seconds - float(index.video_seconds[min(start, len(index) - 1)]))}"
        self.transport.set_position(frame_index, len(index), seconds, passed)

    def _show_overlay(self) -> None:
        overlay = self.frame_view.overlay
        self.transport.set_overlay(overlay.is_visible, overlay.opacity, self._is_study_open)
        self.frame_view.update()
