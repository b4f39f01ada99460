"""A pretraining from settings to kept weights: the order of things, each of which lives in a file of its own."""

import datetime
import platform
from dataclasses import asdict, astuple, fields
from typing import Any

import torch
import torchvision

from training.datasets.manifest import Manifest, load_manifest
from training.datasets.sequences import SequenceSampler, SequenceSpan, pretraining_spans
from training.errors import UserError
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.models.projection_head import Pretrainer
from training.runs.checkpoint import list_checkpoints, restore
from training.runs.collapse import CollapseWatch
from training.runs.device import choose_autocast, choose_device
from training.runs.folder import CsvLog, write_json
from training.runs.kept_weights import keep_weights
from training.runs.knn import KnnProbe, knn_probe
from training.runs.loop import LoopPlan, Point, train
from training.runs.pace import threads_for_training
from training.runs.pretrain_batches import InProcessFeed, PretrainBatches, study_paths
from training.runs.pretrain_config import PretrainConfig
from training.runs.pretrain_folder import PretrainFolder
from training.runs.pretrain_start import PretrainStart, pretrain_start
from training.runs.reporter import Reporter
from training.runs.run_log import RunLog
from training.runs.schedule import rate_factor
from training.transforms.augment import Augmentation
from training.video import open_source

KNN_COLUMNS = ("step", "accuracy", "frames", "patients")
NOTICE = "Research use only, not for diagnosis."


def pretrain(config: PretrainConfig, reporter: Reporter) -> dict[str, Any]:
    """Train an embedding on frames without labels and write the run folder; see `PretrainConfig`.

    A stop keeps a checkpoint (the run can be resumed). A cancel keeps the last checkpoint only.

    Returns:
        JSON values: run, method, finished, steps_done, steps, frames, patients, kept (steps), knn (accuracy or None),
        warning.

    Raises:
        UserError: unusable input, a patient that must not enter, a diverged loss, a full disk.
        Cancelled: as the reporter asked.
    """
    folder = PretrainFolder(config.out)
    if config.resume and folder.is_begun:
        config = folder.take_up(config)
    else:
        check_patients(load_manifest(config.studies), config.held_out_patients)  # told before a folder is made
        config = folder.begin(config)
    log = RunLog(folder.path, reporter)
    try:
        with threads_for_training(config.threads):
            return Pretraining(config, folder, log, reporter).run()
    finally:
        log.close()
        for spilled in folder.path.glob("frames-*.tmp"):
            spilled.unlink()


def check_patients(manifest: Manifest, held_out: tuple[str, ...], earlier: frozenset[str] = frozenset()) -> None:
    """Raise `UserError` naming a patient who is to be kept out and is among those learned from."""
    for patient in held_out:
        if any(study.patient_id == patient for study in manifest.studies):
            raise UserError(
                f"The patient {patient} is to be kept out of the pretraining, but the manifest has their studies.",
                "Take the patient's studies out of the manifest.",
            )
        if patient in earlier:
            raise UserError(
                f"The patient {patient} is to be kept out of the pretraining, but the weights to start from learned "
                "from their studies.",
                "Start from other weights.",
            )


class Pretraining:
    """One run, after its folder was begun or taken up."""

    def __init__(self, config: PretrainConfig, folder: PretrainFolder, reporter: Reporter, shield: Reporter) -> None:
        self.config = config
        self.folder = folder
        self.reporter = reporter
        self.shield = shield
        self.device = choose_device(config.device, reporter)
        self.autocast = choose_autocast(config.precision, self.device)

    def run(self) -> dict[str, Any]:
        """From inputs to the result; the order of a pretraining."""
        config = self.config
        start = pretrain_start(config, self.reporter)
        manifest = load_manifest(config.studies)
        check_patients(manifest, config.held_out_patients, start.patients)
        if start.warning:
            self.reporter.log(start.warning)
        spans, left_out = self._spans(manifest)
        self._write_split(manifest, spans, start, left_out)

        network = start.network.to(self.device).to(memory_format=torch.channels_last).train()
        method = make_method(config, network, self.autocast)
        sampler = SequenceSampler(
            spans, config.sequence_length, config.sequences, config.sequence_source, config.window, config.seed
        )
        probe = knn_probe(config, self.folder.path, self.reporter)
        paths = study_paths([(study.study_id, study.path) for study in manifest.studies])
        feed = InProcessFeed(sampler, paths, config.input_size, self.reporter)
        try:
            batches = PretrainBatches(feed, make_augmentation(config), network, config.seed, method.views)
            done, accuracy = self._train(method, batches, probe)
        finally:
            feed.close()
        return self._write(manifest, spans, start, left_out, done, accuracy)

    def _spans(self, manifest: Manifest) -> tuple[tuple[SequenceSpan, ...], str]:
        counts = {}
        for study in manifest.studies:
            with open_source(study.path) as source:
                counts[study.study_id] = len(source)
        spans, left_out = pretraining_spans(
            manifest, counts, self.config.regions, each_span_is_a_study=self.config.each_span_is_a_study
        )
        frames = sum(len(span) for span in spans)
        people = {manifest.studies[span.study].patient_id for span in spans}
        self.reporter.log(f"Pretraining on {frames:,} frames of {len(people)} patients. {left_out}".strip())
        return spans, left_out

    def _write_split(
        self, manifest: Manifest, spans: tuple[SequenceSpan, ...], start: PretrainStart, left_out: str
    ) -> None:
        used = sorted({span.study for span in spans})
        content = {
            "kind": "patients",
            "training_patients": sorted({manifest.studies[number].patient_id for number in used}),
            "held_out_patients": list(self.config.held_out_patients),
            "earlier_patients": sorted(start.patients),
            "sentence": left_out,
            "spans": {
                manifest.studies[number].study_id: [[s.start, s.stop] for s in spans if s.study == number]
                for number in used
            },
        }
        write_json(self.folder.split, content)

    def _train(
        self, method: TimeTriplet | SimClr, batches: PretrainBatches, probe: KnnProbe | None
    ) -> tuple[int, float | None]:
        """Run the loop, from the newest checkpoint where there is one; returns steps done and the last kNN accuracy."""
        config, network = self.config, method.network
        optimizer = make_optimizer(network, config)
        checkpoints = list_checkpoints(self.folder.checkpoints)
        first = 0
        if checkpoints:
            restore(checkpoints[0], network, optimizer)
            first = checkpoints[0].step
            self.reporter.log(f"Going on from the checkpoint of step {first}.")
        plan = LoopPlan(
            first_step=first,
            steps=config.steps,
            rates=lambda step: (config.learning_rate * rate_factor(config, step, config.steps),),
            checkpoints=self.folder.checkpoints,
            checkpoint_seconds=config.checkpoint_seconds,
            header=weights_header(config),
            what="pretraining",
        )
        with Course(config, self.folder, network, probe, self.autocast, first, self.reporter) as course:
            done = train(method, optimizer, batches, plan, self.reporter, self.shield, course.add)
        return done, course.accuracy

    def _write(
        self,
        manifest: Manifest,
        spans: tuple[SequenceSpan, ...],
        start: PretrainStart,
        left_out: str,
        done: int,
        accuracy: float | None,
    ) -> dict[str, Any]:
        config = self.config
        people = sorted({manifest.studies[span.study].patient_id for span in spans})
        figures = {"knn_accuracy": accuracy, "frames": sum(len(span) for span in spans)}
        card = {
            "schema_version": 1,
            "notice": NOTICE,
            "kind": "pretraining",
            "method": {"name": config.method, "preset": config.preset, "settings": settings(config)},
            "data": {
                "studies": sorted({manifest.studies[span.study].study_id for span in spans}),
                "patients": people,
                "frames": figures["frames"],
                "left_out": left_out,
            },
            "split": {"kind": "patients", "training_patients": people, "held_out_patients": config.held_out_patients},
            "figures": figures,
            "warning": start.warning,
            "lineage": start.lineage,
            "finished": done >= config.steps,
            "steps_done": done,
            "steps": config.steps,
            "seed": config.seed,
            "device": str(self.device),
            "precision": "bfloat16" if self.autocast else "float32",
            "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "versions": {
                "python": platform.python_version(),
                "torch": str(torch.__version__),
                "torchvision": str(torchvision.__version__),
            },
        }
        write_json(self.folder.card, card)
        return {
            "run": str(self.folder.path),
            "method": config.method,
            "finished": done >= config.steps,
            "steps_done": done,
            "steps": config.steps,
            "frames": figures["frames"],
            "patients": len(people),
            "kept": sorted(
                int(path.stem.removeprefix("step-")) for path in self.folder.kept.glob("step-*.safetensors")
            ),
            "knn": accuracy,
            "warning": start.warning,
        }


class Course:
    """What is kept of a pretraining while it runs: metrics.csv, knn.csv, weights at even steps, a word on collapse."""

    def __init__(
        self,
        config: PretrainConfig,
        folder: PretrainFolder,
        network: Pretrainer,
        probe: KnnProbe | None,
        autocast: torch.dtype | None,
        first_step: int,
        reporter: Reporter,
    ) -> None:
        self.accuracy: float | None = None
        self._config, self._folder, self._network = config, folder, network
        self._probe, self._autocast, self._reporter = probe, autocast, reporter
        self._watch = CollapseWatch(config.margin if config.method == "time-triplet" else 0.0)
        self._kept = even_steps(config.steps, config.checkpoints_kept)
        self._judged = even_steps(config.steps, config.evaluations) if config.evaluations else set()
        self._metrics = CsvLog(folder.metrics, [field.name for field in fields(Point)], first_step)
        self._knn = CsvLog(folder.knn, KNN_COLUMNS, first_step)
        if first_step == 0:
            self._keep_and_judge(0)

    def __enter__(self) -> "Course":
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()
        self._knn.close()

    def add(self, point: Point) -> None:
        """Keep one step."""
        self._metrics.append([astuple(point)])
        self._reporter.partial("curve", asdict(point))
        if sentence := self._watch.look(point):
            self._reporter.log(sentence)
        self._keep_and_judge(point.step)

    def _keep_and_judge(self, step: int) -> None:
        if step in self._kept:
            keep_weights(self._folder.kept, step, self._network, weights_header(self._config))
        if self._probe is not None and step in self._judged:
            found = self._probe(self._network, self._autocast, self._reporter)
            self.accuracy = found["accuracy"]
            self._knn.append([(step, found["accuracy"], found["frames"], found["patients"])])
            self._reporter.partial("knn", {"step": step, **found})


def even_steps(steps: int, count: int) -> set[int]:
    """The start and `count` even steps, the last one included."""
    return {round(steps * number / count) for number in range(count + 1)}


def make_method(config: PretrainConfig, network: Pretrainer, autocast: torch.dtype | None) -> TimeTriplet | SimClr:
    """The method that the settings name."""
    if config.method == "simclr":
        return SimClr(network, temperature=config.temperature, autocast=autocast)
    return TimeTriplet(
        network, margin=config.margin, window=config.window, reduction=config.reduction, autocast=autocast
    )


def make_optimizer(network: Pretrainer, config: PretrainConfig) -> torch.optim.Optimizer:
    """One parameter group, trunk and head alike (Pascual et al. 2022: SGD without momentum)."""
    if config.optimizer == "sgd":
        return torch.optim.SGD(
            network.parameters(), config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
        )
    return torch.optim.AdamW(network.parameters(), config.learning_rate, weight_decay=config.weight_decay)


def make_augmentation(config: PretrainConfig) -> Augmentation:
    """The augmentation that the settings describe."""
    wanted = ("rotations", "flips", "zoom", "brightness", "contrast", "saturation", "hue", "grey", "round_mask")
    known = {field.name for field in fields(Augmentation)}
    return Augmentation(**{name: getattr(config, name) for name in wanted if name in known}, white_balance=0.0)


def weights_header(config: PretrainConfig) -> dict[str, str]:
    """Written beside weights, so that a file says by itself what it is."""
    return {"kind": "pretraining", "method": config.method, "backbone": config.backbone}


def settings(config: PretrainConfig) -> dict[str, Any]:
    """The settings without paths of the machine that trained."""
    paths = {"studies", "labels", "label_studies", "out", "init", "weights_cache", "resume"}
    return config.model_dump(mode="json", exclude=paths)
