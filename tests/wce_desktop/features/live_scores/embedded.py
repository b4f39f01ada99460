"""A session whose studies have embeddings that tell blood from normal, without a network that computed them."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.videos import write_video
from tests.wce_desktop.sessions import make_session
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.models.folder import ModelFolder
from training.video import build_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session

FRAMES = 40
BLOOD = slice(20, 40)
"""Frames whose embeddings differ from the others'."""


def embeddings_of(number: int, size: int) -> NDArray[np.float32]:
    """(40 + number, size): noise, and from frame 20 to 40 a direction that all studies share."""
    made = np.random.default_rng(number).normal(size=(FRAMES + number, size)).astype(np.float32)
    made[BLOOD, : size // 8] += 2.0
    return made


def write_embeddings(
    path: Path,
    model: ModelFolder,
    fingerprint: str,
    points: NDArray[np.float32],
    scores: NDArray[np.float32] | None = None,
) -> None:
    """A finished embedding file as scoring writes it, with scores of no information where none are given."""
    config = model.config
    preprocessing = {"input_size": config.input_size, "mean": list(config.mean), "std": list(config.std)}
    header = EmbeddingHeader(
        model_id=config.model_id,
        model_sha256=model.sha256,
        classes=config.classes,
        preprocessing=json.dumps(preprocessing),
        video_fingerprint=fingerprint,
        video_path="",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    layout = EmbeddingLayout(frames=len(points), embedding_size=points.shape[1], classes=len(config.classes))
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = EmbeddingWriter.create(path, header, layout, np.arange(len(points)) / 25)
    if scores is None:
        scores = np.full((len(points), len(config.classes)), 1 / len(config.classes), np.float32)
    writer.append(EmbeddingChunk(points, np.full((len(points), 3), 120, np.uint8), scores))
    writer.finish()


def embedded_session(folder: Path, studies: int = 1) -> Session:
    """A session with a model in use that has scored these studies, each of a patient of its own."""
    session = make_session(folder)
    for number in range(studies):
        add_embedded(session, folder, number)
    return session


def add_embedded(session: Session, folder: Path, number: int, *, is_scored: bool = True) -> Study:
    """One more study of the library."""
    video = write_video(folder / f"study-{number}.mp4", FRAMES + number)  # of another length, so another study
    study = session.add_study(video, build_index(video), patient_id=f"P{number}")
    if is_scored:
        score(session, study, number)
    return study


def score(session: Session, study: Study, number: int) -> None:
    """Write the embedding file of a study."""
    assert session.current_model is not None
    model = ModelFolder.open(session.current_model.folder)
    points = embeddings_of(number, model.config.embedding_size)
    write_embeddings(session.files(study).scores_path(session.model_id), model, study.fingerprint, points)
    session.scores.scored(study.study_id, session.model_id)


def label(session: Session, study: Study, name: str, start: int, stop: int) -> None:
    """Label frames of a study that need not be open."""
    given = Label(new_id(), study.study_id, Span(start, stop), name)
    session.edits.apply_to_studies(name, {study.study_id: [Add(given)]})
