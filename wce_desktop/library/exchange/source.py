"""The files of an import: read, and every row checked against the library before anything is planned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from training.datasets.annotations.reading import FORMATS, READ, foreign_error
from training.datasets.findings import BoxRow, FindingRow, LinkRow, read_boxes, read_findings, read_links
from training.datasets.labels import LabelRow, read_answers
from training.datasets.manifest import Manifest, check_spans, load_manifest
from training.errors import UserError
from training.files.delimited import MAX_TABLE_BYTES, read_table
from training.files.inputs import read_bytes
from training.files.json_text import MAX_JSON_BYTES
from training.video.dicom.elements import is_dicom
from wce_desktop.core.language import tr
from wce_desktop.library.exchange.clinical.content import ExportedFinding
from wce_desktop.library.exchange.finding_rows import FINDING_ROW, row_of

TABLES = (".csv", ".tsv", ".txt")
FILES = ("manifest.json", "labels.csv", "findings.csv", "boxes.csv", "links.csv")

ReportReader: TypeAlias = Callable[[Path], tuple[str, tuple[ExportedFinding, ...]]]
"""Reads a DICOM report: the id of its study, and its findings."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """The content of the files, in the order of their rows; a missing file has no rows."""

    path: Path
    folder: Path
    manifest: Manifest = field(default_factory=lambda: Manifest(studies=()))
    labels: tuple[LabelRow, ...] = ()
    findings: tuple[FindingRow, ...] = ()
    boxes: tuple[BoxRow, ...] = ()
    links: tuple[LinkRow, ...] = ()
    notes: tuple[str, ...] = ()
    """How files were read, where that is not as this program writes them."""

    def file(self, name: str) -> Path:
        """Where a kind of row was read: labels may come from a file of any name, findings from a DICOM report."""
        if name == "findings.csv" and self.findings and not (self.folder / name).exists():
            return self.path
        return self.path if name == "labels.csv" and self.path.suffix.lower() in TABLES else self.folder / name

    def place(self, name: str, at: int) -> str:
        """A file, and the line where its row `at`, counted from 0, ends; blank lines make a row no line."""
        path = self.file(name)
        if is_dicom(path):
            return tr("{path}, finding {number}", path=path, number=at + 1)
        line, _ = read_table(path, ("study_id",)).rows[at]
        return tr("{path}, line {number}", path=path, number=line)


def read_source(path: Path, report_reader: ReportReader | None = None) -> ImportSource:
    """Read a folder with the five files, a manifest with those beside it, a single labels file, or a DICOM report.

    Args:
        path: what was chosen.
        report_reader: reads a DICOM report; None: `read_report` in this process, which imports pydicom.

    Raises:
        UserError: naming the file, and the line where one is at fault.
    """
    if not path.exists():
        raise UserError(
            "{path} does not exist.", "Choose a folder with labels.csv, a manifest, or a labels file.", path
        )
    notes: list[str] = []
    if path.suffix.lower() in TABLES and path.is_file():
        labels = _labels(path, notes)
        return ImportSource(path, path.parent, labels=labels, notes=tuple(notes))
    if is_dicom(path):
        return ImportSource(path, path.parent, findings=_reported_findings(path, report_reader))
    folder = path if path.is_dir() else path.parent
    there = {name for name in FILES if (folder / name).exists()}
    if path.is_dir() and not there:
        raise UserError(
            "{path} has none of {files}, and no annotations that can be read ({formats}).",
            "Choose a folder written by an export, or one with files of these tools.",
            path,
            ", ".join(FILES),
            FORMATS,
        )
    if sum((folder / name).stat().st_size for name in there) > MAX_TABLE_BYTES:
        raise UserError(
            "The files in {folder} have more than {count:,} bytes together.",
            "Import them in parts.",
            folder,
            MAX_TABLE_BYTES,
        )
    manifest_file = folder / "manifest.json" if path.is_dir() else path
    if path.is_file() and path.name not in FILES and not _is_manifest(path):
        raise foreign_error(path) or UserError(
            "{path} is not a file that can be imported.", "Read are: {formats}.", path, READ
        )
    has_manifest = manifest_file.exists()
    return ImportSource(
        path,
        folder,
        load_manifest(manifest_file, needs_files=False) if has_manifest else Manifest(studies=()),
        tuple(read_answers(folder / "labels.csv", notes)) if "labels.csv" in there else (),
        tuple(read_findings(folder / "findings.csv", notes, FINDING_ROW)) if "findings.csv" in there else (),
        tuple(read_boxes(folder / "boxes.csv", notes)) if "boxes.csv" in there else (),
        tuple(read_links(folder / "links.csv", notes)) if "links.csv" in there else (),
        tuple(notes),
    )


def _is_manifest(path: Path) -> bool:
    """Whether a file says that it is one, perhaps with errors."""
    try:
        return b'"studies"' in read_bytes(path, "manifest", max_bytes=MAX_JSON_BYTES)
    except UserError:
        return True  # what is wrong with it is said when it is read


def _labels(path: Path, notes: list[str]) -> tuple[LabelRow, ...]:
    """The labels of a file of any name; one of another tool is named."""
    try:
        return tuple(read_answers(path, notes))
    except UserError as error:
        raise foreign_error(path) or error from error


def _reported_findings(path: Path, reader: ReportReader | None) -> tuple[FindingRow, ...]:
    """The findings of a report that this program wrote; their frames get no labels."""
    if reader is None:
        from wce_desktop.library.exchange.clinical.structured_report import read_report

        reader = read_report
    study_id, findings = reader(path)
    try:
        return tuple(row_of(each.finding, study_id) for each in findings)
    except ValueError as error:
        raise UserError("{file} holds a finding that is not valid.", "Export the report again.", path.name) from error


def check_rows(source: ImportSource, frame_counts: Mapping[str, int], names: Collection[str]) -> None:
    """Refuse rows and spans that name an unknown study or class, or frames past the end of a study.

    Args:
        frame_counts: frames of each study that rows may name; 0 where they are not yet counted.
        names: the classes that the library's readers use.

    Raises:
        UserError: naming file and line.
    """
    for study in source.manifest.studies:
        if count := frame_counts.get(study.study_id):
            check_spans(study.study_id, study.spans, count)
    rows: list[tuple[str, int, str, str, int]] = [
        ("labels.csv", at, row.study_id, row.label, row.stop) for at, row in enumerate(source.labels)
    ]
    rows += [
        ("findings.csv", at, row.study_id, row.kind, max((row.stop or 0, *(k + 1 for k in row.key_frame_indices))))
        for at, row in enumerate(source.findings)
    ]
    rows += [("boxes.csv", at, row.study_id, row.label, row.frame_index + 1) for at, row in enumerate(source.boxes)]
    for name, at, study_id, label, stop in rows:
        if study_id not in frame_counts:
            raise UserError(
                "{place}: there is no study {study}.",
                "Import its manifest with it, or add it first.",
                source.place(name, at),
                repr(study_id),
            )
        if label not in names:
            raise _unknown_class(source.place(name, at), label, names)
        if 0 < frame_counts[study_id] < stop:
            raise UserError(
                "{place}: frame {frame:,} lies past the end of study {study}, whose last frame is {last:,}.",
                "Frames count from 0; is it the same recording?",
                source.place(name, at),
                stop - 1,
                repr(study_id),
                frame_counts[study_id] - 1,
            )


def check_link_names(source: ImportSource, names: Collection[str]) -> None:
    """Refuse links that mean an unknown class; what else is wrong with links is counted by `link_changes`.

    Args:
        names: the classes that the library's readers use.

    Raises:
        UserError: naming file and line.
    """
    for at, row in enumerate(source.links):
        for name in (row.name, row.other_name):
            if name and name not in names:
                raise _unknown_class(source.place("links.csv", at), name, names)


def _unknown_class(where: str, name: str, names: Collection[str]) -> UserError:
    return UserError(
        "{place}: {name} is not a known class.", "The classes are {names}.", where, repr(name), ", ".join(names)
    )


def check_finding_ids(source: ImportSource, known: Mapping[str, Collection[str]]) -> None:
    """Refuse labels of a finding that neither findings.csv nor the library has; without findings.csv all are taken.

    Args:
        known: identities of the library's findings, by the files' study id.

    Raises:
        UserError: naming file and line.
    """
    if not (source.folder / "findings.csv").exists() or source.path.suffix.lower() in TABLES:
        return
    there = {(row.study_id, row.finding_id) for row in source.findings}
    for at, row in enumerate(source.labels):
        is_known = (row.study_id, row.finding_id) in there or row.finding_id in known.get(row.study_id, ())
        if row.finding_id and not is_known:
            raise UserError(
                "{place}: findings.csv has no finding {finding} of study {study}.",
                "Add the finding, or remove its id from the labels.",
                source.place("labels.csv", at),
                repr(row.finding_id),
                repr(row.study_id),
            )


def check_boxes_inside(source: ImportSource, frame_sizes: Mapping[str, tuple[int, int]]) -> None:
    """Refuse boxes that reach beyond the frame by more than a pixel.

    Args:
        frame_sizes: (height, width) in px by the files' study id, where known.

    Raises:
        UserError: naming file and line.
    """
    for at, box in enumerate(source.boxes):
        height, width = frame_sizes.get(box.study_id, (0, 0))
        if height and (box.x_max > width + 1 or box.y_max > height + 1):
            raise UserError(
                "{place}: the box reaches beyond the frame ({size} px).",
                "Check that the boxes belong to this recording, in px of its frames.",
                source.place("boxes.csv", at),
                f"{width} x {height}",
            )
