"""What of the open study was not seen or not answered: asked before a reading is finished or its report signed."""

from dataclasses import dataclass

import numpy as np

from wce_desktop.core import SpanSet, counted, percent, tr, tr_count
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.rates import threshold_text
from wce_desktop.session.reading import Reading


@dataclass(frozen=True, slots=True)
class Open:
    """What a reader has to acknowledge.

    A flag is seen once its highest frame was on screen, or the flag was answered, as the list of flags counts it.
    """

    flags: int | None  # at the lowest threshold at which the study was read; None where the study was not scored
    unseen_flags: int  # how many of them were not seen
    frames: int  # of the study that are to be read
    unseen_frames: int  # how many of them were not on screen long enough
    unseen_parts: int  # how many stretches these frames are
    fast_frames: int = 0  # how many of them were played too fast to count as seen
    suggested: int | None = None  # suggested findings that the flags are parts of; None where they are not grouped
    is_hidden: bool = False  # the reading protocol hides the flags
    is_partly_scored: bool = False  # a part of the study is not scored, so that more flags may come
    unanswered_flags: int = 0  # how many of them were neither accepted nor rejected nor labelled otherwise
    unlisted_frames: int = 0  # frames with a label of a class of which no finding has them; no report shows them
    bare_findings: int = 0  # findings of which nothing was entered: neither size nor risk, number or comment
    threshold: str = ""  # in words, at which the flags are counted, where it is lower than the present one; else empty

    @property
    def answer_words(self) -> tuple[str, ...]:
        """What was not answered, and what was labelled and is in no finding, a sentence each."""
        unanswered = tr_count("{count} flag is not answered.", "{count} flags are not answered.", self.unanswered_flags)
        unlisted = tr_count(
            "{count} labelled frame belongs to no finding: the report does not show it.",
            "{count} labelled frames belong to no finding: the report does not show them.",
            self.unlisted_frames,
        )
        bare = tr_count(
            "{count} finding has no size, bleeding risk, number or comment.",
            "{count} findings have no size, bleeding risk, number or comment.",
            self.bare_findings,
        )
        return tuple(
            filter(
                None,
                (
                    bare * bool(self.bare_findings),
                    unanswered * bool(self.unanswered_flags),
                    unlisted * bool(self.unlisted_frames),
                ),
            )
        )

    @property
    def flag_words(self) -> str:
        """What there is to acknowledge of flags; empty where all of them were seen."""
        if self.is_hidden:
            return tr("Flags are hidden.")
        if self.flags is None:
            return tr("The study was not scored by a model: no flags were shown.")
        unseen = ""
        if self.unseen_flags:
            unseen = tr_count(
                "Not seen: {unseen} of {count} flag.",
                "Not seen: {unseen} of {count} flags.",
                self.flags,
                unseen=self.unseen_flags,
            )
        if self.threshold:
            lowest = tr("Flags are counted at {threshold}, the lowest threshold of this reading.",
                        threshold=self.threshold)  # fmt: skip
            unseen = f"{unseen} {lowest}" if unseen else ""
        more = tr("A part of the study has not been scored yet: more flags may come.") if self.is_partly_scored else ""
        return " ".join(filter(None, (unseen, more)))

    @property
    def frame_words(self) -> str:
        """What there is to acknowledge of frames; empty where all of them were seen."""
        if not self.unseen_frames:
            return ""
        share = percent(self.unseen_frames / self.frames)
        parts = counted(self.unseen_parts, "part")
        frames = counted(self.unseen_frames, "frame")
        if not self.fast_frames:
            return tr("Not seen: {frames} in {parts} of the study ({share}).", frames=frames, parts=parts, share=share)
        return tr(
            "Not seen: {frames} in {parts} of the study ({share}), of these {fast} played too fast.",
            frames=frames,
            parts=parts,
            share=share,
            fast=self.fast_frames,
        )


def flags_in_words(flags: int, suggested: int | None) -> str:
    """ "46 flags", or "46 flags (30 suggested findings)": a suggested finding has parts, each of which is a flag.

    Args:
        flags: how many there are.
        suggested: how many suggested findings they make; None where they are not grouped.
    """
    words = counted(flags, "flag")
    return words if suggested in (None, flags) else f"{words} ({counted(suggested or 0, 'suggested finding')})"


def still_open(reading: Reading) -> Open:
    """What has not been seen of the open study; flags one by one, however they are grouped.

    The flags are those of the lowest threshold at which the study was read: raising it makes no flag seen.
    """
    unseen = SpanSet.from_mask(reading.unread)
    is_lower = bool(reading.flags.flag_tracks) and reading.flags.threshold_read < reading.flags.threshold
    events = reading.flags.events_at(reading.flags.threshold_read) if is_lower else reading.flags.events
    return Open(
        flags=len(events) if reading.flags.flag_tracks else None,
        unseen_flags=int(np.count_nonzero(reading.unseen(events))),
        frames=reading.seen_in().frames,
        unseen_frames=unseen.frame_count,
        fast_frames=int(np.count_nonzero(reading.fast & reading.unread)) if reading.fast.size else 0,
        unseen_parts=len(unseen),
        suggested=None if reading.flags.suggested is None or is_lower else len(reading.flags.suggested),
        threshold=threshold_text(reading.flags.threshold_read, reading.flags.scale) if is_lower else "",
        unanswered_flags=int(np.count_nonzero(reading.unanswered(events))) if reading.flags.flag_tracks else 0,
        bare_findings=sum(not finding.is_described for finding in reading.entries.findings),
        unlisted_frames=_unlisted_frames(reading),
        is_hidden=reading.flags.is_hidden,
        is_partly_scored=reading.flags.is_partial,
    )


def _unlisted_frames(reading: Reading) -> int:
    """How many frames have a label of a class, other than normal, and are in no finding of this class."""
    ids = {finding.finding_id for finding in reading.entries.findings}
    mask = np.zeros(reading.frame_count, dtype=bool)
    for name in set(reading.entries.labels.names) - {NORMAL}:
        of_class = SpanSet(label.span for label in reading.entries.labels.named(name) if label.finding_id not in ids)
        findings = (finding.span for finding in reading.entries.findings if finding.kind == name)
        mask |= of_class.difference(findings).to_mask(reading.frame_count)
    return int(np.count_nonzero(mask))
