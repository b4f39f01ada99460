"""The audit of the open study: which frames were drawn, how many were looked at, and what follows from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from training.errors import NothingToDoError
from wce_desktop.core import number_text, percent, to_translate, tr
from wce_desktop.core.annotation import part_of
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.audit_sample import LEVEL, SAMPLE_FRAMES, draw_sample, most_visits, upper_bound
from wce_desktop.session.edits import part_change
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

VISIT_FRAMES = 10
"""Where the study has no finding, from whose lengths that of a visit could be taken."""


@dataclass(frozen=True, slots=True)
class FrameAudit:
    """A sample of frames that were neither flagged nor seen, in the order in which they are looked at.

    Attributes:
        seed: draws the same frames from the same study again.
        frames: the sample.
        unseen: how many frames it was drawn from.
        looked: how many of the sample were looked at, the first ones.
        day: when the last of them were, in ISO 8601; empty where none were.
        reader: who looked at them.
    """

    seed: int
    frames: tuple[int, ...]
    unseen: int
    looked: int = 0
    day: str = ""
    reader: str = ""


def audit_of(reading: Reading) -> FrameAudit | None:
    """The audit of the study; None where there is none, or where its content cannot be read."""
    part = part_of(reading.entries.report_parts, "audit")
    if part is None:
        return None
    try:
        audit = FrameAudit(**part.content)
        frames = tuple(frame for frame in audit.frames if 0 <= int(frame) < reading.frame_count)
        return replace(audit, frames=frames, looked=min(int(audit.looked), len(frames)), reader=part.reader)
    except (TypeError, ValueError):
        return None


def frames_to_audit(reading: Reading) -> NDArray[np.int64]:
    """(N,) rising: the unread frames that were not flagged, of the small bowel where its landmarks are set."""
    unseen = reading.unread & ~(reading.flags.flagged() | reading.flags.events.mask(reading.frame_count))
    bowel = small_bowel(reading.entries.landmarks, reading.frame_count)
    if bowel is not None:
        unseen[: bowel.start] = unseen[bowel.stop :] = False
    return np.flatnonzero(unseen)


def begin(session: Session) -> FrameAudit:
    """The audit of the open study; a sample is drawn where none was looked at.

    Raises:
        NothingToDoError: every frame was flagged or seen.
    """
    reading = session.opened()
    audit = audit_of(reading)
    if audit is not None and audit.looked:
        return audit
    frames = frames_to_audit(reading)
    if not len(frames):
        raise NothingToDoError("Every frame was flagged or seen.", "There is nothing to audit.")
    seed = int(sha256(reading.study.fingerprint.encode()).hexdigest()[:8], 16)
    sample = tuple(draw_sample(frames, SAMPLE_FRAMES, seed).tolist())
    drawn = FrameAudit(seed, sample, len(frames))
    if audit is None or replace(audit, reader="") != drawn:
        _keep(session, to_translate("Draw a sample of unseen frames"), drawn)
    return drawn


def mark_looked(session: Session, count: int) -> FrameAudit:
    """Note that the next frames of the sample were looked at, and that what shows a finding was entered."""
    audit = begin(session)
    looked = min(audit.looked + count, len(audit.frames))
    marked = replace(audit, looked=looked, day=datetime.now().astimezone().date().isoformat())
    _keep(session, to_translate("Look at a page of the audit"), marked)
    return marked


def _keep(session: Session, title: str, audit: FrameAudit) -> None:
    content = asdict(replace(audit, reader="")) | {"frames": list(audit.frames)}
    session.edits.apply(title, [part_change(session.opened(), "audit", content, session.library.reader)])


def shows_finding(reading: Reading, frame: int) -> bool:
    """Whether a finding, or a label other than normal, lies on a frame."""
    labels = any(label.name != NORMAL for label in reading.entries.labels.at(frame))
    return labels or any(frame in one.span or frame in one.key_frames for one in reading.entries.findings)


def result_words(reading: Reading, audit: FrameAudit) -> str:
    """ "0 of 300 frames: fewer than 1.0 % of the unseen frames, at 95 %"; empty where no frame was looked at."""
    if not audit.looked:
        return ""
    positive = sum(shows_finding(reading, frame) for frame in audit.frames[: audit.looked])
    share = upper_bound(positive, audit.looked)
    lengths = [len(finding.span) for finding in reading.entries.findings if len(finding.span) > 1]
    visit = int(np.median(lengths)) if lengths else VISIT_FRAMES
    return tr(
        "{positive} of {count} frames show a finding: fewer than {share} of the {unseen} unseen frames, at {level}; "
        "at most {visits} findings that are seen on {visit} or more of them.",
        positive=positive,
        count=audit.looked,
        share=number_text(np.ceil(share * 1000) / 1000, ".1%"),
        unseen=audit.unseen,
        level=percent(LEVEL),
        visits=most_visits(share, audit.unseen, visit),
        visit=visit,
    )
