"""Exports the report of the open study as DICOM and FHIR."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox

from training.files.outputs import ForeignFileError
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from wce_desktop.core.language import tr
from wce_desktop.features.exchange.report_dialog import ReportDialog
from wce_desktop.library.exchange.clinical.exporting import (
    ReportFormat,
    ReportSummary,
    check_report_files,
    export_reports,
)
from wce_desktop.session.dicom_child import write_in_child
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.waiting import Waiting
from wce_desktop.workspace import Workspace


class ReportExport(QObject):
    """Asks, writes in a thread, and says what was written."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, workspace.session
        self._waiting = Waiting(workspace.window)
        self._thread = FunctionThread(self)
        self._thread.returned.connect(workspace.guard(self._show_written))
        self._thread.failed.connect(self._fail)
        self._thread.progressed.connect(self._waiting.show_progress)

    @property
    def is_busy(self) -> bool:
        """True while files are being written."""
        return self._thread.is_busy

    def close(self) -> None:
        """Stop writing."""
        self._thread.close()
        self._waiting.end()

    def export_clinical(self) -> None:
        """Ask for formats and a folder, and write the report of the open study."""
        reading = self._session.reading
        if reading is None:
            return
        findings = self._session.library.annotations.findings(reading.study.study_id)
        dialog = ReportDialog(len(findings), sum(bool(one.comment) for one in findings), self._workspace.window)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        title = tr("Export the report into this folder")
        chosen = QFileDialog.getExistingDirectory(self._workspace.window, title)
        if chosen:
            self._write(Path(chosen), reading.study.study_id, dialog.formats, has_free_text=dialog.has_free_text)

    def _write(
        self,
        folder: Path,
        study_id: str,
        formats: Sequence[ReportFormat],
        *,
        has_free_text: bool,
    ) -> None:
        library, vocabulary = self._session.library, self._session.vocabulary
        overwrite = self._may_replace(folder, study_id, formats)
        if overwrite is None:
            return

        def work(reporter: Reporter) -> ReportSummary:
            return export_reports(
                library,
                folder,
                formats,
                vocabulary,
                (study_id,),
                has_free_text=has_free_text,
                overwrite=bool(overwrite),
                write=write_in_child,
                reporter=reporter,
            )

        self._waiting.begin(tr("Export report"), tr("Writing the report…"), self._thread.stop)
        self._thread.request(work)

    def _may_replace(self, folder: Path, study_id: str, formats: Sequence[ReportFormat]) -> bool | None:
        """False where nothing foreign is in the way, True where the reader agrees to replace it, else None."""
        try:
            check_report_files(folder, (study_id,), formats)
        except ForeignFileError as error:
            question = f"{tr(error.message)}\n\n{tr('Replace the files in this folder?')}"
            answer = QMessageBox.question(self._workspace.window, tr("Export report"), plain(question))
            return True if answer == QMessageBox.StandardButton.Yes else None
        return False

    def _show_written(self, summary: ReportSummary) -> None:
        self._waiting.end()
        self._workspace.show_message(" ".join([summary.sentence, *summary.notes]))

    def _fail(self, outcome: Outcome) -> None:
        self._waiting.end()
        if outcome.kind == "cancelled":
            self._workspace.show_message(tr("Stopped. Files that were written already stay."))
            return
        self._workspace.show_error(outcome.message, outcome.hint)
