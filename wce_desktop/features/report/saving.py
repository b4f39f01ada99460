"""Saving, printing and opening reports: drafts, signed versions, versions without names and clips."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from PySide6 import QtCore, QtGui, QtPrintSupport, QtWidgets

from training.errors import UserError, writing
from training.files.outputs import written_beside
from training.files.scratch import make_scratch_folder
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core import counted, tr
from wce_desktop.core.annotation import Record
from wce_desktop.features.report import building
from wce_desktop.features.report.model import anonymous, clips, gathering, pictures
from wce_desktop.features.report.report_source import ReportSource
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.evidence.signature import SUFFIX, Printed, SignedReport
from wce_desktop.session.frame_facts import place_of
from wce_desktop.session.keys import key_of
from wce_desktop.session.places import account_name
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Part, Workspace

MOST_OF_A_NAME = 60


class Saving(Part):
    """What the buttons below the pages and beside the versions do; files are written in a thread."""

    def __init__(self, workspace: Workspace, owner: QtCore.QObject, window: ReportWindow, source: ReportSource) -> None:
        super().__init__(workspace, owner)
        self._window, self._source = window, source
        self._opened: list[Path] = []
        """Temporary folders with reports that were opened; those of a killed process go at the next start."""
        self._thread = FunctionThread(self, returned=self._saved, failed=window.show_failure)

    def close(self) -> None:
        """End the thread, and delete what was opened."""
        super().close()
        for folder in self._opened:
            shutil.rmtree(folder, ignore_errors=True)

    def _saved(self, sentence: str) -> None:
        self._window.show_problem("")
        self._window.show_message(sentence)

    def save_draft(self, suffix: Printed) -> None:
        """Save the report, or the signed version where nothing has changed since."""
        self._source.save_texts()
        signed = self._source.signed_as_it_is()
        kind = suffix if signed is not None else f"-draft{suffix}"
        name = file_name(self._session.library.studies.record(self._workspace.reading.study.study_id), kind)
        path = self._ask_path(tr("Save the report as {format}", format=suffix[1:].upper()), name, suffix)
        if path is None:
            return
        builder, own, (report, marks) = self._source.ready_builder(), self._source.own_template(), self._source.gather()

        def save(reporter: Reporter) -> str:
            if signed is not None:
                write_signed(path, signed, suffix)
                return _saved_words(signed, path)
            printed = builder.printed(report, marks, own, reporter)
            write_file(path, printed.pdf if suffix == ".pdf" else printed.html)
            message = tr("The draft was saved as {file}. It is not signed.", file=path.name)
            return " ".join([message, *printed.problems])

        self._thread.request(save)

    def save_anonymous(self) -> None:
        """Save the version without names, as PDF and as HTML."""
        name = f"anonymous-{self._workspace.reading.study.study_id}.pdf"
        path = self._ask_path(tr("Save the version without names"), name, ".pdf", tr("PDF and HTML (*.pdf)"))
        if path is None:
            return
        study, library, settings = self._workspace.reading.study, self._session.library, self._session.settings
        record, signing = library.studies.record(study.study_id), self._window.sign_box.reader.text()
        readers = library.reader, str(settings["reader"]), account_name(), signing, self._window.texts.referrer
        names = anonymous.names_of(study, record, readers)
        with_free_text = self._window.with_free_text.isChecked()
        gathered, marks = self._source.gather()
        marks = {frame: mark.without_texts for frame, mark in marks.items()}
        report = anonymous.without_identity(gathered, record, names, with_free_text=with_free_text)
        builder = self._source.ready_builder()

        def save(reporter: Reporter) -> str:
            printed = builder.printed(report, marks, None, reporter)  # a hospital's template may name the hospital
            write_file(path, printed.pdf)
            write_file(path.with_suffix(".html"), printed.html)
            html = path.with_suffix(".html").name
            words = [tr("The version without names was saved as {pdf} and {html}.", pdf=path.name, html=html)]
            words += [] if printed.is_masked or not report.frames else [tr(pictures.NOT_MASKED)]
            words += [tr("Read its texts before you pass it on.")] if with_free_text else []
            return " ".join(words)

        self._thread.request(save)

    def save_clips(self) -> None:
        """Save clips and stills of all findings."""
        findings = list(gathering.numbered(self._workspace.reading))
        if not findings:
            raise UserError(
                "There are no findings yet.", "Press {key} on a frame that shows one.", key_of("new_finding")
            )
        title = tr("Save clips and stills into this folder")
        chosen = self._workspace.files.ask_folder(self._window, "reports", title)
        if chosen is not None:
            place = place_of(self._workspace.reading)
            self._window.show_message(tr("Saving clips of {findings}…", findings=counted(len(findings), "finding")))
            self._thread.request(lambda reporter: clips.export_findings(chosen, place, findings, reporter).sentence)

    def print_pages(self) -> None:
        """Ask for a printer, and print the pages that are shown."""
        self._source.save_texts()
        printer = QtPrintSupport.QPrinter(QtPrintSupport.QPrinter.PrinterMode.HighResolution)
        printer.setDocName(tr(building.TITLE))  # without names: printers keep them
        printer.setFullPage(True)
        if QtPrintSupport.QPrintDialog(printer, self._window).exec() != QtWidgets.QDialog.DialogCode.Accepted:
            return
        builder, own, (report, marks) = self._source.ready_builder(), self._source.own_template(), self._source.gather()
        signed = self._source.shown_version or self._source.signed_as_it_is()

        def send(reporter: Reporter) -> str:
            if signed is not None:
                building.version_pages(signed, reporter).print_on(printer)
                return tr("Version {version} was sent to the printer.", version=signed.version)
            problems = builder.print_on(printer, report, marks, own, reporter)
            return " ".join([tr("The draft was sent to the printer. It is not signed."), *problems])

        self._window.show_message(tr("Printing…"))
        self._thread.request(send)

    def save_version(self, suffix: Printed, signed: SignedReport) -> None:
        """Save the file of a signed version, byte by byte as it was signed."""
        name = file_name(self._session.library.studies.record(signed.study_id), f"-version-{signed.version}{suffix}")
        title = tr("Save version {version} as {format}", version=signed.version, format=suffix[1:].upper())
        path = self._ask_path(title, name, suffix)
        if path is not None:
            write_signed(path, signed, suffix)
            self._saved(_saved_words(signed, path))

    def open_version(self, signed: SignedReport) -> None:
        """Open the PDF of a signed version if it is the one that was signed."""
        signed.check()
        self._window.show_problem("")
        path = self._unsealed(signed) if signed.is_sealed else signed.path
        if not QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(str(path))):
            hint = (
                Text("The report is {path}.", path)
                if path == signed.path
                else Text("Until the library is locked or closed, the report is {path}.", path)
            )
            raise UserError("No program for PDF files was found.", hint)

    def _unsealed(self, signed: SignedReport) -> Path:
        """The PDF of a sealed version for another program, in a temporary folder that only this user can read."""
        content = signed.read(".pdf")
        message = "The report cannot be opened: no temporary file can be written ({why})."
        with OnDiskError(message, "Free some disk space."):
            folder = make_scratch_folder("report")
            self._opened.append(folder)
            path = folder / signed.path.name
            path.write_bytes(content)
        return path

    def _ask_path(self, title: str, name: str, suffix: Printed, kinds: str = "") -> Path | None:
        kinds = kinds or f"{suffix[1:].upper()} (*{suffix})"
        path = self._workspace.files.ask_new_file(self._window, "reports", title, name, kinds)
        if path is None:
            return None
        return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def file_name(record: Record, suffix: str) -> str:
    """What a report is called by default: "report-K123-2026-03-14.pdf", by what was entered of the patient.

    Never by the name of the study's file, which may be somebody's.
    """
    patient = re.sub(r"[^\w]+", "-", record.pseudonym).strip("-_")[:MOST_OF_A_NAME]
    date = f"{'' if patient else 'study-of-'}{record.exam_date}" if record.exam_date else ""
    return "-".join(filter(None, ("report", patient, date))) + suffix


def write_signed(path: Path, signed: SignedReport, suffix: Printed) -> None:
    """Write a file of a signed version as it was signed, with its signature beside it.

    Raises:
        UserError: it was changed, or cannot be written.
    """
    write_file(path, signed.read(suffix))
    if signed.signed is not None:
        write_file(path.with_name(path.name + SUFFIX), signed.signed.file)


def _saved_words(signed: SignedReport, path: Path) -> str:
    return tr("Version {version}, which was signed, was saved as {file}.", version=signed.version, file=path.name)


def write_file(path: Path, content: bytes) -> None:
    """Write a file.

    Raises:
        UserError: it cannot be written.
    """
    with writing(path), written_beside(path, clean=True) as beside:
        beside.write_bytes(content)
