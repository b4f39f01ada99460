"""Small studies of four patients with findings and boxes, their scores, and the settings of a run on them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests import tiny_backbone
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter
from training.phantom.dataset import write_studies
from training.runs.reporter import SilentReporter
from training.video import FieldOfView, fingerprint

SIDE, FRAMES, MODEL_SHA = 48, 40, "0" * 64
CLASSES = ("normal", "polyp", "blood")


def write_phantom(folder: Path, studies: int = 4) -> Path:
    """Studies with labels.csv and boxes.csv; returns the folder."""
    write_studies(
        folder, studies=studies, frames=FRAMES, seed=3, size_px=SIDE, positive_share=0.5, reporter=SilentReporter()
    )
    return folder


def settings(folder: Path, out: Path, **changes: Any) -> dict[str, Any]:
    """Some steps of a tiny encoder on the boxes of a phantom."""
    given = {
        "studies": folder / "manifest.json", "labels": folder / "labels.csv", "boxes": folder / "boxes.csv",
        "out": out, "preset": "smoke", "backbone": tiny_backbone.TINY.name, "init": "random", "embedding": 16,
        "head_hidden": 16, "heads": 2, "feed_forward": 16, "crop_px": 16, "views": 2, "frame_steps": 3,
        "tracklet_steps": 3, "device": "cpu", "threads": 1,
    }  # fmt: skip
    return given | changes


def known_scores(frames: int = FRAMES) -> NDArray[np.float32]:
    """(N, 3): a polyp in frames 4 to 9 and again in 20 to 25, blood in 12 to 14."""
    scores = np.full((frames, 3), 0.1, np.float32)
    scores[4:10, 1], scores[20:26, 1], scores[12:15, 2] = 0.9, 0.8, 0.7
    return scores


def write_scores(
    path: Path,
    video: Path,
    scores: NDArray[np.float32] | None = None,
    sha256: str = MODEL_SHA,
    cam: tuple[int, int] | None = None,
) -> Path:
    """A finished embedding file of a video; `cam`: row and column of the 4 x 4 CAM that every frame has, if any."""
    table = known_scores() if scores is None else scores
    header = EmbeddingHeader(
        model_id="m1", model_sha256=sha256, classes=CLASSES, video_path="", created_utc="2026-01-01T00:00:00+00:00",
        preprocessing=json.dumps({"field_of_view": FieldOfView.full(SIDE, SIDE).to_json()}),
        video_fingerprint=fingerprint(video),
    )  # fmt: skip
    count = len(table)
    layout = EmbeddingLayout(frames=count, embedding_size=4, classes=3, cam_size=4 if cam else 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = EmbeddingWriter.create(path, header, layout, np.arange(count) / 2)
    cams = None
    if cam:
        cams = np.zeros((count, 3, 4, 4), np.float32)
        cams[:, :, cam[0], cam[1]] = 1.0
    writer.append(EmbeddingChunk(np.ones((count, 4), np.float32), np.full((count, 3), 120, np.uint8), table, cams))
    return writer.finish()
