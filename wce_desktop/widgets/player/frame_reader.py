"""The thread that owns a study's frame source: opens it, reads requested frames, and reads ahead.

The reader of the study that is open now; earlier ones end in the background and are ignored.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtGui import QImage

from training.errors import UserError
from training.runs.reporter import Cancelled
from training.video import FrameIndex, FrameMissing, FrameSource, build_index, first_picture, open_source
from wce_desktop.widgets.player.pictures import frame_picture
from wce_desktop.widgets.player.requests import FrameGroup, Request, RequestQueue

CACHE_BYTES = 256 * 2**20
READ_AHEAD_FRAMES = 24


class FrameReader(QThread):
    """Reads one study. Frames come back as `group_ready`, never on the caller's time.

    Order of events: without an index `picture_ready` (frame 0 at once), `index_progressed`, `index_ready`; then a
    `group_ready` for each request that was not overtaken. A seek replaces waiting requests, but a frame being decoded
    is delivered, so that the picture follows a key that is held down. Between requests the frames that come next in the
    direction of travel are read into the source's cache. `failed` is final: the study cannot be opened.
    """

    # All carry the reader's number first: what was on its way when a reader was let go is known by it.
    picture_ready = Signal(int, object)
    """QImage of frame 0, before the index is known."""
    index_progressed = Signal(int, int, int)
    """Done and total of what the index needs."""
    index_ready = Signal(int, object)
    """FrameIndex, when it had to be made."""
    group_ready = Signal(int, object)
    """FrameGroup."""
    failed = Signal(int, object)
    """UserError."""

    def __init__(
        self,
        number: int,
        path: Path,
        index: FrameIndex | None = None,
        cache_bytes: int = CACHE_BYTES,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.number = number
        self.path = path
        self._index = index
        self._cache_bytes = cache_bytes
        self._queue = RequestQueue()
        self._ahead: deque[int] = deque()
        self._ahead_frames = READ_AHEAD_FRAMES

    def seek(self, first: int, views: int, direction: int) -> int:
        """Show these frames as soon as possible, instead of everything asked for before; returns the number."""
        return self._queue.seek(first, views, direction)

    def prepare(self, firsts: Iterable[int], views: int, direction: int) -> int:
        """Have these ready, in order, to be played; returns the last request's number."""
        return self._queue.prepare(firsts, views, direction)

    def forget_prepared(self) -> int:
        """Playing ended or changed: drop what was to be prepared. Returns the last number given."""
        return self._queue.forget_prepared()

    def stop(self) -> None:
        """End soon; `finished` follows. Ends a running index too, but not the decoding of one frame."""
        self._queue.close()

    def run(self) -> None:
        """Run the thread."""
        try:
            with self._open() as source:
                self._serve(source)
        except Cancelled:
            return
        except UserError as error:
            self._fail(error)
        except OSError as error:
            self._fail(
                UserError(
                    "{name} cannot be read any more ({problem}).",
                    "Connect its disk or network share and open the study again. What you labelled is saved.",
                    self.path.name,
                    error.strerror or error,
                )
            )
        except Exception as error:
            self._fail(
                UserError(
                    "Reading {name} ended unexpectedly ({error}).", "Open the study again.", self.path.name, error
                )
            )
            raise

    def _fail(self, error: UserError) -> None:
        if not self._queue.is_closed:
            self.failed.emit(self.number, error)

    def _open(self) -> FrameSource:
        index = self._index
        if index is None:
            self.picture_ready.emit(self.number, frame_picture(first_picture(self.path)))
            index = build_index(self.path, _IndexReporter(self))
            self.index_ready.emit(self.number, index)
        source = open_source(self.path, index=index, cache_bytes=self._cache_bytes)
        frame_bytes = max(1, source.width_px * source.height_px * 3)
        self._ahead_frames = min(READ_AHEAD_FRAMES, self._cache_bytes // (3 * frame_bytes))
        return source

    def _serve(self, source: FrameSource) -> None:
        while not self._queue.is_closed:
            request = self._queue.take(wait=not self._ahead)
            if request is not None:
                stop = min(request.first + request.views, len(source))
                pictures = tuple(_read(source, frame_index) for frame_index in range(request.first, stop))
                self.group_ready.emit(self.number, FrameGroup(request, pictures))
                self._ahead = deque(self._next_frames(request, len(source)))
            elif self._ahead:
                _warm(source, self._ahead.popleft())

    def _next_frames(self, request: Request, frame_count: int) -> range:
        """The frames that come next in the direction of travel."""
        if request.direction > 0:
            start = request.first + request.views
            return range(start, min(start + self._ahead_frames, frame_count))
        return range(request.first - 1, max(request.first - 1 - self._ahead_frames, -1), -1)


def _read(source: FrameSource, frame_index: int) -> QImage | None:
    try:
        return frame_picture(source.read(frame_index))
    except FrameMissing:
        return None


def _warm(source: FrameSource, frame_index: int) -> None:
    """Put a frame into the source's cache; one that does not decode says so when it is asked for."""
    try:
        source.read(frame_index)
    except FrameMissing:
        return


class _IndexReporter:
    """Reports the progress of the index, and cancels it when it is no longer needed."""

    def __init__(self, reader: FrameReader) -> None:
        self._reader = reader

    @property
    def stop_requested(self) -> bool:
        return self._reader._queue.is_closed

    def check(self) -> None:
        if self.stop_requested:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self._reader.index_progressed.emit(self._reader.number, done, total)

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """An index has no partial results."""

    def log(self, line: str) -> None:
        """What is odd about the file stands in the index's notes."""


class CurrentReader(QObject):
    """Opens and closes `FrameReader`s without waiting, and forwards the signals of the current one."""

    picture_ready = Signal(object)
    index_progressed = Signal(int, int)
    index_ready = Signal(object)
    group_ready = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cache_bytes = CACHE_BYTES
        self._reader: FrameReader | None = None
        self._retired: list[FrameReader] = []
        self._number = 0

    def open(self, path: Path, index: FrameIndex | None) -> None:
        """Start reading another study."""
        self.close()
        self._number += 1
        self._reader = reader = FrameReader(self._number, path, index, self.cache_bytes, self)
        reader.picture_ready.connect(self._on_picture)
        reader.index_progressed.connect(self._on_index_progress)
        reader.index_ready.connect(self._on_index)
        reader.group_ready.connect(self._on_group)
        reader.failed.connect(self._on_failed)
        reader.start()

    def close(self) -> None:
        """Close the study; later signals of its reader are ignored by their number."""
        for ended in [reader for reader in self._retired if reader.isFinished()]:
            self._retired.remove(ended)
            ended.deleteLater()
        if self._reader is not None:
            self._reader.stop()
            self._retired.append(self._reader)
            self._reader = None

    def wait(self) -> None:
        """Wait until no thread is left: at most as long as one frame takes to decode. Close first."""
        for reader in self._retired:
            reader.wait()

    @property
    def name(self) -> str:
        """The study's file name, "" while none is open."""
        return self._reader.path.name if self._reader is not None else ""

    @property
    def living_threads(self) -> int:
        """Threads of this and earlier studies that still run."""
        readers = [*self._retired, *([self._reader] if self._reader is not None else [])]
        return sum(reader.isRunning() for reader in readers)

    def seek(self, first: int, views: int, direction: int) -> int:
        """See `FrameReader.seek`; 0 while no study is open."""
        return self._reader.seek(first, views, direction) if self._reader is not None else 0

    def prepare(self, firsts: Iterable[int], views: int, direction: int) -> None:
        """See `FrameReader.prepare`."""
        if self._reader is not None:
            self._reader.prepare(firsts, views, direction)

    def forget_prepared(self) -> int:
        """See `FrameReader.forget_prepared`; 0 while no study is open."""
        return self._reader.forget_prepared() if self._reader is not None else 0

    def _is_current(self, number: int) -> bool:
        return self._reader is not None and self._reader.number == number

    def _on_picture(self, number: int, picture: QImage) -> None:
        if self._is_current(number):
            self.picture_ready.emit(picture)

    def _on_index_progress(self, number: int, done: int, total: int) -> None:
        if self._is_current(number):
            self.index_progressed.emit(done, total)

    def _on_index(self, number: int, index: FrameIndex) -> None:
        if self._is_current(number):
            self.index_ready.emit(index)

    def _on_group(self, number: int, group: FrameGroup) -> None:
        if self._is_current(number):
            self.group_ready.emit(group)

    def _on_failed(self, number: int, error: UserError) -> None:
        if self._is_current(number):
            self.failed.emit(error)
