"""Which run each training job belongs to, and the page of the Train window on which it is watched."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wce_desktop.features.learning.model.speeds import SpeedBook
from wce_desktop.features.learning.view.live_page import LivePage
from wce_desktop.jobs.job import Job
from wce_desktop.library.runs.run_files import read_json, read_settings
from wce_desktop.library.work import Run
from wce_desktop.workspace import Workspace

if TYPE_CHECKING:
    from wce_desktop.features.learning.training import Training


class TrainingPages:
    """Knows the trainings of this session, also those that began while the Train window was not there yet."""

    def __init__(self, teaching: "Training", workspace: Workspace) -> None:
        self._teaching = teaching
        self._workspace = workspace
        self._runs: dict[str, str] = {}  # run_id of each training job
        self._rates: dict[str, list[float]] = {}  # images a second of each training job, as it told them

    def note(self, run: Run, job: Job) -> None:
        """Remember whose job this is."""
        self._runs[job.job_id] = run.run_id

    def run_id(self, job: Job) -> str:
        """The run of a training job; empty for other jobs."""
        return self._runs.get(job.job_id, "")

    def page_of(self, job: Job) -> LivePage | None:
        """The page of a job's run, where it has one."""
        run_id = self.run_id(job)
        return self._teaching.dialog.page(run_id) if run_id and self._teaching.has_dialog else None

    def page_for(self, run: Run) -> LivePage:
        """The page of a run, shown; its buttons are followed from its first use."""
        dialog, teaching, queue = self._teaching.dialog, self._teaching, self._workspace.jobs.queue
        page = dialog.page(run.run_id)
        if page is None:
            page = dialog.add_page(run.run_id, run.title, run.kind)
            page.stop_requested.connect(queue.stop)
            page.cancel_requested.connect(queue.cancel)
            page.resume_requested.connect(teaching.guard(teaching.resume))
            page.use_requested.connect(teaching.guard(lambda run_id: teaching.show_task("finetune", run_id)))
        dialog.show_page(page)
        return page

    def show_begun(self) -> None:
        """Give every training that began before the Train window was made its page, with its curves so far."""
        runs = {run.run_id: run for run in self._workspace.session.library.runs()}
        for job in self._workspace.jobs.queue.jobs:
            run = runs.get(self.run_id(job))
            if run is not None:
                page = self.page_for(run)
                page.preload(run.folder)
                page.set_job(job)

    def add_partial(self, job: Job, name: str, payload: Mapping[str, Any]) -> None:
        """Take what a training tells of itself."""
        if name == "curve" and payload.get("images_per_second") and self.run_id(job):
            self._rates.setdefault(job.job_id, []).append(payload["images_per_second"])
        page = self.page_of(job)
        if page is not None:
            page.add_partial(name, payload)

    def note_speed(self, book: SpeedBook, run: Run, job: Job) -> None:
        """Remember how fast this computer was, for the next estimate."""
        rates, settings = self._rates.pop(job.job_id, []), read_settings(run)
        made = read_json(run.folder / "model" / "config.json")  # a model to start from keeps its own network
        backbone, size = (made.get(key) or settings.get(key) for key in ("backbone", "input_size"))
        if isinstance(backbone, str) and isinstance(size, int):
            book.note(str(settings.get("device", "auto")), backbone, size, rates)
