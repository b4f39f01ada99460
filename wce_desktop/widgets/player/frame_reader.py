"""The thread that owns a study's frame source: opens it, reads requested frames, and reads ahead."""

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
