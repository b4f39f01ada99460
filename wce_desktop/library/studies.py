"""The studies of a library."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import select

from training.errors import UserError
from training.texts import Text
from training.video import NUMBERING
from wce_desktop.core import Span, new_id
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.study import Study, readable_name
from wce_desktop.core.worklist import WorklistRow
from wce_desktop.library import edits, study_rows, tables, whole_reading
from wce_desktop.library.annotations import Annotations
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.sharing import conflicts
from wce_desktop.library.storage import roles
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import Store
from wce_desktop.library.whole_reading import WholeReading, naming_contradictions

INDEX_NAME = "index.npz"
"""In a study's folder: the index of its frames."""


class Studies:
    """The studies of the library, the readings of second readers, and whole readings that go out or come in."""

    def __init__(self, store: Store, annotations: Annotations) -> None:
        self._store = store
        self._annotations = annotations
        self._has_folder: set[str] = set()  # studies whose folders were made: a share is not asked again
        self.second_open: Study | None = None
        """The second reading that is being read; see `shown`."""

    def all(self) -> tuple[Study, ...]:
        """All studies, in the order in which they were added, without the readings of second readers."""
        with self._store.reading(Text("the list of studies")) as connection:
            return study_rows.read_all(connection, self._store.invalid_rows("studies"))

    def removed(self) -> tuple[Study, ...]:
        """The studies, and readings of second readers, that were removed and not erased yet."""
        with self._store.reading(Text("the removed studies")) as connection:
            return study_rows.read_all(connection, self._store.invalid_rows("removed studies"), "removed")

    def check_not_removed(self, fingerprint: str) -> None:
        """Raise `UserError` if the recording is that of a removed study, which can still be brought back."""
        with self._store.reading(Text("the removed studies")) as connection:
            study_rows.check_not_removed(connection, fingerprint)

    def shown(self) -> tuple[Study, ...]:
        """All studies; while a second reading is read it stands in for the first one, which stays hidden."""
        second = self.second_open
        return tuple(second if second and study.study_id == second.second_of else study for study in self.all())

    def second_readings(self, study_id: str | None = None) -> tuple[Study, ...]:
        """The readings of second readers, of one study or of all: studies of their own with the same recording.

        What a second reader enters never trains a model and is in no export of all studies.
        """
        with self._store.reading(Text("the second readings")) as connection:
            studies = study_rows.read_all(connection, self._store.invalid_rows("second readings"), "second")
        return tuple(study for study in studies if study_id is None or study.second_of == study_id)

    def worklist(self, model_id: str) -> tuple[WorklistRow, ...]:
        """A row for each study, also a removed one, with the state of its readings, the newest examination first.

        Args:
            model_id: the model in use, whose scores count.
        """
        with self._store.reading(Text("the worklist")) as connection:
            return study_rows.read_worklist(connection, model_id)

    def add_second(self, study_id: str, reader: str) -> Study:
        """Begin the reading of a second reader, in which nothing of the first one is shown.

        Raises:
            UserError: the name is empty, or that of the first reader or of a second one.
        """
        reader, first = reader.strip(), self.get(study_id)
        if not reader:
            raise UserError("A second reading needs the name of its reader.", "Enter the name.")
        if reader in self.readers_of(study_id):
            raise UserError("{reader} has read this study already.", "Enter the name of another reader.", reader)
        with self._store.writing(Text("the second reading")) as connection:
            return study_rows.add_second(connection, first, new_id("s-"), reader, self._author(reader))

    def shown_to_reader(self, study: Study) -> Study:
        """The reading to open: on a server the account's own second one while that hides what was entered for it."""
        if not self._store.is_on_server or study.second_of is not None:
            return study
        own = (each for each in self.second_readings(study.study_id) if each.read_by == self._store.reader)
        return next((each for each in own if each.state != "finished"), study)

    def check_account(self, name: str) -> None:
        """Raise `UserError` if the library is on a server, and a name is not that of an account that may read there."""
        if self._store.is_on_server:
            with self._store.reading(Text("the accounts")) as connection:
                roles.check_reader(connection, name)

    def _author(self, reader: str) -> str:
        """Who adds the reading of a second reader: on a server the account, which may be another one."""
        return self._store.reader if self._store.is_on_server else reader

    def readers_of(self, study_id: str) -> frozenset[str]:
        """Who entered labels, findings or landmarks of a study, and its second readers."""
        names = {study.second_reader for study in self.second_readings(study_id)}
        names |= {label.reader for label in self._annotations.answers(study_id)}
        names |= {finding.reader for finding in self._annotations.findings(study_id)}
        return frozenset((names | {mark.reader for mark in self._annotations.landmarks(study_id)}) - {""})

    def whole_reading(self, study_id: str) -> dict[str, Any]:
        """Everything that was entered for a study as JSON values; see `library.whole_reading`."""
        with self._store.reading(Text("the reading")) as connection:
            return whole_reading.read_whole(connection, study_id)

    def is_untouched(self, study_id: str) -> bool:
        """Whether nothing was entered for a study and no frame of it was seen."""
        with self._store.reading(Text("the reading")) as connection:
            return whole_reading.is_untouched(connection, study_id)

    def check_reading(self, document: Mapping[str, Any], check: Callable[[], None] = lambda: None) -> None:
        """Raise `UserError` if a document is not what `whole_reading` returns; `check` may end it."""
        self._whole(document, "s-new", check)

    def _whole(self, document: Mapping[str, Any], study_id: str, check: Callable[[], None]) -> WholeReading:
        others = {study.fingerprint: study.study_id for study in self.all() if study.fingerprint}
        facts = document.get("study")
        own = {str(facts.get("fingerprint")): study_id} if isinstance(facts, dict) else {}
        with naming_contradictions():
            return WholeReading(document, study_id, {**others, **own}, check)

    def add_whole_reading(
        self,
        document: Mapping[str, Any],
        study: Study | None,
        reader: str,
        *,
        is_second: bool = False,
        check: Callable[[], None] = lambda: None,
    ) -> Study:
        """Take in a reading of another library in one transaction; returns the study that has it.

        Args:
            document: as `whole_reading` returned it there.
            study: this library's study of the recording; None to add one, whose video is located later.
            reader: whose reading it is.
            is_second: add it as the reading of a second reader of `study`.
            check: called now and then; may end it by raising, and nothing is written then.

        Raises:
            UserError: what the document holds contradicts itself; nothing is written then.
        """
        study_id = study.study_id if study is not None and not is_second else new_id("s-")
        whole = self._whole(document, study_id, check)
        with self._store.writing(Text("the reading")) as connection:
            if study is None:
                facts = whole_reading.missing_study(
                    document, study_id, self._store.folder / "studies" / study_id / "video"
                )
                study_rows.add(connection, facts, self._store.reader)
                record = study_rows.read_record(connection, study_id)
                edits.change_record(connection, whole_reading.record_of(document, record), now_utc())
            elif is_second:
                study_rows.add_second(connection, study, study_id, reader, self._author(reader))
            title = Text("Import the reading of {reader}", reader) if reader else Text("Import a reading")
            with naming_contradictions():
                whole_reading.write_whole(connection, whole.with_free_ids(connection), title, self._store.reader)
                check()
            state = study_rows.read_one(connection, study_id).state
            study_rows.change(connection, study_id, whole_reading.progress_of(document, state), self._store.reader)
            return study_rows.read_one(connection, study_id)

    def get(self, study_id: str) -> Study:
        """One study; KeyError when there is none of this name."""
        with self._store.reading(Text("a study")) as connection:
            return study_rows.read_one(connection, study_id)

    def add(
        self,
        path: Path,
        *,
        name: str = "",
        patient_id: str = "",
        study_id: str = "",
        fingerprint: str = "",
        frame_count: int = 0,
        duration_seconds: float = 0.0,
        runs: tuple[Span, ...] | None = None,
        numbering: int = NUMBERING,
        source: str = "",
    ) -> Study:
        """Take a study in; one with the same content is found again instead, at its new path.

        Without a `patient_id` it gets a new patient; without a `name` a readable one (`core.study.readable_name`).
        """
        path = path.resolve()
        with self._store.writing(Text("the study {name}", path.name)) as connection:
            columns = tables.studies.c
            same = select(columns.study_id).where(columns.fingerprint == fingerprint, study_rows.IS_FIRST)
            if fingerprint and (earlier := connection.scalar(same.limit(1))) is not None:
                return study_rows.change(connection, earlier, {"path": path}, self._store.reader)
            study = Study(
                study_id=study_id or new_id("s-"),
                patient_id=patient_id or new_id("p-"),
                name=name or readable_name(path, frozenset(connection.scalars(select(columns.name)))),
                path=path,
                fingerprint=fingerprint,
                frame_count=frame_count,
                duration_seconds=duration_seconds,
                runs=runs,
                numbering=numbering,
                source=source,
            )
            return study_rows.add(connection, study, self._store.reader)

    def update(self, study_id: str, *, seen: Study | None = None, **fields: Any) -> Study:
        """Set fields of a study (`name`, `state`, `last_frame`, `threshold`, `model_id`, `frame_count`, ...).

        Args:
            seen: the study as the reader saw it.

        Raises:
            ConflictError: another reader changed one of the fields since.
        """
        with self._store.writing(Text("the study")) as connection:
            if seen is not None and self._store.is_on_server:
                there = study_rows.read_one(connection, study_id)
                if any(getattr(there, name) not in (getattr(seen, name), value) for name, value in fields.items()):
                    raise conflicts.conflict(connection, "study", study_id, study_id)
            return study_rows.change(connection, study_id, fields, self._store.reader)

    def record(self, study_id: str) -> Record:
        """The patient record of a study, which `edit` changes; KeyError when there is no such study."""
        with self._store.reading(Text("the patient record")) as connection:
            return study_rows.read_record(connection, study_id)

    def patient_name(self, patient_id: str) -> str:
        """What readers call a patient (the pseudonym of a record), or empty; it never leaves the library."""
        with self._store.reading(Text("the patient")) as connection:
            columns = tables.studies.c
            asked = select(columns.pseudonym).where(columns.patient_id == patient_id, columns.pseudonym != "")
            return str(connection.scalar(asked.limit(1)) or "")

    def folder(self, study_id: str) -> Path:
        """The folder for a study's index and embedding files, made when it is missing."""
        folder = self._store.folder / "studies" / study_id
        if self._store.read_only or study_id in self._has_folder:
            return folder  # what is missing there is missing
        with OnDiskError(
            "The folder {folder} cannot be created ({why}).",
            "Check the disk and the library folder's permissions.",
            folder,
        ):
            folder.mkdir(parents=True, exist_ok=True)
        self._has_folder.add(study_id)
        return folder
