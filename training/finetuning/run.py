"""Runs a fine-tuning of the network, from settings to a model folder."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import torch

from training.compute.devices import choose_autocast, training_device
from training.datasets.frame_store import FrameStore
from training.datasets.score_table import HeldOutScores, write_scores
from training.embeddings.familiar import Familiar
from training.finetuning import comparing, stopwatch
from training.finetuning.card import Made, unlabelled_sentence, write_results
from training.finetuning.config import FinetuneConfig
from training.finetuning.evaluation import (
    CLASSIFIER_ONLY,
    REFITTED,
    TOO_FEW_GROUPS,
    Evaluation,
    LinearStage,
    better_stage,
    mean_auc,
    source_figures,
    stages_entry,
)
from training.finetuning.fitting import Fitted, fit, prepare, shows_close_ups, with_steps
from training.finetuning.folder import RunFolder, model_id
from training.finetuning.held_out import EarlyStopping, evaluate, familiar_frames, sample
from training.finetuning.linear_stage import Rehearsal, fit_linear, make_rehearsal
from training.finetuning.negatives import NegativeFrames, load_negatives, negatives_among, negatives_sentence
from training.finetuning.starting_point import StartingPoint, has_same_network, known_embeddings, starting_point
from training.finetuning.training_set import TrainingSet, labelled_frames, load_side, training_set, write_split
from training.inference.torch_engine import SCORING
from training.methods.rehearsing import TERM
from training.models.linear_classifier import SAME_NETWORK, LinearClassifier, network_digests
from training.models.network import FrameClassifier, get_classifier, save_network
from training.runs import checkpoint, provenance
from training.runs.folder import CsvLog, Point
from training.runs.reporter import EndsAtOnce, Reporter
from training.texts import Text, join_texts

CLOSE_UP_DETAIL = 2
"""Size of frames for close-ups, in multiples of the network's input size."""


HELD_OUT_COLUMNS = ("step", "class", "auc", "patients", "frames", "positives")


class Finetuning:
    """One run, after its folder was created or read."""

    def __init__(self, config: FinetuneConfig, folder: RunFolder, reporter: Reporter, shield: Reporter) -> None:
        self.config = config
        self.folder = folder
        self.reporter = reporter
        self.shield = shield
        self.device = training_device(config.device, reporter)
        self.stages: dict[str, Any] = {}
        self.rehearsal: Rehearsal | None = None
        self.negatives: tuple[NegativeFrames, ...] = ()
        self.held_out_negatives: NegativeFrames | None = None
        self.comparing: comparing.Comparing | None = None
        self.watch = stopwatch.Stopwatch()
        self.autocast = choose_autocast(config.precision, self.device)

    def run(self) -> dict[str, Any]:
        """Run all steps of a fine-tuning and return the result."""
        start, data = self._start()
        size = start.network.config.input_size
        has_close_ups = bool(self.config.boxes and self.config.close_ups)
        kept = size * CLOSE_UP_DETAIL if has_close_ups else size
        reading = EndsAtOnce(self.reporter)
        with self.watch.timed("reading", len(data.training) + len(data.held_out)):
            training = load_side(self.config, data.training, kept, self.folder, "training", reading)
            held_out = load_side(self.config, data.held_out, size, self.folder, "held-out", reading)
        self._read_negatives(data, start)
        data = replace(data, training=training.labelled, held_out=held_out.labelled)
        if start.compared is not None:
            self.comparing = comparing.Comparing(
                self.config, start, data, held_out, self.held_out_negatives, self.folder, self.autocast, self.reporter
            )
        fitted, evaluation = self._train(start, training, held_out, has_patients=data.split.kind == "patients")
        # Before the classifier learns from these frames.
        compared = self.comparing.comparison(evaluation) if self.comparing is not None else {}
        evaluated = self._learn_from_held_out(start.network, fitted, training, held_out)
        if self.stages:
            self.reporter.log(self.stages["sentence"])
        familiar = None
        if data.split.kind == "patients":
            familiar = familiar_frames(start.network, training, held_out, self.autocast, self.reporter)
        return self._write(start, data, evaluation, fitted, compared, evaluated, familiar)

    def _start(self) -> tuple[StartingPoint, TrainingSet]:
        """Network and frames of the run, and what it rehearses; writes split.json."""
        labelled = labelled_frames(self.config, self.reporter)
        if not self.folder.has_results:  # a run that is resumed keeps its size
            self.config = self.folder.rewrite(self.config.for_data(len(labelled.frames), len(labelled.frames.classes)))
        start = starting_point(self.config, labelled.frames.classes, model_id(self.config), self.reporter)
        also = provenance.patients_of_card(start.replaced.card) if start.replaced else frozenset()
        data = training_set(self.config, labelled, start.training_patients | also, self.reporter)
        self.rehearsal = make_rehearsal(self.config, start, data, self.folder, self.reporter)
        if sentence := unlabelled_sentence(start.network.config.classes, data, self._rehearsed):
            self.reporter.log(sentence)
        rehearsed = self.rehearsal.frames.labelled if self.rehearsal is not None else None
        write_split(self.folder, data, start.training_patients, rehearsed)
        return start, data

    def _read_negatives(self, data: TrainingSet, start: StartingPoint) -> None:
        """Read the frames on which a class of the network is not there; says how many there are."""
        network = start.network.config
        training, held_out = (negatives_among(side, network.classes) for side in data.negatives)
        if sentence := negatives_sentence(training, held_out):
            self.reporter.log(sentence)
        size = network.input_size
        learned = load_negatives(self.config, training, size, self.folder, "training", self.reporter)
        self.negatives = () if learned is None else (learned,)
        self.held_out_negatives = load_negatives(self.config, held_out, size, self.folder, "held-out", self.reporter)

    @property
    def _rehearsed(self) -> int:
        return len(self.rehearsal.frames) if self.rehearsal is not None else 0

    def _train(
        self, start: StartingPoint, training: FrameStore, held_out: FrameStore, *, has_patients: bool
    ) -> tuple[Fitted, Evaluation]:
        """Both stages, or the only one; the network has the kept weights afterwards."""
        network, only = start.network, self.config.is_classifier_only
        prepare(self.config, network, self.reporter)
        is_linear_first = self.config.linear_start or only or self.rehearsal is not None
        linear = self._linear_stage(start, training, held_out) if is_linear_first else None
        if linear is not None and (only or not has_patients):
            sentence = CLASSIFIER_ONLY if only else TOO_FEW_GROUPS
            self.stages = stages_entry(linear.held_out.figures, None, "linear", sentence=sentence)
            return Fitted(network=network), linear.held_out
        if self.config.steps is None:
            self.config = self.folder.rewrite(with_steps(self.config, training, self.reporter))
        fitted = self._fit(network, training, sample(held_out), has_patients=has_patients)
        return fitted, self._better(network, linear, self._evaluate(network, held_out))

    def _linear_stage(self, start: StartingPoint, training: FrameStore, held_out: FrameStore) -> LinearStage:
        """Fit the classifier on the frozen network, and evaluate it."""
        network = start.network
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        known = known_embeddings(self.config, start, training.labelled, self.reporter)
        with self.watch.timed("forward", len(training)):
            fit_linear(self.config, network, training, self.reporter, self.rehearsal, known, negatives=self.negatives)
        evaluation = self._evaluate(network, held_out)
        state = {name: tensor.clone() for name, tensor in network.state_dict().items()}
        return LinearStage(evaluation, state, self.comparing.agreement() if self.comparing is not None else {})

    def _evaluate(self, network: FrameClassifier, held_out: FrameStore) -> Evaluation:
        with self.watch.timed("forward", len(held_out)):
            return evaluate(network, held_out, self.autocast, self.reporter, self.held_out_negatives, SCORING)

    def _better(self, network: FrameClassifier, linear: LinearStage | None, trained: Evaluation) -> Evaluation:
        """The evaluation of the better stage, whose weights the network has afterwards."""
        if linear is None:
            return trained
        after = self.comparing.agreement() if self.comparing is not None else {}
        first, agreement = linear.held_out.figures, (linear.agreement, after)
        used = better_stage(first, trained.figures, agreement)
        self.stages = stages_entry(first, trained.figures, used, agreement=agreement)
        if used == "network":
            return trained
        network.load_state_dict(linear.state)
        return linear.held_out

    def _fit(
        self, network: FrameClassifier, training: FrameStore, curve_frames: FrameStore, *, has_patients: bool
    ) -> Fitted:
        """Train, writing curves and checkpoints; early stopping needs held-out patients."""
        config, folder = self.config.model_copy(update={"linear_start": False}), self.folder  # it was done before
        checkpoints = checkpoint.list_checkpoints(folder.checkpoints)
        first = checkpoints[0].step if checkpoints else 0
        steps, count = config.steps or 0, config.evaluations
        due = {round(steps * number / count) for number in range(1, count + 1)}
        early = None
        if has_patients and config.patience and config.evaluations:
            early = EarlyStopping(folder.best, due, config.patience, first)
        method = config.method_class
        terms = (*method.terms, TERM) if self.rehearsal is not None else method.terms
        metrics = CsvLog(folder.metrics, Point.columns(terms, scales=method.scale_names), first)
        curve = CsvLog(folder.held_out, HELD_OUT_COLUMNS, first)

        def add(point: Point) -> None:
            metrics.append([tuple(point.figures.values())])
            self.reporter.partial("curve", point.figures)
            if point.step in due:
                figures = evaluate(network, curve_frames, self.autocast, self.reporter).figures
                names = HELD_OUT_COLUMNS[2:]
                curve.append((point.step, name, *(row[each] for each in names)) for name, row in figures.items())
                aucs = {name: row["auc"] for name, row in figures.items()}
                self.reporter.partial("held_out", {"step": point.step, "auc": aucs})
                if early is not None:
                    early.add(point.step, mean_auc(figures), network)

        with closing(metrics), closing(curve):
            fitted = fit(
                config,
                network,
                training,
                self.reporter,
                on_point=add,
                checkpoints=folder.checkpoints,
                shield=self.shield,
                early=early,
                rehearsal=self.rehearsal,
                negatives=self.negatives,
            )
        if early is not None and early.best_step and fitted.is_finished:
            self.reporter.log(
                Text("The weights of step {best_step} are used: their held-out AUC is the highest.", early.best_step)
            )
        return fitted

    def _learn_from_held_out(
        self, network: FrameClassifier, fitted: Fitted, training: FrameStore, held_out: FrameStore
    ) -> LinearClassifier | None:
        """Fit the classifier to all labels; returns the one that was evaluated, None if it is kept.

        Ours. With few labels, leaving out a quarter of the patients costs accuracy: with 320 labels of real frames AUC
        rose by 0.016 to 0.082 in the worst of five folds, in three draws (docs/results/labels.md).
        """
        config = self.config
        wanted = config.refit and config.learn_from_held_out and fitted.is_finished
        if not wanted or shows_close_ups(config, training):
            return None
        evaluated = get_classifier(network)
        self.reporter.progress(0, 0, "frames", "fitting the classifier to all labels")
        with self.watch.timed("forward", len(training) + len(held_out)):
            held = self.held_out_negatives
            negatives = self.negatives if held is None else (*self.negatives, held)
            fit_linear(config, network, training, self.reporter, self.rehearsal, held_out=held_out, negatives=negatives)
        if self.stages:
            self.stages = {**self.stages, "sentence": join_texts(" ", (self.stages["sentence"], REFITTED))}
        return evaluated

    def _write(
        self,
        start: StartingPoint,
        data: TrainingSet,
        evaluation: Evaluation,
        fitted: Fitted,
        compared: dict[str, Any],
        evaluated: LinearClassifier | None,
        familiar: Familiar | None,
    ) -> dict[str, Any]:
        """Write model folder, comparison and card; returns the result."""
        network, device, config = start.network, start.network.mean.device, self.config
        computed = str(choose_autocast(config.precision, device) or torch.float32).removeprefix("torch.")
        made = Made(
            network.config, start.lineage, fitted, str(device), computed, self._rehearsed, evaluated is not None
        )
        precision = torch.float16 if config.stored_as == "float16" else torch.float32

        same: dict[str, Any] = {}
        is_kept = self.stages.get("used") == "linear" and config.stored_as == "float32"
        if start.previous is not None and is_kept and has_same_network(start):
            same = {SAME_NETWORK: sorted(network_digests(start.previous))}  # stored embeddings stay valid

        def save(card: Mapping[str, Any]) -> None:
            save_network(network, self.folder.model, {**card, **same}, precision=precision, evaluated=evaluated)

        figures, stages = evaluation.figures, self.stages
        classes = network.config.classes
        write_scores(self.folder.scores, data.held_out, classes, [HeldOutScores(config.seed, evaluation.scores)])
        by_source = source_figures(evaluation, classes, data.held_out, data.split)
        result = write_results(
            self.folder, config, made, data, figures, stages, save, compared, self.reporter, by_source, familiar
        )
        return {**result, "speeds": self.watch.to_json()}
