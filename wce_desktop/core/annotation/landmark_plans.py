"""Planned edits of landmarks; each is one undo step, and none puts them out of anatomical order."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from training.texts import Text
from wce_desktop.core.annotation.change import Add, Plan, Remove, Replace
from wce_desktop.core.annotation.landmark import Landmark, Region, first_frames, order_problem
from wce_desktop.core.identity import new_id
from wce_desktop.core.language import tr


def toggle_landmark(
    landmarks: Iterable[Landmark], study_id: str, region: Region, frame_index: int, *, reader: str
) -> Plan:
    """Set a landmark to a frame; if it is there already, remove it."""
    held = list(landmarks)
    there = _of(held, region)
    if there is not None and there.frame_index == frame_index:
        return remove_landmark(held, region)
    return place_landmark(held, study_id, region, frame_index, reader=reader)


def place_landmark(
    landmarks: Iterable[Landmark], study_id: str, region: Region, frame_index: int, *, reader: str
) -> Plan:
    """Set a landmark, or move it; without changes, and with a sentence, where that would be out of order."""
    held = list(landmarks)
    there = _of(held, region)
    mark = Landmark(new_id(), study_id, region, frame_index, reader)
    others = [one for one in held if one.region != region]
    problem = order_problem([*others, mark])
    if problem and not order_problem(held):  # those that are out of order already can be put right one by one
        why = problem.removesuffix(".")
        return Plan(tr("The {landmark} was not set. {why}", landmark=tr(region.landmark), why=why), ())
    name, number = Text(region.landmark), frame_index + 1
    if there is None:
        return Plan(Text("{landmark} set to frame {count:,}", name, number), (Add(mark),))
    if there.frame_index == frame_index:
        return Plan(
            tr("The {landmark} is frame {frame} already", landmark=tr(region.landmark), frame=frame_index + 1), ()
        )
    moved = replace(there, frame_index=frame_index, reader=reader)
    return Plan(Text("{landmark} moved to frame {count:,}", name, number), (Replace(there, moved),))


def remove_landmark(landmarks: Iterable[Landmark], region: Region) -> Plan:
    """Remove a landmark."""
    there = _of(list(landmarks), region)
    if there is None:
        return Plan(tr("The {landmark} is not set", landmark=tr(region.landmark)), ())
    return Plan(Text("{landmark} removed", Text(region.landmark)), (Remove(there),))


def room_for(landmarks: Iterable[Landmark], region: Region, frame_count: int) -> tuple[int, int]:
    """The frames [start, stop) that a landmark can be set to, between those before and after it in anatomical order."""
    frames, order = first_frames(landmarks), list(Region)
    at = order.index(region)
    start = max((frames[one] + (region is not Region.END) for one in order[:at] if one in frames), default=0)
    stop = min((frames[one] + (one is Region.END) for one in order[at + 1 :] if one in frames), default=frame_count)
    return start, stop


def _of(landmarks: Sequence[Landmark], region: Region) -> Landmark | None:
    return next((mark for mark in landmarks if mark.region == region), None)
