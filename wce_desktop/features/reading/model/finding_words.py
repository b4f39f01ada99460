"""What is shown of a finding in words."""

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.transit import place_of
from wce_desktop.core.clock import format_time
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

RELEVANCE_TITLES = {
    "": "not entered",
    "P0": "P0: does not bleed",
    "P1": "P1: may bleed",
    "P2": "P2: likely to bleed",
}
"""Potential to bleed (Saurin et al., Endoscopy 2003)."""
SEEN_BEFORE = {True: "seen before the flag", False: "not seen before the flag", None: ""}


def place_words(reading: Reading, finding: Finding) -> str:
    """ "small bowel, 41 min after the first duodenal frame"; what is missing where that is not known."""
    place = place_of(reading.landmarks, reading.index.video_seconds, finding.span.start)
    return place.words if place is not None else f"no landmark before it ({key_of('landmark_stomach')} to Ctrl+5)"


def list_words(reading: Reading, title: str, frames: str, finding: Finding) -> str:
    """The row of the list: kind, frames and time; place and details; the comment.

    Args:
        reading: the open study.
        title: of the kind.
        frames: how many, in words.
        finding: the finding.
    """
    seconds = reading.index.video_seconds
    at = format_time(float(seconds[min(finding.span.start, reading.frame_count - 1)]))
    others = [frame for frame in finding.key_frames if frame not in finding.span and frame < reading.frame_count]
    also = "also at " + ", ".join(format_time(float(seconds[frame])) for frame in others) if others else ""
    place = place_of(reading.landmarks, seconds, finding.span.start)
    where = finding.segment or ("" if place is None else f"{place.region} + {place.minutes} min")
    size = f"{finding.size_mm:g} mm" if finding.size_mm else ""
    details = ", ".join(
        filter(None, (where, size, finding.number, finding.morphology, finding.relevance)),
    )
    return "\n".join(filter(None, (f"{title}, {frames}, at {at}", also, details, finding.comment)))


def origin_words(session: Session, finding: Finding) -> str:
    """ "By reader, 2026-11-23 10:12 UTC; suggested by Model 1, not seen before the flag"."""
    when = finding.when_utc[:16].replace("T", " ")
    words = [f"By {finding.reader or 'an unknown reader'}"]
    words += [f"{when} UTC"] if when else []
    said = ", ".join(words)
    if finding.model_id is None:
        return said
    titles = {model.model_id: model.title for model in session.library.models()}
    before = SEEN_BEFORE[finding.was_seen_before]
    suggested = f"suggested by {titles.get(finding.model_id, finding.model_id)}"
    return f"{said}; {suggested}, {before}" if before else f"{said}; {suggested}"
