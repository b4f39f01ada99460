"""From a study's frames to rows of the embedding file: decoding, preparing, forward passes, all at once.

One thread decodes ahead. Several lanes each take a batch all the way (prepare, forward, CAMs), one core each on a CPU:
two passes on one core each are faster than one pass over two cores. The caller's thread writes. Batches are cut at the
same frames whatever the lanes do, so that an interrupted scoring computes the rest in the same batches.
"""

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import Prefetch, in_lanes
from training.embeddings.chunk import EmbeddingChunk, share_codes
from training.indicators import shares
from training.inference.engine import Engine
from training.video import FieldOfView, FrameSource, prepare_frame

LARGE_BATCH_BYTES = 64 << 20
"""Where the frames of a batch can need more, they are prepared as soon as they are decoded."""


class Batch(NamedTuple):
    """K successive frames for one pass."""

    frames: list[NDArray[np.uint8] | None]
    """Each (H, W, 3) RGB as decoded or (S, S, 3) as the model sees it; None for one that does not decode."""
    is_prepared: bool
    """Whether the frames are as the model sees them."""


class BatchScorer:
    """Prepares and scores one batch; called from all lanes.

    Args:
        engine: computes the forward passes.
        view: the study's field of view.
        tracks: names of the tracks that are computed; empty for none.
    """

    def __init__(self, engine: Engine, view: FieldOfView, tracks: Sequence[str] = ()) -> None:
        self.engine = engine
        self.tracks = tracks
        self.view = view
        self.size = engine.network.input_size
        whole = np.full((view.height_px, view.width_px, 3), 255, np.uint8)
        self.inside = (prepare_frame(whole, view, self.size)[..., 0] > 127).astype(np.uint8)
        """(size, size) 1 inside the field of view."""

    def __call__(self, batch: Batch) -> EmbeddingChunk:
        """The batch's rows; NaN where a frame does not decode."""
        import cv2

        missing = np.array([frame is None for frame in batch.frames])
        # A missing frame is scored as black and then blotted out, and a batch is filled up to one of a few sizes: for
        # each size something is compiled.
        used, most = slice(0, len(missing)), self.engine.plan.batch
        count = most if 2 * len(missing) > most else 1 << (len(missing) - 1).bit_length()
        inputs = np.zeros((count, self.size, self.size, 3), np.uint8)
        for row, frame in enumerate(batch.frames):
            if frame is not None:
                inputs[row] = frame if batch.is_prepared else self.prepare(frame)
        output = self.engine.run(inputs)
        # Without classes there is nothing to write down but the embedding.
        scores = output.scores[used] if output.scores.shape[1] else None
        cams = output.cams[used] if self.engine.network.has_cams else None
        colors = np.rint([cv2.mean(image, self.inside)[:3] for image in inputs[used]]).astype(np.uint8)
        tracks = share_codes(shares(self.tracks, inputs[used], self.inside)) if self.tracks else None
        return EmbeddingChunk(output.embeddings[used], colors, scores, cams, tracks).with_missing(missing)

    def prepare(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(H, W, 3) as decoded -> (S, S, 3) as the model sees it."""
        return prepare_frame(frame, self.view, self.size)


def score_frames(source: FrameSource, start: int, scorer: BatchScorer) -> Generator[EmbeddingChunk, None, None]:
    """The rows of the frames [start, len(source)), a batch at a time, in order.

    Close the iterator to end early: all threads have ended by then.
    """
    plan = scorer.engine.plan
    batches = Prefetch(_batches(source, start, plan.batch, scorer), depth=plan.lanes + 1)
    try:
        # One lane more than passes that run at the same time: it prepares the next batch meanwhile.
        yield from in_lanes(batches, scorer, plan.lanes + 1)
    finally:
        batches.close()


def _batches(source: FrameSource, start: int, size: int, scorer: BatchScorer) -> Iterator[Batch]:
    # Preparing is for the lanes, but dozens of huge frames waiting for them would fill the memory.
    early = 3 * source.width_px * source.height_px * size > LARGE_BATCH_BYTES
    frames: list[NDArray[np.uint8] | None] = []
    for _, decoded in source.iterate(start):
        frames.append(scorer.prepare(decoded) if early and decoded is not None else decoded)
        if len(frames) == size:
            yield Batch(frames, early)
            frames = []
    if frames:
        yield Batch(frames, early)
