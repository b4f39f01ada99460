"""The runs of the library, and the scorings of its studies."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import Connection, insert, select, update

from training.texts import Text
from wce_desktop.core import is_safe_id, new_id, tr
from wce_desktop.library import audit, tables
from wce_desktop.library.removal_rows import LEAST_NAME
from wce_desktop.library.rows import Row, as_row, check_row, shown
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import StorePart

RunState = Literal["running", "done", "failed", "cancelled"]
RunKind = Literal["pretrain", "finetune", "evaluate", "train-reid", "experiment"]
EXPERIMENTS = ("reproduce", "benchmark", "few-labels", "evaluate-explanations", "evaluate-neighbours")
"""The commands of `training` that are kept as experiments."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """The embeddings file of one study and one model; only a complete one can be read."""

    study_id: str
    model_id: str
    path: Path
    is_complete: bool
    created_utc: str


@dataclass(frozen=True, slots=True)
class Run:
    """One training or cross-validation, with its folder and what it reported at the end.

    Args:
        base_model_id: the model that it started from or evaluates, or None.
        summary: what it reported at the end (JSON values).
        folder: its run folder; the library made it.
        kind: what was done; also the name of the command of `training`, or one of `EXPERIMENTS`.
        base_run_id: the pretraining that it started from, or None.
        message: why it failed, in a sentence; else empty.
    """

    run_id: str
    title: str
    base_model_id: str | None
    state: RunState
    summary: Mapping[str, Any]
    created_utc: str
    folder: Path
    kind: RunKind = "finetune"
    base_run_id: str | None = None
    message: str = ""

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped on request, and kept what it had."""
        return self.state == "done" and self.summary.get("finished") is False


class Runs(StorePart):
    """The trainings and cross-validations of the library."""

    def add(
        self,
        title: str,
        *,
        base_model_id: str | None = None,
        run_id: str = "",
        kind: RunKind = "finetune",
        base_run_id: str | None = None,
        created_utc: str = "",
    ) -> Run:
        """Remember that a training or a cross-validation begins, or began then, and make its folder.

        Raises:
            ValueError: for a kind that there is not.
        """
        if kind not in get_args(RunKind):
            raise ValueError(f"a run is one of {', '.join(get_args(RunKind))}, not {kind!r}")
        run_id = run_id or new_id("r-")
        with self._store.writing(Text("the run")) as connection:
            connection.execute(
                insert(tables.runs).values(
                    run_id=run_id,
                    title=title,
                    base_model_id=base_model_id,
                    state="running",
                    summary={},
                    created_utc=created_utc or now_utc(),
                    kind=kind,
                    base_run_id=base_run_id,
                )
            )
            (self._store.folder / "runs" / run_id).mkdir(parents=True, exist_ok=True)
        return next(run for run in self.all() if run.run_id == run_id)

    def finish(self, run_id: str, state: RunState, summary: Mapping[str, Any], message: str = "") -> None:
        """Remember how a run ended: "done", "failed" or "cancelled", what it reported, and why it failed.

        Raises:
            KeyError: there is no such run.
            ValueError: for a state that a run cannot have.
        """
        if state not in get_args(RunState):
            raise ValueError(f"a run is one of {', '.join(get_args(RunState))}, not {state!r}")
        changed = update(tables.runs).where(tables.runs.c.run_id == run_id)
        with self._store.writing(Text("the run")) as connection:
            if tables.is_on_server(connection):  # researchers read it, too
                message = _without_names(connection, message)
            values = {"state": state, "summary": dict(summary), "message": message}
            if connection.execute(changed.values(**values)).rowcount != 1:
                raise KeyError(run_id)

    def resume(self, run_id: str) -> Run:
        """Remember that a run is resumed; KeyError when there is none."""
        self.finish(run_id, "running", {})
        return next(run for run in self.all() if run.run_id == run_id)

    def all(self) -> tuple[Run, ...]:
        """All trainings, oldest first."""
        with self._store.reading(Text("the runs")) as connection:
            rows = connection.execute(select(tables.runs).order_by(tables.runs.c.created_utc, tables.ENTERED))
            folder, invalid = self._store.folder, self._store.invalid_rows("runs")
            return invalid.keep_valid("run", map(as_row, rows), lambda row: _run(row, folder))

    def delete(self, run_id: str) -> None:
        """Delete a run with its curves, checkpoints and what it has embedded of studies; a classifier of it stays.

        Raises:
            KeyError: there is none of this name.
            UserError: its folder cannot be deleted; nothing was changed then.
        """
        what = tr("deleting run {run_id}", run_id=run_id)
        with self._store.deleting(what, self._store.folder / "runs" / run_id) as connection:
            audit.delete_row(connection, tables.runs, "run", run_id, self._store.reader)
        for kind in ("reid", "clips"):  # see `session.study_files`
            for path in self._store.folder.glob(f"studies/*/{kind}-{run_id}-*"):
                path.unlink(missing_ok=True)


def _without_names(connection: Connection, message: str) -> str:
    """A message with ids in the place of names of studies, patients and files."""
    column, stored = tables.studies.c, tables.stored_sentence(message)
    for study_id, path, *names in connection.execute(
        select(column.study_id, column.path, column.name, column.pseudonym)
    ):
        for name in (path, Path(path).name, *names):
            if len(name) >= LEAST_NAME and name in stored:
                stored = tables.sentence_without(stored, name, study_id)
    return tables.sentence_of(stored)


def _run(row: Row, folder: Path) -> Run:
    check_row(tables.runs, row)
    for name, allowed in (("state", get_args(RunState)), ("kind", get_args(RunKind))):
        if row[name] not in allowed:
            raise ValueError(f"{name} is {shown(row[name])}")
    if not is_safe_id(row["run_id"]):
        raise ValueError(f"run_id is {shown(row['run_id'])}")
    if not isinstance(row["summary"], dict):
        raise ValueError(f"summary is {shown(row['summary'])}")
    return Run(**row, folder=folder / "runs" / row["run_id"])
