"""Requests that are not started yet: of each kind only the newest."""

import threading
from dataclasses import dataclass, field

from training.service.requests import EmbedRequest, ExplainRequest


@dataclass(frozen=True, eq=False)
class Asked:
    """A request with its number, and whether a newer one of its kind, or a person, has made it needless."""

    number: int
    request: ExplainRequest | EmbedRequest
    needless: threading.Event = field(default_factory=threading.Event)


class Inbox:
    """Filled by the thread that listens, emptied by the one that works.

    A newer request makes an older one of the same kind needless. One of another kind does not: a drawn region that is
    looked up must not cost the explanation that is being computed.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[str, Asked] = {}
        self._running: dict[str, Asked] = {}
        self._is_closed = False

    def put(self, number: int, request: ExplainRequest | EmbedRequest) -> None:
        """Take a request in."""
        with self._changed:
            self._drop(request.kind)
            self._waiting[request.kind] = Asked(number, request)
            self._changed.notify_all()

    def drop(self, kind: str | None = None) -> None:
        """Make needless what waits and runs, of one kind or of all."""
        with self._changed:
            for each in (*self._waiting, *self._running) if kind is None else (kind,):
                self._drop(each)

    def close(self) -> None:
        """Make everything needless and let `take` return None from now on."""
        self.drop()
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def take(self, timeout_seconds: float) -> Asked | None:
        """The next request, oldest first; None when none came in time, or the inbox is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed, timeout_seconds)
            if self._is_closed or not self._waiting:
                return None
            kind = next(iter(self._waiting))
            return self._begin(kind)

    def take_other(self, kind: str) -> Asked | None:
        """A request of another kind than the one that runs, without waiting; None where there is none."""
        with self._changed:
            other = next((each for each in self._waiting if each != kind and each not in self._running), None)
            return None if other is None or self._is_closed else self._begin(other)

    def end(self, asked: Asked) -> None:
        """Say that a request that was taken has been answered."""
        with self._changed:
            if self._running.get(asked.request.kind) is asked:
                del self._running[asked.request.kind]

    def _begin(self, kind: str) -> Asked:
        asked = self._running[kind] = self._waiting.pop(kind)
        return asked

    def _drop(self, kind: str) -> None:
        self._waiting.pop(kind, None)
        if kind in self._running:
            self._running[kind].needless.set()
