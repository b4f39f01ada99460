"""The old model and the new one side by side: comparison.json, where a run started from a model."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.plan import training_device
from training.datasets.frame_store import FrameStore, load_frames
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.finetuning.held_out import evaluate
from training.finetuning.rehearsal import kept_classes
from training.finetuning.starting_point import StartingPoint
from training.finetuning.training_set import TrainingSet, load_side
from training.finetuning.unlabelled import held_out_frames
from training.inference.score_frames import score_frames
from training.metrics.figures import Figures, compare, unlabelled_changes
from training.models.network import FrameClassifier, load_network
from training.runs.reporter import Reporter

LOOKED_AT = 240
"""Frames without labels that both models score, to see what became of classes without labels."""
NOBODY_HELD_OUT = (
    "Nobody is held out: the frames on which classes without labels are compared come from the studies of the training."
)


class Comparing:
    """Evaluates the model that a run started from, on the frames of the new one at its own input size."""

    def __init__(
        self,
        config: FinetuneConfig,
        start: StartingPoint,
        data: TrainingSet,
        held_out: FrameStore,
        folder: RunFolder,
        autocast: torch.dtype | None,
        reporter: Reporter,
    ) -> None:
        """`start` has a previous model; `held_out` is at the new model's input size."""
        assert start.previous is not None
        self._config, self._data, self._folder = config, data, folder
        self._autocast, self._reporter = autocast, reporter
        self._new, self._old = start.network, load_network(start.previous, training_device(config.device, reporter))
        self._kept = kept_classes(start, data)
        size = self._old.config.input_size
        self._of_new = self._of_old = held_out
        if size != self._new.config.input_size:
            self._of_old = load_side(config, data.held_out, size, folder, "comparison", reporter)
        self._even = self._even_sample() if self._kept else {}
        self._old_scores = self._scores(self._old, self._of_old) if self._kept else None

    def comparison(self, figures: Figures) -> dict[str, Any]:
        """What comparison.json says, given the new model's figures on the held-out frames.

        `unlabelled`: see `unlabelled_changes`; on the held-out frames and others of the same patients, evenly in time.
        `unlabelled_note`: where these frames come from if nobody is held out.
        """
        old = evaluate(self._old, self._of_old, self._autocast, self._reporter)
        split, ids = self._data.split, (self._old.config.model_id, self._new.config.model_id)
        found = compare(old, figures, split.kind, split.sentence, *ids)
        note = NOBODY_HELD_OUT if self._kept and split.kind == "time" else ""
        return {**found, "unlabelled": self.unlabelled(), "unlabelled_note": note}

    def unlabelled(self) -> dict[str, dict[str, Any]]:
        """What the new model, as it is now, does with the classes without labels; empty where there are none."""
        if self._old_scores is None:
            return {}
        new = self._scores(self._new, self._of_new)
        return unlabelled_changes(self._kept, self._old.config.classes, self._old_scores, self._new.config.classes, new)

    def agreement(self) -> Figures:
        """Of each class without labels the agreement as "auc", as figures of the labelled classes have it."""
        return {name: {"auc": row["agreement"]} for name, row in self.unlabelled().items()}

    def _even_sample(self) -> dict[int, FrameStore]:
        """Input size -> frames of the held-out patients without labels; each model reads them at its own size."""
        frames, memory = held_out_frames(self._data, LOOKED_AT), self._config.memory_mib << 20
        what = "reading frames without labels"
        return {
            size: load_frames(
                frames, size, memory, self._folder.path / f"frames-even-{size}.tmp", self._reporter, what, optional=True
            )
            for size in {self._old.config.input_size, self._new.config.input_size}
        }

    def _scores(self, network: FrameClassifier, held_out: FrameStore) -> NDArray[np.float32]:
        """Scores (M, C) of the held-out frames, then of the even sample."""
        stores = (held_out, self._even[network.config.input_size])
        return np.concatenate(
            [score_frames(network, one.pixels, self._reporter, autocast=self._autocast).scores for one in stores]
        )
