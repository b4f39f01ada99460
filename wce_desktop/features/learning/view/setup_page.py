"""The first page of the Train window: studies, task, settings and the estimate."""

from typing import cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QRadioButton, QSplitter, QWidget

from training.errors import UserError
from training.finetuning.config import FinetuneConfig
from training.pretraining.config import PretrainConfig
from training.reidentification.run_settings import ReidConfig
from training.texts import join_texts
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.features.learning.model.estimate import (
    Estimate,
    LabelledCount,
    estimate_finetuning,
    estimate_pretraining,
)
from wce_desktop.features.learning.model.library_estimates import count_labelled, estimate_reid
from wce_desktop.features.learning.model.starts import TrainingRequest, own_network
from wce_desktop.features.learning.view import finetune_window, method_box
from wce_desktop.session import study_choice
from wce_desktop.session.demo import DemoLabels, demo_labels
from wce_desktop.session.presets import PresetStore, Task
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import button_row, in_column, in_row, make_button, make_heading, make_text, set_color
from wce_desktop.widgets.study_table import StudyTable
from wce_desktop.widgets.theme import COLORS

USED_COLUMN = 3


class StudyBox(QWidget):
    """The table of studies; the choice is kept for each task."""

    changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task: Task = "pretrain"
        self._kept: dict[Task, frozenset[str]] = {}
        self._demo = DemoLabels()
        self.table = StudyTable()
        self.table.choice_changed.connect(self._studies_chosen)
        self._choice = make_text()
        self.evaluate = QCheckBox(tr("Evaluate on labelled studies that are not ticked (kNN accuracy)"))
        self.evaluate.setChecked(True)
        self.evaluate.setToolTip(tr("Measure kNN accuracy on these studies during training; they are not trained on"))
        self.evaluate.toggled.connect(self.changed)
        self._evaluation_text = make_text(COLORS.muted)
        self.demo = QCheckBox(tr(finetune_window.DEMO_WORDS))
        self.demo.setToolTip(tr("Tick or untick the demo study in the table"))
        self.demo.clicked.connect(self._choose_demo)
        buttons = button_row(
            (tr("Choose suggested"), tr("The studies that suit the chosen task"), self.choose_suggested),
            (tr("Choose all"), tr("Every study whose video is available"), self.table.choose_all),
            (tr("Choose none"), tr("No study"), lambda: self.table.choose(())),
        )
        below = self._choice, self.demo, self.evaluate, self._evaluation_text
        in_column(make_heading(tr("STUDIES")), (self.table, 1), buttons, *below, of=self, margins=(0, 0, 8, 0))

    def show_task(self, task: Task) -> None:
        """Show the library's studies for a task; ticks are kept, initially the suggested studies are ticked."""
        self._task = task
        is_pretraining, is_finetuning = task == "pretrain", task == "finetune"
        self.evaluate.setVisible(is_pretraining)
        self._evaluation_text.setVisible(is_pretraining)
        self.table.setColumnHidden(USED_COLUMN, not is_pretraining)
        rows, demo = study_choice.study_rows(self._session), demo_labels(self._session)
        if self._demo.are_only and not demo.are_only:
            self._kept.pop("finetune", None)  # the first labels of other studies take the place of the demo's
        self._demo = demo
        self.demo.setVisible(is_finetuning and bool(self._demo.study_ids))
        self.table.set_rows(rows, self._kept.get(task) or study_choice.suggested(rows, task, self._demo.left_out))

    @property
    def chosen_rows(self) -> list[study_choice.StudyRow]:
        """The studies to train on."""
        chosen = self.table.chosen
        return [row for row in self.table.rows if row.study.study_id in chosen]

    @property
    def evaluation_ids(self) -> frozenset[str]:
        """The ids of the studies to evaluate on; empty if there are none or evaluation is off."""
        if self._task != "pretrain" or not self.evaluate.isChecked():
            return frozenset()
        return frozenset(
            row.study.study_id for row in study_choice.evaluation_studies(self.table.rows, self.table.chosen)
        )

    def choose_suggested(self) -> None:
        """Tick the studies suggested for the task."""
        self.table.choose(study_choice.suggested(self.table.rows, self._task, self._demo.left_out))

    def _choose_demo(self, is_used: bool) -> None:
        demo = self._demo.study_ids
        self.table.choose(self.table.chosen | demo if is_used else self.table.chosen - demo)

    def _studies_chosen(self) -> None:
        chosen = self.table.chosen
        self.demo.setChecked(bool(self._demo.study_ids & chosen))
        self._kept[self._task] = chosen
        self._choice.setText(study_choice.describe_choice(self.table.rows, chosen))
        rows = study_choice.evaluation_studies(self.table.rows, chosen)
        self.evaluate.setEnabled(bool(rows))
        text = tr(
            "Evaluated on {studies} of {patients}, which are not trained on.",
            studies=counted(len(rows), "study"),
            patients=counted(len({row.study.patient_id for row in rows}), "patient"),
        )
        text = f"{text} {study_choice.patients_note_on([*rows, *self.chosen_rows])}"
        self._evaluation_text.setText(study_choice.why_no_evaluation(self.table.rows, chosen) or text.strip())
        self.changed.emit()


ESTIMATE_MILLISECONDS = 150
TASK_WORDS: dict[Task, tuple[str, str]] = {
    "pretrain": (to_translate("Pretrain on frames without labels"), to_translate("Start pretraining")),
    "finetune": (to_translate("Fine-tune on labelled frames"), to_translate("Start fine-tuning")),
    "train-reid": (
        to_translate("Learn which flags show the same finding (re-identification)"),
        to_translate("Start training"),
    ),
}


class SetupPage(QWidget):
    """The settings of a training; `start_requested` carries them as a `TrainingRequest`."""

    start_requested = Signal(object)  # TrainingRequest
    count_requested = Signal(object)  # function of a reporter that counts frames, for `show_count`; None: no longer

    def __init__(self, session: Session, presets: PresetStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._blocked = ""
        self._count: LabelledCount | None = None
        self.task: Task = "pretrain"
        self.studies = StudyBox(session)
        self.how = method_box.MethodBox(session, presets)
        self._soon = QTimer(self, singleShot=True, interval=ESTIMATE_MILLISECONDS)
        self._soon.timeout.connect(self.show_estimate)
        self.studies.changed.connect(self._soon.start)
        self.how.changed.connect(self._soon.start)
        self.how.problem_occurred.connect(self.show_problem)
        columns = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        columns.addWidget(self.studies)
        columns.addWidget(self._make_right())
        columns.setSizes([612, 540])
        in_column(columns, of=self, margins=(12, 10, 12, 10))

    def _make_right(self) -> QWidget:
        right = QWidget()
        column = in_column(make_heading(tr("TASK")), of=right, margins=(8, 0, 0, 0))
        self._group = QButtonGroup(self)
        self.tasks: dict[Task, QRadioButton] = {}
        for task, (title, _) in TASK_WORDS.items():
            self.tasks[task] = QRadioButton(tr(title))
            self.tasks[task].clicked.connect(lambda _, task=task: self.show_task(task))
            self._group.addButton(self.tasks[task])
            column.addWidget(self.tasks[task])
        column.addWidget(self.how, 1)
        column.addWidget(make_heading(tr("ESTIMATE")))
        self.cost, self.problem = make_text(), make_text(COLORS.warning)
        tip = tr("Starts now, or when the running job has ended (Ctrl+Enter)")
        self.start_button = make_button("", tip, self._ask_for_start, is_primary=True)
        tip = tr("Take all sequences of a batch from the same study")
        set_value = self.how.form.set_value
        self.resample = make_button(tr("From one study"), tip, lambda: set_value("sequence_source", "resample"))
        self.resample.hide()
        column.addWidget(self.cost)
        column.addLayout(in_row((self.problem, 1), self.resample, self.start_button))
        return right

    def show_task(self, task: Task, preset: str = "") -> None:
        """Show the settings of a task."""
        self.task = task
        self.tasks[task].setChecked(True)
        self.start_button.setText(tr(TASK_WORDS[task][1]))
        self.start_button.setShortcut("Ctrl+Return")  # setting the text removes the shortcut
        self.how.show_task(task, preset)
        self.studies.show_task(task)

    def refresh(self) -> None:
        """Read the library again; the choices are kept."""
        self.how.refresh_starts()
        self.studies.show_task(self.task)

    def set_blocked(self, sentence: str) -> None:
        """Show why no training can start now; empty: it can."""
        if sentence != self._blocked:
            self._blocked = sentence
            self.show_estimate()

    def show_problem(self, message: str, hint: str = "") -> None:
        """Show an error until a setting changes."""
        self._soon.stop()
        self.problem.setText(tr(join_texts(" ", (message, hint))))

    def request(self) -> TrainingRequest:
        """The current choices.

        Raises:
            UserError: an invalid parameter, no studies, or unusable labels.
        """
        if self.how.start is None:
            raise UserError("No start is chosen.", "Choose one under “Start from”.")
        config = self.how.config()
        study_choice.check_choice(self._session, self.task, self.studies.chosen_rows)
        if self.task == "pretrain":
            study_choice.check_sequences(cast("PretrainConfig", config), self.studies.chosen_rows)
        return TrainingRequest(
            self.task,
            self.studies.table.chosen,
            self.studies.evaluation_ids,
            self.how.chosen_preset,
            self.how.chosen_method,
            self.how.form.changes(),
            self.how.start,
        )

    def estimate(self) -> Estimate:
        """Estimate the training; raises `UserError` if it cannot start."""
        rows, place = self.studies.chosen_rows, self._session.library.folder
        request, device = self.request(), self._session.settings["device"]
        if self.task == "pretrain":
            config = self.how.config(device=device)
            return estimate_pretraining(cast("PretrainConfig", config), rows, self._session.speeds, place)
        if self.task == "train-reid":
            return estimate_reid(cast("ReidConfig", self.how.config(device=device)), rows, self._session.speeds, place)
        counts = study_choice.label_counts(self._session, rows)
        return estimate_finetuning(
            self._finetuning(request, device=device), rows, counts, self._session.speeds, place, self._count
        )

    def _finetuning(self, request: TrainingRequest, **settings: object) -> FinetuneConfig:
        """The whole config of a fine-tuning, with the network of what it starts from."""
        kept = {key: value for key, value in own_network(request.start).items() if key not in request.changes}
        return cast("FinetuneConfig", self.how.config(init=request.start.init, **kept, **settings))

    def show_count(self, count: LabelledCount | None) -> None:
        """Show the estimate with the frames that were counted for it."""
        if self.task == "finetune" and self.start_button.isEnabled():
            self._count = count
            self.cost.setText("\n".join(self.estimate().sentences))

    def show_estimate(self) -> None:
        """Show the estimate, or why the training cannot start."""
        self._soon.stop()
        self._count = None
        self.count_requested.emit(None)
        try:
            estimate, request = self.estimate(), self.request()
            if self.task == "finetune" and (config := self._finetuning(request)).is_classifier_only:
                # With many labels it takes a while to count the frames that the model has not scored.
                session, chosen = self._session, request.study_ids
                self.count_requested.emit(lambda reporter: count_labelled(session, config, chosen, reporter))
        except UserError as error:
            self.resample.setVisible(isinstance(error, study_choice.TooFewStudiesError))
            self.cost.setText("–")
            self.problem.setText(tr(error))
            self.start_button.setEnabled(False)
            return
        self.resample.hide()
        self.cost.setText("\n".join(estimate.sentences))
        set_color(self.cost, COLORS.warning if estimate.is_too_large else "")
        self.problem.setText(self._blocked)
        self.start_button.setEnabled(not self._blocked)

    def _ask_for_start(self) -> None:
        try:
            request = self.request()
        except UserError as error:
            self.show_problem(error.message, error.hint)
            return
        self.start_requested.emit(request)
