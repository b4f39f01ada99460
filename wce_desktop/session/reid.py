"""The re-identification models of the library, and the jobs that embed the flags of studies with one of them."""

from collections.abc import Sequence

from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Library
from wce_desktop.library.runs.run_files import has_reid_model
from wce_desktop.library.work import Run
from wce_desktop.session.session import Session


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


def embed_job(session: Session, study: Study, run: Run, threshold: float) -> JobSpec:
    """Embed the frames that the model in use flags in a study, and those of the study's findings.

    Args:
        session: library, settings and model in use, which has scored the study.
        study: the study.
        run: of the re-identification model.
        threshold: the reader's.
    """
    files, model_id = session.files(study), session.model_id
    index = files.usable_index
    findings: Sequence[tuple[int, int, str]] = [
        (finding.span.start, finding.span.stop, finding.kind)
        for finding in session.library.annotations.findings(study.study_id)
    ]
    return JobSpec(
        title=tr("embedding the flags of {name}", name=study.name),
        command="embed-reid",
        config={
            "path": str(study.path),
            "scores": str(files.scores_path(model_id)),
            "model": str(run.folder),
            "out": str(files.reid_path(run.run_id, model_id)),
            "overwrite": True,  # the library's own file, damaged ones too
            "threshold": threshold,
            "findings": findings,
            "index": str(index) if index else None,
            "numbering": study.frame_numbering,
            "device": session.settings["device"],
        },
        study_id=study.study_id,
    )
