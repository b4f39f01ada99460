"""The demo study with scores, and the starter model of every new library.

It is synthetic, so its labels take part in a fine-tuning only when asked for.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.files.outputs import written_beside
from training.video import build_index
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.session.places import resources_folder
from wce_desktop.session.session import Session

VIDEO_NAME = "demo-study.mp4"
SETTING = "use_demo_labels"


def demo_video() -> Path:
    """The video of the demo study."""
    return resources_folder() / "demo" / VIDEO_NAME


def is_demo(study: Study) -> bool:
    """Whether this is the demo study, also where another version of the program added it."""
    return study.path.name == VIDEO_NAME


@dataclass(frozen=True)
class DemoLabels:
    """The labels of the demo study."""

    study_ids: frozenset[str] = frozenset()  # the demo study, if it has labels
    are_only: bool = False  # no other study has labels
    are_used: bool = False  # a fine-tuning uses them: asked for, or there are no others

    @property
    def left_out(self) -> frozenset[str]:
        """The studies whose labels a fine-tuning does not use."""
        return frozenset() if self.are_used else self.study_ids


def demo_labels(session: Session) -> DemoLabels:
    """Look for labels of the demo study; a library without the demo study costs no look at its labels."""
    demo = {study.study_id for study in session.library.studies.all() if is_demo(study)}
    if not demo:
        return DemoLabels()
    labelled = {row.study_id for row in session.library.annotations.label_counts_by_study()}
    are_only = bool(labelled) and labelled <= demo
    held = frozenset(study_id for study_id in demo if session.library.annotations.answers(study_id))
    return DemoLabels(held, are_only, are_only or bool(session.settings[SETTING]))


def studies_to_learn_from(session: Session) -> frozenset[str] | None:
    """The studies that a fine-tuning on all labels uses; None: all of the library."""
    left_out = demo_labels(session).left_out
    if not left_out:
        return None
    return frozenset(study.study_id for study in session.library.studies.all()) - left_out


def ensure_model(session: Session) -> None:
    """Add the starter model to a library without models."""
    folder = resources_folder() / "models" / "starter"
    if session.current_model is None and (folder / "config.json").is_file():
        model = session.library.models.register(folder, title=tr("Starter model"))
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
    study = session.known_study(video)
    if study is None:
        study = session.add_study(video, build_index(video), patient_id="Demonstration")
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
