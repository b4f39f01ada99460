"""Dialogs for exports: of labels (format, studies, normal frames), and of the report as DICOM and FHIR."""

from PySide6.QtWidgets import QCheckBox, QPushButton, QRadioButton, QWidget

from training.datasets import local_paths
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.library.exchange import EXPORT_FORMATS, ExportFormat, export_format
from wce_desktop.library.exchange.clinical.exporting import ReportFormat
from wce_desktop.widgets import basic, dialogs, inputs, plain_text, theme, window_size

PICTURES = to_translate(
    "Pictures are black outside the field of view, where clock and name stand. File names are made of study ids and "
    "frame numbers."
)

PATHS = to_translate(
    "A further file, {file}, says where the videos are. Do not share it: names of files may name patients."
)


class ExportDialog(window_size.DialogBase):
    """Asks for format and studies."""

    def __init__(self, open_study: str, count: int, parent: QWidget | None = None) -> None:
        """`open_study`: id of the study on screen, or empty; `count`: studies of the library."""
        super().__init__(tr("Export"), 560, parent=parent)
        self._open_study = open_study
        self.formats = inputs.ComboBox()
        basic.fill_box(self.formats, [(tr(each.title), each.name) for each in EXPORT_FORMATS])
        self.about, self.pictures = basic.make_text(), basic.make_text(theme.COLORS.muted)
        self.this_study = QRadioButton(tr("&This study"))
        self.all_studies = QRadioButton(tr("&All studies ({count})", count=count))
        self.this_study.setEnabled(bool(open_study))
        self.all_studies.setChecked(True)
        self.with_normal = QCheckBox(tr("Frames labelled &normal, too"))
        self.with_normal.setChecked(True)
        self.for_training = QCheckBox(tr("For &training on this computer"))
        self.for_training.setToolTip(plain_text.plain(tr("Write where the videos are, too")))
        self.export = QPushButton(tr("Choose a &folder…"))
        self.export.setToolTip(tr("Choose where to write, and export"))
        self.export.setProperty("primary", True)
        self.export.setDefault(True)
        form = basic.Form()
        title = plain_text.PlainLabel(tr("F&ormat"))
        title.setBuddy(self.formats)
        form.addRow(title, basic.in_column(self.formats, self.about, margins=0, spacing=4))
        studies = basic.in_row(self.this_study, self.all_studies, 1, spacing=16)
        below = self.with_normal, self.for_training, self.pictures
        form.addRow(tr("Studies"), basic.in_column(studies, *below, margins=0, spacing=4))
        basic.in_column(form, 1, dialogs.accept_buttons(self, self.export), of=self)
        self.formats.currentIndexChanged.connect(lambda _: self._explain())
        self.for_training.toggled.connect(lambda _: self._explain())
        self._explain()

    @property
    def format(self) -> ExportFormat:
        """Of the files."""
        return export_format(str(self.formats.currentData()))

    @property
    def study_id(self) -> str:
        """The study to export; empty for all."""
        return self._open_study if self.this_study.isChecked() else ""

    @property
    def has_paths(self) -> bool:
        """Whether the places of the videos are written, too."""
        return self.format.name == "csv" and self.for_training.isChecked()

    def _explain(self) -> None:
        chosen = self.format
        self.about.setText(tr(chosen.about))
        self.with_normal.setVisible(bool(chosen.suffix))
        self.for_training.setVisible(chosen.name == "csv")
        paths = tr(PATHS, file=local_paths.FILE_NAME) if self.has_paths else ""
        self.pictures.setText(tr(PICTURES) if chosen.suffix else paths)


ABOUT = to_translate(
    "The patient appears by a random name. Dates, the reader and the file are not named. Key frames are black outside "
    "of the field of view; check that no name stands inside of it."
)
NO_FINDINGS = to_translate("A DICOM report needs at least one finding; FHIR can say that there is none.")
FREE_TEXT = to_translate(
    "Comments are free text and may name a patient. With them the files do not count as de-identified."
)


class ReportDialog(window_size.DialogBase):
    """Modal; `formats` and `free_text` say what was chosen."""

    def __init__(self, findings: int, comments: int, parent: QWidget | None = None) -> None:
        """For a study with so many findings, of which so many have a comment."""
        super().__init__(tr("Export report as DICOM / FHIR"), 560, parent=parent)
        self.dicom = QCheckBox(tr("&DICOM: structured report and key frames"))
        self.fhir = QCheckBox(tr("&FHIR R4: DiagnosticReport (JSON)"))
        title = tr("&Include {comments} and other words of the reader", comments=counted(comments, "comment"))
        self.free_text = QCheckBox(title)
        self.dicom.setChecked(findings > 0)
        self.dicom.setEnabled(findings > 0)
        self.fhir.setChecked(True)
        self.free_text.setVisible(comments > 0)
        about, self.warning = basic.make_text(theme.COLORS.muted), basic.make_text(theme.COLORS.warning)
        self.warning.setText(tr(FREE_TEXT))
        about.setText(f"{counted(findings, 'finding')}. {tr(ABOUT) if findings else tr(NO_FINDINGS)}")
        self.choose = basic.make_button(tr("Choose folder…"), tr("Choose where the files are written"))
        buttons = dialogs.accept_buttons(self, self.choose)
        basic.in_column(about, self.dicom, self.fhir, self.free_text, self.warning, buttons, of=self)
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
