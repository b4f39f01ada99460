"""The session: the open library, study, frame and model. All changes go through it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from psygnal import Signal

from training.errors import UserError
from training.video import FrameIndex, fingerprint
from wce_desktop.core.change import Change, Edit, Replace
from wce_desktop.core.event import Event
from wce_desktop.core.event_list import EventList, Order
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.label import LabelTrack
from wce_desktop.core.labelling import apply_to_track
from wce_desktop.core.landmark import Landmark
from wce_desktop.core.link import Link
from wce_desktop.core.scores import Scores
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.core.suggested import SuggestedFindings
from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.library import Library, Model
from wce_desktop.session.live_head import LiveHead
from wce_desktop.session.reading import Reading
from wce_desktop.session.settings import Settings
from wce_desktop.session.study_files import StudyFiles, field_of_view_of


class Session:
    """The open and selected items. Views read it and follow its signals, but never change its data.

    A signal is emitted after the change that it names, and for an edit only once it is on disk.
    """

    studies_changed = Signal()
    study_opened = Signal()
    study_closed = Signal()
    seen_saved = Signal()
    frame_changed = Signal(int)
    scores_changed = Signal()
    events_changed = Signal()
    suggested_changed = Signal()  # the events are the same, grouped into other suggested findings or into none
    undone = Signal(object)  # the Edit that was undone, of the open study or of `undo_study`
    annotations_changed = Signal(object)  # the Edit that was made, or None when everything was read again
    seen_changed = Signal()
    span_changed = Signal()
    selection_changed = Signal()
    model_changed = Signal()
    scoring_changed = Signal()
    live_changed = Signal()  # the live scores of the open study, or whether they flag frames
    explained_changed = Signal()
    runs_changed = Signal()  # a run was started, has ended, or was deleted
    saved = Signal(str)
    remarked = Signal(str)

    def __init__(self, library: Library, settings: Settings, vocabulary: Vocabulary) -> None:
        self.library = library
        self.settings = settings
        self.vocabulary = vocabulary
        self.reading: Reading | None = None
        self.current_model: Model | None = library.current_model
        self.live_head: LiveHead | None = None
        """What the live scores come from, while they are on."""
        self.flags_by_live = False
        """Whether the live head, while there is one, flags frames and suggests what to label next."""
        self.selection = FrameSelection()
        self.undo_study = ""
        """The study to which undo applies; "" for the open one, and after every edit."""
        self.scoring: frozenset[tuple[str, str]] = frozenset()
        """Study and model of each scoring that waits or runs; see `set_scoring`."""
        self.explained: str | None = None
        """The class that the overlay explains; see `explain`."""
        self._unsaved_seen = SpanSet()
        self._last_edit_id: int | None = None

    def _open(self) -> Reading:
        if self.reading is None:
            raise UserError("No study is open.", "Open a study first.")
        return self.reading

    # Opening and closing

    def files(self, study: Study) -> StudyFiles:
        """The files that the library keeps beside a study's rows."""
        return StudyFiles(self.library.study_folder(study.study_id))

    def known_study(self, path: Path) -> Study | None:
        """The study of the library that this file is: by path and content, wherever it was moved."""
        content, place = fingerprint(path), path.resolve()
        for study in self.library.studies():
            if study.fingerprint == content:
                if study.path == place:
                    return study
                if self.library.read_only:
                    return replace(study, path=place)
                return self.library.update_study(study.study_id, path=place)
        return None

    def add_study(self, path: Path, index: FrameIndex, patient_id: str = "") -> Study:
        """The library's study of this content, put there if it is new; `UserError` when it has no frames."""
        if len(index) == 0:
            raise UserError(f"“{path.name}” contains no frames.", "Choose another file.")
        if self.library.read_only:
            return self._study_there(path, index)
        study = self.library.add_study(
            path,
            fingerprint=index.fingerprint,
            frame_count=len(index),
            duration_seconds=float(index.video_seconds[-1]),
            patient_id=patient_id,
        )
        if study.frame_count != len(index):
            study = self.library.update_study(study.study_id, frame_count=len(index))
        if self.files(study).load_index(index.fingerprint) is None:
            self.files(study).save_index(index)
        self.studies_changed.emit()
        return study

    def _study_there(self, path: Path, index: FrameIndex) -> Study:
        """The study of this content in a read-only library; `UserError` when it is a new one."""
        for study in self.library.studies():
            if study.fingerprint == index.fingerprint:
                return replace(study, path=path, frame_count=len(index))
        raise self.library.refusal(f"the study {path.name}")

    def open_study(self, study: Study, index: FrameIndex, labels: LabelTrack | None = None) -> Reading:
        """Show a study of the library where it was left; `labels` where they were read already, in another thread."""
        self.close_study()
        reading = Reading(
            study=study,
            index=index,
            labels=self.library.label_track(study.study_id) if labels is None else labels,
            seen=self.library.seen(study.study_id).to_mask(len(index)),
            threshold=study.threshold if study.threshold is not None else self.settings["threshold"],
            max_gap=self.settings["max_gap_frames"],
            frame_index=min(study.last_frame, len(index) - 1),
        )
        self.reading = reading
        self._reload_items(reading)
        self._load_scores(reading)
        self.study_opened.emit()
        return reading

    def close_study(self) -> None:
        """Close the open study; the position is saved."""
        reading = self.reading
        if reading is None:
            return
        self.save_place()
        self.release_files()
        self.reading = None
        self.study_closed.emit()

    def release_files(self) -> None:
        """Close the files of the open study without saving the position."""
        if self.reading is not None and self.reading.embeddings is not None:
            self.reading.embeddings.close()

    # The frame on screen

    def show_frame(self, frame_index: int) -> None:
        """Say which frame is on screen; numbers beyond the ends are brought back."""
        reading = self._open()
        clipped = int(np.clip(frame_index, 0, reading.frame_count - 1))
        if clipped != reading.frame_index:
            reading.frame_index = clipped
            self.frame_changed.emit(clipped)

    def choose_event(self, event: Event) -> None:
        """Choose the event on screen, where several contain the frame."""
        self._open().chosen = event

    def mark_seen(self, span: Span) -> None:
        """Remember that the frames of a span were on screen long enough; written by `save_seen`."""
        reading = self._open()
        if reading.seen[span.start : span.stop].all():
            return
        reading.seen[span.start : span.stop] = True
        self._unsaved_seen = self._unsaved_seen.add(span)
        self.seen_changed.emit()

    def save_seen(self) -> None:
        """Write what was seen since the last time; in a read-only library nothing is written."""
        reading = self.reading
        if reading is None or not self._unsaved_seen or self.library.read_only:
            return
        self.library.mark_seen(reading.study.study_id, self._unsaved_seen)
        self._unsaved_seen = SpanSet()
        reading.study = self.library.study(reading.study.study_id)
        self.seen_saved.emit()

    def save_place(self) -> None:
        """Write what was seen, the frame on screen and the threshold, so that a crash does not lose the place."""
        reading = self.reading
        if reading is None or self.library.read_only:
            return
        self.save_seen()
        place = {"last_frame": reading.frame_index, "threshold": reading.threshold}
        if any(getattr(reading.study, name) != value for name, value in place.items()):
            reading.study = self.library.update_study(reading.study.study_id, **place)

    # The span being marked

    def mark_span(self, start: int | None, stop: int | None) -> None:
        """Set the ends of the marked span (half-open); None takes an end away."""
        reading = self._open()
        reading.marked_start, reading.marked_stop = start, stop
        self.span_changed.emit()

    # The frames selected, of any study

    def select_frames(self, selection: FrameSelection) -> None:
        """Select these frames on the map, in the grid and on the timeline."""
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit()

    # The class that is explained

    def explain(self, class_name: str) -> None:
        """Let the overlay explain this class."""
        if class_name != self.explained:
            self.explained = class_name
            self.explained_changed.emit()

    # Scores, threshold, events

    def set_threshold(self, threshold: float) -> None:
        """Flag at and above `threshold`, brought into [0, 1]."""
        reading = self._open()
        reading.threshold = float(np.clip(threshold, 0.0, 1.0))
        reading.find_events()
        self.events_changed.emit()

    def set_live(self, head: LiveHead | None, scores: Scores | None) -> None:
        """Show the live scores of the open study, or none, and the events that they give where they flag frames."""
        self.live_head = head
        if self.reading is not None:
            self.reading.set_live(scores)
            self._live_changed(self.flags_by_live)

    def flag_by_live(self, is_wanted: bool) -> None:
        """Let the live scores flag frames, or the model's."""
        if is_wanted != self.flags_by_live:
            self.flags_by_live = is_wanted
            if self.reading is not None:
                self.reading.flag_by_live(is_wanted)
            self._live_changed(True)

    @property
    def are_flags_live(self) -> bool:
        """Whether the live scores flag frames, and not the model in use."""
        is_there = self.live_head is not None if self.reading is None else self.reading.live is not None
        return self.flags_by_live and is_there

    def set_suggested(self, suggested: SuggestedFindings | None) -> None:
        """Show the events of the open study as these suggested findings, or one by one."""
        reading = self._open()
        if suggested is not None and suggested.events is not reading.events:
            raise ValueError("the suggested findings are of other events")
        reading.suggested = suggested
        self.suggested_changed.emit()

    def _live_changed(self, are_events_changed: bool) -> None:
        self.live_changed.emit()
        if are_events_changed:
            self.events_changed.emit()

    def reload_scores(self) -> None:
        """Read the open study's scores again: it was scored, or another model is in use."""
        if self.reading is not None:
            self._load_scores(self.reading)
            self.scores_changed.emit()
            self.events_changed.emit()

    def _load_scores(self, reading: Reading) -> None:
        if reading.embeddings is not None:
            reading.embeddings.close()
        files, model_id = self.files(reading.study), self.model_id
        loaded = files.load_scores(model_id, reading.frame_count) if model_id else None
        file, scores = loaded if loaded is not None else (None, None)
        reading.flags_by_live = self.flags_by_live
        reading.set_scores(scores, file)
        reading.field_of_view = field_of_view_of(file) if file is not None else None

    # Studies and models

    def finish_reading(self, is_finished: bool) -> None:
        """Mark the reading as finished, or resume it."""
        self.save_seen()
        self._update_study(state="finished" if is_finished else "reading")

    @property
    def model_id(self) -> str:
        """The name of the current model; empty when there is none."""
        return self.current_model.model_id if self.current_model else ""

    def use_model(self, model_id: str) -> None:
        """Show this model's scores from now on; the others stay in the library."""
        self.live_head = None  # it is of the other model's embeddings
        self.current_model = self.library.set_current_model(model_id)
        self.model_changed.emit()
        self.reload_scores()

    def is_scored(self, study: Study) -> bool:
        """Whether the current model's scores of a study are finished."""
        model = self.current_model
        return model is not None and self.files(study).has_scores(model.model_id)

    def scored(self, study_id: str, model_id: str) -> None:
        """Handle new scores of a study."""
        path = self.files(self.library.study(study_id)).scores_path(model_id)
        self.library.note_scoring(study_id, model_id, path, is_complete=True)
        if self.reading is not None and self.reading.study.study_id == study_id:
            self.reading.study = self.library.study(study_id)
            self.reload_scores()
        self.studies_changed.emit()

    def set_scoring(self, scoring: frozenset[tuple[str, str]]) -> None:
        """Set which studies are being scored, each with its model."""
        if scoring != self.scoring:
            self.scoring = scoring
            self.scoring_changed.emit()

    @property
    def is_being_scored(self) -> bool:
        """Whether the current model scores the open study, or is about to."""
        return self.reading is not None and (self.reading.study.study_id, self.model_id) in self.scoring

    def events_by(self, order: Order) -> EventList:
        """What the reader goes through of the open study, in order of time, or of score with the highest first."""
        return EventList() if self.reading is None else self.reading.listed.ordered(order)

    def _update_study(self, **fields: object) -> None:
        reading = self._open()
        reading.study = self.library.update_study(reading.study.study_id, **fields)
        self.studies_changed.emit()

    # Edits, undo, redo

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
        if any(edit.touches(kind) for kind in (Finding, Landmark, Box, Link)):
            self._reload_items(reading)
        self.saved.emit(edit.title)
        self.annotations_changed.emit(edit)

    def _notify_studies(self, edit: Edit) -> None:
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
        reading.links = list(self.library.links(study_id))
