"""Writes the manifest, labels, findings, boxes and links: for a job, for colleagues, for another library."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from training.datasets import local_paths
from training.datasets.findings import METHOD, BoxRow, FindingRow, write_boxes, write_findings, write_links
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, manifest_text
from training.embeddings.file import EmbeddingFile
from training.errors import UserError, writing
from training.files.outputs import check_output_folder
from training.files.written import WrittenFiles
from training.texts import Text
from wce_desktop.core import Span, SpanSet, counted, tr
from wce_desktop.core.annotation.label import NORMAL, Label
from wce_desktop.core.annotation.landmark import examination, regions
from wce_desktop.core.blood import TRACK as BLOOD
from wce_desktop.core.boxes import suggested_by
from wce_desktop.core.study import Study, without_patient
from wce_desktop.core.visible_mucosa import TRACK, frames_with_view
from wce_desktop.library.exchange.export_formats import ExportSummary
from wce_desktop.library.exchange.finding_rows import row_of
from wce_desktop.library.exchange.links import link_rows
from wce_desktop.library.exchange.study_pictures import kept_index
from wce_desktop.library.finding_links import same_as
from wce_desktop.library.library import Library

MANIFEST = "manifest.json"
TABLES = (MANIFEST, "labels.csv", "findings.csv", "boxes.csv", "links.csv")


def export_library(
    library: Library,
    folder: Path,
    study_ids: Collection[str] | None = None,
    *,
    overwrite: bool = False,
    has_free_text: bool = False,
    has_paths: bool = False,
) -> ExportSummary:
    """Write the studies named, or all, as the five files; each is written to a temporary file and renamed.

    Patients and studies appear by their random ids: names stay in the library.

    Args:
        library: whose studies.
        folder: where; files of an earlier export are replaced.
        study_ids: of the studies; None: all.
        overwrite: whether foreign or edited files may be replaced, too.
        has_free_text: whether comments of findings and other words of the reader are written, which may name a patient.
        has_paths: whether a further file (`local_paths`) says where the videos are on this computer, for a training on
            it. Names of files may name patients: it is not to be shared. Without it, that of an earlier export goes.

    Raises:
        ForeignFileError: the folder contains a foreign file.
        UserError: for an unknown study, or a folder that cannot be written.
    """
    chosen = chosen_studies(library, study_ids)
    written = WrittenFiles(check_output_folder(folder, "folder to export into"), "library export")
    written.check(TABLES, overwrite=overwrite)
    given = [label for study in chosen for label in library.annotations.answers(study.study_id)]
    implicit = [row for study in chosen for row in implicit_normals(library, study)]
    rows = _sorted([*map(_label_row, given), *implicit])
    exported = {study.study_id for study in chosen}
    findings = [row for study in chosen for row in _findings(library, study, exported, has_free_text=has_free_text)]
    boxes = [row for study in chosen for row in _boxes(library, study)]
    held = (link for study in chosen for link in library.annotations.links(study.study_id))
    links = list(link_rows(held, exported))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with written.writing("labels.csv") as path:
            write_labels(path, rows)
        with written.writing("findings.csv") as path:
            write_findings(path, findings)
        with written.writing("boxes.csv") as path:
            write_boxes(path, boxes)
        with written.writing("links.csv") as path:
            write_links(path, links)
        local_paths.write(folder / MANIFEST, {study.study_id: study.path for study in chosen if has_paths})
        with written.writing(MANIFEST) as path:
            path.write_text(manifest_text(_manifest(library, chosen), folder), encoding="utf-8")
    counts = {
        "studies": len(chosen),
        "labels": len(given),
        "labelled_frames": sum(len(label.span) for label in given),
        "implicit_normal_frames": sum(row.stop - row.start for row in implicit),
        "findings": len(findings),
        "boxes": len(boxes),
        "links": len(links),
    }
    sentence = tr(
        "{studies}, {labels} on {frames}, {normal} normal because seen and not labelled, {findings}, {boxes}, "
        "{links} written to {folder}.",
        studies=counted(len(chosen), "study"),
        labels=counted(len(given), "label"),
        frames=counted(counts["labelled_frames"], "frame"),
        normal=counted(counts["implicit_normal_frames"], "frame"),
        findings=counted(len(findings), "finding"),
        boxes=counted(len(boxes), "box"),
        links=counted(len(links), "link"),
        folder=folder,
    )
    return ExportSummary(folder, sentence, counts)


def training_labels(library: Library) -> tuple[Manifest, list[LabelRow]]:
    """The manifest of the whole library, and all labels, also those by which a class is not there."""
    studies = library.studies.all()
    given = [_label_row(label) for study in studies for label in library.annotations.answers(study.study_id)]
    implicit = [row for study in studies for row in implicit_normals(library, study)]
    return _manifest(library, studies), _sorted([*given, *implicit])


def _manifest(library: Library, studies: Iterable[Study]) -> Manifest:
    unknown = without_patient(library.studies.all())
    return Manifest(studies=tuple(_entry(library, study, study.study_id not in unknown) for study in studies))


def _sorted(rows: list[LabelRow]) -> list[LabelRow]:
    return sorted(rows, key=lambda row: (row.study_id, row.start, row.label))


def implicit_normals(library: Library, study: Study) -> list[LabelRow]:
    """The seen, unlabelled frames of a study whose reading is finished, as normal; none of any other study.

    A frame of which a reader said that a class is not there is not normal by that: something else may be there. Nor is
    one that shows no mucosa.
    """
    if study.state != "finished":
        return []
    labelled = SpanSet(label.span for label in library.annotations.answers(study.study_id))
    labelled = labelled.union(_without_view(library, study))
    return [
        LabelRow(study_id=study.study_id, start=span.start, stop=span.stop, label=NORMAL, source="implicit_normal")
        for span in library.annotations.seen(study.study_id).difference(labelled)
    ]


def _without_view(library: Library, study: Study) -> SpanSet:
    """The frames of a study that show no mucosa, by the newest scores that say so; none where no scores do."""
    for scoring in reversed(library.models.scorings(study.study_id)):
        with suppress(UserError), EmbeddingFile.open(scoring.path, study.fingerprint) as file:
            if TRACK in (tracks := file.tracks or {}):
                frames = file.frame_index[~frames_with_view(tracks[TRACK], tracks.get(BLOOD))]
                return SpanSet.of_arrays(frames, frames + 1)
    return SpanSet()


def chosen_studies(library: Library, study_ids: Collection[str] | None) -> list[Study]:
    """The studies of these ids, or all; `UserError` for an unknown one."""
    studies = library.studies.all()
    if study_ids is None:
        return list(studies)
    known = {study.study_id: study for study in studies}
    for study_id in study_ids:
        if study_id not in known:
            raise UserError(
                "The library has no study {study}.",
                "It has {studies}.",
                repr(study_id),
                ", ".join(sorted(known)) or Text("none at all"),
            )
    return [known[study_id] for study_id in study_ids]


def _entry(library: Library, study: Study, patient_entered: bool) -> StudyEntry:
    """Spans define the frames used, so frames before the first landmark are a span without a region.

    Frames before the first one of the oesophagus, and after the last one of the examination, are in no span. No span
    crosses the end of a run of consecutive frames.
    """
    landmarks = library.annotations.landmarks(study.study_id)
    parts = [(span, str(region)) for region, span in regions(landmarks, study.frame_count)]
    whole = examination(landmarks, study.frame_count)
    if whole is not None and (parts or len(whole) < study.frame_count):
        first = parts[0][0].start if parts else whole.stop
        if whole.start < first:
            parts.insert(0, (Span(whole.start, first), ""))
    if study.runs:
        every = [(run, "") for run in study.runs]
        parts = [
            (both, region) for span, region in parts for run in study.runs if (both := span.intersect(run))
        ] or every
    return StudyEntry(
        study_id=study.study_id,
        patient_id=study.patient_id,
        path=study.path,
        spans=tuple(StudySpan(start=span.start, stop=span.stop, region=region) for span, region in parts),
        kind="stills" if study.runs == () else "video",
        fingerprint=study.fingerprint,
        patient_entered=patient_entered,
        numbering=study.frame_numbering,
        source=study.source,
    )


def _label_row(label: Label) -> LabelRow:
    return LabelRow(
        study_id=label.study_id,
        start=label.span.start,
        stop=label.span.stop,
        label=label.name,
        answer=label.answer,
        finding_id=label.finding_id or "",
        source=label.source,
    )


def _findings(
    library: Library, study: Study, exported: Collection[str], *, has_free_text: bool
) -> Iterator[FindingRow]:
    """The findings of a study, each with what it is linked with as the same in studies that are exported, too."""
    findings = library.annotations.findings(study.study_id)
    same = same_as(library, study.study_id, exported)
    index = kept_index(library.studies.folder(study.study_id)) if findings else None
    seconds = () if index is None else index.video_seconds
    for finding in findings if has_free_text else (each.without_free_text() for each in findings):
        start = finding.span.start
        yield row_of(
            finding,
            finding.study_id,
            round(float(seconds[start]), 3) if start < len(seconds) else None,
            "; ".join(same.get(finding.finding_id, ())),
        )


def _boxes(library: Library, study: Study) -> Iterator[BoxRow]:
    for box in library.annotations.boxes(study.study_id):
        method = suggested_by(box)
        yield BoxRow(
            study_id=study.study_id,
            frame_index=box.frame_index,
            x_min=box.x_min,
            y_min=box.y_min,
            x_max=box.x_max,
            y_max=box.y_max,
            label=box.name,
            finding_id=box.finding_id or "",
            suggested_by=method if re.match(METHOD, method) else "",
        )


def label_ends(manifest: Manifest, rows: Iterable[LabelRow]) -> dict[str, int]:
    """Study -> frames, enough of them for its labels and spans; its file is not opened."""
    ends = Counter[str]()
    for row in rows:
        ends[row.study_id] = max(ends[row.study_id], row.stop)
    for study in manifest.studies:
        if study.study_id in ends:
            ends[study.study_id] = max(ends[study.study_id], *(span.stop for span in study.spans), 0)
    return ends
