"""Method, start, preset and all parameters of a training; presets can be saved."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.features.learning.model.starts import Start, starts, trains_clips
from wce_desktop.features.learning.view.parameter_form import ParameterForm
from wce_desktop.session.presets import Preset, PresetStore, Task, full_config, methods, task_parameters
from wce_desktop.session.session import Session
from wce_desktop.widgets import dialogs, inputs
from wce_desktop.widgets.basic import Form, fill_box, in_column, in_row, make_button, make_text
from wce_desktop.widgets.theme import COLORS

PICK_FILE = "Weights file…"


class MethodBox(QWidget):
    """The settings of a training; `problem_occurred` reports a preset that could not be saved or deleted."""

    changed = Signal()
    problem_occurred = Signal(object, object)  # message, hint

    def __init__(self, session: Session, presets: PresetStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._presets = session, presets
        self._starts: list[Start] = []
        self._files: list[Start] = []  # chosen by the user since the window was opened
        self._starts_of = ""  # the method, if it has starts of its own
        self._last_start = 0
        self.task: Task = "pretrain"
        self.method, self.start_from, self.preset = map(inputs.ComboBox, (tr("Method"), tr("Start from"), tr("Preset")))
        self.form = ParameterForm()
        self.form.changed.connect(self.changed)
        self._words = make_text(COLORS.muted)
        in_column(self._make_choices(), self._words, (self.form, 1), of=self, margins=0)

    def _make_choices(self) -> Form:
        for combo in (self.method, self.start_from, self.preset):
            combo.setMinimumContentsLength(20)
            combo.setSizeAdjustPolicy(inputs.ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        save = make_button(tr("Save as…"), tr("Save these parameters as a preset"), self._ask_for_name)
        self._delete = make_button(tr("Delete"), tr("Delete this saved preset"), self.delete_preset)
        row = in_row((self.preset, 1), save, self._delete)
        form = Form()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        form.addRow(tr("Method"), self.method)
        form.addRow(tr("Start from"), self.start_from)
        form.addRow(tr("Preset"), row)
        self.method.activated.connect(self._method_chosen)
        self.preset.activated.connect(self._preset_chosen)
        self.start_from.currentIndexChanged.connect(self._note_start)
        self.start_from.activated.connect(self._start_chosen)
        return form

    def show_task(self, task: Task, preset: str = "") -> None:
        """Show the settings of a task."""
        self.task = task
        fill_box(self.method, ((tr(method.title), name) for name, method in methods(task).items()), "")
        self._fill_presets(preset)
        self.start_from.clear()  # each task has its own first choice
        self._show_preset()

    # Current choice

    @property
    def chosen_method(self) -> str:
        """The method's name."""
        return str(self.method.currentData())

    @property
    def chosen_preset(self) -> Preset:
        """The chosen preset."""
        return self._presets.find(self.task, str(self.preset.currentData()))

    @property
    def start(self) -> Start | None:
        """The chosen start."""
        row = self.start_from.currentIndex()
        return self._starts[row] if 0 <= row < len(self._starts) else None

    def config(self, **settings: Any) -> BaseModel:
        """The full config, overridden by `settings`; raises `UserError` naming an invalid parameter."""
        return full_config(self.task, self.chosen_method, self.chosen_preset, {**self.form.changes(), **settings})

    # Choosing

    def choose_preset(self, name: str) -> None:
        """Choose a preset, as a click would."""
        self.preset.setCurrentIndex(self.preset.findData(name))
        self._preset_chosen()

    def choose_start(self, run_id: str) -> bool:
        """Choose a pretraining to start from; False if it does not exist."""
        row = next((row for row, start in enumerate(self._starts) if start.run_id == run_id), None)
        if row is not None:
            self.start_from.setCurrentIndex(row)
        return row is not None

    def add_start_file(self, path: Path) -> None:
        """Add a weights file to the starts and choose it."""
        self._files.append(Start(tr("File: {name}", name=path.name), str(path)))
        self.refresh_starts()
        self.start_from.setCurrentIndex(len(self._starts) - 1)

    def refresh_starts(self) -> None:
        """Update the list of starts; the choice is kept unless the method has other starts."""
        is_of_clips = trains_clips(self.task, self.chosen_method)
        shown_for = self.chosen_method if is_of_clips else ""
        before = self.start if shown_for == self._starts_of else None
        self._starts_of = shown_for
        takes_files = not is_of_clips and self.task != "train-reid"
        files = self._files if takes_files else ()
        self._starts = [*starts(self._session, self.task, self.chosen_method), *files]
        self.start_from.clear()
        titles = [start.title for start in self._starts]
        self.start_from.addItems([*titles, tr(PICK_FILE)] if takes_files else titles)
        if before in self._starts:
            self.start_from.setCurrentIndex(self._starts.index(before))

    def _note_start(self, row: int) -> None:
        """Store the last choice, which is restored if no file is chosen."""
        if 0 <= row < len(self._starts):
            self._last_start = row

    def _start_chosen(self, row: int) -> None:
        if row == len(self._starts):
            files, kinds = dialogs.FileDialogs(self._session.settings), tr("Weights (*.safetensors *.pth)")
            if (path := files.ask_file(self, "models", tr(PICK_FILE), kinds)) is not None:
                self.add_start_file(path)
            else:
                self.start_from.setCurrentIndex(self._last_start)
        self._method_chosen()

    def _preset_chosen(self) -> None:
        if method := self.chosen_preset.method:
            self.method.setCurrentIndex(max(self.method.findData(method), 0))
        self._show_preset()

    def _method_chosen(self) -> None:
        """Show the parameters of the new method; changed values that it has, too, are kept."""
        try:
            changes = self.form.changes()
        except UserError:
            changes = {}
        self._show_preset(changes)

    def _fill_presets(self, chosen: str) -> None:
        presets = self._presets.of(self.task)
        fill_box(self.preset, ((row.title if row.is_saved else tr(row.title), row.name) for row in presets), chosen)

    def _show_preset(self, changes: Mapping[str, Any] | None = None) -> None:
        self.refresh_starts()
        preset, shown = self.chosen_preset, task_parameters(self.task, self.chosen_method)
        if shown != self.form.parameters:
            self.form.set_parameters(shown)
        # A fine-tuning's defaults depend on its start.
        start = {"init": self.start.init} if self.start is not None and self.task == "finetune" else {}
        self.form.set_values(full_config(self.task, self.chosen_method, preset, start).model_dump(), changes)
        self._delete.setVisible(preset.is_saved)
        method = methods(self.task)[self.chosen_method]
        description = self._saved_words(preset) if preset.is_saved else tr(method.preset_sentences.get(preset.name, ""))
        self._words.setText(" ".join(filter(None, [tr(method.sentence), description or tr(preset.description)])))
        self.changed.emit()

    def _saved_words(self, preset: Preset) -> str:
        titles = {known.name: known.title for known in self._presets.of(self.task) if not known.is_saved}
        return tr("Saved by you; based on {base}.", base=tr(titles.get(preset.base, preset.base)))

    # Saving

    def _ask_for_name(self) -> None:
        name = dialogs.ask_text(self, tr("Save as a preset"), tr("Name"), tr("Save"))
        if name is not None:
            self.save_preset(name)

    def save_preset(self, name: str) -> None:
        """Save the parameters as a preset and choose it."""
        try:
            self.config()
            base, method = self.chosen_preset, self.chosen_method
            result = self._presets.save(self.task, name, base, method, {**base.settings, **self.form.changes()})
        except UserError as error:
            self.problem_occurred.emit(error.message, error.hint)
            return
        self._fill_presets(result.name)
        self._show_preset()

    def delete_preset(self) -> None:
        """Delete the chosen preset; its values stay on screen as changes to its base preset."""
        preset = self.chosen_preset
        try:
            self._presets.delete(self.task, preset.name)
        except UserError as error:
            self.problem_occurred.emit(error.message, error.hint)
            return
        self._fill_presets(preset.base)
        self._show_preset(preset.settings)
