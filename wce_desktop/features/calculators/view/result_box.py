"""A computed score with its formula and its reference."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from wce_desktop.core.calculators import Result
from wce_desktop.core.language import tr
from wce_desktop.widgets.basic import make_button, make_note, make_text, set_color
from wce_desktop.widgets.theme import TEXT, WARNING


class ResultBox(QWidget):
    """The score, how it was computed, where it was published, and a button that takes it out of the report."""

    cleared = Signal()

    def __init__(self, source: str) -> None:
        super().__init__()
        self.score, self.formula = make_text(), make_note()
        font = self.score.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        font.setBold(True)
        self.score.setFont(font)
        self.clear = make_button(tr("Clear"), tr("Remove this score from the report"))
        self.clear.clicked.connect(self.cleared)
        head = QHBoxLayout()
        head.addWidget(self.score, 1)
        head.addWidget(self.clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.addLayout(head)
        layout.addWidget(self.formula)
        layout.addWidget(make_note(source))

    def show_result(self, result: Result | None, problem: str, empty: str, has_content: bool | None = None) -> None:
        """Show a score; without one the sentence `problem`, else `empty`."""
        if result is not None:
            self.score.setText(f"{tr(result.title)}: {result.value}, {tr(result.meaning)}")
            self.formula.setText(tr(result.formula_text, **result.numbers))
        else:
            self.score.setText(problem or empty)
            self.formula.setText("")
        set_color(self.score, WARNING if problem and result is None else TEXT)
        self.clear.setEnabled(result is not None or bool(problem) or bool(has_content))
