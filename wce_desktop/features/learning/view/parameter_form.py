"""A form with all parameters of a training, marking those that differ from the preset."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QScrollArea, QWidget

from wce_desktop.core.language import tr
from wce_desktop.session.parameters import NEEDS, Parameter
from wce_desktop.widgets import basic, inputs, plain_text
from wce_desktop.widgets.theme import COLORS

EDITOR_PX = 144
Editor = QCheckBox | QComboBox | QLineEdit


class ParameterForm(QScrollArea):
    """Shows the preset's values and returns the changes to them; the config checks what was typed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName(tr("Parameters"))
        self.parameters: tuple[Parameter, ...] = ()
        self._base: Mapping[str, Any] = {}
        self._is_setting = False
        self.editors: dict[str, Editor] = {}
        self._titles: dict[str, plain_text.PlainLabel] = {}
        self._notes: dict[str, plain_text.PlainLabel] = {}

    def set_parameters(self, parameters: Sequence[Parameter]) -> None:
        """Replace the rows by one for each parameter."""
        self.parameters = tuple(parameters)
        self.editors, self._titles, self._notes = {}, {}, {}
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 8, 8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(2, 1)
        group = ""
        for parameter in self.parameters:
            if parameter.group != group:
                group = parameter.group
                heading = basic.make_heading(tr(group))
                heading.setContentsMargins(0, 8, 0, 0)
                grid.addWidget(heading, grid.rowCount(), 0, 1, 3)
            self._add_row(grid, parameter)
        grid.setRowStretch(grid.rowCount(), 1)
        self.setWidget(page)

    def _add_row(self, grid: QGridLayout, parameter: Parameter) -> None:
        row = grid.rowCount()
        title, note = plain_text.PlainLabel(tr(parameter.title)), plain_text.PlainLabel()
        title.setWordWrap(True)
        basic.set_color(note, COLORS.muted)
        editor = self._make_editor(parameter)
        allowed = tr("Allowed: {values}.", values=parameter.allowed) if parameter.allowed else ""
        tip = " ".join(filter(None, [tr(parameter.help), allowed]))
        for widget in (title, editor, note):
            widget.setToolTip(plain_text.plain(tip))
        title.setBuddy(editor)
        editor.setAccessibleName(tr(parameter.title))
        editor.setAccessibleDescription(tip)
        for column, widget in enumerate((title, editor, note)):
            grid.addWidget(widget, row, column)
        self.editors[parameter.name], self._titles[parameter.name], self._notes[parameter.name] = editor, title, note

    def _make_editor(self, parameter: Parameter) -> Editor:
        if parameter.kind == "switch":
            box = QCheckBox()
            box.toggled.connect(self._edited)
            return box
        if parameter.kind == "choice":
            choice = inputs.ComboBox()
            for value in parameter.choices:
                choice.addItem(tr(parameter.words_of(value)), value)
            choice.currentIndexChanged.connect(self._edited)
            if parameter.is_open:
                choice.setEditable(True)
                choice.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
                choice.editTextChanged.connect(self._edited)
            choice.setFixedWidth(EDITOR_PX)
            return choice
        line = QLineEdit()
        line.setPlaceholderText(tr("automatic") if parameter.is_optional else "")
        line.setFixedWidth(EDITOR_PX)
        line.textChanged.connect(self._edited)
        return line

    def set_values(self, base: Mapping[str, Any], changes: Mapping[str, Any] | None = None) -> None:
        """Show the values of `base`, overridden by `changes`."""
        self._base = dict(base)
        self._is_setting = True
        for parameter in self.parameters:
            value = (changes or {}).get(parameter.name, self._base.get(parameter.name, parameter.default))
            _show(self.editors[parameter.name], parameter, value)
        self._is_setting = False
        self._mark()

    def changes(self) -> dict[str, Any]:
        """The values that differ from the base.

        Raises:
            UserError: a text that is not a number where one is required.
        """
        result = {}
        for parameter in self.parameters:
            value = _read(self.editors[parameter.name], parameter)
            base = self._base.get(parameter.name, parameter.default)
            if parameter.text_of(value) != parameter.text_of(base):
                result[parameter.name] = value
        return result

    def parameter(self, name: str) -> Parameter:
        """The parameter of a row; KeyError when there is none."""
        return {parameter.name: parameter for parameter in self.parameters}[name]

    def set_value(self, name: str, value: Any) -> None:
        """Set the value of a row, as typing it would."""
        _show(self.editors[name], self.parameter(name), value)

    def _edited(self) -> None:
        if not self._is_setting:
            self._mark()
            self.changed.emit()

    def _show_used(self) -> None:
        """Hide the rows that mean nothing with what is chosen in others, such as the momentum without SGD."""
        for name, (other, values) in NEEDS.items():
            if name in self.editors and other in self.editors:
                is_used = _text(self.editors[other]) in values
                for widget in (self._titles[name], self.editors[name], self._notes[name]):
                    widget.setVisible(is_used)

    def _mark(self) -> None:
        """Mark the rows that differ from the preset, by colour and with the preset's value; hide what is not used."""
        self._show_used()
        for parameter in self.parameters:
            base = self._base.get(parameter.name, parameter.default)
            differs = _text(self.editors[parameter.name]) != parameter.text_of(base)
            basic.set_color(self._titles[parameter.name], COLORS.accent if differs else "")
            note = parameter.allowed if parameter.kind != "choice" else ""
            if differs:
                note = tr("preset: {value}", value=tr(parameter.words_of(base)))
            self._notes[parameter.name].setText(note)


def _show(editor: Editor, parameter: Parameter, value: Any) -> None:
    if isinstance(editor, QCheckBox):
        editor.setChecked(bool(value))
    elif isinstance(editor, QComboBox):
        editor.setCurrentIndex(editor.findData(str(value)))
        if editor.isEditable() and editor.currentIndex() < 0:
            editor.setEditText(str(value))
    else:
        editor.setText(parameter.text_of(value))


def _text(editor: Editor) -> str:
    if isinstance(editor, QCheckBox):
        return str(editor.isChecked())
    if isinstance(editor, QComboBox):
        typed = editor.findText(editor.currentText()) < 0
        return editor.currentText().strip() if editor.isEditable() and typed else str(editor.currentData())
    return editor.text().strip()


def _read(editor: Editor, parameter: Parameter) -> Any:
    return editor.isChecked() if isinstance(editor, QCheckBox) else parameter.parse(_text(editor))
