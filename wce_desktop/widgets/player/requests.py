"""Requests to the decoding thread, its answers, and frames decoded ahead."""

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtGui import QImage


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
    pictures: tuple[QImage | None, ...]


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

    def take(self, *, wait: bool) -> Request | None:
        """The next request; None when there is none (or, having waited, when the queue was closed)."""
        with self._changed:
            while wait and not self._waiting and not self.is_closed:
                self._changed.wait()
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
