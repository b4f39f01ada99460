"""Brings together what to show (`Playback`), the pictures (`FrameReader`) and what really came on screen."""

import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage

from training.errors import UserError
from training.video import FrameIndex
from wce_desktop.core.clock import format_frame
from wce_desktop.core.dwell import MIN_DWELL_SECONDS, Dwell
from wce_desktop.core.playback import Playback
from wce_desktop.core.span import Span
from wce_desktop.ui.player.frame_reader import CACHE_BYTES, FrameReader
from wce_desktop.ui.player.frame_view import ShownFrame
from wce_desktop.ui.player.requests import FrameGroup

WAIT_SHOWN_AFTER_MS = 300
SEEN_TOLD_EVERY_MS = 1000
PREPARED_GROUPS = 6


class Conductor(QObject):
    """Asks the reader for frames, hands them on when they are due, and tells what was seen. One study at a time.

    A seek is shown as soon as it is decoded, the newest last. While playing, groups are prepared in order and each is
    handed on when `Playback` says so; the next falls due only after `painted`, so nothing is skipped.
    """

    frames_due = Signal(object)
    """tuple of `ShownFrame`: draw these now, then call `painted`."""
    waiting = Signal(str)
    """What has been waited for longer than 0.3 s; "" when it came."""
    frame_changed = Signal(int)
    """The first frame on screen, once it is there."""
    seen = Signal(int, int)
    """Half-open bounds of frames that were on screen long enough (`core.dwell`)."""
    state_changed = Signal(bool, int)
    """Whether it plays, and at how many frames (positions) a second."""
    index_progressed = Signal(int, int)
    index_ready = Signal(object)
    """FrameIndex: from now on every frame can be shown."""
    failed = Signal(object)
    """UserError: the study cannot be read."""

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(parent)
        self.playback = Playback()
        self.index: FrameIndex | None = None
        self.on_screen: int | None = None
        self.cache_bytes = CACHE_BYTES
        self._clock = clock
        self._dwell = Dwell()
        self._reader: FrameReader | None = None
        self._number = 0
        self._retired: list[FrameReader] = []
        self._wanted: int | None = None
        self._due: tuple[ShownFrame, ...] = ()
        self._shown_number = self._welcome_number = 0
        self._ready: dict[int, FrameGroup] = {}
        self._asked: set[int] = set()
        self._tick_timer = self._timer(self._tick, Qt.TimerType.PreciseTimer)
        self._wait_timer = self._timer(self._tell_wait)
        self._seen_timer = self._timer(self.flush_seen, Qt.TimerType.PreciseTimer)

    # Opening and closing

    def open(self, path: Path, index: FrameIndex | None) -> None:
        """Open a study in its own thread; without an index its first picture comes first."""
        self.close()
        self._number += 1
        reader = FrameReader(self._number, path, index, self.cache_bytes, self)
        self._reader = reader
        reader.picture_ready.connect(self._on_picture)
        reader.index_progressed.connect(self._on_index_progress)
        reader.index_ready.connect(self._on_index)
        reader.group_ready.connect(self._on_group)
        reader.failed.connect(self._on_failed)
        self._wait_timer.start(WAIT_SHOWN_AFTER_MS)
        if index is not None:
            self._adopt(index)
        reader.start()

    def close(self) -> None:
        """Let go of the study at once; its thread ends on its own."""
        self.pause()
        self.flush_seen()
        self._dwell.clear()
        self._wait_timer.stop()
        self._seen_timer.stop()
        self.playback.open(0)
        self.index = self.on_screen = self._wanted = None
        self._shown_number = self._welcome_number = 0
        self._forget_ready()
        self._due = ()
        if self._reader is not None:
            self._retire(self._reader)
            self._reader = None

    def shutdown(self) -> None:
        """Close, and wait until no thread is left: at most as long as one frame takes to decode."""
        self.close()
        for reader in self._retired:
            reader.wait()

    @property
    def living_threads(self) -> int:
        """Threads of this and earlier studies that still run."""
        readers = [*self._retired, *([self._reader] if self._reader is not None else [])]
        return sum(reader.isRunning() for reader in readers)

    def _retire(self, reader: FrameReader) -> None:
        """Let it end; what it still sends carries its number and is not heard."""
        reader.stop()
        self._retired = [one for one in self._retired if not one.isFinished()]
        self._retired.append(reader)

    def _is_heard(self, number: int) -> bool:
        return self._reader is not None and self._reader.number == number

    # Moving

    def show_frame(self, frame_index: int) -> None:
        """Go to a frame, held within the study; before the index is known, as soon as it is."""
        if self.index is None or self._reader is None:
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
            self._dwell.play_from_here(self.playback.rate_fps)
        self._feed_again()
        self._tell_state()
        return self.playback.is_playing

    def pause(self) -> None:
        """Stop at what is on screen."""
        if not self.playback.is_playing:
            return
        self.playback.pause()
        self._feed_again()
        self._tell_state()
        self._seen_timer.start(_milliseconds(MIN_DWELL_SECONDS) + 1)

    def set_rate(self, rate_fps: int) -> None:
        """Set the play rate, 1 to 60."""
        self.playback.set_rate(rate_fps, self._clock())
        self._tell_state()

    def faster(self) -> None:
        """One rate up."""
        self.playback.faster(self._clock())
        self._tell_state()

    def slower(self) -> None:
        """One rate down."""
        self.playback.slower(self._clock())
        self._tell_state()

    def set_views(self, views: int) -> None:
        """Show 1, 2 or 4 successive frames from the one on screen on."""
        self.playback.set_views(views)
        if self.index is not None:
            self.show_frame(self.playback.position)

    def set_spans(self, spans: Iterable[Span] | None) -> None:
        """Play these spans only; None plays everything."""
        self.playback.set_spans(spans)
        self._feed_again()

    def painted(self, first: int) -> None:
        """The frames handed on last, of which `first` is the first, are on screen."""
        if not self._due or self._due[0].frame_index != first:
            return  # overtaken, or of a study that was closed
        is_played = self.playback.is_playing and self.playback.waits_for == first
        if self.index is not None and any(frame.picture is not None for frame in self._due):
            frames = Span(first, first + len(self._due))
            self._tell_seen(self._dwell.shown(frames, self._clock(), self.playback.rate_fps if is_played else None))
            self._watch_dwell()
        self.on_hidden(first)

    def on_hidden(self, first: int) -> None:
        """Go on as if `first` were on screen, though the view is hidden: nobody has seen it."""
        self.playback.shown(first, self._clock())
        if self.on_screen != first:
            self.on_screen = first
            self.frame_changed.emit(first)
        self._fill()
        self._arm()

    # What the reader says

    def _on_picture(self, number: int, picture: QImage) -> None:
        if self._is_heard(number):
            self._hand_on((ShownFrame(0, picture),))

    def _on_index_progress(self, number: int, done: int, total: int) -> None:
        if self._is_heard(number):
            self.index_progressed.emit(done, total)

    def _on_index(self, number: int, index: FrameIndex) -> None:
        if self._is_heard(number):
            self._adopt(index)

    def _on_group(self, number: int, group: FrameGroup) -> None:
        request = group.request
        if not self._is_heard(number):
            return
        if request.is_seek and request.number > self._shown_number:
            self._shown_number = request.number
            self._show(group)
        elif not request.is_seek and request.number > self._welcome_number:
            self._asked.discard(request.first)
            self._ready[request.first] = group
            if self.playback.waits_for == request.first:
                self._show(self._ready.pop(request.first))

    def _on_failed(self, number: int, error: UserError) -> None:
        if self._is_heard(number):
            self._wait_timer.stop()
            self.pause()
            self.failed.emit(error)

    def _adopt(self, index: FrameIndex) -> None:
        self.index = index
        self.playback.open(len(index))
        self.index_ready.emit(index)
        if self._reader is not None:
            self.show_frame(self._wanted if self._wanted is not None else 0)

    # Playing

    def _tick(self) -> None:
        position = self.playback.tick(self._clock())
        if position is not None and position in self._ready:
            self._show(self._ready.pop(position))
        elif position is not None:
            self._wait_timer.start(WAIT_SHOWN_AFTER_MS)
        elif not self.playback.is_playing:
            self._tell_state()
            self.flush_seen()
        self._arm()

    def _arm(self) -> None:
        seconds = self.playback.seconds_until_due(self._clock())
        if seconds is None:
            self._tick_timer.stop()
        else:
            self._tick_timer.start(_milliseconds(seconds))

    def _fill(self) -> None:
        """Ask for what will be played next."""
        if not self.playback.is_playing or self._reader is None:
            return
        coming = self.playback.upcoming(PREPARED_GROUPS)
        missing = [first for first in coming if first not in self._ready and first not in self._asked]
        self._asked.update(missing)
        self._reader.prepare(missing, self.playback.views, self.playback.direction)

    def _feed_again(self) -> None:
        """What was prepared is no longer what comes next."""
        if self._reader is None:
            return
        self._welcome_number = self._reader.forget_prepared()
        self._forget_ready()
        if self.playback.waits_for is not None:
            self._seek(self.playback.direction)
        self._fill()
        self._arm()

    def _seek(self, direction: int) -> None:
        if self._reader is not None:
            self._forget_ready()
            self._welcome_number = self._reader.seek(self.playback.position, self.playback.views, direction)
            self._wait_timer.start(WAIT_SHOWN_AFTER_MS)
            self._fill()
            self._arm()

    def _forget_ready(self) -> None:
        self._ready.clear()
        self._asked.clear()

    # Telling

    def _show(self, group: FrameGroup) -> None:
        first = group.request.first
        self._hand_on(tuple(ShownFrame(first + at, picture) for at, picture in enumerate(group.pictures)))

    def _hand_on(self, frames: tuple[ShownFrame, ...]) -> None:
        self._wait_timer.stop()
        self._due = frames
        self.frames_due.emit(frames)

    def _tell_state(self) -> None:
        self.state_changed.emit(self.playback.is_playing, self.playback.rate_fps)

    def _tell_wait(self) -> None:
        opening = self.on_screen is None and self._reader is not None
        name = self._reader.path.name if opening and self._reader is not None else ""
        self.waiting.emit(f"Opening {name}…" if name else f"Reading frame {format_frame(self.playback.position + 1)}…")

    def _watch_dwell(self) -> None:
        """Look again when the frame on screen has been there long enough; while playing, now and then."""
        if not self.playback.is_playing:
            self._seen_timer.start(_milliseconds(MIN_DWELL_SECONDS) + 1)
        elif not self._seen_timer.isActive():
            self._seen_timer.start(SEEN_TOLD_EVERY_MS)

    def flush_seen(self) -> None:
        """Tell all that was seen until now."""
        for span in self._dwell.flush(self._clock()):
            self._tell_seen(span)

    def _tell_seen(self, span: Span | None) -> None:
        if span is not None:
            self.seen.emit(span.start, span.stop)

    def _timer(self, slot: Callable[[], None], kind: Qt.TimerType = Qt.TimerType.CoarseTimer) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setTimerType(kind)
        timer.timeout.connect(slot)
        return timer


def _milliseconds(seconds: float) -> int:
    return math.ceil(seconds * 1000)
