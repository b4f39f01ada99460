"""Landmarks (first frames of anatomical regions, and the end of the examination) and the regions between them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from wce_desktop.core.clock import format_frame
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.span import Span


class Region(StrEnum):
    """The regions a capsule passes, in this order; `END` is no region, but where the examination ends."""

    OESOPHAGUS = to_translate("oesophagus")
    STOMACH = to_translate("stomach")
    SMALL_BOWEL = to_translate("small bowel")
    COLON = to_translate("colon")
    END = to_translate("end")

    @property
    def landmark(self) -> str:
        """What its landmark is called, in English: "first duodenal frame". It is shown by `tr`."""
        return _LANDMARKS[self]


_LANDMARKS = {
    Region.OESOPHAGUS: to_translate("first oesophageal frame"),
    Region.STOMACH: to_translate("first gastric frame"),
    Region.SMALL_BOWEL: to_translate("first duodenal frame"),
    Region.COLON: to_translate("first caecal frame"),
    Region.END: to_translate("last frame of the examination"),
}
BODY_REGIONS = (Region.OESOPHAGUS, Region.STOMACH, Region.SMALL_BOWEL, Region.COLON)
"""Those that frames can lie in."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """The first frame of a region, or the last frame of the examination; a study has at most one of each."""

    landmark_id: str
    study_id: str
    region: Region
    frame_index: int
    reader: str = ""

    def __post_init__(self) -> None:
        if self.frame_index < 0:
            raise ValueError(f"a landmark needs a frame index of 0 or more, not {self.frame_index}")


def first_frames(landmarks: Iterable[Landmark]) -> dict[Region, int]:
    """The frame of each landmark that is set, in anatomical order."""
    known = {mark.region: mark.frame_index for mark in landmarks}
    return {region: known[region] for region in Region if region in known}


def regions(landmarks: Iterable[Landmark], frame_count: int) -> tuple[tuple[Region, Span], ...]:
    """The region that each landmark begins, in order of time, each up to the next one or the end.

    Of two landmarks on one frame the anatomically later one counts. Frames after the end of the examination lie in no
    region, and a landmark there, or past the end of the study, is left out.
    """
    frames = first_frames(landmarks)
    end = examination_stop(frames, frame_count)
    firsts = {frame: region for region, frame in frames.items() if region is not Region.END}
    starts = sorted(start for start in firsts if start < end)
    stops = [*starts[1:], end]
    return tuple((firsts[start], Span(start, stop)) for start, stop in zip(starts, stops, strict=bool(starts)))


def small_bowel(landmarks: Iterable[Landmark], frame_count: int) -> Span | None:
    """The small bowel as far as its landmarks say; None without them."""
    return dict(regions(landmarks, frame_count)).get(Region.SMALL_BOWEL)


def examination_stop(frames: dict[Region, int], frame_count: int) -> int:
    """The frame after the last one of the examination; `frames` as `first_frames` gives them."""
    return min(frames.get(Region.END, frame_count) + 1, frame_count)


def examination(landmarks: Iterable[Landmark], frame_count: int) -> Span | None:
    """The frames from the mouth to the end of the examination, as far as both are set; None without any frame."""
    frames = first_frames(landmarks)
    start, stop = frames.get(Region.OESOPHAGUS, 0), examination_stop(frames, frame_count)
    return Span(start, stop) if start < stop else None


def order_problem(landmarks: Iterable[Landmark]) -> str:
    """A sentence on the first two landmarks that are not in anatomical order; "" where all are.

    Only the end of the examination may lie on the frame of another landmark.
    """
    set_ones = list(first_frames(landmarks).items())
    for (before, first), (after, second) in pairwise(set_ones):
        if second < first or (second == first and after is not Region.END):
            return tr(
                "The {later} ({later_frame}) does not lie after the {earlier} ({earlier_frame}).",
                later=tr(after.landmark),
                later_frame=format_frame(second + 1),
                earlier=tr(before.landmark),
                earlier_frame=format_frame(first + 1),
            )
    return ""
