"""The library: one folder, one database, everything that was said about the studies; each change is on disk at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, insert, select

from wce_desktop.core.change import Change, Edit, Item
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.identity import new_id
from wce_desktop.core.label import Label, LabelTrack
from wce_desktop.core.landmark import Landmark
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study, advance
from wce_desktop.library import audit, edits, opening, registry, seen, studies, tables, work
from wce_desktop.library.database import now_utc
from wce_desktop.library.errors import sentences
from wce_desktop.library.lock import LibraryLock
from wce_desktop.library.registry import NewLabels, RegisteredModel
from wce_desktop.library.rows import as_row, from_row
from wce_desktop.library.work import Run, RunState, Scoring


class Library:
    """What one reader knows of many studies. Safe to use from several threads; made by `Library.open`.

    Every method that changes something has it on disk, in one transaction, before it returns; a full disk, a folder
    that became read-only and a damaged file raise `UserError` and leave nothing half-written.
    """

    def __init__(self, folder: Path, reader: str, engine: Engine, lock: LibraryLock) -> None:
        self.folder = folder
        self.reader = reader
        self._engine = engine
        self._writer = engine.execution_options(writes=True)
        self._lock = lock

    @classmethod
    def open(cls, folder: Path, reader: str) -> Library:
        """Open the library in `folder`, or make one there.

        Raises:
            LibraryInUseError: when another window has it open.
            DamagedLibraryError: when the database cannot be read; it names the last backup.
            NewerLibraryError: when a newer version of the application wrote it.
            UserError: when the folder cannot be written.
        """
        engine, lock = opening.open_folder(folder)
        library = cls(folder, reader, engine, lock)
        with library._writing(f"the reader {reader}") as connection:
            known = select(tables.readers).where(tables.readers.c.name == reader)
            if connection.execute(known).first() is None:
                connection.execute(insert(tables.readers).values(name=reader, created_utc=now_utc()))
        return library

    def close(self) -> None:
        """Write everything into the one file and let the library go."""
        opening.close(self._engine)
        self._lock.release()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Studies

    def studies(self) -> tuple[Study, ...]:
        """All studies, in the order in which they came."""
        with self._reading("the list of studies") as connection:
            return studies.read_all(connection)

    def study(self, study_id: str) -> Study:
        """One study; KeyError when there is none of this name."""
        with self._reading("a study") as connection:
            return studies.read_one(connection, study_id)

    def add_study(
        self,
        path: Path,
        *,
        name: str = "",
        patient_id: str = "",
        study_id: str = "",
        fingerprint: str = "",
        frame_count: int = 0,
        duration_seconds: float = 0.0,
    ) -> Study:
        """Take a study in; one with the same content is found again instead, at its new path.

        Without a `patient_id` it gets a patient of its own; without a `name` that of the file.
        """
        path = path.resolve()
        with self._writing(f"the study {path.name}") as connection:
            known = studies.with_fingerprint(connection, fingerprint) if fingerprint else None
            if known is not None:
                return studies.change(connection, known.study_id, {"path": path}, self.reader)
            study = Study(
                study_id=study_id or new_id("s-"),
                patient_id=patient_id or new_id("p-"),
                name=name or path.stem,
                path=path,
                fingerprint=fingerprint,
                frame_count=frame_count,
                duration_seconds=duration_seconds,
            )
            return studies.add(connection, study, self.reader)

    def update_study(self, study_id: str, **fields: Any) -> Study:
        """Set fields of a study (`name`, `state`, `last_frame`, `threshold`, `model_id`, `frame_count`, ...)."""
        with self._writing("the study") as connection:
            return studies.change(connection, study_id, fields, self.reader)

    def study_folder(self, study_id: str) -> Path:
        """The folder for a study's index and embedding files, made when it is missing."""
        return self._made("studies", study_id)

    def run_folder(self, run_id: str) -> Path:
        """The folder of a training run, made when it is missing."""
        return self._made("runs", run_id)

    def _made(self, *parts: str) -> Path:
        folder = self.folder.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    # What was said about a study

    def labels(self, study_id: str) -> tuple[Label, ...]:
        """The labels of a study, in order of time."""
        return tuple(item for item in self._items("label", study_id) if isinstance(item, Label))

    def label_track(self, study_id: str) -> LabelTrack:
        """The labels of a study, arranged for lookup; a copy, which edits do not change."""
        return LabelTrack(self.labels(study_id))

    def findings(self, study_id: str) -> tuple[Finding, ...]:
        """The findings of a study, in order of time."""
        return tuple(item for item in self._items("finding", study_id) if isinstance(item, Finding))

    def landmarks(self, study_id: str) -> tuple[Landmark, ...]:
        """The landmarks of a study, in order of time."""
        return tuple(item for item in self._items("landmark", study_id) if isinstance(item, Landmark))

    def boxes(self, study_id: str) -> tuple[Box, ...]:
        """The boxes of a study, in order of time."""
        return tuple(item for item in self._items("box", study_id) if isinstance(item, Box))

    def _items(self, kind: str, study_id: str) -> Iterator[Item]:
        table = {"label": tables.labels, "finding": tables.findings, "landmark": tables.landmarks, "box": tables.boxes}
        chosen = table[kind]
        when = chosen.c.start if "start" in chosen.c else chosen.c.frame_index
        asked = select(chosen).where(chosen.c.study_id == study_id).order_by(when)
        with self._reading(f"the {kind}s") as connection:
            rows = connection.execute(asked).all()
        return (from_row(kind, as_row(row)) for row in rows)

    # Edits

    def edit(self, study_id: str, title: str, changes: Sequence[Change], model_id: str | None = None) -> Edit:
        """Make changes as one step that undo takes back; on disk when this returns.

        Args:
            title: what undo will call it: "Label 3 frames blood".
            model_id: the model that suggested it, for the audit log.

        Raises:
            ValueError: when a change belongs to another study, removes what is not there, or would make two labels of
                one name overlap.
        """
        with self._writing(f"“{title}”") as connection:
            return edits.apply_edit(connection, study_id, title, changes, self.reader, model_id)

    def undo(self, study_id: str) -> Edit | None:
        """Take the last edit of a study back; returns it with the changes that were made now, or None."""
        with self._writing("undo") as connection:
            return edits.undo(connection, study_id, self.reader)

    def redo(self, study_id: str) -> Edit | None:
        """Make the last edit that was taken back again; returns it, or None."""
        with self._writing("redo") as connection:
            return edits.redo(connection, study_id, self.reader)

    def undo_title(self, study_id: str) -> str | None:
        """What `undo` would take back, or None."""
        with self._reading("the history") as connection:
            return edits.next_title(connection, study_id, undoing=True)

    def redo_title(self, study_id: str) -> str | None:
        """What `redo` would make again, or None."""
        with self._reading("the history") as connection:
            return edits.next_title(connection, study_id, undoing=False)

    def audit_log(self, study_id: str | None = None) -> tuple[audit.AuditEntry, ...]:
        """Who changed what, when, oldest first; of one study or of all."""
        with self._reading("the audit log") as connection:
            return audit.read(connection, study_id)

    # Seen frames

    def seen(self, study_id: str) -> SpanSet:
        """The frames that were on screen long enough."""
        with self._reading("the seen frames") as connection:
            return seen.read(connection, study_id)

    def mark_seen(self, study_id: str, spans: Iterable[Span]) -> None:
        """Remember frames as seen; a study that was new or scored is being read from then on."""
        with self._writing("the seen frames") as connection:
            seen.mark(connection, study_id, spans)
            state = studies.read_one(connection, study_id).state
            studies.change(connection, study_id, {"state": advance(state, "reading")}, self.reader)

    # Models, scorings, runs

    def models(self) -> tuple[RegisteredModel, ...]:
        """All registered models, oldest first."""
        with self._reading("the models") as connection:
            return registry.read_all(connection, self.folder / "models")

    def current_model(self) -> RegisteredModel | None:
        """The model in use, or None."""
        return next((model for model in self.models() if model.is_current), None)

    def set_current_model(self, model_id: str) -> RegisteredModel:
        """Take a registered model, also an earlier one, into use; KeyError when there is none of this name."""
        with self._writing(f"the choice of model {model_id}") as connection:
            registry.set_current(connection, model_id, self.reader)
        return self._model(model_id)

    def register_model(
        self,
        folder: Path,
        *,
        title: str = "",
        parent_id: str | None = None,
        run_id: str | None = None,
        labels_until_utc: str = "",
    ) -> RegisteredModel:
        """Check a model folder, copy it into the library and remember where it comes from; it is not yet in use.

        Raises:
            UserError: when the folder is not a sound model, or another model of its name is registered.
        """
        model, partial = registry.copy_in(folder, self.folder / "models")
        name = model.config.model_id
        try:
            with self._writing(f"the model {name}") as connection:
                registry.add(
                    connection,
                    model,
                    title=title,
                    parent_id=parent_id,
                    run_id=run_id,
                    labels_until_utc=labels_until_utc,
                    reader=self.reader,
                )
                if not (self.folder / "models" / name).exists():
                    partial.replace(self.folder / "models" / name)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return self._model(name)

    def _model(self, model_id: str) -> RegisteredModel:
        return next(model for model in self.models() if model.model_id == model_id)

    def new_labels(self, after_utc: str | None = None) -> tuple[NewLabels, ...]:
        """The labels given since the model in use last learnt from some, or after a time, by study."""
        if after_utc is None:
            model = self.current_model()
            after_utc = model.labels_until_utc if model else ""
        with self._reading("the new labels") as connection:
            return registry.new_labels(connection, after_utc)

    def note_scoring(self, study_id: str, model_id: str, path: Path, *, is_complete: bool) -> Scoring:
        """Remember the embeddings file of a study; once complete, a new study becomes a scored one."""
        scoring = Scoring(study_id, model_id, path, is_complete, now_utc())
        with self._writing("the scoring") as connection:
            work.note_scoring(connection, self.folder, scoring)
            if is_complete:
                state = studies.read_one(connection, study_id).state
                studies.change(connection, study_id, {"state": advance(state, "scored")}, self.reader)
        return scoring

    def scorings(self, study_id: str | None = None) -> tuple[Scoring, ...]:
        """The embeddings files of a study, or of all, oldest first."""
        with self._reading("the scorings") as connection:
            return work.scorings(connection, self.folder, study_id)

    def add_run(self, title: str, *, base_model_id: str | None = None, run_id: str = "") -> Run:
        """Remember that a training begins, and make its folder."""
        run_id = run_id or new_id("r-")
        with self._writing("the run") as connection:
            work.add_run(connection, run_id, title, base_model_id)
        self.run_folder(run_id)
        return next(run for run in self.runs() if run.run_id == run_id)

    def finish_run(self, run_id: str, state: RunState, summary: Mapping[str, Any]) -> None:
        """Remember how a training ended: "done", "failed" or "cancelled", and what it reported (JSON values)."""
        with self._writing("the run") as connection:
            work.change_run(connection, run_id, state, summary)

    def runs(self) -> tuple[Run, ...]:
        """All trainings, oldest first."""
        with self._reading("the runs") as connection:
            return work.runs(connection, self.folder)

    # Transactions

    @contextmanager
    def _reading(self, what: str) -> Iterator[Connection]:
        with sentences(self.folder, f"reading {what}"), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _writing(self, what: str) -> Iterator[Connection]:
        with sentences(self.folder, what), self._writer.begin() as connection:
            yield connection
