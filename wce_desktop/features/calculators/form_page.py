"""A calculator whose inputs are choices, a list for each; and the box with the score, its formula and its reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton, QWidget

from wce_desktop.core.calculators import Calculator, Field, Result
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.widgets import basic, inputs, window_size
from wce_desktop.widgets.theme import COLORS


class ResultBox(QWidget):
    """The score, how it was computed, where it was published, and a button that takes it out of the report."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.score, self.formula = basic.make_text(), basic.make_note()
        font = self.score.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        font.setBold(True)
        self.score.setFont(font)
        self.notes = basic.make_text(COLORS.warning)
        self.clear = basic.make_button(tr("Clear"), tr("Remove this score from the report"))
        basic.in_column(
            basic.in_row((self.score, 1), self.clear),
            self.notes,
            self.formula,
            basic.make_note(source),
            of=self,
            margins=(0, 6, 0, 0),
        )

    def show_notes(self, notes: Sequence[str]) -> None:
        """Show what must be known beside the score."""
        basic.show_text(self.notes, " ".join(notes))

    def show_result(self, result: Result | None, problem: str, empty: str, has_content: bool | None = None) -> None:
        """Show a score; without one the sentence `problem`, else `empty`."""
        if result is not None:
            meaning = tr(result.meaning, **result.numbers)
            between = " " if "; " in meaning else ", "  # of “of 36; mild inflammation” and of “normal”
            self.score.setText(f"{tr(result.title)}: {result.value}{between}{meaning}")
            self.formula.setText(tr(result.formula_text, **result.numbers))
        else:
            self.score.setText(problem or empty)
            self.formula.setText("")
        basic.set_color(self.score, COLORS.warning if problem and result is None else COLORS.text)
        self.clear.setEnabled(result is not None or bool(problem) or bool(has_content))


NOT_ENTERED = to_translate("Not entered")
NOT_ASKED = "–"
EMPTY = to_translate("Choose what you saw, also where it is normal; the score is computed once everything is entered.")
NAMED = 3
"""Of the fields that are missing so many are named."""
FEW_GROUPS = 2
"""So many stand below each other; more of them in two columns."""


class FormPage(QWidget):
    """Fields of one group stand below each other, groups beside each other where there is room."""

    changed = Signal(object)
    """The content of the part that the choices make."""
    confirmed = Signal(object)
    """The same, with what the findings say; the reader confirms that it agrees with findings and landmarks."""

    def __init__(self, calculator: Calculator) -> None:
        super().__init__()
        self._calculator = calculator
        self.boxes: dict[str, QComboBox] = {field.key: self._make_box(field) for field in calculator.fields}
        self.nothing: dict[str, QPushButton] = {}
        """Group -> the button that answers all its fields with "normal" and "none"."""
        self.divisions = basic.make_note()
        self.proposed: Mapping[str, str] = {}
        """Answers that the findings give and nobody has confirmed."""
        self.confirm = basic.make_button(
            tr("Confirm"),
            tr("Enter what the findings say where nothing is entered, and keep your answers"),
            self.confirm_proposed,
        )
        self._from_findings = basic.make_note()
        self.result = ResultBox(calculator.source)
        area = window_size.make_scrolling(self._make_form())
        offer = basic.in_row((self._from_findings, 1), self.confirm)  # below: nothing moves when it comes and goes
        basic.in_column(basic.make_note(tr(calculator.about)), self.divisions, (area, 1), offer, self.result, of=self)

    def show_content(
        self,
        content: Mapping[str, Any],
        result: Result | None,
        problem: str = "",
        proposed: Mapping[str, str] = MappingProxyType({}),
        disagrees: bool = False,
    ) -> None:
        """Show stored inputs and what they come to, what the findings say beside them, and that both disagree."""
        asked = self._calculator.asked(content)
        asked_or_proposed = self._calculator.asked({**proposed, **content})
        keys = {field.key for field in asked_or_proposed} - content.keys()
        self.proposed = {key: answer for key, answer in proposed.items() if key in keys}
        many = tr_count(
            "{count} answer follows from the findings, marked with “?”.",
            "{count} answers follow from the findings, marked with “?”.",
            len(self.proposed),
        )
        again = tr("Change the answers, or confirm that they stay.") if disagrees else ""
        basic.show_text(self._from_findings, " ".join(filter(None, (again, many if self.proposed else ""))))
        self.confirm.setVisible(bool(self.proposed) or disagrees)
        for field in self._calculator.fields:
            box = self.boxes[field.key]
            with QSignalBlocker(box):
                box.setCurrentIndex(max(box.findData(content.get(field.key, "")), 0))
            box.setEnabled(field in asked)
            box.setItemText(0, tr(NOT_ENTERED) if field in asked else NOT_ASKED)
            if (choice := field.chosen(self.proposed)) is not None:
                box.setItemText(0, tr("Findings: {answer}?", answer=tr(choice.title)))
        missing, empty = self._calculator.missing(content) if content else (), tr(EMPTY)
        if missing:  # of many some are named
            names = (": ".join(filter(None, (tr(field.group), tr(field.title)))) for field in missing[:NAMED])
            fields, more = "; ".join(names), len(missing) - NAMED
            empty = tr("Not entered yet: {fields}.", fields=fields)
            if more > 0:
                empty = tr("Not entered yet: {fields} and {more} more.", fields=fields, more=more)
        self.result.show_result(result, problem, empty, has_content=bool(content))

    @property
    def content(self) -> dict[str, str]:
        """What is chosen; without what is not entered."""
        return {key: str(box.currentData()) for key, box in self.boxes.items() if box.currentData()}

    def confirm_proposed(self) -> None:
        """Enter what the findings say where nothing is entered, and keep the rest."""
        self.confirmed.emit({**self.content, **self.proposed})

    def enter_nothing(self, group: str) -> None:
        """Answer the questions of a group with what is normal."""
        for field in self._calculator.fields:
            if field.group == group and not field.depends_on:
                self.boxes[field.key].setCurrentIndex(1)
        self.changed.emit(self.content)

    def _make_box(self, field: Field) -> QComboBox:
        box = inputs.ComboBox(f"{tr(field.group)} {tr(field.title)}".strip())
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(18)
        box.addItem(tr(NOT_ENTERED), "")
        for choice in field.choices:
            box.addItem(tr(choice.title), choice.name)
            box.setItemData(box.count() - 1, tr(choice.title), Qt.ItemDataRole.ToolTipRole)
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
            form = basic.Form()
            form.setHorizontalSpacing(10)
            form.setVerticalSpacing(4)
            if group:
                form.addRow(self._make_head(group))
            for field in fields:
                form.addRow(tr(field.title), self.boxes[field.key])
            grid.addLayout(form, at // columns, at % columns)
        grid.setRowStretch(len(groups) // columns + 1, 1)
        for column in range(columns):
            grid.setColumnStretch(column, 1)
        return inside

    def _make_head(self, group: str) -> QWidget:
        """The name of a group, and a button for "nothing seen" where that is an answer."""
        row = basic.in_row((basic.make_heading(tr(group)), 1), margins=(0, 4, 0, 0))
        if self._calculator.has_nothing:
            tip = tr("Enter what is normal for “{group}”: nothing was seen there", group=tr(group))
            button = basic.make_button(tr("Nothing seen"), tip, lambda: self.enter_nothing(group))
            button.setAccessibleName(tr("Nothing seen: {group}", group=tr(group)))
            button.setStyleSheet("QPushButton { padding: 2px 8px; }")
            self.nothing[group] = button
            row.addWidget(button)
        return basic.as_widget(row)
