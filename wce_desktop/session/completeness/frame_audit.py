"""The audit of the open study: which frames were drawn, how many were looked at, and what follows from it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from training.errors import NothingToDoError
from wce_desktop.core import SpanSet, number_text, percent, to_translate, tr
from wce_desktop.core.annotation import part_of
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.audit_sample import SAMPLE_FRAMES, draw_sample, level, most_visits, upper_bound
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
        spans: the frames that it was drawn from, as half-open spans.
        frames: the sample, without frames that turned out to be unreadable.
        samples: how many times `SAMPLE_FRAMES` were drawn.
        looked: how many of the sample were looked at, the first ones.
        unreadable: frames that were drawn and cannot be read; others were drawn in their place.
        day: when the last of them were looked at, in ISO 8601; empty where none were.
        reader: who looked at them.
    """

    seed: int
    spans: tuple[tuple[int, int], ...]
    frames: tuple[int, ...] = ()
    samples: int = 0
    looked: int = 0
    unreadable: tuple[int, ...] = ()
    day: str = ""
    reader: str = ""

    @property
    def is_finished(self) -> bool:
        """Whether every frame of the sample was looked at."""
        return 0 < self.looked == len(self.frames)

    @property
    def unseen(self) -> int:
        """How many frames it speaks of: those that it was drawn from and that can be read, as far as known."""
        return sum(stop - start for start, stop in self.spans) - len(self.unreadable)

    def with_further(self, count: int) -> FrameAudit:
        """With so many further frames, of those that are left."""
        left = [np.arange(start, stop, dtype=np.int64) for start, stop in self.spans]
        rest = np.setdiff1d(np.concatenate(left), np.array([*self.frames, *self.unreadable], np.int64))
        further = draw_sample(rest, count, (self.seed, len(self.frames) + len(self.unreadable)))
        return replace(self, frames=(*self.frames, *further.tolist()))


def audit_of(reading: Reading) -> FrameAudit | None:
    """The audit of the study; None where no frame was looked at, or where its content cannot be read."""
    part = part_of(reading.entries.report_parts, "audit")
    if part is None:
        return None
    try:
        audit = FrameAudit(**part.content, reader=part.reader)
        spans = tuple((int(start), int(stop)) for start, stop in audit.spans)
        frames, unreadable = tuple(map(int, audit.frames)), tuple(map(int, audit.unreadable))
        if min(frames, default=0) < 0 or max(frames, default=0) >= reading.frame_count:
            return None
        return replace(audit, spans=spans, frames=frames, unreadable=unreadable, looked=min(audit.looked, len(frames)))
    except (TypeError, ValueError):
        return None


def frames_to_audit(reading: Reading) -> NDArray[np.bool_]:
    """(N,) bool: the unread frames that were not flagged, of the small bowel where its landmarks are set.

    Frames that scoring could not read are left out.
    """
    unseen = reading.unread & ~(reading.flags.flagged() | reading.flags.events.mask(reading.frame_count))
    for track in () if reading.flags.is_partial else reading.flags.flag_tracks.values():
        unseen &= ~np.isnan(track)
    bowel = small_bowel(reading.entries.landmarks, reading.frame_count)
    if bowel is not None:
        unseen[: bowel.start] = unseen[bowel.stop :] = False
    return unseen


def draw(reading: Reading) -> FrameAudit:
    """A new audit of a study; nothing is written before a page of it was looked at.

    Raises:
        NothingToDoError: every frame was flagged or seen.
    """
    spans = SpanSet.from_mask(frames_to_audit(reading))
    if not spans:
        raise NothingToDoError("Every frame was flagged or seen.", "There is nothing to audit.")
    seed = int(sha256(reading.study.fingerprint.encode()).hexdigest()[:8], 16)
    drawn = FrameAudit(seed, tuple((span.start, span.stop) for span in spans), samples=1)
    return drawn.with_further(SAMPLE_FRAMES)


def draw_further(session: Session, audit: FrameAudit) -> None:
    """Add a further sample, from the frames that the first one was drawn from.

    Raises:
        NothingToDoError: the sample was not looked at yet, or all frames were drawn.
    """
    if not audit.is_finished:
        raise NothingToDoError("This sample was not looked at yet.", "Look at its frames first.")
    further = replace(audit.with_further(SAMPLE_FRAMES), samples=audit.samples + 1)
    if len(further.frames) == len(audit.frames):
        raise NothingToDoError("All unseen frames were looked at.", "There is nothing more to draw.")
    _keep(session, to_translate("Draw a further sample of unseen frames"), further)


def mark_looked(session: Session, audit: FrameAudit, page: Sequence[int], unreadable: Collection[int]) -> None:
    """Note that the next frames of the sample were looked at, and that what shows a finding was entered.

    Args:
        page: the frames.
        unreadable: those of them that cannot be read; other frames are drawn in their place.
    """
    rest = tuple(frame for frame in audit.frames if frame not in unreadable)
    looked = audit.looked + len(page) - len(unreadable)
    marked = replace(audit, frames=rest, unreadable=(*audit.unreadable, *unreadable), looked=looked)
    marked = replace(marked.with_further(len(unreadable)), day=datetime.now().astimezone().date().isoformat())
    _keep(session, to_translate("Look at a page of the audit"), marked)


def _keep(session: Session, title: str, audit: FrameAudit) -> None:
    content = {name: value for name, value in asdict(audit).items() if name != "reader"}
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
    certain = level(audit.samples)
    share = upper_bound(positive, audit.looked, certain)
    lengths = [len(finding.span) for finding in reading.entries.findings if len(finding.span) > 1]
    visit = int(np.median(lengths)) if lengths else VISIT_FRAMES
    return tr(
        "{positive} of {count} frames show a finding: fewer than {share} of the {unseen} unseen frames, at {level}; "
        "at most {visits} findings that are seen on {visit} or more of them. Upper bounds, not estimates; findings on "
        "fewer frames are not among them.",
        positive=positive,
        count=audit.looked,
        share=f"{number_text(np.ceil(share * 1000) / 10, '.1f')} %",
        unseen=audit.unseen,
        level=percent(certain),
        visits=most_visits(share, audit.unseen, visit),
        visit=visit,
    )
