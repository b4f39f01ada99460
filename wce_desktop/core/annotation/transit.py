"""Where a frame lies after the landmarks, transit times, and whether the caecum was reached."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.landmark import Landmark, Region, first_frames, order_problem
from wce_desktop.core.clock import format_time, whole_minutes
from wce_desktop.core.language import to_translate, tr

Seconds = NDArray[np.float64]
Caecum = Literal["reached", "not reached", "not entered"]

INCOMPLETE = to_translate(
    "The caecum was not reached within the recording: the examination of the small bowel is incomplete, and lesions of "
    "its distal part may have been missed."
)
RETENTION = to_translate(
    "Note on retention: ask whether the capsule was excreted. Where it was not seen, an abdominal X-ray after two "
    "weeks shows whether it is retained; before it is excreted or excluded, no MRI."
)
"""Retention is a capsule that stays in the digestive tract for two weeks or more (Cave et al., Endoscopy 2005)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a frame lies: in a region, `seconds` after its landmark."""

    region: Region
    seconds: float

    @property
    def words(self) -> str:
        """ "small bowel, 41 min after the first duodenal frame"."""
        return tr(
            "{region}, {time} after the {landmark}",
            region=tr(self.region),
            time=minutes_text(self.seconds),
            landmark=tr(self.region.landmark),
        )


@dataclass(frozen=True, slots=True)
class TransitTime:
    """One transit time.

    Attributes:
        name: "gastric", "small bowel" or "whole".
        seconds: None where a landmark that it needs is missing, or where the landmarks are out of order.
        is_at_least: the capsule had not left when the examination ended, so that the time is a lower bound.
        note: what is missing, or what it was measured from, where that needs saying; a clause without a full stop.
    """

    name: str
    seconds: float | None
    is_at_least: bool = False
    note: str = ""

    @property
    def text(self) -> str:
        """Hours and minutes: "5:12 h", "at least 5:12 h", "16 min", or "not known"."""
        if self.seconds is None:
            return tr("not known")
        time = hours_minutes(self.seconds)
        return tr("at least {time}", time=time) if self.is_at_least else time


@dataclass(frozen=True, slots=True)
class Transit:
    """The transit times of a study.

    Attributes:
        caecum: "not entered" where neither the first caecal frame nor the end of the examination is set.
        problem: a sentence where the landmarks are out of order; "" where they are in order.
    """

    gastric: TransitTime
    small_bowel: TransitTime
    whole: TransitTime
    caecum: Caecum
    problem: str = ""

    @property
    def times(self) -> tuple[TransitTime, TransitTime, TransitTime]:
        """All three, in anatomical order."""
        return self.gastric, self.small_bowel, self.whole

    @property
    def is_complete(self) -> bool | None:
        """Whether the small bowel was examined to its end; None while that was not entered."""
        return None if self.caecum == "not entered" else self.caecum == "reached"

    @property
    def consequences(self) -> tuple[str, ...]:
        """What follows for the report: nothing, or that the study is incomplete and the note on retention."""
        return (tr(INCOMPLETE), tr(RETENTION)) if self.caecum == "not reached" else ()


def hours_minutes(seconds: float) -> str:
    """`seconds` as h:min in full minutes, as all times are rounded down: "12:05 h"; below an hour as `minutes_text`."""
    minutes = whole_minutes(seconds)
    return f"{minutes // 60}:{minutes % 60:02d} h" if minutes >= 60 else minutes_text(seconds)


def minutes_text(seconds: float) -> str:
    """`seconds` in full minutes, "41 min"; below one in full seconds."""
    minutes = whole_minutes(seconds)
    return f"{minutes} min" if minutes else f"{int(seconds + 1e-6)} s"


def place_of(landmarks: Iterable[Landmark], video_seconds: Seconds, frame_index: int) -> Place | None:
    """The region of a frame, and the time since its landmark.

    None before the first landmark, after the end of the examination, and past the end of the study.

    Args:
        landmarks: of the study.
        video_seconds: (N,) time of each frame.
        frame_index: the frame.
    """
    frames = first_frames(landmarks)
    count = len(video_seconds)
    if not 0 <= frame_index < count or frame_index > frames.pop(Region.END, count):
        return None
    before = [(frame, region) for region, frame in frames.items() if frame <= frame_index]
    if not before:
        return None
    start = max(frame for frame, _ in before)
    region = [region for frame, region in before if frame == start][-1]  # the anatomically later one of two
    return Place(region, float(video_seconds[frame_index] - video_seconds[start]))


def transit(landmarks: Iterable[Landmark], video_seconds: Seconds, *, has_time: bool = True) -> Transit:
    """The transit times of a study with N frames.

    Gastric: first gastric to first duodenal frame. Small bowel: first duodenal to first caecal frame. Whole: first
    oesophageal frame (else the first gastric one, else the first of the recording) to the last frame of the
    examination (else the last of the recording). The caecum counts as not reached where the end of the examination is
    set and no first caecal frame is; a time that has not ended by then is a lower bound.

    Args:
        landmarks: of the study.
        video_seconds: (N,) time of each frame.
        has_time: False for a list of still images, which has no transit times.
    """
    marks = [mark for mark in landmarks if mark.frame_index < len(video_seconds)]
    problem = order_problem(marks)
    at = {region: float(video_seconds[frame]) for region, frame in first_frames(marks).items()}
    if Region.COLON in at:
        caecum: Caecum = "reached"
    else:
        caecum = "not reached" if Region.END in at else "not entered"
    why = "" if has_time else tr("the study is a list of still images")
    why = why or (tr("the landmarks are out of order") if problem else "")
    why = why or ("" if len(video_seconds) else tr("it has no frames"))
    if why:
        unknown = [TransitTime(name, None, note=why) for name in ("gastric", "small bowel", "whole")]
        return Transit(unknown[0], unknown[1], unknown[2], caecum, problem)
    return Transit(
        _between("gastric", at, Region.STOMACH, Region.SMALL_BOWEL),
        _between("small bowel", at, Region.SMALL_BOWEL, Region.COLON),
        _whole(at, video_seconds),
        caecum,
    )


def _between(name: str, at: dict[Region, float], first: Region, after: Region) -> TransitTime:
    """From one landmark to the next region's; a region that was skipped ends with the one after it."""
    if first not in at:
        return TransitTime(name, None, note=tr("the {landmark} is not set", landmark=tr(first.landmark)))
    later = list(Region)[list(Region).index(after) :]
    reached = next((region for region in later if region in at), None)
    if reached is after:
        return TransitTime(name, at[after] - at[first])
    if reached is Region.END:
        note = tr(
            "the {landmark} was not reached before the examination ended at {time}",
            landmark=tr(after.landmark),
            time=format_time(at[Region.END]),
        )
        return TransitTime(name, at[Region.END] - at[first], is_at_least=True, note=note)
    return TransitTime(name, None, note=tr("the {landmark} is not set", landmark=tr(after.landmark)))


def _whole(at: dict[Region, float], video_seconds: Seconds) -> TransitTime:
    first = next((region for region in (Region.OESOPHAGUS, Region.STOMACH) if region in at), None)
    start = float(video_seconds[0]) if first is None else at[first]
    stop, has_end = at.get(Region.END, float(video_seconds[-1])), Region.END in at
    if first is Region.OESOPHAGUS:
        note = "" if has_end else tr("to the end of the recording")
    elif first is None:
        both = to_translate("from the start of the recording to the end of the recording")
        note = tr("from the start of the recording") if has_end else tr(both)
    elif has_end:
        note = tr("from the {landmark}", landmark=tr(first.landmark))
    else:
        note = tr("from the {landmark} to the end of the recording", landmark=tr(first.landmark))
    return TransitTime("whole", stop - start, note=note)
