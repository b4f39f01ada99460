"""The jobs as the reader sees them: the strip, the list with its logs, stopping, and what closing the window asks."""

from collections.abc import Callable, Mapping

from wce_desktop.features.job_list.closing_question import ask_before_closing
from wce_desktop.features.job_list.job_log_dialog import JobLogDialog
from wce_desktop.features.job_list.jobs_panel import JobsPanel
from wce_desktop.jobs.job import Job
from wce_desktop.workspace import Feature, Panel, Workspace, methods


class JobListFeature(Feature):
    """Shows the queue; what jobs do and bring is another controller's."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._jobs = workspace.jobs
        self._log = JobLogDialog(workspace.window)
        self.panel = JobsPanel()
        self.panels = (Panel(self.panel, "foot", stretch=2),)
        self._jobs.job_changed.connect(self._show_jobs_now)
        self._jobs.job_ended.connect(self._show_jobs_now)
        for source in (self.panel, self._log):
            source.stop_requested.connect(self._jobs.queue.stop)
            source.cancel_requested.connect(self._jobs.queue.cancel)
        self._log.move_requested.connect(self._jobs.queue.move)
        self.panel.list_requested.connect(self._show_job)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return methods(self, ("stop_job", "show_jobs"))

    @property
    def is_busy(self) -> bool:
        """True while a job waits or runs."""
        return self._jobs.is_busy

    def stop_job(self) -> None:
        """Let the running job keep what it has and end."""
        for job in self._jobs.queue.running:
            self._jobs.queue.stop(job.job_id)

    def show_jobs(self) -> None:
        """The list of jobs."""
        self._show_job("")

    def _show_job(self, job_id: str) -> None:
        self._log.set_jobs(self._jobs.queue.jobs)
        if job_id:
            self._log.choose(job_id)
        self._log.show()
        self._log.raise_()

    def _show_jobs_now(self, _: Job) -> None:
        self.panel.set_jobs(self._jobs.queue.jobs)
        if self._log.isVisible():
            self._log.set_jobs(self._jobs.queue.jobs)

    def may_close(self) -> bool:
        """Ask what to do with the jobs that run; after *stop* the window closes once they have kept what is done."""
        if not self._jobs.is_busy:
            return True
        choice = ask_before_closing((*self._jobs.queue.running, *self._jobs.queue.waiting), self._workspace.window)
        if choice == "stop":
            self._jobs.drained.connect(self._workspace.window.close)
            self._jobs.stop_all()
            self._workspace.tell("Closing once the running job has kept what is done…")
        return choice == "cancel"

    def close(self) -> None:
        """Close the list."""
        self._log.close()
