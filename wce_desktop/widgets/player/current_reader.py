"""The reader of the study that is open now; earlier ones end in the background and are ignored."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from training.errors import UserError
from training.video import FrameIndex
from wce_desktop.widgets.player.frame_reader import CACHE_BYTES, FrameReader
from wce_desktop.widgets.player.requests import FrameGroup


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
