"""What the reader is asked before an import: which file or folder, which study, what classes are called here."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from training.settings import shortened
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import counted
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.library.exchange import LEFT_OUT, AnnotationChoice, Survey
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.file_dialogs import FileDialogs
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import MUTED
from wce_desktop.widgets.window_size import fit_to_screen

FILES = to_translate("Annotations, tables and reports (*.json *.xml *.yaml *.yml *.csv *.dcm);;All files (*)")

OF_FILES = to_translate(
    "COCO, VIA or LabelMe (JSON), CVAT for images or for video (XML), labels.csv, manifest.json, or the findings of a "
    "DICOM report that was exported here"
)
OF_FOLDERS = to_translate(
    "An export of this program, a data set of YOLO or Kvasir-Capsule, or several files of CVAT, COCO, VIA or LabelMe"
)


class ImportDialog(QDialog):
    """Non-modal; `path_chosen` carries the file or folder to import from."""

    path_chosen = Signal(object)

    def __init__(self, files: FileDialogs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self.setWindowTitle(tr("Import labels"))
        fit_to_screen(self, 560, 200)
        self.file = make_button(tr("&File…"), tr("Choose one file"))
        self.folder = make_button(tr("F&older…"), tr("Choose a folder"))
        self.file.clicked.connect(lambda _: self._choose_file())
        self.folder.clicked.connect(lambda _: self._choose_folder())
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.rejected.connect(self.reject)
        grid = QGridLayout()
        for row, (button, said) in enumerate(((self.file, OF_FILES), (self.folder, OF_FOLDERS))):
            words = make_text()
            words.setText(tr(said))
            grid.addWidget(button, row, 0)
            grid.addWidget(words, row, 1)
        grid.setColumnStretch(1, 1)
        note = make_text(MUTED)
        note.setText(tr("You see what would change before anything does."))
        column = QVBoxLayout(self)
        column.addLayout(grid)
        column.addWidget(note)
        column.addStretch(1)
        column.addWidget(self.buttons)

    def _choose_file(self) -> None:
        self._take(self._files.ask_file(self, "labels", tr("Import labels from this file"), tr(FILES)))

    def _choose_folder(self) -> None:
        self._take(self._files.ask_folder(self, "labels", tr("Import labels from this folder")))

    def _take(self, chosen: Path | None) -> None:
        if chosen is not None:
            self.accept()
            self.path_chosen.emit(chosen)


class AnswersDialog(QDialog):
    """Asks for the study and the classes of annotation files that do not say them; `answered` carries the answer."""

    answered = Signal(object)

    def __init__(
        self,
        asked: Survey,
        studies: Sequence[Study],
        open_study: str,
        names: Sequence[str],
        vocabulary: Vocabulary,
        parent: QWidget | None = None,
    ) -> None:
        """`open_study`: id of the study on screen, which is suggested; `names`: the classes to choose from."""
        super().__init__(parent)
        self.setWindowTitle(tr("Import {formats}", formats=", ".join(asked.formats)))
        fit_to_screen(self, 600, 420)
        self.study, self.first_frame = ComboBox(), ComboBox()
        for study in studies:
            self.study.addItem(f"{study.name} ({study.study_id})", study.study_id)
        self.study.setCurrentIndex(max(self.study.findData(open_study), 0))
        if asked.unplaced:
            self.first_frame.addItem(tr("As the names show"), None)
        self.first_frame.addItem(tr("From 0: frame_000000 is the first frame"), 0)
        self.first_frame.addItem(tr("From 1: frame_000001 is the first frame"), 1)
        self.classes: dict[str, QComboBox] = {}
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go_on = QPushButton(tr("&Continue"))
        self.go_on.setToolTip(tr("Show what would be imported"))
        self.go_on.setProperty("primary", True)
        self.go_on.setDefault(True)
        self.buttons.addButton(self.go_on, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.answered.emit(self.choice))
        self._asks_study, self._asks_number = bool(asked.unplaced), bool(asked.unplaced or asked.unclear_numbers)
        column = QVBoxLayout(self)
        if asked.unplaced:
            column.addLayout(self._study_form(asked))
        if self._asks_number:
            column.addLayout(self._number_form(asked))
        if asked.unknown:
            column.addWidget(self._class_area(asked, names, vocabulary), 1)
        else:
            column.addStretch(1)
        column.addWidget(self.buttons)

    @property
    def choice(self) -> AnnotationChoice:
        """What is chosen now."""
        study_id = str(self.study.currentData() or "") if self._asks_study else ""
        return AnnotationChoice(study_id, self._names(), self.first_frame.currentData() if self._asks_number else None)

    def _names(self) -> dict[str, str]:
        return {theirs: str(box.currentData()) for theirs, box in self.classes.items()}

    def _study_form(self, asked: Survey) -> QFormLayout:
        form = QFormLayout()
        said = make_text()
        said.setText(
            tr(
                "The names in the file do not say to which study {unplaced} of {images} belong.",
                unplaced=asked.unplaced,
                images=counted(asked.images, "image"),
            )
        )
        form.addRow(said)
        _add_row(form, tr("&Study"), self.study, tr("The recording that was annotated"))
        return form

    def _number_form(self, asked: Survey) -> QFormLayout:
        form = QFormLayout()
        if asked.unclear_numbers:
            said = make_text()
            said.setText(
                tr(
                    "The frames are known by the numbers in the names of the images. Some programs count from 0, "
                    "others from 1; these names do not show it. This window counts from 1."
                )
            )
            form.addRow(said)
        tip = tr("Where a frame is known by the number in the name of its image")
        _add_row(form, tr("&Numbers in names count"), self.first_frame, tip)
        return form

    def _class_area(self, asked: Survey, names: Sequence[str], vocabulary: Vocabulary) -> QScrollArea:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 8, 8, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        said = make_text()
        said.setText(tr("These classes have another name here, or none. Choose what each means."))
        form.addRow(said)
        for theirs, count in asked.unknown.items():
            box = ComboBox()
            box.addItem(tr("Leave out"), LEFT_OUT)
            for name in names:
                box.addItem(vocabulary.of(name).shown_title, name)
            box.setAccessibleName(tr("Meaning of {name}", name=shortened(theirs)))
            self.classes[theirs] = box
            form.addRow(PlainLabel(f"{shortened(theirs)} ({number_text(count)})"), box)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        return area


def _add_row(form: QFormLayout, title: str, widget: QWidget, tip: str) -> None:
    label = PlainLabel(title)
    label.setBuddy(widget)
    widget.setToolTip(plain(tip))
    form.addRow(label, widget)
