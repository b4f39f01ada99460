"""The changes of an edit (items added, removed, replaced) and their inverses."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar, get_args

from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Landmark
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.report_part import ReportPart

Item: TypeAlias = Label | Finding | Landmark | Box | Link | Record | ReportPart


@dataclass(frozen=True, slots=True)
class Add:
    """A new item; there is no `old` one."""

    verb: ClassVar = "add"
    old: ClassVar[None] = None
    new: Item


@dataclass(frozen=True, slots=True)
class Remove:
    """A removed item, kept in full so that the removal can be undone; there is no `new` one."""

    verb: ClassVar = "remove"
    new: ClassVar[None] = None
    old: Item


@dataclass(frozen=True, slots=True)
class Replace:
    """An item that becomes another of the same kind."""

    verb: ClassVar = "replace"
    old: Item
    new: Item

    def __post_init__(self) -> None:
        if type(self.old) is not type(self.new):
            raise ValueError(f"a {type(self.new).__name__} cannot take the place of a {type(self.old).__name__}")


Change: TypeAlias = Add | Remove | Replace


@dataclass(frozen=True, slots=True)
class Edit:
    """One undo step; `title` says in English what it did, as a `Text` unless an older version made it; `tr` shows it.

    `group_id` is shared by the parts of one edit of several studies, and empty if there is one part only.
    """

    edit_id: int
    study_id: str
    title: str
    changes: tuple[Change, ...]
    reader: str = ""
    when_utc: str = ""
    group_id: str = ""

    def touches(self, kind: type[Item]) -> bool:
        """Whether an item of this kind was added, removed or changed."""
        return any(isinstance(change.old or change.new, kind) for change in self.changes)

    @property
    def frame_index(self) -> int | None:
        """The first frame of what was added, removed or changed; None where that lies on no frame."""
        items = [change.old or change.new for change in self.changes]
        spans = [item.span.start for item in items if isinstance(item, Label | Finding)]
        points = [item.frame_index for item in items if isinstance(item, Landmark | Box | Link)]
        return min((*spans, *points), default=None)


class Plan(NamedTuple):
    """A planned edit; its title is a `Text`, since the library keeps it, and shown by `tr`.

    Without changes there is nothing to do, and the title says why in the chosen language.
    """

    title: str
    changes: tuple[Change, ...]


def item_id(item: Item) -> str:
    """The identity of an item of any kind: its first field."""
    return str(getattr(item, _ID_NAMES[type(item)]))


_ID_NAMES = {kind: fields(kind)[0].name for kind in get_args(Item)}


ItemKind = TypeVar("ItemKind", Finding, Landmark, Box, Link, ReportPart)


def apply_to_items(items: Sequence[ItemKind], changes: Sequence[Change], kind: type[ItemKind]) -> list[ItemKind]:
    """The items of one kind after these changes; changes of other kinds are ignored. What is new comes last."""
    held = {item_id(item): item for item in items}
    for change in changes:
        if isinstance(change.old, kind):
            held.pop(item_id(change.old), None)  # what the library could not read is not among them
        if isinstance(change.new, kind):
            held[item_id(change.new)] = change.new
    return list(held.values())


def inverse(change: Change) -> Change:
    """The change that undoes this one."""
    if isinstance(change, Replace):
        return Replace(change.new, change.old)
    return Remove(change.new) if isinstance(change, Add) else Add(change.old)


def inverted(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes that undo these, in reverse order."""
    return tuple(map(inverse, reversed(changes)))


def items_of(changes: Iterable[Change]) -> Iterator[Item]:
    """All items before and after these changes."""
    return (item for change in changes for item in (change.old, change.new) if item is not None)
