"""The dialog of an experiment: what is run, on which frames, at which cost."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QPushButton, QWidget

from training.methods.registry import method_title
from wce_desktop.core import needs
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.learning.model import experiments
from wce_desktop.library import Model
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets import basic, dialogs, inputs, plain_text, window_size
from wce_desktop.widgets.theme import COLORS

BACKGROUND = to_translate("It runs in the background, and can be stopped and resumed.")
NOT_TIMED = to_translate("Jobs ({show_jobs}) shows how long it takes once its first part is done.")
NAMES = {"random": to_translate("Random weights"), "imagenet": to_translate("ImageNet weights")}


class ExperimentDialog(window_size.DialogBase):
    """Asks for an experiment."""

    def __init__(
        self,
        models: Sequence[Model],
        expected_time: Callable[[experiments.Choice], tuple[float, float] | None],
        ask_folder: Callable[[QWidget], Path | None],
        parent: QWidget | None = None,
    ) -> None:
        """`ask_folder` gets this dialog."""
        super().__init__(tr("New experiment"), 620, 560, parent)
        self._models, self._expected_time, self._ask_folder = models, expected_time, ask_folder
        self._folder: Path | None = None
        self._every = experiments.every_experiment()
        self.experiment = inputs.ComboBox(tr("Experiment"))
        basic.fill_box(self.experiment, ((each.title, number) for number, each in enumerate(self._every)))
        self.text = basic.make_text(COLORS.muted)
        self.source, self.budget = inputs.ComboBox(tr("Frames of")), inputs.ComboBox(tr("Budget"))
        self.folder = basic.make_button(tr("Choose a folder…"), "", self._choose_folder)
        self.model = inputs.ComboBox(tr("Model"))
        basic.fill_box(self.model, ((model.title, number) for number, model in enumerate(models)))
        self.methods = self._make_methods()
        none = tr("As the budget says")
        self.seeds = inputs.WholeBox(minimum=0, maximum=20, specialValueText=none)
        self.hours = inputs.DecimalBox(minimum=0, maximum=999, decimals=1, specialValueText=none)
        self.seeds.setAccessibleName(tr("Repeats"))
        self.hours.setAccessibleName(tr("At most, in hours"))
        basic.pad(self.seeds)
        basic.pad(self.hours)
        self.classes, self.normal = QLineEdit(), QLineEdit()
        self.classes.setPlaceholderText(tr("All, or names separated by commas"))
        self.normal.setPlaceholderText("normal")
        self.classes.setAccessibleName(tr("Classes"))
        self.normal.setAccessibleName(tr("Label of normal images"))
        self.time = basic.make_text(COLORS.muted)
        self.start = QPushButton(tr("Start"))
        self._arrange()
        self.experiment.currentIndexChanged.connect(self._show_experiment)
        for box in (self.source, self.budget, self.model):
            box.currentIndexChanged.connect(self._describe)
        for number in (self.seeds, self.hours):
            number.valueChanged.connect(self._describe)
        self.methods.itemChanged.connect(self._describe)
        self._show_experiment()

    def _make_methods(self) -> QListWidget:
        """The pretrainings to compare; the networks without one are always beside them."""
        methods = basic.make_list(tr("Pretrainings"))
        for name in experiments.COMPARED:
            item = QListWidgetItem(tr(NAMES.get(name) or method_title(name)))
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setCheckState(
                Qt.CheckState.Checked if name in (*experiments.BESIDE, "time-triplet") else Qt.CheckState.Unchecked
            )
            if name in experiments.BESIDE:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
            methods.addItem(item)
        methods.setMaximumHeight(160)
        return methods

    def _arrange(self) -> None:
        self._form = basic.Form()
        self._form.addRow(tr("Experiment"), self.experiment)
        self._form.addRow("", self.text)
        self._form.addRow(tr("Frames of"), self.source)
        self._form.addRow("", self.folder)
        self._form.addRow(tr("Classes"), self.classes)
        self._form.addRow(tr("Label of normal images"), self.normal)
        self._form.addRow(tr("Model"), self.model)
        self._form.addRow(tr("Pretrainings"), self.methods)
        self._form.addRow(tr("Budget"), self.budget)
        self._form.addRow(tr("Repeats"), self.seeds)
        self._form.addRow(tr("At most, in hours"), self.hours)
        basic.in_column(self._form, 1, self.time, dialogs.accept_buttons(self, self.start), of=self)

    def _choose_folder(self) -> None:
        self._folder = self._ask_folder(self) or self._folder
        self._describe()

    def _show_experiment(self) -> None:
        """Show what can be chosen for an experiment."""
        experiment = self._every[int(self.experiment.currentData())]
        self.text.setText(experiment.text)
        titles = [(tr(experiments.SOURCES[name]), name) for name in experiment.sources]
        basic.fill_box(self.source, titles, self.source.currentData() if self.source.count() == len(titles) else None)
        budget = self.budget.currentData() or "small"
        basic.fill_box(self.budget, ((title, name) for name, title in experiment.budgets.items()), budget)
        for row, is_shown in (
            (self.model, experiment.needs_model),
            (self.methods, experiment.command == "benchmark"),
            (self.budget, experiment.has_budget),
            (self.seeds, experiment.has_seeds),
            (self.hours, experiment.has_hours),
        ):
            self._form.setRowVisible(row, is_shown)
        self._describe()

    @property
    def choice(self) -> experiments.Choice:
        """What is chosen."""
        experiment = self._every[int(self.experiment.currentData())]
        choice = experiments.Choice(experiment, self.source.currentData(), self._folder, self.budget.currentData())
        model = self._models[int(self.model.currentData())] if experiment.needs_model and self._models else None
        rows = (self.methods.item(row) for row in range(self.methods.count()))
        chosen = tuple(
            str(row.data(Qt.ItemDataRole.UserRole)) for row in rows if row.checkState() == Qt.CheckState.Checked
        )
        return replace(
            choice,
            seeds=self.seeds.value() or None,
            hours=self.hours.value() or None,
            methods=chosen if experiment.command == "benchmark" else (),
            model=model,
            classes=tuple(name.strip() for name in self.classes.text().split(",") if name.strip()),
            normal_label=self.normal.text().strip(),
        )

    def _describe(self) -> None:
        """Show the folder, the time, and whether it can be started."""
        choice = self.choice
        is_folder = choice.source == "folder"
        self._form.setRowVisible(self.folder, is_folder)
        self._form.setRowVisible(self.classes, choice.experiment.has_classes and choice.source != "phantom")
        self._form.setRowVisible(self.normal, choice.experiment.has_normal and is_folder)
        self.folder.setText(plain_text.plain(self._folder.name) if self._folder else tr("Choose a folder…"))
        problem = ""
        if is_folder and self._folder is None:
            problem = tr("Choose a folder that an export wrote: manifest.json or images, with labels.csv.")
        elif choice.experiment.needs_model and choice.model is None:
            problem = tr("This library has no model that can be evaluated.")
        self.start.setEnabled(not problem)
        self.time.setText(problem or f"{self._time(choice)} {tr(BACKGROUND)}".strip())

    def _time(self, choice: experiments.Choice) -> str:
        """How long it takes, in a sentence; empty where the reader says it."""
        expected = self._expected_time(choice)
        if expected is not None:
            return needs.time_sentence(*expected)
        return "" if choice.hours and choice.experiment.has_hours else with_keys(tr(NOT_TIMED))
