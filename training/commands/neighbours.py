"""`python -m training neighbours`: the frames of some studies that look most like a given one, as a table.

`python -m training evaluate-neighbours`: do frames that look alike to a model show the same, in other patients?
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.files import json_text, marks
from training.files.kinds import QUERIES, QUERIES_JSON, WRITTEN_BY
from training.files.scratch import scratch_prefix
from training.files.terminal import in_columns
from training.runs.reporter import Reporter
from training.settings import Only

if TYPE_CHECKING:
    from training.embeddings.knn import FrameLabels
    from training.embeddings.neighbour import StudyEmbeddings


class NeighboursCommand(CommandConfig):
    """What to look for where; see `training.embeddings.neighbour_index`."""

    only = (Only("min_seconds_to_query", "scope", ("all", "this study")),)

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
        9, ge=0, description="Results at most this many frames from the query are marked (9: w of Pascual 2022)."
    )
    labels: Path | None = Field(None, description="Labels (CSV) to show; the labelled neighbours vote.")
    labelled_only: bool = Field(False, description="Search labelled frames only.")
    cache: Annotated[Path | None, marks.Cache()] = Field(None, description="Folder to store the index in; empty: none.")
    memory_mib: int = Field(2048, ge=0, description="Embeddings up to this size are searched exactly.")

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

    studies = studies_of(config.embeddings, config.manifest)
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
    labels = labels_of(config.labels, {name: int(index.frame_index(name)[-1]) + 1 for name in index.study_ids})
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


def studies_of(embeddings: Sequence[Path], manifest: Path | None) -> "list[StudyEmbeddings]":
    """The studies of embedding files, or of a manifest of them."""
    from training.datasets.manifest import load_manifest
    from training.embeddings.neighbour import StudyEmbeddings
    from training.projection.sources import study_name

    if manifest is None:
        return [StudyEmbeddings(study_name(path), "", path) for path in embeddings]
    studies = load_manifest(manifest).studies
    return [StudyEmbeddings(study.study_id, study.patient_id, study.path, study.fingerprint) for study in studies]


def labels_of(path: Path | None, ends: Mapping[str, int]) -> "FrameLabels":
    """Labels of the studies in `ends`, which maps each to its number of frames.

    Raises:
        UserError: a label lies past the end of its study.
    """
    from training.datasets.labelled_frames import check_ends
    from training.datasets.labels import read_labels

    rows = read_labels(path) if path is not None else []
    check_ends(rows, ends)
    labels: dict[str, dict[int, tuple[str, ...]]] = {}
    for row in rows:
        if row.study_id not in ends:
            continue
        frames = labels.setdefault(row.study_id, {})
        for frame in range(row.start, row.stop):
            frames[frame] = (*frames.get(frame, ()), row.label)
    return labels


def _table(rows: list[tuple[str, ...]]) -> str:
    """Columns as wide as what stands in them."""
    lines: list[tuple[str, ...]] = [("", "study", "frame", "time", "distance", "where", "labels")]
    lines += [(str(place), *row) for place, row in enumerate(rows, 1)]
    return in_columns(lines, right=(0, 2, 3, 4))


if TYPE_CHECKING:
    from training.datasets.image_set import ImageSet
    from training.models.folder import ModelFolder


class EvaluateNeighboursCommand(CommandConfig):
    """Which images to ask which model about; see `training.evaluation.neighbour_labels`."""

    images: Path = Field(description="Folder of labelled images.")
    labels: Path = Field(description="Labels of the images (CSV): filename,label,group; results are of other groups.")
    model: Path | None = Field(None, description="Model folder, or a run folder with a model in it.")
    models: Path | None = Field(
        None,
        description="Models of folds, as stored by evaluate-explanations, instead of a model; each is evaluated on "
        "groups that it was not trained on.",
    )
    out: Annotated[Path | None, marks.OutputFile(QUERIES_JSON)] = Field(
        None, description="JSON file to write, with every query; empty: none."
    )
    overwrite: marks.OverwriteField = False
    queries: int = Field(20, ge=0, description="Number of images drawn at random, per fold; 0: all.")
    metric: Literal["euclidean", "cosine"] = Field("euclidean", description="Distance.")
    memory_mib: int = Field(
        1536, ge=1, description="Prepared images are kept in memory up to this size, otherwise in a file."
    )

    @model_validator(mode="after")
    def _check_model(self) -> "EvaluateNeighboursCommand":
        if (self.model is None) == (self.models is None):
            raise ValueError("give either a model or the models of folds")
        return self


class _LabelRow(TableRow):
    label: str


def run_evaluate_neighbours(config: EvaluateNeighboursCommand, reporter: Reporter) -> dict[str, Any]:
    """Ask; the result holds, for each choice of candidates, the share of the same label at 1, 5 and 10 beside chance.

    Queries of a fold's model are of groups that it was not trained on; `all_other_groups` also searches the others
    (a library's labelled frames), `unseen_groups` only among its held-out ones.
    """
    from training.evaluation.neighbour_labels import QueryResult, draw_queries, embed_images, run_queries, summary

    every, names = read_any_labels(config.images, config.labels)
    image_set = replace(every, labelled=every.labelled.with_one_label())
    answers: dict[str, list[QueryResult]] = {}
    for model, held_out in _models(config):
        with tempfile.TemporaryDirectory(prefix=scratch_prefix("neighbours"), ignore_cleanup_errors=True) as folder:
            size, memory, spill = model.config.input_size, config.memory_mib << 20, Path(folder) / "frames.tmp"
            store = image_set.load(image_set.labelled, size, memory, spill, reporter)
            frames = embed_images(store, model, Path(folder), config.device, reporter)
            unseen = [group for group in frames.labels if held_out is None or group in held_out]
            if not unseen:
                raise UserError(f"{model.path} was trained on all groups of these images.")
            queries = draw_queries(frames.labels, config.queries or len(image_set.labelled), config.seed, unseen)
            choices = {"all_other_groups": None} | ({"unseen_groups": unseen} if held_out is not None else {})
            for choice, candidates in choices.items():
                answers.setdefault(choice, []).extend(
                    run_queries(frames, queries, config.metric, candidates, reporter.check)
                )
            frames.index.close()
    result = {choice: summary(given) for choice, given in answers.items()}
    if config.out is not None:
        _write(config.out, config, answers, names)
    return {"metric": config.metric, "labels": list(names), **result}


def read_any_labels(images: Path, labels: Path, by: str = "group") -> "tuple[ImageSet, tuple[str, ...]]":
    """Labelled images, and the labels by class; which one is called normal is of no interest here.

    Raises:
        UserError: as `read_image_set`, or there are fewer than two labels.
    """
    from training.datasets.image_set import SEPARATOR, read_image_set
    from training.datasets.labels import NORMAL

    rows = read_rows(labels, _LabelRow, ("label",))
    result = [label.strip() for row in rows for label in row.label.split(SEPARATOR)]
    if len(set(result)) < 2:
        raise UserError(f"{labels} has fewer than two different labels.")
    first = NORMAL if NORMAL in result else sorted(set(result))[-1]
    image_set = read_image_set(images, labels, normal_label=first, by=by)
    return image_set, (first, *image_set.labelled.classes[1:])


def _models(config: EvaluateNeighboursCommand) -> "Iterator[tuple[ModelFolder, frozenset[str] | None]]":
    """Models, and the groups that each never saw; None where that is not known: all are asked."""
    from training.models.folder import ModelFolder

    if config.model is not None:
        yield ModelFolder.open(config.model), None
        return
    assert config.models is not None
    descriptions = sorted(config.models.glob("fold-*/fold.json"))
    if not descriptions:
        raise UserError(f"There is no finished fold in {config.models}.", "Run evaluate-explanations --folds first.")
    for path in descriptions:
        held_out = json_text.read_json_object(path, "description of a fold").get("held_out")
        if not isinstance(held_out, list) or not all(isinstance(group, str) for group in held_out):
            raise UserError(f"{path} does not name the groups that were held out.", "Train the fold again.")
        yield ModelFolder.open(path.parent / "model"), frozenset(held_out)


def _write(
    path: Path, config: EvaluateNeighboursCommand, answers: dict[str, list[Any]], names: tuple[str, ...]
) -> None:
    from training.runs.folder import write_json

    queries = {
        choice: [
            {
                "group": answer.group,
                "label": names[answer.label],
                "shares": {str(rank): share for rank, share in answer.shares.items()},
                "chance": answer.chance,
            }
            for answer in given
        ]
        for choice, given in answers.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {WRITTEN_BY: QUERIES, "metric": config.metric, "seed": config.seed, "queries": queries})
