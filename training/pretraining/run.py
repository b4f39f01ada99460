"""Runs a pretraining, from settings to weights."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from typing import Any

import torch

from training.compute import devices, out_of_memory
from training.datasets.sequence_feed import SequenceFeed
from training.datasets.sequences import SequenceSampler
from training.losses.memory_bank import MemoryBank
from training.methods import bank_method, pretrain_method, videomae
from training.methods.colo_scrl import ColoScrlSettings
from training.methods.pgcon_heads import PriorPretrainer
from training.models.network import freeze_batch_norm
from training.optimisation import loop, schedule
from training.optimisation.pace import TimeLimit, threads_for_training
from training.optimisation.ranks import Ranks, current
from training.pretraining import image_feed, validation, view_probe
from training.pretraining.batches import (
    FrameRows,
    PretrainBatches,
    PriorTally,
    add_bank,
    make_optimizer,
)
from training.pretraining.config import PretrainConfig, stored_config
from training.pretraining.folder import PretrainFolder
from training.pretraining.knn_probe import knn_frames, knn_probe, without_knn
from training.pretraining.recorder import PretrainRecorder, last_figures, weights_header
from training.pretraining.start import PretrainStart, pretrain_card, pretrain_start
from training.pretraining.studies import PretrainStudies, check_patients, pretrain_studies
from training.runs import checkpoint, resume
from training.runs.folder import RunLog, write_json
from training.runs.reporter import Reporter
from training.texts import Text, count_text, join_texts


def pretrain(config: PretrainConfig, reporter: Reporter) -> dict[str, Any]:
    """Train an embedding on frames without labels and write the run folder; see `PretrainConfig`.

    Stopping writes a checkpoint and the card, and the run can be resumed; cancelling keeps the last checkpoint only.

    Returns:
        JSON values: run, method, finished, steps_done, steps, frames, patients (how many), kept (steps), knn (accuracy
        or None), warning.
    """
    folder = PretrainFolder(config.out)
    with resume.removed_if_refused(folder.path, lambda: folder.has_results):
        return _start(config, folder, reporter)


def _start(config: PretrainConfig, folder: PretrainFolder, reporter: Reporter) -> dict[str, Any]:
    is_new = not (config.resume and folder.has_results)
    # Invalid input is reported before the folder is created.
    config = folder.resume(config) if config.resume and not resume.is_empty(folder.path) else config
    studies = pretrain_studies(config, reporter)
    knn_frames(config)  # reports invalid labels
    start = pretrain_start(config, reporter)
    check_patients(start.patients, config.held_out_patients, "the initial weights were trained on")
    config = config.model_copy(update={"steps": config.steps_for(studies.frames)})
    config = folder.create(config) if is_new else config
    with threads_for_training(config.threads), RunLog(folder.path, reporter, "pretrain", config) as log:
        return log.ended(Pretraining(config, folder, studies, start, log, reporter).run())


def make_method(
    recipe: Mapping[str, Any], ranks: Ranks
) -> tuple[pretrain_method.PretrainMethod, AbstractContextManager[None]]:
    """The method for a process that helps; its weights come from the first one, and its memory bank stays there."""
    config = stored_config({**recipe["config"], "precision": recipe["precision"]})
    network = config.method_class.make_network(config)
    if isinstance(network, PriorPretrainer):
        network.bank = MemoryBank(1, config.projection[-1])
    return _method(config, network, ranks.device(recipe["device"])), threads_for_training(config.threads)


def _method(config: PretrainConfig, network: Any, device: torch.device) -> pretrain_method.PretrainMethod:
    """The method with its network on the device, in training mode."""
    network = network.to(device).to(memory_format=torch.channels_last).train()
    if config.batch_norm == "frozen":
        freeze_batch_norm(network)
    return config.method_class(network, config, autocast=devices.choose_autocast(config.precision, device))


class Pretraining:
    """One run, after its folder was created or read."""

    def __init__(
        self,
        config: PretrainConfig,
        folder: PretrainFolder,
        studies: PretrainStudies,
        start: PretrainStart,
        reporter: Reporter,
        shield: Reporter,
    ) -> None:
        self.config, self.folder, self.studies, self.start = config, folder, studies, start
        self.reporter, self.shield = reporter, shield
        self.device = devices.training_device(config.device, reporter)
        self.autocast = devices.choose_autocast(config.precision, self.device)
        self.precision = "bfloat16" if self.autocast else "float32"
        self.chunks = out_of_memory.Chunks(config.gradient_cache_chunk)
        self.tally = PriorTally(reporter.log)
        self.validation: validation.Validation | None = None

    def run(self) -> dict[str, Any]:
        """Run all steps of a pretraining and return the result."""
        config, studies = self.config, self.studies
        people = len(studies.patients)
        data = count_text(
            "Pretraining on {frames:,} frames of {count} patient.",
            "Pretraining on {frames:,} frames of {count} patients.",
            people,
            studies.frames,
        )
        for sentence in (self.start.warning, data, studies.left_out, studies.warning, without_knn(config)):
            if sentence:
                self.reporter.log(sentence)
        write_json(self.folder.split, studies.split(config, self.start.patients))
        rows = FrameRows(studies.spans)
        add_bank(self.start.network, config, rows.count, self.folder.path, self.reporter)
        method = _method(config, self.start.network, self.device)
        network = method.network
        optimizer = make_optimizer(network, config)
        first = 0
        if checkpoints := checkpoint.list_checkpoints(self.folder.checkpoints):
            first = checkpoints[0].step
            checkpoint.restore(checkpoints[0], network, optimizer)
            self.reporter.log(Text("Resuming from the checkpoint of step {step}.", first))
        with self._feed(first) as feed, ExitStack() as opened:
            batches = PretrainBatches(feed, method, config.seed, rows if method.has_bank else None)
            at_kept: list[Callable[[int], object]] = []
            at_evaluated: list[Callable[[int], object]] = []
            if isinstance(method, videomae.VideoMae):
                pictures = self.folder.reconstructions
                at_evaluated.append(view_probe.Reconstructions(feed, batches, method, pictures, self.reporter))
            if studies.validation is not None:
                self.validation = self._validation(studies.validation, batches, method, first)
                at_evaluated.append(opened.enter_context(closing(self.validation)))
            if isinstance(method, bank_method.BankMethod):
                at_kept.append(view_probe.ViewProbe(feed, batches, method, rows, self.folder.views))
                batches.tally = self.tally = PriorTally(self.reporter.log, first)
            done, warning = self._train(method, optimizer, batches, first, (at_kept, at_evaluated))
        parts = (self.start.warning, studies.warning, warning, self.tally.check())
        return self._write(done, join_texts(" ", parts))

    def _feed(self, first: int) -> SequenceFeed | image_feed.ImageFeed:
        """The reader of the frames."""
        kept_bytes = int(self.config.keep_decoded_gb * 1e9)
        if self.studies.pictures:
            return image_feed.ImageFeed(
                self.studies.sampler,
                self.studies.pictures,
                self.config.read_size,
                self.folder.path,
                device=self.device,
                first_step=first,
                reporter=self.reporter,
                kept_bytes=kept_bytes,
            )
        return SequenceFeed(
            self.studies.sampler,
            self.studies.files,
            self.config.read_size,
            device=self.device,
            workers=self.config.workers,
            first_step=first,
            reporter=self.reporter,
            kept_bytes=kept_bytes,
        )

    def _validation(
        self, sampler: SequenceSampler, batches: PretrainBatches, method: pretrain_method.PretrainMethod, first: int
    ) -> validation.Validation:
        """Reads the clips that are kept apart."""
        config, path = self.config, self.folder.validation
        files, size = self.studies.files, config.read_size
        with SequenceFeed(sampler, files, size, device=self.device, workers=0, reporter=self.reporter) as feed:
            return validation.Validation(feed(0), batches, method, config.sequences, path, first, self.reporter)

    def _rate(self, step: int) -> float:
        """The learning rate of a step (0-based)."""
        config = self.config
        factor = schedule.rate_factor(config, step, config.steps, config.final_rate_share)
        if config.schedule == "plateau" and self.validation is not None and isinstance(config, ColoScrlSettings):
            filled = math.ceil(config.queue_keys / config.sequences)
            factor *= self.validation.factor(config.halving_patience, filled)
        return config.learning_rate * factor

    def _train(
        self,
        method: pretrain_method.PretrainMethod,
        optimizer: torch.optim.Optimizer,
        batches: loop.Feed,
        first: int,
        probes: tuple[Sequence[Callable[[int], object]], Sequence[Callable[[int], object]]],
    ) -> tuple[int, str]:
        """Run the training loop; returns the steps done and a warning, or ""."""
        config = self.config
        plan = loop.LoopPlan(
            first_step=first,
            steps=config.steps,
            rates=lambda step: (self._rate(step),) * len(optimizer.param_groups),
            checkpoints=self.folder.checkpoints,
            checkpoint_seconds=config.checkpoint_seconds,
            header=weights_header(config),
            what="pretraining",
            chunks=self.chunks,
            recipe={"command": "pretrain", "config": config.model_dump(mode="json"), "precision": self.precision},
            clip_norm=config.clip_norm,
        )
        probe = knn_probe(config, self.folder.path, self.reporter, self.studies.patients)
        with PretrainRecorder(
            config, self.folder, method, probe, self.autocast, first, self.reporter, *probes
        ) as recorder:
            limited = TimeLimit(self.reporter, config.minutes)
            done = loop.train(method, optimizer, batches, plan, limited, self.shield, recorder.add)
        return done, recorder.warning

    def _write(self, done: int, warning: str) -> dict[str, Any]:
        """Write the card and return the result."""
        config, figures = self.config, last_figures(self.folder, self.config.method_class)
        computed = {
            "device": str(self.device),
            "precision": self.precision,
            "processes": current().count,
            "gradient_cache_chunk": self.chunks.size,
            "memory": self.chunks.note(),
        }
        card = pretrain_card(config, self.start, self.studies, done, figures, computed, warning)
        card["data"] |= self.tally.counts()
        write_json(self.folder.card, card)
        return {
            "run": str(self.folder.path),
            "method": config.method,
            "finished": card["finished"],
            "steps_done": done,
            "steps": config.steps,
            "frames": self.studies.frames,
            "patients": len(self.studies.patients),
            "kept": self.folder.kept_steps,
            "knn": figures["knn_accuracy"],
            "warning": warning,
        }
