"""Scores and embeddings of prepared frames that are already in memory."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.models.network import FrameClassifier
from training.runs.reporter import Reporter

EMBEDDING = "computing embeddings"
SCORING = "scoring held-out frames"
"""Names of work in the progress."""


class FrameScores(NamedTuple):
    """What a network says of M frames."""

    scores: NDArray[np.float32]
    """(M, C), rows sum to 1."""
    embeddings: NDArray[np.float32]
    """(M, D)"""


def score_frames(
    network: FrameClassifier,
    pixels: NDArray[np.uint8],
    reporter: Reporter,
    *,
    autocast: torch.dtype | None = None,
    batch_size: int = 64,
    what: str = "",
) -> FrameScores:
    """Forward passes in eval mode over frames (M, S, S, 3) uint8; every layer's mode is left as it was.

    Frames that are kept at a multiple of the input size are averaged down to it. `what` names the work in the progress;
    without it none is reported.
    """
    device = next(network.parameters()).device
    modes = [(module, module.training) for module in network.modules()]
    network.eval()
    scores, embeddings = [], []
    with torch.inference_mode():
        for start in range(0, len(pixels), batch_size):
            reporter.check()
            frames = torch.from_numpy(np.ascontiguousarray(pixels[start : start + batch_size])).to(device)
            frames = _at_input_size(frames, network.config.input_size)
            with torch.autocast(device.type, autocast, enabled=autocast is not None):
                embedding = network(frames).embedding
            embeddings.append(embedding.cpu())
            scores.append(network.classifier(embedding).softmax(dim=1).cpu())
            if what:
                reporter.progress(min(start + batch_size, len(pixels)), len(pixels), "frames", what)
    for module, training in modes:
        module.training = training
    if not scores:
        config = network.config
        empty = (0, len(config.classes)), (0, config.embedding_size)
        return FrameScores(np.zeros(empty[0], dtype=np.float32), np.zeros(empty[1], dtype=np.float32))
    return FrameScores(torch.cat(scores).numpy(), torch.cat(embeddings).numpy())


def embed_unknown(
    network: FrameClassifier,
    pixels: NDArray[np.uint8],
    reporter: Reporter,
    autocast: torch.dtype | None = None,
    known: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Embeddings (M, D) of frames (M, S, S, 3) as in `score_frames`, computed only where `known` (M, D) is NaN."""
    if known is None:
        return score_frames(network, pixels, reporter, autocast=autocast, what=EMBEDDING).embeddings
    rows = np.flatnonzero(np.isnan(known).any(axis=1))
    found = known.copy()
    if len(rows):
        found[rows] = score_frames(network, pixels[rows], reporter, autocast=autocast, what=EMBEDDING).embeddings
    return found


def _at_input_size(frames: torch.Tensor, size: int) -> torch.Tensor:
    count, kept = frames.shape[:2]
    if kept == size:
        return frames
    times = kept // size
    cells = frames.view(count, size, times, size, times, 3).to(torch.float32)
    return cells.mean(dim=(2, 4)).round_().to(torch.uint8)
