"""The registry of models: what was registered, from what it descends, and which one is in use."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Connection, case, delete, func, insert, select

from training.errors import UserError
from training.models.folder import ModelFolder
from training.texts import Text
from wce_desktop.core.identity import is_safe_id
from wce_desktop.library import audit, tables
from wce_desktop.library.invalid_rows import InvalidRows, check_row, shown
from wce_desktop.library.rows import Row, as_row
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.storage.private import restrict_access

_CURRENT = "current_model"
_SPAN = tables.labels.c
_SECOND = select(tables.studies.c.study_id).where(tables.studies.c.second_of.is_not(None))
_SOUND = (_SPAN.start >= 0) & (_SPAN.stop > _SPAN.start) & (_SPAN.stop < 2**31) & _SPAN.study_id.not_in(_SECOND)
_COUNTS = _SOUND & (_SPAN.answer == "yes")
"""Rows that break a rule are set aside when labels are read, and not counted
here; nor are those of second readers, and those that say no."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model that the library holds a copy of.

    Args:
        classes: in the order of the scores' columns; the first is "normal".
        parent_id: the model that finetuning began from, or None.
        run_id: the run that made it, or None.
        labels_until_utc: labels given up to this time were training data; empty if it was not trained here.
        is_current: whether it is the one in use.
    """

    model_id: str
    title: str
    classes: tuple[str, ...]
    weights_sha256: str
    parent_id: str | None
    run_id: str | None
    labels_until_utc: str
    created_utc: str
    folder: Path
    is_current: bool


def copy_in(source: Path, models: Path) -> tuple[ModelFolder, Path]:
    """Check a model folder and copy it beside its place in the library, not yet under its name.

    Raises:
        UserError: when the folder is not a sound model, or the copy cannot be written.
    """
    opened = ModelFolder.open(source)
    partial = models / f".{opened.config.model_id}.partial-{os.getpid()}"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(opened.path, partial)
        for path in (partial, *partial.rglob("*")):
            restrict_access(path)
        return ModelFolder.open(partial), partial  # what was read back is what counts
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise UserError(
            "The model {model} cannot be copied to {folder} ({why}).",
            "Free some disk space, or check the folder's permissions.",
            opened.config.model_id,
            models,
            error.strerror or error,
        ) from error


def add(
    connection: Connection,
    model: ModelFolder,
    *,
    title: str,
    parent_id: str | None,
    run_id: str | None,
    labels_until_utc: str,
    reader: str,
) -> None:
    """Note a model; one with the same weights under the same name stays as it was.

    Raises:
        UserError: when another model has its name.
    """
    name = model.config.model_id
    known = connection.execute(select(tables.models).where(tables.models.c.model_id == name)).first()
    if known is not None:
        if known.weights_sha256 == model.sha256:
            return
        raise UserError(
            "The library already has another model named {name}.", "Give the new model another model_id.", name
        )
    when = now_utc()
    connection.execute(
        insert(tables.models).values(
            model_id=name,
            title=title or name,
            classes=list(model.config.classes),
            weights_sha256=model.sha256,
            parent_id=parent_id,
            run_id=run_id,
            labels_until_utc=labels_until_utc,
            created_utc=when,
        )
    )
    audit.record(
        connection,
        when=when,
        reader=reader,
        title=Text("Register model {name}", name),
        action="add",
        kind="model",
        item_id=name,
    )


def read_all(connection: Connection, models: Path, aside: InvalidRows) -> tuple[Model, ...]:
    """All models, oldest first; rows that break a rule are noted and left out."""
    current = current_id(connection)
    rows = map(as_row, connection.execute(select(tables.models).order_by(tables.models.c.created_utc)))
    return aside.keep_valid("model", rows, lambda row: _model(row, models, current))


def _model(row: Row, models: Path, current: str | None) -> Model:
    check_row(tables.models, row)
    name, classes = row["model_id"], row["classes"]
    if not is_safe_id(name):
        raise ValueError(f"model_id is {shown(name)}")
    if not (isinstance(classes, list) and classes and all(isinstance(one, str) for one in classes)):
        raise ValueError(f"classes is {shown(classes)}")
    return Model(**{**row, "classes": tuple(classes)}, folder=models / name, is_current=name == current)


def current_id(connection: Connection) -> str | None:
    """The model in use, or None."""
    found = connection.execute(select(tables.meta.c.value).where(tables.meta.c.key == _CURRENT)).scalar()
    return None if found is None else str(found)


def set_current(connection: Connection, model_id: str, reader: str) -> None:
    """Take a model into use; the one before stays registered.

    Raises:
        KeyError: when it is not registered.
    """
    known = select(tables.models.c.model_id).where(tables.models.c.model_id == model_id)
    if connection.execute(known).first() is None:
        raise KeyError(model_id)
    before = current_id(connection)
    connection.execute(delete(tables.meta).where(tables.meta.c.key == _CURRENT))
    connection.execute(insert(tables.meta).values(key=_CURRENT, value=model_id))
    audit.record(
        connection,
        when=now_utc(),
        reader=reader,
        title=Text("Use model {name}", model_id),
        action="replace",
        kind="current model",
        item_id=model_id,
        before=None if before is None else {"model_id": before},
        after={"model_id": model_id},
        model_id=model_id,
    )


@dataclass(frozen=True, slots=True)
class NewLabels:
    """New training data of one study: number of labels and of frames (a frame may have two labels)."""

    study_id: str
    labels: int
    frames: int


def new_labels(connection: Connection, after_utc: str) -> tuple[NewLabels, ...]:
    """The labels given after a time, by study; "" for all of them."""
    column = tables.labels.c
    asked = (
        select(column.study_id, func.count(), func.sum(column.stop - column.start))
        .where(column.created_utc > after_utc, _COUNTS)
        .group_by(column.study_id)
        .order_by(column.study_id)
    )
    return tuple(NewLabels(study_id, int(count), int(frames)) for study_id, count, frames in connection.execute(asked))


def label_counts(connection: Connection, after_utc: str) -> dict[str, int]:
    """Labelled frames by class, of the labels given after a time; "" for all of them."""
    column = tables.labels.c
    asked = select(column.name, func.sum(column.stop - column.start)).where(column.created_utc > after_utc, _COUNTS)
    return {str(name): int(frames) for name, frames in connection.execute(asked.group_by(column.name))}


def label_counts_by_study(connection: Connection) -> tuple[tuple[str, str, int], ...]:
    """Study, class and labelled frames; one pass, of which a library may need many, over perhaps 300,000 labels."""
    column = tables.labels.c
    asked = select(column.study_id, column.name, func.sum(column.stop - column.start)).where(_COUNTS)
    rows = connection.execute(asked.group_by(column.study_id, column.name))
    return tuple((str(study_id), str(name), int(frames)) for study_id, name, frames in rows)


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """Training data: all labelled classes, and the labels given after a time."""

    ever: frozenset[str]
    new_frames: Mapping[str, int]
    """Labelled frames by class."""
    new_studies: int
    new_negatives: Mapping[str, int] = field(default_factory=dict)
    """Frames on which a class is not there, by that class."""


def label_totals(connection: Connection, after_utc: str, left_out: Collection[str] = ()) -> LabelTotals:
    """All of it from one pass over the labels, of which there may be 100,000; `left_out`: studies that do not count."""
    column, is_new = tables.labels.c, tables.labels.c.created_utc > after_utc
    frames = func.sum(case((is_new, column.stop - column.start), else_=0))
    asked = select(column.study_id, column.name, column.answer, func.max(is_new), frames).where(_SOUND)
    if left_out:
        asked = asked.where(column.study_id.not_in(left_out))
    rows = connection.execute(asked.group_by(column.study_id, column.name, column.answer)).all()
    new: dict[str, Counter[str]] = {"yes": Counter(), "no": Counter()}
    for _, name, answer, has_new, count in rows:
        if has_new and answer in new:
            new[answer][str(name)] += int(count)
    studies = {study_id for study_id, _, answer, has_new, _ in rows if has_new and answer in new}
    ever = frozenset(str(name) for _, name, answer, _, _ in rows if answer == "yes")
    return LabelTotals(ever, new["yes"], len(studies), new["no"])


def patients_by_class(connection: Connection) -> dict[str, frozenset[str]]:
    """Of each class the patients who have a frame with that label."""
    joined = tables.labels.join(tables.studies, tables.labels.c.study_id == tables.studies.c.study_id)
    asked = select(tables.labels.c.name, tables.studies.c.patient_id).select_from(joined).distinct()
    found: dict[str, set[str]] = {}
    for name, patient_id in connection.execute(asked.where(_COUNTS)):
        found.setdefault(str(name), set()).add(str(patient_id))
    return {name: frozenset(patients) for name, patients in found.items()}
