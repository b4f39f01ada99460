"""The thread that owns a study's frame source: opens it, reads requested frames, and reads ahead.

The reader of the study that is open now; earlier ones end in the background and are ignored.
"""

import threading
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6 import QtCore, QtGui

from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from training.video import FrameIndex, FrameMissing, FrameSource, build_index, first_picture, open_source
from wce_desktop.widgets.player.pictures import frame_picture


@dataclass(frozen=True, slots=True)
class Request:
    """Frames `first` .. `first + views - 1`, to be shown together; `direction` (1 or -1) is the direction of travel.

    Attributes:
        number: rises with each request; answers older than the frame on screen are not shown.
        is_seek: True for "show it now", False for "have it ready".
    """

    number: int
    first: int
    views: int
    direction: int
    is_seek: bool


@dataclass(frozen=True, slots=True)
class FrameGroup:
    """The answer to a request: a picture for each frame, None for one that does not decode."""

    request: Request
    pictures: tuple[QtGui.QImage | None, ...]


class RequestQueue:
    """Requests in order, safe between threads; a seek drops everything that waits: the newest wins."""

    def __init__(self) -> None:
        self._waiting: deque[Request] = deque()
        self._changed = threading.Condition()
        self._last_number = 0
        self.is_closed = False
        """True once nothing will be taken any more."""

    def seek(self, first: int, views: int, direction: int) -> int:
        """Ask for frames now, instead of all that waits; returns the request's number."""
        with self._changed:
            self._waiting.clear()
            return self._add(first, views, direction, is_seek=True)

    def prepare(self, firsts: Iterable[int], views: int, direction: int) -> int:
        """Ask for frames in order, after all that waits; returns the last number."""
        with self._changed:
            for first in firsts:
                self._add(first, views, direction, is_seek=False)
            return self._last_number

    def forget_prepared(self) -> int:
        """Drop what was to be prepared; a seek that waits stays. Returns the last number given so far."""
        with self._changed:
            self._waiting = deque(request for request in self._waiting if request.is_seek)
            return self._last_number

    def close(self) -> None:
        """Close the queue and wake the waiting thread."""
        with self._changed:
            self.is_closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def take(self, seconds: float | None = None) -> Request | None:
        """The next request; None where none came within these seconds (without any: where the queue was closed)."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self.is_closed, seconds)
            return self._waiting.popleft() if self._waiting else None

    def _add(self, first: int, views: int, direction: int, *, is_seek: bool) -> int:
        self._last_number += 1
        self._waiting.append(Request(self._last_number, first, views, direction, is_seek))
        self._changed.notify_all()
        return self._last_number


class PreparedGroups:
    """What was asked for and what has come, by first frame; groups requested before `forget` are dropped."""

    def __init__(self) -> None:
        self._groups: dict[int, FrameGroup | None] = {}  # by first frame; None: not yet there
        self._welcome_after = 0

    def ask(self, coming: Iterable[int]) -> list[int]:
        """The positions of `coming` that were not requested yet; they are marked as requested."""
        missing = [first for first in coming if first not in self._groups]
        self._groups.update(dict.fromkeys(missing))
        return missing

    def keep(self, group: FrameGroup) -> bool:
        """Keep a group that has come; False if it is no longer needed."""
        if group.request.number <= self._welcome_after:
            return False
        self._groups[group.request.first] = group
        return True

    def take(self, first: int) -> FrameGroup | None:
        """Hand out the group that begins with `first`, if it has come."""
        return self._groups.pop(first) if self._groups.get(first) is not None else None

    def forget(self, last_number: int) -> None:
        """Drop everything up to the request of this number."""
        self._groups.clear()
        self._welcome_after = last_number


CACHE_BYTES = 256 * 2**20
READ_AHEAD_FRAMES = 24
REST_SECONDS = 0.05
"""How long a jump may be followed by another one before frames are read ahead, which takes as long as a jump."""


class FrameReader(QtCore.QThread):
    """Reads one study for the requests of a queue. Frames come back as `group_ready`, never on the caller's time.

    Order of events: without an index `picture_ready` (frame 0 at once), `index_progressed`, `index_ready`; then a
    `group_ready` for each request that was not overtaken. A seek replaces waiting requests, but a frame being decoded
    is delivered, so that the picture follows a key that is held down. Between requests the frames that come next in the
    direction of travel are read into the source's cache. `failed` is final: the study cannot be opened. Closing the
    queue ends the thread soon, also while it makes an index, but not the decoding of one frame.
    """

    sent = QtCore.Signal(int, str, object)
    """The reader's number, the name of a signal of `CurrentReader`, and the tuple of its values."""

    def __init__(
        self,
        number: int,
        path: Path,
        queue: RequestQueue,
        index: FrameIndex | None = None,
        cache_bytes: int = CACHE_BYTES,
        parent: QtCore.QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.number = number
        self.path = path
        self._queue = queue
        self._index = index
        self._cache_bytes = cache_bytes
        self._ahead: deque[int] = deque()
        self._ahead_frames = READ_AHEAD_FRAMES

    def send(self, name: str, *values: object) -> None:
        """Emit a signal of `CurrentReader`, if this is the current one."""
        self.sent.emit(self.number, name, values)

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
            self.send("failed", error)

    def _open(self) -> FrameSource:
        index = self._index
        if index is None:
            self.send("picture_ready", frame_picture(first_picture(self.path)))
            index = build_index(self.path, _IndexReporter(self))
            self.send("index_ready", index)
        source = open_source(self.path, index=index, cache_bytes=self._cache_bytes)
        frame_bytes = max(1, source.width_px * source.height_px * 3)
        self._ahead_frames = min(READ_AHEAD_FRAMES, self._cache_bytes // (3 * frame_bytes))
        return source

    def _serve(self, source: FrameSource) -> None:
        last, rest = 0, 0.0
        while not self._queue.is_closed:
            request = self._queue.take(rest if self._ahead else None)
            rest = 0.0
            if request is not None:
                if request.is_seek and abs(request.first - last) > READ_AHEAD_FRAMES:
                    rest = REST_SECONDS
                last = request.first
                stop = min(request.first + request.views, len(source))
                pictures = tuple(_read(source, frame_index) for frame_index in range(request.first, stop))
                self.send("group_ready", FrameGroup(request, pictures))
                ahead = range(request.first - 1, max(request.first - 1 - self._ahead_frames, -1), -1)
                if request.direction > 0:
                    ahead = range(stop, min(stop + self._ahead_frames, len(source)))
                self._ahead = deque(ahead)  # the frames that come next in the direction of travel
            elif self._ahead:
                with suppress(FrameMissing):  # one that does not decode says so when it is asked for
                    source.read(self._ahead.popleft())


def _read(source: FrameSource, frame_index: int) -> QtGui.QImage | None:
    try:
        return frame_picture(source.read(frame_index))
    except FrameMissing:
        return None


class _IndexReporter(SilentReporter):
    """Reports the progress of the index, and cancels it when it is no longer needed."""

    def __init__(self, reader: FrameReader) -> None:
        self._reader = reader

    def check(self) -> None:
        """Raise `Cancelled` once the study was closed."""
        if self._reader._queue.is_closed:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Pass it on."""
        self._reader.send("index_progressed", done, total)


class CurrentReader(QtCore.QObject):
    """Opens and closes `FrameReader`s without waiting, and emits what the current one sends; requests go to `queue`."""

    picture_ready = QtCore.Signal(object)
    """QImage of frame 0, before the index is known."""
    index_progressed = QtCore.Signal(int, int)
    """Done and total of what the index needs."""
    index_ready = QtCore.Signal(object)
    """FrameIndex, when it had to be made."""
    group_ready = QtCore.Signal(object)
    """FrameGroup."""
    failed = QtCore.Signal(object)
    """UserError."""

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self.cache_bytes = CACHE_BYTES
        self.queue = RequestQueue()
        self._reader: FrameReader | None = None
        self._retired: list[FrameReader] = []
        self._number = 0

    def open(self, path: Path, index: FrameIndex | None) -> None:
        """Start reading another study."""
        self.close()
        self._number += 1
        self._reader = FrameReader(self._number, path, self.queue, index, self.cache_bytes, self)
        self._reader.sent.connect(self._take)
        self._reader.start()

    def close(self) -> None:
        """Close the study; later signals of its reader are ignored by their number."""
        for ended in [reader for reader in self._retired if reader.isFinished()]:
            self._retired.remove(ended)
            ended.deleteLater()
        if self._reader is not None:
            self.queue.close()
            self._retired.append(self._reader)
            self._reader = None
        self.queue = RequestQueue()

    def wait(self) -> None:
        """Wait until no thread is left: at most as long as one frame takes to decode. Close first."""
        for reader in self._retired:
            reader.wait()

    @property
    def name(self) -> str:
        """The study's file name, "" while none is open."""
        return self._reader.path.name if self._reader is not None else ""

    def _take(self, number: int, name: str, values: tuple[object, ...]) -> None:
        if self._reader is not None and self._reader.number == number:
            getattr(self, name).emit(*values)
