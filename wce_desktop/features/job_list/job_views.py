"""The strip at the window's bottom with the most important job, and the list of all jobs with their logs.

Tests: `test_jobs_panel`.
"""

from collections.abc import Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent

from wce_desktop.core.language import capital, to_translate, tr, tr_count
from wce_desktop.jobs.mailbox import LOG_LINES
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import REMOVE_TIP, state_words
from wce_desktop.widgets import basic, plain_text, window_size
from wce_desktop.widgets.theme import COLORS

NARROW_PX = 260
TICK_MILLISECONDS = 500  # so that a wait without news still shows its seconds
ENDED_MILLISECONDS = 15_000
"""How long a job that has ended stays in the strip; a failure stays until it is looked at."""


class JobsPanel(QtWidgets.QWidget):
    """One line about the most important job; a click opens the list of all."""

    list_requested = Signal(str)  # job_id to begin with, or ""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs: Sequence[Job] = ()
        self._seen_failures: set[str] = set()
        self._title = plain_text.PlainLabel()
        self._state = plain_text.ElidedLabel()
        self._bar = basic.JobBar()
        self._bar.setMinimumWidth(30)
        self._bar.setMaximumWidth(150)
        self._stop = basic.StopButton()
        tip = tr("Show running, waiting and finished jobs and their logs")
        self._list = basic.make_button(tr("Jobs"), tip, self._open_list)
        self._ticks = QTimer(self, interval=TICK_MILLISECONDS)
        self._ticks.timeout.connect(self._show_state)
        self._forgotten: set[str] = set()  # jobs that ended a while ago
        self._ended = QTimer(self, singleShot=True, interval=ENDED_MILLISECONDS)
        self._ended.timeout.connect(self._forget_ended)
        buttons = self._stop, self._list
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not move the focus away from the frame
        basic.in_row(self._title, self._bar, (self._state, 1), *buttons, of=self, margins=(10, 0, 6, 0), spacing=10)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._refresh()

    def sizeHint(self) -> QSize:
        """Always of the height of its buttons, so that the layout is stable when a job starts."""
        return QSize(super().sizeHint().width(), self._stop.sizeHint().height() + 6)

    def set_jobs(self, jobs: Sequence[Job]) -> None:
        """Show these jobs of the session; call it again whenever one of them changed."""
        self._jobs = tuple(jobs)
        self._refresh()

    def _shown(self) -> Job | None:
        """The most important job: the running one, else an unread failure, else one that ended a moment ago."""
        running = [job for job in self._jobs if job.is_running]
        if running:
            return min(running, key=lambda job: job.spec.kind != "gpu")
        ended = [job for job in self._jobs if job.has_ended and job.job_id not in self._forgotten]
        return next(iter(self._failures()), ended[-1] if ended else None)

    def _forget_ended(self) -> None:
        self._forgotten.update(job.job_id for job in self._jobs if job.has_ended)
        self._refresh()

    def _failures(self) -> list[Job]:
        """Unread failures without a later success, newest first."""
        failed: dict[tuple[str, str], Job] = {}
        for job in self._jobs:
            key = (job.spec.command, job.spec.title)
            if job.state == "done":
                failed.pop(key, None)
            elif job.state == "failed" and job.job_id not in self._seen_failures:
                failed[key] = job
        return list(failed.values())[::-1]

    def _refresh(self) -> None:
        job = self._shown()
        is_running = job is not None and job.is_running
        self._bar.setVisible(is_running)
        self._stop.setVisible(is_running)
        self._stop.show_job(job)
        self._list.setVisible(bool(self._jobs))
        self._list.setText(self._list_words())
        self._ticks.start() if is_running else self._ticks.stop()
        if is_running or job is None:
            self._ended.stop()
        elif not self._ended.isActive():
            self._ended.start()
        self._show_state()

    def _show_state(self) -> None:
        """The words and the bar of the job that is shown."""
        job = self._shown()
        has_failed = job is not None and job.state == "failed"
        basic.show_text(self._title, capital(job.spec.title) if job else "")
        words = state_words(job) if job else ""
        # Why it failed stands in the message, the tooltip and the list.
        self._state.setText(tr("failed") if has_failed else words)
        self._state.setMinimumWidth(0 if job else self._state.fontMetrics().horizontalAdvance(words) + 2)
        self._state.setToolTip(plain_text.plain(tr(str(job.outcome)) if job and job.outcome else words))
        color = COLORS.warning if has_failed else COLORS.text if job and job.is_running else COLORS.muted
        basic.set_color(self._state, color)
        self._bar.show_progress(job.progress if job else None)

    def _list_words(self) -> str:
        """How many wait and how many failed unseen; of a failure that the strip shows already: "Details"."""
        waiting = sum(job.state == "queued" for job in self._jobs)
        failed = len(self._failures())
        if failed == 1 and not waiting and self._shown() in self._failures():
            return tr("Details")
        if waiting and failed:
            return tr("{waiting} waiting, {failed} failed", waiting=waiting, failed=failed)
        if waiting:
            return tr("{waiting} waiting", waiting=waiting)
        return tr("{failed} failed", failed=failed) if failed else tr("Jobs")

    def _open_list(self) -> None:
        """Ask for the list; failures count as looked at from now on."""
        job = self._shown()
        self.list_requested.emit(job.job_id if job else "")
        self._seen_failures.update(job.job_id for job in self._failures())
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Without the title where there is little room; the list and the tooltip have it."""
        super().resizeEvent(event)
        self._title.setMaximumWidth(0 if self.width() < NARROW_PX else basic.NO_LIMIT_PX)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click anywhere on the strip opens the list."""
        if event.button() == Qt.MouseButton.LeftButton and self._jobs:
            self._open_list()


END_TIP = to_translate("End it even while it says that it is saving something")
DISCARD_TIP = to_translate("End at once and discard what this job has done so far; you are asked first")
_MARKS = {"queued": "◦", "done": "✓", "failed": "!", "cancelled": "–"}


class JobLogDialog(window_size.DialogBase):
    """A list of jobs beside the chosen one's sentence, hint and log; it does not block the window."""

    discard_requested = Signal(object)  # Job; a waiting one is removed
    move_requested = Signal(str, int)  # job_id, its new place among those that wait

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(tr("Jobs"), 820, 460, parent)
        self._jobs: Sequence[Job] = ()
        self._shown: Job | None = None
        self._shown_lines = 0
        self._list = QtWidgets.QListWidget()
        self._list.setAccessibleName(tr("Jobs"))
        self._list.currentRowChanged.connect(self._choose)
        self._title = basic.make_text()
        self._hint = basic.make_text(COLORS.muted)
        self._bar = basic.JobBar()
        self._fold = QtWidgets.QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.setCheckable(True)
        self._fold.toggled.connect(self._fold_log)
        wrap = QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap
        self._log = QtWidgets.QPlainTextEdit(readOnly=True, maximumBlockCount=LOG_LINES, lineWrapMode=wrap)
        self._log.setAccessibleName(tr("Log"))
        self._stop = basic.StopButton()
        self._discard = basic.make_button(tr("Discard…"), "", lambda: self.discard_requested.emit(self._shown))
        self._sooner = basic.make_button(tr("Move up"), tr("Move up in the queue"), lambda: self._move(-1))
        self._later = basic.make_button(tr("Move down"), tr("Move down in the queue"), lambda: self._move(1))
        buttons = basic.in_row(self._stop, self._discard, self._sooner, self._later, 1)
        right = basic.in_column(self._title, self._bar, self._hint, buttons, self._fold, (self._log, 1), 0, spacing=8)
        basic.in_row((self._list, 2), (right, 3), of=self)
        self._fold_log(False)
        self._show_job()

    def set_jobs(self, jobs: Sequence[Job]) -> None:
        """Show these jobs, those that run first, then those that wait in order, then those that ended."""
        rank = {"queued": 1, "done": 2, "failed": 2, "cancelled": 2}
        ended = [job for job in reversed(jobs) if job.has_ended]
        self._list.setVisible(bool(jobs))
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
                self._list.addItem(QtWidgets.QListWidgetItem())
            for row, job in enumerate(self._jobs):
                mark = _MARKS.get(job.state, "▸")
                self._list.item(row).setText(f"{capital(job.spec.title)}\n{mark}  {state_words(job)}")
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
        self._title.setText(
            capital(f"{job.spec.title}: {state_words(job)}") if job else tr("No job has been started yet.")
        )
        basic.set_color(self._title, COLORS.warning if job and job.state == "failed" else "")
        basic.show_text(self._hint, tr(job.outcome.hint) if job and job.outcome else "")
        self._bar.show_job(job)
        self._stop.setVisible(job is not None and job.is_running)
        self._stop.show_job(job)
        self._discard.setVisible(job is not None and not job.has_ended)
        texts = {"queued": (tr("Remove"), tr(REMOVE_TIP)), "cancelling": (tr("End now"), tr(END_TIP))}
        words, tip = texts.get(job.state if job else "", (tr("Discard…"), tr(DISCARD_TIP)))
        self._discard.setText(words)
        self._discard.setToolTip(plain_text.plain(tip))
        self._sooner.setVisible(is_waiting)
        self._later.setVisible(is_waiting)
        self._fold.setVisible(job is not None and bool(job.line_count))
        self._log.setVisible(self._fold.isVisibleTo(self) and self._fold.isChecked())
        self._append_log()

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
        self._fold.setText(tr_count("Log ({count} line)", "Log ({count} lines)", self._shown.line_count))

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
