"""What a check of frames that nobody saw says of the open study."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core import percent, tr, tr_count
from wce_desktop.core.annotation import NORMAL, Region, part_of, regions
from wce_desktop.core.language import number_text
from wce_desktop.core.span import Span
from wce_desktop.core.unseen_sample import UnseenSample, sample_of, upper_bound
from wce_desktop.session.reading import Reading


def unseen_frames(reading: Reading) -> tuple[NDArray[np.int64], bool]:
    """The frames, ascending, that were neither on screen long enough, nor labelled, nor flagged, nor in a finding.

    Of the small bowel where its landmarks are set (True), else of the study (False).
    """
    count = reading.frame_count
    small_bowel = dict(regions(reading.entries.landmarks, count)).get(Region.SMALL_BOWEL)
    within = small_bowel or Span(0, count)
    left = ~(reading.seen | reading.entries.labelled())
    for span in (*(event.span for event in reading.flags.events), *_findings(reading)):
        left[span.start : span.stop] = False
    left[: within.start] = left[within.stop :] = False
    return np.flatnonzero(left), small_bowel is not None


def check_of(reading: Reading) -> UnseenSample | None:
    """The sample of the study; None where none was drawn, or not of its frames."""
    sample = sample_of(part_of(reading.entries.report_parts, "sample"))
    return sample if sample is not None and sample.frames[-1] < reading.frame_count else None


def positive_frames(reading: Reading, sample: UnseenSample) -> int:
    """How many frames of a sample show a finding: they lie in one, or have a label other than normal."""
    shows = np.zeros(reading.frame_count, bool)
    labels = (label.span for label in reading.entries.labels if label.name != NORMAL)
    for span in (*labels, *_findings(reading)):
        shows[span.start : span.stop] = True
    return int(np.count_nonzero(shows[list(sample.frames)]))


def check_sentence(reading: Reading, sample: UnseenSample) -> str:
    """The bound on what was missed, as far as the reader sees it on a still frame."""
    positive, count = positive_frames(reading, sample), len(sample.frames)
    return tr_count(
        "{positive} of {count} random frame shows a finding. With 95 % confidence fewer than {share} of the {total} "
        "frames of {part} that were neither seen nor flagged do.",
        "{positive} of {count} random frames show a finding. With 95 % confidence fewer than {share} of the {total} "
        "frames of {part} that were neither seen nor flagged do.",
        count,
        positive=positive,
        share=percent(upper_bound(positive, count)),
        total=number_text(sample.total),
        part=tr("the small bowel") if sample.is_small_bowel else tr("the study"),
    )


def _findings(reading: Reading) -> Iterator[Span]:
    return (finding.span for finding in reading.entries.findings)
