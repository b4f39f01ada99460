"""What a folder of labelled images would add, what its labels are called here, and whether it is added."""

from collections import Counter
from collections.abc import Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from training.settings import shortened
from wce_desktop.core import number_text, to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.features.exchange import images_review
from wce_desktop.library.exchange import LEFT_OUT, LabelledFolder, Meanings, meanings
from wce_desktop.widgets import basic, dialogs, inputs, theme, window_size
from wce_desktop.widgets.plain_text import PlainLabel

MOST_SOURCES = 4
"""That have a column of their own."""
UNKNOWN_SOURCE = to_translate("not stated")


class ImagesDialog(window_size.DialogBase):
    """Non-modal; `words` are the chosen meanings of the labels once it is accepted.

    Attributes:
        opens_plain: whether *Open without labels* was clicked.
    """

    def __init__(
        self,
        folder: LabelledFolder,
        names: Sequence[str],
        vocabulary: Vocabulary,
        *,
        may_open: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Make the dialog.

        Args:
            folder: as read.
            names: the classes to choose from.
            vocabulary: gives them titles.
            may_open: whether *Open without labels* is offered.
        """
        super().__init__(tr("Import labelled images"), 820, parent=parent)
        self._folder, self._names, self._vocabulary = folder, tuple(names), vocabulary
        self.opens_plain = False
        self.choices: dict[str, QtWidgets.QComboBox] = {}
        self.summary, self.remarks = basic.make_text(), basic.make_text(theme.COLORS.muted)
        self.summary.setText(images_review.summary(folder))
        contents = basic.in_column(self.summary, self._class_grid(), self.remarks, 1, margins=(0, 0, 8, 0), spacing=12)
        area = window_size.make_scrolling(basic.as_widget(contents))
        self.go_on = basic.make_button(tr("&Import"), tr("Add these images to the library, with their labels"))
        self.go_on.setProperty("primary", True)
        buttons = dialogs.accept_buttons(self, self.go_on)
        self.plain = basic.make_button(
            tr("&Open without labels"), tr("Open the images as studies, as if the labels were not there")
        )
        self.plain.setVisible(may_open)
        self.plain.clicked.connect(self._open_plain)
        basic.in_column((area, 1), basic.in_row(self.plain, 1, buttons), of=self)
        self.go_on.setDefault(True)
        self._refresh()

    @property
    def words(self) -> Meanings:
        """What the labels mean as chosen now."""
        chosen = {label: str(box.currentData()) for label, box in self.choices.items()}
        return meanings(self._folder.labels, self._names, chosen)

    @property
    def own_classes(self) -> tuple[str, ...]:
        """The classes that the library does not know yet."""
        return tuple(dict.fromkeys(name for name in self.words.classes.values() if name and name not in self._names))

    def _open_plain(self) -> None:
        self.opens_plain = True
        self.reject()

    def _class_grid(self) -> QtWidgets.QGridLayout:
        """A row for each label: how many images have it, in each source, and what it is called here."""
        grid = QtWidgets.QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        sources = self._folder.sources if 1 < len(self._folder.sources) <= MOST_SOURCES else ()
        titles = [tr("Label"), tr("Images"), *(shortened(source or tr(UNKNOWN_SOURCE)) for source in sources)]
        for column, title in enumerate(titles):
            grid.addWidget(basic.make_note(title), 0, column, _side(column))
        grid.addWidget(basic.make_note(tr("Class here")), 0, len(titles))
        by_source = Counter(
            (label, study.source) for study in self._folder.studies for image in study.images for label in image.labels
        )
        for row, (label, count) in enumerate(self._folder.labels.items(), 1):
            counts = [count, *(by_source[label, source] for source in sources)]
            texts = [shortened(label), *map(number_text, counts)]
            for column, text in enumerate(texts):
                grid.addWidget(PlainLabel(text), row, column, _side(column))
            grid.addWidget(self._choice(label), row, len(texts))
        grid.setColumnStretch(len(titles), 1)
        return grid

    def _choice(self, label: str) -> QtWidgets.QComboBox:
        box = self.choices[label] = inputs.ComboBox()
        own = " ".join(label.split())
        known = meanings([label], self._names).classes[label]
        offered = [(self._vocabulary.of(name).shown_title, name) for name in self._names]
        new = [] if own in self._names else [(tr("New class “{name}”", name=shortened(own)), own)]
        basic.fill_box(box, [*new, *offered, (tr("Leave out"), LEFT_OUT)], known or own)
        box.setAccessibleName(tr("Class of {name}", name=shortened(label)))
        box.currentIndexChanged.connect(lambda _: self._refresh())
        return box

    def _refresh(self) -> None:
        words = self.words
        lines = images_review.remarks(self._folder, words, self.own_classes)
        self.remarks.setText("\n".join(f"•  {line}" for line in lines))
        self.go_on.setEnabled(any(words.of(image) for image in self._folder.images))


def _side(column: int) -> Qt.AlignmentFlag:
    """Numbers stand at the right."""
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
