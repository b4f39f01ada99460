"""The settings page, made from the table of settings."""

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from wce_desktop.session.settings import SETTINGS, Setting, Settings
from wce_desktop.widgets.basic import pad
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import MUTED
from wce_desktop.widgets.window_size import fit_to_screen

Editor = QCheckBox | QComboBox | QSpinBox | QDoubleSpinBox | QLineEdit


def make_editor(setting: Setting, value: bool | int | float | str) -> Editor:
    """The widget that fits a setting's type, showing `value`."""
    if isinstance(value, bool):
        box = QCheckBox()
        box.setChecked(value)
        return box
    if setting.choices:
        choice = QComboBox()
        for name in setting.choices:
            choice.addItem(setting.titles.get(name, name), name)
        choice.setCurrentIndex(choice.findData(value))
        return choice
    if isinstance(value, int):
        spin = QSpinBox(minimum=int(setting.minimum or 0), maximum=int(setting.maximum or 10**6))
        spin.setValue(value)
        spin.setSuffix(f" {setting.unit}" if setting.unit else "")
        pad(spin)
        return spin
    if isinstance(value, float):
        number = QDoubleSpinBox(minimum=setting.minimum or 0.0, maximum=setting.maximum or 1.0, singleStep=0.05)
        number.setValue(value)
        number.setSuffix(f" {setting.unit}" if setting.unit else "")
        pad(number)
        return number
    return QLineEdit(value)


def value_of(editor: Editor) -> bool | int | float | str:
    """What the reader put into a widget."""
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QComboBox):
        return str(editor.currentData())
    if isinstance(editor, QSpinBox | QDoubleSpinBox):
        return editor.value()
    return editor.text().strip()


class SettingsDialog(QDialog):
    """One row for each setting with its help below."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._settings = settings
        shown = [setting for setting in SETTINGS if setting.is_in_dialog]
        self.editors = {setting.key: make_editor(setting, settings[setting.key]) for setting in shown}
        page = QWidget()
        form = QFormLayout(page)
        for setting in shown:
            hint = PlainLabel(setting.help)
            hint.setWordWrap(True)
            hint.setStyleSheet(f"color: {MUTED}")
            form.addRow(setting.title, self.editors[setting.key])
            form.addRow("", hint)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(page)
        layout = QVBoxLayout(self)
        layout.addWidget(area)
        layout.addWidget(PlainLabel("“Seen up to” applies at once, other changes to the next study you open."))
        layout.addWidget(buttons)
        fit_to_screen(self, 560, page.sizeHint().height() + 120)

    def accept(self) -> None:
        """Keep what was changed."""
        for key, editor in self.editors.items():
            if value_of(editor) != self._settings[key]:
                self._settings.set(key, value_of(editor))
        super().accept()
