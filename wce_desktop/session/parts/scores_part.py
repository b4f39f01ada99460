"""Scores, events, suggested findings and models of the session."""

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.event import Event, EventList, Order
from wce_desktop.core.scores import Scores
from wce_desktop.core.span import SpanSet
from wce_desktop.core.study import Study
from wce_desktop.core.suggested import SuggestedFindings
from wce_desktop.session.base import SessionBase
from wce_desktop.session.live_head import LiveHead
from wce_desktop.session.reading import Reading
from wce_desktop.session.study_files import field_of_view_of


class ScoresPart(SessionBase):
    """What the model in use, and the live head, say of the open study."""

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

    def set_joining(self, event: Event | None) -> None:
        """Choose the suggested finding of an event to be joined with another one, or none."""
        reading = self.reading
        if reading is not None and reading.joining != event:
            reading.joining = event
            self.joining_changed.emit()

    def group_by(self, run_id: str) -> None:
        """Group flags by the re-identification model of a run; "": by stored embeddings and time."""
        self.settings.set("group_by", run_id)
        self.settings.set("group_events", True)
        self.grouping_changed.emit()

    def compare_by(self, run_id: str) -> None:
        """Compare places by the clip model of a run; "": by stored embeddings."""
        self.settings.set("compare_by", run_id)
        self.comparing_changed.emit()

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
        reading.scores_refusal = files.refusal_of_scores(model_id) if model_id and file is None else None
        reading.flags_by_live = self.flags_by_live
        reading.set_scores(scores, file)
        reading.field_of_view = field_of_view_of(file) if file is not None else None
        reading.seen_before_flags = None if scores is None else self._seen_before_flags(reading, model_id)

    def _seen_before_flags(self, reading: Reading, model_id: str) -> NDArray[np.bool_]:
        """(N,) bool: what had been seen when the model's scores were shown for the first time, kept with them."""
        files = self.files(reading.study)
        before = files.load_seen_before(model_id)
        if before is None:
            before = SpanSet.from_mask(reading.seen)
            if not self.library.read_only:
                files.save_seen_before(model_id, before)
        return before.to_mask(reading.frame_count)

    # Models and scoring

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

    def show_scores_so_far(self, study_id: str, model_id: str, scores: Scores) -> None:
        """Show the scores that a running job has of the open study, with the events they give; others are ignored."""
        reading = self.reading
        is_open = reading is not None and reading.study.study_id == study_id and model_id == self.model_id
        if reading is None or not is_open or reading.scores is not None:
            return
        is_first = not reading.is_partly_scored
        reading.scores_refusal = None
        reading.set_scores_so_far(scores)
        (self.scores_changed if is_first else self.scores_grown).emit()
        self.events_changed.emit()

    def forget_scores_so_far(self, study_id: str) -> None:
        """The scores of a part of the open study were discarded: it counts as not scored."""
        if self.reading is not None and self.reading.study.study_id == study_id and self.reading.is_partly_scored:
            self.reload_scores()

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
        """What the reader goes through of the open study, by the first frame, or by score with the highest first."""
        reading = self.reading
        if reading is None:
            return EventList()
        return reading.events.ordered(order) if reading.suggested is None else reading.suggested.ordered(order)
