"""Edits of the session: each on disk before it is shown; undo and redo."""

from collections.abc import Mapping, Sequence

from wce_desktop.core.change import Change, Edit, Replace
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.labelling import apply_to_track, changed_labels
from wce_desktop.core.landmark import Landmark
from wce_desktop.core.link import Link
from wce_desktop.core.record import Record
from wce_desktop.core.report_part import ReportPart
from wce_desktop.session.base import SessionBase
from wce_desktop.session.reading import Reading


class EditsPart(SessionBase):
    """Changes of labels, findings, landmarks, boxes and links."""

    def edit(self, title: str, changes: Sequence[Change], model_id: str | None = None) -> None:
        """Write an edit to disk, then show it; nothing happens for an empty one."""
        reading = self._open()
        if changes:
            self.undo_study = ""
            self._apply(reading, self.library.edit(reading.study.study_id, title, list(changes), model_id=model_id))

    def extend_edit(self, change: Replace) -> bool:
        """Extend the last edit to a newer state of the item that it replaced; False if it did something else."""
        reading, edit_id = self._open(), self._last_edit_id
        edit = self.library.extend_edit(reading.study.study_id, edit_id, change) if edit_id is not None else None
        if edit is not None:
            self.undo_study = ""
            self._apply(reading, edit)
        return edit is not None

    def edit_studies(self, title: str, changes: Mapping[str, Sequence[Change]], model_id: str | None = None) -> None:
        """Write an edit of several studies to disk as one, which is one undo step; then show it.

        The open study always has a part in it, possibly empty, so that undo works there.
        """
        wanted = {study_id: list(of_study) for study_id, of_study in changes.items() if of_study}
        if not wanted:
            return
        self.undo_study = ""
        if self.reading is not None:
            wanted.setdefault(self.reading.study.study_id, [])
        edits = self.library.edit_studies(title, wanted, model_id=model_id)
        here = [edit for edit in edits if self.reading and edit.study_id == self.reading.study.study_id]
        if self.reading is not None:
            self._apply(self.reading, here[0])
        else:
            self.saved.emit(title)
        self.studies_changed.emit()

    def undo(self) -> None:
        """Undo the last edit of the open study, or of `undo_study`."""
        reading = self._open()
        study_id, self.undo_study = self.undo_study or reading.study.study_id, ""
        edit = self.library.undo(study_id)
        if edit is None:
            return
        if study_id == reading.study.study_id:
            self._apply(reading, edit)
            self._notify_studies(edit)
        else:
            self.saved.emit(edit.title)
            self.studies_changed.emit()
        self.remarked.emit(f"Undone: {edit.title}")
        self.undone.emit(edit)

    def redo(self) -> None:
        """Redo the last undone edit."""
        reading = self._open()
        edit = self.library.redo(reading.study.study_id)
        if edit is not None:
            self._apply(reading, edit)
            self.remarked.emit(f"Redone: {edit.title}")
            self._notify_studies(edit)

    @property
    def undo_title(self) -> str | None:
        """Title of the edit that undo would undo, or None."""
        if self.reading is None:
            return None
        return self.library.undo_title(self.undo_study or self.reading.study.study_id)

    @property
    def redo_title(self) -> str | None:
        """Title of the edit that redo would redo, or None."""
        return None if self.reading is None else self.library.redo_title(self.reading.study.study_id)

    def _apply(self, reading: Reading, edit: Edit) -> None:
        """Apply an edit to the objects in memory; labels one by one, since there may be 100,000."""
        self._last_edit_id = edit.edit_id
        apply_to_track(reading.labels, edit.changes)
        added, removed = changed_labels(edit.changes)
        reading.labels_changed(label.span for label in (*added, *removed))
        if any(edit.touches(kind) for kind in (Finding, Landmark, Box, Link, ReportPart)):
            self._reload_items(reading)
        if edit.touches(Record):
            reading.study = self.library.study(reading.study.study_id)
        self.saved.emit(edit.title)
        self.annotations_changed.emit(edit)
        if edit.touches(Record):
            self.studies_changed.emit()

    def _notify_studies(self, edit: Edit) -> None:
        if edit.group_id:
            self.studies_changed.emit()

    def reload_annotations(self) -> None:
        """Read the open study's labels, findings and landmarks again: they were imported."""
        if self.reading is not None:
            self.reading.labels = self.library.label_track(self.reading.study.study_id)
            self.reading.labels_changed()
            self._reload_items(self.reading)
            self.annotations_changed.emit(None)

    def _reload_items(self, reading: Reading) -> None:
        study_id = reading.study.study_id
        reading.findings = list(self.library.findings(study_id))
        reading.landmarks = sorted(self.library.landmarks(study_id), key=lambda mark: mark.frame_index)
        reading.boxes = list(self.library.boxes(study_id))
        reading.links = list(self.library.links(study_id))
        reading.report_parts = list(self.library.report_parts(study_id))
