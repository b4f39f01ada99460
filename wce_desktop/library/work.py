"""Scorings and runs in the library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import Connection, delete, insert, select, update

from wce_desktop.core.identity import is_safe_id
from wce_desktop.library import tables
from wce_desktop.library.invalid_rows import InvalidRows, check_row, shown
from wce_desktop.library.rows import Row, as_row
from wce_desktop.library.storage.database import now_utc

RunState = Literal["running", "done", "failed", "cancelled"]
RunKind = Literal["pretrain", "finetune", "evaluate", "train-reid"]


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
        kind: what was done; also the name of the command of `training`.
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


def note_scoring(connection: Connection, folder: Path, scoring: Scoring) -> None:
    """Remember an embeddings file; an earlier note of the same study and model is replaced."""
    table = tables.scorings
    connection.execute(delete(table).where(table.c.study_id == scoring.study_id, table.c.model_id == scoring.model_id))
    connection.execute(
        insert(table).values(
            study_id=scoring.study_id,
            model_id=scoring.model_id,
            path=_relative(folder, scoring.path),
            is_complete=scoring.is_complete,
            created_utc=scoring.created_utc or now_utc(),
        )
    )


def scorings(connection: Connection, folder: Path, study_id: str | None, aside: InvalidRows) -> tuple[Scoring, ...]:
    """The scorings of a study, or of all, oldest first; rows that break a rule are noted and left out."""

    def scoring(row: Row) -> Scoring:
        check_row(tables.scorings, row)
        return Scoring(**{**row, "path": folder / row["path"]})

    asked = select(tables.scorings).order_by(tables.scorings.c.created_utc)
    if study_id is not None:
        asked = asked.where(tables.scorings.c.study_id == study_id)
    rows = map(as_row, connection.execute(asked))
    return aside.keep_valid("study", rows, scoring)


def add_run(
    connection: Connection,
    run_id: str,
    title: str,
    base_model_id: str | None,
    kind: RunKind = "finetune",
    base_run_id: str | None = None,
) -> None:
    """Remember that a run began.

    Raises:
        ValueError: for a kind that there is not.
    """
    if kind not in get_args(RunKind):
        raise ValueError(f"a run is one of {', '.join(get_args(RunKind))}, not {kind!r}")
    connection.execute(
        insert(tables.runs).values(
            run_id=run_id,
            title=title,
            base_model_id=base_model_id,
            state="running",
            summary={},
            created_utc=now_utc(),
            kind=kind,
            base_run_id=base_run_id,
        )
    )


def change_run(
    connection: Connection, run_id: str, state: RunState, summary: Mapping[str, Any], message: str = ""
) -> None:
    """Remember how a run ended, or that it goes on.

    Raises:
        KeyError: when there is no such run.
        ValueError: for a state that a run cannot have.
    """
    if state not in get_args(RunState):
        raise ValueError(f"a run is one of {', '.join(get_args(RunState))}, not {state!r}")
    changed = (
        update(tables.runs)
        .where(tables.runs.c.run_id == run_id)
        .values(state=state, summary=dict(summary), message=message)
    )
    if connection.execute(changed).rowcount != 1:
        raise KeyError(run_id)


def runs(connection: Connection, folder: Path, aside: InvalidRows) -> tuple[Run, ...]:
    """All runs, oldest first; rows that break a rule are noted and left out."""
    rows = map(as_row, connection.execute(select(tables.runs).order_by(tables.runs.c.created_utc)))
    return aside.keep_valid("run", rows, lambda row: _run(row, folder))


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


def _relative(folder: Path, path: Path) -> str:
    """Relative to the library where it is inside, so that the whole library can be moved."""
    inside = path.is_absolute() and path.is_relative_to(folder)
    return (path.relative_to(folder) if inside else path).as_posix()
