"""Embeddings in the library that a map can show, and the jobs that compute more."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session
from wce_desktop.session.work import study_settings

FILE_PATTERN = "embeddings-*.h5"
SPACES = {
    "backbone": to_translate("Before the projection head"),
    "projection": to_translate("After the projection head"),
}
"""The spaces of embeddings, as they are offered."""
_SPACE_OF_MODEL = {
    "backbone": to_translate("{model}, before the projection head"),
    "projection": to_translate("{model}, after the projection head"),
}


@dataclass(frozen=True)
class MapSource:
    """The studies embedded by one model in one space; they can share a map.

    Attributes:
        title: what the screen calls it.
        model_id: as the files say.
        model_sha256: of the weights; two models of one name are two sources.
        space: "backbone" or "projection".
        paths: the embedding file by study_id, in the order of the library.
    """

    title: str
    model_id: str
    model_sha256: str
    space: str
    paths: Mapping[str, Path]

    @property
    def words(self) -> str:
        """ "small-bowel 3, before the projection head: 4 studies"."""
        return f"{self.title}: {counted(len(self.paths), 'study')}"


def map_sources(session: Session) -> tuple[MapSource, ...]:
    """All sources, the model in use first, then those with most studies; opens every embedding file for a moment.

    Changes nothing, so it can run in another thread.
    """
    by_model: dict[tuple[str, str, str], dict[str, Path]] = {}
    for study in session.library.studies.all():
        for path in sorted(session.files(study).folder.glob(FILE_PATTERN)):
            key = _key_of(path, study)
            if key is not None:
                by_model.setdefault(key, {})[study.study_id] = path
    sources = [
        MapSource(_title(title_of(session, model_id), space, by_model), model_id, digest, space, paths)
        for (model_id, digest, space), paths in by_model.items()
    ]
    return tuple(sorted(sources, key=lambda source: (source.model_id != session.model_id, -len(source.paths))))


def title_of(session: Session, model_id: str) -> str:
    """The title of a model; "Pretraining 1, step 400" for "<run_id> step 400", the embeddings of a pretraining."""
    titles = {model.model_id: model.title for model in session.library.models.all()}
    if model_id in titles:
        return titles[model_id]
    runs = {run.run_id: run.title for run in session.library.runs.all()}
    run_id, _, step = model_id.partition(" step ")
    return tr("{run}, step {step}", run=runs[run_id], step=step) if run_id in runs and step else model_id


def _title(model: str, space: str, keys: Collection[tuple[str, str, str]]) -> str:
    """The space is named only if there is a choice."""
    return tr(_SPACE_OF_MODEL[space], model=model) if any(key[2] == "projection" for key in keys) else model


def _key_of(path: Path, study: Study) -> tuple[str, str, str] | None:
    """Model, weights and space of a finished file of a study; None for one that cannot be read or is of another."""
    try:
        with EmbeddingFile.open(path, study.fingerprint) as file:
            return file.header.model_id, file.header.model_sha256, file.header.space
    except UserError:
        return None


def embedding_path(session: Session, study: Study, run: Run, space: str) -> Path:
    """Path of a study's embeddings by a pretrained model."""
    return session.files(study).folder / f"embeddings-{run.run_id}-{space}.h5"


def embedding_jobs(session: Session, run: Run, space: str, studies: Sequence[Study]) -> list[JobSpec]:
    """One job for each study that has none yet and whose video is there; stopped ones are resumed.

    Raises:
        UserError: there is nothing to do.
    """
    if not studies:
        raise UserError("No study is ticked.", "Tick the studies to embed.")
    there = [study for study in studies if is_there(study.path)]
    missing = [
        study for study in there if not session.files(study).has_embeddings(embedding_path(session, study, run, space))
    ]
    if not there:
        raise UserError(
            "No ticked study has its video at its known place.", "Locate the videos: Study, Find a moved video."
        )
    if not missing:
        raise UserError("Every ticked study already has these embeddings.", "Close this window and create the map.")
    return [_job(session, run, space, study) for study in missing]


def _job(session: Session, run: Run, space: str, study: Study) -> JobSpec:
    config = {
        **study_settings(session.files(study), study),
        "model": str(run.folder),
        "space": space,
        "out": str(embedding_path(session, study, run, space)),
        "resume": not embedding_path(session, study, run, space).is_file(),  # one that is there is of no use
        "device": session.settings["device"],
        "storage": session.settings["storage"],
    }
    title = tr("embeddings of {study} with {model}", study=study.shown_name, model=run.title)
    return JobSpec(title=title, command="score", config=config)
