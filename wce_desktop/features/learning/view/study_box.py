"""The left side of the setup: which studies are learned from, and which ones judge."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from wce_desktop.core.clock import counted
from wce_desktop.session.presets import Task
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import StudyRow, describe_choice, judges, study_rows, suggested, why_no_judges
from wce_desktop.widgets.basic import make_heading
from wce_desktop.widgets.job_widgets import make_button, make_text
from wce_desktop.widgets.study_table import StudyTable
from wce_desktop.widgets.theme import MUTED

USED_COLUMN = 3


class StudyBox(QWidget):
    """Keeps a choice of studies for each task."""

    changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task: Task = "pretrain"
        self._kept: dict[Task, frozenset[str]] = {}
        self.table = StudyTable()
        self.table.choice_changed.connect(self._studies_chosen)
        self._choice = make_text()
        self.judge = QCheckBox("Judge on labelled studies that are not ticked (kNN accuracy)")
        self.judge.setChecked(True)
        self.judge.setToolTip("Never learned from: only asked, now and then, whether equal frames lie together")
        self.judge.toggled.connect(self.changed)
        self._judge_words = make_text(MUTED)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 8, 0)
        column.addWidget(make_heading("STUDIES"))
        column.addWidget(self.table, 1)
        column.addLayout(self._make_buttons())
        for widget in (self._choice, self.judge, self._judge_words):
            column.addWidget(widget)

    def _make_buttons(self) -> QHBoxLayout:
        offers = (
            ("Suggested", "The studies that suit what is chosen on the right", self.choose_suggested),
            ("All", "Every study whose video is there", self.choose_all),
            ("None", "No study", self.choose_none),
        )
        buttons = QHBoxLayout()
        for title, tip, step in offers:
            button = make_button(title, tip)
            button.clicked.connect(step)
            buttons.addWidget(button)
        buttons.addStretch(1)
        return buttons

    def show_task(self, task: Task) -> None:
        """Show the choice for a task with what the library holds now; ticks stay, at first they are suggested ones."""
        self._task = task
        is_pretraining = task == "pretrain"
        self.judge.setVisible(is_pretraining)
        self._judge_words.setVisible(is_pretraining)
        self.table.setColumnHidden(USED_COLUMN, not is_pretraining)
        rows = study_rows(self._session)
        self.table.set_rows(rows, self._kept.get(task) or suggested(rows, task))

    @property
    def chosen(self) -> frozenset[str]:
        """The ids of the studies to learn from."""
        return self.table.chosen

    @property
    def chosen_rows(self) -> list[StudyRow]:
        """The studies to learn from."""
        chosen = self.chosen
        return [row for row in self.table.rows if row.study.study_id in chosen]

    @property
    def judge_ids(self) -> frozenset[str]:
        """The ids of the studies to judge on; empty where there are none or none are wanted."""
        is_wanted = self._task == "pretrain" and self.judge.isChecked()
        return (
            frozenset(row.study.study_id for row in judges(self.table.rows, self.chosen)) if is_wanted else frozenset()
        )

    def choose(self, study_ids: Collection[str]) -> None:
        """Tick these and no others."""
        self.table.choose(study_ids)

    def choose_suggested(self) -> None:
        """Tick what suits the task."""
        self.choose(suggested(self.table.rows, self._task))

    def choose_all(self) -> None:
        """Tick every study whose video is there."""
        self.choose({row.study.study_id for row in self.table.rows})

    def choose_none(self) -> None:
        """Untick everything."""
        self.choose(())

    def _studies_chosen(self) -> None:
        chosen = self.chosen
        self._kept[self._task] = chosen
        self._choice.setText(describe_choice(self.table.rows, chosen))
        judging = judges(self.table.rows, chosen)
        self.judge.setEnabled(bool(judging))
        patients = counted(len({row.study.patient_id for row in judging}), "patient")
        words = f"{counted(len(judging), 'study')} of {patients} will judge; nothing is learned from them."
        self._judge_words.setText(why_no_judges(self.table.rows, chosen) or words)
        self.changed.emit()
