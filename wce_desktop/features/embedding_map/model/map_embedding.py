"""Embedding studies with a pretraining, before or after its projection head, so that a map can show them."""

from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.work import Run
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session


def embedding_path(session: Session, study: Study, run: Run, space: str) -> Path:
    """Where a study's embeddings by a pretraining stand: beside those of models, found like them."""
    return session.files(study).folder / f"embeddings-{run.run_id}-{space}.h5"


def embedding_jobs(session: Session, run: Run, space: str, studies: Sequence[Study]) -> list[JobSpec]:
    """One job for each study that has none yet and whose video is there; one that was stopped goes on.

    Raises:
        UserError: there is nothing to do, and why.
    """
    if not studies:
        raise UserError("No study is ticked.", "Tick the studies to embed.")
    there = [study for study in studies if is_there(study.path)]
    missing = [study for study in there if not embedding_path(session, study, run, space).is_file()]
    if not missing:
        why = "is embedded already" if there else "has its video where it was"
        raise UserError(
            f"{'Every' if there else 'No'} ticked study {why}.",
            "Close this and make the map." if there else "Say where the videos are: Study, Find a moved video.",
        )
    return [_job(session, run, space, study) for study in missing]


def _job(session: Session, run: Run, space: str, study: Study) -> JobSpec:
    index = session.files(study).usable_index
    config = {
        "path": str(study.path),
        "model": str(run.folder),
        "space": space,
        "out": str(embedding_path(session, study, run, space)),
        "index": str(index) if index else None,
        "resume": True,
        "overwrite": True,  # the library's own file, damaged ones too
        "device": session.settings["device"],
    }
    return JobSpec(title=f"embedding {study.name} with {run.title}", command="score", config=config)
