"""Which frames of a study are near-identical: by stored embeddings, or by decoding it; runs in a thread of the window.

All numbers here are ours, chosen on one recording of 1,265 frames.
"""

import time
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameIndex, open_source
from training.video.small_picture import small_picture
from wce_desktop.core.similar import MOST_FRAMES, Similar, look_the_same

NEAR_SHARE = 0.08
"""Of the median distance of two frames of the study, up to which embeddings count as near-identical."""
COLOR_LEVELS = 6
"""Of 255, up to which mean colours do."""
PAIRS = 4000
"""Of frames, drawn to estimate the median distance."""
ROWS = 4096
TOLD_EVERY_SECONDS = 2.0
SO_FAR = "similar so far"
"""Name of the partial result of `by_pictures`: {"similar": Similar}."""


def by_embeddings(file: EmbeddingFile, frame_count: int, reporter: Reporter) -> Similar:
    """Compare frames by cosine distance and mean colour, both stored when the study was scored.

    Each frame is compared with the first one of its run, so slow changes cannot add up. A frame that does not decode
    stands alone.

    Args:
        file: of the study; its tables were read before, so that the session may close it.
        frame_count: N of the study; frames without a row stand alone.
        reporter: may cancel.
    """
    result = Similar.unknown(frame_count)
    near = NEAR_SHARE * _median_distance(file)
    colors = None if file.mean_color is None else file.mean_color.astype(np.int16)
    numbers, held, begin = file.frame_index, np.zeros((0, 0), np.float32), 0
    at, count = 0, len(file)
    while at < count:
        if at + MOST_FRAMES > begin + len(held):  # a block reaches over the longest run
            reporter.check()
            begin, held = at, _unit(np.asarray(file.embeddings[at : at + ROWS], np.float32))
        rows = held[at - begin : at - begin + MOST_FRAMES]
        is_near: NDArray[np.bool_] = 1 - rows[1:] @ rows[0] <= near
        if colors is not None:
            away = np.abs(colors[at + 1 : at + len(rows)] - colors[at]).max(axis=1, initial=0)
            is_near &= away <= COLOR_LEVELS
        length = 1 + (len(is_near) if is_near.all() else int(np.argmin(is_near)))
        run = numbers[at : at + length]
        inside = run[run < frame_count]
        if inside.size and inside[-1] - inside[0] == len(inside) - 1:
            result.first[inside] = inside[0]
        at += length
    for start in range(1, count, ROWS):
        reporter.check()
        block = _unit(np.asarray(file.embeddings[start - 1 : start + ROWS], np.float32))
        change = 1 - (block[1:] * block[:-1]).sum(axis=1)
        frames = numbers[start : start + len(change)]
        is_inside = frames < frame_count
        result.change[frames[is_inside]] = np.maximum(change[is_inside], 0)
    return result


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, 1e-12), np.float32)


def _median_distance(file: EmbeddingFile) -> float:
    """Of two frames of the study, drawn at random; 0 where there are none."""
    count = len(file)
    if count < 2:
        return 0.0
    random = np.random.default_rng(0)
    drawn = np.sort(random.choice(count, min(count, PAIRS), replace=False))
    rows = _unit(np.asarray(file.embeddings[drawn], np.float32))
    other = random.permutation(len(rows))
    distances = 1 - (rows * rows[other]).sum(axis=1)
    return float(np.nanmedian(distances)) if not np.isnan(distances).all() else 0.0


def by_pictures(path: Path, index: FrameIndex, view: FieldOfView | None, reporter: Reporter) -> Similar:
    """Decode a study and compare small pictures of its frames; what is known so far is told every two seconds.

    Raises:
        UserError: the study cannot be read.
        Cancelled: the reporter asked to end.
    """
    result, told_seconds = Similar.unknown(len(index)), time.monotonic()
    first: NDArray[np.int16] | None = None
    before: NDArray[np.int16] | None = None
    begin = 0
    with open_source(path, index=index) as source, closing(source.iterate()) as frames:  # type: ignore[type-var]
        for number, frame in frames:
            reporter.check()
            small = None if frame is None else small_picture(frame, view)
            if small is not None and before is not None:
                result.change[number] = np.abs(small - before).mean()
            is_same = small is not None and first is not None and look_the_same(first, small)
            if is_same and number - begin < MOST_FRAMES:
                result.first[number] = begin
            else:
                first, begin = small, number
            before = small
            if time.monotonic() - told_seconds >= TOLD_EVERY_SECONDS:
                reporter.partial(SO_FAR, {"similar": Similar(result.first.copy(), result.change.copy())})
                told_seconds = time.monotonic()
    return result
