"""The old model and the new one side by side: comparison.json, where a run started from a model."""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.devices import training_device
from training.datasets.frame_store import FrameStore, load_frames
from training.finetuning import card, starting_point, training_set
from training.finetuning.config import FinetuneConfig
from training.finetuning.evaluation import Evaluation, Figures, HeldOutNegatives, Unlabelled, compare_on
from training.finetuning.folder import RunFolder
from training.finetuning.negatives import NegativeFrames, load_negatives
from training.finetuning.unlabelled import COMPARED, held_out_frames
from training.inference.torch_engine import SCORING, score_frames
from training.metrics.comparison import ModelScores, unlabelled_changes
from training.models.network import FrameClassifier, load_evaluated
from training.runs.reporter import Reporter


class Comparing:
    """Evaluates the model that a new one may replace, on the same frames at its own input size."""

    def __init__(
        self,
        config: FinetuneConfig,
        start: starting_point.StartingPoint,
        data: training_set.TrainingSet,
        held_out: FrameStore,
        negatives: NegativeFrames | None,
        folder: RunFolder,
        autocast: torch.dtype | None,
        reporter: Reporter,
    ) -> None:
        """`start` has a model to compare with; `held_out` and `negatives` are at the new model's input size."""
        assert start.compared is not None
        self._data, self._autocast, self._reporter = data, autocast, reporter
        self._new, self._old = start.network, load_evaluated(start.compared, training_device(config.device, reporter))
        unlabelled = card.unlabelled_classes(self._old.config.classes, data)
        self._kept = [name for name in unlabelled if name in self._new.config.classes]
        self._dropped = [name for name in unlabelled if name not in self._kept]
        size = self._old.config.input_size
        self._of_new = of_old = held_out
        if size != self._new.config.input_size:
            of_old = training_set.load_side(config, data.held_out, size, folder, "comparison", reporter)
        self._even: dict[int, FrameStore] = {}
        # Frames of the held-out patients without labels; each model reads them at its own size.
        for each in {size, self._new.config.input_size} if self._kept else ():
            frames, spill = held_out_frames(data, COMPARED), folder.path / f"frames-even-{each}.tmp"
            what, memory = "reading frames without labels", config.memory_mib << 20
            self._even[each] = load_frames(frames, each, memory, spill, reporter, what, optional=True)
        self._old_scores = self._scores(self._old, of_old)
        self._negatives, self._old_absent = None, None
        if negatives is not None:
            self._negatives = HeldOutNegatives(negatives.negatives, negatives.frames.labelled, data.held_out.classes)
            other = negatives
            if size != self._new.config.input_size:
                read = load_negatives(config, negatives.negatives, size, folder, "comparison", reporter)
                assert read is not None
                other = read
            scores = score_frames(self._old, other.frames.pixels, reporter, autocast=autocast).scores
            self._old_absent = self._negatives.of(scores)

    def comparison(self, new: Evaluation) -> dict[str, Any]:
        """Content of comparison.json, given the evaluation of the new model on the held-out frames.

        Classes without labels are compared on the held-out frames and on others of the same patients, evenly in time;
        "dropped" names those that the new model does not know.
        """
        old, after = self._models(self._old_scores[: len(self._of_new)], new.scores)
        models = replace(old, absent=self._old_absent), replace(after, absent=new.absent_scores)
        result = compare_on(self._of_new.labelled, *models, self._data.split, self._unlabelled(), self._negatives)
        return {**result, "dropped": self._dropped}

    def agreement(self) -> Figures:
        """Of each class without labels the agreement as "auc", as figures of the labelled classes have it."""
        return {name: {"auc": row["agreement"]} for name, row in self._unlabelled().items()}

    def _unlabelled(self) -> Unlabelled:
        """What the new model, as it is now, does with the classes without labels; empty where there are none."""
        if not self._kept:
            return {}
        normal = np.zeros(len(self._old_scores), np.bool_)
        normal[: len(self._of_new)] = self._of_new.labelled.label == 0
        models = self._models(self._old_scores, self._scores(self._new, self._of_new))
        return unlabelled_changes(self._kept, *models, normal)

    def _models(self, old: NDArray[np.float32], new: NDArray[np.float32]) -> tuple[ModelScores, ModelScores]:
        before, after = self._old.config, self._new.config
        return ModelScores(before.model_id, before.classes, old), ModelScores(after.model_id, after.classes, new)

    def _scores(self, network: FrameClassifier, held_out: FrameStore) -> NDArray[np.float32]:
        """Scores (M, C) of the held-out frames, then of the even sample."""
        stores = [held_out, *([self._even[network.config.input_size]] if self._even else [])]
        options: dict[str, Any] = {"autocast": self._autocast, "what": SCORING}
        return np.concatenate([score_frames(network, each.pixels, self._reporter, **options).scores for each in stores])
