"""The classes that can be explained, each with its score of the frame on screen."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QRadioButton, QWidget

from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.features.explain.view.score_bar import ScoreBar


class ClassRows(QWidget):
    """One row for each class: choose which one the overlay explains, and see its score."""

    chosen = Signal(str)

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._group = QButtonGroup(self)
        self.bars: dict[str, ScoreBar] = {}
        self.buttons: dict[str, QRadioButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def rebuild(self, names: Sequence[str]) -> None:
        """Make one row for each of these classes."""
        for name, bar in self.bars.items():
            self._group.removeButton(self.buttons[name])
            self.buttons[name].deleteLater()
            bar.deleteLater()
        self.bars, self.buttons = {}, {}
        for row, name in enumerate(names):
            self._add(row, name)

    def _add(self, row: int, name: str) -> None:
        known = self._vocabulary.of(name)
        button = QRadioButton(known.title)
        button.toggled.connect(lambda is_on: self.chosen.emit(name) if is_on else None)
        self._group.addButton(button)
        bar = ScoreBar(known.color, known.shape)
        bar.setAccessibleName(f"Score for {known.title}")
        self._grid.addWidget(button, row, 0)
        self._grid.addWidget(bar, row, 1)
        self.buttons[name], self.bars[name] = button, bar

    def choose(self, name: str | None) -> None:
        """Show which class the overlay explains."""
        if name in self.buttons:
            with QSignalBlocker(self.buttons[name]):
                self.buttons[name].setChecked(True)
