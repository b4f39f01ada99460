"""The groups of frames that were decoded before they are due."""

from collections.abc import Iterable

from wce_desktop.widgets.player.requests import FrameGroup


class PreparedGroups:
    """What was asked for and what has come, by first frame; what was asked for before `forget` is not welcome."""

    def __init__(self) -> None:
        self._ready: dict[int, FrameGroup] = {}
        self._asked: set[int] = set()
        self._welcome_after = 0

    def ask(self, coming: Iterable[int]) -> list[int]:
        """The positions of `coming` that nobody asked for yet; from now on they count as asked for."""
        missing = [first for first in coming if first not in self._ready and first not in self._asked]
        self._asked.update(missing)
        return missing

    def keep(self, group: FrameGroup) -> bool:
        """Keep a group that has come; False when it is no longer welcome."""
        if group.request.number <= self._welcome_after:
            return False
        self._asked.discard(group.request.first)
        self._ready[group.request.first] = group
        return True

    def take(self, first: int) -> FrameGroup | None:
        """Hand out the group that begins with `first`, if it has come."""
        return self._ready.pop(first, None)

    def forget(self, last_number: int) -> None:
        """Something else comes next: drop everything up to the request of this number."""
        self._ready.clear()
        self._asked.clear()
        self._welcome_after = last_number
