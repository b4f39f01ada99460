"""Fine-tuning of a model's classifier alone: without torch, and without a video where frames are embedded already.

The network stays as it is, so the embeddings of studies that the old model scored are those of the new one, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.embeddings.stored import StoredEmbeddings
from training.finetuning.card import Made, lineage_of, unlabelled_classes
from training.finetuning.config import FinetuneConfig
from training.finetuning.embedded_frames import EmbeddedFrames, embed
from training.finetuning.folder import RunFolder, model_id
from training.finetuning.results import Previous, write_results
from training.finetuning.stages import CLASSIFIER_ONLY, stages_entry
from training.finetuning.training_set import (
    TrainingSet,
    frame_count_of,
    load_side,
    read_targets,
    training_set,
    united_classes,
    write_split,
)
from training.metrics.figures import class_figures
from training.models.config import ModelConfig
from training.models.folder import SUMS, ModelFolder
from training.models.linear_classifier import (
    LinearClassifier,
    network_digests,
    read_classifier,
    write_with_classifier,
)
from training.pretraining.pretrained import is_pretraining
from training.runs.provenance import patients_of_card
from training.runs.reporter import Reporter

if TYPE_CHECKING:
    from training.models.network import FrameClassifier


@dataclass(frozen=True)
class ClassifierFit:
    """How far a fit went: it has no steps, and cannot be stopped half-way."""

    steps_done: int = 0
    steps: int = 0
    memory: str = ""
    is_finished: bool = True


def keeps_network(config: FinetuneConfig) -> bool:
    """Whether a run starts from a model and changes its classifier only.

    Raises:
        UserError: the model is damaged.
    """
    path = Path(config.init)
    is_model = any((folder / SUMS).is_file() for folder in (path, path / "model"))
    if not config.is_classifier_only or not is_model or is_pretraining(path):
        return False
    old = ModelFolder.open(path).config
    wanted = {"input_size": config.input_size, "embedding_layer": config.embedding_layer}
    return all(value is None or value == getattr(old, name) for name, value in wanted.items())


class ClassifierUpdate:
    """One run, after its folder was created or read."""

    def __init__(self, config: FinetuneConfig, folder: RunFolder, reporter: Reporter) -> None:
        self.config = config
        self.folder = folder
        self.reporter = reporter
        self.old = ModelFolder.open(Path(config.init))
        digests = network_digests(self.old)
        self.stored = StoredEmbeddings(config.embeddings, self.old.config, digests, reporter)

    def run(self) -> dict[str, Any]:
        """Fit, evaluate, write; returns the result of `finetune`."""
        try:
            return self._run()
        finally:
            self.stored.close()

    def _run(self) -> dict[str, Any]:
        targets = read_targets(self.config)
        earlier = patients_of_card(self.old.card)
        data = training_set(self.config, targets, earlier, self.reporter, self._frame_count)
        write_split(self.folder, data, earlier)
        classes = united_classes(self.old.config.classes, targets)
        network = ModelConfig.model_validate(
            {**self.old.config.model_dump(), "model_id": model_id(self.config), "classes": classes}
        )
        if unlabelled := unlabelled_classes(classes, data):
            self.reporter.log(f"Classes of the model without labels in this run: {', '.join(unlabelled)}.")
        training = self._embedded(data.training, "training")
        held_out = self._embedded(data.held_out, "held-out")
        data = TrainingSet(data.split, data.everything, training.labelled, held_out.labelled)
        before = read_classifier(self.old)
        after = self._fit(before.with_rows(len(classes)), training, classes)
        figures = figures_of(after, classes, held_out)
        previous = Previous(self.old.config.model_id, lambda: figures_of(before, self.old.config.classes, held_out))
        made = Made(network, lineage_of(self.old), ClassifierFit(), "cpu", "float32")
        stages = stages_entry(figures, None, "linear", CLASSIFIER_ONLY)

        def save(card: Mapping[str, Any]) -> None:
            write_with_classifier(self.old, self.folder.model, network, after, card)

        return write_results(self.folder, self.config, made, data, figures, stages, save, previous, self.reporter)

    def _frame_count(self, study: StudyEntry) -> int:
        """Frames of a study: of its embedding file, which spares reading the video."""
        file = self.stored.file(study.study_id, study.path)
        return frame_count_of(study) if file is None else int(file.frame_index[-1]) + 1

    def _embedded(self, frames: LabelledFrames, what: str) -> EmbeddedFrames:
        self.reporter.check()
        return embed(frames, self.stored, lambda missing: self._computed(missing, what), self.reporter, what)

    def _computed(self, frames: LabelledFrames, what: str) -> EmbeddedFrames:
        """Embeddings of frames whose study was not scored by this network; needs torch."""
        from training.compute.plan import choose_autocast
        from training.inference.score_frames import score_frames

        size = self.old.config.input_size
        store = load_side(self.config, frames, size, self.folder, what, self.reporter)
        autocast = choose_autocast(self.config.precision, self._network.mean.device)
        found = score_frames(self._network, store.pixels, self.reporter, autocast=autocast)
        return EmbeddedFrames(store.labelled, found.embeddings)

    @cached_property
    def _network(self) -> "FrameClassifier":
        from training.compute.plan import training_device
        from training.models.network import load_network

        return load_network(self.old, training_device(self.config.device, self.reporter))

    def _fit(self, start: LinearClassifier, training: EmbeddedFrames, classes: tuple[str, ...]) -> LinearClassifier:
        """The new classifier as it is stored: float32."""
        from training.methods.logistic import fit_classifier

        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        self.reporter.check()
        fitted = fit_classifier(start, training.embeddings, training.labelled.labels_among(classes))
        return LinearClassifier(*(part.astype(np.float32) for part in fitted))


def figures_of(
    classifier: LinearClassifier, classes: tuple[str, ...], held_out: EmbeddedFrames
) -> dict[str, dict[str, Any]]:
    """Figures of a classifier on held-out frames; see `class_figures`."""
    frames = held_out.labelled
    scores = classifier.scores(held_out.embeddings)
    return class_figures(frames.classes, frames.label, frames.patients, classes, scores)
