"""Fine-tuning of a model's classifier alone: without torch, and without a video where frames are embedded already.

The network stays as it is, so the embeddings of studies that the old model scored are those of the new one, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.datasets.frame_store import report_missing
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.datasets.score_table import HeldOutScores, write_scores
from training.embeddings.familiar import Familiar
from training.embeddings.stored import StoredEmbeddings
from training.errors import UserError
from training.finetuning import live_head, stopwatch
from training.finetuning.card import (
    Fit,
    Made,
    lineage_of,
    unlabelled_classes,
    unlabelled_sentence,
    write_results,
)
from training.finetuning.config import FinetuneConfig
from training.finetuning.evaluation import (
    CLASSIFIER_ONLY,
    LEARNED_FROM_ALL,
    REFITTED,
    HeldOutNegatives,
    Unlabelled,
    compare_on,
    evaluation_of,
    source_figures,
    stages_entry,
)
from training.finetuning.folder import RunFolder, model_id
from training.finetuning.negatives import (
    EmbeddedFrames,
    absent_classes,
    count_missing,
    distinct,
    frame_keys,
    joined,
    negatives_among,
    negatives_sentence,
    stored_rows,
)
from training.finetuning.training_set import (
    TrainingSet,
    frame_count_of,
    labelled_frames,
    training_set,
    united_classes,
    write_split,
)
from training.finetuning.unlabelled import COMPARED, candidates, held_out_frames, rehearsed_rows
from training.metrics.comparison import ModelScores, unlabelled_changes
from training.models import linear_classifier
from training.models.config import ModelConfig
from training.models.folder import SUMS, ModelFolder
from training.models.logistic import AbsentClasses, SoftTargets, fit_absent, fit_classifier, kept_targets
from training.pretraining.pretrained import is_pretraining
from training.runs.provenance import patients_of_card
from training.runs.reporter import EndsAtOnce, Reporter
from training.texts import Text, join_texts

if TYPE_CHECKING:
    from training.models.network import FrameClassifier


def keeps_network(config: FinetuneConfig) -> bool:
    """Whether a run starts from a model and changes its classifier only.

    Raises:
        UserError: the model is damaged, or a classifier of the labels only is wanted without such a model.
    """
    path, keeps = Path(config.init), False
    is_model = any((folder / SUMS).is_file() for folder in (path, path / "model"))
    if config.is_classifier_only and is_model and not is_pretraining(path):
        old = ModelFolder.open(path).config
        wanted = {"input_size": config.input_size, "embedding_layer": config.embedding_layer}
        keeps = all(value is None or value == getattr(old, name) for name, value in wanted.items())
    if config.labels_only and not keeps:
        raise UserError(
            "A classifier of the labels only needs a model whose network it keeps.",
            "Start from a model folder, with trained_layers=0 and the model's own input size.",
        )
    return keeps


def sides_to_embed(config: FinetuneConfig, data: TrainingSet, old_classes: Sequence[str]) -> list[LabelledFrames]:
    """The labelled frames whose embeddings a run needs; `old_classes`: of the model that it starts from."""
    sides = [data.training, data.held_out]
    classes = united_classes(old_classes, data.everything.classes)
    if config.labels_only:
        sides = [live_head.frames_to_learn(data.everything)]
        classes = sides[0].classes
    rejected = [negatives_among(side, classes) for side in data.negatives]
    return [*sides, *(distinct(side) for side in rejected if len(side))]


class ClassifierUpdate:
    """One run, after its folder was created or read. A stop ends it at once: until its end it has nothing to keep."""

    def __init__(self, config: FinetuneConfig, folder: RunFolder, reporter: Reporter) -> None:
        self.old = ModelFolder.open(Path(config.init))
        # Without a classifier to change, a new one is fitted.
        self.config = config if self.old.has_classifier else config.model_copy(update={"labels_only": True})
        self.folder = folder
        self.reporter = EndsAtOnce(reporter)
        digests = linear_classifier.network_digests(self.old)
        self.stored = StoredEmbeddings(config.embeddings, self.old.config, digests, self.reporter)
        self.watch = stopwatch.Stopwatch()
        self.done, self.to_compute = 0, 0  # frames whose embeddings are not stored

    def run(self) -> dict[str, Any]:
        """Fit, evaluate, write; returns the result of `finetune`."""
        try:
            return self._run()
        finally:
            self.stored.close()

    def _run(self) -> dict[str, Any]:
        labelled = labelled_frames(self.config, self.reporter, self._frame_count)
        earlier = patients_of_card(self.old.card)
        before = linear_classifier.read_evaluated(self.old) if self.old.has_classifier else None
        data = training_set(self.config, labelled, earlier, self.reporter)
        sides = sides_to_embed(self.config, data, self.old.config.classes)
        self.to_compute = 0 if self.old.config.is_imported else count_missing(sides, self.stored, self.reporter)
        learned = self._learn_anew(data) if before is None or self.config.labels_only else self._update(data, before)
        kept, evaluated, held_out, (rejected, frames) = (
            learned.kept, learned.evaluated, learned.held_out, learned.negatives
        )  # fmt: skip
        write_split(self.folder, data, earlier, learned.rehearsed)
        update = {"model_id": model_id(self.config), "classes": learned.classes, "scores": self.config.scores}
        network = ModelConfig.model_validate({**self.old.config.model_dump(), **update})
        data = replace(data, training=learned.training, held_out=held_out.labelled)
        negatives = HeldOutNegatives(rejected, frames.labelled, held_out.labelled.classes)
        scores, more = (evaluated.scores(each.embeddings, network.scores) for each in (held_out, frames))
        evaluation = evaluation_of(scores, learned.classes, held_out.labelled, negatives, more)
        count = 0 if learned.rehearsed is None else len(learned.rehearsed)
        is_refitted = kept is not evaluated
        made = Made(network, lineage_of(self.old), Fit(), "cpu", "float32", count, is_refitted)
        stages = stages_entry(evaluation.figures, None, "linear", sentence=learned.sentence)

        def save(card: Mapping[str, Any]) -> None:
            other = evaluated if is_refitted else None
            linear_classifier.write_with_classifier(self.old, self.folder.model, network, kept, card, other)

        def both(embeddings: NDArray[np.float32]) -> tuple[ModelScores, ModelScores]:
            """Scores of frames by the old and the new model: the same network with another classifier."""
            assert before is not None
            models = ((self.old.config, before), (network, evaluated))
            old, new = (
                ModelScores(each.model_id, each.classes, by.scores(embeddings, each.scores)) for each, by in models
            )
            return old, new

        names = unlabelled_classes(self.old.config.classes, data) if before is not None else []
        unlabelled: Unlabelled = {}
        if remaining := [name for name in names if name in network.classes]:
            others = self._stored(held_out_frames(data, COMPARED))[1]
            normal = np.append(held_out.labelled.label == 0, np.zeros(len(others), np.bool_))
            every = np.concatenate([held_out.embeddings, others])
            unlabelled = unlabelled_changes(remaining, *both(every), normal)
        compared: dict[str, Any] = {}
        if before is not None:
            pairs = zip(both(held_out.embeddings), both(frames.embeddings), strict=True)
            old, new = (replace(model, absent=negatives.of(also.scores)) for model, also in pairs)
            compared = compare_on(held_out.labelled, old, new, data.split, unlabelled, negatives)
            compared["dropped"] = [name for name in names if name not in remaining]
        figures = evaluation.figures
        scored = HeldOutScores(self.config.seed, evaluation.scores)
        write_scores(self.folder.scores, held_out.labelled, learned.classes, [scored])
        by_source = source_figures(evaluation, learned.classes, held_out.labelled, data.split)
        result = write_results(
            self.folder,
            self.config,
            made,
            data,
            figures,
            stages,
            save,
            compared,
            self.reporter,
            by_source,
            Familiar.fit(learned.embeddings, held_out.embeddings),
        )
        return {**result, "speeds": self.watch.to_json()} if self.to_compute else result

    def _update(self, data: TrainingSet, before: linear_classifier.LinearClassifier) -> "Learned":
        """Change the old classifier by the labels of the training patients; it keeps its classes."""
        classes = united_classes(self.old.config.classes, data.everything.classes)
        soft, rehearsed = self._soft_targets(data, before)
        if sentence := unlabelled_sentence(classes, data, 0 if rehearsed is None else len(rehearsed)):
            self.reporter.log(sentence)
        training = self._embedded(data.training, "training")
        held_out = self._embedded(data.held_out, "held-out")
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        self.reporter.check()
        sides = [(side.embeddings, side.labelled.labels_among(classes)) for side in (training, held_out)]
        absent, negatives = self._negatives(data, classes)
        start = before.with_rows(len(classes))
        plain = fit_classifier(start, *sides[0], soft)
        evaluated = _single(plain if absent[0] is None else fit_absent(start, plain, *sides[0], absent[0], soft))
        learned = Learned(
            classes, training.labelled, training.embeddings, held_out, evaluated, evaluated, negatives, rehearsed
        )
        if not (self.config.refit and self.config.learn_from_held_out):
            return learned
        embeddings, labels = (np.concatenate(parts) for parts in zip(*sides, strict=True))
        # From the classifier without the rejected classes' rows: other classes must not follow these.
        kept = _single(fit_classifier(_single(plain), embeddings, labels, soft, absent=joined(absent)))
        return replace(learned, kept=kept, sentence=join_texts(" ", (CLASSIFIER_ONLY, REFITTED)))

    def _learn_anew(self, data: TrainingSet) -> "Learned":
        """Fit a new classifier to all labels, as the window's live scores do; another one is evaluated.

        The one that is evaluated learned from the training patients only.
        """
        everything = self._embedded(live_head.frames_to_learn(data.everything), "labelled")
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        training = everything.among(data.everything.select(data.split.training))
        held_out = everything.among(data.everything.select(data.split.held_out))
        classes = everything.labelled.classes
        absent, negatives = self._negatives(data, classes)
        heads = []
        for frames, no in ((everything, joined(absent)), (training, absent[0])):
            estimate = live_head.estimate_head(frames.labelled, frames.embeddings, self.reporter.check)
            penalty = live_head.PENALTY if estimate is None else estimate.penalty
            heads.append(live_head.fit_head(frames.labelled, frames.embeddings, penalty, no))
        kept, evaluated = heads
        return Learned(
            classes,
            training.labelled,
            training.embeddings,
            held_out,
            kept,
            evaluated,
            negatives,
            sentence=LEARNED_FROM_ALL,
        )

    def _negatives(self, data: TrainingSet, classes: Sequence[str]) -> "tuple[list[AbsentClasses | None], Negatives]":
        """Frames on which a class is not there: what each side says to a classifier, and the held-out ones."""
        sides = [negatives_among(side, classes) for side in data.negatives]
        if sentence := negatives_sentence(*sides):
            self.reporter.log(sentence)
        nothing = np.zeros((0, self.stored.embedding_size), np.float32)
        frames = [
            self._embedded(distinct(side), "negative") if len(side) else EmbeddedFrames(side, nothing) for side in sides
        ]
        absent = [
            absent_classes(side, each.labelled, each.embeddings, classes, self.config.scores)
            for side, each in zip(sides, frames, strict=True)
        ]
        return absent, (sides[1], frames[1])

    def _soft_targets(
        self, data: TrainingSet, before: linear_classifier.LinearClassifier
    ) -> tuple[SoftTargets | None, LabelledFrames | None]:
        """What the run rehearses, of frames whose embeddings are stored; see `training.finetuning.linear_stage`."""
        names, wanted = unlabelled_classes(self.old.config.classes, data), self.config.rehearsal_frames
        if not names or not wanted:
            return None, None
        kept = np.array([self.old.config.classes.index(name) for name in names], dtype=np.int64)
        frames, embeddings = self._stored(candidates(data, wanted))
        scores = before.scores(embeddings)
        rows = rehearsed_rows(frames, scores, kept, data.training, wanted)
        if not len(rows):
            return None, None
        targets = kept_targets(scores[rows], kept)
        return SoftTargets(embeddings[rows], targets, kept, self.config.rehearsal_weight), frames.select(rows)

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
        """Embeddings of labelled frames, sorted by study and time; those that do not decode are left out."""
        self.reporter.check()
        embeddings, is_stored = stored_rows(frames, self.stored)
        missing = np.flatnonzero(~is_stored)
        counts = Text(what), is_stored.sum(), len(missing)
        text = (
            Text("Embeddings of {what} frames: {sum:,} imported, {count:,} missing and left out.", *counts)
            if self.old.config.is_imported
            else Text("Embeddings of {what} frames: {sum:,} stored, {count:,} to compute.", *counts)
        )
        self.reporter.log(text)
        if len(missing) and not self.old.config.is_imported:
            computed = self._computed(frames.select(missing))
            rows = missing[np.isin(frame_keys(frames.select(missing)), frame_keys(computed.labelled))]
            embeddings[rows] = computed.embeddings
        there = np.asarray(np.isfinite(embeddings).all(axis=1))
        if not there.any():
            self.old.need_network()
        for number in np.unique(frames.study[is_stored & ~there]) if not self.old.config.is_imported else ():
            report_missing(frames, np.flatnonzero(frames.study == number), there, int(number), self.reporter)
        return EmbeddedFrames(frames.select(there), embeddings[there])

    def _computed(self, frames: LabelledFrames) -> EmbeddedFrames:
        """Embeddings of frames whose study was not scored by this network; needs torch."""
        from training.compute.devices import choose_autocast
        from training.finetuning.held_out import embed_videos
        from training.inference.torch_engine import EMBEDDING

        self.reporter.progress(self.done, self.to_compute, "frames", EMBEDDING)
        network = self._network
        if not self.done:
            self.watch = stopwatch.Stopwatch()  # what came before, such as importing torch, is the start of the run
        autocast = choose_autocast(self.config.precision, network.mean.device)
        computed = embed_videos(network, frames, self.reporter, autocast, self.watch, self.done, self.to_compute)
        self.done += len(frames)
        return computed

    @cached_property
    def _network(self) -> "FrameClassifier":
        from training.compute.devices import training_device
        from training.models.network import load_network

        return load_network(self.old, training_device(self.config.device, self.reporter))


def _single(classifier: linear_classifier.LinearClassifier) -> linear_classifier.LinearClassifier:
    """As it is stored, float32."""
    return linear_classifier.LinearClassifier(*(part.astype(np.float32) for part in classifier))


Negatives: TypeAlias = tuple[LabelledFrames, EmbeddedFrames]
"""One row for each frame and class that is not there, and the embeddings of the frames."""


@dataclass(frozen=True)
class Learned:
    """What a run learned.

    Attributes:
        classes: of the new classifier.
        training: frames of the training patients.
        embeddings: of these.
        held_out: frames of the others.
        kept: the classifier of the new model.
        evaluated: the classifier that is evaluated on `held_out`, which it did not learn from.
        negatives: held-out frames on which a class is not there.
        rehearsed: frames without labels that it learned from.
        sentence: what the card says of it.
    """

    classes: tuple[str, ...]
    training: LabelledFrames
    embeddings: NDArray[np.float32]
    held_out: EmbeddedFrames
    kept: linear_classifier.LinearClassifier
    evaluated: linear_classifier.LinearClassifier
    negatives: Negatives
    rehearsed: LabelledFrames | None = None
    sentence: str = CLASSIFIER_ONLY
