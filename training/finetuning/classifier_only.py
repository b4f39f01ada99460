"""Fine-tuning of a model's classifier alone: without torch, and without a video where frames are embedded already.

The network stays as it is, so the embeddings of studies that the old model scored are those of the new one, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.embeddings.stored import StoredEmbeddings
from training.finetuning.card import Made, lineage_of, unlabelled_classes, untaught_sentence
from training.finetuning.config import FinetuneConfig
from training.finetuning.embedded_frames import EmbeddedFrames, embed, stored_rows
from training.finetuning.evaluation import Unlabelled, compare_on, evaluation_of
from training.finetuning.folder import RunFolder, model_id
from training.finetuning.results import write_results
from training.finetuning.stages import CLASSIFIER_ONLY, stages_entry
from training.finetuning.training_set import (
    TrainingSet,
    frame_count_of,
    labelled_frames,
    load_side,
    training_set,
    united_classes,
    write_split,
)
from training.finetuning.unlabelled import COMPARED, candidates, choose, contradicted, held_out_frames
from training.methods.logistic import SoftTargets, fit_classifier, kept_targets
from training.metrics.comparison import ModelScores, unlabelled_changes
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
        labelled = labelled_frames(self.config, self.reporter, self._frame_count)
        earlier = patients_of_card(self.old.card)
        data = training_set(self.config, labelled, earlier, self.reporter)
        classes = united_classes(self.old.config.classes, labelled.frames.classes)
        network = ModelConfig.model_validate(
            {**self.old.config.model_dump(), "model_id": model_id(self.config), "classes": classes}
        )
        before = read_classifier(self.old)
        soft, rehearsed = self._soft_targets(data, before)
        write_split(self.folder, data, earlier, rehearsed)
        count = 0 if rehearsed is None else len(rehearsed)
        if sentence := untaught_sentence(classes, data, count):
            self.reporter.log(sentence)
        training = self._embedded(data.training, "training")
        held_out = self._embedded(data.held_out, "held-out")
        data = replace(data, training=training.labelled, held_out=held_out.labelled)
        after = self._fit(before.with_rows(len(classes)), training, classes, soft)
        evaluation = evaluation_of(after.scores(held_out.embeddings), classes, held_out.labelled)
        made = Made(network, lineage_of(self.old), ClassifierFit(), "cpu", "float32", count)
        stages = stages_entry(evaluation.figures, None, "linear", sentence=CLASSIFIER_ONLY)

        def save(card: Mapping[str, Any]) -> None:
            write_with_classifier(self.old, self.folder.model, network, after, card)

        def compare() -> dict[str, Any]:
            models = Models(self.old.config, before, network, after)
            unlabelled = self._unlabelled(data, held_out, models)
            return compare_on(held_out.labelled, *models.on(held_out.embeddings), data.split, unlabelled)

        figures = evaluation.figures
        return write_results(self.folder, self.config, made, data, figures, stages, save, compare, self.reporter)

    def _soft_targets(
        self, data: TrainingSet, before: LinearClassifier
    ) -> tuple[SoftTargets | None, LabelledFrames | None]:
        """What the run rehearses, of frames whose embeddings are stored; see `training.finetuning.rehearsal`."""
        names, wanted = unlabelled_classes(self.old.config.classes, data), self.config.rehearsal_frames
        if not names or not wanted:
            return None, None
        kept = np.array([self.old.config.classes.index(name) for name in names], dtype=np.int64)
        frames, embeddings = self._stored(candidates(data, wanted))
        scores = before.scores(embeddings)
        usable = ~contradicted(frames, scores, kept, data.training)
        rows = np.flatnonzero(usable)[choose(scores[usable][:, kept], wanted)]
        if not len(rows):
            return None, None
        targets = kept_targets(scores[rows], kept)
        return SoftTargets(embeddings[rows], targets, kept, self.config.rehearsal_weight), frames.select(rows)

    def _unlabelled(self, data: TrainingSet, held_out: EmbeddedFrames, models: "Models") -> Unlabelled:
        """What became of classes without labels, on held-out frames and others that are stored."""
        names = unlabelled_classes(self.old.config.classes, data)
        if not names:
            return {}
        others = self._stored(held_out_frames(data, COMPARED))[1]
        return unlabelled_changes(names, *models.on(np.concatenate([held_out.embeddings, others])))

    def _stored(self, frames: LabelledFrames) -> tuple[LabelledFrames, NDArray[np.float32]]:
        """Those of the frames whose embeddings are stored, and these (M, D)."""
        embeddings, _ = stored_rows(frames, self.stored)
        there = np.asarray(np.isfinite(embeddings).all(axis=1))
        return frames.select(there), embeddings[there]

    def _frame_count(self, study: StudyEntry) -> int:
        """Frames of a study: of its embedding file, which spares reading the video."""
        file = self.stored.file(study.study_id, study.path)
        return frame_count_of(study) if file is None else int(file.frame_index[-1]) + 1

    def _embedded(self, frames: LabelledFrames, what: str) -> EmbeddedFrames:
        self.reporter.check()
        return embed(frames, self.stored, lambda missing: self._computed(missing, what), self.reporter, what)

    def _computed(self, frames: LabelledFrames, what: str) -> EmbeddedFrames:
        """Embeddings of frames whose study was not scored by this network; needs torch."""
        from training.compute.devices import choose_autocast
        from training.inference.score_frames import score_frames

        size = self.old.config.input_size
        store = load_side(self.config, frames, size, self.folder, what, self.reporter)
        autocast = choose_autocast(self.config.precision, self._network.mean.device)
        found = score_frames(self._network, store.pixels, self.reporter, autocast=autocast)
        return EmbeddedFrames(store.labelled, found.embeddings)

    @cached_property
    def _network(self) -> "FrameClassifier":
        from training.compute.devices import training_device
        from training.models.network import load_network

        return load_network(self.old, training_device(self.config.device, self.reporter))

    def _fit(
        self,
        start: LinearClassifier,
        training: EmbeddedFrames,
        classes: tuple[str, ...],
        soft: SoftTargets | None,
    ) -> LinearClassifier:
        """The new classifier as it is stored: float32."""
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        self.reporter.check()
        fitted = fit_classifier(start, training.embeddings, training.labelled.labels_among(classes), soft)
        return LinearClassifier(*(part.astype(np.float32) for part in fitted))


@dataclass(frozen=True)
class Models:
    """The old and the new model: the same network with another classifier."""

    old: ModelConfig
    before: LinearClassifier
    new: ModelConfig
    after: LinearClassifier

    def on(self, embeddings: NDArray[np.float32]) -> tuple[ModelScores, ModelScores]:
        """Their scores of frames with these embeddings (M, D)."""
        return (
            ModelScores(self.old.model_id, self.old.classes, self.before.scores(embeddings)),
            ModelScores(self.new.model_id, self.new.classes, self.after.scores(embeddings)),
        )
