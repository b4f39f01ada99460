"""What every study looks like to its readers: numbered RGB frames.

The error for a frame that has a number but no picture.
"""

import os
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.closing import Closing
from training.texts import Text
from training.video.formats import has_fingerprint
from training.video.frame_index import FrameIndex


class FrameMissing(UserError):  # noqa: N818 - a state of the study, shown as such
    """The file announces this frame, yet it does not decode; its number stays taken.

    Attributes:
        frame_index: which frame, 0-based.
    """

    def __init__(self, name: str, frame_index: int) -> None:
        super().__init__(
            Text("Frame {frame:,} of {name} cannot be decoded.", frame_index + 1, name),
            "The file is damaged there; the other frames keep their numbers.",
        )
        self.name = name
        self.frame_index = frame_index

    def __reduce__(self) -> tuple[type["FrameMissing"], tuple[str, int]]:
        return type(self), (self.name, self.frame_index)


Picture = NDArray[np.uint8]
Item = TypeVar("Item")

DEFAULT_CACHE_BYTES = 256 * 1024**2


class FrameCache(Generic[Item]):
    """Keeps what was put in or asked for last; the oldest go once `limit_bytes` is passed, yet one always stays."""

    def __init__(self, limit_bytes: int, size_bytes: Callable[[Item], int]) -> None:
        if limit_bytes <= 0:
            raise ValueError(f"the size of a cache must be positive, not {limit_bytes} bytes")
        self._limit_bytes = limit_bytes
        self._size_bytes = size_bytes
        self._items: OrderedDict[int, Item] = OrderedDict()
        self.used_bytes = 0
        """What the kept frames take."""

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, frame_index: int) -> bool:
        return frame_index in self._items

    def get(self, frame_index: int) -> Item | None:
        """The frame, now the youngest, or None."""
        item = self._items.get(frame_index)
        if item is not None:
            self._items.move_to_end(frame_index)
        return item

    def put(self, frame_index: int, item: Item) -> None:
        """Keep a frame as the youngest."""
        old = self._items.pop(frame_index, None)
        if old is not None:
            self.used_bytes -= self._size_bytes(old)
        self._items[frame_index] = item
        self.used_bytes += self._size_bytes(item)
        while self.used_bytes > self._limit_bytes and len(self._items) > 1:
            _, oldest = self._items.popitem(last=False)
            self.used_bytes -= self._size_bytes(oldest)

    def clear(self) -> None:
        """Forget all."""
        self._items.clear()
        self.used_bytes = 0


_OPEN: "WeakSet[FrameSource]" = WeakSet()
_HELD: "list[FrameSource]" = []
_FORKING = Lock()


def _before_fork() -> None:
    """Wait until no thread is in a `read`: a child would inherit a decoder, and its locks, half-way through."""
    _FORKING.acquire()
    _HELD.extend(_OPEN)
    for source in _HELD:
        source._lock.acquire()


def _after_fork() -> None:
    for source in _HELD:
        source._lock.release()
    _HELD.clear()
    _FORKING.release()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


class FrameSource(Closing, ABC):
    """A study opened for reading; `read` may be called from several threads, and after a fork.

    A forked process shares the place in an open file with its parent, so it opens the study anew at its first read. A
    source is pickled by path, index and size of its cache, and opened where it is loaded.

    Every frame is (height_px, width_px, 3) uint8 RGB, also where the file holds grey (repeated three times) or 16-bit
    values (the upper eight bits). A frame of another size than the first is scaled to fit, centred on black.
    """

    width_px: int
    height_px: int

    def __init__(self, path: Path, index: FrameIndex, cache_bytes: int) -> None:
        self.path = path
        self.index = index
        self._cache_bytes = cache_bytes
        self._missing = set(index.missing.tolist())
        self._inherited: list[Any] = []
        self._lock = RLock()
        self._open_here()
        _OPEN.add(self)

    def __len__(self) -> int:
        return len(self.index)

    def read(self, frame_index: int) -> Picture:
        """One frame (H, W, 3) uint8 RGB; the caller owns the array.

        Raises:
            IndexError: not in [0, len(self)).
            FrameMissing: the frame does not decode.
        """
        if not 0 <= frame_index < len(self):
            raise IndexError(f"frame {frame_index} does not lie in [0, {len(self)})")
        with self._lock:
            self._in_this_process()
            picture = self._read_or_none(int(frame_index))
        if picture is None:
            raise FrameMissing(self.path.name, frame_index)
        return picture

    def iterate(self, start: int = 0, stop: int | None = None, step: int = 1) -> Iterator[tuple[int, Picture | None]]:
        """Each `step`-th frame of [start, stop) with its number, at the speed of decoding; None for a missing frame.

        Decodes on its own, so `read` may be called meanwhile; close the iterator (or exhaust it) to free its decoder.

        Raises:
            IndexError: the span does not lie in [0, len(self)).
            ValueError: step < 1.
        """
        stop = len(self) if stop is None else stop
        if not 0 <= start <= stop <= len(self):
            raise IndexError(f"span [{start}, {stop}) does not lie in [0, {len(self)})")
        if step < 1:
            raise ValueError(f"step must be at least 1, not {step}")
        return self._iterate_here(start, stop, step)

    def _iterate_here(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        """`_iterate`, begun anew behind the last frame where a forked process goes on with it."""
        self._in_this_process()
        process = os.getpid()
        frames: Any = self._iterate(start, stop, step)  # a generator
        with closing(frames):
            for frame_index, picture in frames:
                yield frame_index, picture
                if os.getpid() != process:
                    self._inherited.append(frames)
                    yield from self._iterate_here(min(frame_index + step, stop), stop, step)
                    return

    def _in_this_process(self) -> None:
        """Open the study anew where another process, the parent, opened it; what the parent opened stays as it is."""
        if self._process != os.getpid():
            self._inherited.append(dict(vars(self)))
            self._open_here()

    def _open_here(self) -> None:
        self._open()
        self._process = os.getpid()

    @abstractmethod
    def _open(self) -> None:
        """Open the file with an empty cache, and set `width_px` and `height_px`."""

    def __reduce__(self) -> tuple[Callable[..., "FrameSource"], tuple[Any, ...]]:
        return _opened_again, (type(self), self.path.absolute(), self.index, self._cache_bytes)

    @property
    def missing(self) -> list[int]:
        """Frames known by now not to decode: those of the index and those met while reading; ascending."""
        return sorted(self._missing)

    @abstractmethod
    def close(self) -> None:
        """Let go of file and decoder; the source cannot be read afterwards."""

    @abstractmethod
    def _read_or_none(self, frame_index: int) -> Picture | None: ...

    @abstractmethod
    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]: ...


def check_unchanged(path: Path, index: FrameIndex) -> None:
    """Raise `UserError` where an index with a fingerprint belongs to other content."""
    if index.fingerprint and not has_fingerprint(path, index.fingerprint):
        raise UserError("{name} has changed since it was indexed.", "Open the file as a new study.", path.name)


def _opened_again(kind: type[FrameSource], path: Path, index: FrameIndex, cache_bytes: int) -> FrameSource:
    """A source as it was pickled."""
    check_unchanged(path, index)
    return kind(path, index, cache_bytes)


class PictureSource(FrameSource):
    """A study of pictures that are decoded one by one; those read last are kept.

    What reads them is made by `_new_reader` and closed: one for `read`, and one for each `iterate`.
    """

    def _open(self) -> None:
        self._cache: FrameCache[Picture] = FrameCache(self._cache_bytes, lambda picture: picture.nbytes)
        self._reader = self._new_reader()

    def close(self) -> None:
        """Let go of the file and of the kept frames."""
        self._reader.close()
        self._cache.clear()

    @abstractmethod
    def _new_reader(self) -> Any: ...

    @abstractmethod
    def _decoded(self, frame_index: int, reader: Any) -> Picture | None: ...

    def _read_or_none(self, frame_index: int) -> Picture | None:
        kept = self._cache.get(frame_index)
        if kept is None and (kept := self._load(frame_index, self._reader)) is not None:
            self._cache.put(frame_index, kept)
        return None if kept is None else kept.copy()

    def _load(self, frame_index: int, reader: Any) -> Picture | None:
        picture = None if frame_index in self._missing else self._decoded(frame_index, reader)
        if picture is None:
            self._missing.add(frame_index)
        return picture

    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        with closing(self._new_reader()) as reader:
            for frame_index in range(start, stop, step):
                yield frame_index, self._load(frame_index, reader)
