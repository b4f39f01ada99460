"""Thumbnails of the open study for whoever paints them, from the thread that reads them."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from training.video import FrameIndex
from wce_desktop.widgets.player.thumbnail_reader import ThumbnailReader


class Thumbnails(QObject):
    """Holds the reader thread of the open study; ask with `get` while painting, paint again on `arrived`."""

    arrived = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader: ThumbnailReader | None = None

    @property
    def is_busy(self) -> bool:
        """True while something that was asked for has not been made."""
        return self._reader is not None and self._reader.isRunning() and self._reader.has_wishes

    def open(self, path: Path, index: FrameIndex) -> None:
        """Serve another study."""
        self.close()
        self._reader = ThumbnailReader(path, index, parent=self)
        self._reader.thumbnail_ready.connect(self._take)
        self._reader.start()

    def close(self) -> None:
        """Serve none; returns once the thread has ended."""
        if self._reader is not None:
            self._reader.stop()
            self._reader.wait()
            self._reader.deleteLater()
            self._reader = None

    def get(self, frame_index: int) -> QImage | None:
        """The thumbnail of a frame, or None until it has arrived."""
        return self._reader.thumbnail(frame_index) if self._reader is not None else None

    def _take(self, frame_index: int, _: QImage) -> None:
        self.arrived.emit(frame_index)
