"""The first page of the Train window: which studies, what to do with them, and what that will take."""

from typing import cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QSplitter, QVBoxLayout, QWidget

from training.errors import UserError
from training.finetuning.config import FinetuneConfig
from training.pretraining.config import PretrainConfig
from wce_desktop.core.label import NORMAL
from wce_desktop.features.learning.model.estimate import Estimate, estimate_finetuning, estimate_pretraining
from wce_desktop.features.learning.model.speeds import SpeedBook
from wce_desktop.features.learning.model.starts import Wish, own_network
from wce_desktop.features.learning.view.method_box import MethodBox
from wce_desktop.features.learning.view.study_box import StudyBox
from wce_desktop.session.presets import PresetStore, Task
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import TooFewStudiesError, check_choice, check_sequences, label_counts
from wce_desktop.widgets.basic import make_heading
from wce_desktop.widgets.job_widgets import make_button, make_text, set_color
from wce_desktop.widgets.theme import WARNING

ESTIMATE_MILLISECONDS = 150
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
        self._session, self._speeds = session, speeds
        self._blocked = ""
        self.task: Task = "pretrain"
        self.studies = StudyBox(session)
        self.how = MethodBox(session, presets)
        self._soon = QTimer(self, singleShot=True, interval=ESTIMATE_MILLISECONDS)
        self._soon.timeout.connect(self.show_estimate)
        self.studies.changed.connect(self._soon.start)
        self.how.changed.connect(self._soon.start)
        self.how.problem_told.connect(self.tell_problem)
        columns = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        columns.addWidget(self.studies)
        columns.addWidget(self._make_right())
        columns.setSizes([520, 620])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.addWidget(columns)

    def _make_right(self) -> QWidget:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(8, 0, 0, 0)
        column.addWidget(make_heading("WHAT"))
        self._group = QButtonGroup(self)
        self.tasks: dict[Task, QRadioButton] = {}
        for task, (title, _) in TASK_WORDS.items():
            self.tasks[task] = QRadioButton(title)
            self.tasks[task].clicked.connect(lambda _, task=task: self.show_task(task))
            self._group.addButton(self.tasks[task])
            column.addWidget(self.tasks[task])
        column.addWidget(self.how, 1)
        column.addWidget(make_heading("WHAT IT WILL TAKE"))
        self.cost, self.problem = make_text(), make_text(WARNING)
        self.start_button = make_button("", "Begins at once, or when the job that runs now has ended (Ctrl+Enter)")
        self.start_button.setProperty("primary", True)
        self.resample = make_button("From one study", "Take the sequences of a batch from one study, another each time")
        self.resample.clicked.connect(lambda: self.how.form.set_value("sequence_source", "resample"))
        self.resample.hide()
        self.start_button.clicked.connect(self._ask_for_start)
        foot = QHBoxLayout()
        foot.addWidget(self.problem, 1)
        foot.addWidget(self.resample)
        foot.addWidget(self.start_button)
        column.addWidget(self.cost)
        column.addLayout(foot)
        return right

    def show_task(self, task: Task, preset: str = "") -> None:
        """Show the choice for pretraining or for finetuning, with what the library holds now."""
        self.task = task
        self.tasks[task].setChecked(True)
        self.start_button.setText(TASK_WORDS[task][1])
        self.start_button.setShortcut("Ctrl+Return")  # a new text takes the old one's away
        self.how.show_task(task, preset)
        self.studies.show_task(task)

    def refresh(self) -> None:
        """Read the library again; what is chosen stays."""
        self.how.refresh_starts()
        self.studies.show_task(self.task)

    def set_blocked(self, sentence: str) -> None:
        """Say why nothing can start now; empty: it can."""
        if sentence != self._blocked:
            self._blocked = sentence
            self.show_estimate()

    def tell_problem(self, message: str, hint: str = "") -> None:
        """Say what went wrong, until something else is chosen."""
        self._soon.stop()
        self.problem.setText(f"{message} {hint}".strip())

    def wish(self) -> Wish:
        """All that is chosen now.

        Raises:
            UserError: a parameter that cannot be used, no studies, or labels that nothing can be learned from.
        """
        if self.how.start is None:
            raise UserError("There is nothing to start from.", "Choose something under “Start from”.")
        config = self.how.config()
        check_choice(self._session, self.task, self.studies.chosen_rows)
        if self.task == "pretrain":
            check_sequences(cast("PretrainConfig", config), self.studies.chosen_rows)
        return Wish(
            self.task,
            self.studies.chosen,
            self.studies.judge_ids,
            self.how.chosen_preset,
            self.how.chosen_method,
            self.how.form.changes(),
            self.how.start,
        )

    def estimate(self) -> Estimate:
        """What the choice takes; `UserError` where it cannot start."""
        rows, place = self.studies.chosen_rows, self._session.library.folder
        wish, device = self.wish(), self._session.settings["device"]
        if self.task == "pretrain":
            config = self.how.config(device=device)
            return estimate_pretraining(cast("PretrainConfig", config), rows, self._speeds, place)
        counts = label_counts(self._session, rows)
        kept = {key: value for key, value in own_network(wish.start).items() if key not in wish.changes}
        config = self.how.config(device=device, **kept)
        positives = sum(count for name, count in counts.items() if name != NORMAL)
        return estimate_finetuning(cast("FinetuneConfig", config), rows, positives, self._speeds, place)

    def show_estimate(self) -> None:
        """Reckon what the choice takes, or say why it cannot start."""
        self._soon.stop()
        try:
            estimate = self.estimate()
        except UserError as error:
            self.resample.setVisible(isinstance(error, TooFewStudiesError))
            self.cost.setText("–")
            self.problem.setText(str(error))
            self.start_button.setEnabled(False)
            return
        self.resample.hide()
        self.cost.setText("\n".join(estimate.sentences))
        set_color(self.cost, WARNING if estimate.is_too_large else "")
        self.problem.setText(self._blocked)
        self.start_button.setEnabled(not self._blocked)

    def _ask_for_start(self) -> None:
        try:
            wish = self.wish()
        except UserError as error:
            self.tell_problem(error.message, error.hint)
            return
        self.start_requested.emit(wish)
