"""Edits of the session: each on disk before it is shown; undo and redo."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from training.errors import NothingToDoError
from training.texts import Text
from wce_desktop.core import format_frame, format_time, to_translate, tr, tr_count
from wce_desktop.core.annotation import Box, Finding, Label, Landmark, Link, PartKind, Record, ReportPart, part_of
from wce_desktop.core.annotation.change import Add, Change, Edit, Item, Plan, Replace, apply_to_items, items_of
from wce_desktop.core.annotation.labelling import apply_to_track, changed_labels, removed_frames
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.annotation.transit import place_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.state import SessionState, take_all


class Edits:
    """Changes of labels, findings, landmarks, boxes and links."""

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self._stored = session.library.annotations
        self.last_edit_id: int | None = None
        """The edit that was shown last."""

    def apply(self, title: str, changes: Sequence[Change], model_id: str | None = None) -> None:
        """Write an edit to disk, then show it; nothing happens for an empty one."""
        reading = self._session.opened()
        if changes:
            self._session.undo_study = ""
            self._show(
                reading,
                self._stored.edit(reading.study.study_id, title, list(changes), model_id=model_id),
            )

    def extend(self, change: Replace) -> bool:
        """Extend the last edit to a newer state of the item that it replaced; False if it did something else."""
        reading, edit_id = self._session.opened(), self.last_edit_id
        edit = self._stored.extend_edit(reading.study.study_id, edit_id, change) if edit_id is not None else None
        if edit is not None:
            self._session.undo_study = ""
            self._show(reading, edit)
        return edit is not None

    def apply_and_say(self, plan: Plan, model_id: str | None = None, *, first: str = "", also: str = "") -> None:
        """Make a planned edit and say it, as undo will name it; without changes its title says why."""
        reading = self._session.opened()
        before = _regions(reading)
        self.apply(plan.title, plan.changes, model_id)
        moved = {finding: region for finding, region in _regions(reading).items() if before.get(finding) != region}
        if moved and any(isinstance(item, Landmark) for item in items_of(plan.changes)):
            words = tr_count(
                "{count} finding is in another segment now: {segments}.",
                "{count} findings are in another segment now: {segments}.",
                len(moved),
                segments=", ".join(sorted({tr(region) if region else tr("none") for region in moved.values()})),
            )
            also = f"{also} {words}".strip()
        if any(isinstance(change.new, Label) for change in plan.changes) and removed_frames(plan.changes):
            also = f"{also} {tr('Undo brings the removed labels back.')}".strip()
        title = tr(plan.title)
        self._session.remarked.emit(f"{first} {title[:1].upper()}{title[1:]}. {also}".strip())

    def apply_plan(self, plan: Plan) -> None:
        """Make a planned edit; without changes its title says why."""
        if plan.changes:
            self.apply(plan.title, plan.changes)
        else:
            self._session.remarked.emit(f"{tr(plan.title)}.")

    def apply_to_studies(
        self, title: str, changes: Mapping[str, Sequence[Change]], model_id: str | None = None
    ) -> None:
        """Write an edit of several studies to disk as one, which is one undo step; then show it.

        The open study always has a part in it, possibly empty, so that undo works there; without one, undo applies to
        this edit.
        """
        wanted = {study_id: list(of_study) for study_id, of_study in changes.items() if of_study}
        if not wanted:
            return
        reading = self._session.reading
        self._session.undo_study = ""
        if reading is not None:
            wanted.setdefault(reading.study.study_id, [])
        edits = self._stored.edit_studies(title, wanted, model_id=model_id)
        here = [edit for edit in edits if reading and edit.study_id == reading.study.study_id]
        if reading is not None:
            self._show(reading, here[0])
        else:
            self._session.undo_study = next(iter(wanted))
            self._session.saved.emit(title)
        self._session.studies_changed.emit()

    def undo(self, kinds: tuple[type[Item], ...] = ()) -> None:
        """Undo the last edit of the open study, or of `undo_study`; say what it was and where.

        Args:
            kinds: what the window edits in which this was asked for. Raises `NothingToDoError` where the last edit
                changed nothing of these kinds; empty: any edit.
        """
        study_id = self._study_to_undo
        self._check_kinds(study_id, kinds, undoing=True)
        self._session.undo_study = ""
        edit = self._stored.undo(study_id)
        if edit is not None:
            self._tell(edit, tr("Undone: {title}", title=tr(edit.title)))
            self._session.undone.emit(edit)

    def redo(self, kinds: tuple[type[Item], ...] = ()) -> None:
        """Redo the last undone edit; `kinds` as for `undo`."""
        self._check_kinds(self._session.open_id, kinds, undoing=False)
        edit = self._stored.redo(self._session.open_id)
        if edit is not None:
            self._tell(edit, tr("Redone: {title}", title=tr(edit.title)))

    def _tell(self, edit: Edit, what: str) -> None:
        """Show an edit that was undone or redone, and say what it was and where."""
        reading = self._session.reading
        is_here = reading is not None and edit.study_id == self._session.open_id
        if reading is not None and is_here:
            self._show(reading, edit)
        else:
            self._session.saved.emit(edit.title)
        if edit.group_id or not is_here:
            self.reload()  # links with studies that are back, or gone again
            self._session.studies_changed.emit()
        self._session.remarked.emit(self._said(what, edit))

    def _check_kinds(self, study_id: str, kinds: tuple[type[Item], ...], *, undoing: bool) -> None:
        """Raise `NothingToDoError` where the next edit was not made in a window that edits these kinds only."""
        title = None
        if study_id:
            title = self._stored.undo_title(study_id) if undoing else self._stored.redo_title(study_id)
        if title is None:
            raise NothingToDoError("There is nothing to undo." if undoing else "There is nothing to redo.")
        if kinds and not self._stored.next_touches(study_id, kinds, undoing=undoing):
            undone = to_translate("Nothing was undone: “{title}” was not done in this window.")
            redone = to_translate("Nothing was redone: “{title}” was not done in this window.")
            undo, redo = to_translate("Undo it in the main window."), to_translate("Redo it in the main window.")
            raise NothingToDoError(*((undone, undo) if undoing else (redone, redo)), Text(title))

    def _said(self, what: str, edit: Edit) -> str:
        """What was done, and where: frame and time, another study, or several studies."""
        reading, frame = self._session.reading, edit.frame_index
        if edit.group_id:
            place = tr("in several studies")
        elif reading is None or edit.study_id != reading.study.study_id:
            place = tr("in {study}", study=self._session.library.studies.get(edit.study_id).shown_name)
        elif frame is None or not 0 <= frame < reading.frame_count:
            return what
        else:
            seconds = float(reading.index.video_seconds[frame])
            place = tr("frame {frame} at {time}", frame=format_frame(frame + 1), time=format_time(seconds))
        return f"{what} ({place})"

    @property
    def undo_title(self) -> str | None:
        """Title of the edit that undo would undo, or None."""
        return self.next_titles[0]

    @property
    def undo_id(self) -> int | None:
        """Id of the edit that undo would undo, or None."""
        return self._stored.undo_id(self._study_to_undo) if self._study_to_undo else None

    @property
    def _study_to_undo(self) -> str:
        """The study to which undo applies; empty: there is none."""
        return self._session.undo_study or self._session.open_id

    @property
    def redo_title(self) -> str | None:
        """Title of the edit that redo would redo, or None."""
        return self.next_titles[1]

    @property
    def next_titles(self) -> tuple[str | None, str | None]:
        """Those of both."""
        return self._stored.next_titles(self._study_to_undo, self._session.open_id)

    def _show(self, reading: Reading, edit: Edit) -> None:
        """Apply an edit to the objects in memory: reading all of them again takes long where there are thousands."""
        self.last_edit_id = edit.edit_id
        apply_to_track(reading.entries.labels, edit.changes)
        added, removed = changed_labels(edit.changes)
        reading.entries.labels_changed(label.span for label in (*added, *removed))
        for kind in {type(item) for item in items_of(edit.changes)}:
            if kind in _ENTRIES:
                name, order = _ENTRIES[kind]
                items = apply_to_items(getattr(reading.entries, name), edit.changes, kind)
                setattr(reading.entries, name, sorted(items, key=order))
        of_record, session = edit.touches(Record), self._session
        shown = [partial(session.saved.emit, edit.title), partial(session.annotations_changed.emit, edit)]
        take_all([partial(self._reread, reading), *shown, session.studies_changed.emit] if of_record else shown)

    def _reread(self, reading: Reading) -> None:
        """Read the open study's row again."""
        reading.study = self._session.library.studies.get(reading.study.study_id)
        self._session.sign_as_reader_of(reading.study)

    def reload(self) -> None:
        """Read the open study's labels, findings and landmarks again; nothing of them is shown where that fails."""
        reading = self._session.reading
        if reading is not None:
            labels = self._stored.label_track(reading.study.study_id)
            self.reload_items(reading)
            reading.entries.labels = labels
            reading.entries.labels_changed()
            self._session.annotations_changed.emit(None)

    def reload_items(self, reading: Reading) -> None:
        """Read findings, landmarks, boxes, links and entries of the report again."""
        study_id = reading.study.study_id
        read = {name: sorted(getattr(self._stored, name)(study_id), key=order) for name, order in _ENTRIES.values()}
        for name, items in read.items():
            setattr(reading.entries, name, items)


def _regions(reading: Reading) -> dict[str, Region | None]:
    """By the id of each finding without a segment of its own the region that it lies in."""
    places = reading.entries.landmarks, reading.index.video_seconds
    every = [each for each in reading.entries.findings if not each.segment]
    return {each.finding_id: place.region if (place := place_of(*places, each.span.start)) else None for each in every}


def part_change(reading: Reading, kind: PartKind, content: Mapping[str, Any], reader: str) -> Add | Replace:
    """The change that gives a part of the report this content; a study has at most one part of a kind."""
    old = part_of(reading.entries.report_parts, kind)
    if old is None:
        return Add(ReportPart.new(study_id=reading.study.study_id, kind=kind, content=content, reader=reader))
    return Replace(old, replace(old, content=content, reader=reader))


_ENTRIES: Mapping[type[Item], tuple[str, Callable[[Any], Any]]] = {
    Finding: ("findings", lambda finding: finding.span.start),
    Landmark: ("landmarks", lambda landmark: landmark.frame_index),
    Box: ("boxes", lambda box: box.frame_index),
    Link: ("links", lambda link: link.frame_index),
    ReportPart: ("report_parts", lambda part: part.kind),
}
"""Kind of item -> where `Entries` keeps those of a study, in which order."""
