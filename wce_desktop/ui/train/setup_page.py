"""The first page of the Train window: which studies, what to do with them, every parameter, and what it will take."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QInputDialog,
    QRadioButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from training.errors import UserError
from wce_desktop.app.estimate import Estimate, estimate_finetuning, estimate_pretraining
from wce_desktop.app.presets import METHODS, Preset, PresetStore, Task, methods, settled, task_parameters
from wce_desktop.app.session import Session
from wce_desktop.app.speeds import SpeedBook
from wce_desktop.app.starts import Start, Wish, file_start, starts
from wce_desktop.app.study_choice import StudyRow, describe_choice, judges, study_rows, suggested
from wce_desktop.core.clock import counted
from wce_desktop.core.label import NORMAL
from wce_desktop.ui.job_widgets import make_button, make_text, set_color
from wce_desktop.ui.theme import MUTED, WARNING
from wce_desktop.ui.train.parameter_form import ParameterForm, QuietCombo
from wce_desktop.ui.train.study_table import StudyTable
from wce_desktop.ui.widgets import make_heading

ESTIMATE_MILLISECONDS = 150
PICK_FILE = "A weights file…"
TASK_WORDS: dict[Task, tuple[str, str]] = {
    "pretrain": ("Pretrain: learn from frames without labels", "Start pretraining"),
    "finetune": ("Finetune: learn from labels", "Start finetuning"),
}


class SetupPage(QWidget):
    """Holds a choice; `start_requested` carries it as a `Wish`."""

    start_requested = Signal(object)  # Wish

    def __init__(
        self, session: Session, presets: PresetStore, speeds: SpeedBook, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._presets, self._speeds = session, presets, speeds
        self._starts: list[Start] = []
        self._chosen: dict[Task, frozenset[str]] = {}
        self._blocked = ""
        self.task: Task = "pretrain"
        self._make_left()
        self._make_right()
        self._soon = QTimer(self, singleShot=True, interval=ESTIMATE_MILLISECONDS)
        self._soon.timeout.connect(self.show_estimate)
        columns = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        columns.addWidget(self._left)
        columns.addWidget(self._right)
        columns.setSizes([520, 620])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.addWidget(columns)

    # Making it

    def _make_left(self) -> None:
        self._left = QWidget()
        self.table = StudyTable()
        self.table.choice_changed.connect(self._studies_chosen)
        self._choice = make_text()
        buttons = QHBoxLayout()
        offers = (
            ("Suggested", "The studies that suit what is chosen on the right", self._choose_suggested),
            ("All", "Every study whose video is there", self._choose_all),
            ("None", "No study", lambda: self.table.choose(())),
        )
        for title, tip, step in offers:
            button = make_button(title, tip)
            button.clicked.connect(step)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.judge = QCheckBox("Judge on labelled studies that are not ticked (kNN accuracy)")
        self.judge.setChecked(True)
        self.judge.setToolTip("Never learned from: only asked, now and then, whether equal frames lie together")
        self.judge.toggled.connect(self._choice_made)
        self._judge_words = make_text(MUTED)
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 8, 0)
        column.addWidget(make_heading("STUDIES"))
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
        for widget in (self._choice, self.judge, self._judge_words):
            column.addWidget(widget)

    def _make_right(self) -> None:
        self._right = QWidget()
        column = QVBoxLayout(self._right)
        column.setContentsMargins(8, 0, 0, 0)
        column.addWidget(make_heading("WHAT"))
        self._tasks = QButtonGroup(self)
        self._task_buttons: dict[Task, QRadioButton] = {}
        for task, (title, _) in TASK_WORDS.items():
            button = QRadioButton(title)
            self._task_buttons[task] = button
            self._tasks.addButton(button)
            column.addWidget(button)
            button.toggled.connect(lambda is_on, task=task: self.show_task(task) if is_on else None)
        column.addLayout(self._make_choices())
        column.addWidget(make_heading("PARAMETERS"))
        self.form = ParameterForm()
        self.form.changed.connect(self._choice_made)
        column.addWidget(self.form, 1)
        column.addWidget(make_heading("WHAT IT WILL TAKE"))
        self._estimate = make_text()
        self._problem = make_text(WARNING)
        self._start = make_button("", "Begins at once, or when the job that runs now has ended")
        self._start.setProperty("primary", True)
        self._start.clicked.connect(self._ask_for_start)
        foot = QHBoxLayout()
        foot.addWidget(self._problem, 1)
        foot.addWidget(self._start)
        column.addWidget(self._estimate)
        column.addLayout(foot)

    def _make_choices(self) -> QFormLayout:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.method, self.start_from, self.preset = QuietCombo(), QuietCombo(), QuietCombo()
        named = ((self.method, "Method"), (self.start_from, "Start from"), (self.preset, "Preset"))
        for combo, name in named:
            combo.setAccessibleName(name)
            combo.setMinimumContentsLength(20)
            combo.setSizeAdjustPolicy(QuietCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._words = make_text(MUTED)
        save = make_button("Save as…", "Keep these parameters under a name")
        self._delete = make_button("Delete", "Forget this saved preset")
        row = QHBoxLayout()
        row.addWidget(self.preset, 1)
        row.addWidget(save)
        row.addWidget(self._delete)
        form.addRow("Method", self.method)
        form.addRow("Start from", self.start_from)
        form.addRow("Preset", row)
        form.addRow("", self._words)
        self.method.activated.connect(self._method_chosen)
        self.preset.activated.connect(self._preset_chosen)
        self.start_from.activated.connect(self._start_chosen)
        save.clicked.connect(self._ask_for_name)
        self._delete.clicked.connect(self.delete_preset)
        return form

    # Showing it

    def show_task(self, task: Task, preset: str = "") -> None:
        """Show the choice for pretraining or for finetuning, with what the library holds now."""
        if self.table.rows:
            self._chosen[self.task] = self.table.chosen
        self.task = task
        self._task_buttons[task].blockSignals(True)
        self._task_buttons[task].setChecked(True)
        self._task_buttons[task].blockSignals(False)
        self.method.clear()
        for name in methods(task):
            self.method.addItem(METHODS[task].get(name, (name, ""))[0], name)
        self.form.set_parameters(task_parameters(task))
        self._fill_presets(preset)
        self._fill_starts()
        is_pretraining = task == "pretrain"
        self.judge.setVisible(is_pretraining)
        self._judge_words.setVisible(is_pretraining)
        self.table.setColumnHidden(3, not is_pretraining)
        self._start.setText(TASK_WORDS[task][1])
        self.refresh_studies()
        self._show_preset()

    def refresh_studies(self) -> None:
        """Read the library again; ticks stay."""
        rows = study_rows(self._session)
        known = self._chosen.get(self.task)
        if self.table.rows and known is not None:
            known = self.table.chosen if known == self.table.chosen else known
        self.table.set_rows(rows, suggested(rows, self.task) if known is None else known)

    def _fill_presets(self, chosen: str) -> None:
        self.preset.clear()
        for preset in self._presets.of(self.task):
            self.preset.addItem(preset.title, preset.name)
        self.preset.setCurrentIndex(max(self.preset.findData(chosen), 0))

    def _fill_starts(self) -> None:
        before = self.start
        self._starts = list(starts(self._session, self.task))
        self.start_from.clear()
        for start in self._starts:
            self.start_from.addItem(start.title)
        self.start_from.addItem(PICK_FILE)
        if before in self._starts:
            self.start_from.setCurrentIndex(self._starts.index(before))

    @property
    def start(self) -> Start | None:
        """What is to be started from."""
        row = self.start_from.currentIndex()
        return self._starts[row] if 0 <= row < len(self._starts) else None

    @property
    def chosen_preset(self) -> Preset:
        """The preset that is chosen."""
        return self._presets.find(self.task, str(self.preset.currentData()))

    def _preset_chosen(self) -> None:
        method = self.chosen_preset.method
        if method:
            self.method.setCurrentIndex(max(self.method.findData(method), 0))
        self._show_preset()

    def _method_chosen(self) -> None:
        """Another method brings its own values; what was changed by hand stays changed."""
        try:
            changes = self.form.changes()
        except UserError:
            changes = {}
        self._show_preset(changes)

    def _show_preset(self, changes: dict[str, Any] | None = None) -> None:
        preset, method = self.chosen_preset, str(self.method.currentData())
        self.form.set_values(settled(self.task, method, preset).model_dump(), changes)
        self._delete.setVisible(preset.is_saved)
        sentence = METHODS[self.task].get(method, ("", ""))[1]
        self._words.setText(" ".join(filter(None, [sentence, preset.description])))
        self._choice_made()

    def _start_chosen(self, row: int) -> None:
        if row == len(self._starts):
            path, _ = QFileDialog.getOpenFileName(self, PICK_FILE, "", "Weights (*.safetensors *.pth)")
            if path:
                self.add_start_file(Path(path))
            else:
                self.start_from.setCurrentIndex(0)
        self._choice_made()

    def add_start_file(self, path: Path) -> None:
        """Offer a weights file to start from, and choose it."""
        self._starts.append(file_start(path))
        self.start_from.insertItem(len(self._starts) - 1, self._starts[-1].title)
        self.start_from.setCurrentIndex(len(self._starts) - 1)

    # Choosing studies

    def _choose_suggested(self) -> None:
        self.table.choose(suggested(self.table.rows, self.task))

    def _choose_all(self) -> None:
        self.table.choose({row.study.study_id for row in self.table.rows})

    def _studies_chosen(self) -> None:
        chosen = self.table.chosen
        self._chosen[self.task] = chosen
        self._choice.setText(describe_choice(self.table.rows, chosen))
        judging = judges(self.table.rows, chosen)
        self.judge.setEnabled(bool(judging))
        patients = len({row.study.patient_id for row in judging})
        self._judge_words.setText(
            f"{counted(len(judging), 'study')} of {counted(patients, 'patient')} will judge, and is never learned from."
            if judging
            else "Nobody to judge with: every patient with labels has a study that is ticked."
        )
        self._choice_made()

    # What it will take

    def _choice_made(self) -> None:
        self._soon.start()

    def wish(self) -> Wish:
        """All that is chosen now.

        Raises:
            UserError: a parameter that cannot be used, no studies, or labels that nothing can be learned from.
        """
        chosen, start = self.table.chosen, self.start
        if start is None:
            raise UserError("Choose what to start from.")
        changes, method, preset = self.form.changes(), str(self.method.currentData()), self.chosen_preset
        settled(self.task, method, preset, changes)
        judging = judges(self.table.rows, chosen) if self.task == "pretrain" and self.judge.isChecked() else ()
        judge_ids = frozenset(row.study.study_id for row in judging)
        made = Wish(self.task, chosen, judge_ids, preset, method, changes, start)
        self._check(self._chosen_rows())
        return made

    def _chosen_rows(self) -> list[StudyRow]:
        chosen = self.table.chosen
        return [row for row in self.table.rows if row.study.study_id in chosen]

    def _check(self, rows: list[StudyRow]) -> None:
        if not rows:
            raise UserError("No study is ticked.", "Tick the studies to learn from.")
        if self.task == "pretrain" and not any(row.used_frames for row in rows):
            raise UserError(
                "The ticked studies have no frames of small bowel or colon.", "Check their landmarks (Ctrl+2, Ctrl+3)."
            )
        if self.task == "finetune":
            counts = self._label_counts(rows)
            if not any(name != NORMAL for name in counts):
                raise UserError("Only normal frames are labelled in the ticked studies.", "Label finds with 1 to 9.")
            if NORMAL not in counts and not any(row.study.state == "finished" for row in rows):
                raise UserError("No normal frames are labelled in the ticked studies.", "Label some with 0.")

    def _label_counts(self, rows: list[StudyRow]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for row in rows:
            for label in self._session.library.labels(row.study.study_id) if row.label_count else ():
                counts[label.name] = counts.get(label.name, 0) + len(label.span)
        return counts

    def show_estimate(self) -> None:
        """Reckon what the choice takes, or say why it cannot start."""
        self._soon.stop()
        try:
            estimate = self.estimate()
        except UserError as error:
            self._estimate.setText("–")
            self._problem.setText(str(error))
            self._start.setEnabled(False)
            return
        self._estimate.setText("\n".join(estimate.sentences))
        set_color(self._estimate, WARNING if estimate.is_too_large else "")
        self._problem.setText(self._blocked)
        self._start.setEnabled(not self._blocked)

    def estimate(self) -> Estimate:
        """What the choice takes; `UserError` where it cannot start."""
        wish, rows = self.wish(), self._chosen_rows()
        changes = {**wish.changes, "device": self._session.settings["device"]}
        config: Any = settled(wish.task, wish.method, wish.preset, changes)
        place = self._session.library.folder
        if wish.task == "pretrain":
            return estimate_pretraining(config, rows, self._speeds, place)
        positives = sum(count for name, count in self._label_counts(rows).items() if name != NORMAL)
        return estimate_finetuning(config, rows, positives, self._speeds, place)

    def set_blocked(self, sentence: str) -> None:
        """Say why nothing can start now; empty: it can."""
        if sentence != self._blocked:
            self._blocked = sentence
            self._choice_made()

    def _ask_for_start(self) -> None:
        try:
            self.start_requested.emit(self.wish())
        except UserError as error:
            self.tell_problem(error.message, error.hint)

    def tell_problem(self, message: str, hint: str = "") -> None:
        """Say what went wrong, until something else is chosen."""
        self._problem.setText(f"{message} {hint}".strip())

    def choose_start(self, run_id: str) -> None:
        """Choose a pretraining to start from."""
        for row, start in enumerate(self._starts):
            if start.run_id == run_id:
                self.start_from.setCurrentIndex(row)

    def refresh_starts(self) -> None:
        """Offer what a run that ended has left to start from; the choice stays."""
        self._fill_starts()

    # Presets

    def _ask_for_name(self) -> None:
        name, is_given = QInputDialog.getText(self, "Save as a preset", "Name")
        if is_given:
            self.save_preset(name)

    def save_preset(self, name: str) -> None:
        """Keep the parameters under a name, and choose it."""
        try:
            base, method = self.chosen_preset, str(self.method.currentData())
            changes = {**base.settings, **self.form.changes()}
            settled(self.task, method, base, changes)
            made = self._presets.save(self.task, name, base, method, changes)
        except UserError as error:
            self.tell_problem(error.message, error.hint)
            return
        self._fill_presets(made.name)
        self._show_preset()

    def delete_preset(self) -> None:
        """Forget the saved preset that is chosen; its values stay on screen as changes of what it was built on."""
        preset = self.chosen_preset
        self._presets.delete(self.task, preset.name)
        self._fill_presets(preset.base)
        self._show_preset(dict(preset.settings))
