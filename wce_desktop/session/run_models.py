"""The models of runs that group flags and compare places, and the jobs that embed studies with one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.embeddings.writer import partial_path
from training.errors import UserError
from training.pretraining.pretrained import Pretrained
from training.reidentification.study_vectors import FLOOR_SHARE
from training.retrieval.clip_file import ClipFile
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Library
from wce_desktop.library.run_files import encodes_clips, has_reid_model
from wce_desktop.library.runs import Run
from wce_desktop.library.unfinished_runs import has_weights
from wce_desktop.session.flags import Flags
from wce_desktop.session.session import Session
from wce_desktop.session.study_files import StudyFiles
from wce_desktop.session.work import study_job


@dataclass(frozen=True)
class ClipModel:
    """An encoder of clips: the newest weights of a finished pretraining."""

    run_id: str  # of the pretraining
    title: str  # of the pretraining
    folder: Path  # of the pretraining
    step: int  # of the weights
    model_id: str  # its name in clip files

    @classmethod
    def of(cls, run: Run) -> "ClipModel":
        """The model of a run; raises `UserError` where the run is damaged. Its weights are not read."""
        result = Pretrained.open(run.folder, of_clips=True)
        return cls(run.run_id, run.title, run.folder, result.step, result.model_id)

    def path(self, files: StudyFiles) -> Path:
        """Where the clips of a study are."""
        return files.clips_path(self.run_id, self.step)


def is_clip_run(run: Run) -> bool:
    """Whether a run is a finished pretraining of an encoder of clips."""
    return run.state == "done" and has_weights(run) and encodes_clips(run)


def clip_runs(library: Library) -> list[Run]:
    """The finished pretrainings of an encoder of clips, oldest first."""
    return [run for run in library.runs.all() if is_clip_run(run)]


def chosen_clip_model(session: Session) -> ClipModel | None:
    """The model that places are compared by; None where stored embeddings are.

    Raises:
        UserError: the chosen run was deleted or is damaged.
    """
    chosen = session.settings["compare_by"]
    if not chosen:
        return None
    run = next((run for run in clip_runs(session.library) if run.run_id == chosen), None)
    if run is None:
        raise UserError("The chosen clip model is no longer in the library.")
    try:
        return ClipModel.of(run)
    except UserError as error:
        raise UserError("The clip model “{title}” cannot be used: its run is damaged.", "", run.title) from error


def embed_clips_job(session: Session, study: Study, model: ClipModel) -> JobSpec:
    """Embed all clips of a study; a job that was stopped goes on where it was."""
    out = model.path(session.files(study))
    resume = _can_resume(out, study, model)
    config = {"model": str(model.folder), "step": model.step, "out": str(out), "resume": resume}
    return study_job(session, study, tr("embedding the clips of {name}", name=study.shown_name), "embed-clips", config)


def _can_resume(out: Path, study: Study, model: ClipModel) -> bool:
    """Whether the unfinished file is readable, and of this model and video."""
    if not partial_path(out).is_file():
        return False
    try:
        header = ClipFile.read_unfinished(out).header
    except UserError:
        return False
    return (header.model_id, header.video_fingerprint) == (model.model_id, study.fingerprint)


def reid_runs(library: Library) -> list[Run]:
    """The runs that have made a re-identification model, oldest first."""
    return [run for run in library.runs.all() if has_reid_model(run)]


def grouping_run(session: Session) -> Run | None:
    """The run whose model groups flags; None: stored embeddings and time do, also where the run was deleted."""
    chosen = session.settings["group_by"]
    return next((run for run in reid_runs(session.library) if run.run_id == chosen), None) if chosen else None


def earlier_studies(session: Session, study: Study) -> list[Study]:
    """The other studies of a study's patient that were added to the library before it.

    The library does not know when an examination was made.
    """
    studies = session.library.studies.shown()
    place = next((at for at, other in enumerate(studies) if other.study_id == study.study_id), 0)
    return [other for other in studies[:place] if other.patient_id == study.patient_id]


def embed_job(session: Session, study: Study, run: Run, flags: Flags) -> JobSpec:
    """Embed the frames that the model in use flags in a study, and those of the study's findings.

    Args:
        session: library, settings and model in use, which has scored the study.
        study: the study.
        run: of the re-identification model.
        flags: of the study.
    """
    files, model_id, scale = session.files(study), session.model_id, flags.scale
    findings: Sequence[tuple[int, int, str]] = [
        (finding.span.start, finding.span.stop, finding.kind)
        for finding in session.library.annotations.findings(study.study_id)
    ]
    config = {
        "scores": str(files.scores_path(model_id)),
        "model": str(run.folder),
        "out": str(files.reid_path(run.run_id, model_id)),
        "threshold": flags.threshold,
        "floors": {}
        if scale is None
        else {name: scale.score_at(name, FLOOR_SHARE * flags.threshold) for name in scale.thresholds},
        "findings": findings,
    }
    return study_job(session, study, tr("embedding the flags of {name}", name=study.shown_name), "embed-reid", config)
