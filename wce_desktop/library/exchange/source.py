"""The files of an import: read, and every row checked against the library before anything is planned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from training.datasets.annotations.reading import FORMATS, READ, foreign_error
from training.datasets.findings import BoxRow, FindingRow, LinkRow, read_boxes, read_findings, read_links
from training.datasets.labels import LabelRow, read_answers
from training.datasets.manifest import Manifest, check_spans, load_manifest
from training.errors import UserError
from training.files import delimited, inputs, json_text
from training.video.dicom.elements import is_dicom
from wce_desktop.core.language import tr
from wce_desktop.library.exchange.clinical.content import ExportedFinding
from wce_desktop.library.exchange.finding_rows import FINDING_ROW, row_of

TABLES = (".csv", ".tsv", ".txt")
FILES = ("manifest.json", "labels.csv", "findings.csv", "boxes.csv", "links.csv")

Row = TypeVar("Row", LabelRow, FindingRow, BoxRow, LinkRow)
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
        line, _ = delimited.read_table(path, ("study_id",)).rows[at]
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
        try:
            return ImportSource(path, path.parent, labels=tuple(read_answers(path, notes)), notes=tuple(notes))
        except UserError as error:
            raise foreign_error(path) or error from error
    if is_dicom(path):
        if report_reader is None:
            from wce_desktop.library.exchange.clinical.structured_report import read_report

            report_reader = read_report
        study_id, findings = report_reader(path)
        try:  # their frames get no labels
            rows = tuple(row_of(each.finding, study_id) for each in findings)
        except ValueError as error:
            raise UserError(
                "{file} holds a finding that is not valid.", "Export the report again.", path.name
            ) from error
        return ImportSource(path, path.parent, findings=rows)
    folder = path if path.is_dir() else path.parent
    there = {name for name in FILES if (folder / name).exists()}
    if path.is_dir() and not there:
        raise UserError(
            "{path} has none of {files}, and no annotations that can be read ({formats}).",
            "Choose a folder written by an export, or one with files of these tools. Labelled images need labels.csv "
            "beside them, or beside a folder images that holds them.",
            path,
            ", ".join(FILES),
            FORMATS,
        )
    if sum((folder / name).stat().st_size for name in there) > delimited.MAX_TABLE_BYTES:
        raise UserError(
            "The files in {folder} have more than {count:,} bytes together.",
            "Import them in parts.",
            folder,
            delimited.MAX_TABLE_BYTES,
        )
    manifest_file = folder / "manifest.json" if path.is_dir() else path
    if path.is_file() and path.name not in FILES and not _is_manifest(path):
        raise foreign_error(path) or UserError(
            "{path} is not a file that can be imported.", "Read are: {formats}.", path, READ
        )
    return ImportSource(
        path,
        folder,
        load_manifest(manifest_file, needs_files=False) if manifest_file.exists() else Manifest(studies=()),
        tuple(read_answers(folder / "labels.csv", notes)) if "labels.csv" in there else (),
        tuple(read_findings(folder / "findings.csv", notes, FINDING_ROW)) if "findings.csv" in there else (),
        tuple(read_boxes(folder / "boxes.csv", notes)) if "boxes.csv" in there else (),
        tuple(read_links(folder / "links.csv", notes)) if "links.csv" in there else (),
        tuple(notes),
    )


def with_classes(source: ImportSource, classes: Mapping[str, str]) -> ImportSource:
    """The rows with classes as they are called here; rows whose class is left out have an empty one, links of it go."""

    def renamed(rows: Sequence[Row], *columns: str) -> tuple[Row, ...]:
        names = [{column: getattr(row, column) for column in columns} for row in rows]
        updates = [{column: classes[name] for column, name in each.items() if name in classes} for each in names]
        return tuple(row.model_copy(update=each) if each else row for row, each in zip(rows, updates, strict=True))

    links = [link for link in source.links if all(classes.get(name, "-") for name in (link.name, link.other_name))]
    return replace(
        source,
        labels=renamed(source.labels, "label"),
        findings=renamed(source.findings, "kind"),
        boxes=renamed(source.boxes, "label"),
        links=renamed(links, "name", "other_name"),
    )


def without_left_out(source: ImportSource) -> ImportSource:
    """Without the rows whose class is empty; while rows are checked they keep the others' places."""
    return replace(
        source,
        labels=tuple(row for row in source.labels if row.label),
        findings=tuple(row for row in source.findings if row.kind),
        boxes=tuple(row for row in source.boxes if row.label),
    )


def _is_manifest(path: Path) -> bool:
    """Whether a file says that it is one, perhaps with errors."""
    try:
        return b'"studies"' in inputs.read_bytes(path, "manifest", max_bytes=json_text.MAX_JSON_BYTES)
    except UserError:
        return True  # what is wrong with it is said when it is read


def check_rows(
    source: ImportSource,
    frame_counts: Mapping[str, int],
    names: Collection[str],
    finding_ids: Mapping[str, Collection[str]],
    frame_sizes: Mapping[str, tuple[int, int] | None],
) -> None:
    """Refuse rows and spans that do not fit the library; what is wrong with links is counted by `link_changes`.

    That is, an unknown study or class, frames past the end of a study, labels of a finding that neither findings.csv
    nor the library has (without findings.csv all are taken), and boxes that reach beyond the frame by more than a
    pixel.

    Args:
        frame_counts: frames of each study that rows may name; 0 where they are not yet counted.
        names: the classes that the library's readers use.
        finding_ids: identities of the library's findings, by the files' study id.
        frame_sizes: (height, width) in px by the files' study id; None where the recording cannot be opened.

    Raises:
        UserError: naming file and line.
    """
    for study in source.manifest.studies:
        if count := frame_counts.get(study.study_id):
            check_spans(study.study_id, study.spans, count)
    for name, at, study_id, label, stop in _rows(source):
        if study_id not in frame_counts:
            raise UserError(
                "{place}: there is no study {study}.",
                "Import its manifest with it, or add it first.",
                source.place(name, at),
                repr(study_id),
            )
        _check_class(source, name, at, label, names)
        if 0 < frame_counts[study_id] < stop:
            raise UserError(
                "{place}: frame {frame:,} lies past the end of study {study}, whose last frame is {last:,}.",
                "Frames count from 0; is it the same recording?",
                source.place(name, at),
                stop - 1,
                repr(study_id),
                frame_counts[study_id] - 1,
            )
    for at, link in enumerate(source.links):
        for label in filter(None, (link.name, link.other_name)):
            _check_class(source, "links.csv", at, label, names)
    has_findings = (source.folder / "findings.csv").exists() and source.path.suffix.lower() not in TABLES
    there = {(row.study_id, row.finding_id) for row in source.findings}
    for at, row in enumerate(source.labels if has_findings else ()):
        is_known = (row.study_id, row.finding_id) in there or row.finding_id in finding_ids.get(row.study_id, ())
        if row.finding_id and not is_known:
            raise UserError(
                "{place}: findings.csv has no finding {finding} of study {study}.",
                "Add the finding, or remove its id from the labels.",
                source.place("labels.csv", at),
                repr(row.finding_id),
                repr(row.study_id),
            )
    for at, box in enumerate(source.boxes):
        height, width = frame_sizes.get(box.study_id) or (0, 0)
        if height and (box.x_max > width + 1 or box.y_max > height + 1):
            raise UserError(
                "{place}: the box reaches beyond the frame ({size} px).",
                "Check that the boxes belong to this recording, in px of its frames.",
                source.place("boxes.csv", at),
                f"{width} x {height}",
            )


def _rows(source: ImportSource) -> Iterator[tuple[str, int, str, str, int]]:
    """File, number, study, class and end of all rows of frames."""
    for at, row in enumerate(source.labels):
        yield "labels.csv", at, row.study_id, row.label, row.stop
    for at, finding in enumerate(source.findings):
        stop = max((finding.stop or 0, *(frame + 1 for frame in finding.key_frame_indices)))
        yield "findings.csv", at, finding.study_id, finding.kind, stop
    for at, box in enumerate(source.boxes):
        yield "boxes.csv", at, box.study_id, box.label, box.frame_index + 1


def _check_class(source: ImportSource, file: str, at: int, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise UserError(
            "{place}: {name} is not a known class.",
            "The classes are {names}.",
            source.place(file, at),
            repr(name),
            ", ".join(filter(None, names)),
        )
