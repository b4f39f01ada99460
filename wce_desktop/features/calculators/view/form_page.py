"""A calculator whose inputs are choices: a list for each, and the score below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from wce_desktop.core.calculators import Calculator, Field, Result
from wce_desktop.features.calculators.view.result_box import ResultBox
from wce_desktop.widgets.basic import make_heading, make_note

FEW_GROUPS = 2
"""So many stand below each other; more of them in two columns."""


class FormPage(QWidget):
    """Fields of one group stand below each other, groups beside each other where there is room."""

    changed = Signal(object)
    """The content of the part that the choices make."""
    cleared = Signal()

    def __init__(self, calculator: Calculator) -> None:
        super().__init__()
        self._calculator = calculator
        self.boxes: dict[str, QComboBox] = {field.key: self._make_box(field) for field in calculator.fields}
        self.divisions = make_note()
        self.result = ResultBox(calculator.source)
        self.result.cleared.connect(self.cleared)
        area = QScrollArea(widgetResizable=True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self._make_form())
        layout = QVBoxLayout(self)
        layout.addWidget(make_note(calculator.about))
        layout.addWidget(self.divisions)
        layout.addWidget(area, 1)
        layout.addWidget(self.result)

    def show_content(self, content: Mapping[str, Any], result: Result | None, problem: str = "") -> None:
        """Show stored inputs and what they come to; empty ones stand for the first choices."""
        for field in self._calculator.fields:
            box = self.boxes[field.key]
            with QSignalBlocker(box):
                box.setCurrentIndex(max(box.findData(content.get(field.key, field.choices[0].name)), 0))
        for field in self._calculator.fields:
            if field.depends_on:
                self.boxes[field.key].setEnabled(self.boxes[field.depends_on].currentIndex() > 0)
        self.result.show_result(result, problem, "Choose what you saw; the score is computed at once.")

    @property
    def content(self) -> dict[str, str]:
        """What is chosen."""
        return {key: str(box.currentData()) for key, box in self.boxes.items()}

    def _make_box(self, field: Field) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"{field.group} {field.title}".strip())
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(18)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page
        for choice in field.choices:
            box.addItem(choice.title, choice.name)
            box.setItemData(box.count() - 1, choice.title, Qt.ItemDataRole.ToolTipRole)
        box.activated.connect(lambda _: self.changed.emit(self.content))
        return box

    def _make_form(self) -> QWidget:
        groups: dict[str, list[Field]] = {}
        for field in self._calculator.fields:
            groups.setdefault(field.group, []).append(field)
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(24)
        columns = 2 if len(groups) > FEW_GROUPS else 1
        for at, (group, fields) in enumerate(groups.items()):
            form = QFormLayout()
            form.setHorizontalSpacing(10)
            form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
            if group:
                form.addRow(make_heading(group.upper()))
            for field in fields:
                form.addRow(field.title, self.boxes[field.key])
            grid.addLayout(form, at // columns, at % columns)
        grid.setRowStretch(len(groups) // columns + 1, 1)
        for column in range(columns):
            grid.setColumnStretch(column, 1)
        return inside
