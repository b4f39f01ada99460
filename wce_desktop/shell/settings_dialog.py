"""The settings: a page made from the table of settings, and the page of keys."""

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from wce_desktop.core.language import tr
from wce_desktop.session.actions import Action
from wce_desktop.session.keys import checked
from wce_desktop.session.settings import SETTINGS, Setting, Settings
from wce_desktop.shell.keys_page import KeysPage
from wce_desktop.widgets.basic import make_note, pad, stacked
from wce_desktop.widgets.inputs import ComboBox, DecimalBox, TabWidget, WholeBox
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.window_size import fit_to_screen, make_scrolling

Editor = QCheckBox | QComboBox | WholeBox | DecimalBox | QLineEdit


def make_editor(setting: Setting, value: bool | int | float | str) -> Editor:
    """The widget that fits a setting's type, showing `value`."""
    if isinstance(value, bool):
        box = QCheckBox()
        box.setChecked(value)
        return box
    if setting.choices:
        choice = ComboBox()
        for name in setting.choices:
            choice.addItem(tr(setting.titles.get(name, name)), name)
        choice.setCurrentIndex(choice.findData(value))
        return choice
    if isinstance(value, str):
        return QLineEdit(value)
    number: WholeBox | DecimalBox
    if isinstance(value, int):
        number = WholeBox(minimum=int(setting.minimum or 0), maximum=int(setting.maximum or 10**6), value=value)
    else:
        number = DecimalBox(
            minimum=setting.minimum or 0.0, maximum=setting.maximum or 1.0, singleStep=0.05, value=value
        )
    number.setSuffix(f" {tr(setting.unit)}" if setting.unit else "")
    pad(number)
    return number


def value_of(editor: Editor) -> bool | int | float | str:
    """What the reader put into a widget."""
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QComboBox):
        return str(editor.currentData())
    if isinstance(editor, WholeBox | DecimalBox):
        return editor.value()
    return editor.text().strip()


class SettingsDialog(QDialog):
    """One row for each setting with its help below, and a page with the keys of all actions."""

    def __init__(
        self, settings: Settings, rows: Sequence[Action], titles: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        """`rows` have the keys as they come with the program; `titles` names actions by their ids."""
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self._settings = settings
        shown = [setting for setting in SETTINGS if setting.is_in_dialog]
        self.editors = {setting.key: make_editor(setting, settings[setting.key]) for setting in shown}
        page = QWidget()
        form = QFormLayout(page)
        for setting in shown:
            self.editors[setting.key].setAccessibleName(tr(setting.title))
            self.editors[setting.key].setAccessibleDescription(tr(setting.help))
            form.addRow(tr(setting.title), self.editors[setting.key])
            form.addRow("", make_note(tr(setting.help)))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.keys = KeysPage(rows, checked(settings.keys, rows), titles)
        self.tabs = TabWidget()
        self.tabs.setAccessibleName(tr("Pages of the settings"))
        when = PlainLabel(
            tr(
                "Theme, keys and “Seen up to” change when you save, language and text size when the program starts "
                "again, the rest with the next study you open."
            )
        )
        when.setWordWrap(True)
        self.tabs.addTab(stacked((make_scrolling(page), 1), (when, 0)), tr("General"))
        self.tabs.addTab(self.keys, tr("Keys"))
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs)
        layout.addWidget(buttons)
        fit_to_screen(self, 620, page.sizeHint().height() + 120)

    def accept(self) -> None:
        """Keep what was changed."""
        for key, editor in self.editors.items():
            if value_of(editor) != self._settings[key]:
                self._settings.set(key, value_of(editor))
        if self.keys.chosen != self._settings.keys:
            self._settings.set_keys(self.keys.chosen)
        super().accept()
