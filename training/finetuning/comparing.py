"""The old model and the new one side by side: comparison.json, where a run started from a model."""

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.plan import training_device
from training.datasets.frame_store import FrameStore, load_frames
from training.finetuning.card import unlabelled_classes
from training.finetuning.config import FinetuneConfig
from training.finetuning.evaluation import Evaluation, Unlabelled, compare_on
from training.finetuning.folder import RunFolder
from training.finetuning.held_out import evaluate
from training.finetuning.starting_point import StartingPoint
from training.finetuning.training_set import TrainingSet, load_side
from training.finetuning.unlabelled import COMPARED, held_out_frames
from training.inference.score_frames import score_frames
from training.metrics.comparison import ModelScores, unlabelled_changes
from training.models.network import FrameClassifier, load_network
from training.runs.reporter import Reporter


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
        self._kept = unlabelled_classes(start.previous.config.classes, data)

    def comparison(self, held_out: FrameStore, new: Evaluation) -> dict[str, Any]:
        """Content of comparison.json; `held_out` at the new model's input size, and its evaluation on these frames.

        Classes without labels are compared on the held-out frames and on others of the same patients, evenly in time.
        """
        size = self._old.config.input_size
        seen = held_out
        if size != self._new.config.input_size:
            seen = load_side(self._config, self._data.held_out, size, self._folder, "comparison", self._reporter)
        old = evaluate(self._old, seen, self._autocast, self._reporter)
        models = _models(self._old, self._new, Both(old.scores, new.scores))
        return compare_on(self._data.held_out, *models, self._data.split, self._unlabelled(old.scores, new.scores))

    def _unlabelled(self, old: NDArray[np.float32], new: NDArray[np.float32]) -> Unlabelled:
        if not self._kept:
            return {}
        others = self._even_sample()
        every = Both(np.concatenate([old, others.old]), np.concatenate([new, others.new]))
        return unlabelled_changes(self._kept, *_models(self._old, self._new, every))

    def _even_sample(self) -> Both:
        """Both models on frames without labels; each reads them at its own input size."""
        frames = held_out_frames(self._data, COMPARED)
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


def _models(old: FrameClassifier, new: FrameClassifier, scores: Both) -> tuple[ModelScores, ModelScores]:
    before, after = (
        ModelScores(network.config.model_id, network.config.classes, found)
        for network, found in zip((old, new), scores, strict=True)
    )
    return before, after
