"""The jobs that embed the clips of studies with the clip model that compares places."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.jobs.job import Job
from wce_desktop.session.clip_models import ClipModel, embed_clips_job
from wce_desktop.session.keys import key_of
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session
from wce_desktop.threads.job_center import JobCenter


class ClipEmbedding(QObject):
    """Queues one job for a study and a model at a time."""

    ended = Signal(str)
    """A job for this study has ended, however it ended."""
    failed = Signal(str, str)
    """A job has failed: a sentence and what to do."""

    def __init__(self, session: Session, jobs: JobCenter, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._jobs = session, jobs
        self._running: dict[str, Path] = {}  # job -> clip file
        jobs.job_ended.connect(self._job_ended)

    def request(self, study: Study, model: ClipModel) -> None:
        """Embed the clips of a study, unless a job does so.

        Raises:
            UserError: its video is gone, or the library is read only.
        """
        if self.is_embedding(study, model):
            return
        if not is_there(study.path):
            raise UserError(
                tr("The video of “{study}” was not found.", study=study.name),
                tr("Open it from where it is now: {key}.", key=key_of("open_files")),
            )
        job = self._jobs.submit(embed_clips_job(self._session, study, model))
        self._running[job.job_id] = self._path(study, model)

    def is_embedding(self, study: Study, model: ClipModel) -> bool:
        """Whether a job that embeds a study's clips waits or runs."""
        return self._path(study, model) in self._running.values()

    def close(self) -> None:
        """Follow no job any more."""
        self._jobs.job_ended.disconnect(self._job_ended)

    def _path(self, study: Study, model: ClipModel) -> Path:
        return model.path(self._session.files(study))

    def _job_ended(self, job: Job) -> None:
        if self._running.pop(job.job_id, None) is None:
            return
        self.ended.emit(job.spec.study_id)
        if job.outcome is not None and job.outcome.kind == "failed":
            self.failed.emit(tr(job.outcome.message), tr(job.outcome.hint))
