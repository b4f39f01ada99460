"""What was measured in the open study beside its flags, in words, and whether the reader has confirmed it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from wce_desktop.core.annotation import Region, part_of, regions
from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.blood import stretches
from wce_desktop.core.clock import counted, format_time
from wce_desktop.core.language import number_text, tr, tr_count
from wce_desktop.core.visible_mucosa import Cleansing, cleansing, share_words
from wce_desktop.session.reading import Reading

Name = Literal["cleansing", "blood"]
MOST_TIMES = 6
"""Stretches with blood that a sentence names."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A sentence, and its figures: what a reader confirmed is compared with them, in whatever language it was.

    Attributes:
        words: empty where nothing was measured.
        is_confirmed: the reader has confirmed these figures.
    """

    words: str = ""
    figures: str = ""
    is_confirmed: bool = False


def measured(reading: Reading) -> dict[Name, Measured]:
    """The cleansing and the marks of the blood indicator of a study."""
    part = part_of(reading.entries.report_parts, "texts")
    confirmed = part.content if part is not None else {}
    stated: dict[Name, tuple[str, str]] = {"cleansing": _cleansing(reading), "blood": _blood(reading)}
    return {
        name: Measured(words, figures, bool(words) and confirmed.get(name) == figures)
        for name, (words, figures) in stated.items()
    }


def _cleansing(reading: Reading) -> tuple[str, str]:
    """Of each region, once the small bowel is known."""
    flags, landmarks = reading.flags, reading.entries.landmarks
    if flags.visible_mucosa is None or small_bowel(landmarks, reading.frame_count) is None:
        return "", ""
    words, figures = [], []
    for region, span in regions(landmarks, reading.frame_count):
        segment = cleansing(flags.visible_mucosa, flags.mean_color, reading.index.video_seconds, span)
        if segment is not None:
            words.append(_segment_words(region, segment))
            figures.append(f"{region.value} {segment.visible:.2f} {segment.cac or 0:.2f}")
    return (tr("visible mucosa: {segments}", segments="; ".join(words)), "; ".join(figures)) if words else ("", "")


def _segment_words(region: Region, segment: Cleansing) -> str:
    """ "small bowel 84 % (82 to 88), CAC 1.68, 73 % of frames adequate"; CAC is of the small bowel only."""
    share = share_words(segment.visible)
    if segment.interval is not None:
        low, high = (f"{100 * end:.0f}" for end in segment.interval)
        share = f"{share} ({tr('{low} to {high}', low=low, high=high)})"
    words = f"{tr(region.value)} {share}"
    if region is not Region.SMALL_BOWEL or segment.cac is None or segment.adequate is None:
        return words
    ratio, adequate = number_text(segment.cac, ".2f"), share_words(segment.adequate)
    return f"{words}, {tr('CAC {ratio}, {share} of frames adequate', ratio=ratio, share=adequate)}"


def _blood(reading: Reading) -> tuple[str, str]:
    """When the blood indicator marks frames; of the small bowel, once it is known."""
    marked = reading.marked_as_blood
    if marked is None or not marked.any():
        return "", ""
    seconds = reading.index.video_seconds
    places = stretches(marked, seconds)
    longest = sorted(sorted(places, key=len, reverse=True)[:MOST_TIMES], key=lambda span: span.start)
    times = []
    for span in longest:
        first, last = (format_time(float(seconds[at])) for at in (span.start, span.stop - 1))
        times.append(first if first == last else tr("{begin} to {end}", begin=first, end=last))
    more = len(places) - len(longest)
    words = tr(
        "blood suspected by colour alone, {frames} at {times}",
        frames=counted(int(np.count_nonzero(marked)), "frame"),
        times=", ".join(times),
    )
    if more:
        words = f"{words} {tr_count('and at {count} more time', 'and at {count} more times', more)}"
    return words, ", ".join(f"{span.start} {span.stop}" for span in places)
