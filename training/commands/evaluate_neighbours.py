"""`python -m training evaluate-neighbours`: do frames that look alike to a model show the same, in other patients?"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.kinds import QUERIES, QUERIES_JSON, WRITTEN_BY
from training.files.marks import OutputFile, OverwriteField
from training.files.scratch import scratch_prefix
from training.runs.reporter import Reporter

if TYPE_CHECKING:
    from training.datasets.image_set import ImageSet
    from training.models.folder import ModelFolder


class EvaluateNeighboursCommand(CommandConfig):
    """Which images to ask which model about; see `training.evaluation.neighbour_labels`."""

    images: Path = Field(description="Folder of labelled images.")
    labels: Path = Field(
        description="Labels of the images (CSV): filename, label, group. Neighbours come from other groups."
    )
    model: Path | None = Field(None, description="Model folder, or a run folder with a model in it.")
    models: Path | None = Field(
        None,
        description="Models of folds, as stored by evaluate-explanations, instead of a model; each is evaluated on "
        "groups that it was not trained on.",
    )
    out: Annotated[Path | None, OutputFile(QUERIES_JSON)] = Field(
        None, description="JSON file to write, with every query; empty: none."
    )
    overwrite: OverwriteField = False
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

    image_set, names = _images(config)
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


def _images(config: EvaluateNeighboursCommand) -> "tuple[ImageSet, tuple[str, ...]]":
    """The set, and its labels by class; which one is called normal is of no interest here."""
    from training.datasets.image_set import read_image_set
    from training.datasets.labels import NORMAL

    result = [row.label for row in read_rows(config.labels, _LabelRow, ("label",))]
    if len(set(result)) < 2:
        raise UserError(f"{config.labels} has fewer than two different labels, so every neighbour has the same label.")
    first = NORMAL if NORMAL in result else sorted(set(result))[-1]
    image_set = read_image_set(config.images, config.labels, normal_label=first)
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
        held_out = read_json_object(path, "description of a fold").get("held_out")
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
