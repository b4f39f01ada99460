"""The library's models: what was registered, from what it descends, which one is in use, and what they have scored."""

import os
import shutil
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from training.errors import UserError
from training.files import json_text
from training.files.scratch import remove_left_parts
from training.models.folder import CARD, RENAMED, ModelFolder, rename_classes
from training.texts import Text
from wce_desktop.core import is_safe_id, study, tr
from wce_desktop.library import audit, study_rows, tables
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.label_counts import LabelTotals, count_labels
from wce_desktop.library.rows import Row, as_row, check_row, shown
from wce_desktop.library.runs import Scoring
from wce_desktop.library.storage import database, private
from wce_desktop.library.store import StorePart

_CURRENT = "current_model"


@dataclass(frozen=True, slots=True)
class Model:
    """A model that the library holds a copy of.

    Args:
        classes: in the order of the scores' columns; the first is "normal". Empty: embeddings were imported, no scores.
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

    @property
    def renamed_text(self) -> str:
        """Which classes got the names that the library has for them; empty: none."""
        renamed = json_text.read_json_object(self.folder / CARD, "model card").get(RENAMED) or {}
        pairs = ", ".join(f"{old} → {new}" for old, new in renamed.items())
        return tr("Its classes are called as here: {classes}.", classes=pairs) if pairs else ""


def copy_in(source: Path, models: Path, classes: Collection[str] = ()) -> tuple[ModelFolder, Path]:
    """Check a model folder and copy it beside its place in the library, not yet under its name.

    The copy's classes that differ only in capitals, hyphens or underscores from these are called as these.

    Raises:
        UserError: when the folder is not a sound model, or the copy cannot be written.
    """
    partial = _copy_beside(ModelFolder.open(source), models)
    rename_classes(partial, classes)
    private.share_like(models, partial)
    return ModelFolder.open(partial), partial


def _copy_beside(model: ModelFolder, into: Path) -> Path:
    """Copy a model into a folder under a name for what is not finished, and check what was written."""
    name = model.config.model_id
    partial = into / f".{name}.partial-{os.getpid()}"
    try:
        with OnDiskError(
            "The model {model} cannot be copied to {folder} ({why}).",
            "Free some disk space, or check the folder's permissions.",
            name,
            into,
        ):
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(model.path, partial)
            ModelFolder.open(partial)  # what was read back is what counts
            return partial
    except UserError:
        shutil.rmtree(partial, ignore_errors=True)
        raise


class Models(StorePart):
    """The models of the library, the one in use, and what they have scored."""

    def all(self) -> tuple[Model, ...]:
        """All registered models, oldest first."""
        with self._store.reading(Text("the models")) as connection:
            current = current_id(connection)
            rows = connection.execute(select(tables.models).order_by(tables.models.c.created_utc, tables.ENTERED))
            folder, invalid = self._store.folder / "models", self._store.invalid_rows("models")
            return invalid.keep_valid("model", map(as_row, rows), lambda row: _model(row, folder, current))

    @property
    def current(self) -> Model | None:
        """The model in use, or None."""
        return next((model for model in self.all() if model.is_current), None)

    def set_current(self, model_id: str) -> Model:
        """Take a registered model, also an earlier one, into use; KeyError when there is none of this name."""
        with self._store.writing(Text("the choice of model {model_id}", model_id)) as connection:
            registered = select(tables.models.c.model_id).where(tables.models.c.model_id == model_id)
            if connection.execute(registered).first() is None:
                raise KeyError(model_id)
            before = current_id(connection)
            connection.execute(delete(tables.meta).where(tables.meta.c.key == _CURRENT))
            connection.execute(insert(tables.meta).values(key=_CURRENT, value=model_id))
            audit.record(
                connection,
                self._store.reader,
                Text("Use model {name}", model_id),
                "replace",
                "current model",
                model_id,
                before=None if before is None else {"model_id": before},
                after={"model_id": model_id},
                model_id=model_id,
            )
        return self._model(model_id)

    def register(
        self,
        folder: Path,
        *,
        title: str = "",
        parent_id: str | None = None,
        run_id: str | None = None,
        labels_until_utc: str = "",
        classes: Collection[str] = (),
    ) -> Model:
        """Check a model folder, copy it into the library and remember where it comes from; it is not yet in use.

        `classes`: of the library; classes of the model that differ only in capitals, hyphens or underscores are called
        as these.

        Raises:
            UserError: when the folder is not a sound model, or another model of its name is registered.
        """
        model, partial = copy_in(folder, self._store.folder / "models", classes)
        name = model.config.model_id
        try:
            with self._store.writing(Text("the model {name}", name)) as connection:
                facts = {"parent_id": parent_id, "run_id": run_id, "labels_until_utc": labels_until_utc}
                _add(connection, model, {"title": title or name, **facts}, self._store.reader)
                if not (self._store.folder / "models" / name).exists():
                    partial.replace(self._store.folder / "models" / name)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return self._model(name)

    def _model(self, model_id: str) -> Model:
        return next(model for model in self.all() if model.model_id == model_id)

    def label_totals(self, left_out: Collection[str] = ()) -> LabelTotals:
        """Which classes were ever labelled, and the labels given since the model in use was trained.

        All labels count as new where that model was not trained here.

        `left_out`: ids of studies that do not count.
        """
        model = self.current
        with self._store.reading(Text("the labels")) as connection:
            counts = count_labels(connection, model.labels_until_utc if model else "")
        rows = [row for row in counts if row.study_id not in left_out and row.answer in ("yes", "no")]
        frames: dict[str, Counter[str]] = {"yes": Counter(), "no": Counter()}
        for row in rows:
            if row.new:
                frames[row.answer][row.name] += row.new_frames
        ever = frozenset(row.name for row in rows if row.answer == "yes")
        return LabelTotals(ever, frames["yes"], len({row.study_id for row in rows if row.new}), frames["no"])

    def note_scoring(self, study_id: str, model_id: str, path: Path, *, is_complete: bool) -> Scoring:
        """Remember the embeddings file of a study; once complete, a new study becomes a scored one."""
        scoring = Scoring(study_id, model_id, path, is_complete, database.now_utc())
        with self._store.writing(Text("the scoring")) as connection:
            table, inside = tables.scorings, path.is_absolute() and path.is_relative_to(self._store.folder)
            # Relative to the library where it is inside, so that the whole library can be moved.
            stored = {"path": (path.relative_to(self._store.folder) if inside else path).as_posix()}
            connection.execute(delete(table).where(table.c.study_id == study_id, table.c.model_id == model_id))
            connection.execute(insert(table).values(**asdict(scoring) | stored))
            if is_complete:
                state = study_rows.read_one(connection, study_id).state
                study_rows.change(connection, study_id, {"state": study.advance(state, "scored")}, self._store.reader)
        return scoring

    def scorings(self, study_id: str | None = None) -> tuple[Scoring, ...]:
        """The embeddings files of a study, or of all, oldest first."""
        with self._store.reading(Text("the scorings")) as connection:
            asked = select(tables.scorings).order_by(tables.scorings.c.created_utc, tables.ENTERED)
            if study_id is not None:
                asked = asked.where(tables.scorings.c.study_id == study_id)
            invalid = self._store.invalid_rows("scorings")
            return invalid.keep_valid("study", map(as_row, connection.execute(asked)), self._scoring)

    def _scoring(self, row: Row) -> Scoring:
        check_row(tables.scorings, row)
        return Scoring(**{**row, "path": self._store.folder / row["path"]})

    def delete(self, model_id: str) -> None:
        """Delete a model that is not in use, with its scores of all studies; labels and other models stay.

        Raises:
            KeyError: there is none of this name.
            UserError: it is in use, or its folder cannot be deleted; nothing was changed then.
        """
        folder = self._store.folder
        what = tr("deleting model {model_id}", model_id=model_id)
        with self._store.deleting(what, folder / "models" / model_id) as connection:
            if current_id(connection) == model_id:
                raise UserError("This model is in use and cannot be deleted.", "Use another model first.")
            scorings = tables.scorings.c
            asked = select(scorings.path).where(scorings.model_id == model_id)
            scores = [folder / str(path) for path in connection.scalars(asked)]
            connection.execute(delete(tables.scorings).where(scorings.model_id == model_id))
            audit.delete_row(connection, tables.models, "model", model_id, self._store.reader)
        names = (f"reid-*-{model_id}.safetensors", f"embeddings-{model_id}.h5.partial")
        for path in (*scores, *(path for name in names for path in folder.glob(f"studies/*/{name}"))):
            path.unlink(missing_ok=True)


def _add(
    connection: Connection,
    model: ModelFolder,
    facts: Mapping[str, str | None],
    reader: str,
) -> None:
    """Note a model; one with the same weights under the same name stays as it was.

    Raises:
        UserError: when another model has its name.
    """
    name = model.config.model_id
    registered = connection.execute(select(tables.models).where(tables.models.c.model_id == name)).first()
    if registered is not None:
        if registered.weights_sha256 == model.sha256:
            return
        raise UserError(
            "The library already has another model named {name}.", "Give the new model another model_id.", name
        )
    when = database.now_utc()
    connection.execute(
        insert(tables.models).values(
            model_id=name,
            classes=list(model.config.classes),
            weights_sha256=model.sha256,
            created_utc=when,
            **facts,
        )
    )
    audit.record(connection, reader, Text("Register model {name}", name), "add", "model", name, when=when)


def _model(row: Row, models: Path, current: str | None) -> Model:
    check_row(tables.models, row)
    model_id, classes = row["model_id"], row["classes"]
    if not is_safe_id(model_id):
        raise ValueError(f"model_id is {shown(model_id)}")
    if not (isinstance(classes, list) and all(isinstance(name, str) for name in classes)):
        raise ValueError(f"classes is {shown(classes)}")
    return Model(**{**row, "classes": tuple(classes)}, folder=models / model_id, is_current=model_id == current)


def current_id(connection: Connection) -> str | None:
    """The model in use, or None."""
    model_id = connection.execute(select(tables.meta.c.value).where(tables.meta.c.key == _CURRENT)).scalar()
    return None if model_id is None else str(model_id)


def export_model(model: Model, into: Path) -> Path:
    """Copy a model's folder into another one, checked on both sides; returns the copy.

    Raises:
        UserError: something of that name is there, the model is damaged, or the copy cannot be written.
    """
    opened = ModelFolder.open(model.folder)
    remove_left_parts(into)
    target = into / model.model_id
    if target.exists():
        raise UserError(
            "{folder} already contains something named {name}.", "Choose another folder.", into, target.name
        )
    _copy_beside(opened, into).rename(target)
    return target
