"""Scores and embeddings of prepared frames that are already in memory."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.models.network import FrameClassifier, evaluating
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
    scores, embeddings = [], []
    with evaluating(network):
        for start in range(0, len(pixels), batch_size):
            reporter.check()
            frames = torch.from_numpy(np.ascontiguousarray(pixels[start : start + batch_size])).to(device)
            side, size = frames.shape[1], network.config.input_size
            if side != size:
                cells = frames.view(len(frames), size, side // size, size, side // size, 3).to(torch.float32)
                frames = cells.mean(dim=(2, 4)).round_().to(torch.uint8)
            with torch.autocast(device.type, autocast, enabled=autocast is not None):
                embedding = network(frames).embedding
            embeddings.append(embedding.cpu())
            scores.append(network.classifier(embedding).softmax(dim=1).cpu())
            if what:
                reporter.progress(min(start + batch_size, len(pixels)), len(pixels), "frames", what)
    if not scores:
        shapes = (0, len(network.config.classes)), (0, network.config.embedding_size)
        return FrameScores(*(np.zeros(shape, dtype=np.float32) for shape in shapes))
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
    result = known.copy()
    if len(rows):
        result[rows] = score_frames(network, pixels[rows], reporter, autocast=autocast, what=EMBEDDING).embeddings
    return result
