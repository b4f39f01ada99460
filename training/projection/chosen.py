"""Which frames a map shows, which settings made it, and how many threads may work on it."""

import os
from typing import Any

import numpy as np

from training.datasets.labelled_frames import check_ends
from training.datasets.labels import read_labels
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.rows import Rows
from training.projection.sampling import UNLABELLED, frame_labels, sample_frames
from training.projection.sources import Source
from training.texts import Text


def chosen_rows(sources: tuple[Source, ...], config: ProjectConfig, count: int) -> tuple[Rows, list[str]]:
    """The frames of the map, without those that are no numbers, and what is to be said about that.

    Raises:
        UserError: nothing is left.
    """
    rows = [source.rows() for source in sources]
    frames = {s.study_id: s.frame_index[r] for s, r in zip(sources, rows, strict=True)}
    total = sum(len(each) for each in rows)
    if count and count < total:
        labels = np.full(total, UNLABELLED, np.int32)
        if config.labels is not None:
            given = read_labels(config.labels)
            check_ends(given, {source.study_id: source.frame_count for source in sources})
            by_study = frame_labels(given, frames)[1]
            labels = np.concatenate([by_study[source.study_id] for source in sources])
        taken = sample_frames(labels, count, np.random.default_rng(config.seed))
        ends = np.cumsum([0, *(len(each) for each in rows)])
        rows = [
            each[taken[(taken >= low) & (taken < high)] - low]
            for each, low, high in zip(rows, ends[:-1], ends[1:], strict=True)
        ]
    matrix = Rows(sources, rows)
    matrix.keep()
    finite = matrix.finite()
    notes: list[str] = []
    if not finite.all():
        lost = int((~finite).sum())
        notes.append(Text("{lost:,} frames that cannot be decoded have no embedding and are left out.", lost))
        rows = [each[finite[matrix.study == number]] for number, each in enumerate(rows)]
        matrix = Rows(sources, rows)
        matrix.keep()
    if not matrix.shape[0]:
        raise UserError("There are no frames to show: none of these studies has embeddings.", "Score the studies.")
    return matrix, notes


def parameters(config: ProjectConfig, sources: tuple[Source, ...]) -> dict[str, Any]:
    """The settings that made a map, as JSON values, with its files by study."""
    left_out = {"out", "overwrite", "embeddings", "manifest", "resume", "device", "threads", "onto"}
    fields = config.model_dump(mode="json", exclude=left_out)
    return fields | {"files": {source.study_id: str(source.path.resolve()) for source in sources}}


def threads_of(config: ProjectConfig) -> int:
    """The CPU threads to use."""
    return config.threads or os.cpu_count() or 1
