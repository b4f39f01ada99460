"""The jobs that embed flagged frames with the re-identification model that groups them."""

from PySide6.QtCore import QObject, Signal

from wce_desktop.core.study import Study
from wce_desktop.library.work import Run
from wce_desktop.session.places import is_there
from wce_desktop.session.reading import Reading
from wce_desktop.session.run_models import embed_job
from wce_desktop.threads.job import Job
from wce_desktop.workspace import Workspace

Asked = tuple[str, str, str, float, int]
"""Study, run, scoring model, threshold and number of findings."""


class Embedding(QObject):
    """Queues one job for a study at a time; what has failed is not tried again until something changes."""

    embedded = Signal()
    """The frames of a study were embedded."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._session, self._jobs = workspace.session, workspace.jobs
        self._newest: dict[str, Job] = {}  # by study
        self._asked: set[Asked] = set()

    def request(self, study: Study, run: Run, reading: Reading) -> None:
        """Embed the flagged frames of a study and its findings, unless a job does so or did not succeed."""
        library = self._session.library
        findings = len(library.annotations.findings(study.study_id))
        asked = study.study_id, run.run_id, self._session.model_id, reading.flags.threshold, findings
        newest = self._newest.get(study.study_id)
        is_possible = not library.read_only and is_there(study.path)
        if asked in self._asked or (newest is not None and not newest.has_ended) or not is_possible:
            return
        self._asked.add(asked)
        job = self._newest[study.study_id] = self._jobs.submit(
            embed_job(self._session, study, run, reading.flags.threshold)
        )
        job.ended.connect(self._job_ended)

    def forget(self) -> None:
        """Try everything again."""
        self._asked.clear()

    def close(self) -> None:
        """Report no job any more."""
        self.blockSignals(True)

    def _job_ended(self, job: Job) -> None:
        if job.outcome is not None and job.outcome.kind == "done":
            self.embedded.emit()
