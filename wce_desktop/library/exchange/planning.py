"""Plans the changes of an import in one study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from training.datasets.findings import BoxRow, FindingRow
from training.datasets.labels import LabelRow
from training.datasets.manifest import StudyEntry, StudySpan
from training.errors import UserError
from training.metrics.events import MAX_GAP_FRAMES
from training.runs.reporter import Reporter
from wce_desktop.core import Span, counted, is_safe_id, new_id, tr
from wce_desktop.core.annotation import ENTRIES, NORMAL, Box, Finding, Label, change, labelling, landmark
from wce_desktop.core.boxes import WEAK_PREFIX
from wce_desktop.library.exchange.source import ImportSource
from wce_desktop.library.library import Library

Runs = tuple[Span, ...]
Row = TypeVar("Row")


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


SPELLINGS = {"esophagus": "oesophagus"}
"""Of regions in manifests of other sources, such as public data sets."""
BETWEEN_REPORTS = 4096


@dataclass(slots=True)
class StudyRows:
    """One study's rows, those of boxes with their places in the file."""

    spans: list[StudySpan] = field(default_factory=list)
    labels: list[LabelRow] = field(default_factory=list)
    findings: list[FindingRow] = field(default_factory=list)
    boxes: list[tuple[int, BoxRow]] = field(default_factory=list)


@dataclass
class StudyPlan:
    """Works out the changes for one study, which the library may not have yet.

    Args:
        rows: of the files.
        taken: identities of findings that other studies use.
        reporter: receives progress in labels and boxes, and can cancel.
    """

    source: ImportSource
    study_id: str
    rows: StudyRows
    library: Library
    taken: frozenset[str]
    reporter: Reporter
    notes: list[str] = field(default_factory=list)
    """Sentences about what is left out, once the changes were asked for."""

    def changes(self) -> tuple[change.Change, ...]:
        """All of them."""
        known = {finding.finding_id for finding in self.library.annotations.findings(self.study_id)}
        ids = {finding_id: finding_id for finding_id in known}  # a labels file alone may name them
        for row in self.rows.findings:
            is_free = is_safe_id(row.finding_id) and row.finding_id not in self.taken
            ids[row.finding_id] = row.finding_id if row.finding_id in known or is_free else new_id("f-")
        findings = self._findings(ids, set(known))
        there = known | {finding.finding_id for finding in findings}
        box_ids = {theirs: ours for theirs, ours in ids.items() if ours in there}
        return (*self._landmarks(), *map(change.Add, findings), *self._labels(ids), *self._boxes(box_ids))

    def _landmarks(self) -> Iterator[change.Change]:
        """A region begins where its first span does; one that the library knows of stays where it is."""
        known = {mark.region: mark.frame_index for mark in self.library.annotations.landmarks(self.study_id)}
        new: set[landmark.Region] = set()
        for span in sorted(self.rows.spans, key=lambda span: span.start):
            name = SPELLINGS.get(span.region, span.region)
            if name not in landmark.BODY_REGIONS or (region := landmark.Region(name)) in new:
                continue
            if region not in known:
                new.add(region)
                yield change.Add(landmark.Landmark(new_id(), self.study_id, region, span.start, self.library.reader))
            elif known[region] != span.start:
                self.notes.append(
                    tr(
                        "{study}: the start of {region} in the library is kept.",
                        study=self.study_id,
                        region=tr(str(region)),
                    )
                )

    def _findings(self, ids: Mapping[str, str], known: set[str]) -> list[Finding]:
        """A finding spans the frames that its row gives, else its longest stretch of labelled frames.

        Its key frames are those of its row; of a row without frames the first ones of the other stretches. A finding
        without any frames is left out and reported.
        """
        spans: dict[str, list[Span]] = {}
        for label in self.rows.labels:
            if label.finding_id:
                spans.setdefault(label.finding_id, []).append(Span(label.start, label.stop))
        new: list[Finding] = []
        unplaced = 0
        for row in self.rows.findings:
            if ids[row.finding_id] in known:
                continue
            if row.start is None and row.finding_id not in spans:
                unplaced += 1
                continue
            known.add(ids[row.finding_id])
            new.append(self._finding(row, ids[row.finding_id], spans.get(row.finding_id, [])))
        if unplaced:
            self.notes.append(
                tr(
                    "{study}: {findings} left out, because neither its row nor a label gives its frames.",
                    study=self.study_id,
                    findings=counted(unplaced, "finding"),
                )
            )
        return new

    def _finding(self, row: FindingRow, finding_id: str, spans: Iterable[Span]) -> Finding:
        if row.start is not None and row.stop is not None:
            span, key_frames = Span(row.start, row.stop), row.key_frame_indices
        else:
            stretches = _stretches(spans)
            span = max(stretches, key=len)
            key_frames = row.key_frame_indices or tuple(other.start for other in stretches if other != span)
        return Finding(
            finding_id,
            self.study_id,
            row.kind,
            span,
            key_frames=key_frames,
            reader=self.library.reader,
            when_utc=row.when_utc,
            model_id=row.model_id or None,
            was_seen_before=row.was_seen_before,
            **{name: getattr(row, name) for name in ENTRIES},
        )

    def _labels(self, ids: Mapping[str, str]) -> Iterator[change.Change]:
        """Labels first and "normal" last, so that a file's own rows do not displace each other."""
        rows = sorted(self.rows.labels, key=lambda row: row.label == NORMAL)
        if strangers := sum(bool(row.finding_id) and row.finding_id not in ids for row in rows):
            labels = counted(strangers, "label")
            self.notes.append(
                tr("{study}: {labels} whose finding no file describes.", study=self.study_id, labels=labels)
            )
        track = self.library.annotations.label_track(self.study_id)
        for row in self._reported(rows, "labels"):
            span = Span(row.start, row.stop)
            finding_id = None if row.answer == "no" else ids.get(row.finding_id)
            label = Label(
                new_id(), self.study_id, span, row.label, row.source, finding_id, self.library.reader, answer=row.answer
            )
            added: tuple[change.Change, ...] = (change.Add(label),)
            if row.answer == "no":
                added = labelling.add_negative(track, label)
            elif row.label == NORMAL or any(
                labels.overlapping(name, span)
                for labels, name in ((track, row.label), (track.negatives, row.label), (track, NORMAL))
            ):
                added = labelling.add_label(track, label).changes
            labelling.apply_to_track(track, added)
            yield from added

    def _boxes(self, ids: Mapping[str, str]) -> Iterator[change.Change]:
        kept = self.library.annotations.boxes(self.study_id)
        known = {(box.frame_index, box.x_min, box.y_min, box.x_max, box.y_max, box.name) for box in kept}
        for at, row in self._reported(self.rows.boxes, "boxes"):
            key = (row.frame_index, row.x_min, row.y_min, row.x_max, row.y_max, row.label)
            if key in known:
                continue
            known.add(key)
            box_id = new_id(f"{WEAK_PREFIX}{row.suggested_by}-" if row.suggested_by else "")
            try:
                box = Box(box_id, self.study_id, *key, finding_id=ids.get(row.finding_id), reader=self.library.reader)
            except ValueError as error:
                raise UserError("{where}: {error}.", "", self.source.place("boxes.csv", at), error) from error
            yield change.Add(box)

    def _reported(self, rows: Sequence[Row], unit: str) -> Iterator[Row]:
        """The rows, with progress now and then."""
        for done, row in enumerate(rows):
            if done % BETWEEN_REPORTS == 0:
                self.reporter.check()
                self.reporter.progress(done, len(rows), unit, self.study_id)
            yield row


def _stretches(spans: Iterable[Span]) -> list[Span]:
    """The spans in order; those with a gap as within an event are one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start - joined[-1].stop <= MAX_GAP_FRAMES:
            joined[-1] = Span(joined[-1].start, max(joined[-1].stop, span.stop))
        else:
            joined.append(span)
    return joined
