"""Small pictures of frames of any study, from one thread; outside the field of view they are black."""

import threading
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from PySide6 import QtCore, QtGui

from training.errors import UserError
from training.video import FrameIndex, FrameMissing, FrameSource, open_source
from wce_desktop.core.memory import give_memory_back
from wce_desktop.core.study import Study
from wce_desktop.session.frame_facts import FramePlace
from wce_desktop.widgets.player.pictures import thumbnail_picture

SIDE_PX = 160
KEPT_PICTURES = 2000
WAITING_PICTURES = 160
OPEN_SOURCES = 4
IDLE_SECONDS = 3.0
"""After so long without a request files are closed: FFmpeg keeps 40 bytes a frame of an open one."""
CACHE_BYTES = 8 * 2**20

Address = tuple[str, int]
PlaceFinder = Callable[[str], FramePlace]


class FramePictures(QtCore.QObject):
    """Ask with `get` while painting, paint again on `arrived`. What cannot be read is a null picture."""

    arrived = QtCore.Signal(str, int)

    def __init__(self, parent: QtCore.QObject | None = None, side_px: int = SIDE_PX, kept: int = KEPT_PICTURES) -> None:
        """`side_px` is the longer side of a picture, `kept` how many are kept."""
        super().__init__(parent)
        self._side_px, self._kept = side_px, kept
        self._thread: _PictureThread | None = None

    @property
    def is_busy(self) -> bool:
        """True while something that was asked for has not been made."""
        return self._thread is not None and self._thread.has_requests

    @property
    def is_open(self) -> bool:
        """Whether studies are served."""
        return self._thread is not None

    def open(self, places: PlaceFinder) -> None:
        """Serve these studies from now on; what was made before is forgotten. No thread runs until one is asked for."""
        self.close()
        self._thread = _PictureThread(places, self, self._side_px, self._kept)
        self._thread.made.connect(self.arrived)

    def get(self, study_id: str, frame_index: int) -> QtGui.QImage | None:
        """The picture of a frame, or None until it has arrived."""
        return self._thread.picture((study_id, frame_index)) if self._thread is not None else None

    def close(self) -> None:
        """Stop; returns once the thread has ended."""
        if self._thread is not None:
            self._thread.stop()
            self._thread.deleteLater()
            self._thread = None


THUMBNAIL_PX, KEPT_THUMBNAILS = 224, 400


class Thumbnails(QtCore.QObject):
    """The same for the open study, whose frames are shown whole."""

    arrived = QtCore.Signal(int)

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = FramePictures(self, THUMBNAIL_PX, KEPT_THUMBNAILS)
        self._pictures.arrived.connect(lambda _, frame_index: self.arrived.emit(frame_index))
        self.close = self._pictures.close

    @property
    def is_busy(self) -> bool:
        """True while something that was asked for has not been made."""
        return self._pictures.is_busy

    def open(self, study: Study, index: FrameIndex) -> None:
        """Serve another study."""
        self._pictures.open(lambda _: FramePlace(study, index, None))

    def get(self, frame_index: int) -> QtGui.QImage | None:
        """The thumbnail of a frame, or None until it has arrived."""
        return self._pictures.get("", frame_index)


class _PictureThread(QtCore.QThread):
    """The newest request is served first; old requests are dropped."""

    made = QtCore.Signal(str, int)

    def __init__(self, places: PlaceFinder, parent: QtCore.QObject, side_px: int, most: int) -> None:
        super().__init__(parent)
        self._places, self._side_px, self._most = places, side_px, most
        self._kept: OrderedDict[Address, QtGui.QImage] = OrderedDict()
        self._wanted: OrderedDict[Address, None] = OrderedDict()
        self._sources: OrderedDict[str, tuple[FrameSource, FramePlace] | None] = OrderedDict()
        self._changed = threading.Condition()
        self._is_stopping = False
        # What asks is being painted: a thread that makes pictures meanwhile takes turns with it at Python's lock.
        self._after_painting = QtCore.QTimer(self, singleShot=True, interval=0)
        self._after_painting.timeout.connect(self._wake)

    @property
    def has_requests(self) -> bool:
        with self._changed:
            return bool(self._wanted)

    def picture(self, address: Address) -> QtGui.QImage | None:
        with self._changed:
            if (kept := self._kept.get(address)) is not None:
                self._kept.move_to_end(address)
                return kept
            self._wanted[address] = None
            self._wanted.move_to_end(address)
            if len(self._wanted) > WAITING_PICTURES:
                self._wanted.popitem(last=False)
        self._after_painting.start()
        return None

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
        if not self.isRunning():
            self.start(QtCore.QThread.Priority.LowPriority)

    def stop(self) -> None:
        self._after_painting.stop()  # it would start the thread again, and Qt aborts where one is deleted that runs
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()
        self.wait()

    def run(self) -> None:
        try:
            while (address := self._take()) is not None:
                picture = self._make(*address)
                with self._changed:
                    self._kept[address] = picture
                    self._wanted.pop(address, None)
                    if len(self._kept) > self._most:
                        self._kept.popitem(last=False)
                self.made.emit(*address)
        finally:
            self._close_sources()

    def _close_sources(self) -> None:
        for opened in self._sources.values():
            if opened is not None:
                opened[0].close()
        self._sources.clear()

    def _take(self) -> Address | None:
        """The next request, preferably of a study that is already open; it stays queued until it is done."""
        with self._changed:
            while not self._wanted and not self._is_stopping:
                if not self._changed.wait(IDLE_SECONDS if self._sources else None):
                    self._close_sources()
                    give_memory_back()
            if self._is_stopping:
                return None
            newest = next(reversed(self._wanted))
            is_open = (address for address in reversed(self._wanted) if address[0] in self._sources)
            return newest if newest[0] in self._sources else next(is_open, newest)

    def _make(self, study_id: str, frame_index: int) -> QtGui.QImage:
        opened = self._source(study_id)
        if opened is None:
            return QtGui.QImage()
        source, place = opened
        try:
            frame = source.read(frame_index)
        except (FrameMissing, IndexError):
            return QtGui.QImage()
        if place.field_of_view is not None:
            inside = place.field_of_view.mask(*frame.shape[:2])
            frame = np.where(inside[:, :, None], frame, np.uint8(0))
        return thumbnail_picture(frame, self._side_px)

    def _source(self, study_id: str) -> tuple[FrameSource, FramePlace] | None:
        """The study's source; None, remembered too, where it cannot be opened: the caption says which study it is."""
        if study_id in self._sources:
            self._sources.move_to_end(study_id)
            return self._sources[study_id]
        try:
            place = self._places(study_id)
            opened = (open_source(place.path, index=place.index, cache_bytes=CACHE_BYTES), place)
        except UserError:
            opened = None
        self._sources[study_id] = opened
        if len(self._sources) > OPEN_SOURCES:
            _, oldest = self._sources.popitem(last=False)
            if oldest is not None:
                oldest[0].close()
        return opened
