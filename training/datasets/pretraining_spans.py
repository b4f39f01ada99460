"""Which stretches of a manifest's studies are pretrained on (Pascual et al. 2022: small bowel and colon)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from training.datasets.manifest import Manifest, StudyEntry, StudySpan, check_spans
from training.datasets.sequences import SequenceSpan
from training.errors import UserError
from training.texts import Text, join_texts

REGIONS = ("small bowel", "colon")
NOT_BEFORE = ("stomach", "small bowel")
"""What lies before one of these begins is neither small bowel nor colon, whether it is named or not."""


def pretraining_spans(
    manifest: Manifest,
    frame_counts: Mapping[str, int],
    regions: Sequence[str] = REGIONS,
    *,
    each_span_is_a_study: bool = False,
    needs_time: bool = False,
) -> tuple[tuple[SequenceSpan, ...], str]:
    """The stretches to pretrain on, and a sentence on what is left out (empty where nothing is).

    Spans of another region are left out, and those without a region before the stomach or the small bowel begins. Other
    spans without a region, and studies without spans, count whole: nobody said where they are.

    Args:
        manifest: studies.
        frame_counts: study id -> frames of the study.
        regions: that count.
        each_span_is_a_study: every span gets a gamma of its own: for files that put video runs one after the other.
        needs_time: studies that are stills are left out, for a method that learns from what is near in time.

    Raises:
        UserError: a span ends past its study, or two of its spans share frames.
    """
    spans: list[SequenceSpan] = []
    left_out = stills = gamma = 0
    for number, study in enumerate(manifest.studies):
        if needs_time and not study.has_time:
            stills += frame_counts[study.study_id]
            continue
        stretches, lost = _stretches(study, frame_counts[study.study_id], regions)
        left_out += lost
        for start, stop in stretches:
            spans.append(SequenceSpan(number, gamma, start, stop))
            gamma += each_span_is_a_study
        gamma += not each_span_is_a_study
    total = sum(frame_counts[study.study_id] for study in manifest.studies)
    # Where spans are video runs of one file, what lies outside a study's spans are the runs of the others.
    return tuple(spans), _sentence(0 if each_span_is_a_study else left_out, stills, total, regions)


def _sentence(left_out: int, stills: int, total: int, regions: Sequence[str]) -> str:
    said = []
    if left_out:
        wanted = " or ".join(regions)
        said.append(
            Text(
                "{left_out:,} of {total:,} frames are left out: they are in no span of {wanted}.",
                left_out,
                total,
                wanted,
            )
        )
    if stills:
        said.append(
            Text(
                "{stills:,} of {total:,} frames are left out: they are still images, so it is unknown which of them "
                "are near in time.",
                stills,
                total,
            )
        )
    return join_texts(" ", said)


def _stretches(study: StudyEntry, frames: int, regions: Sequence[str]) -> tuple[list[tuple[int, int]], int]:
    """[start, stop) of a study that count, and how many frames do not."""
    if not study.spans:
        return [(0, frames)] if frames else [], 0
    check_spans(study.study_id, study.spans, frames)
    for span, after in pairwise(sorted(study.spans, key=lambda span: span.start)):
        if after.start < span.stop:
            raise UserError(
                "Two spans of study {study_id} share frames: [{start}, {stop}) and [{after_start}, {after_stop}).",
                "Give each frame only one span: the sequences of a batch must not share frames.",
                study.study_id,
                span.start,
                span.stop,
                after.start,
                after.stop,
            )
    kept = [(span.start, span.stop) for span in study.spans if _counts(span, study.spans, regions)]
    return kept, frames - sum(stop - start for start, stop in kept)


def _counts(span: StudySpan, all_of_study: Sequence[StudySpan], regions: Sequence[str]) -> bool:
    if span.region:
        return span.region in regions
    return not any(other.region in NOT_BEFORE and other.start >= span.stop for other in all_of_study)
