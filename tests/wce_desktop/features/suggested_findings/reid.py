"""A small re-identification model in a library, and made-up embeddings of flagged frames by it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests import tiny_backbone
from training.reidentification.config import EncoderConfig
from training.reidentification.model import ReidModel, ReidModelConfig, write_reid_model
from training.reidentification.study_vectors import FindingSpan, StudyVectors
from wce_desktop.core.study import Study
from wce_desktop.library.runs import Run
from wce_desktop.session.session import Session

SIZE = 16
Frames = Mapping[tuple[str, int], NDArray[np.float32]]
"""Class and frame -> embedding (16,)."""


@cache
def _encoder() -> Any:
    import torch

    from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder

    config = EncoderConfig(backbone=tiny_backbone.TINY.name, embedding=SIZE, head_hidden=16, heads=2, feed_forward=16)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return MultiViewEncoder(SingleFrameEncoder(config)).eval()


def add_reid(session: Session, limit: float = 1e-4) -> Run:
    """A finished run with a model; only what is embedded alike is within its limit."""
    library = session.library
    run = library.runs.add("Re-identification 1", kind="train-reid")
    encoder = _encoder()
    config = ReidModelConfig(
        encoder=encoder.frames.config, crop_px=16, context=1.5, views=2, limit=limit, limit_source="a default"
    )
    write_reid_model(run.folder / "model", config, encoder, {"kind": "re-identification", "figures": {}})
    library.runs.finish(run.run_id, "done", {"finished": True})
    return library.runs.all()[-1]


def look(number: int) -> NDArray[np.float32]:
    """The embedding of a look, (16,)."""
    return np.random.default_rng(number).normal(size=SIZE).astype(np.float32)


def write_vectors(
    session: Session,
    study: Study,
    run: Run,
    frames: Frames,
    findings: tuple[FindingSpan, ...] = (),
    floor: float = 0.25,
) -> None:
    """The file that a job would write."""
    classes = ("normal", "polyp", "blood")
    order = sorted(frames, key=lambda key: (classes.index(key[0]), key[1]))
    StudyVectors(
        ReidModel.open(run.folder).sha256, "0" * 64, study.fingerprint, 0.25, classes, findings,
        np.array([frame for _, frame in order], np.int64),
        np.array([classes.index(name) for name, _ in order], np.int64),
        np.stack([frames[key] for key in order]),
    ).save(session.files(study).reid_path(run.run_id, session.model_id))  # fmt: skip
