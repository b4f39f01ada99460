"""The part of the session through which everything goes that people say of frames: edits, undo, redo."""

from collections.abc import Mapping, Sequence

from wce_desktop.core.change import Change, Edit, Replace
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.labelling import apply_to_track
from wce_desktop.core.landmark import Landmark
from wce_desktop.session.reading import Reading
from wce_desktop.session.session_base import SessionBase


class EditingPart(SessionBase):
    """Edits of the open study, and of several studies as one."""

    def edit(self, title: str, changes: Sequence[Change], model_id: str | None = None) -> None:
        """Write an edit to disk, then show it; nothing happens for an empty one."""
        reading = self._open()
        if changes:
            self.undo_study = ""
            self._apply(reading, self.library.edit(reading.study.study_id, title, list(changes), model_id=model_id))

    def extend_edit(self, change: Replace) -> bool:
        """Let the last edit reach a further state of the item that it replaced; False where it did something else."""
        reading, edit_id = self._open(), self._last_edit_id
        edit = self.library.extend_edit(reading.study.study_id, edit_id, change) if edit_id is not None else None
        if edit is not None:
            self.undo_study = ""
            self._apply(reading, edit)
        return edit is not None

    def edit_studies(self, title: str, changes: Mapping[str, Sequence[Change]], model_id: str | None = None) -> None:
        """Write an edit of several studies to disk as one, which undo takes back as a whole; then show it.

        The open study always has a part in it, be it an empty one: it is there that the reader will press undo.
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
        """Take the last edit back: of the open study, or of the one that `undo_study` names."""
        reading = self._open()
        study_id, self.undo_study = self.undo_study or reading.study.study_id, ""
        edit = self.library.undo(study_id)
        if edit is None:
            return
        if study_id == reading.study.study_id:
            self._apply(reading, edit)
            self._tell_others(edit)
        else:
            self.saved.emit(edit.title)
            self.studies_changed.emit()
        self.remarked.emit(f"Undone: {edit.title}")
        self.undone.emit(edit)

    def redo(self) -> None:
        """Do the edit that was taken back again."""
        reading = self._open()
        edit = self.library.redo(reading.study.study_id)
        if edit is not None:
            self._apply(reading, edit)
            self.remarked.emit(f"Done again: {edit.title}")
            self._tell_others(edit)

    @property
    def undo_title(self) -> str | None:
        """What undo would take back, or None."""
        if self.reading is None:
            return None
        return self.library.undo_title(self.undo_study or self.reading.study.study_id)

    @property
    def redo_title(self) -> str | None:
        """What redo would do again, or None."""
        return None if self.reading is None else self.library.redo_title(self.reading.study.study_id)

    def _apply(self, reading: Reading, edit: Edit) -> None:
        """Bring what is in memory to what is on disk; labels one by one, since there may be 100,000."""
        self._last_edit_id = edit.edit_id
        apply_to_track(reading.labels, edit.changes)
        if any(edit.touches(kind) for kind in (Finding, Landmark, Box)):
            self._reload_items(reading)
        self.saved.emit(edit.title)
        self.annotations_changed.emit(edit)

    def _tell_others(self, edit: Edit) -> None:
        if edit.group_id:
            self.studies_changed.emit()

    def reload_annotations(self) -> None:
        """Read the open study's labels, findings and landmarks again: they were imported."""
        if self.reading is not None:
            self.reading.labels = self.library.label_track(self.reading.study.study_id)
            self._reload_items(self.reading)
            self.annotations_changed.emit(None)

    def _reload_items(self, reading: Reading) -> None:
        study_id = reading.study.study_id
        reading.findings = list(self.library.findings(study_id))
        reading.landmarks = sorted(self.library.landmarks(study_id), key=lambda mark: mark.frame_index)
        reading.boxes = list(self.library.boxes(study_id))
