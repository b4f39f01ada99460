"""Dialog for an export: format, studies, normal frames."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from training.datasets import local_paths
from wce_desktop.core.language import to_translate, tr
from wce_desktop.library.exchange import EXPORT_FORMATS, ExportFormat, export_format
from wce_desktop.widgets.basic import make_text
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import MUTED
from wce_desktop.widgets.window_size import fit_to_screen

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
        self.about, self.pictures = make_text(), make_text(MUTED)
        self.this_study = QRadioButton(tr("&This study"))
        self.all_studies = QRadioButton(tr("&All studies ({count})", count=count))
        self.this_study.setEnabled(bool(open_study))
        self.all_studies.setChecked(True)
        self.with_normal = QCheckBox(tr("Frames labelled &normal, too"))
        self.with_normal.setChecked(True)
        self.for_training = QCheckBox(tr("For &training on this computer"))
        self.for_training.setToolTip(plain(tr("Write where the videos are, too")))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export = QPushButton(tr("Choose a &folder…"))
        self.export.setToolTip(tr("Choose where to write, and export"))
        self.export.setProperty("primary", True)
        self.export.setDefault(True)
        self.buttons.addButton(self.export, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
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
