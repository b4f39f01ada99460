"""The demo study with scores, and the starter model of every new library."""

import shutil
from pathlib import Path

from training.errors import UserError
from training.files.outputs import written_beside
from training.video import build_index
from wce_desktop.core.study import Study
from wce_desktop.session.demo import demo_video
from wce_desktop.session.places import resources_folder
from wce_desktop.session.session import Session


def ensure_model(session: Session) -> None:
    """Add the starter model to a library without models."""
    folder = resources_folder() / "models" / "starter"
    if session.current_model is None and (folder / "config.json").is_file():
        model = session.library.models.register(folder, title="Starter model")
        session.scores.use_model(model.model_id)


def add_demo_study(session: Session) -> Study:
    """The demo study with its scores; added to the library at the first call.

    Raises:
        UserError: when the demo's files are missing.
    """
    video = demo_video()
    scores = video.with_suffix(".h5")
    if not video.is_file():
        raise UserError("The demo study “{video}” is missing.", "Install the application again.", video)
    ensure_model(session)
    study = session.known_study(video) or session.add_study(video, build_index(video), patient_id="phantom")
    _copy_scores(session, study, scores)
    return study


def _copy_scores(session: Session, study: Study, scores: Path) -> None:
    """Copy the scores of the demo study, if they are the current model's."""
    from training.embeddings.file import EmbeddingFile

    model = session.current_model
    if model is None or not scores.is_file():
        return
    with EmbeddingFile.open(scores, study.fingerprint) as file:
        made_by = file.header.model_id
    place = session.files(study).scores_path(made_by)
    if made_by == model.model_id and not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place) as beside:
            shutil.copyfile(scores, beside)
        session.scores.scored(study.study_id, made_by)
