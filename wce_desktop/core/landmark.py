"""Landmarks (first frames of anatomical regions) and the regions between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from wce_desktop.core.span import Span


class Region(StrEnum):
    """The regions a capsule passes, in this order."""

    STOMACH = "stomach"
    SMALL_BOWEL = "small bowel"
    COLON = "colon"


@dataclass(frozen=True, slots=True)
class Landmark:
    """The first frame of a region; a study has at most one a region."""

    landmark_id: str
    study_id: str
    region: Region
    frame_index: int
    reader: str = ""

    def __post_init__(self) -> None:
        if self.frame_index < 0:
            raise ValueError(f"a landmark needs a frame index of 0 or more, not {self.frame_index}")


def regions(landmarks: Iterable[Landmark], frame_count: int) -> tuple[tuple[Region, Span], ...]:
    """The region that each landmark begins, in order of time, each up to the next one or the end.

    Of two landmarks on one frame the anatomically later one counts; one past the end is left out.
    """
    order = list(Region)
    firsts = {mark.frame_index: mark.region for mark in sorted(landmarks, key=lambda mark: order.index(mark.region))}
    starts = sorted(start for start in firsts if start < frame_count)
    stops = [*starts[1:], frame_count]
    return tuple((firsts[start], Span(start, stop)) for start, stop in zip(starts, stops, strict=bool(starts)))
