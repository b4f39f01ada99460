"""Prior views instead of whole frames: the other choice of what an encoder sees in the evaluation.

Vats et al. 2022 call what kNN compares z_p, which is a prior view's, and do not say what the encoder sees at inference.
"""

from dataclasses import replace

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from training.datasets.frame_store import FrameStore
from training.experiments.benchmark.comparison import Comparison
from training.experiments.benchmark.pretraining import pretrain_fields
from training.methods.pgcon import PgCon, PgConSettings
from training.pretraining.config import stored_config
from training.transforms.pgcon_views import PriorViews
from training.transforms.prior_view import prior_squares

BATCH = 64


def prior_settings(comparison: Comparison) -> PgConSettings:
    """How a comparison's `pgcon` cuts and shows prior views; `read_size` is the side of the frames that it needs."""
    made = stored_config({**pretrain_fields(comparison, PgCon.name, 0), "studies": "-", "out": "-"})
    assert isinstance(made, PgConSettings)
    return made


def prior_frames(store: FrameStore, settings: PgConSettings) -> FrameStore:
    """The same frames, each only its prior view, with no transform; as large as a pretraining saw it.

    Args:
        store: frames of `settings.read_size` px.
        settings: from `prior_settings`; without a share of their own, prior views take that of `PriorViews`.
    """
    shown = settings.prior_size
    pixels = np.empty((len(store), shown, shown, 3), np.uint8)
    for start in range(0, len(store), BATCH):
        part = slice(start, start + BATCH)
        frames = np.ascontiguousarray(store.pixels[part])
        for row, (frame, box) in enumerate(zip(frames, _boxes(frames, store.is_round[part], settings), strict=True)):
            pixels[start + row] = _cut(frame, box, shown)
    nowhere = np.full_like(store.boxes, np.nan)
    return replace(store, pixels=pixels, is_round=np.zeros_like(store.is_round), boxes=nowhere)


def _boxes(frames: NDArray[np.uint8], is_round: NDArray[np.bool_], settings: PgConSettings) -> NDArray[np.int64]:
    """(B, 4) x_min, y_min, x_max, y_max in px."""
    count, size = frames.shape[:2]
    share = settings.prior_share or PriorViews().prior_share
    squares = prior_squares(
        torch.from_numpy(frames),
        torch.from_numpy(np.ascontiguousarray(is_round)),
        torch.full((count,), min(max(round(share * size), 1), size)),
        rim_px=round(settings.rim_share * size),
        least_redness=settings.least_redness,
    )
    return squares.boxes.numpy()


def _cut(frame: NDArray[np.uint8], box: NDArray[np.int64], side: int) -> NDArray[np.uint8]:
    x_min, y_min, x_max, y_max = box.tolist()
    part = frame[y_min:y_max, x_min:x_max]
    method = cv2.INTER_AREA if len(part) > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (side, side), interpolation=method), np.uint8)
