"""How often the frames that lie nearest to a labelled frame have its label: other groups only, beside chance.

Labelled images as searchable frames: a model's embeddings of each group, in an embedding file of its own.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import DeviceName, choose_plan, inference_device
from training.datasets.frame_store import FrameStore
from training.embeddings import EmbeddingChunk, EmbeddingHeader, EmbeddingLayout, EmbeddingWriter
from training.embeddings.neighbour import Metric, NeighbourFilter, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex
from training.errors import UserError
from training.inference.engine import open_engine
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model
from training.runs.reporter import Reporter

RANKS = (1, 5, 10)


@dataclass(frozen=True)
class SearchableFrames:
    """Labelled frames of several groups, searchable: each group is a study, and a patient, of the index."""

    index: NeighbourIndex
    labels: Mapping[str, NDArray[np.int64]]
    """Group -> (N,) class of each row."""


@dataclass(frozen=True)
class QueryResult:
    """One frame that was asked for."""

    group: str
    frame: int
    label: int
    shares: Mapping[int, float]
    """Rank k -> share of its k nearest frames that have its label, in [0, 1]."""
    chance: float
    """Share of all frames that could have been found that have its label."""


def draw_queries(
    labels: Mapping[str, NDArray[np.int64]], count: int, seed: int, groups: Sequence[str] | None = None
) -> list[tuple[str, int]]:
    """Frames to ask with, drawn at random: labels in turn, another group each time while there are groups.

    So that one large group, or the commoner label, does not make all the figures (ours).

    Args:
        labels: group -> (N,) classes.
        count: at most so many.
        seed: of the draw.
        groups: whose frames may be drawn; None: all.

    Returns:
        Group and row, each frame once.
    """
    random = np.random.default_rng(seed)
    frames = [(group, row) for group in (labels if groups is None else groups) for row in range(len(labels[group]))]
    frames = [frames[place] for place in random.permutation(len(frames)).tolist()]
    classes = sorted({label for each in labels.values() for label in each.tolist()})
    waiting = {label: [frame for frame in frames if labels[frame[0]][frame[1]] == label] for label in classes}
    drawn: list[tuple[str, int]] = []
    used: dict[str, int] = {}
    while len(drawn) < count and any(waiting.values()):
        for label in sorted(waiting):
            if waiting[label] and len(drawn) < count:
                # The first of those whose group was asked least often.
                frame = min(waiting[label], key=lambda other: used.get(other[0], 0))
                waiting[label].remove(frame)
                used[frame[0]] = used.get(frame[0], 0) + 1
                drawn.append(frame)
    return drawn


def run_queries(
    frames: SearchableFrames,
    queries: Sequence[tuple[str, int]],
    metric: Metric,
    candidates: Sequence[str] | None = None,
    check: Callable[[], None] = lambda: None,
) -> list[QueryResult]:
    """The label of each query's nearest frames of other groups.

    Args:
        frames: searchable.
        queries: group and row.
        metric: which distance.
        candidates: groups that may be found; None: all.
        check: called often; may raise to give up.

    Raises:
        UserError: no other group has as many frames as are looked at.
    """
    allowed = tuple(frames.labels if candidates is None else candidates)
    masks = {group: np.ones(len(frames.labels[group]), dtype=bool) for group in allowed}
    answers = []
    for group, row in queries:
        label = int(frames.labels[group][row])
        where = NeighbourFilter(group, group, row, scope="other patients", frames=masks)
        result = frames.index.find(frames.index.vector(group, row), max(RANKS), metric=metric, where=where, check=check)
        if len(result.items) < max(RANKS):
            raise UserError(
                f"Only {len(result.items)} frames of groups other than {group} were found; {max(RANKS)} are needed.",
                "Use more images.",
            )
        hits = [int(frames.labels[item.study_id][item.frame_index]) == label for item in result.items]
        others = np.concatenate([frames.labels[name] for name in allowed if name != group])
        shares = {rank: float(np.mean(hits[:rank])) for rank in RANKS}
        answers.append(QueryResult(group, row, label, shares, float((others == label).mean())))
    return answers


def summary(answers: Sequence[QueryResult]) -> dict[str, Any]:
    """Means over the queries: `share_at_1`, `share_at_5`, `share_at_10`, `chance`, each in [0, 1]; and how many."""
    shares = {f"share_at_{rank}": float(np.mean([answer.shares[rank] for answer in answers])) for rank in RANKS}
    return {
        "queries": len(answers),
        "query_groups": len({answer.group for answer in answers}),
        **shares,
        "chance": float(np.mean([answer.chance for answer in answers])),
    }


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
    return as_studies(store, embed_store(store, model, device, reporter), model, folder)


def embed_store(store: FrameStore, model: ModelFolder, device: DeviceName, reporter: Reporter) -> NDArray[np.float32]:
    """(M, D) embeddings of images as scoring computes them; see `embed_images` for the arguments."""
    target, note = inference_device(device)
    if note:
        reporter.log(note)
    engine = open_engine(network_of_model(model), choose_plan(target), reporter.log)
    embeddings = []
    for start in range(0, len(store), BATCH):
        reporter.check()
        embeddings.append(engine.run(np.asarray(store.pixels[start : start + BATCH])).embeddings)
        reporter.progress(min(start + BATCH, len(store)), len(store), "images", "embedding images")
    return np.concatenate(embeddings)


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
