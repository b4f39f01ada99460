"""Trains a re-identification model, from settings to a model folder."""

import datetime
from typing import Any

import numpy as np
import torch

from training.compute import devices, out_of_memory
from training.datasets.synthetic import trained_on
from training.errors import UserError
from training.models.backbones import BACKBONES
from training.optimisation import loop, pace
from training.reidentification import run_tracklets, training
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder, parameter_count
from training.reidentification.model import ReidModelConfig, write_reid_model
from training.reidentification.run_settings import ReidConfig, ReidFolder, ReidRecorder
from training.runs import checkpoint, resume
from training.runs.folder import RunLog, write_json
from training.runs.reporter import Reporter
from training.texts import Text
from training.version import made_with

NOTICE = "Research use only, not for diagnosis."
FEW_PATIENTS = 10
"""Up to so many the run warns (ours)."""


def train_reid(config: ReidConfig, reporter: Reporter) -> dict[str, Any]:
    """Train both encoders and write the run folder; see `ReidConfig`.

    The videos are read once, before the first step: the crops of all tracklets lie in a file of the run folder, which
    is mapped while training and removed at the end.

    Stopping writes a checkpoint, and the run can be resumed; the model is written once all steps are done.

    Returns:
        JSON values: run, finished, steps_done, steps, tracklets, patients, limit, limit_source, auroc (or None).

    Raises:
        UserError: unusable input, too few patients, a diverged loss, a full disk.
    """
    folder = ReidFolder(config.out)
    with resume.removed_if_refused(folder.path, lambda: folder.has_results):
        is_resumed = config.resume and folder.has_results
        config = folder.resume(config) if config.resume and not resume.is_empty(folder.path) else config
        visits, left_out = run_tracklets.find_visits(config, reporter)
        if not is_resumed:
            config = folder.create(config)
        with (
            RunLog(folder.path, reporter, "train-reid", config) as log,
            pace.threads_for_training(config.threads),
            torch.random.fork_rng(),
        ):
            data = run_tracklets.read_data(config, visits, left_out, folder.path / "crops.tmp", log)
            return log.ended(_Run(config, folder, data, log, reporter).run())


class _Run:
    """One run, after its folder was made and its tracklets were read."""

    def __init__(
        self, config: ReidConfig, folder: ReidFolder, data: run_tracklets.ReidData, reporter: Reporter, shield: Reporter
    ) -> None:
        self._config, self._folder, self._data = config, folder, data
        self._reporter, self._shield = reporter, shield
        self._device = devices.training_device(config.device, reporter)
        self._chunks = out_of_memory.Chunks(config.gradient_cache_chunk)

    def run(self) -> dict[str, Any]:
        """All steps, then the model; returns the result."""
        config, data = self._config, self._data
        counts = data.counts()
        self._reporter.log(
            Text(
                "Training on {tracklets:,} tracklets ({frames:,} frames), patients: {patients}. Held out: "
                "{held_out_tracklets:,} tracklets, patients: {held_out_patients}.",
                *(
                    counts[name]
                    for name in ("tracklets", "frames", "patients", "held_out_tracklets", "held_out_patients")
                ),
            )
        )
        if counts["linked_tracklets"]:
            self._reporter.log(
                Text(
                    "{linked_tracklets:,} of these tracklets are linked as the same, findings that they show: "
                    "{linked_findings:,}.",
                    counts["linked_tracklets"],
                    counts["linked_findings"],
                )
            )
        if counts["patients"] <= FEW_PATIENTS:
            self._reporter.log(
                Text(
                    "Only {patients} patients train: the model may be no better than chance, and worse than stored "
                    "embeddings and time.",
                    counts["patients"],
                )
            )
        for sentence in data.left_out:
            self._reporter.log(sentence)
        patients = {"training_patients": data.training_patients, "held_out_patients": data.held_out_patients}
        write_json(self._folder.split, {"kind": "patients", **patients})
        torch.manual_seed(config.seed)  # decides the encoders before the first step
        frames = SingleFrameEncoder(config.encoder)
        encoder = MultiViewEncoder(frames).to(self._device)
        start = _fill_trunk(frames, config, self._reporter)
        done = self._train(encoder)
        result = {"init": start, "limit": None, "limit_source": "", "auroc": None}
        if done == config.steps:
            result |= self._write_model(encoder, start)
        return {
            "run": str(self._folder.path), "finished": done == config.steps, "steps_done": done, "steps": config.steps,
            "tracklets": counts["tracklets"], "patients": counts["patients"], **result,
        }  # fmt: skip

    def _train(self, encoder: MultiViewEncoder) -> int:
        """Run the steps that are not done yet; returns how many are done."""
        config, data = self._config, self._data
        newest = next(iter(checkpoint.list_checkpoints(self._folder.checkpoints)), None)
        first = newest.step if newest else 0
        if first:
            self._reporter.log(Text("Resuming from the checkpoint of step {first}.", first))

        plan = loop.LoopPlan(
            first_step=first,
            steps=config.steps,
            rates=lambda step: (config.learning_rate,),
            checkpoints=self._folder.checkpoints,
            checkpoint_seconds=config.checkpoint_seconds,
            header={"kind": "re-identification", "backbone": config.backbone},
            recipe={"command": "train-reid", "encoder": config.encoder.model_dump(mode="json")},
            chunks=self._chunks,
        )
        with ReidRecorder(self._folder.metrics, config.frame_steps, first, self._reporter) as recorder:
            return training.train_both(
                encoder, data.crops, data.patients, config, plan, self._reporter, self._shield, recorder.add, newest
            )

    def _write_model(self, encoder: MultiViewEncoder, start: str) -> dict[str, Any]:
        """Fix the limit on the held-out tracklets, and write model and card."""
        config, data, tracklets = self._config, self._data, self._data.tracklets
        held_out = tracklets.of(data.held_out)
        vectors = training.tracklet_vectors(encoder, held_out.crops, config.views)
        result = np.concatenate(vectors) if vectors else np.zeros((0, config.embedding), np.float32)
        limit = run_tracklets.fix_limit(held_out, result, config.false_positives)
        distance = float(np.clip(limit.distance, 0.0, 2.0))
        self._reporter.log(
            Text("Tracklets up to a distance of {distance:.3f} are merged, fixed on {source}.", distance, limit.source)
        )
        card = self._card(encoder, start)
        card["limit"] = {
            "distance": distance, "source": limit.source, "pairs": limit.pairs,
            "false_positives": config.false_positives,
        }  # fmt: skip
        card["figures"] = limit.figures or {}
        model = ReidModelConfig(
            encoder=config.encoder,
            crop_px=config.crop_px,
            context=config.context,
            views=config.views,
            limit=distance,
            limit_source=limit.source,
        )
        write_reid_model(self._folder.model, model, encoder, card)
        write_json(self._folder.card, card)
        auroc = limit.figures["auroc"] if limit.figures else None
        return {"limit": distance, "limit_source": limit.source, "auroc": auroc}

    def _card(self, encoder: MultiViewEncoder, start: str) -> dict[str, Any]:
        config, data = self._config, self._data
        paths = {"studies", "labels", "boxes", "links", "embeddings", "out", "weights_cache", "resume"}
        used = {str(study) for study in data.tracklets.table.procedures[data.training]}
        return {
            "schema_version": 1,
            "notice": NOTICE,
            "kind": "re-identification",
            "method": {"name": config.method, "settings": config.model_dump(mode="json", exclude=paths)},
            "trained_on": trained_on(data.paths, {"init": start}),
            "data": {"studies": sorted(used), **data.counts(), "left_out": list(data.left_out), "sha256": data.digest},
            "split": {
                "kind": "patients",
                "training_patients": list(data.training_patients),
                "held_out_patients": list(data.held_out_patients),
            },
            "parameters": {
                "single_frame": parameter_count(encoder.frames),
                "multi_view": parameter_count(encoder),
            },
            "lineage": {"init": start},
            "finished": True,
            "steps_done": config.steps,
            "steps": config.steps,
            "seed": config.seed,
            "computed": {"device": str(self._device), "memory": self._chunks.note()},
            "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            **made_with(has_name=config.record_host),
        }


def _fill_trunk(frames: SingleFrameEncoder, config: ReidConfig, reporter: Reporter) -> str:
    """Put ImageNet weights into the trunk as `init` says; returns "imagenet" or "random"."""
    from training.models.imagenet import fill_trunk, imagenet_state

    name = config.backbone
    if config.init == "random":
        return "random"
    try:
        if name not in BACKBONES:
            raise UserError(
                "There are no ImageNet weights of {name}.", "Choose one of {backbones}.", name, ", ".join(BACKBONES)
            )
        state = imagenet_state(name, config.weights_cache, download_consented=config.download, reporter=reporter)
    except UserError as error:
        if config.init == "imagenet" or config.download:
            raise
        reporter.log(Text("Training starts from random weights. {message}", error.message))
        return "random"
    fill_trunk(frames.trunk, state, name, "ImageNet")
    return "imagenet"
