"""Asks which report of the open study is written for hospital systems."""

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from wce_desktop.core.clock import counted
from wce_desktop.core.language import to_translate, tr
from wce_desktop.library.exchange.clinical.exporting import ReportFormat
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.theme import MUTED, WARNING

ABOUT = to_translate(
    "The patient appears by a random name. Dates, the reader and the file are not named. Key frames are black outside "
    "of the field of view; check that no name stands inside of it."
)
NO_FINDINGS = to_translate("A DICOM report needs at least one finding; FHIR can say that there is none.")
FREE_TEXT = to_translate(
    "Comments are free text and may name a patient. With them the files do not count as de-identified."
)


class ReportDialog(QDialog):
    """Modal; `formats` and `has_free_text` say what was chosen."""

    def __init__(self, findings: int, comments: int, parent: QWidget | None = None) -> None:
        """For a study with so many findings, of which so many have a comment."""
        super().__init__(parent)
        self.setWindowTitle(tr("Export report as DICOM / FHIR"))
        self.setMinimumWidth(520)
        self.dicom = QCheckBox(tr("&DICOM: structured report and key frames"))
        self.fhir = QCheckBox(tr("&FHIR R4: DiagnosticReport (JSON)"))
        said = tr("&Include {comments} and other words of the reader", comments=counted(comments, "comment"))
        self.free_text = QCheckBox(said)
        self.dicom.setChecked(findings > 0)
        self.dicom.setEnabled(findings > 0)
        self.fhir.setChecked(True)
        self.free_text.setVisible(comments > 0)
        about, self.warning = make_text(MUTED), make_text(WARNING)
        self.warning.setText(tr(FREE_TEXT))
        policy = self.warning.sizePolicy()
        policy.setRetainSizeWhenHidden(comments > 0)  # a dialog does not grow by itself
        self.warning.setSizePolicy(policy)
        about.setText(f"{counted(findings, 'finding')}. {tr(ABOUT) if findings else tr(NO_FINDINGS)}")
        self.choose = make_button(tr("Choose folder…"), tr("Choose where the files are written"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.choose, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
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
        ticked: list[ReportFormat] = []
        if self.dicom.isChecked():
            ticked.append("dicom")
        if self.fhir.isChecked():
            ticked.append("fhir")
        return tuple(ticked)

    @property
    def has_free_text(self) -> bool:
        """Whether the reader's own words are written."""
        return self.free_text.isChecked()

    def _refresh(self) -> None:
        self.choose.setEnabled(bool(self.formats))
        self.warning.setVisible(self.has_free_text)
