"""Dialogs for exports: of labels (format, studies, normal frames), and of the report as DICOM and FHIR."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from training.datasets import local_paths
from training.files.outputs import ForeignFileError
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from wce_desktop.core.clock import counted
from wce_desktop.core.language import to_translate, tr
from wce_desktop.library.exchange import EXPORT_FORMATS, ExportFormat, ExportSummary, export_format
from wce_desktop.library.exchange.clinical.exporting import (
    ReportFormat,
    check_report_files,
    export_reports,
)
from wce_desktop.session.dicom_child import write_in_child
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.dialogs import accept_buttons, agrees
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.waiting import Waiting
from wce_desktop.widgets.window_size import fit_to_screen
from wce_desktop.workspace import Workspace

PICTURES = to_translate(
    "Pictures are black outside the field of view, where clock and name stand. File names are made of study ids and "
    "frame numbers."
)

PATHS = to_translate(
    "A further file, {file}, says where the videos are. Do not share it: names of files may name patients."
)


@dataclass(frozen=True)
class ExportRequest:
    """What the reader chose.

    Attributes:
        format: of the files.
        study_id: empty for all studies.
        with_normal: whether frames labelled normal are written, too.
        has_paths: whether the places of the videos are written, too.
    """

    format: ExportFormat
    study_id: str
    with_normal: bool
    has_paths: bool = False


class ExportDialog(QDialog):
    """Non-modal; `requested` carries an `ExportRequest`."""

    requested = Signal(object)

    def __init__(self, open_study: str, count: int, parent: QWidget | None = None) -> None:
        """`open_study`: id of the study on screen, or empty; `count`: studies of the library."""
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        fit_to_screen(self, 560, 300)
        self._study_id = open_study
        self.format = ComboBox()
        for each in EXPORT_FORMATS:
            self.format.addItem(tr(each.title), each.name)
        self.about, self.pictures = make_text(), make_text(COLORS.muted)
        self.this_study = QRadioButton(tr("&This study"))
        self.all_studies = QRadioButton(tr("&All studies ({count})", count=count))
        self.this_study.setEnabled(bool(open_study))
        self.all_studies.setChecked(True)
        self.with_normal = QCheckBox(tr("Frames labelled &normal, too"))
        self.with_normal.setChecked(True)
        self.for_training = QCheckBox(tr("For &training on this computer"))
        self.for_training.setToolTip(plain(tr("Write where the videos are, too")))
        self.export = QPushButton(tr("Choose a &folder…"))
        self.export.setToolTip(tr("Choose where to write, and export"))
        self.export.setProperty("primary", True)
        self.export.setDefault(True)
        self.buttons = accept_buttons(self, self.export)
        self.accepted.connect(lambda: self.requested.emit(self.request))
        self._arrange()
        self.format.currentIndexChanged.connect(lambda _: self._explain())
        self.for_training.toggled.connect(lambda _: self._explain())
        self._explain()

    @property
    def request(self) -> ExportRequest:
        """What is chosen now."""
        chosen = export_format(str(self.format.currentData()))
        study_id = self._study_id if self.this_study.isChecked() else ""
        has_paths = chosen.name == "csv" and self.for_training.isChecked()
        return ExportRequest(chosen, study_id, self.with_normal.isChecked(), has_paths)

    def _arrange(self) -> None:
        studies = QHBoxLayout()
        studies.addWidget(self.this_study)
        studies.addWidget(self.all_studies)
        studies.addStretch(1)
        form = QFormLayout()
        title = PlainLabel(tr("F&ormat"))
        title.setBuddy(self.format)
        form.addRow(title, self.format)
        form.addRow("", self.about)
        form.addRow(PlainLabel(tr("Studies")), studies)
        form.addRow("", self.with_normal)
        form.addRow("", self.for_training)
        form.addRow("", self.pictures)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addStretch(1)
        column.addWidget(self.buttons)

    def _explain(self) -> None:
        chosen = self.request.format
        self.about.setText(tr(chosen.about))
        self.with_normal.setVisible(bool(chosen.suffix))
        self.for_training.setVisible(chosen.name == "csv")
        paths = tr(PATHS, file=local_paths.FILE_NAME) if self.request.has_paths else ""
        self.pictures.setText(tr(PICTURES) if chosen.suffix else paths)


ABOUT = to_translate(
    "The patient appears by a random name. Dates, the reader and the file are not named. Key frames are black outside "
    "of the field of view; check that no name stands inside of it."
)
NO_FINDINGS = to_translate("A DICOM report needs at least one finding; FHIR can say that there is none.")
FREE_TEXT = to_translate(
    "Comments are free text and may name a patient. With them the files do not count as de-identified."
)


class ReportDialog(QDialog):
    """Modal; `formats` and `free_text` say what was chosen."""

    def __init__(self, findings: int, comments: int, parent: QWidget | None = None) -> None:
        """For a study with so many findings, of which so many have a comment."""
        super().__init__(parent)
        self.setWindowTitle(tr("Export report as DICOM / FHIR"))
        self.setMinimumWidth(520)
        self.dicom = QCheckBox(tr("&DICOM: structured report and key frames"))
        self.fhir = QCheckBox(tr("&FHIR R4: DiagnosticReport (JSON)"))
        title = tr("&Include {comments} and other words of the reader", comments=counted(comments, "comment"))
        self.free_text = QCheckBox(title)
        self.dicom.setChecked(findings > 0)
        self.dicom.setEnabled(findings > 0)
        self.fhir.setChecked(True)
        self.free_text.setVisible(comments > 0)
        about, self.warning = make_text(COLORS.muted), make_text(COLORS.warning)
        self.warning.setText(tr(FREE_TEXT))
        policy = self.warning.sizePolicy()
        policy.setRetainSizeWhenHidden(comments > 0)  # a dialog does not grow by itself
        self.warning.setSizePolicy(policy)
        about.setText(f"{counted(findings, 'finding')}. {tr(ABOUT) if findings else tr(NO_FINDINGS)}")
        self.choose = make_button(tr("Choose folder…"), tr("Choose where the files are written"))
        buttons = accept_buttons(self, self.choose)
        column = QVBoxLayout(self)
        for widget in (about, self.dicom, self.fhir, self.free_text, self.warning, buttons):
            column.addWidget(widget)
        self.choose.setDefault(True)  # once it is in the dialog
        for box in (self.dicom, self.fhir, self.free_text):
            box.toggled.connect(self._refresh)
        self._refresh()

    @property
    def formats(self) -> tuple[ReportFormat, ...]:
        """What is ticked."""
        boxes: dict[ReportFormat, QCheckBox] = {"dicom": self.dicom, "fhir": self.fhir}
        return tuple(each for each, box in boxes.items() if box.isChecked())

    def _refresh(self) -> None:
        self.choose.setEnabled(bool(self.formats))
        self.warning.setVisible(self.free_text.isChecked())


class ReportExport(QObject):
    """Asks, writes in a thread, and says what was written."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, workspace.session
        self._waiting = Waiting(workspace.window)
        self._thread = FunctionThread(
            self,
            returned=workspace.guard(self._show_written),
            failed=self._fail,
            progressed=self._waiting.show_progress,
        )

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
        dialog = ReportDialog(len(findings), sum(bool(finding.comment) for finding in findings), self._workspace.window)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        title = tr("Export the report into this folder")
        chosen = QFileDialog.getExistingDirectory(self._workspace.window, title)
        if chosen:
            self._write(
                Path(chosen), reading.study.study_id, dialog.formats, has_free_text=dialog.free_text.isChecked()
            )

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

        def work(reporter: Reporter) -> ExportSummary:
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
            return agrees(self._workspace.window, tr("Export report"), question, by_default=True) or None
        return False

    def _show_written(self, summary: ExportSummary) -> None:
        self._waiting.end()
        self._workspace.show_message(" ".join([summary.sentence, *summary.notes]))

    def _fail(self, outcome: Outcome) -> None:
        self._waiting.end()
        if outcome.kind == "cancelled":
            self._workspace.show_message(tr("Stopped. Files that were written already stay."))
            return
        self._workspace.show_error(outcome.message, outcome.hint)
