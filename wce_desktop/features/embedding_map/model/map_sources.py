"""Which embeddings the library holds: every model, or step of a pretraining, that has gone over some of the studies."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from wce_desktop.core.clock import counted
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session

FILE_PATTERN = "embeddings-*.h5"
SPACE_WORDS = {"backbone": "before the projection head", "projection": "after the projection head"}


@dataclass(frozen=True)
class MapSource:
    """The studies that one model has embedded in one space: what can stand in one map.

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


def map_sources(session: Session, studies: Collection[Study] | None = None) -> tuple[MapSource, ...]:
    """All sources, the model in use first, then those with most studies; opens every embedding file for a moment.

    Changes nothing, so that it may run in another thread.
    """
    found: dict[tuple[str, str, str], dict[str, Path]] = {}
    for study in session.library.studies() if studies is None else studies:
        for path in sorted(session.files(study).folder.glob(FILE_PATTERN)):
            key = _key_of(path)
            if key is not None:
                found.setdefault(key, {})[study.study_id] = path
    titles = {model.model_id: model.title for model in session.library.models()}
    runs = {run.run_id: run.title for run in session.library.runs()}
    sources = [
        MapSource(
            _title(titles.get(model_id) or _run_title(model_id, runs), space, found), model_id, digest, space, paths
        )
        for (model_id, digest, space), paths in found.items()
    ]
    return tuple(sorted(sources, key=lambda source: (source.model_id != session.model_id, -len(source.paths))))


def _run_title(model_id: str, runs: Mapping[str, str]) -> str:
    """ "Pretraining 1, step 400" for "<run_id> step 400", as `score` names what a pretraining embedded."""
    run_id, _, step = model_id.partition(" step ")
    return f"{runs[run_id]}, step {step}" if run_id in runs and step else model_id


def _title(model: str, space: str, found: Collection[tuple[str, str, str]]) -> str:
    """The space is said where there is a choice of spaces at all."""
    return f"{model}, {SPACE_WORDS[space]}" if any(key[2] == "projection" for key in found) else model


def _key_of(path: Path) -> tuple[str, str, str] | None:
    """Model, weights and space of a finished file; None for what cannot be read, which scoring makes again."""
    try:
        with EmbeddingFile.open(path) as file:
            return file.header.model_id, file.header.model_sha256, file.header.space
    except UserError:
        return None
