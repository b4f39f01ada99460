"""All jobs of the session: running, waiting and finished ones, with their logs."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from wce_desktop.core.language import to_translate, tr
from wce_desktop.jobs.mailbox import LOG_LINES
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import REMOVE_TIP, state_words
from wce_desktop.widgets.basic import (
    JobBar,
    StopButton,
    in_column,
    in_row,
    make_button,
    make_text,
    set_color,
    show_text,
)
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import fit_to_screen

END_TIP = to_translate("End it even while it says that it is saving something")
DISCARD_TIP = to_translate("End at once and discard what this job has done so far; you are asked first")
_MARKS = {"queued": "◦", "done": "✓", "failed": "!", "cancelled": "–"}


class JobLogDialog(QDialog):
    """A list of jobs beside the chosen one's sentence, hint and log; it does not block the window."""

    discard_requested = Signal(object)  # Job; a waiting one is removed
    move_requested = Signal(str, int)  # job_id, its new place among those that wait

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Jobs"))
        fit_to_screen(self, 820, 460)
        self._jobs: Sequence[Job] = ()
        self._shown: Job | None = None
        self._shown_lines = 0
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Jobs"))
        self._list.setSpacing(4)
        self._list.currentRowChanged.connect(self._choose)
        self._title = make_text()
        self._hint = make_text(COLORS.muted)
        self._bar = JobBar()
        self._fold = QToolButton()
        self._fold.setCheckable(True)
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.toggled.connect(self._fold_log)
        self._log = QPlainTextEdit()
        self._log.setReadOnly(True)
        self._log.setMaximumBlockCount(LOG_LINES)
        self._log.setAccessibleName(tr("Log"))
        self._log.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._stop = StopButton()
        self._discard = make_button(tr("Discard…"), "")
        self._sooner = make_button(tr("Move up"), tr("Move up in the queue"))
        self._later = make_button(tr("Move down"), tr("Move down in the queue"))
        self._discard.clicked.connect(lambda: self.discard_requested.emit(self._shown))
        self._sooner.clicked.connect(lambda: self._move(-1))
        self._later.clicked.connect(lambda: self._move(1))
        self._arrange()
        self._fold_log(False)
        self._show_job()

    def _arrange(self) -> None:
        buttons = in_row(self._stop, self._discard, self._sooner, self._later, 1)
        right = in_column(self._title, self._bar, self._hint, buttons, self._fold, (self._log, 1), 0, spacing=8)
        in_row((self._list, 2), (right, 3), of=self)

    def set_jobs(self, jobs: Sequence[Job]) -> None:
        """Show these jobs, those that run first, then those that wait in order, then those that ended."""
        rank = {"queued": 1, "done": 2, "failed": 2, "cancelled": 2}
        ended = [job for job in reversed(jobs) if job.has_ended]
        self._jobs = sorted([job for job in jobs if not job.has_ended], key=lambda job: rank.get(job.state, 0)) + ended
        if self._shown not in self._jobs:
            self._shown = self._jobs[0] if self._jobs else None
            self._shown_lines = 0
        self._fill_list()
        self._show_job()

    def choose(self, job_id: str) -> None:
        """Show one of the jobs; an id that is not there changes nothing."""
        for row, job in enumerate(self._jobs):
            if job.job_id == job_id:
                self._list.setCurrentRow(row)
                self._fold.setChecked(job.state == "failed" or self._fold.isChecked())

    def _fill_list(self) -> None:
        with QSignalBlocker(self._list):
            while self._list.count() > len(self._jobs):
                self._list.takeItem(self._list.count() - 1)
            while self._list.count() < len(self._jobs):
                self._list.addItem(QListWidgetItem())
            for row, job in enumerate(self._jobs):
                mark = _MARKS.get(job.state, "▸")
                self._list.item(row).setText(f"{mark}  {job.spec.title}\n     {state_words(job)}")
            if self._shown is not None:
                self._list.setCurrentRow(list(self._jobs).index(self._shown))

    def _choose(self, row: int) -> None:
        job = self._jobs[row] if 0 <= row < len(self._jobs) else None
        if job is not self._shown:
            self._shown, self._shown_lines = job, 0
            self._log.clear()
            self._show_job()

    def _show_job(self) -> None:
        """Everything on the right."""
        job = self._shown
        is_waiting = job is not None and job.state == "queued"
        self._title.setText(f"{job.spec.title}: {state_words(job)}" if job else tr("No job has been started yet."))
        set_color(self._title, COLORS.warning if job and job.state == "failed" else "")
        show_text(self._hint, tr(job.outcome.hint) if job and job.outcome else "")
        self._bar.show_job(job)
        self._stop.setVisible(job is not None and job.is_running)
        self._stop.show_job(job)
        self._discard.setVisible(job is not None and not job.has_ended)
        words, tip = self._words_of_discard(job)
        self._discard.setText(words)
        self._discard.setToolTip(plain(tip))
        self._sooner.setVisible(is_waiting)
        self._later.setVisible(is_waiting)
        self._fold.setVisible(job is not None)
        self._append_log()

    def _words_of_discard(self, job: Job | None) -> tuple[str, str]:
        """What the button that ends a job does, and its tooltip."""
        if job is not None and job.state == "queued":
            return tr("Remove"), tr(REMOVE_TIP)
        if job is not None and job.state == "cancelling":
            return tr("End now"), tr(END_TIP)
        return tr("Discard…"), tr(DISCARD_TIP)

    def _append_log(self) -> None:
        """Only the lines that are new: a log of thousands is not laid out again for one line more."""
        if self._shown is None:
            self._log.clear()
            return
        lines = list(self._shown.log)
        new_count = min(self._shown.line_count - self._shown_lines, len(lines))
        if self._shown_lines == 0:
            self._log.clear()
        if new_count > 0:
            self._log.appendPlainText("\n".join(map(tr, lines[-new_count:])))
        self._shown_lines = self._shown.line_count
        self._fold.setText(tr("Log ({count} lines)", count=self._shown.line_count))

    def _fold_log(self, is_open: bool) -> None:
        self._fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self._log.setVisible(is_open)

    def _move(self, steps: int) -> None:
        """Ask for another place among those that wait."""
        waiting = [job for job in self._jobs if job.state == "queued"]
        if self._shown in waiting:
            place = waiting.index(self._shown) + steps
            if 0 <= place < len(waiting):
                self.move_requested.emit(self._shown.job_id, place)
