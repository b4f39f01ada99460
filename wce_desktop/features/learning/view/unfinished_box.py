"""Trainings that were stopped or cut off, each with a button that takes it up again."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from wce_desktop.library.runs.unfinished import Unfinished
from wce_desktop.widgets.basic import make_heading
from wce_desktop.widgets.job_widgets import make_button, make_text, set_color
from wce_desktop.widgets.theme import WARNING

SHOWN = 5


class UnfinishedBox(QWidget):
    """Hidden while there is nothing to go on with."""

    resume_requested = Signal(str)  # run_id

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(make_heading("CAN GO ON"))
        self._rows: list[QWidget] = []
        self.go_on: list[QPushButton] = []
        self._shown: Sequence[Unfinished] = ()
        self.hide()

    @property
    def items(self) -> Sequence[Unfinished]:
        """What is shown."""
        return self._shown

    def set_items(self, items: Sequence[Unfinished]) -> None:
        """Show these, newest first."""
        if items == self._shown:
            return
        self._shown = tuple(items)
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.go_on = []
        self._rows = [self._make_row(item) for item in items[:SHOWN]]
        for row in self._rows:
            self._column.addWidget(row)
        self.setVisible(bool(items))

    def _make_row(self, item: Unfinished) -> QWidget:
        row = QWidget()
        words = make_text()
        words.setText(item.sentence)
        set_color(words, WARNING if item.was_cut_off else "")
        button = make_button("Go on", "Take it up where its last checkpoint left it")
        button.setAccessibleName(f"Go on with {item.run.title}")
        button.clicked.connect(lambda: self.resume_requested.emit(item.run.run_id))
        self.go_on.append(button)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(words, 1)
        layout.addWidget(button)
        return row
