"""An import: planned and counted first, then made as one undoable edit for each study."""

from __future__ import annotations

import contextlib
import gc
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from training.datasets.annotations.content import AnnotationFile
from training.datasets.annotations.reading import read_annotations
from training.datasets.manifest import StudyEntry
from training.errors import UserError
from training.files.terminal import printable
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text, join_texts
from training.video import build_index
from training.video.dicom.elements import is_dicom
from wce_desktop.core import counted, counted_text, tr, tr_count
from wce_desktop.core.annotation import Add, Box, Change, Finding, Label, Landmark, Link, Remove
from wce_desktop.core.identity import is_random_id, is_safe_id
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.annotations import annotation_source
from wce_desktop.library.exchange.image_groups import LEFT_OUT, AnnotationChoice
from wce_desktop.library.exchange.links import link_changes
from wce_desktop.library.exchange.planning import Runs, StudyPlan, StudyRows, runs_of
from wce_desktop.library.exchange.source import (
    FILES,
    ImportSource,
    ReportReader,
    check_rows,
    read_source,
    with_classes,
    without_left_out,
)
from wce_desktop.library.exchange.study_frames import StudyFrames
from wce_desktop.library.library import Library


@contextlib.contextmanager
def garbage_stays() -> Iterator[None]:
    """No search for cycles among a million new objects that have none; it would take a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do; nothing of it is done yet.

    Args:
        new_studies: of the manifest, to be added first; each is called as its file.
        changes: for each study id, in the library's words; studies of which nothing is new are left out.
        left_out: sentences about rows that are not new or cannot be used.
        runs: of studies that the library has, by study id, where it knew of none.
        names: what a person calls the studies whose id tells nothing, by study id.
        examples: of names of images, and which frames they are.
    """

    source: Path
    new_studies: tuple[Study, ...]
    changes: Mapping[str, tuple[Change, ...]]
    left_out: tuple[str, ...]
    runs: Mapping[str, Runs] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What would happen, for a person to agree with, one study a line."""
        lines = [
            tr_count(
                "New study {study} ({count} frame): {path}",
                "New study {study} ({count} frames): {path}",
                study.frame_count,
                study=self._name(study.study_id),
                path=study.path,
            )
            for study in self.new_studies
        ]
        lines += [f"{self._name(study_id)}: {tr(_in_words(changes))}" for study_id, changes in self.changes.items()]
        for study_id, runs in self.runs.items():
            sequences = counted(len(runs), "sequence")
            words = tr("its images are consecutive only within {sequences}", sequences=sequences)
            stills = tr("its images are separate stills, not consecutive frames")
            lines.append(f"{self._name(study_id)}: {words if runs else stills}")
        return (*(lines or [tr("Nothing new.")]), *self.examples, *self.left_out)

    def _name(self, study_id: str) -> str:
        return self.names.get(study_id, study_id)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.new_studies and not self.changes and not self.runs


def plan_import(
    library: Library,
    path: Path,
    names: Collection[str],
    reporter: Reporter | None = None,
    *,
    choice: AnnotationChoice | None = None,
    report_reader: ReportReader | None = None,
) -> ImportPlan:
    """Read the files and work out what they would change.

    A study of the manifest is one of the library's when the ids agree or the content does. Frames that carry a label
    already get nothing twice; "normal" is only added to frames without other labels, and another label removes it.
    Links that cannot be used, or that the library has, are left out and counted.

    Args:
        path: a folder that an export wrote, a manifest, a labels file, or files of an annotation tool.
        names: the classes that labels may have.
        reporter: receives progress, and can cancel.
        choice: what classes are called here; of annotation files also their study.
        report_reader: see `read_source`.

    Raises:
        UserError: naming file and row, for what cannot be read or does not fit.
        Cancelled: the reporter asked to end.
    """
    reporter = reporter or SilentReporter()
    files = find_annotations(path, reporter)
    if not files:
        source = with_classes(read_source(path, report_reader), choice.names if choice else {})
        return plan_source(library, source, (*names, LEFT_OUT), reporter)
    return plan_annotations(library, path, files, names, choice, reporter)


@garbage_stays()
def find_annotations(path: Path, reporter: Reporter) -> tuple[AnnotationFile, ...]:
    """The files of annotation tools that a path names; none where it names an export of this program.

    Raises:
        UserError: naming a file that cannot be read.
    """
    if is_dicom(path) or (path.is_dir() and any((path / name).exists() for name in FILES)):
        return ()
    return read_annotations(path, reporter)


@garbage_stays()
def plan_annotations(
    library: Library,
    path: Path,
    files: Sequence[AnnotationFile],
    names: Collection[str],
    choice: AnnotationChoice | None,
    reporter: Reporter,
) -> ImportPlan:
    """Work out what annotation files that were read would change; see `plan_import`."""
    studies = library.studies
    source, examples = annotation_source(path, files, studies.all(), names, choice, reporter, studies.folder)
    return replace(plan_source(library, source, names, reporter), examples=examples)


def plan_source(library: Library, source: ImportSource, names: Collection[str], reporter: Reporter) -> ImportPlan:
    """Work out what files that were read would change; see `plan_import`."""
    own = {study.study_id: study for study in library.studies.all()}
    ids, new = _match_studies(own, source, reporter)
    studies = own | {study.study_id: study for study in new}
    theirs = {study_id: study_id for study_id in studies} | ids
    findings = {study_id: library.annotations.findings(study_id) for study_id in own}
    boxed = {box.study_id for box in source.boxes}
    check_rows(
        source,
        {name: studies[study_id].frame_count for name, study_id in theirs.items()},
        names,
        {name: {one.finding_id for one in findings.get(study_id, ())} for name, study_id in theirs.items()},
        {name: StudyFrames(studies[theirs[name]]).frame_size for name in boxed if name in theirs},
    )
    source = without_left_out(source)
    changes: dict[str, tuple[Change, ...]] = {}
    left_out: list[str] = list(map(tr, source.notes))
    for study_id, content in _by_study(source, ids).items():
        reporter.check()
        # Files made elsewhere may use identities of findings of other studies.
        taken = frozenset(one.finding_id for other in findings if other != study_id for one in findings[other])
        plan = StudyPlan(source, study_id, content, library, taken, reporter)
        result = plan.changes()
        left_out += plan.notes
        if result:
            changes[study_id] = result
    if source.links:
        held = (link for study_id in own for link in library.annotations.links(study_id))
        frame_counts = {study_id: study.frame_count for study_id, study in studies.items()}
        links, notes = link_changes(source.links, ids, frame_counts, held)
        left_out += notes
        for study_id, added in links.items():
            changes[study_id] = (*changes.get(study_id, ()), *added)
    runs = {}  # of studies that the library knows no runs of
    for entry in source.manifest.studies:
        study = own.get(ids.get(entry.study_id, ""))
        if study is not None and study.runs is None and (new_runs := runs_of(entry, study.frame_count)) is not None:
            runs[study.study_id] = new_runs
    titles = {study_id: study.name for study_id, study in studies.items() if is_random_id(study_id)}
    return ImportPlan(source.path, tuple(new), changes, tuple(left_out), runs, titles)


def apply_import(library: Library, plan: ImportPlan, reporter: Reporter | None = None) -> int:
    """Make what was planned, one edit a study; returns the number of edits. A stop keeps the studies that are done."""
    reporter = reporter or SilentReporter()
    for study in plan.new_studies:
        library.studies.add(
            study.path,
            study_id=study.study_id,
            patient_id=study.patient_id,
            fingerprint=study.fingerprint,
            frame_count=study.frame_count,
            duration_seconds=study.duration_seconds,
            runs=study.runs,
            numbering=study.frame_numbering,
            source=study.source,
        )
    for study_id, runs in plan.runs.items():
        library.studies.update(study_id, runs=runs)
    for done, (study_id, changes) in enumerate(plan.changes.items()):
        if reporter.stop_requested:
            return done
        reporter.progress(done, len(plan.changes), "studies", "importing")
        with garbage_stays():
            title = Text("Import {name}: {contents}", printable(plan.source.name), _in_words(changes))
            library.annotations.edit(study_id, title, changes)
    return len(plan.changes)


def _match_studies(
    by_id: Mapping[str, Study], source: ImportSource, reporter: Reporter
) -> tuple[dict[str, str], list[Study]]:
    """The library's id for each id of the manifest, and the studies to add under the manifest's own id."""
    by_content = {study.fingerprint: study_id for study_id, study in by_id.items() if study.fingerprint}
    ids: dict[str, str] = {}
    new: list[Study] = []
    for done, entry in enumerate(source.manifest.studies):
        reporter.check()
        reporter.progress(done, len(source.manifest.studies), "studies", "reading")
        own = by_id.get(entry.study_id)
        if own is not None and (not own.fingerprint or entry.fingerprint in ("", own.fingerprint)):
            ids[entry.study_id] = entry.study_id
        elif entry.fingerprint in by_content:
            ids[entry.study_id] = by_content[entry.fingerprint]
        elif own is not None:
            raise UserError(
                "{file}: study {study} is another recording than the study of this id in the library.",
                "Open the recording that was exported: it is recognised by its content.",
                source.file("manifest.json"),
                entry.study_id,
            )
        if entry.study_id in ids:
            if (here := by_id.get(ids[entry.study_id])) is not None:  # else it is new, from another entry
                _check_numbering(source, entry, here)
            continue
        result = _new_study(source, entry)
        ids[entry.study_id] = by_content.get(result.fingerprint, entry.study_id)
        if result.fingerprint not in by_content:
            by_content[result.fingerprint] = entry.study_id
            new.append(result)
    return ids, new


def _check_numbering(source: ImportSource, entry: StudyEntry, study: Study) -> None:
    """Refuse rows whose frame numbers mean other frames of the study here: an earlier version counted differently.

    Where the recording is away, or cannot be read, this is not known, and the rows are taken.
    """
    older = min(entry.frame_numbering, study.frame_numbering)
    if entry.frame_numbering == study.frame_numbering or not study.path.exists():
        return
    try:
        is_same = build_index(study.path, numbering=older).numbering != older  # then both give the same frames
    except UserError:
        return
    if not is_same:
        raise UserError(
            "{file}: the frames of study {study} are numbered differently in this library.",
            "Import it into a library to which this recording has not been added: it keeps its numbering there.",
            source.file("manifest.json"),
            entry.study_id,
        )


def _new_study(source: ImportSource, entry: StudyEntry) -> Study:
    for text in (entry.study_id, entry.patient_id):
        if not is_safe_id(text):
            raise UserError(
                "{file}: the id {id} cannot be used.",
                "Use up to 64 letters, digits, dots, dashes, underscores.",
                source.file("manifest.json"),
                repr(text),
            )
    if not entry.path.exists():
        raise UserError(
            "{file}: study {study} is not in the library, and its file {path} is missing.",
            "Open its video first, wherever it is: it is recognised by its content. Or correct the path.",
            source.file("manifest.json"),
            entry.study_id,
            entry.path,
        )
    index = build_index(entry.path, numbering=entry.frame_numbering)
    seconds = float(index.video_seconds[-1]) if len(index) else 0.0
    return Study(
        entry.study_id,
        entry.patient_id,
        entry.path.stem,
        entry.path,
        index.fingerprint,
        len(index),
        max(seconds, 0.0),
        runs=runs_of(entry, len(index)),
        numbering=index.numbering,
        source=entry.source,
    )


def _by_study(source: ImportSource, ids: Mapping[str, str]) -> dict[str, StudyRows]:
    """The files' rows by the library's study id, each with its place in its file."""
    content: defaultdict[str, StudyRows] = defaultdict(StudyRows)
    for entry in source.manifest.studies:
        content[ids[entry.study_id]].spans.extend(entry.spans)
    for label in source.labels:
        content[ids.get(label.study_id, label.study_id)].labels.append(label)
    for finding in source.findings:
        content[ids.get(finding.study_id, finding.study_id)].findings.append(finding)
    for at, box in enumerate(source.boxes):
        content[ids.get(box.study_id, box.study_id)].boxes.append((at, box))
    return content


def _in_words(changes: Iterable[Change]) -> Text:
    """ "12 labels on 340 frames, 2 findings"; removed labels are included."""
    changes = tuple(changes)
    added = Counter(type(change.new) for change in changes if isinstance(change, Add))
    frames = Counter[type[Change]]()
    for change in changes:
        if isinstance(change, Add | Remove) and isinstance(item := change.old or change.new, Label):
            frames[type(change)] += len(item.span)
    words = {
        Landmark: counted_text(added[Landmark], "landmark"),
        Finding: counted_text(added[Finding], "finding"),
        Label: Text("{labels} on {frames}", counted_text(added[Label], "label"), counted_text(frames[Add], "frame")),
        Box: counted_text(added[Box], "box"),
        Link: counted_text(added[Link], "link"),
    }
    parts = [said for kind, said in words.items() if added[kind]]
    if frames[Remove]:
        parts.append(Text("labels replaced on {frames}", counted_text(frames[Remove], "frame")))
    return join_texts(", ", parts) or Text("nothing")
