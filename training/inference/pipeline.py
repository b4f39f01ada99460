"""From a study's frames to rows of the embedding file: decoding, preparing, forward passes, all at once.

One thread decodes ahead. Several lanes each take a batch all the way (prepare, forward, CAMs), one core each on a CPU:
two passes on one core each are faster than one pass over two cores. The caller's thread writes. Batches are cut at the
same frames whatever the lanes do, so that an interrupted scoring computes the rest in the same batches. A scene never
goes on from one batch to the next, for the same reason.

Frames that show the same scene, so that one forward pass is enough for several of them.

A capsule often lies still. Two frames count as the same scene if small pictures of them hardly differ: the frame
averaged over 16 x 16 cells, of which those inside the field of view count. A frame is compared with the first frame of
its scene and not with the one before, and a scene has at most eight frames, so slow changes cannot add up. Frames take
the first one's row only where that scores low in every class of the model: a score near a threshold changes with the
noise of the camera alone, and what this model might flag is always looked at frame by frame. Classes that are learned
later from the stored embeddings see one row for the whole scene. All of this is ours; the numbers were chosen
on real and synthetic video (docs/performance.md).
"""

from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import Prefetch, in_lanes
from training.datasets.labels import NORMAL
from training.embeddings.chunk import EmbeddingChunk, joined
from training.inference.engine import Engine
from training.video import FieldOfView, FrameSource, prepare_frame

CELLS = 16
"""Cells in each direction."""
BOUND = 3
"""Largest difference of a cell's mean in any colour, of 255 levels."""
MOST_FRAMES = 8
"""Frames of a scene."""
LOW_SCORE = 0.02
"""Below it in every class but normal, a frame's row is good for its whole scene."""
VERSION = 1
"""Of the rule; part of what an embedding file says of its preprocessing."""

SmallPicture = NDArray[np.int16]
"""(16, 16, 3)"""


def small_picture(frame: NDArray[np.uint8], view: FieldOfView | None) -> SmallPicture:
    """What is compared of a frame: its cells inside the field of view; 0 in the others.

    Args:
        frame: (H, W, 3) uint8 RGB as decoded, of the study's size; (S, S, 3) from `prepare_frame` without a view.
        view: the study's; what lies outside, such as a clock, does not count.
    """
    import cv2

    small = np.asarray(cv2.resize(frame, (CELLS, CELLS), interpolation=cv2.INTER_AREA), np.int16)
    return small if view is None else np.asarray(small * _cells_inside(view, *frame.shape[:2]))


@lru_cache(maxsize=8)
def _cells_inside(view: FieldOfView, height: int, width: int) -> NDArray[np.int16]:
    """(16, 16, 1): 1 for the cells of a frame that lie mostly inside the field of view, else 0."""
    import cv2

    inside = view.mask(height, width).astype(np.float32)
    shares = cv2.resize(inside, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return (shares > 0.5).astype(np.int16)[..., None]


def is_same_scene(first: SmallPicture, other: SmallPicture) -> bool:
    """Whether two frames show the same scene."""
    return bool(np.abs(first - other).max() <= BOUND)


def is_good_for_all(scores: NDArray[np.float32], classes: Sequence[str]) -> NDArray[np.bool_]:
    """(B,) whether the row of a scene's first frame is good for the whole scene.

    Args:
        scores: (B, C) of first frames.
        classes: C names; without any (a pretraining) every row is good.
    """
    findings = [number for number, name in enumerate(classes) if name != NORMAL]
    return np.asarray((scores[:, findings] < LOW_SCORE).all(axis=1))


def describe() -> dict[str, float]:
    """The rule, for the header of an embedding file."""
    return {"version": VERSION, "cells": CELLS, "bound": BOUND, "most_frames": MOST_FRAMES, "low_score": LOW_SCORE}


LARGE_BATCH_BYTES = 64 << 20
"""Where the frames of a batch can need more, they are prepared as soon as they are decoded."""


class Batch:
    """Successive frames, as many scenes as fit into one pass."""

    def __init__(self, first: int, size: int, scorer: "BatchScorer") -> None:
        """Begin with the frame of number `first`; `size` scenes at most."""
        self.first, self._size, self._scorer = first, size, scorer
        self.frames: list[NDArray[np.uint8] | None] = []
        """K of them, each (H, W, 3) RGB as decoded or (S, S, 3) as the model sees it; None for one that does not
        decode."""
        self.is_prepared: list[bool] = []
        """Which of the frames are as the model sees them."""
        self.starts: list[int] = []
        """P places in `frames` of the first frames of scenes, ascending from 0; each has a forward pass."""
        self._scene: SmallPicture | None = None  # of the scene's first frame

    def add(self, frame: NDArray[np.uint8] | None, is_prepared: bool) -> bool:
        """Take the next frame; False if it begins a scene for which there is no room."""
        small = None
        if frame is not None and self._scorer.scenes:
            small = small_picture(frame, None if is_prepared else self._scorer.view)
        is_full = bool(self.starts) and len(self.frames) - self.starts[-1] >= MOST_FRAMES
        if small is None or self._scene is None or is_full or not is_same_scene(self._scene, small):
            if len(self.starts) == self._size:
                return False
            self.starts.append(len(self.frames))
            self._scene = small
        self.frames.append(frame)
        self.is_prepared.append(is_prepared)
        return True


class BatchScorer:
    """Prepares and scores one batch; called from all lanes.

    Args:
        engine: computes the forward passes.
        view: the study's field of view.
        scenes: whether frames of the same scene may share a pass.
    """

    def __init__(self, engine: Engine, view: FieldOfView, *, scenes: bool = False) -> None:
        self.engine = engine
        self.view = view
        self.scenes = scenes
        self.size = engine.network.input_size
        whole = np.full((view.height_px, view.width_px, 3), 255, np.uint8)
        self.inside = (prepare_frame(whole, view, self.size)[..., 0] > 127).astype(np.uint8)
        """(size, size) 1 inside the field of view."""

    def __call__(self, batch: Batch) -> EmbeddingChunk:
        """The batch's rows; NaN where a frame does not decode."""
        starts = np.array(batch.starts)
        result = self._passes(batch, starts)
        if not self.scenes:
            return result
        scene = np.searchsorted(starts, np.arange(len(batch.frames)), side="right") - 1
        # NaN of a frame that does not decode is not low, but nobody shares its row.
        scores, classes = result.scores, self.engine.network.classes
        good = np.ones(len(result), bool) if scores is None else is_good_for_all(scores, classes)
        own = np.setdiff1d(np.flatnonzero(~good[scene]), starts)
        row, same_as = scene, starts[scene]
        if len(own):
            most = self.engine.plan.batch
            parts = [own[start : start + most] for start in range(0, len(own), most)]
            result = joined([result, *(self._passes(batch, part) for part in parts)])
            row[own], same_as[own] = len(starts) + np.arange(len(own)), own
        return result.repeated(row, batch.first + same_as)

    def prepare(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(H, W, 3) as decoded -> (S, S, 3) as the model sees it."""
        return prepare_frame(frame, self.view, self.size)

    def _passes(self, batch: Batch, places: NDArray[np.int64]) -> EmbeddingChunk:
        """Rows of the frames at these places, each from its own pass."""
        import cv2

        frames = [batch.frames[place] for place in places.tolist()]
        missing = np.array([frame is None for frame in frames])
        # A missing frame is scored as black and then blotted out, and a batch is filled up to one of a few sizes: for
        # each size something is compiled.
        most = self.engine.plan.batch
        count = most if 2 * len(frames) > most else 1 << (len(frames) - 1).bit_length()
        inputs = np.zeros((count, self.size, self.size, 3), np.uint8)
        for row, (place, frame) in enumerate(zip(places.tolist(), frames, strict=True)):
            if frame is not None:
                inputs[row] = frame if batch.is_prepared[place] else self.prepare(frame)
        output, used = self.engine.run(inputs), slice(0, len(frames))
        # Without classes there is nothing to write down but the embedding.
        scores, cams = (output.scores[used], output.cams[used]) if output.scores.shape[1] else (None, None)
        colors = np.rint([cv2.mean(image, self.inside)[:3] for image in inputs[used]]).astype(np.uint8)
        return EmbeddingChunk(output.embeddings[used], colors, scores, cams).with_missing(missing)


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
    most = size * MOST_FRAMES if scorer.scenes else size
    early = 3 * source.width_px * source.height_px * most > LARGE_BATCH_BYTES
    batch = Batch(start, size, scorer)
    for number, decoded in source.iterate(start):
        frame = scorer.prepare(decoded) if early and decoded is not None else decoded
        if not batch.add(frame, early):
            yield batch
            batch = Batch(number, size, scorer)
            batch.add(frame, early)
    if batch.frames:
        yield batch
