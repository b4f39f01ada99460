"""A session on a study whose frames show two findings, each several times."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.wce_desktop.sessions import make_session, recording
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.models.folder import ModelFolder
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session

FRAMES = 60
POLYP_ONE = (6, 18, 42)
"""First frames of the three parts of one polyp, two frames each."""
POLYP_TWO = 30
"""First frame of another polyp, two frames."""
BLOOD = 50


def looks_session(folder: Path, before: Callable[[Session], None] = lambda _: None) -> tuple[Session, Study]:
    """The session, and its scored study; normal, polyp and blood are the model's classes.

    `before`: called with the session before the study is added.
    """
    session = make_session(folder)
    before(session)
    content, index = recording(FRAMES)
    video = folder / "study.mp4"
    video.write_bytes(content)
    study = session.add_study(video, index, patient_id="P1")
    assert session.current_model is not None
    config = ModelFolder.open(session.current_model.folder).config
    header = EmbeddingHeader(
        model_id=config.model_id,
        model_sha256="0" * 64,
        classes=config.classes,
        preprocessing=json.dumps({"input_size": config.input_size}),
        video_fingerprint=study.fingerprint,
        video_path="",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    embeddings = 4.0 + 0.05 * np.random.default_rng(0).normal(size=(FRAMES, 16)).astype(np.float32)
    scores = np.full((FRAMES, len(config.classes)), 0.1, np.float32)
    for start in POLYP_ONE:
        embeddings[start : start + 2, 0] += 3.0
        scores[start : start + 2, 1] = 0.7, 0.8
    scores[POLYP_ONE[1], 1] = 0.9
    embeddings[POLYP_TWO : POLYP_TWO + 2, 1] += 3.0
    scores[POLYP_TWO : POLYP_TWO + 2, 1] = 0.6
    embeddings[BLOOD : BLOOD + 2, 2] += 3.0
    scores[BLOOD : BLOOD + 2, 2] = 0.95
    path = session.files(study).scores_path(session.model_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    layout = EmbeddingLayout(frames=FRAMES, embedding_size=16, classes=len(config.classes))
    writer = EmbeddingWriter.create(path, header, layout, np.arange(FRAMES) / 25)
    writer.append(EmbeddingChunk(embeddings, np.full((FRAMES, 3), 120, np.uint8), scores))
    writer.finish()
    session.scores.scored(study.study_id, session.model_id)
    return session, session.library.studies.get(study.study_id)
