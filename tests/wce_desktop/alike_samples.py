"""A session on three little studies of two patients whose embeddings say who looks like whom."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.videos import numbered_frame
from tests.wce_desktop.sessions import CLASSES, make_session, recording
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.runs.reporter import SilentReporter
from training.video import FieldOfView
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.session.session import Session

FRAMES = 24
RATE_FPS = 25
PATIENTS = {"one": "pa", "two": "pa", "three": "pb"}
BLOOD, POLYP = slice(4, 8), slice(14, 16)
"""Frames that show blood, and polyps, in every study."""
REPORTER = SilentReporter()


def embeddings_of(number: int) -> NDArray[np.float32]:
    """(24, 3) of a study: blood lies around (9, 0, 0), polyps around (0, 9, 0), the rest around the origin."""
    values = np.random.default_rng(number).normal(scale=0.3, size=(FRAMES, 3)).astype(np.float32)
    values[BLOOD] += (9, 0, 0)
    values[POLYP] += (0, 9, 0)
    return values


def scores_of() -> NDArray[np.float32]:
    """(24, 3): sure of blood and normal, undecided about the polyps."""
    scores = np.tile(np.array([0.9, 0.05, 0.05], np.float32), (FRAMES, 1))
    scores[BLOOD] = (0.1, 0.05, 0.85)
    scores[POLYP] = (0.48, 0.47, 0.05)
    return scores


def alike_session(
    folder: Path, names: tuple[str, ...] = ("one", "two", "three"), ids: Mapping[str, str] | None = None
) -> Session:
    """The session; its studies are called as their ids, and each has a field of view of its own size.

    Args:
        ids: other ids of studies and patients.
    """
    given = ids or {}
    session = make_session(folder)
    for number, name in enumerate(names):
        content, index = recording(FRAMES, gop=6 + number)  # of different content
        video = folder / f"{name}.mp4"
        video.write_bytes(content)
        study = session.library.studies.add(
            video, name=f"Mrs {name}", study_id=given.get(name, name),
            patient_id=given.get(PATIENTS[name], PATIENTS[name]), fingerprint=index.fingerprint,
            frame_count=len(index), duration_seconds=float(index.video_seconds[-1]),
        )  # fmt: skip
        session.files(study).save_index(index)
        write_embeddings(session, study.study_id, embeddings_of(number), scores_of(), radius=30.0 - number)
        session.scores.scored(study.study_id, session.model_id)
    return session


def write_embeddings(
    session: Session,
    study_id: str,
    embeddings: NDArray[np.float32],
    scores: NDArray[np.float32] | None,
    *,
    radius: float = 30.0,
    sha256: str = "0" * 64,
) -> Path:
    """The finished embedding file of a study by the session's model."""
    view = FieldOfView("circle", 64, 64, centre=(31.5, 31.5), radius=radius)
    header = EmbeddingHeader(
        model_id=session.model_id,
        model_sha256=sha256,
        classes=CLASSES if scores is not None else (),
        preprocessing=json.dumps({"input_size": 64, "field_of_view": view.to_json()}),
        video_fingerprint=session.library.studies.get(study_id).fingerprint,
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    count = len(embeddings)
    layout = EmbeddingLayout(count, embeddings.shape[1], 0 if scores is None else scores.shape[1])
    path = session.files(session.library.studies.get(study_id)).scores_path(session.model_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = EmbeddingWriter.create(path, header, layout, np.arange(count) / RATE_FPS)
    writer.append(EmbeddingChunk(embeddings, np.full((count, 3), 120, np.uint8), scores))
    return writer.finish()


def label(session: Session, study_id: str, name: str, start: int, stop: int) -> None:
    """Label frames of a study that need not be open."""
    item = Label(f"{study_id}-{name}-{start}", study_id, Span(start, stop), name)
    session.library.annotations.edit(study_id, f"Label {name}", [Add(item)])


def frame_of(number: int) -> NDArray[np.uint8]:
    """The picture that a study shows at a frame, before compression."""
    return numbered_frame(number)
