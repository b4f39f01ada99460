"""A session on two passes of one patient, of other size and rate, and on a study of another patient."""

import json
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.videos import write_video
from tests.wce_desktop.sessions import CLASSES, make_session
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.video import FieldOfView, FrameIndex, build_index
from wce_desktop.session.session import Session

FRAMES = 40
STEP_A, STEP_B = 0.04, 0.08
"""Seconds between two frames of pass a, which is 64 x 64, and of pass b, which is 96 x 80."""
LATER = 0.8
"""Pass b comes to a place so many seconds later than pass a."""
POLYP = slice(10, 18)
"""Frames of pass a that are flagged; pass b shows the place in frames 15 to 18."""
SIZES = {"a": (64, 64), "b": (96, 80), "c": (64, 64)}
STEPS = {"a": STEP_A, "b": STEP_B, "c": STEP_A}
PATIENTS = {"a": "pa", "b": "pa", "c": "pc"}


def same_place(frame_index: int) -> int:
    """The frame of pass b that shows what a frame of pass a shows."""
    return round((frame_index * STEP_A + LATER) / STEP_B)


def embeddings_of(name: str) -> NDArray[np.float32]:
    """(40, 8): where along the gut a frame lies, by waves of several lengths; study c is somewhere else."""
    seconds = np.arange(FRAMES) * STEPS[name] - (LATER if name == "b" else 0.0)
    place = seconds / (FRAMES * STEP_A) + (5.3 if name == "c" else 0.0)
    waves = np.outer(place, np.array([3.0, 7.0, 13.0, 19.0]))
    noise = 0.02 * np.random.default_rng(len(name) + ord(name)).normal(size=(FRAMES, 8))
    return (5.0 + np.concatenate((np.cos(waves), np.sin(waves)), axis=1) + noise).astype(np.float32)


@cache
def _recording(name: str, gop: int) -> tuple[bytes, FrameIndex]:
    """The video of a pass and its index, made once."""
    height, width = SIZES[name]
    times = [round(1000 * STEPS[name] * at) for at in range(FRAMES)]
    with tempfile.TemporaryDirectory() as folder:
        video = write_video(Path(folder) / f"{name}.mp4", FRAMES, height=height, width=width, times_ms=times, gop=gop)
        return video.read_bytes(), build_index(video)


def passes_session(folder: Path, names: str = "abc", scored: str = "abc") -> Session:
    """The session; its studies are called “Pass a” and so on, with the letters as ids."""
    session = make_session(folder)
    for number, name in enumerate(names):
        content, index = _recording(name, gop=4 + number)
        video = folder / f"{name}.mp4"
        video.write_bytes(content)
        study = session.library.studies.add(
            video, name=f"Pass {name}", study_id=name, patient_id=PATIENTS[name], fingerprint=index.fingerprint,
            frame_count=len(index), duration_seconds=float(index.video_seconds[-1]),
        )  # fmt: skip
        session.files(study).save_index(index)
        if name in scored:
            score(session, name, embeddings_of(name))
    return session


def score(
    session: Session, name: str, embeddings: NDArray[np.float32], *, step: float | None = None, sha256: str = "0" * 64
) -> Path:
    """The finished scores of a pass; pass a has a flagged polyp."""
    count, (height, width) = len(embeddings), SIZES[name]
    view = FieldOfView("circle", height, width, centre=(height / 2, width / 2), radius=height / 2 - 2)
    scores = np.tile(np.array([0.9, 0.05, 0.05], np.float32), (count, 1))
    if name == "a":
        scores[POLYP] = (0.1, 0.85, 0.05)
    seconds = np.arange(count, dtype=np.float64) * (step or STEPS[name])
    return write_scores(session, name, embeddings, scores, view, seconds, sha256)


def write_scores(
    session: Session,
    study_id: str,
    embeddings: NDArray[np.float32],
    scores: NDArray[np.float32],
    view: FieldOfView,
    seconds: NDArray[np.float64],
    sha256: str = "0" * 64,
) -> Path:
    """The finished embedding file of a study by the session's model."""
    header = EmbeddingHeader(
        model_id=session.model_id,
        model_sha256=sha256,
        classes=CLASSES,
        preprocessing=json.dumps({"input_size": 64, "field_of_view": view.to_json()}),
        video_fingerprint=session.library.studies.get(study_id).fingerprint,
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    count = len(embeddings)
    path = session.files(session.library.studies.get(study_id)).scores_path(session.model_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    layout = EmbeddingLayout(count, embeddings.shape[1], len(CLASSES))
    writer = EmbeddingWriter.create(path, header, layout, seconds)
    writer.append(EmbeddingChunk(embeddings, np.full((count, 3), 120, np.uint8), scores))
    writer.finish()
    session.scores.scored(study_id, session.model_id)
    return path
