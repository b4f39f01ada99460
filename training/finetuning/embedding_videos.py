"""Embeddings of labelled frames that are not stored: read from the videos and computed, a batch at a time."""

import time
from itertools import islice

import numpy as np
import torch

from training.datasets.frame_store import read_frames
from training.datasets.labelled_frames import LabelledFrames
from training.finetuning.embedded_frames import EmbeddedFrames
from training.finetuning.stopwatch import Stopwatch
from training.inference.score_frames import EMBEDDING, score_frames
from training.models.network import FrameClassifier
from training.runs.reporter import Reporter

BATCH = 32
"""Frames between two looks at the reporter: a second or two of work on a slow computer."""


def embed_videos(
    network: FrameClassifier,
    frames: LabelledFrames,
    reporter: Reporter,
    autocast: torch.dtype | None,
    watch: Stopwatch,
    done: int,
    total: int,
) -> EmbeddedFrames:
    """Embed frames from their videos; those that do not decode are left out.

    Args:
        network: whose embeddings.
        frames: sorted by study and time.
        reporter: for progress and cancel.
        autocast: see `score_frames`.
        watch: notes the speed of reading and of forward passes.
        done, total: frames of the whole run that were computed before, and that are to be computed.

    Raises:
        UserError: a study cannot be opened, or none of a study's frames can be read.
    """
    found = np.full((len(frames), network.config.embedding_size), np.nan, np.float32)
    pictures = read_frames(frames, network.config.input_size, reporter)
    while True:
        reporter.check()
        began = time.perf_counter()
        batch = list(islice(pictures, BATCH))
        watch.add("reading", len(batch), time.perf_counter() - began)
        if not batch:
            break
        rows, pixels = [row for row, _ in batch], np.stack([picture for _, picture in batch])
        with watch.timed("forward", len(rows)):
            found[rows] = score_frames(network, pixels, reporter, autocast=autocast).embeddings
        reporter.progress(done + rows[-1] + 1, total, "frames", EMBEDDING)
    there = np.flatnonzero(np.isfinite(found).all(axis=1))
    return EmbeddedFrames(frames.select(there), found[there])
