"""The library's models, scorings and trainings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from training.texts import Text
from wce_desktop.core.identity import new_id
from wce_desktop.core.language import tr
from wce_desktop.core.study import advance
from wce_desktop.library import registry, removals, study_rows, work
from wce_desktop.library.registry import Model, NewLabels
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import Store
from wce_desktop.library.work import Run, RunKind, RunState, Scoring


class Models:
    """The models of the library, the one in use, and what they have scored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> tuple[Model, ...]:
        """All registered models, oldest first."""
        with self._store.reading(Text("the models")) as connection:
            return registry.read_all(connection, self._store.folder / "models", self._store.invalid_rows("models"))

    @property
    def current(self) -> Model | None:
        """The model in use, or None."""
        return next((model for model in self.all() if model.is_current), None)

    def set_current(self, model_id: str) -> Model:
        """Take a registered model, also an earlier one, into use; KeyError when there is none of this name."""
        with self._store.writing(Text("the choice of model {model_id}", model_id)) as connection:
            registry.set_current(connection, model_id, self._store.reader)
        return self._model(model_id)

    def register(
        self,
        folder: Path,
        *,
        title: str = "",
        parent_id: str | None = None,
        run_id: str | None = None,
        labels_until_utc: str = "",
    ) -> Model:
        """Check a model folder, copy it into the library and remember where it comes from; it is not yet in use.

        Raises:
            UserError: when the folder is not a sound model, or another model of its name is registered.
        """
        model, partial = registry.copy_in(folder, self._store.folder / "models")
        name = model.config.model_id
        try:
            with self._store.writing(Text("the model {name}", name)) as connection:
                registry.add(
                    connection,
                    model,
                    title=title,
                    parent_id=parent_id,
                    run_id=run_id,
                    labels_until_utc=labels_until_utc,
                    reader=self._store.reader,
                )
                if not (self._store.folder / "models" / name).exists():
                    partial.replace(self._store.folder / "models" / name)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return self._model(name)

    def _model(self, model_id: str) -> Model:
        return next(model for model in self.all() if model.model_id == model_id)

    def new_labels(self, after_utc: str | None = None) -> tuple[NewLabels, ...]:
        """The labels given since the model in use was trained, or after a time, by study."""
        if after_utc is None:
            model = self.current
            after_utc = model.labels_until_utc if model else ""
        with self._store.reading(Text("the new labels")) as connection:
            return registry.new_labels(connection, after_utc)

    def label_counts(self, after_utc: str | None = None) -> dict[str, int]:
        """Labelled frames by class, of the labels given since the model in use was trained, or after a time."""
        if after_utc is None:
            model = self.current
            after_utc = model.labels_until_utc if model else ""
        with self._store.reading(Text("the labels")) as connection:
            return registry.label_counts(connection, after_utc)

    def label_totals(self, left_out: Collection[str] = ()) -> registry.LabelTotals:
        """Which classes were ever labelled, and the labels given since the model in use was trained.

        `left_out`: ids of studies that do not count.
        """
        model = self.current
        with self._store.reading(Text("the labels")) as connection:
            return registry.label_totals(connection, model.labels_until_utc if model else "", left_out)

    def note_scoring(self, study_id: str, model_id: str, path: Path, *, is_complete: bool) -> Scoring:
        """Remember the embeddings file of a study; once complete, a new study becomes a scored one."""
        scoring = Scoring(study_id, model_id, path, is_complete, now_utc())
        with self._store.writing(Text("the scoring")) as connection:
            work.note_scoring(connection, self._store.folder, scoring)
            if is_complete:
                state = study_rows.read_one(connection, study_id).state
                study_rows.change(connection, study_id, {"state": advance(state, "scored")}, self._store.reader)
        return scoring

    def scorings(self, study_id: str | None = None) -> tuple[Scoring, ...]:
        """The embeddings files of a study, or of all, oldest first."""
        with self._store.reading(Text("the scorings")) as connection:
            return work.scorings(connection, self._store.folder, study_id, self._store.invalid_rows("scorings"))

    def delete(self, model_id: str) -> None:
        """Delete a model that is not in use, with its scores of all studies; labels and other models stay.

        Raises:
            KeyError: there is none of this name.
            UserError: it is in use, or its folder cannot be deleted; nothing was changed then.
        """

        def forget(connection: Connection) -> None:
            scores.extend(removals.forget_model(connection, self._store.folder, model_id, self._store.reader))

        scores: list[Path] = []
        _delete(
            self._store,
            tr("deleting model {model_id}", model_id=model_id),
            self._store.folder / "models" / model_id,
            forget,
        )
        names = (f"reid-*-{model_id}.safetensors", f"embeddings-{model_id}.h5.partial")
        for path in (*scores, *(path for name in names for path in self._store.folder.glob(f"studies/*/{name}"))):
            path.unlink(missing_ok=True)


class Runs:
    """The trainings and cross-validations of the library."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self,
        title: str,
        *,
        base_model_id: str | None = None,
        run_id: str = "",
        kind: RunKind = "finetune",
        base_run_id: str | None = None,
    ) -> Run:
        """Remember that a training or a cross-validation begins, and make its folder."""
        run_id = run_id or new_id("r-")
        with self._store.writing(Text("the run")) as connection:
            work.add_run(connection, run_id, title, base_model_id, kind, base_run_id)
            (self._store.folder / "runs" / run_id).mkdir(parents=True, exist_ok=True)
        return next(run for run in self.all() if run.run_id == run_id)

    def finish(self, run_id: str, state: RunState, summary: Mapping[str, Any], message: str = "") -> None:
        """Remember how a run ended: "done", "failed" or "cancelled", what it reported, and why it failed."""
        with self._store.writing(Text("the run")) as connection:
            work.change_run(connection, run_id, state, summary, message)

    def resume(self, run_id: str) -> Run:
        """Remember that a run is resumed; KeyError when there is none."""
        with self._store.writing(Text("the run")) as connection:
            work.change_run(connection, run_id, "running", {})
        return next(run for run in self.all() if run.run_id == run_id)

    def all(self) -> tuple[Run, ...]:
        """All trainings, oldest first."""
        with self._store.reading(Text("the runs")) as connection:
            return work.runs(connection, self._store.folder, self._store.invalid_rows("runs"))

    def delete(self, run_id: str) -> None:
        """Delete a run with its curves, checkpoints and what it has embedded of studies; a classifier of it stays.

        Raises:
            KeyError: there is none of this name.
            UserError: its folder cannot be deleted; nothing was changed then.
        """

        def forget(connection: Connection) -> None:
            removals.forget_run(connection, run_id, self._store.reader)

        _delete(self._store, tr("deleting run {run_id}", run_id=run_id), self._store.folder / "runs" / run_id, forget)
        for kind in ("reid", "clips"):  # see `session.study_files`
            for path in self._store.folder.glob(f"studies/*/{kind}-{run_id}-*"):
                path.unlink(missing_ok=True)


def _delete(store: Store, what: str, folder: Path, forget: Callable[[Connection], None]) -> None:
    """Delete the rows and rename the folder, both or neither; then delete the folder."""
    aside: Path | None = None
    try:
        with store.writing(what) as connection:
            forget(connection)
            aside = removals.set_aside(folder)
    except BaseException:
        if aside is not None:
            aside.rename(folder)
        raise
    if aside is not None:
        shutil.rmtree(aside, ignore_errors=True)
