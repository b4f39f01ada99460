"""Labels, findings, landmarks, boxes and links of a study, and their edits."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.core import identity, span, to_translate
from wce_desktop.core.annotation import Box, Finding, Label, LabelTrack, Landmark, Link, ReportPart
from wce_desktop.core.annotation.change import Change, Edit, Item, ItemKind, Replace
from wce_desktop.library import audit, edits, label_counts, study_rows, tables
from wce_desktop.library.errors import UnreachableLibraryError
from wce_desktop.library.rows import KIND_OF, KINDS, InvalidRows, as_row, from_row, read_labels
from wce_desktop.library.sharing import conflicts, seen_frames
from wce_desktop.library.sharing.journal import Entry, Seen
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import StorePart

_IS_OF_FIRST_READER = tables.findings.c.study_id.in_(select(tables.studies.c.study_id).where(study_rows.IS_FIRST))


class Annotations(StorePart):
    """Labels, findings, landmarks, boxes, links and seen frames; edits with undo and redo."""

    def labels(self, study_id: str) -> tuple[Label, ...]:
        """The labels of a study by which a class is there, in order of time."""
        return tuple(label for label in self.answers(study_id) if label.answer == "yes")

    def answers(self, study_id: str) -> tuple[Label, ...]:
        """The labels of a study, also those that say no, in order of time."""
        with self._store.reading(Text("the labels")) as connection:
            return read_labels(connection, study_id, self._store.invalid_rows("labels", study_id))

    def label_track(self, study_id: str) -> LabelTrack:
        """The labels of a study, arranged for lookup; a copy, which edits do not change."""
        return LabelTrack(self.answers(study_id))

    def findings(self, study_id: str) -> tuple[Finding, ...]:
        """The findings of a study, in order of time."""
        return self._items(Finding, study_id)

    def findings_of_kind(self, kind: str) -> tuple[Finding, ...]:
        """The findings of a class in all studies but those of second readers, the newest first."""
        column = tables.findings.c
        asked = select(tables.findings).where(_IS_OF_FIRST_READER, column.kind == kind)
        with self._store.reading(Text("the findings")) as connection:
            rows = connection.execute(asked.order_by(column.when_utc.desc(), column.start, tables.ENTERED)).all()
        return self._valid(Finding, rows, InvalidRows())

    def finding_counts(self) -> dict[str, int]:
        """How many findings of each class there are in all studies but those of second readers."""
        column = tables.findings.c
        asked = select(column.kind, func.count()).where(_IS_OF_FIRST_READER).group_by(column.kind)
        with self._store.reading(Text("the findings")) as connection:
            return {str(kind): int(count) for kind, count in connection.execute(asked)}

    def landmarks(self, study_id: str) -> tuple[Landmark, ...]:
        """The landmarks of a study, in order of time."""
        return self._items(Landmark, study_id)

    def boxes(self, study_id: str) -> tuple[Box, ...]:
        """The boxes of a study, in order of time."""
        return self._items(Box, study_id)

    def links(self, study_id: str) -> tuple[Link, ...]:
        """The links that belong to a study, in order of time; not those of other studies that lead to it.

        Links with removed studies come back with them.
        """
        links, removed = self._items(Link, study_id), self._removed_ids()
        return tuple(link for link in links if link.other_study_id not in removed)

    def report_parts(self, study_id: str) -> tuple[ReportPart, ...]:
        """What was entered for the report of a study beside its findings, in order of kind."""
        return self._items(ReportPart, study_id)

    def class_counts(self) -> dict[str, int]:
        """How many labels, findings, boxes and ends of links of all studies have each class."""
        columns = (
            tables.labels.c.name,
            tables.findings.c.kind,
            tables.boxes.c.name,
            tables.links.c.name,
            tables.links.c.other_name,
        )
        counts = Counter[str]()
        with self._store.reading(Text("the classes in use")) as connection:
            for column in columns:
                for name, count in connection.execute(select(column, func.count()).group_by(column)):
                    counts[str(name)] += int(count)
        return {name: count for name, count in counts.items() if name}

    def label_counts_by_study(self) -> tuple[label_counts.LabelCount, ...]:
        """How many labels by which a class is there, and on how many frames, by study and class."""
        with self._store.reading(Text("the labels")) as connection:
            rows = label_counts.count_labels(connection)
        return tuple(row for row in rows if row.answer == "yes")

    def patients_by_class(self) -> dict[str, frozenset[str]]:
        """Of each labelled class the patients who have it; a finished reading's unlabelled frames do not count."""
        column = tables.labels.c
        joined = tables.labels.join(tables.studies, column.study_id == tables.studies.c.study_id)
        asked = select(column.name, tables.studies.c.patient_id).select_from(joined).distinct()
        patients: dict[str, set[str]] = {}
        with self._store.reading(Text("the labels")) as connection:
            for name, patient_id in connection.execute(asked.where(label_counts.IS_COUNTED, column.answer == "yes")):
                patients.setdefault(str(name), set()).add(str(patient_id))
        return {name: frozenset(having) for name, having in patients.items()}

    def links_to(self, study_id: str) -> tuple[Link, ...]:
        """The links of other studies that lead to a study, in order of its frames."""
        column = tables.links.c
        asked = select(tables.links).where(column.other_study_id == study_id, column.study_id != study_id)
        with self._store.reading(Text("the links")) as connection:
            rows = connection.execute(asked.order_by(column.other_frame_index, tables.ENTERED)).all()
        links, removed = self._valid(Link, rows, self._store.invalid_rows("links to it", study_id)), self._removed_ids()
        return tuple(link for link in links if link.study_id not in removed)

    def _removed_ids(self) -> frozenset[str]:
        asked = select(tables.studies.c.study_id).where(tables.studies.c.removed_utc != "")
        with self._store.reading(Text("the removed studies")) as connection:
            return frozenset(connection.scalars(asked))

    def _items(self, item_type: type[ItemKind], study_id: str) -> tuple[ItemKind, ...]:
        """The items of one kind, in order of time."""
        table = KINDS[KIND_OF[item_type]][1]
        order = next(table.c[name] for name in ("start", "frame_index", "kind") if name in table.c)
        with self._store.reading(Text("the entries of the study")) as connection:
            asked = select(table).where(table.c.study_id == study_id)
            rows = connection.execute(asked.order_by(order, *[tables.ENTERED] * (table.name in tables.ORDERED))).all()
        return self._valid(item_type, rows, self._store.invalid_rows(f"{KIND_OF[item_type]}s", study_id))

    def _valid(self, item_type: type[ItemKind], rows: Iterable[Any], invalid: InvalidRows) -> tuple[ItemKind, ...]:
        kind = KIND_OF[item_type]
        kept = invalid.keep_valid(kind, map(as_row, rows), lambda row: from_row(kind, row))
        return tuple(item for item in kept if isinstance(item, item_type))

    def edit(self, study_id: str, title: str, changes: Sequence[Change], model_id: str | None = None) -> Edit:
        """Make changes as one undo step; on disk when this returns.

        Args:
            title: what undo will call it: "Label 3 frames blood".
            model_id: the model that suggested it, for the audit log.

        Raises:
            ValueError: when a change belongs to another study, removes what is not there, or would make two labels of
                one name overlap.
        """
        return self.edit_studies(title, {study_id: changes}, model_id)[0]

    @contextmanager
    def _blaming_rows(self, study_id: str, title: str) -> Iterator[None]:
        """An edit of a study with rows that break rules may meet one of them: not a bug, but an error to report."""
        try:
            yield
        except ValueError as error:
            if not (problems := self._store.problems(study_id)):
                raise
            raise UserError(
                "“{title}” cannot be saved: it meets rows of the library that break its rules ({problem}).",
                "Nothing was changed. Restore a backup, or label other frames.",
                Text(title),
                problems[0],
            ) from error

    def extend_edit(self, study_id: str, edit_id: int, change: Replace) -> Edit | None:
        """Extend the last edit of a study to a newer state of the item that it replaced; on disk when this returns.

        So a comment saved several times while being written is one undo step.

        Returns:
            The edit with what was changed now; None if there was another edit since; then nothing is changed.
        """
        if self._must_wait():
            return None
        try:
            with self._store.writing(Text("the change")) as connection:
                return edits.extend_edit(connection, study_id, edit_id, change, self._store.reader)
        except UnreachableLibraryError:
            if self._store.journal is None:
                raise
            return None

    def edit_studies(
        self, title: str, changes: Mapping[str, Sequence[Change]], model_id: str | None = None
    ) -> tuple[Edit, ...]:
        """Make changes to several studies as one step: all are on disk, or none; undo takes all back.

        Args:
            title: what undo will call it, in each of the study_rows.
            changes: study_id -> its changes; a study without any still has the step among those that it can undo.
        """
        entry = Entry(
            now_utc(), title, self._store.reader, {study: tuple(each) for study, each in changes.items()}, model_id
        )
        if self._must_wait():
            return self._keep(entry)
        try:
            return self._write(entry)
        except UnreachableLibraryError:
            if self._store.journal is None:
                raise
            return self._keep(entry)

    def _keep(self, entry: Entry) -> tuple[Edit, ...]:
        assert self._store.journal is not None
        self._store.journal.add(entry)
        return entry.edits

    def _must_wait(self) -> bool:
        """Whether earlier edits wait for the server, which takes them in their order; it is asked to once more."""
        journal = self._store.journal
        if journal is None or not journal.waiting:
            return False
        self.send_journal()
        return bool(journal.waiting)

    def _write(self, entry: Entry, *, is_again: bool = False) -> tuple[Edit, ...]:
        group = identity.new_id() if len(entry.changes) > 1 else ""
        with self._store.writing(Text("“{title}”", Text(entry.title))) as connection:
            if is_again and edits.is_written(connection, entry.changes, entry.reader, entry.when_utc):
                return entry.edits
            done = []
            for study_id, changes in entry.changes.items():
                if is_again:
                    conflicts.check_unsigned(connection, study_id, entry.when_utc)
                with self._blaming_rows(study_id, entry.title):
                    edit = edits.apply_edit(
                        connection, study_id, entry.title, changes, entry.reader, entry.model_id, group, entry.when_utc
                    )
                    done.append(edit)
            return tuple(done)

    def send_journal(self) -> int:
        """Write the edits that wait for the server, in their order; returns how many it has now.

        What meets a change of another reader is kept as refused.
        """
        journal, sent = self._store.journal, 0
        for entry in journal.waiting if journal is not None else ():
            assert journal is not None
            try:
                if entry.seen is None:
                    self._write(entry, is_again=True)
                else:
                    seen_frames.send(self._store, journal, entry, entry.seen)
            except UnreachableLibraryError:
                break
            except (UserError, ValueError, KeyError) as error:
                journal.refuse(entry, error.message if isinstance(error, UserError) else str(error))
                continue
            journal.remove(entry)
            sent += entry.seen is None
        return sent

    def undo(self, study_id: str) -> Edit | None:
        """Undo the last edit of a study; returns it with the changes that were made now, or None.

        Raises:
            UserError: it was an edit of several studies, and another of them was edited since.
        """
        self._check_sent()
        with self._store.writing(Text("undo")) as connection:
            return edits.step(connection, study_id, self._store.reader, undoing=True)

    def _check_sent(self) -> None:
        """Raise `UserError` if the last edits are not on the server, where undo would not find them."""
        if self._must_wait() and not self._store.is_offline:
            raise UserError("The last edits are not on the server yet.", "Undo is possible when they are.")

    def redo(self, study_id: str) -> Edit | None:
        """Redo the last undone edit; returns it, or None."""
        self._check_sent()
        with self._store.writing(Text("redo")) as connection:
            return edits.step(connection, study_id, self._store.reader, undoing=False)

    def undo_title(self, study_id: str) -> str | None:
        """Title of the edit that `undo` would undo, or None."""
        return self.next_titles(study_id, study_id)[0]

    def redo_title(self, study_id: str) -> str | None:
        """Title of the edit that `redo` would redo, or None."""
        return self.next_titles(study_id, study_id)[1]

    def next_titles(self, undo_study: str, redo_study: str) -> tuple[str | None, str | None]:
        """Titles of the edits that `undo` of a study and `redo` of a study would take next; None: there is none."""
        undo, redo = self._next((undo_study, True), (redo_study, False))
        return None if undo is None else undo.title, None if redo is None else redo.title

    def next_touches(self, study_id: str, kinds: tuple[type[Item], ...], *, undoing: bool) -> bool:
        """Whether the edit that `undo` (or `redo`) would take next changes an item of these kinds."""
        with self._store.reading(Text("the history")) as connection:
            return edits.next_touches(connection, study_id, self._store.reader, kinds, undoing=undoing)

    def undo_id(self, study_id: str) -> int | None:
        """Id of the edit that `undo` would undo, or None."""
        (row,) = self._next((study_id, True))
        return None if row is None else row.edit_id

    def _next(self, *asked: tuple[str, bool]) -> list[Any]:
        """The rows of the edits that come next in studies, for undo or redo, or None."""
        if self._store.is_offline:
            return [None] * len(asked)
        with self._store.reading(Text("the history")) as connection:
            return [edits.next_row(connection, study_id, self._store.reader, undoing) for study_id, undoing in asked]

    def labels_of_finding(self, finding: Finding) -> tuple[tuple[Label, ...], tuple[Label, ...]]:
        """The labels of a finding: those that came with it, and those that were there before and assigned to it."""
        study_id, finding_id = finding.study_id, finding.finding_id
        with self._store.reading(Text("the audit log")) as connection:
            came = audit.added_with_finding(connection, study_id, finding_id)
        own = [label for label in self.labels(study_id) if label.finding_id == finding_id]
        with_it = tuple(label for label in own if label.label_id in came)
        return with_it, tuple(label for label in own if label.label_id not in came)

    def seen(self, study_id: str) -> span.SpanSet:
        """The frames that were on screen long enough."""
        with self._store.reading(Text("the seen frames")) as connection:
            return study_rows.read_seen(connection, study_id)

    def fast(self, study_id: str) -> span.SpanSet:
        """The frames that were played too fast to count as seen, also those that were seen another time."""
        with self._store.reading(Text("the frames played fast")) as connection:
            return study_rows.read_seen(connection, study_id, tables.fast_spans)

    def reading_speeds(self, study_id: str) -> dict[int, int]:
        """How many frames were played at how many frames a second; 0: stepped to or paused on. Repeats count."""
        with self._store.reading(Text("the reading speeds")) as connection:
            return study_rows.read_speeds(connection, study_id)

    def protocols(self, study_id: str) -> list[tuple[str, str, float]]:
        """By which protocols the study was read, oldest first: since when, its name, the share seen until then."""
        with self._store.reading(Text("the audit log")) as connection:
            lines = audit.lines_of(connection, "protocol", "set", study_id=study_id)
        return [(line.when_utc, str((line.after or {}).get("protocol")), (line.after or {}).get("seen", 0.0))
                for line in lines]  # fmt: skip

    def note_protocol(self, study_id: str, protocol: str, seen_share: float) -> None:
        """Record in the audit log that the study is read by a protocol from now on."""
        after = {"protocol": protocol, "seen": seen_share}
        with self._store.writing(Text("the reading protocol")) as connection:
            audit.record(connection, self._store.reader, "Reading protocol", "set", "protocol", study_id,
                         study_id=study_id, after=after)  # fmt: skip

    def mark_seen(
        self,
        study_id: str,
        spans: Iterable[span.Span],
        fast: Iterable[span.Span] = (),
        speeds: Mapping[int, int] | None = None,
    ) -> None:
        """Remember frames as seen; a study that was new or scored is being read from then on.

        Args:
            fast: frames that were played too fast to count as seen.
            speeds: frames by frames a second, added to what is remembered.
        """
        looked, passed = ([(span.start, span.stop) for span in each] for each in (spans, fast))
        seen = Seen(study_id, looked, passed, speeds or {})
        entry = Entry(now_utc(), to_translate("Frames seen"), self._store.reader, {}, seen=seen)

        def note(sent_in: str) -> None:
            nonlocal entry
            entry = replace(entry, seen=seen._replace(sent_in=sent_in))

        try:
            seen_frames.write(self._store, seen, note)
        except UnreachableLibraryError:
            if self._store.journal is None:
                raise
            self._store.journal.add(entry)
