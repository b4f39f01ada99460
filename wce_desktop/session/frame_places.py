"""Where a frame of any study of the library is read: its video, index, and field of view."""

from dataclasses import dataclass
from pathlib import Path

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.video import FieldOfView, FrameIndex
from wce_desktop.core.study import Study
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session
from wce_desktop.session.study_files import field_of_view_of


@dataclass(frozen=True)
class FramePlace:
    """What is needed to read the frames of a study.

    Attributes:
        study: its row in the library.
        index: its frames and their times.
        field_of_view: as scoring found it; None where the study was not scored by the model in use.
    """

    study: Study
    index: FrameIndex
    field_of_view: FieldOfView | None

    @property
    def path(self) -> Path:
        """The video file or folder of images."""
        return self.study.path


class FramePlaces:
    """Looks places up for one model; may be asked in any thread."""

    def __init__(self, session: Session) -> None:
        self._library, self._files, self._model_id = session.library, session.files, session.model_id

    def __call__(self, study_id: str) -> FramePlace:
        """The place of a study's frames.

        Raises:
            UserError: the library has no such study, its video is gone, or it was never opened.
        """
        try:
            study = self._library.study(study_id)
        except KeyError as error:
            raise UserError(f"The library has no study {study_id!r} any more.", "Ask again.") from error
        if not is_there(study.path):
            raise UserError(
                f"The video of “{study.name}” is not where it was.", "Say where it is now: Study, Find a moved video."
            )
        files = self._files(study)
        index = files.load_index(study.fingerprint)
        if index is None:
            raise UserError(f"“{study.name}” has no index of its frames.", "Open the study once.")
        return FramePlace(study, index, self._field_of_view(files.scores_path(self._model_id)))

    def _field_of_view(self, path: Path) -> FieldOfView | None:
        if not self._model_id or not path.is_file():
            return None
        try:
            with EmbeddingFile.open(path) as file:
                return field_of_view_of(file)
        except UserError:  # without it frames are shown as they are
            return None
