"""Places of two studies that a reader has linked as the same, or as not the same."""

from collections.abc import Iterable
from dataclasses import dataclass

from training.texts import Text
from wce_desktop.core.annotation import Add, Change, Link, Remove
from wce_desktop.library import Library


@dataclass(frozen=True)
class LinkedPlace:
    """A link between two studies, as seen from one of them."""

    link: Link
    frame_index: int  # in the study that it is seen from
    other_study_id: str
    other_frame_index: int  # in the other study

    @property
    def is_same(self) -> bool:
        """Whether both show the same place."""
        return self.link.is_same


def linked_places(library: Library, study_id: str) -> tuple[LinkedPlace, ...]:
    """The links between places of a study and places of other studies, in order of time, whichever they belong to."""
    result = [
        LinkedPlace(link, link.frame_index, link.other_study_id, link.other_frame_index)
        for link in library.annotations.links(study_id)
        if link.other_study_id != study_id
    ]
    result += [
        LinkedPlace(link, link.other_frame_index, link.study_id, link.frame_index)
        for link in library.annotations.links_to(study_id)
    ]
    return tuple(sorted(result, key=lambda place: (place.frame_index, place.other_study_id, place.other_frame_index)))


def link_changes(existing: Iterable[LinkedPlace], new: Link) -> dict[str, list[Change]]:
    """Study -> the changes that add a link of two places; links of the same two that say otherwise are removed.

    Nothing where they are linked that way already.
    """
    ends = new.frame_index, new.other_study_id, new.other_frame_index
    held = [
        place.link for place in existing if (place.frame_index, place.other_study_id, place.other_frame_index) == ends
    ]
    if any(link.is_same == new.is_same for link in held):
        return {}
    changes: dict[str, list[Change]] = {new.study_id: []}
    for link in held:
        changes.setdefault(link.study_id, []).append(Remove(link))
    changes[new.study_id].append(Add(new))
    return changes


def link_title(frame_index: int, *, is_same: bool) -> str:
    """What undo calls a link."""
    if is_same:
        return Text("Link frame {count:,} with another study: the same place", frame_index + 1)
    return Text("Link frame {count:,} with another study: not the same place", frame_index + 1)
