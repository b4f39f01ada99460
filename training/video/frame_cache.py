"""The frames that were decoded last, up to a number of bytes."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


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
