"""What is shown of a finding in words."""

from wce_desktop.core.annotation.finding import FORM_ENTRIES, Finding
from wce_desktop.core.annotation.transit import place_of
from wce_desktop.core.clock import format_time
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.keys import with_keys
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

_ORIGINS = {
    True: to_translate("{by}; suggested by {model}, seen before the flag"),
    False: to_translate("{by}; suggested by {model}, not seen before the flag"),
    None: to_translate("{by}; suggested by {model}"),
}
"""By whether the finding was seen before the model flagged it."""


def place_words(reading: Reading, finding: Finding) -> str:
    """ "small bowel, 41 min after the first duodenal frame"; what is missing where that is not known."""
    place = place_of(reading.entries.landmarks, reading.index.video_seconds, finding.span.start)
    if place is not None:
        return place.words
    return with_keys(tr("no landmark before it ({landmark_stomach} to {landmark_end})"))


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
    times = ", ".join(format_time(float(seconds[frame])) for frame in others)
    also = tr("also at {times}", times=times) if others else ""
    place = place_of(reading.entries.landmarks, seconds, finding.span.start)
    where = tr(finding.segment)
    if not where and place is not None:
        where = tr("{region} + {minutes} min", region=tr(place.region), minutes=place.minutes)
    entered = {name: entry.words(getattr(finding, name)) for name, entry in FORM_ENTRIES.items() if name != "comment"}
    details = ", ".join(filter(None, (entered | {"segment": where}).values()))
    first = tr("{title}, {frames}, at {time}", title=title, frames=frames, time=at)
    return "\n".join(filter(None, (first, also, details, finding.comment)))


def origin_words(session: Session, finding: Finding) -> str:
    """ "By reader, 2026-11-23 10:12 UTC; suggested by Model 1, not seen before the flag"."""
    when = finding.when_utc[:16].replace("T", " ")
    reader = finding.reader or tr("an unknown reader")
    message = tr("By {reader}, {time} UTC", reader=reader, time=when) if when else tr("By {reader}", reader=reader)
    if finding.model_id is None:
        return message
    titles = {model.model_id: model.title for model in session.library.models.all()}
    model = titles.get(finding.model_id, finding.model_id)
    return tr(_ORIGINS[finding.was_seen_before], by=message, model=model)
