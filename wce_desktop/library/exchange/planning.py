"""Plans the changes of an import in one study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from training.datasets.findings import BoxRow, FindingRow
from training.datasets.labels import LabelRow
from training.datasets.manifest import StudyEntry, StudySpan
from training.metrics.events import MAX_GAP_FRAMES
from training.runs.reporter import Reporter
from wce_desktop.core.annotation.change import Add, Change
from wce_desktop.core.annotation.finding import ENTRIES, Box, Finding
from wce_desktop.core.annotation.label import NORMAL, Label, LabelTrack
from wce_desktop.core.annotation.labelling import add_label, add_negative, apply_to_track
from wce_desktop.core.annotation.landmark import BODY_REGIONS, Landmark, Region
from wce_desktop.core.boxes import WEAK_PREFIX
from wce_desktop.core.clock import counted
from wce_desktop.core.identity import is_safe_id, new_id
from wce_desktop.core.language import tr
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.source import ImportSource, row_error

Runs = tuple[Span, ...]


def runs_of(entry: StudyEntry, frames: int) -> Runs | None:
    """The runs of a manifest's study with so many frames; None: all of it is one, none at all: stills.

    Only images have any: the spans of a video are regions. Every border of a span is a cut, but where one region
    touches another, as an export writes landmarks; what lies in no span makes runs of its own. A gap in time exactly
    where a region begins is not seen.
    """
    if entry.kind == "stills":
        return ()
    if not entry.path.is_dir():
        return None
    spans = sorted(entry.spans, key=lambda span: span.start)
    borders = {border for span in spans for border in (span.start, span.stop)}
    borders -= {
        after.start for span, after in pairwise(spans) if span.stop == after.start and span.region != after.region
    }
    cuts = sorted(cut for cut in borders if 0 < cut < frames)
    return tuple(Span(start, stop) for start, stop in pairwise((0, *cuts, frames))) if cuts else None


def newly_known(studies: Iterable[Study], entries: Iterable[StudyEntry], ids: Mapping[str, str]) -> dict[str, Runs]:
    """Runs of studies that the library has and knows no runs of, by its ids; `ids` are the library's by the file's."""
    known = {study.study_id: study for study in studies if study.runs is None}
    found: dict[str, Runs] = {}
    for entry in entries:
        study = known.get(ids.get(entry.study_id, ""))
        runs = None if study is None else runs_of(entry, study.frame_count)
        if study is not None and runs is not None:
            found[study.study_id] = runs
    return found


def runs_in_words(runs: Runs) -> str:
    """The text shown before they are stored."""
    if not runs:
        return tr("its images are separate stills, not consecutive frames")
    return tr("its images are consecutive only within {sequences}", sequences=counted(len(runs), "sequence"))


SPELLINGS = {"esophagus": "oesophagus"}
"""Of regions in manifests of other sources, such as public data sets."""
BETWEEN_REPORTS = 4096


@dataclass(slots=True)
class StudyContent:
    """One study's rows, each with its place in its file, or what the library keeps of it."""

    spans: list[StudySpan] = field(default_factory=list)
    label_rows: list[tuple[int, LabelRow]] = field(default_factory=list)
    finding_rows: list[tuple[int, FindingRow]] = field(default_factory=list)
    box_rows: list[tuple[int, BoxRow]] = field(default_factory=list)
    labels: tuple[Label, ...] = ()
    findings: tuple[Finding, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    boxes: tuple[Box, ...] = ()


def study_changes(
    source: ImportSource,
    study_id: str,
    content: StudyContent,
    kept: StudyContent,
    reader: str,
    taken: frozenset[str],
    reporter: Reporter,
) -> tuple[tuple[Change, ...], list[str]]:
    """The changes for one study, and sentences about what is left out.

    Args:
        content: the files' rows.
        kept: what the library has.
        taken: identities of findings that other studies use.
        reporter: receives progress in boxes, and can cancel.
    """
    notes: list[str] = []
    finding_ids = _finding_ids(content.finding_rows, kept.findings, taken)
    findings = _findings(study_id, content, kept, finding_ids, reader, notes)
    there = {finding.finding_id for finding in kept.findings} | {finding.finding_id for finding in findings}
    box_ids = {theirs: ours for theirs, ours in finding_ids.items() if ours in there}
    return (
        *_landmarks(study_id, content.spans, kept.landmarks, reader, notes),
        *map(Add, findings),
        *_labels(study_id, content, kept.labels, finding_ids, reader, notes, reporter),
        *_boxes(source, study_id, content.box_rows, kept.boxes, box_ids, reader, reporter),
    ), notes


def _finding_ids(
    rows: Iterable[tuple[int, FindingRow]], kept: Iterable[Finding], taken: frozenset[str]
) -> dict[str, str]:
    """The library's identity for each of the files'; a new one where another study's finding has it."""
    known = {finding.finding_id for finding in kept}
    ids = {finding_id: finding_id for finding_id in known}  # a labels file alone may name them
    for _, row in rows:
        theirs = row.finding_id
        usable = theirs in known or (is_safe_id(theirs) and theirs not in taken)
        ids[theirs] = theirs if usable else new_id("f-")
    return ids


def _landmarks(
    study_id: str, spans: Iterable[StudySpan], kept: Iterable[Landmark], reader: str, notes: list[str]
) -> list[Change]:
    """A region begins where its first span does; one that the library knows of stays where it is."""
    known = {mark.region: mark.frame_index for mark in kept}
    changes: list[Change] = []
    for span in sorted(spans, key=lambda span: span.start):
        name = SPELLINGS.get(span.region, span.region)
        if name not in BODY_REGIONS:
            continue
        region = Region(name)
        if region not in known:
            changes.append(Add(Landmark(new_id(), study_id, region, span.start, reader)))
            known[region] = span.start
        elif any(mark.region == region and mark.frame_index != span.start for mark in kept):
            said = tr("{study}: the start of {region} in the library is kept.", study=study_id, region=tr(str(region)))
            notes.append(said)
    return changes


def _findings(
    study_id: str, content: StudyContent, kept: StudyContent, ids: dict[str, str], reader: str, notes: list[str]
) -> list[Finding]:
    """A finding spans the frames that its row gives, else its longest stretch of labelled frames.

    Its key frames are those of its row; of a row without frames the first ones of the other stretches. A finding
    without any frames is left out and reported.
    """
    known = {finding.finding_id for finding in kept.findings}
    spans: dict[str, list[Span]] = {}
    for _, label in content.label_rows:
        if label.finding_id:
            spans.setdefault(label.finding_id, []).append(Span(label.start, label.stop))
    found: list[Finding] = []
    unplaced = 0
    for _, row in content.finding_rows:
        if ids[row.finding_id] in known:
            continue
        if row.start is None and row.finding_id not in spans:
            unplaced += 1
            continue
        known.add(ids[row.finding_id])
        found.append(_finding(study_id, row, ids[row.finding_id], spans.get(row.finding_id, []), reader))
    if unplaced:
        notes.append(
            tr(
                "{study}: {findings} left out, because neither its row nor a label gives its frames.",
                study=study_id,
                findings=counted(unplaced, "finding"),
            )
        )
    return found


def _finding(study_id: str, row: FindingRow, finding_id: str, spans: Iterable[Span], reader: str) -> Finding:
    if row.start is not None and row.stop is not None:
        span, key_frames = Span(row.start, row.stop), row.key_frame_indices
    else:
        stretches = _stretches(spans)
        span = max(stretches, key=len)
        key_frames = row.key_frame_indices or tuple(other.start for other in stretches if other != span)
    return Finding(
        finding_id,
        study_id,
        row.kind,
        span,
        key_frames=key_frames,
        reader=reader,
        when_utc=row.when_utc,
        model_id=row.model_id or None,
        was_seen_before=row.was_seen_before,
        **{name: getattr(row, name) for name in ENTRIES},
    )


def _stretches(spans: Iterable[Span]) -> list[Span]:
    """The spans in order; those with a gap as within an event are one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start - joined[-1].stop <= MAX_GAP_FRAMES:
            joined[-1] = Span(joined[-1].start, max(joined[-1].stop, span.stop))
        else:
            joined.append(span)
    return joined


def _labels(
    study_id: str,
    content: StudyContent,
    kept: Iterable[Label],
    ids: dict[str, str],
    reader: str,
    notes: list[str],
    reporter: Reporter,
) -> list[Change]:
    """Labels first and "normal" last, so that a file's own rows do not displace each other."""
    if strangers := sum(bool(row.finding_id) and row.finding_id not in ids for _, row in content.label_rows):
        labels = counted(strangers, "label")
        notes.append(tr("{study}: {labels} whose finding no file describes.", study=study_id, labels=labels))
    track = LabelTrack(kept)
    changes: list[Change] = []
    rows = sorted(content.label_rows, key=lambda numbered: numbered[1].label == NORMAL)
    for done, (_, row) in enumerate(rows):
        if done % BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(rows), "labels", study_id)
        span, finding_id = Span(row.start, row.stop), ids.get(row.finding_id)
        if row.answer == "no":
            negative = Label(new_id(), study_id, span, row.label, row.source, None, reader, answer="no")
            added = add_negative(track, negative)
            apply_to_track(track, added)
            changes += added
            continue
        is_free = not track.overlapping(row.label, span) and not track.negatives.overlapping(row.label, span)
        if row.label != NORMAL and is_free and not track.overlapping(NORMAL, span):
            label = Label(new_id(), study_id, span, row.label, row.source, finding_id, reader)
            track.add(label)  # what `add_label` would do, in a third of the time: there may be 100,000
            changes.append(Add(label))
            continue
        plan = add_label(
            track, span, row.label, study_id=study_id, reader=reader, source=row.source, finding_id=finding_id
        )
        apply_to_track(track, plan.changes)
        changes += plan.changes
    return changes


def _boxes(
    source: ImportSource,
    study_id: str,
    rows: Sequence[tuple[int, BoxRow]],
    kept: Iterable[Box],
    ids: dict[str, str],
    reader: str,
    reporter: Reporter,
) -> list[Change]:
    known = {(box.frame_index, box.x_min, box.y_min, box.x_max, box.y_max, box.name) for box in kept}
    changes: list[Change] = []
    for done, (at, row) in enumerate(rows):
        if done % BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(rows), "boxes", study_id)
        key = (row.frame_index, row.x_min, row.y_min, row.x_max, row.y_max, row.label)
        if key in known:
            continue
        known.add(key)
        try:
            box_id = new_id(f"{WEAK_PREFIX}{row.suggested_by}-" if row.suggested_by else "")
            changes.append(Add(Box(box_id, study_id, *key, finding_id=ids.get(row.finding_id), reader=reader)))
        except ValueError as error:
            raise row_error(source, "boxes.csv", at, error) from error
    return changes
