"""Finished pretrainings of clips in a library without a training, and made-up clip files by them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from tests.wce_desktop.features.places.passes import FRAMES, STEPS, embeddings_of
from training.retrieval.clip_file import ClipFile, ClipHeader
from training.retrieval.clips import Clips, clip_bounds
from wce_desktop.library.runs import Run
from wce_desktop.session.run_models import ClipModel
from wce_desktop.session.session import Session

LENGTH, STRIDE = 4, 2
"""Frames of a clip, and between the starts of two."""


def add_clip_run(session: Session, title: str = "Clips 1", method: str = "colo-scrl", step: int = 10) -> Run:
    """A finished run; its weights are no encoder's, since the window never reads them."""
    run = session.library.runs.add(title, kind="pretrain")
    (run.folder / "checkpoints").mkdir(parents=True)
    save_file(
        {"query.encoder.none": np.zeros(1, np.float32)}, run.folder / "checkpoints" / f"step-{step:06}.safetensors"
    )
    settings = {"method": method, "studies": "manifest.json", "out": "run"}
    (run.folder / "config.json").write_text(json.dumps({"command": "pretrain", "config": settings}))
    (run.folder / "split.json").write_text(json.dumps({"training_patients": ["p9"]}))
    session.library.runs.finish(run.run_id, "done", {"finished": True})
    return next(each for each in session.library.runs.all() if each.run_id == run.run_id)


def write_clips(session: Session, name: str, run: Run, *, clips: int | None = None, **changed: Any) -> Path:
    """The clip file of a pass that a job would write, unfinished where `clips` says so; `changed`: of its header."""
    model = ClipModel.of(run)
    starts, stops = clip_bounds(FRAMES, LENGTH, STRIDE)
    frames = embeddings_of(name) - 5.0
    vectors = np.stack([frames[start:stop].mean(axis=0) for start, stop in zip(starts, stops, strict=True)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    study = session.library.studies.get(name)
    header = ClipHeader(
        model_id=model.model_id,
        model_sha256="a" * 64,
        length=LENGTH,
        stride=STRIDE,
        input_size=64,
        video_fingerprint=study.fingerprint,
        frames=FRAMES,
        clips=len(starts),
        created_utc="2026-01-01T00:00:00+00:00",
    ).model_copy(update=changed)
    part = slice(clips)
    held = Clips(starts[part], stops[part], vectors[part].astype(np.float32))
    seconds = np.arange(FRAMES, dtype=np.float64) * STEPS[name]
    return ClipFile(header, held, seconds[held.starts], seconds[held.stops - 1]).write(model.path(session.files(study)))
