"""Writing the inputs of a run in another thread, then queueing its job."""

from collections.abc import Callable

from PySide6.QtCore import Signal

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run, RunKind
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Part, Workspace

TITLES = {
    "pretrain": "Pretrained",
    "train-reid": "Re-identification",
    "finetune": "Fine-tuned",
    "evaluate": "Cross-validation",
    "experiment": "Experiment",
}
"""Kind of a run -> its title as the library stores it, before its number."""


class Preparing(Part):
    """Prepares one run at a time."""

    submitted = Signal(object, object)  # Run, Job
    failed = Signal(object)  # Outcome: the inputs could not be written; the run is kept as failed

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self.run: Run | None = None
        """The run whose inputs are being written."""
        self._writing = FunctionThread(self, workspace.guard(self._submit), workspace.guard(self._fail))

    def check(self) -> None:
        """Raise `UserError` while a run is being prepared."""
        if self.run is not None:
            raise UserError("A training is already being prepared.", "Wait a moment.")

    def begin(self, kind: RunKind, start: Start, write: Callable[[Run], JobSpec], title: str = "") -> Run:
        """Add a run that starts from a model or a pretraining, and write its inputs; `title`: before its number.

        Raises:
            UserError: another one is being prepared.
        """
        self.check()
        count = sum(run.kind == kind for run in self._session.library.runs.all()) + 1
        model_id, run_id = start.model_id or None, start.run_id or None
        title = f"{title} · {count}" if title else f"{TITLES[kind]} {count}"
        self.run = run = self._session.library.runs.add(title, kind=kind, base_model_id=model_id, base_run_id=run_id)
        self._writing.request(lambda _: write(run))
        return run

    def _submit(self, spec: JobSpec) -> None:
        run, self.run = self.run, None
        self.submitted.emit(run, self._workspace.jobs.submit(spec))

    def _fail(self, outcome: Outcome) -> None:
        run, self.run = self.run, None
        if run is not None:
            self._session.library.runs.finish(run.run_id, "failed", {}, outcome.message)
        self.failed.emit(outcome)
