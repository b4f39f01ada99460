"""What the reader is asked before an import: which file or folder, which study, what classes are called here."""

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from training.settings import shortened
from wce_desktop.core import counted, number_text, to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.study import Study, names_apart
from wce_desktop.library.exchange import LEFT_OUT, AnnotationChoice, ImageGroup, Survey
from wce_desktop.widgets import basic, dialogs, inputs, theme, window_size
from wce_desktop.widgets.plain_text import PlainLabel, plain

MOST_RECORDINGS = 100
"""That are asked about; further ones whose study is not clear are left out."""
FILES = to_translate("Annotations, tables and reports (*.json *.xml *.yaml *.yml *.csv *.dcm);;All files (*)")

OF_FILES = to_translate(
    "COCO, VIA or LabelMe (JSON), CVAT for images or for video (XML), labels.csv (of studies or of images), "
    "manifest.json, or the findings of a DICOM report that was exported here"
)
OF_FOLDERS = to_translate(
    "Labelled images (with labels.csv, or a folder for each class), an export of this program, REAL-Colon, SUN, "
    "SUN-SEG or PolypGen as published, a data set of YOLO or Kvasir-Capsule, or several files of CVAT, COCO, VIA or "
    "LabelMe"
)


class ImportDialog(window_size.DialogBase):
    """Non-modal; `path_chosen` carries the file or folder to import from."""

    path_chosen = Signal(object)

    def __init__(self, files: dialogs.FileDialogs, parent: QWidget | None = None) -> None:
        super().__init__(tr("Import labels"), 560, parent=parent)
        self.file = basic.make_button(tr("Choose &file…"), tr("Choose one file"))
        self.folder = basic.make_button(tr("Choose f&older…"), tr("Choose a folder"))
        from_file, from_folder = tr("Import labels from this file"), tr("Import labels from this folder")
        self.file.clicked.connect(lambda _: self._take(files.ask_file(self, "labels", from_file, tr(FILES))))
        self.folder.clicked.connect(lambda _: self._take(files.ask_folder(self, "labels", from_folder)))
        buttons = QtWidgets.QDialogButtonBox(QtWidgets.QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        grid = QtWidgets.QGridLayout()
        for row, (button, sentence) in enumerate(((self.file, OF_FILES), (self.folder, OF_FOLDERS))):
            words = basic.make_text(text=tr(sentence))
            grid.addWidget(button, row, 0)
            grid.addWidget(words, row, 1)
        grid.setColumnStretch(1, 1)
        note = basic.make_text(theme.COLORS.muted, tr("You see what would change before anything does."))
        basic.in_column(grid, note, 1, buttons, of=self)

    def _take(self, chosen: Path | None) -> None:
        if chosen is not None:
            self.accept()
            self.path_chosen.emit(chosen)


class AnswersDialog(QDialog):
    """Asks for what annotation files do not say: the study of each recording, the classes; `choice` has the answers.

    A recording about which the files do not say enough is left out unless a study is chosen.
    """

    def __init__(
        self,
        asked: Survey,
        studies: Sequence[Study],
        names: Sequence[str],
        vocabulary: Vocabulary,
        parent: QWidget | None = None,
    ) -> None:
        """`names`: the classes to choose from."""
        super().__init__(parent)
        self.setWindowTitle(tr("Import {formats}", formats=", ".join(asked.formats)))
        self.first_frame = inputs.ComboBox()
        if asked.unplaced:
            self.first_frame.addItem(tr("As the names show"), None)
        self.first_frame.addItem(tr("From 0: frame_000000 is the first frame"), 0)
        self.first_frame.addItem(tr("From 1: frame_000001 is the first frame"), 1)
        self.classes: dict[str, QtWidgets.QComboBox] = {}
        self.recordings: dict[str, QtWidgets.QComboBox] = {}
        self.go_on = QtWidgets.QPushButton(tr("&Continue"))
        self.go_on.setToolTip(tr("Show what would be imported"))
        self.go_on.setProperty("primary", not asked.unplaced)
        self.buttons = dialogs.accept_buttons(self, self.go_on)
        self._asks_number = bool(asked.unplaced or asked.unclear_numbers)
        self._form = basic.Form()
        self._form.setContentsMargins(0, 0, 8, 0)
        self._form.setRowWrapPolicy(QtWidgets.QFormLayout.RowWrapPolicy.WrapLongRows)
        if asked.unplaced:
            self._ask_recordings(asked, studies)
        if self._asks_number:
            self._ask_number(asked)
        if asked.unknown:
            self._ask_classes(asked, names, vocabulary)
        basic.in_column((window_size.make_scrolling(basic.as_widget(self._form)), 1), self.buttons, of=self)
        window_size.fit_to_screen(self, 640)
        cancel = self.buttons.button(QtWidgets.QDialogButtonBox.StandardButton.Cancel)
        (cancel if asked.unplaced else self.go_on).setDefault(True)

    @property
    def choice(self) -> AnnotationChoice:
        """What is chosen now."""
        first = self.first_frame.currentData() if self._asks_number else None
        recordings = {name: str(box.currentData()) for name, box in self.recordings.items()}
        names = {theirs: str(box.currentData()) for theirs, box in self.classes.items()}
        return AnnotationChoice(names=names, first_frame=first, recordings=recordings)

    def _explain(self, sentence: str) -> None:
        words = basic.make_text(text=sentence)
        self._form.addRow(words)

    def _ask_recordings(self, asked: Survey, studies: Sequence[Study]) -> None:
        """A row for each recording; one whose study the files say shows it."""
        self._explain(
            tr(
                "The files do not say clearly to which study {unplaced} of {images} belong. Choose the study of each "
                "recording; the others are left out.",
                unplaced=asked.unplaced,
                images=counted(asked.images, "image"),
            )
        )
        offered = [(name, study_id) for study_id, name in names_apart(studies).items()]
        for recording in asked.recordings[:MOST_RECORDINGS]:
            spoken = tr("Study of {name}", name=shortened(recording.name))
            note = basic.make_text(theme.COLORS.muted, _sentence(recording))
            of_study = len(recording.images), spoken, offered, recording.study_id, note
            self.recordings[recording.name] = _add_choice(self._form, recording.name, *of_study)

    def _ask_number(self, asked: Survey) -> None:
        if asked.unclear_numbers:
            self._explain(
                tr(
                    "The frames are known by the numbers in the names of the images. Some programs count from 0, "
                    "others from 1; these names do not show it. This window counts from 1."
                )
            )
        label = PlainLabel(tr("&Numbers in names count"))
        label.setBuddy(self.first_frame)
        self.first_frame.setToolTip(plain(tr("Where a frame is known by the number in the name of its image")))
        self._form.addRow(label, self.first_frame)

    def _ask_classes(self, asked: Survey, names: Sequence[str], vocabulary: Vocabulary) -> None:
        self._explain(tr("These classes have another name here, or none. Choose what each means."))
        offered = [(vocabulary.of(name).shown_title, name) for name in names]
        for theirs, count in asked.unknown.items():
            spoken = tr("Meaning of {name}", name=shortened(theirs))
            self.classes[theirs] = _add_choice(self._form, theirs, count, spoken, offered)


def _add_choice(
    form: basic.Form,
    name: str,
    count: int,
    spoken: str,
    offered: Sequence[tuple[str, str]],
    chosen: str = LEFT_OUT,
    *below: QtWidgets.QWidget,
) -> QtWidgets.QComboBox:
    """A row in which something of the files is given a meaning here, or left out."""
    box = inputs.ComboBox()
    basic.fill_box(box, [(tr("Leave out"), LEFT_OUT), *offered], chosen)
    box.setAccessibleName(spoken)
    form.addRow(
        PlainLabel(f"{shortened(name)} ({number_text(count)})"), basic.in_column(box, *below, margins=0, spacing=4)
    )
    return box


def _sentence(recording: ImageGroup) -> str:
    """What the files say of a recording, and why that is not enough."""
    clues = (
        tr("Clues: {clues}.", clues=recording.clues_in_words) if recording.clues else tr("The files say nothing of it.")
    )
    if recording.study_id:
        return clues
    reason, image = recording.problem, shortened(recording.images[0][0].shown_name)
    return f"{clues} {tr('Not clear: {reason}.', reason=reason)} {tr('First image: {image}.', image=image)}"
