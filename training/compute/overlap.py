"""Doing the stages of a pipeline at the same time, with bounded memory and results in order."""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Prefetch(Generic[T]):
    """Iterates `items` in a thread of its own, up to `depth` ahead; errors come out where the item would have.

    Must be closed, also after an error: the thread ends before `close` returns.
    """

    def __init__(self, items: Iterable[T], depth: int) -> None:
        self._items = items
        self._queue: queue.Queue[tuple[str, T | BaseException | None]] = queue.Queue(depth)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._fill, name="prefetch", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[T]:
        while True:
            kind, item = self._queue.get()
            if kind == "item":
                yield item  # type: ignore[misc]
            elif isinstance(item, BaseException):
                raise item
            else:
                return

    def close(self) -> None:
        """Stop reading and wait for the thread; items that were read ahead are dropped."""
        self._closing.set()
        while self._thread.is_alive():
            try:
                self._queue.get(timeout=0.05)  # makes room where the thread waits for it
            except queue.Empty:
                continue
        self._thread.join()

    def _fill(self) -> None:
        try:
            for item in self._items:
                self._queue.put(("item", item))
                if self._closing.is_set():
                    return
            self._queue.put(("end", None))
        except BaseException as error:  # belongs to whoever waits for the item
            self._queue.put(("error", error))
        finally:
            close = getattr(self._items, "close", None)
            if close is not None:
                close()


def in_lanes(
    items: Iterable[T], work: Callable[[T], R], lanes: int, prepare_lane: Callable[[], None] = lambda: None
) -> Iterator[R]:
    """`map(work, items)` in order, over `lanes` threads; at most 2 * `lanes` items are on their way.

    Args:
        items: consumed in the caller's thread.
        work: called from the lanes.
        lanes: threads.
        prepare_lane: called once in each thread before its first item.
    """
    waiting: deque[Future[R]] = deque()
    with ThreadPoolExecutor(lanes, "lane", prepare_lane) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) >= 2 * lanes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
