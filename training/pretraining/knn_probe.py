"""kNN accuracy of an embedding on labels that are not trained on; it measures a pretraining."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.datasets import labelled_frames, labels, sampler
from training.datasets.frame_store import FrameStore, load_frames
from training.datasets.manifest import load_manifest
from training.embeddings.knn import knn_accuracy
from training.errors import UserError
from training.models.network import evaluating
from training.models.projection_head import Pretrainer
from training.pretraining.config import PretrainConfig
from training.pretraining.studies import pretrain_images
from training.runs.reporter import Reporter
from training.texts import Text

MOST_FRAMES = 600
MOST_NORMAL_PER_STUDY = 60
BATCH = 64


class KnnProbe:
    """Labelled frames, classified by the nearest frames of other patients."""

    def __init__(self, frames: FrameStore, neighbours: int) -> None:
        self.frames, self.neighbours = frames, neighbours

    def __call__(self, network: Pretrainer, autocast: torch.dtype | None, reporter: Reporter) -> dict[str, Any]:
        """Accuracy in [0, 1] (mean over classes), and the number of frames and patients."""
        labelled, pixels, device, parts = self.frames.labelled, self.frames.pixels, network.mean.device, []
        with evaluating(network):
            for start in range(0, len(pixels), BATCH):
                reporter.check()
                frames = torch.from_numpy(np.ascontiguousarray(pixels[start : start + BATCH])).to(device)
                images = (frames.permute(0, 3, 1, 2).float() / 255.0 - network.mean) / network.std
                with torch.autocast(device.type, autocast, enabled=autocast is not None):
                    parts.append(network.embed(images).cpu())  # before the head
        accuracy = knn_accuracy(torch.cat(parts).numpy(), labelled.label, labelled.patients, self.neighbours)
        return {"accuracy": accuracy, "frames": len(labelled), "patients": len(set(labelled.patients.tolist()))}


def knn_frames(config: PretrainConfig) -> labelled_frames.LabelledFrames | None:
    """The thinned labelled frames of the probe, without pixels, or None if there is no probe.

    Raises:
        UserError: labels that do not match their studies, or labels of a single patient.
    """
    if config.labels is None or not config.evaluations or config.method_class.encodes_clips:
        return None
    if config.images is not None:
        images = pretrain_images(config.images, config.labels, by=config.by).labelled()  # of held-out groups, too
        return None if images is None else sampler.thin(images.labelled, MOST_NORMAL_PER_STUDY, MOST_FRAMES)
    rows = labels.read_answers(config.labels)
    studies = config.label_studies or config.studies
    assert studies is not None  # checked by the config
    manifest, counts = load_manifest(studies), {}
    named = {row.study_id for row in rows}
    for study in manifest.studies:
        if study.study_id in named:
            with study.open_source() as source:
                counts[study.study_id] = len(source)
    classes = labelled_frames.target_classes(rows, ())
    frames = labelled_frames.collect_frames(manifest, rows, counts, classes).with_one_label()
    frames = sampler.thin(frames, MOST_NORMAL_PER_STUDY, MOST_FRAMES)
    if len(set(frames.patients.tolist())) < 2:
        raise UserError(
            "kNN accuracy needs labelled frames of two patients: frames of the same patient do not vote.",
            "Label frames of another patient, or omit the labels.",
        )
    return frames


def without_knn(config: PretrainConfig) -> str:
    """Why kNN accuracy is not measured although there are labels; otherwise empty."""
    if config.labels is None or not config.method_class.encodes_clips:
        return ""
    return Text(
        "kNN accuracy is not measured: {method} trains an encoder of clips, and labels are of single frames.",
        config.method,
    )


def knn_probe(
    config: PretrainConfig, folder: Path, reporter: Reporter, training_patients: Collection[str] = ()
) -> KnnProbe | None:
    """The probe with its frames, or None; raises as `knn_frames`.

    If some `training_patients` are evaluated on, too, that is logged.
    """
    frames = knn_frames(config)
    if frames is None:
        return None
    patients = set(frames.patients.tolist())
    if known := patients & set(training_patients):
        reporter.log(
            Text(
                "kNN accuracy is too optimistic: {count} of the {patients_count} patients to evaluate on are also "
                "pretrained on, without their labels.",
                len(known),
                len(patients),
            )
        )
    size, memory, spill = config.input_size, 512 << 20, folder / "frames-knn.tmp"
    images = pretrain_images(config.images, config.labels, by=config.by).labelled() if config.images else None
    if images is not None:
        return KnnProbe(images.load(frames, size, memory, spill, reporter), config.knn_neighbours)
    return KnnProbe(load_frames(frames, size, memory, spill, reporter, "reading labels"), config.knn_neighbours)
