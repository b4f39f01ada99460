"""The settings: a page made from the table of settings, and the page of keys."""

from collections.abc import Mapping, Sequence

from PySide6 import QtWidgets

from wce_desktop.core.language import tr
from wce_desktop.session.actions import Action
from wce_desktop.session.keys import checked
from wce_desktop.session.settings import SETTINGS, Setting, Settings
from wce_desktop.shell.keys_page import KeysPage
from wce_desktop.widgets import basic, inputs, window_size
from wce_desktop.widgets.plain_text import PlainLabel

Editor = QtWidgets.QCheckBox | QtWidgets.QComboBox | inputs.WholeBox | inputs.DecimalBox | QtWidgets.QLineEdit


def make_editor(setting: Setting, value: bool | int | float | str) -> Editor:
    """The widget that fits a setting's type, showing `value`."""
    if isinstance(value, bool):
        box = QtWidgets.QCheckBox()
        box.setChecked(value)
        return box
    if setting.titles:
        choice = inputs.ComboBox()
        basic.fill_box(choice, ((tr(title), name) for name, title in setting.titles.items()), value)
        return choice
    if isinstance(value, str):
        return QtWidgets.QLineEdit(value)
    number: inputs.WholeBox | inputs.DecimalBox
    if isinstance(value, int):
        number = inputs.WholeBox(minimum=int(setting.minimum or 0), maximum=int(setting.maximum or 10**6), value=value)
    else:
        number = inputs.DecimalBox(
            minimum=setting.minimum or 0.0, maximum=setting.maximum or 1.0, singleStep=0.05, value=value
        )
    number.setSuffix(f" {tr(setting.unit)}" if setting.unit else "")
    basic.pad(number)
    return number


def value_of(editor: Editor) -> bool | int | float | str:
    """What the reader put into a widget."""
    if isinstance(editor, QtWidgets.QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QtWidgets.QComboBox):
        return str(editor.currentData())
    if isinstance(editor, inputs.WholeBox | inputs.DecimalBox):
        return editor.value()
    return editor.text().strip()


class SettingsDialog(QtWidgets.QDialog):
    """One row for each setting with its help below, and a page with the keys of all actions."""

    def __init__(
        self,
        settings: Settings,
        rows: Sequence[Action],
        titles: Mapping[str, str],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        """`rows` have the keys as they come with the program; `titles` names actions by their ids."""
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self._settings = settings
        shown = [setting for setting in SETTINGS if setting.is_in_dialog]
        self.editors = {setting.key: make_editor(setting, settings[setting.key]) for setting in shown}
        page = QtWidgets.QWidget()
        form = basic.Form(page)
        for setting in shown:
            self.editors[setting.key].setAccessibleName(tr(setting.title))
            self.editors[setting.key].setAccessibleDescription(tr(setting.help))
            note = basic.make_note(tr(setting.help))
            form.addRow(tr(setting.title), basic.in_column(self.editors[setting.key], note, margins=0, spacing=4))
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.StandardButton.Save | QtWidgets.QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.keys = KeysPage(rows, checked(settings.keys, rows), titles)
        self.tabs = inputs.TabWidget()
        self.tabs.setAccessibleName(tr("Pages of the settings"))
        when = PlainLabel(
            tr(
                "Theme, keys, “Seen up to” and “Reading protocol” change when you save, language and text size when "
                "the program starts again, the rest with the next study you open."
            )
        )
        when.setWordWrap(True)
        general = basic.in_column((window_size.make_scrolling(page), 1), when, margins=0, spacing=8)
        self.tabs.addTab(basic.as_widget(general), tr("General"))
        self.tabs.addTab(self.keys, tr("Keys"))
        basic.in_column(self.tabs, buttons, of=self)
        window_size.fit_to_screen(self, 720, page.sizeHint().height() + 120)

    def accept(self) -> None:
        """Keep what was changed."""
        for key, editor in self.editors.items():
            if value_of(editor) != self._settings[key]:
                self._settings.set(key, value_of(editor))
        if self.keys.chosen != self._settings.keys:
            self._settings.set_keys(self.keys.chosen)
        super().accept()
