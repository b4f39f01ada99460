"""The classifier that is learned from the reader's labels while they are given; see `training.finetuning.live_head`."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.models.linear_classifier import LinearClassifier
from training.runs.reporter import Reporter

ROWS = 4096
"""Frames that are scored together; in between the work can be cancelled."""


@dataclass(frozen=True, eq=False)
class LiveHead:
    """A linear classifier of the embeddings of one network.

    Attributes:
        model_id: the model in use, whose network made the embeddings.
        classes: C names, normal first.
        classifier: of the embeddings.
        counts: labelled frames of each class that it was fitted to.
    """

    model_id: str
    classes: tuple[str, ...]
    classifier: LinearClassifier
    counts: Mapping[str, int]

    def scores(self, file: EmbeddingFile, reporter: Reporter) -> NDArray[np.float32]:
        """(N, C) float32 in [0, 1]: scores of every frame of an embedding file, NaN where a frame is missing.

        Raises:
            Cancelled: the reporter asked to end.
        """
        found = np.empty((len(file), len(self.classes)), np.float32)
        for start in range(0, len(file), ROWS):
            reporter.check()
            part = slice(start, start + ROWS)
            found[part] = self.classifier.scores(file.embeddings[part])
        return found
