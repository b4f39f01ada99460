"""The findings and landmarks that answers to a score agree with: where these change, the score is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wce_desktop.core.annotation import PartKind, Region, ReportPart, part_of
from wce_desktop.core.annotation.landmark import first_frames, small_bowel
from wce_desktop.core.calculators import CALCULATORS, koda_frames, koda_grades
from wce_desktop.core.calculators.prefilled import DIVISIONS, proposed
from wce_desktop.core.clock import format_time
from wce_desktop.core.language import tr
from wce_desktop.core.span import Span
from wce_desktop.session.reading import Reading

BASIS = "basis"
"""Key in the content of a score, beside its answers."""
OF_SMALL_BOWEL = (*DIVISIONS, "koda")


def small_bowel_of(reading: Reading) -> Span | None:
    """The frames of the small bowel; None where its landmark is missing."""
    return small_bowel(reading.entries.landmarks, reading.frame_count)


def proposed_answers(reading: Reading, kind: PartKind) -> dict[str, str]:
    """The answers that the findings give; none where it is not known where the small bowel lies."""
    span, seconds = small_bowel_of(reading), reading.index.video_seconds
    if span is None or not len(span) or kind not in DIVISIONS:
        return {}
    start, length = float(seconds[span.start]), float(seconds[span.stop - 1] - seconds[span.start])
    findings = [one for one in reading.entries.findings if one.span.start in span]
    places = [min((float(seconds[one.span.start]) - start) / (length or 1.0), 0.999) for one in findings]
    is_passed = Region.COLON in first_frames(reading.entries.landmarks)
    return proposed(kind, findings, places, is_passed=is_passed)


def with_basis(
    reading: Reading, kind: PartKind, answers: Mapping[str, Any], *, is_confirmed: bool = False
) -> dict[str, Any]:
    """Answers as the content of a part, with what they agree with.

    An answer alone does not confirm those given before findings or landmarks were changed, nor one that says less than
    a finding does.
    """
    now, part = _basis(reading, kind), part_of(reading.entries.report_parts, kind)
    if now is None:
        return dict(answers)
    before = None if part is None else part.content.get(BASIS)
    less = set(_less(reading, kind, answers)) - set(
        _less(reading, kind, part.content) if part and before == now else ()
    )
    if is_confirmed or not (less or before not in (None, now)):
        before = now
    return {**answers, BASIS: before} if before is not None else dict(answers)


def disagreement(reading: Reading, kind: PartKind) -> str:
    """Why a score must be confirmed again, in a sentence; empty where it agrees with findings and landmarks.

    Raises:
        ValueError: the stored answers cannot be read.
    """
    part, now = part_of(reading.entries.report_parts, kind), _basis(reading, kind)
    if part is None or now is None or part.content.get(BASIS) == now:
        return ""
    if less := _less(reading, kind, part.content):
        return tr("Does not agree with the findings: {answers}.", answers="; ".join(less.values()))
    return tr("Findings or landmarks have changed since this was entered.") if BASIS in part.content else ""


def score_notes(reading: Reading, kind: PartKind) -> tuple[str, ...]:
    """Sentences that stand beside a score in window and report; raises as `disagreement`."""
    again = disagreement(reading, kind)
    again = tr("To be confirmed: {why}", why=again) if again else ""
    return tuple(filter(None, (again, _incomplete(reading) if kind in OF_SMALL_BOWEL else "")))


def are_frames_graded(reading: Reading, part: ReportPart) -> bool:
    """Whether KODA's grades are of the small bowel as it is marked now; raises as `disagreement`."""
    span = small_bowel_of(reading)
    wanted = () if span is None else koda_frames(reading.index.video_seconds, span)
    return span is None or tuple(grade.frame_index for grade in koda_grades(part.content)) == wanted


def _basis(reading: Reading, kind: PartKind) -> dict[str, Any] | None:
    """None for a score that follows from neither findings nor landmarks."""
    if kind not in DIVISIONS:
        return None
    span = small_bowel_of(reading)
    return {
        "small bowel": None if span is None else [span.start, span.stop],
        "findings": proposed_answers(reading, kind),
    }


def _less(reading: Reading, kind: PartKind, answers: Mapping[str, Any]) -> dict[str, str]:
    """Answers that say less than the findings do: key of the field -> both in words."""
    findings, less = proposed_answers(reading, kind), {}
    for field in CALCULATORS[kind].fields:
        answer, finding = field.chosen(answers), field.chosen(findings)
        if answer is not None and finding is not None and answer.points < finding.points:
            less[field.key] = tr(
                "{question}: {answer}, findings: {finding}",
                question=", ".join(filter(None, (tr(field.group), tr(field.title)))),
                answer=tr(answer.title),
                finding=tr(finding.title),
            )
    return less


def _incomplete(reading: Reading) -> str:
    landmarks, span = first_frames(reading.entries.landmarks), small_bowel_of(reading)
    if Region.COLON in landmarks or span is None or not len(span):
        return ""
    end = format_time(float(reading.index.video_seconds[span.stop - 1]))
    if Region.END in landmarks:
        return tr(
            "Incomplete examination: the caecum was not reached; the small bowel is known up to {time}.", time=end
        )
    return tr(
        "The caecum is not marked: the end of the recording, {time}, counts as the end of the small bowel.", time=end
    )
