"""Compares two readings of one recording, and applies the second reader's labels to the first reading."""

from __future__ import annotations

from dataclasses import dataclass, replace

from training.texts import Text, count_text
from wce_desktop.core.annotation import agreement, labelling, report_part, vocabulary
from wce_desktop.core.annotation.agreement import Difference
from wce_desktop.core.annotation.change import Add, Change, Plan, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.identity import new_id
from wce_desktop.core.study import Study
from wce_desktop.library import Library

MOST_DIFFERENCES = 2000
"""Of more, the first ones are listed."""


@dataclass(frozen=True)
class ReadingComparison:
    """How far two readings agree.

    Attributes:
        seen_by_both: frames that both readers have seen or labelled; all figures of frames are about these.
        frames: by class.
        open: differences that were not settled, in order of time.
        settled: how many differences the reader has settled by keeping the first reading.
        findings: matched and unmatched ones.
    """

    first: Study
    second: Study
    seen_by_both: int
    frames: tuple[agreement.FrameAgreement, ...]
    open: tuple[Difference, ...]
    settled: int
    findings: agreement.FindingAgreement


def compare_readings(library: Library, first: Study, second: Study) -> ReadingComparison:
    """Compare a study's reading with that of a second reader."""
    tracks = library.annotations.label_track(first.study_id), library.annotations.label_track(second.study_id)
    seen, theirs = (  # who labels a frame has seen it
        library.annotations.seen(study.study_id).union(track.labelled()).union(track.negatives.labelled())
        for study, track in zip((first, second), tracks, strict=True)
    )
    both = seen.difference(seen.difference(theirs))
    kept = set(_kept(_settled_part(library, first), second))
    result = agreement.differences(*tracks, both)
    return ReadingComparison(
        first,
        second,
        both.frame_count,
        agreement.frame_agreement(*tracks, both),
        tuple(each for each in result if _key(each) not in kept),
        sum(_key(each) in kept for each in result),
        agreement.finding_agreement(
            library.annotations.findings(first.study_id), library.annotations.findings(second.study_id)
        ),
    )


def take_second(labels: LabelTrack, difference: Difference, comparison: ReadingComparison, library: Library) -> Plan:
    """Change the first reading where the readers differ to what the second reader says.

    A label that only the second reader gave is added in that reader's name, one that only the first gave is removed;
    frames of which the second reader said that the class is not there get this answer.
    """
    study_id, reader = comparison.first.study_id, comparison.second.read_by
    if difference.side == "first":
        denied = library.annotations.label_track(comparison.second.study_id).negatives.frames(
            difference.name, difference.span
        )
        answers = [Add(Label(new_id(), study_id, span, difference.name, reader=reader, answer="no")) for span in denied]
        changes = (*labelling.remove_label(labels, difference.span, difference.name), *answers)
        return Plan(Text("Take {reader}'s view: not {name}", reader, vocabulary.name_text(difference.name)), changes)
    plan = labelling.add_label(labels, Label(new_id(), study_id, difference.span, difference.name, reader=reader))
    title = count_text(
        "Take {reader}'s {name} on {count:,} frame",
        "Take {reader}'s {name} on {count:,} frames",
        len(difference.span),
        reader,
        vocabulary.name_text(difference.name),
    )
    return Plan(labelling.with_removed(title, plan.changes), plan.changes)


def keep_first(library: Library, difference: Difference, comparison: ReadingComparison) -> Plan:
    """Note that the first reading stands where the readers differ; it is not listed again."""
    old = _settled_part(library, comparison.first)
    second_id = comparison.second.study_id
    of_second = [*(_kept(old, comparison.second)), _key(difference)]
    content = {**(old.content if old else {}), second_id: [list(each) for each in of_second]}
    change: Change
    if old is None:
        part = report_part.ReportPart.new(
            study_id=comparison.first.study_id, kind="settled", content=content, reader=library.reader
        )
        change = Add(part)
    else:
        change = Replace(old, replace(old, content=content))
    return Plan(Text("Keep the first reading: {name}", vocabulary.name_text(difference.name)), (change,))


def take_finding(finding: Finding, comparison: ReadingComparison) -> Plan:
    """Add a finding that only the second reader has, in that reader's name."""
    taken = replace(finding, finding_id=new_id("f-"), study_id=comparison.first.study_id)
    title = Text("Take {reader}'s finding {name}", comparison.second.read_by, vocabulary.name_text(finding.kind))
    return Plan(title, (Add(taken),))


_Key = tuple[str, int, int, str]


def _key(difference: Difference) -> _Key:
    return difference.name, difference.span.start, difference.span.stop, difference.side


def _settled_part(library: Library, first: Study) -> report_part.ReportPart | None:
    return report_part.part_of(library.annotations.report_parts(first.study_id), "settled")


def _kept(part: report_part.ReportPart | None, second: Study) -> list[_Key]:
    """What was settled between the first reading and this second one; entries that are no differences are left out."""
    kept = part.content.get(second.study_id, []) if part else []
    return [tuple(each) for each in kept if isinstance(each, list) and len(each) == 4] if isinstance(kept, list) else []
