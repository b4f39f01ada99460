"""The session: the open library, study, frame and model. All changes go through it."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from training.datasets.synthetic import is_synthetic
from training.errors import UserError
from training.files.outputs import OutputKind, check_output
from training.planning.speed_book import SpeedBook
from training.texts import Text
from training.video import NUMBERING, FrameIndex, fingerprints_of
from wce_desktop.core.annotation import LabelTrack, Vocabulary
from wce_desktop.core.dwell import Looked
from wce_desktop.core.event import Event
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.session.edits import Edits
from wce_desktop.session.flags import Flags
from wce_desktop.session.reading import Entries, Place, Reading
from wce_desktop.session.settings import Settings
from wce_desktop.session.shown_scores import ShownScores, StoredScores
from wce_desktop.session.state import SessionState

_ANYTHING = OutputKind("file", lambda _: False)


@dataclass(frozen=True)
class Stored:
    """What library and files hold of a study that is about to be opened: `Session.stored`."""

    labels: LabelTrack
    scores: StoredScores
    usable_index: Path | None
    view: str
    is_synthetic: bool

    def close(self) -> None:
        """Let its file go: it is not shown."""
        if self.scores.file is not None:
            self.scores.file.close()


class Session(SessionState):
    """The open and selected items. Views read it and follow its signals, but never change its data.

    A signal is emitted after the change that it names, and for an edit only once it is on disk.

    Attributes:
        edits: changes of the open study or of several, with undo.
        scores: the scores shown of the open study, and the model that they come from.
    """

    def __init__(self, library: Library, settings: Settings, vocabulary: Vocabulary) -> None:
        super().__init__(library, settings, vocabulary)
        self.edits, self.scores = Edits(self), ShownScores(self)
        self.speeds = SpeedBook(library.folder / "speeds.json")
        self.settings_changed.connect(self.scores.follow_protocol)
        self.annotations_changed.connect(self.scores.follow_findings)
        self.classes_switched.connect(self.scores.reload)

    # Opening and closing

    def known_study(self, path: Path) -> Study | None:
        """The study of the library that this file is: by path and content, wherever it was moved.

        Raises:
            UserError: it was removed, and can be brought back.
        """
        (content, *older), place = fingerprints_of(path), path.resolve()
        for study in self.library.studies.all():
            is_older = study.fingerprint in older and study.frame_numbering < NUMBERING
            if study.fingerprint == content or is_older:
                if study.path == place:
                    return study
                if self.library.read_only:
                    return replace(study, path=place)
                return self.library.studies.update(study.study_id, path=place)
        self.library.studies.check_not_removed(content)
        return None

    def add_study(self, path: Path, index: FrameIndex, patient_id: str = "") -> Study:
        """The library's study of this content, put there if it is new; `UserError` when it has no frames.

        The index of a study that is there was made by its numbering, which rises to that of the index.
        """
        study = self.take_in(path, index, patient_id)
        self.studies_changed.emit()
        return study

    def take_in(self, path: Path, index: FrameIndex, patient_id: str = "") -> Study:
        """`add_study` in any thread: afterwards `studies_changed` is to be emitted."""
        if len(index) == 0:
            raise UserError("“{name}” contains no frames.", "Choose another file.", path.name)
        if self.library.read_only:
            return self._study_there(path, index)
        study = self.library.studies.add(
            path,
            fingerprint=index.fingerprint,
            frame_count=len(index),
            duration_seconds=float(index.video_seconds[-1]),
            patient_id=patient_id,
            numbering=index.numbering,
        )
        if (study.frame_count, study.numbering) != (len(index), index.numbering):
            study = self.library.studies.update(study.study_id, frame_count=len(index), numbering=index.numbering)
        if self.files(study).load_index(index.fingerprint) is None:
            self.files(study).save_index(index)
        return study

    def _study_there(self, path: Path, index: FrameIndex) -> Study:
        """The study of this content in a read-only library; `UserError` when it is a new one."""
        for study in self.library.studies.all():
            if study.fingerprint == index.fingerprint:
                return replace(study, path=path, frame_count=len(index))
        raise self.library.refusal(Text("the study {name}", path.name))

    def stored(self, study: Study, frame_count: int) -> Stored:
        """Read what is shown of a study; in any thread: a share may answer late, and 100,000 labels take a second."""
        self._by_library.clear()
        files, seen = self.files(study), self.library.annotations.seen(study.study_id)
        of_files = files.usable_index, files.shown_view, is_synthetic(study.path)
        scores = self.scores.read(study, frame_count, seen)
        labels = self.library.annotations.label_track(study.study_id)  # last: others may change them meanwhile
        return Stored(labels, scores, *of_files)

    def open_study(self, study: Study, index: FrameIndex, stored: Stored | None = None) -> Reading:
        """Show a study of the library where it was left; `stored` where it was read already, in another thread."""
        self.close_study()
        frames, stored = len(index), self.stored(study, len(index)) if stored is None else stored
        threshold = self.settings["threshold"] if study.threshold is None else study.threshold
        reading = Reading(
            study=study,
            index=index,
            entries=Entries(frames, stored.labels),
            flags=Flags(frames, threshold, self.settings["max_gap_frames"], study.lowest_threshold),
            place=Place(min(study.last_frame, frames - 1)),
            seen=self.library.annotations.seen(study.study_id).to_mask(frames),
            fast=self.library.annotations.fast(study.study_id).to_mask(frames),
            usable_index=stored.usable_index,
            view=stored.view,
            is_synthetic=stored.is_synthetic,
        )
        self.reading = reading
        self.library.studies.second_open = study if study.second_of else None
        self.sign_as_reader_of(study)
        try:
            self.edits.reload_items(reading)
            self.scores.show(reading, stored.scores)
            self.study_opened.emit()
        except Exception:
            if self.library.is_offline:  # the server went away meanwhile: no study is open by half
                self._let_go()
                stored.close()
            raise
        return reading

    def close_study(self) -> None:
        """Close the open study; the position is saved."""
        if self.reading is not None:
            self.save_place()
            self._let_go()

    def _let_go(self) -> None:
        self.release_files()
        self.reading = None
        self.library.studies.second_open, self.library.reader = None, self.own_reader
        self.study_closed.emit()

    def release_files(self) -> None:
        """Close the files of the open study without saving the position."""
        if self.reading is not None and self.reading.flags.embeddings is not None:
            self.reading.flags.embeddings.close()

    def finish_reading(self, is_finished: bool) -> None:
        """Mark the reading as finished, or resume it."""
        self.save_seen()
        self.update_study(state="finished" if is_finished else "reading")
        self.scores.follow_protocol()

    def rename_study(self, study: Study, name: str) -> None:
        """Show a study under another name; names are never exported."""
        renamed = self.library.studies.update(study.study_id, seen=study, name=name)
        if self.reading is not None and self.reading.study.study_id == study.study_id:
            self.reading.study = renamed
        self.studies_changed.emit()

    # The frame on screen

    def show_frame(self, frame_index: int) -> None:
        """Say which frame is on screen; numbers beyond the ends are brought back."""
        reading = self.opened()
        clipped = int(np.clip(frame_index, 0, reading.frame_count - 1))
        if clipped != reading.place.frame_index:
            reading.place.frame_index = clipped
            reading.flags.use_threshold()
            self.frame_changed.emit(clipped)

    def choose_event(self, event: Event) -> None:
        """Choose the event on screen, where several contain the frame."""
        self.opened().flags.chosen = event

    def mark_seen(self, span: Span) -> None:
        """Remember that the frames of a span were on screen long enough; written by `save_seen`."""
        reading = self.opened()
        if reading.seen[span.start : span.stop].all():
            return
        reading.seen[span.start : span.stop] = True
        self._unsaved_seen = self._unsaved_seen.union([span])
        self.seen_changed.emit()

    def note_looked(self, looked: Looked) -> None:
        """Remember frames that were on screen: as seen, or as played too fast; and how many at which speed."""
        reading = self.opened()
        span = looked.frames
        self._unsaved_speeds[looked.fps] += len(span)
        if looked.is_seen:
            self.mark_seen(span)
        elif not reading.fast[span.start : span.stop].all():
            reading.fast[span.start : span.stop] = True
            self._unsaved_fast = self._unsaved_fast.union([span])
            self.seen_changed.emit()

    def save_seen(self) -> None:
        """Write what was seen since the last time; in a read-only library nothing is written."""
        reading = self.reading
        is_new = self._unsaved_seen or self._unsaved_fast or self._unsaved_speeds
        if reading is None or not is_new or self.library.read_only:
            return
        self.library.annotations.mark_seen(
            reading.study.study_id, self._unsaved_seen, self._unsaved_fast, self._unsaved_speeds
        )
        self._unsaved_seen, self._unsaved_fast, self._unsaved_speeds = SpanSet(), SpanSet(), Counter()
        if not self.library.is_offline:
            reading.study = self.library.studies.get(reading.study.study_id)
        self.seen_saved.emit()
        self.scores.follow_protocol()

    def save_place(self) -> None:
        """Write what was seen, the frame on screen and the threshold, so that a crash does not lose the place."""
        reading = self.reading
        if reading is None or self.library.read_only:
            return
        self.save_seen()
        place: dict[str, Any] = {
            "last_frame": reading.place.frame_index,
            "threshold": reading.flags.threshold,
            "lowest_threshold": reading.flags.lowest_threshold,
        }
        is_new = any(getattr(reading.study, name) != value for name, value in place.items())
        if is_new and not self.library.is_offline:
            reading.study = self.library.studies.update(reading.study.study_id, **place)

    # The span being marked

    def mark_span(self, start: int | None, stop: int | None) -> None:
        """Set the ends of the marked span (half-open); None takes an end away."""
        reading = self.opened()
        reading.place.marked_start, reading.place.marked_stop = start, stop
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

    # Files that are saved

    def place_to_save(self, path: Path) -> Path:
        """Return the path if a file may be written there: a file dialog knows no studies and no library.

        Raises:
            UserError: it is a study of the library, a file of the library itself, not a regular file, or cannot be
                created.
        """
        studies = [study.path for study in self.library.studies.all()]
        check_output(path, _ANYTHING, inputs=[self.library.folder, *studies], overwrite=True)
        return path
