"""Where the clips of a study come from; the only module to change when clips come from another file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.embeddings.file import EmbeddingFile
from training.retrieval.clips import Clips
from training.retrieval.frame_clips import frame_clips, median_step, study_clips
from wce_desktop.core.span import Span


@dataclass(frozen=True)
class StudyClips:
    """Clips of a study.

    Attributes:
        clips: with a vector each.
        space: vectors of two studies can be compared where this is equal.
        seconds: how long all their frames together are.
    """

    clips: Clips
    space: str
    seconds: float


def clips_of_study(path: Path, seconds: float, check: Callable[[], None]) -> StudyClips:
    """The clips of a study, each `seconds` long, from the embeddings of its frames at `path`.

    Raises:
        UserError: the file is missing or damaged.
    """
    with EmbeddingFile.open(path) as file:
        return StudyClips(study_clips(file, seconds, check=check), _space(file), _seconds(file, len(file)))


def clip_of_place(path: Path, span: Span, check: Callable[[], None]) -> StudyClips:
    """The frames of a span as one clip, from the embeddings at `path`.

    Raises:
        UserError: the file is missing or damaged.
    """
    with EmbeddingFile.open(path) as file:
        clips = frame_clips(file, np.array([span.start], np.int64), np.array([span.stop], np.int64), check)
        return StudyClips(clips, _space(file), _seconds(file, len(span)))


def made_by(model_title: str) -> str:
    """What the search compares, for the reader."""
    return f"Compared by stored embeddings of the model “{model_title}”, not by a model trained on clips."


def _space(file: EmbeddingFile) -> str:
    return f"{file.header.model_sha256} {file.header.space} {file.embeddings.shape[1]}"


def _seconds(file: EmbeddingFile, frames: int) -> float:
    """How long so many frames of a study are, usually; frame by frame where the times say nothing."""
    return frames * (median_step(file.video_seconds) or 1.0)
