"""Scores, events, suggested findings and models of the session."""

from dataclasses import dataclass

import numpy as np

from training.embeddings.file import EmbeddingFile, field_of_view_of
from training.errors import UserError
from training.video import FieldOfView
from wce_desktop.core.annotation.change import Edit
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.event import Event, EventList, Order, Scores
from wce_desktop.core.rates import Stated
from wce_desktop.core.span import SpanSet
from wce_desktop.core.study import Study
from wce_desktop.core.suggested import SuggestedFindings
from wce_desktop.session.completeness.protocol import FIRST_PASS, frames_of_first_pass, hides_flags, note
from wce_desktop.session.reading import Reading
from wce_desktop.session.state import LiveHead, SessionState
from wce_desktop.session.study_files import StudyFiles


@dataclass(frozen=True)
class StoredScores:
    """What the files of a study hold of the scores of the model in use; see `Flags` and `Reading`."""

    file: EmbeddingFile | None = None
    scores: Scores | None = None
    refusal: UserError | None = None
    is_hidden: bool = False
    field_of_view: FieldOfView | None = None
    seen_before: SpanSet | None = None


class ShownScores:
    """What the model in use, and the live head, say of the open study."""

    def __init__(self, session: SessionState) -> None:
        self._session = session

    def set_threshold(self, threshold: float) -> None:
        """Flag at and above `threshold`, brought into [0, 1]."""
        reading = self._session.opened()
        reading.flags.threshold = float(np.clip(threshold, 0.0, 1.0))
        reading.flags.find_events()
        self._session.events_changed.emit()

    def set_live(self, head: LiveHead | None, scores: Scores | None) -> None:
        """Show the live scores of the open study, or none, and the events that they give where they flag frames."""
        self._session.live_head = head
        if self._session.reading is not None and self._session.reading.flags.is_hidden:
            scores = None
        if self._session.reading is not None:
            shown = None if scores is None else scores.without(self._session.vocabulary.off).standardised(Stated({}))
            self._session.reading.flags.set_live(shown)
            self._session.live_changed.emit()
            if self._session.flags_by_live:
                self._session.events_changed.emit()

    def flag_by_live(self, is_wanted: bool) -> None:
        """Let the live scores flag frames, or the model's."""
        if is_wanted != self._session.flags_by_live:
            self._session.flags_by_live = is_wanted
            if self._session.reading is not None:
                self._session.reading.flags.flag_by_live(is_wanted)
            self._session.live_changed.emit()
            self._session.events_changed.emit()

    @property
    def are_flags_live(self) -> bool:
        """Whether the live scores flag frames, and not the model in use."""
        reading = self._session.reading
        is_there = self._session.live_head is not None if reading is None else reading.flags.live is not None
        return self._session.flags_by_live and is_there

    def set_suggested(self, suggested: SuggestedFindings | None) -> None:
        """Show the events of the open study as these suggested findings, or one by one."""
        reading = self._session.opened()
        if suggested is not None and suggested.events is not reading.flags.events:
            raise ValueError("the suggested findings are of other events")
        reading.flags.suggested = suggested
        self._session.suggested_changed.emit()

    def set_joining(self, event: Event | None) -> None:
        """Choose the suggested finding of an event to be joined with another one, or none."""
        reading = self._session.reading
        if reading is not None and reading.flags.joining != event:
            reading.flags.joining = event
            self._session.joining_changed.emit()

    def group_by(self, run_id: str) -> None:
        """Group flags by the re-identification model of a run; "": by stored embeddings and time."""
        self._session.settings.set("group_by", run_id)
        self._session.settings.set("group_events", True)
        self._session.grouping_changed.emit()

    def compare_by(self, run_id: str) -> None:
        """Compare places by the clip model of a run; "": by stored embeddings."""
        self._session.settings.set("compare_by", run_id)
        self._session.comparing_changed.emit()

    def reload(self) -> None:
        """Read the open study's scores again: it was scored, or another model is in use."""
        if self._session.reading is not None:
            self.load(self._session.reading)
            self._session.scores_changed.emit()
            self._session.events_changed.emit()

    def load(self, reading: Reading) -> None:
        """Show the scores of the model in use, where its file is there."""
        self.show(reading, self.read(reading.study, reading.frame_count, SpanSet.from_mask(reading.seen)))

    def read(self, study: Study, frame_count: int, seen: SpanSet) -> StoredScores:
        """Read the scores of the model in use; in any thread.

        Args:
            study: of the library.
            frame_count: of its index.
            seen: the frames that were seen until now: noted where the model's scores are read for the first time.
        """
        files, model_id = self._session.files(study), self._session.model_id
        if self._session.current_model is not None:
            self._session.card(self._session.current_model, anew=True)
        loaded = files.load_scores(model_id, frame_count) if model_id else None
        if loaded is None:
            refusal = files.refusal_of_scores(model_id) if model_id else None
            return StoredScores(refusal=refusal, is_hidden=files.is_hidden)
        file, scores = loaded
        before = None
        if scores is not None:
            own = StudyFiles(self._session.library.studies.folder(study.study_id))  # not of the other reader
            if (before := own.load_seen_before(model_id)) is None:
                before = seen
                if not self._session.library.read_only:
                    own.save_seen_before(model_id, before)
        file.read_small()
        return StoredScores(file, scores, None, files.is_hidden, field_of_view_of(file), before)

    def show(self, reading: Reading, stored: StoredScores) -> None:
        """Show scores that were read."""
        if reading.flags.embeddings is not None:
            reading.flags.embeddings.close()
        reading.flags.refusal, reading.flags.is_hidden = stored.refusal, stored.is_hidden
        reading.flags.confirmed = None if stored.is_hidden else frames_of_first_pass(self._session, reading)
        reading.flags.by_live = self._session.flags_by_live
        reading.flags.set_scores(stored.scores, stored.file)
        reading.flags.field_of_view, before = stored.field_of_view, stored.seen_before
        reading.seen_before_flags = None if before is None else before.to_mask(reading.frame_count)

    def follow_protocol(self) -> None:
        """Show or hide flags as the protocol says now, and record by which protocol the study is read."""
        reading, is_unaided = self._session.reading, self._session.settings["protocol"] == "unaided"
        if reading is None:
            return
        if reading.seen.any():
            note(self._session, reading.study)
        is_hidden = hides_flags(self._session, reading.study)
        if reading.flags.is_hidden and not is_hidden and is_unaided:
            note(self._session, reading.study, FIRST_PASS)
        if reading.flags.is_hidden != is_hidden:
            self.reload()

    def follow_findings(self, edit: Edit | None) -> None:
        """Offer flags again whose finding of the first pass was removed, and none where one is back."""
        reading = self._session.reading
        is_of_findings = edit is None or edit.touches(Finding)
        if reading is None or reading.flags.confirmed is None or not is_of_findings:
            return
        confirmed = frames_of_first_pass(self._session, reading)
        if confirmed is not None and not np.array_equal(confirmed, reading.flags.confirmed):
            reading.flags.confirmed = confirmed
            reading.flags.find_events()
            self._session.events_changed.emit()

    # Models and scoring

    def use_model(self, model_id: str) -> None:
        """Show this model's scores from now on; the others stay in the library."""
        self._session.live_head = None  # it is of the other model's embeddings
        self._session.current_model = self._session.library.models.set_current(model_id)
        self._session.model_changed.emit()
        self.reload()

    def is_scored(self, study: Study) -> bool:
        """Whether the current model's scores of a study are finished."""
        model = self._session.current_model
        return model is not None and self._session.files(study).has_scores(model.model_id)

    def show_so_far(self, study_id: str, model_id: str, scores: Scores) -> None:
        """Show the scores that a running job has of the open study, with the events they give; others are ignored."""
        reading = self._session.reading
        is_open = reading is not None and reading.study.study_id == study_id and model_id == self._session.model_id
        if reading is None or not is_open or reading.flags.scores is not None:
            return
        if reading.flags.is_hidden:
            return
        is_first = not reading.flags.is_partial
        reading.flags.refusal = None
        stated = self._session.files(reading.study).stated(model_id)
        reading.flags.set_scores_so_far(scores.without(self._session.vocabulary.off).standardised(stated))
        (self._session.scores_changed if is_first else self._session.scores_grown).emit()
        self._session.events_changed.emit()

    def forget_so_far(self, study_id: str) -> None:
        """The scores of a part of the open study were discarded: it counts as not scored."""
        reading = self._session.reading
        if reading is not None and study_id == self._session.open_id and reading.flags.is_partial:
            self.reload()

    def scored(self, study_id: str, model_id: str) -> None:
        """Handle new scores of a study."""
        path = self._session.files(self._session.library.studies.get(study_id)).scores_path(model_id)
        self._session.library.models.note_scoring(study_id, model_id, path, is_complete=True)
        if self._session.reading is not None and self._session.reading.study.study_id == study_id:
            self._session.reading.study = self._session.library.studies.get(study_id)
            self.reload()
        self._session.studies_changed.emit()

    def set_scoring(self, scoring: frozenset[tuple[str, str]]) -> None:
        """Set which studies are being scored, each with its model."""
        if scoring != self._session.scoring:
            self._session.scoring = scoring
            self._session.scoring_changed.emit()

    @property
    def is_being_scored(self) -> bool:
        """Whether the current model scores the open study, or is about to."""
        return (self._session.open_id, self._session.model_id) in self._session.scoring

    def events_by(self, order: Order) -> EventList:
        """What the reader goes through of the open study, by the first frame, or by score with the highest first."""
        if self._session.reading is None:
            return EventList()
        flags = self._session.reading.flags
        return flags.events.ordered(order) if flags.suggested is None else flags.suggested.ordered(order)
