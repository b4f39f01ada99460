"""Where the clips of a study come from; the only module to change when clips come from another file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.reidentification.grouping import of_length_one
from training.retrieval.clip_file import ClipFile
from training.retrieval.clips import Clips
from training.retrieval.frame_clips import frame_clips, median_step, study_clips
from training.texts import Text
from wce_desktop.core import Span, to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.session import keys, run_models, study_files
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class StudyClips:
    """Clips of a study."""

    clips: Clips  # with a vector each
    space: str  # vectors of two studies can be compared where this is equal
    seconds: float  # how long all their frames together are; 0 where clips are of one length whatever the place is


class SourceWords(NamedTuple):
    """How studies without clips of a source are called; texts that are shown by `tr`."""

    missing: str  # the sentence that names them, as `{studies}`
    waiting: str  # the sentence that names those for which a job waits or runs
    state: str  # behind the title of one of them
    first: str  # what to do with the study of the place
    make_one: str  # on the button that makes the clips of one study
    make_many: str  # the same of `{count}` studies


class UnusableClipsError(UserError):
    """The file of a study's clips cannot be used; a job can make it anew."""


@dataclass(frozen=True)
class StoredEmbeddings:
    """Clips from the embeddings of frames that scoring has stored."""

    model_id: str  # of the model in use; "" without one
    title: str  # of the model in use

    words: ClassVar = SourceWords(
        to_translate("Not scored by the model in use: {studies}."),
        to_translate("Being scored: {studies}."),
        to_translate("not scored"),
        to_translate("Score it first."),
        to_translate("Score it"),
        to_translate("Score {count} studies"),
    )

    @property
    def made_by(self) -> str:
        """What the search compares, for the reader."""
        if not self.model_id:
            return ""
        return tr(
            "Compared by single frames with the model “{model}”: what is listed looks alike, and seldom is the same "
            "place.",
            model=self.title,
        )

    @property
    def other_space(self) -> UserError:
        """What to say of a study that another model has scored."""
        return UserError(
            "Its scores were made by another model of this name.", "Score it again: {key}.", keys.key_of("score_study")
        )

    def path(self, files: study_files.StudyFiles) -> Path | None:
        """The scores of a study."""
        return files.scores_path(self.model_id) if self.model_id else None

    def of_place(self, path: Path, study: Study, span: Span, check: Callable[[], None]) -> StudyClips:
        """The frames of a span as one clip, from the embeddings at `path`; raises `UserError` for a damaged file."""
        with EmbeddingFile.open(path, study.fingerprint) as file:
            clips = frame_clips(file, np.array([span.start], np.int64), np.array([span.stop], np.int64), check)
            return StudyClips(clips, _space(file), _seconds(file, len(span)))

    def of_study(self, path: Path, study: Study, seconds: float, check: Callable[[], None]) -> StudyClips:
        """The clips of a study, each `seconds` long, from the embeddings at `path`; `UserError` for a damaged file."""
        with EmbeddingFile.open(path, study.fingerprint) as file:
            return StudyClips(study_clips(file, seconds, check=check), _space(file), _seconds(file, len(file)))


@dataclass(frozen=True)
class EmbeddedClips:
    """Clips from the clip files that a model trained on clips has made."""

    model: run_models.ClipModel

    words: ClassVar = SourceWords(
        to_translate("Not embedded by the clip model: {studies}."),
        to_translate("Being embedded: {studies}."),
        to_translate("not embedded"),
        to_translate("Embed it first."),
        to_translate("Embed it"),
        to_translate("Embed {count} studies"),
    )

    @property
    def made_by(self) -> str:
        """What the search compares, for the reader."""
        return tr(
            "Compared by the clip model “{model}”. The place is compared as the mean of the clips that overlap it "
            "most.",
            model=self.model.title,
        )

    @property
    def other_space(self) -> UserError:
        """What to say of a study whose clips other weights have made."""
        return UnusableClipsError("Its clips were embedded by other weights of this clip model.", "Embed it again.")

    def path(self, files: study_files.StudyFiles) -> Path | None:
        """The clip file of a study."""
        return self.model.path(files)

    def of_place(self, path: Path, study: Study, span: Span, check: Callable[[], None]) -> StudyClips:
        """The place as one clip: the mean of the study's clips that overlap it most (ours).

        The encoder is not asked, since torch is never in the window. A short place has up to as many clips as lie over
        one frame; a place that is longer than a clip has all clips that lie inside it.

        Raises:
            UnusableClipsError: the file is damaged, or of another model or video.
        """
        file = self._open(path, study)
        vector = overlapping_mean(file.clips, span)
        clips = Clips(np.array([span.start], np.int64), np.array([span.stop], np.int64), vector[None])
        return StudyClips(clips, file.header.space, 0.0)

    def of_study(self, path: Path, study: Study, seconds: float, check: Callable[[], None]) -> StudyClips:
        """The clips of a file; raises `UnusableClipsError` where it is damaged, or of another model or video."""
        file = self._open(path, study)
        return StudyClips(file.clips, file.header.space, 0.0)

    def _open(self, path: Path, study: Study) -> ClipFile:
        again = Text("Embed it again.")
        try:
            file = ClipFile.open(path)
        except UserError as error:
            raise UnusableClipsError("Its clip file is damaged or not finished.", again) from error
        if file.header.model_id != self.model.model_id:
            raise UnusableClipsError("Its clip file was made by another clip model.", again)
        if file.header.video_fingerprint != study.fingerprint:
            raise UnusableClipsError("Its clip file is of a video with other contents.", again)
        return file


ClipSource = StoredEmbeddings | EmbeddedClips
"""What a whole search compares: the clips of all its studies come from the same source."""


def chosen_source(session: Session) -> tuple[ClipSource, str]:
    """What a search compares now, and why it is not the clip model that was chosen; "" where it is."""
    problem = ""
    try:
        model = run_models.chosen_clip_model(session)
    except UserError as error:
        model, problem = None, tr(error.message)
    if model is not None:
        return EmbeddedClips(model), ""
    in_use = session.current_model
    return StoredEmbeddings(session.model_id, in_use.title if in_use is not None else ""), problem


def overlapping_mean(clips: Clips, span: Span) -> NDArray[np.float32]:
    """(D,) of length 1: the mean of the vectors of the clips that share the most frames with a span.

    Clips without a vector do not count; zeros where no other clip shares a frame with the span.
    """
    shared = np.minimum(clips.stops, span.stop) - np.maximum(clips.starts, span.start)
    shared[~clips.vectors.any(axis=1)] = 0
    most = int(shared.max(initial=0))
    if most <= 0:
        return np.zeros(clips.vectors.shape[1], np.float32)
    return of_length_one(clips.vectors[shared == most].mean(axis=0))


def _space(file: EmbeddingFile) -> str:
    return f"{file.header.model_sha256} {file.header.space} {file.embeddings.shape[1]}"


def _seconds(file: EmbeddingFile, frames: int) -> float:
    """How long so many frames of a study are, usually; frame by frame where the times say nothing."""
    return frames * (median_step(file.video_seconds) or 1.0)
