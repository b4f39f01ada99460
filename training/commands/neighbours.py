"""`python -m training neighbours`: the frames of some studies that look most like a given one, as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.files.marks import Cache
from training.runs.reporter import Reporter

if TYPE_CHECKING:
    from training.embeddings.knn import FrameLabels
    from training.embeddings.neighbour import StudyEmbeddings
    from training.embeddings.neighbour_index import NeighbourIndex


class NeighboursCommand(CommandConfig):
    """What to look for where; see `training.embeddings.neighbour_index`."""

    embeddings: tuple[Path, ...] = Field((), description="Embedding files, one per study.")
    manifest: Path | None = Field(
        None,
        description="Manifest (JSON) whose paths are embedding files, instead of embeddings; it names the "
        "patient of each study.",
    )
    study: str = Field("", description="Study of the query; empty: the first.")
    frame: int | None = Field(None, ge=0, description="Frame of the query.")
    span: tuple[int, int] | None = Field(
        None, description="Span [start, stop) of the query, instead of a frame; its mean embedding is searched for."
    )
    k: int = Field(10, ge=1, le=100_000, description="Neighbours.")
    metric: Literal["euclidean", "cosine"] = Field("euclidean", description="Distance.")
    scope: Literal["all", "this study", "other studies", "other patients"] = Field(
        "all", description="Which frames to search."
    )
    min_seconds_to_query: float = Field(
        0.0, ge=0, description="Minimum time between the query and a result from its own study."
    )
    min_seconds_among: float = Field(0.0, ge=0, description="Minimum time between two results from one study.")
    window: int = Field(
        18, ge=0, description="Results at most this many frames away are marked as being in the query's window."
    )
    labels: Path | None = Field(None, description="Labels (CSV) to show; the labelled neighbours vote.")
    labelled_only: bool = Field(False, description="Search labelled frames only.")
    cache: Annotated[Path | None, Cache()] = Field(
        None, description="Folder to store the index in; empty: it is not stored."
    )
    memory_mib: int = Field(
        2048, ge=0, description="Embeddings up to this size are searched exactly, larger ones approximately."
    )

    @model_validator(mode="after")
    def _check_inputs(self) -> "NeighboursCommand":
        if bool(self.embeddings) == (self.manifest is not None):
            raise ValueError("give either embedding files or a manifest of them, not both")
        if (self.frame is None) == (self.span is None):
            raise ValueError("give either a frame or a span, not both")
        if self.span is not None and not 0 <= self.span[0] < self.span[1]:
            raise ValueError("the span must stop after its start, and neither may be negative")
        if self.labelled_only and self.labels is None:
            raise ValueError("labelled_only needs labels")
        if self.scope == "other patients" and self.manifest is None:
            raise ValueError(
                "the scope 'other patients' needs a manifest that names the patients; without one use 'other studies'"
            )
        return self


def run_neighbours(config: NeighboursCommand, reporter: Reporter) -> dict[str, Any]:
    """Search; the result holds the table as text, the vote, and how it was searched. No torch anywhere."""
    import numpy as np

    from training.embeddings.knn import votes
    from training.embeddings.neighbour import NeighbourFilter, relation
    from training.embeddings.neighbour_index import NeighbourIndex

    studies = _studies(config)
    index = NeighbourIndex.open(
        studies,
        cache=config.cache,
        memory_budget_bytes=config.memory_mib << 20,
        check=reporter.check,
        progress=reporter.progress,
    )
    if index.news:
        reporter.log(index.news)
    study_id = config.study or studies[0].study_id
    labels = _labels(config, index)
    span, frame = config.span, config.frame or 0
    query = index.vector(study_id, frame) if span is None else index.mean_of(study_id, span)
    masks = None
    if config.labelled_only:
        masks = {name: np.isin(index.frame_index(name), list(labels.get(name, ()))) for name in index.study_ids}
    where = NeighbourFilter(
        study_id=study_id,
        patient_id=next((study.patient_id for study in studies if study.study_id == study_id), ""),
        frame_index=config.frame,
        span=config.span,
        scope=config.scope,
        min_seconds_to_query=config.min_seconds_to_query,
        min_seconds_among=config.min_seconds_among,
        frames=masks,
    )
    found = index.find(
        query, config.k, metric=config.metric, where=where, check=reporter.check, progress=reporter.progress
    )
    words = {"window": "within the window", "study": "same study", "other": "other study"}
    lines: list[tuple[str, ...]] = []
    for item in found.items:
        seconds = int(item.video_seconds)
        time = f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        where_it_is = words[relation(study_id, config.frame, item, config.window)]
        named = ", ".join(labels.get(item.study_id, {}).get(item.frame_index, ()))
        lines.append((item.study_id, f"{item.frame_index:,}", time, f"{item.distance:.4g}", where_it_is, named))
    result: dict[str, Any] = {"text": _table(lines), "note": found.note, "search": index.description}
    if labels:
        vote = votes(index, query, labels, where=where, check=reporter.check)
        result["vote"] = {label: round(weight, 4) for label, weight in vote.weights.items()}
        result["voters"] = vote.note
    return result


def _studies(config: NeighboursCommand) -> "list[StudyEmbeddings]":
    from training.datasets.manifest import load_manifest
    from training.embeddings.neighbour import StudyEmbeddings
    from training.projection.sources import study_name

    if config.manifest is None:
        return [StudyEmbeddings(study_name(path), "", path) for path in config.embeddings]
    studies = load_manifest(config.manifest).studies
    return [StudyEmbeddings(study.study_id, study.patient_id, study.path, study.fingerprint) for study in studies]


def _labels(config: NeighboursCommand, index: "NeighbourIndex") -> "FrameLabels":
    """Labels of the studies that are searched; raises `UserError` for one past the end of its study."""
    from training.datasets.labelled_frames import check_ends
    from training.datasets.labels import read_labels

    rows = read_labels(config.labels) if config.labels is not None else []
    check_ends(rows, {name: int(index.frame_index(name)[-1]) + 1 for name in index.study_ids})
    labels: dict[str, dict[int, tuple[str, ...]]] = {}
    for row in rows:
        if row.study_id not in index.study_ids:
            continue
        frames = labels.setdefault(row.study_id, {})
        for frame in range(row.start, row.stop):
            frames[frame] = (*frames.get(frame, ()), row.label)
    return labels


def _table(rows: list[tuple[str, ...]]) -> str:
    """Columns as wide as what stands in them."""
    lines: list[tuple[str, ...]] = [("", "study", "frame", "time", "distance", "where", "labels")]
    lines += [(str(place), *row) for place, row in enumerate(rows, 1)]
    widths = [max(len(line[column]) for line in lines) for column in range(7)]
    return "\n".join(
        "  ".join(cell.rjust(width) if column in (0, 2, 3, 4) else cell.ljust(width)
                  for column, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in lines
    )  # fmt: skip
