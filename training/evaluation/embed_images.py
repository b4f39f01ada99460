"""Labelled images as searchable frames: a model's embeddings of each group, in an embedding file of its own."""

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import DeviceName, choose_plan, inference_device
from training.datasets.frame_store import FrameStore
from training.embeddings import EmbeddingChunk, EmbeddingHeader, EmbeddingLayout, EmbeddingWriter
from training.embeddings.neighbour import StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex
from training.evaluation.neighbour_labels import SearchableFrames
from training.inference.engine import open_engine
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model
from training.runs.reporter import Reporter

BATCH = 64


def embed_images(
    store: FrameStore, model: ModelFolder, folder: Path, device: DeviceName, reporter: Reporter
) -> SearchableFrames:
    """Embed every image as scoring does and open them as studies; a row of a study counts its group's images.

    Args:
        store: images prepared at the model's input size.
        model: whose embeddings.
        folder: gets a file for each group.
        device: where the model runs.
        reporter: receives progress.
    """
    target, note = inference_device(device)
    if note:
        reporter.log(note)
    engine = open_engine(network_of_model(model), choose_plan(target), reporter.log)
    embeddings = []
    for start in range(0, len(store), BATCH):
        reporter.check()
        embeddings.append(engine.run(np.asarray(store.pixels[start : start + BATCH])).embeddings)
        reporter.progress(min(start + BATCH, len(store)), len(store), "images", "embedding images")
    return as_studies(store, np.concatenate(embeddings), model, folder)


def as_studies(
    store: FrameStore, embeddings: NDArray[np.float32], model: ModelFolder, folder: Path
) -> SearchableFrames:
    """Write (M, D) embeddings group by group, and open them."""
    labelled = store.labelled
    studies, labels = [], {}
    for number in np.unique(labelled.study).tolist():
        rows = labelled.study == number
        name = labelled.studies[number].study_id
        path = folder / f"{number:06}.h5"
        _write(path, embeddings[rows], model, name)
        studies.append(StudyEmbeddings(name, name, path))
        labels[name] = labelled.label[rows]
    return SearchableFrames(NeighbourIndex.open(studies), labels)


def _write(path: Path, embeddings: NDArray[np.float32], model: ModelFolder, group: str) -> None:
    header = EmbeddingHeader(
        model_id=model.config.model_id,
        model_sha256=model.sha256,
        classes=(),
        preprocessing=json.dumps({"images": model.config.input_size}),
        video_fingerprint=f"group {group}",
        video_path="",
        created_utc=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    layout = EmbeddingLayout(frames=len(embeddings), embedding_size=embeddings.shape[1])
    with EmbeddingWriter.create(path, header, layout, np.arange(len(embeddings), dtype=np.float64)) as writer:
        writer.append(EmbeddingChunk(embeddings, np.zeros((len(embeddings), 3), np.uint8)))
        writer.finish()
