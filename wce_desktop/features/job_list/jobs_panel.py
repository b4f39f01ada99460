"""The strip at the window's bottom: running job, progress, stop button, failures."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from wce_desktop.core.language import tr
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words
from wce_desktop.widgets.basic import JobBar, StopButton, in_row, make_button, set_color
from wce_desktop.widgets.plain_text import ElidedLabel, PlainLabel, plain
from wce_desktop.widgets.theme import COLORS

TICK_MILLISECONDS = 500  # so that a wait without news still shows its seconds
ENDED_MILLISECONDS = 15_000
"""How long a job that has ended stays in the strip; a failure stays until it is looked at."""


class JobsPanel(QWidget):
    """One line about the most important job; a click opens the list of all."""

    list_requested = Signal(str)  # job_id to begin with, or ""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs: Sequence[Job] = ()
        self._seen_failures: set[str] = set()
        self._title = PlainLabel()
        self._state = ElidedLabel()
        self._bar = JobBar()
        self._bar.setFixedWidth(150)
        self._stop = StopButton()
        self._list = make_button(tr("Jobs"), tr("Show running, waiting and finished jobs and their logs"))
        self._list.setFlat(True)
        self._list.clicked.connect(self._open_list)
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MILLISECONDS)
        self._ticks.timeout.connect(self._show_state)
        self._forgotten: set[str] = set()  # jobs that ended a while ago
        self._ended = QTimer(self, singleShot=True, interval=ENDED_MILLISECONDS)
        self._ended.timeout.connect(self._forget_ended)
        self._arrange()
        self._refresh()

    def _arrange(self) -> None:
        layout = in_row(self._title, self._bar, (self._state, 1), of=self, margins=(10, 2, 6, 2), spacing=10)
        for button in (self._stop, self._list):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not move the focus away from the frame
            layout.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Always of the height of its buttons, so that the layout is stable when a job starts."""
        return QSize(super().sizeHint().width(), self._stop.sizeHint().height() + 6)

    @property
    def text(self) -> str:
        """The text of the strip."""
        return f"{self._title.text()}  {self._state.text()}".strip()

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
        if is_running and not self._ticks.isActive():
            self._ticks.start()
        elif not is_running:
            self._ticks.stop()
        if is_running or job is None:
            self._ended.stop()
        elif not self._ended.isActive():
            self._ended.start()
        self._show_state()

    def _show_state(self) -> None:
        """The words and the bar of the job that is shown."""
        job = self._shown()
        has_failed = job is not None and job.state == "failed"
        self._title.setText(job.spec.title if job else "")
        self._title.setVisible(job is not None)
        words = state_words(job) if job else tr("No job is running.")
        self._state.setText(
            tr("failed") if has_failed else words
        )  # why stands in the message, the tooltip and the list
        self._state.setToolTip(plain(tr(str(job.outcome)) if job and job.outcome else words))
        color = COLORS.warning if has_failed else COLORS.text if job and job.is_running else COLORS.muted
        set_color(self._state, color)
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click anywhere on the strip opens the list."""
        if event.button() == Qt.MouseButton.LeftButton and self._jobs:
            self._open_list()
