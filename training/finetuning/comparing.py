"""The old model and the new one side by side: comparison.json, where a run started from a model."""

from typing import Any, NamedTuple

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


class Both(NamedTuple):
    """Scores of the same M frames, each (M, classes of the model)."""

    old: NDArray[np.float32]
    new: NDArray[np.float32]


class Comparing:
    """Evaluates the model that a run started from, on the frames of the new one at its own input size."""

    def __init__(
        self,
        config: FinetuneConfig,
        start: StartingPoint,
        data: TrainingSet,
        folder: RunFolder,
        autocast: torch.dtype | None,
        reporter: Reporter,
    ) -> None:
        """`start` has a previous model."""
        assert start.previous is not None
        self._config, self._data, self._folder = config, data, folder
        self._autocast, self._reporter = autocast, reporter
        self._new, self._old = start.network, load_network(start.previous, training_device(config.device, reporter))
        self._kept = kept_classes(start, data)

    def comparison(self, held_out: FrameStore, figures: Figures) -> dict[str, Any]:
        """What comparison.json says; `held_out` at the new model's input size, and the new model's figures on it.

        `unlabelled`: see `unlabelled_changes`; on the held-out frames and others of the same patients, evenly in time.
        `unlabelled_note`: where these frames come from if nobody is held out.
        """
        size = self._old.config.input_size
        seen = held_out
        if size != self._new.config.input_size:
            seen = load_side(self._config, self._data.held_out, size, self._folder, "comparison", self._reporter)
        old = evaluate(self._old, seen, self._autocast, self._reporter)
        split, ids = self._data.split, (self._old.config.model_id, self._new.config.model_id)
        found = compare(old, figures, split.kind, split.sentence, *ids)
        note = NOBODY_HELD_OUT if self._kept and split.kind == "time" else ""
        return {**found, "unlabelled": self._unlabelled(seen, held_out), "unlabelled_note": note}

    def _unlabelled(self, seen_by_old: FrameStore, seen_by_new: FrameStore) -> dict[str, dict[str, Any]]:
        if not self._kept:
            return {}
        labelled = Both(self._scores(self._old, seen_by_old), self._scores(self._new, seen_by_new))
        others = self._even_sample()
        old, new = (np.concatenate(parts) for parts in zip(labelled, others, strict=True))
        return unlabelled_changes(self._kept, self._old.config.classes, old, self._new.config.classes, new)

    def _even_sample(self) -> Both:
        """Both models on frames without labels; each reads them at its own input size."""
        frames = held_out_frames(self._data, LOOKED_AT)
        stores: dict[int, FrameStore] = {}
        for size in {self._old.config.input_size, self._new.config.input_size}:
            spill = self._folder.path / f"frames-even-{size}.tmp"
            memory = self._config.memory_mib << 20
            stores[size] = load_frames(
                frames, size, memory, spill, self._reporter, "reading frames without labels", optional=True
            )
        return Both(*(self._scores(each, stores[each.config.input_size]) for each in (self._old, self._new)))

    def _scores(self, network: FrameClassifier, frames: FrameStore) -> NDArray[np.float32]:
        return score_frames(network, frames.pixels, self._reporter, autocast=self._autocast).scores
