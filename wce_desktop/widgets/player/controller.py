"""Connects `Playback`, `FrameReader` and what is on screen."""

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage

from training.errors import UserError
from training.video import FrameIndex
from wce_desktop.core import Span, format_frame, playback, tr
from wce_desktop.widgets.player import frame_reader, frame_view, seen_watcher

WAIT_SHOWN_AFTER_MS = 300
PREPARED_GROUPS = 6


class PlayerController(QObject):
    """Requests frames, emits them when they are due, and emits which frames were seen. One study at a time.

    A seek is shown as soon as it is decoded. While playing, groups are prepared in order and each is
    emitted when `Playback` says so; the next falls due only after `painted`, so nothing is skipped.
    """

    frames_due = Signal(object)
    """tuple of `ShownFrame`: draw these now, then call `painted`."""
    waiting = Signal(str)
    """What has been waited for longer than 0.3 s; "" when it came."""
    frame_changed = Signal(int)
    """The first frame on screen, once it is there."""
    state_changed = Signal(bool, int)
    """Whether it plays, and at how many frames (positions) a second."""
    index_ready = Signal(object)
    """FrameIndex: from now on every frame can be shown."""
    failed = Signal(object)
    """UserError: the study cannot be read."""

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(parent)
        self.playback = playback.Playback()
        self.index: FrameIndex | None = None
        self.on_screen: int | None = None
        self._clock = clock
        self._watcher = seen_watcher.SeenWatcher(self, clock)
        self.looked, self.flush_seen = self._watcher.looked, self._watcher.flush
        self.reader = reader = frame_reader.CurrentReader(self)
        self.index_progressed = reader.index_progressed
        reader.picture_ready.connect(self._on_picture)
        reader.index_ready.connect(self._adopt)
        reader.group_ready.connect(self._on_group)
        reader.failed.connect(self._on_failed)
        self._wanted: int | None = None
        self._due: tuple[frame_view.ShownFrame, ...] = ()
        self._shown_number = 0
        self._prepared = frame_reader.PreparedGroups()
        self._tick_timer = self._timer(self._tick, Qt.TimerType.PreciseTimer)
        self._wait_timer = self._timer(self._emit_wait)

    # Opening and closing

    def open(self, path: Path, index: FrameIndex | None, frame_index: int = 0) -> None:
        """Open a study in its own thread at a frame; without an index its first picture comes first."""
        self.close()
        self._wanted = frame_index
        self.reader.open(path, index)
        self._wait_timer.start(WAIT_SHOWN_AFTER_MS)
        if index is not None:
            self._adopt(index)

    def close(self) -> None:
        """Close the study at once; its thread ends in the background."""
        self.pause()
        self._watcher.off_screen()
        self._wait_timer.stop()
        self.playback.open(0)
        self.index = self.on_screen = self._wanted = None
        self._shown_number = 0
        self._prepared.forget(0)
        self._due = ()
        self.reader.close()

    def shutdown(self) -> None:
        """Close, and wait until no thread is left."""
        self.close()
        self.reader.wait()

    # Moving

    def show_frame(self, frame_index: int) -> None:
        """Go to a frame, held within the study; before the index is known, as soon as it is."""
        if self.index is None:
            self._wanted = frame_index
            return
        before = self.playback.position
        position = self.playback.seek(frame_index, self._clock())
        direction = self.playback.direction if self.playback.is_playing or position == before else 0
        self._seek(direction or (1 if position > before else -1))

    def step(self, frames: int) -> None:
        """Go some frames on or (negative) back from where one is going."""
        self.show_frame(self.playback.position + frames)

    def play(self, direction: int = 1) -> bool:
        """Play in a direction; False when there is nothing left to play that way."""
        if self.playback.play(self._clock(), direction):
            if self.on_screen == self.playback.position:
                self._watcher.play_from_here(self.playback.rate_at(self.playback.position))
            else:  # it is being decoded; playing goes on from there, and does not pass it
                self.playback.seek(self.playback.position, self._clock())
        self._feed_again()
        self._emit_state()
        return self.playback.is_playing

    def pause(self) -> None:
        """Stop at what is on screen."""
        if not self.playback.is_playing:
            return
        self.playback.pause()
        self._feed_again()
        self._emit_state()
        self._watcher.paused()

    def set_rate(self, rate_fps: int) -> None:
        """Set the play rate, 1 to 60."""
        self.playback.set_rate(rate_fps, self._clock())
        self._emit_state()

    def faster(self) -> None:
        """One rate up."""
        self.playback.faster(self._clock())
        self._emit_state()

    def slower(self) -> None:
        """One rate down."""
        self.playback.slower(self._clock())
        self._emit_state()

    def set_views(self, views: int) -> None:
        """Show 1, 2 or 4 successive frames from the one on screen on."""
        self.playback.set_views(views)
        if self.index is not None:
            self.show_frame(self.playback.position)

    def set_flagged(self, flagged: NDArray[np.bool_] | None) -> None:
        """Play these frames only; None plays everything. What is prepared stays where the same frames come next.

        Nothing before the index is known.
        """
        if self.index is None:
            return
        before = self.playback.upcoming(PREPARED_GROUPS)
        self.playback.set_flagged(flagged)
        if self.playback.upcoming(PREPARED_GROUPS) != before:
            self._feed_again()

    def set_kept(self, kept: NDArray[np.bool_] | None) -> None:
        """Leave out frames while playing; see `Playback.set_kept`. Nothing before the index is known."""
        if self.index is not None:
            self.playback.set_kept(kept)
            self._feed_again()

    def set_pace(self, pace: NDArray[np.float32] | None) -> None:
        """Play some frames faster or slower; see `Playback.set_pace`. Nothing before the index is known."""
        if self.index is not None:
            self.playback.set_pace(pace)
            self._emit_state()

    def set_seen_limit(self, seen_up_to_fps: int) -> None:
        """Set up to which rate frames count as seen (`core.dwell`)."""
        self._watcher.set_limit(seen_up_to_fps)
        self.playback.seen_up_to_fps = seen_up_to_fps

    def painted(self, first: int) -> None:
        """The frames handed on last, of which `first` is the first, are on screen."""
        if not self._due or self._due[0].frame_index != first:
            return  # overtaken, or of a study that was closed
        if self.index is not None and any(frame.picture is not None for frame in self._due):
            playing = self.playback
            is_in_turn = playing.is_playing and playing.waits_for == first
            frames = Span(first, first + len(self._due))
            self._watcher.shown(frames, playing.rate_at(first), is_playing=playing.is_playing, is_in_turn=is_in_turn)
        self._came(first)

    def leave_screen(self) -> None:
        """Another page takes the place of the view; a frame that was not painted yet goes on as hidden."""
        self._watcher.off_screen()
        if self._due and self._due[0].frame_index != self.on_screen:
            self.hidden(self._due[0].frame_index)

    def hidden(self, first: int) -> None:
        """The view is hidden: go on as if `first` were on screen, but nobody sees it."""
        self._watcher.off_screen()
        self._came(first)

    def _came(self, first: int) -> None:
        self.playback.shown(first, self._clock())
        if self.on_screen != first:
            self.on_screen = first
            self.frame_changed.emit(first)
        self._fill()
        self._arm()

    # Slots of the reader thread

    def _on_picture(self, picture: QImage) -> None:
        if not self._wanted:  # else the view would show the first frame and then jump to the one that is wanted
            self._hand_on((frame_view.ShownFrame(0, picture),))

    def _on_group(self, group: frame_reader.FrameGroup) -> None:
        request = group.request
        if request.is_seek and request.number > self._shown_number:
            self._shown_number = request.number
            # While playing, the frame may have come prepared meanwhile: again it would take the next one's place.
            if not self.playback.is_playing or self.playback.position == request.first:
                self._show(group)
        elif not request.is_seek and self._prepared.keep(group) and self.playback.waits_for == request.first:
            self._show_prepared(request.first)

    def _on_failed(self, error: UserError) -> None:
        self._wait_timer.stop()
        self.pause()
        self.failed.emit(error)

    def _adopt(self, index: FrameIndex) -> None:
        self.index = index
        self.playback.open(len(index))
        self.index_ready.emit(index)
        if self.playback.position == 0:  # unless a listener has already moved to the saved position
            self.show_frame(self._wanted or 0)

    # Playing

    def _tick(self) -> None:
        position = self.playback.tick(self._clock())
        if position is not None and not self._show_prepared(position):
            self._wait_timer.start(WAIT_SHOWN_AFTER_MS)
        elif not self.playback.is_playing:
            self._emit_state()
            self._watcher.paused()
            self._watcher.flush()
        self._arm()

    def _arm(self) -> None:
        seconds = self.playback.seconds_until_due(self._clock())
        if seconds is None:
            self._tick_timer.stop()
        else:
            self._tick_timer.start(math.ceil(seconds * 1000))

    def _fill(self) -> None:
        """Ask for what will be played next."""
        if not self.playback.is_playing:
            return
        missing = self._prepared.ask(self.playback.upcoming(PREPARED_GROUPS))
        self.reader.queue.prepare(missing, self.playback.views, self.playback.direction)

    def _feed_again(self) -> None:
        """What was prepared is no longer what comes next."""
        self._prepared.forget(self.reader.queue.forget_prepared())
        if self.playback.waits_for is not None:
            self._seek(self.playback.direction)
        self._fill()
        self._arm()

    def _seek(self, direction: int) -> None:
        self._prepared.forget(self.reader.queue.seek(self.playback.position, self.playback.views, direction))
        self._wait_timer.start(WAIT_SHOWN_AFTER_MS)
        self._fill()
        self._arm()

    def _show_prepared(self, first: int) -> bool:
        group = self._prepared.take(first)
        if group is not None:
            self._show(group)
        return group is not None

    # Signals

    def _show(self, group: frame_reader.FrameGroup) -> None:
        first = group.request.first
        self._hand_on(tuple(frame_view.ShownFrame(first + at, picture) for at, picture in enumerate(group.pictures)))

    def _hand_on(self, frames: tuple[frame_view.ShownFrame, ...]) -> None:
        self._wait_timer.stop()
        self._due = frames
        self.frames_due.emit(frames)

    def _emit_state(self) -> None:
        self.state_changed.emit(self.playback.is_playing, self.playback.rate_fps)

    def _emit_wait(self) -> None:
        is_opening = self.on_screen is None
        frame = tr("Reading frame {frame}…", frame=format_frame(self.playback.position + 1))
        self.waiting.emit(tr("Opening {name}…", name=self.reader.name) if is_opening else frame)

    def _timer(self, slot: Callable[[], None], kind: Qt.TimerType = Qt.TimerType.CoarseTimer) -> QTimer:
        timer = QTimer(self, singleShot=True, timerType=kind)
        timer.timeout.connect(slot)
        return timer
