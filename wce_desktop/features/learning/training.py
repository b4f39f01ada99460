"""The Train window: pretraining and fine-tuning with chosen studies and parameters, and resuming runs."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.language import tr
from wce_desktop.features.learning.finetuning import Finetuning
from wce_desktop.features.learning.model import speed_book, starts
from wce_desktop.features.learning.preparing import Preparing
from wce_desktop.features.learning.view import live_page, train_window
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import run_files, runs
from wce_desktop.library.unfinished_runs import Unfinished, newest_step, unfinished_runs
from wce_desktop.session import keys, presets, work
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.workspace import Part, Workspace, guard


def note_speed(book: speed_book.SpeedBook, run: runs.Run, job: Job, rates: Sequence[float]) -> None:
    """Store the measured speeds of a training for later estimates; `rates` in images per second."""
    settings = run_files.read_settings(run)
    made = run_files.read_json(run.folder / "model" / "config.json")  # a run that starts from a model keeps its network
    size = made.get("input_size") or settings.get("input_size")
    backbone = made.get("backbone") or speed_book.network_name(settings)
    if isinstance(backbone, str) and isinstance(size, int):
        device, layers = str(settings.get("device", "auto")), settings.get("trained_layers", speed_book.ALL_LAYERS)
        book.note(device, backbone, size, rates, layers)
        speeds = (job.outcome.result or {}).get("speeds") if job.outcome is not None else None
        if isinstance(speeds, Mapping) and job.started_seconds is not None:
            book.note_run(device, backbone, size, speeds, time.monotonic() - job.started_seconds)


class Training(Part):
    """Starts runs, shows their progress, and offers those that can be resumed."""

    def __init__(self, workspace: Workspace, owner: Part, finetuning: Finetuning, speeds: speed_book.SpeedBook) -> None:
        super().__init__(workspace, owner)
        self._jobs, self._training, self._speeds = workspace.jobs, finetuning, speeds
        self._presets = presets.PresetStore(self._session.library.folder / "presets.json")
        self._dialog: train_window.TrainWindow | None = None
        self._rates: dict[str, list[float]] = {}  # images per second that the job of each run has reported
        self.preparing = Preparing(workspace, self)
        self.preparing.submitted.connect(self.guard(self._submitted))
        self.preparing.failed.connect(self._writing_failed)
        self._counting = FunctionThread(self, lambda count: self.dialog.setup.show_count(count))  # for the estimate
        finetuning.finetuning_submitted.connect(self._submitted)
        finetuning.finetuning_failed.connect(self._writing_failed)
        more = self.guard(lambda preset: self.show_task("finetune", preset=preset))
        finetuning.dialog_created.connect(lambda: finetuning.dialog.panel.more_requested.connect(more))
        self._announced = QTimer(self, singleShot=True, interval=0)
        self._announced.timeout.connect(self.announce_unfinished)
        self._announced.start()

    # The window

    @property
    def dialog(self) -> train_window.TrainWindow:
        """The Train window, created when first needed."""
        if self._dialog is None:
            self._dialog = train_window.TrainWindow(self._session, self._presets, self._speeds, self._workspace.window)
            self._dialog.setup.start_requested.connect(self.guard(self.start))
            self._dialog.setup.count_requested.connect(
                lambda count: self._counting.cancel() if count is None else self._counting.request(count)
            )
            self._dialog.setup.show_task("pretrain")
            self._dialog.unfinished.resume_requested.connect(self.guard(self.resume))
            if self._presets.problem:
                self._dialog.setup.show_problem(self._presets.problem)
            self._add_running()
        return self._dialog

    def guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot whose errors are shown in the Train window and in the main window."""
        return guard(step, self._show_caught)

    def _show_caught(self, error: UserError) -> None:
        self.dialog.setup.show_problem(error.message, error.hint)
        self._workspace.show_error(error.message, error.hint)

    def train(self) -> None:
        """Show the Train window: the progress of running trainings, else the settings."""
        setup = self.dialog.setup
        setup.show_task(setup.task)
        self._show_unfinished()
        is_training = any(page.job is not None and not page.job.has_ended for page in self.dialog.pages)
        self.dialog.show_tab(train_window.PROGRESS if is_training else train_window.SETUP)

    def show_task(self, task: presets.Task, run_id: str = "", preset: str = "") -> None:
        """Show the settings of a task; `run_id` selects the pretraining to start from."""
        self.dialog.setup.show_task(task, preset)
        if run_id and not self.dialog.setup.how.choose_start(run_id):
            raise UserError("That pretraining is no longer in the library.", "Choose another start.")
        self._show_unfinished()
        self.dialog.show_tab(train_window.SETUP)

    # Starting

    def start(self, request: starts.TrainingRequest) -> None:
        """Start a training: its inputs are written in another thread, then it is queued."""
        self._session.save_seen()
        details, session, chosen = request.details, self._session, request.study_ids
        own = {**details, "init": request.start.init}

        def write(run: runs.Run) -> JobSpec:
            if request.task == "train-reid":
                return work.train_reid_job(session, run.folder, own, chosen)
            return work.pretrain_job(session, run.folder, own, chosen, request.evaluation_ids)

        if request.task == "finetune":
            self._training.start_finetuning_on(details["preset"], details, chosen, request.start)
        else:
            self.preparing.begin(request.task, request.start, write)
        self.dialog.setup.set_blocked(tr("Writing the training data…"))

    def _writing_failed(self, outcome: Outcome) -> None:
        """The inputs could not be written; of a fine-tuning the main window already shows the error."""
        if self._dialog is not None:
            self._dialog.setup.set_blocked("")
            self._dialog.setup.show_problem(outcome.message, outcome.hint)

    def _submitted(self, run: runs.Run, job: Job) -> None:
        """A training was queued, from whichever window."""
        self._follow(run, job)
        if self._dialog is not None:
            self._show_job(run, job)

    def _show_job(self, run: runs.Run, job: Job) -> None:
        """Show the page of a run whose job was queued."""
        self._page_for(run).set_job(job)
        self.dialog.setup.set_blocked("")
        self._show_unfinished()
        if self.dialog.isVisible():
            self.dialog.show_tab(train_window.PROGRESS)

    def refresh(self) -> None:
        """Update the window after something was added to or deleted from the library."""
        self._show_unfinished()
        if self._dialog is not None:
            self._dialog.setup.refresh()

    # Resuming

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """The runs that can be resumed now."""
        return unfinished_runs(self._session.library, self._jobs.written_names)

    def announce_unfinished(self) -> None:
        """At startup, report a training that was interrupted by a crash or a restart."""
        cut_off = [item for item in self.unfinished if item.was_cut_off]
        if cut_off:
            resume = tr("To resume: Train, Pretrain and fine-tune ({key}).", key=keys.key_of("train"))
            self._workspace.show_message(f"{cut_off[0].sentence} {resume}")

    def resume(self, run_id: str) -> None:
        """Resume a run from its last checkpoint."""
        run = next((run for run in self._session.library.runs.all() if run.run_id == run_id), None)
        if run is None:
            raise UserError("That training is no longer in the library.", "Start a new one.")
        spec = work.resume_job(self._session, run)
        if run.kind == "finetune":
            job = self._training.resume_finetuning(run, spec)
        else:
            self._session.library.runs.resume(run_id)
            job = self._jobs.submit(spec)
            self._follow(run, job)
        step = newest_step(run.folder / "checkpoints")
        self._page_for(run).preload(run.folder, step)
        self._show_job(run, job)

    def _show_unfinished(self) -> None:
        if self._dialog is not None:
            self._dialog.unfinished.set_items(self.unfinished)

    # Following

    def _page_for(self, run: runs.Run) -> live_page.LivePage:
        """Show the page of a run; it is created on first use."""
        dialog = self.dialog
        page = dialog.page(run.run_id)
        if page is None:
            page = dialog.add_page(run)
            page.resume_requested.connect(self.guard(self.resume))
            page.use_requested.connect(self.guard(lambda run_id: self.show_task("finetune", run_id)))
        dialog.show_page(page)
        return page

    def _add_running(self) -> None:
        """Add pages, with the curves so far, for trainings started before the Train window was created."""
        for run in self._session.library.runs.all():
            job = self._jobs.job_writing(run.folder)
            if job is not None and run.kind not in ("evaluate", "experiment"):
                page = self._page_for(run)
                page.preload(run.folder)
                page.set_job(job)

    def _follow(self, run: runs.Run, job: Job) -> None:
        """Connect to a training's job, once."""
        self._rates[run.run_id] = []
        job.progressed.connect(self._workspace.guard(partial(self._job_progressed, run.run_id)))
        job.partial_arrived.connect(self._workspace.guard(partial(self._partial_arrived, run.run_id)))
        job.ended.connect(self._workspace.guard(partial(self._job_ended, run)))

    def _job_progressed(self, run_id: str, job: Job) -> None:
        if self._dialog is not None and (page := self._dialog.page(run_id)) is not None:
            page.set_job(job, job.has_ended and any(item.run.run_id == run_id for item in self.unfinished))

    def _partial_arrived(self, run_id: str, name: str, payload: Mapping[str, Any]) -> None:
        if name == "curve" and payload.get("images_per_second"):
            self._rates[run_id].append(payload["images_per_second"])
        if self._dialog is not None and (page := self._dialog.page(run_id)) is not None:
            page.add_partial(name, payload)

    def _job_ended(self, run: runs.Run, job: Job) -> None:
        outcome = job.outcome
        assert outcome is not None
        if job.spec.command != "finetune":
            message = outcome.message if outcome.kind == "failed" else ""
            self._session.library.runs.finish(run.run_id, outcome.kind, outcome.result or {}, message)
            if (run.folder / "config.json").is_file():  # the run keeps copies
                shutil.rmtree(run_files.inputs_folder(run.folder), ignore_errors=True)
        note_speed(self._speeds, run, job, self._rates.pop(run.run_id, []))
        self._job_progressed(run.run_id, job)
        self._show_unfinished()
        if self._dialog is not None and not self._jobs.is_closed:
            self._dialog.setup.refresh()
