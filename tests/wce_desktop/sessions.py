"""A session on a little study with known scores: the material of the tests of app and ui."""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.videos import write_video
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout, share_codes
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.models.config import ModelConfig
from training.models.folder import write_model_folder
from training.video import FrameIndex, build_index
from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.library.storage import opening
from wce_desktop.session.places import resource
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings

FRAMES = 60
CLASSES = ("normal", "polyp", "blood")
POLYP_AT, BLOOD_AT = slice(10, 14), slice(40, 42)


def known_scores() -> NDArray[np.float32]:
    """(60, 3): a polyp in frames 10 to 13 with its peak at 12, blood in 40 and 41; frame 50 does not decode."""
    scores = np.full((FRAMES, len(CLASSES)), 0.1, dtype=np.float32)
    scores[POLYP_AT, 1] = (0.7, 0.8, 0.95, 0.6)
    scores[BLOOD_AT, 2] = (0.9, 0.85)
    scores[50] = np.nan
    return scores


def write_scores(
    path: Path,
    model_id: str,
    scores: NDArray[np.float32],
    fingerprint: str = "",
    tracks: Mapping[str, NDArray[np.floating]] | None = None,
) -> Path:
    """A finished embedding file with these scores (N, C), C <= 3, and CAMs of the same size as the scores.

    Without a fingerprint it is that of an older version, which belongs to any study. `tracks` are indicators (N,) by
    name.
    """
    count, classes = scores.shape
    header = EmbeddingHeader(
        model_id=model_id,
        model_sha256="0" * 64,
        classes=CLASSES[:classes],
        tracks=tuple(tracks or ()),
        preprocessing="{}",
        video_fingerprint=fingerprint,
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    layout = EmbeddingLayout(frames=count, embedding_size=4, classes=classes, cam_size=2, tracks=len(header.tracks))
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = EmbeddingWriter.create(path, header, layout, np.arange(count) / 25)
    cams = np.repeat(np.repeat(scores[:, :, None, None], 2, axis=2), 2, axis=3)
    color = np.full((count, 3), 120, dtype=np.uint8)
    codes = share_codes(np.stack(list(tracks.values()), axis=1)) if tracks else None
    writer.append(EmbeddingChunk(np.ones((count, 4), np.float32), color, scores, cams, codes))
    return writer.finish()


def write_model(folder: Path, model_id: str, value: float = 0.0) -> Path:
    """A model folder that passes its checks and can score nothing."""
    config = ModelConfig(model_id=model_id, classes=CLASSES)
    weights = {"classifier.weight": np.full((len(CLASSES), config.embedding_size), value, dtype=np.float16)}
    return write_model_folder(folder / model_id, config, weights, {"method": "test"}).path


@cache
def _prepared(_opener: Callable[..., object], *, has_model: bool) -> Path:
    """A folder with an empty library and, if asked for, a model in use; made once, since copying it is quicker.

    Args:
        _opener: opens libraries; tests put another one in its place, whose libraries lie elsewhere.
    """
    folder = Path(tempfile.mkdtemp(prefix="library-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with Library.open(folder / "library", "reader") as library:
        if has_model:
            library.models.register(write_model(folder / "models", "m1"), title="Model 1")
            library.models.set_current("m1")
    shutil.rmtree(folder / "library" / "backups", ignore_errors=True)
    return folder


@cache
def recording(frames: int, gop: int = 12) -> tuple[bytes, FrameIndex]:
    """A video and its index, made once."""
    with tempfile.TemporaryDirectory() as folder:
        video = write_video(Path(folder) / "study.mp4", frames, gop=gop)
        return video.read_bytes(), build_index(video)


def make_session(folder: Path, *, has_model: bool = True) -> Session:
    """A session on an empty library, with a model in use unless told otherwise."""
    shutil.copytree(_prepared(opening.open_folder, has_model=has_model), folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backups, "backup", lambda *_, **__: None)  # a new library has none
        library = Library.open(folder / "library", "reader")
    (folder / "library" / "backups").rmdir()
    settings = Settings(folder / "settings.json")
    settings.set("score_when_opened", False)
    settings.set("keep_model_ready", False)
    settings.set("desk", "research")  # has all that the other desk has, and more
    return Session(library, settings, load_vocabulary(resource("labels", "default.json")))


def add_study(
    session: Session,
    folder: Path,
    *,
    is_scored: bool = True,
    tracks: Mapping[str, NDArray[np.floating]] | None = None,
    gop: int = 12,
) -> Study:
    """The little study in the session's library, scored by the model in use; with another `gop` it is another one."""
    content, index = recording(FRAMES, gop)
    video = folder / "study.mp4"
    video.write_bytes(content)
    study = session.add_study(video, index)
    if is_scored:
        path = session.files(study).scores_path(session.model_id)
        write_scores(path, session.model_id, known_scores(), study.fingerprint, tracks)
        session.scores.scored(study.study_id, session.model_id)
    return session.library.studies.get(study.study_id)


def open_study(session: Session, study: Study) -> None:
    """Open a study without a window."""
    index = session.files(study).load_index(study.fingerprint)
    assert index is not None
    session.open_study(study, index)
