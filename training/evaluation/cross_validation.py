"""A cross-validation, or the evaluation of a finished model, from settings to a report; each part has its own file."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.folds import Fold, make_folds
from training.datasets.frame_store import FrameStore
from training.datasets.manifest import Manifest
from training.errors import UserError
from training.evaluation import fold_run
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import WITHOUT_GROUPS, EvaluationSet, evaluation_set, imbalanced_set
from training.evaluation.finished_model import FinishedModel, whole_set
from training.evaluation.page import write_pages
from training.evaluation.pictures import draw_fold
from training.evaluation.report import absent_sentence, make_report, rejections_by_class
from training.evaluation.report_folder import ReportFolder, write_tables
from training.finetuning.negatives import NegativeFrames, distinct, negatives_among, placed
from training.finetuning.starting_point import starting_point
from training.metrics.protocol import fold_figures
from training.metrics.within_source import within_source_sentence
from training.models.network import FrameClassifier
from training.runs.folder import RunLog, write_json
from training.runs.reporter import Reporter
from training.runs.resume import removed_if_refused
from training.tasks import parts
from training.texts import Text, count_text


def cross_validate(config: EvaluateConfig, reporter: Reporter) -> dict[str, Any]:
    """Train and evaluate every fold with every seed, and write the report folder: report.json, CSV, HTML, pages.

    A finished model (`config.model`) is evaluated as it is, on all frames of patients that it was not trained on.

    A stop or a crash keeps the finished trainings, which `resume` reuses.

    Returns:
        What report.json says; after a stop only {"finished": False, "trainings_done", "trainings"}.

    Raises:
        UserError: unusable input; a patient on both sides; a class without an example in a fold; a start that learned
            from a held-out patient.
        Cancelled: as the reporter asked.
    """
    model = FinishedModel.open(config)
    data = (
        model.evaluation_set(config, reporter)
        if model
        else evaluation_set(config, reporter, without_groups=WITHOUT_GROUPS)
    )
    folds = _folds(config, data)
    if config.imbalance:
        data, folds = imbalanced_set(data, folds, config.imbalance, config.seed)
    manifest = (
        fold_run.pretraining_manifest(config) if config.pretrain else None
    )  # bad input is reported before a folder is made
    folder = ReportFolder(config.out)
    with removed_if_refused(folder.path, lambda: folder.has_results):
        folder.begin(config)
        with RunLog(folder.path, reporter, "evaluate", config) as log:
            return log.ended(CrossValidation(config, folder, manifest, log, model).run(data, folds))


def _folds(config: EvaluateConfig, data: EvaluationSet) -> list[Fold]:
    if config.model is not None:
        return whole_set(data)
    return make_folds(data.labelled, config.folds, config.fold_seed, config.split)


def check_pretrainings(config: EvaluateConfig, reporter: Reporter) -> dict[str, Any]:
    """Raise `UserError` where the pretraining of a fold could not draw a batch; trains nothing, and says so."""
    from training.pretraining.studies import pretrain_studies

    if config.pretrain:
        folds = _folds(config, evaluation_set(config, reporter, without_groups=WITHOUT_GROUPS))
        manifest = fold_run.pretraining_manifest(config)
        with TemporaryDirectory() as folder:
            for fold in folds:
                out = Path(folder) / str(fold.number)
                pretrain_studies(fold_run.fold_pretraining(config, fold, manifest, out, config.seed), reporter)
    return {"finished": False}


class CrossValidation:
    """One cross-validation, after its folder was started or resumed."""

    def __init__(
        self,
        config: EvaluateConfig,
        folder: ReportFolder,
        manifest: Manifest | None,
        reporter: Reporter,
        model: FinishedModel | None = None,
    ) -> None:
        self.config = config
        self.folder = folder
        self.manifest = manifest
        self.reporter = reporter
        self.model = model
        self.negatives: NegativeFrames | None = None

    def run(self, data: EvaluationSet, folds: list[Fold]) -> dict[str, Any]:
        """From the set to the report; the order of a cross-validation."""
        size = self._input_size(data, folds)
        spill = self.folder.path / "frames-all.tmp"
        store = data.load(data.labelled, size, spill, self.reporter)
        if len(store) < len(data.labelled):
            data = data.restricted_to(store)
            folds = _folds(self.config, data)
        self.folder.write_split(self.config.split, folds)
        self._announce(data, folds)
        self.negatives = self._load_negatives(data, size)
        plan = [(self.config.seed + k, fold) for k in range(self.config.seeds) for fold in folds]
        done: list[fold_run.FoldScores] = []
        part, work = parts.current_part(), parts.current_work()
        names = [_name(seed, fold) for seed, fold in plan]
        if part is not None and part.names & set(names):
            for name, (seed, fold) in zip(names, plan, strict=True):
                if name in part.names:
                    self._training(data, store, fold, seed)
            raise parts.PartDone
        if work is not None:
            self._on_cluster(work, data, store, plan)
        for seed, fold in plan:
            scores = self._training(data, store, fold, seed)
            if scores is None:
                return {"finished": False, "trainings_done": len(done), "trainings": len(plan)}
            done.append(scores)
            if self.model is None:
                self.reporter.progress(len(done), len(plan), "trainings", "cross-validating")
        return self._write(data, folds, done)

    def _on_cluster(
        self, work: parts.Work, data: EvaluationSet, store: FrameStore, plan: Sequence[tuple[int, Fold]]
    ) -> None:
        """Let workers train what is not kept.

        Raises:
            UserError: a fold could not be trained.
        """

        def lacking() -> list[str]:
            return [_name(seed, fold) for seed, fold in plan if self._kept(data, store, fold, seed) is None]

        names = [[name] for name in lacking()]
        errors = work.compute(names, self.reporter, "cross-validating") if names else {}
        if errors:
            raise next(iter(errors.values()))
        if not self.reporter.stop_requested and (left := lacking()):
            raise parts.missing(left[0])

    def _kept(self, data: EvaluationSet, store: FrameStore, fold: Fold, seed: int) -> fold_run.FoldScores | None:
        """A training that was kept and is whole."""
        kept = self.folder.finished(fold.number, seed)
        wanted = (len(fold.held_out), len(store.labelled.classes))
        if kept is None or len(kept.absent) != self._held_out_negatives(fold):
            return None
        return kept if np.array_equal(kept.rows, fold.held_out) and kept.scores.shape == wanted else None

    def _training(self, data: EvaluationSet, store: FrameStore, fold: Fold, seed: int) -> fold_run.FoldScores | None:
        """One fold with one seed, kept from before or trained now; None after a stop."""
        if (kept := self._kept(data, store, fold, seed)) is not None:
            return kept
        if self.reporter.stop_requested:
            return None

        def draw(network: FrameClassifier, _: NDArray[np.int64], scores: NDArray[np.float32]) -> None:
            if seed == self.config.seed and self.config.shown:
                draw_fold(self.folder.pages, fold, network, data, store, scores, self.config.shown)

        if self.model is not None:
            scores: fold_run.FoldScores | None = fold_run.apply_model(
                self.config, self.model, fold, store, self.reporter, negatives=self.negatives, on_scored=draw
            )
        else:
            scores = self._trained(store, fold, seed, draw)
        if scores is not None:
            check_finite(scores)
            self.folder.keep(scores)
            labelled, rows = data.labelled, scores.rows
            figures = fold_figures(labelled.label[rows], scores.scores, labelled.frame_number[rows])
            where = {"fold": fold.number, "seed": seed} if self.model is None else {}
            self.reporter.partial("evaluation" if self.model else "fold", {**where, "figures": figures})
        return scores

    def _trained(self, store: FrameStore, fold: Fold, seed: int, draw: fold_run.OnScored) -> fold_run.FoldScores | None:
        fold_reporter = fold_run.FoldReporter(
            self.reporter, Text("fold {number} of {folds}, seed {seed}: ", fold.number + 1, self.config.folds, seed)
        )
        init = self._start(fold, seed, fold_reporter)
        if self.reporter.stop_requested:
            return None
        return fold_run.run_fold(
            self.config,
            fold,
            store,
            fold_reporter,
            seed=seed,
            init=init,
            spill=self.folder.path / "frames-fold.tmp",
            negatives=self.negatives,
            on_trained=draw,
        )

    def _held_out_negatives(self, fold: Fold) -> int:
        """How many answers by which a class is not there a fold evaluates; older versions evaluated none."""
        if self.negatives is None:
            return 0
        known, readable = self.negatives.negatives, self.negatives.frames.labelled
        return len(placed(known.select(np.isin(known.patients, fold.held_out_patients)), readable, known.classes)[0])

    def _load_negatives(self, data: EvaluationSet, size: int) -> NegativeFrames | None:
        """Frames on which a class is not there, which each fold learns from or evaluates; none in random folds."""
        negatives = data.everything.negatives
        if negatives is None or self.config.split != "patients":
            return None
        negatives = negatives_among(negatives, data.labelled.classes)
        if not len(negatives):
            return None
        self.reporter.log(absent_sentence(rejections_by_class(negatives)))
        spill = self.folder.path / "frames-negatives.tmp"
        return NegativeFrames(negatives, data.load(distinct(negatives), size, spill, self.reporter))

    def _start(self, fold: Fold, seed: int, reporter: Reporter) -> str:
        """What the fold starts from; a pretraining of its own is made, resumed, or there already."""
        if self.manifest is None:
            return self.config.init
        seed = seed if self.config.pretrain_each_seed else self.config.seed
        out = self.folder.pretrained / f"fold-{fold.number:02}-seed-{seed}"
        from training.pretraining.run import pretrain

        pretrain(fold_run.fold_pretraining(self.config, fold, self.manifest, out, seed), reporter)
        return str(out)

    def _input_size(self, data: EvaluationSet, folds: list[Fold]) -> int:
        """Side of the network's input in px, the same in every fold."""
        if self.model is not None:
            return self.model.folder.config.input_size
        if self.config.input_size:
            return self.config.input_size
        if self.manifest is not None:
            out = self.folder.pretrained / f"fold-00-seed-{self.config.seed}"
            return fold_run.fold_pretraining(self.config, folds[0], self.manifest, out, self.config.seed).input_size
        finetuning = fold_run.finetuning_of(self.config, self.config.seed, self.config.init)
        finetuning = finetuning.for_data(len(data.labelled), len(data.labelled.classes))
        self.config = self.config.model_copy(update={"input_size": finetuning.input_size})
        return starting_point(finetuning, data.labelled.classes, "size", self.reporter).network.config.input_size

    def _announce(self, data: EvaluationSet, folds: list[Fold]) -> None:
        counts = [Text("{count} {name}", count, Text(name)) for name, count in data.labelled.counts().items()]
        patients = len(np.unique(data.labelled.patients))
        frames = len(np.unique(data.labelled.frame_key))
        if self.model is not None:
            text = count_text(
                "Evaluating {model} on {frames} frames ({counts}) of {count} patient.",
                "Evaluating {model} on {frames} frames ({counts}) of {count} patients.",
                patients,
                self.model.folder.config.model_id,
                frames,
                counts,
            )
        else:
            text = count_text(
                "Evaluating {frames} frames ({counts}) of {patients} patients in {folds} folds, {count} seed.",
                "Evaluating {frames} frames ({counts}) of {patients} patients in {folds} folds, {count} seeds.",
                self.config.seeds,
                frames,
                counts,
                patients,
                len(folds),
            )
        self.reporter.log(text)
        for warning in data.warnings:
            self.reporter.log(warning)

    def _write(self, data: EvaluationSet, folds: list[Fold], done: list[fold_run.FoldScores]) -> dict[str, Any]:
        """Tables and page first, report.json last: where it is, the report is whole."""
        known = None if self.negatives is None else self.negatives.negatives
        report = make_report(self.config, data, folds, done, rejections_by_class(known), self.model)
        write_tables(self.folder.path, report, data, done)
        try:
            write_pages(self.folder, report, [fold.number for fold in folds], self.config.shown)
        except ImportError as error:
            self.reporter.log(
                Text(
                    "{name} is not installed, so the report page is not written. The figures are; once it is "
                    "installed, the same command with --resume writes the page.",
                    error.name,
                )
            )
        write_json(self.folder.report, report)
        within = report["within_source"]
        others = (report[part].get("sentence") for part in ("operating_points", "calibration"))
        for sentence in (within_source_sentence(within), *others, *within.get("notes", ()), *report["warnings"]):
            if sentence:
                self.reporter.log(sentence)
        return report


def _name(seed: int, fold: Fold) -> str:
    return f"fold {fold.number + 1}, seed {seed}"


def check_finite(scores: fold_run.FoldScores) -> None:
    """Raise `UserError` where a training diverged without being noticed."""
    if not np.isfinite(scores.scores).all():
        raise UserError(
            "Fold {fold} gave scores that are not finite.", "Train with a lower learning rate.", scores.fold + 1
        )
