"""Updates player, timeline, flags, findings and label buttons from the session."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer

from wce_desktop.core import Span, rates, tr
from wce_desktop.core.annotation import Edit, Finding, Landmark, Region
from wce_desktop.core.annotation.labelling import changed_labels
from wce_desktop.core.dwell import Looked
from wce_desktop.session import keys
from wce_desktop.session.completeness.protocol import HIDDEN
from wce_desktop.session.reading import Reading
from wce_desktop.widgets.timeline import Track
from wce_desktop.workspace import Connections, Part, Workspace

if TYPE_CHECKING:
    from wce_desktop.features.reading.feature import ReadingFeature

COUNTED_AFTER_MILLISECONDS = 100


class ReadingViews(Part):
    """Follows the session's signals."""

    def __init__(self, workspace: Workspace, reading: "ReadingFeature") -> None:
        super().__init__(workspace, reading)
        session = workspace.session
        self._player, self._timeline = workspace.player, workspace.timeline
        self._flags, self._findings, self._label_bar = reading.flags, reading.findings, reading.label_bar
        self._is_flagged_only = False
        self._played: NDArray[np.bool_] | None = None
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.study_closed, self._study_closed),
            (session.frame_changed, self._frame_changed),
            (session.scores_changed, self._scores_changed),
            (session.scores_grown, self._show_tracks),
            (session.events_changed, self._events_changed),
            (session.suggested_changed, self._flags.refresh),
            (session.suggested_changed, self._show_chains),
            (session.joining_changed, self._flags.show_joining),
            (session.annotations_changed, self._annotations_changed),
            (session.seen_changed, self._seen_changed),
            (session.span_changed, self._span_changed),
            (session.selection_changed, self._selection_changed),
            (session.model_changed, self._model_changed),
            (session.scoring_changed, self._scoring_changed),
            (session.live_changed, self._show_tracks),
            (session.vocabulary_changed, self._show_classes),
            (session.settings_changed, self._show_seen_limit),
        )
        self._counting = QTimer(self, singleShot=True, interval=COUNTED_AFTER_MILLISECONDS)
        self._counting.timeout.connect(self._findings.count_labels)
        self._player.frame_changed.connect(self._frame_shown)
        self._player.looked.connect(self._looked)
        self._timeline.set_pictures(workspace.thumbnails.get)
        workspace.thumbnails.arrived.connect(self._thumbnail_arrived)

    def toggle_flagged_only(self) -> None:
        """Play flagged frames only, or everything again."""
        self._is_flagged_only = not self._is_flagged_only
        self._show_flagged_only()
        limited, all_played = tr("Only flagged frames are played. F plays all frames."), tr("All frames are played.")
        self._workspace.show_message(limited if self._is_flagged_only else all_played)

    def play_only(self, played: NDArray[np.bool_] | None) -> None:
        """Play these frames, (N,) bool, flagged or not; None plays again what the reader chose."""
        self._played = played
        self._show_flagged_only()

    def _show_flagged_only(self) -> None:
        """Let playing skip what is not flagged or was seen, or play everything."""
        reading = self._session.reading
        is_limited = reading is not None and self._is_flagged_only
        flagged = reading.flags.events.mask(reading.frame_count) if reading is not None and is_limited else None
        self._player.set_flagged_frames(flagged if self._played is None else self._played)
        self._player.transport.set_flagged_only(flagged is not None and self._played is None)
        self._workspace.menus.check({"play_flagged": self._is_flagged_only})

    def _show_labels_here(self) -> None:
        """Show the labels of the frame on screen on the frame and on the buttons below it."""
        reading = self._session.reading
        names = {label.name for label in reading.labels_here()} if reading else set()
        self._label_bar.show_labels(names, reading is not None)
        self._player.refresh_notes()

    # Slots of the player

    def _frame_shown(self, frame_index: int) -> None:
        if self._session.reading is not None:
            self._session.show_frame(frame_index)

    def _looked(self, looked: Looked) -> None:
        reading, span = self._session.reading, looked.frames
        if reading is not None and span.start < min(span.stop, reading.frame_count):
            inside = Span(span.start, min(span.stop, reading.frame_count))
            self._session.note_looked(replace(looked, frames=inside))

    # Slots of the session

    def _study_opened(self) -> None:
        reading = self._session.opened()
        self._workspace.thumbnails.open(reading.study, reading.index)
        self._timeline.set_vocabulary(self._session.vocabulary)
        self._timeline.set_study(reading.frame_count, reading.index.video_seconds)
        self._player.set_rate(self._session.settings["rate_fps"])
        self._show_seen_limit()
        self._scores_changed()
        self._events_changed()
        self._annotations_changed()
        self._span_changed()
        self._selection_changed()
        self._seen_changed()
        self._player.show_frame(reading.place.frame_index)
        self._frame_changed(reading.place.frame_index)

    def _study_closed(self) -> None:
        self._player.close_study()
        self._workspace.thumbnails.close()
        self._timeline.set_study(0, None)
        self._is_flagged_only = False
        self._flags.refresh()
        self._findings.refresh()
        self._findings.count_labels()
        self._label_bar.show_labels(set(), False)

    def _frame_changed(self, frame_index: int) -> None:
        self._timeline.set_cursor(frame_index)
        if not self._player.is_playing:
            self._timeline.popup.dismiss()  # it says something of the place of the pointer, which is elsewhere now
        if self._player.is_settled:  # else the highlight would leave the row that keys went on to
            self._flags.follow_frame()
            self._findings.show_at(frame_index)
        self._show_labels_here()

    def _scores_changed(self) -> None:
        reading = self._session.opened()
        self._show_tracks()
        colors = reading.flags.embeddings.mean_color if reading.flags.embeddings is not None else None
        self._timeline.set_colors(colors)
        visible = reading.flags.visible_mucosa
        self._timeline.set_visible_mucosa(visible, None if visible is None else reading.flags.has_view)
        self._show_blood()
        self._player.set_field_of_view(reading.flags.field_of_view)
        self._scoring_changed()

    def _show_blood(self) -> None:
        self._timeline.set_blood(self._session.opened().marked_as_blood)

    def _show_tracks(self) -> None:
        """Show the model's scores, and over them the live ones."""
        reading = self._session.reading
        if reading is None:
            return
        is_live = reading.flags.by_live and reading.flags.live is not None
        of, tracks = self._session.vocabulary.of, []
        for name in reading.flags.pathology_names:
            entry = of(name)
            tracks.append(Track(name, entry.shown_title, entry.color, reading.flags.track(name), flags=not is_live))
        for name in reading.flags.live_names:
            entry = of(name)
            title = tr("{title} live", title=entry.shown_title)
            tracks.append(Track(name, title, entry.color, reading.flags.live_track(name), is_live, is_dashed=True))
        self._timeline.set_tracks(tracks)

    def _events_changed(self) -> None:
        reading = self._session.reading
        self._flags.refresh()
        self._show_chains()
        if reading is not None:
            words = partial(rates.threshold_text, scale=reading.flags.scale, is_short=True)
            self._timeline.set_threshold(reading.flags.threshold, words)
            self._timeline.set_events(reading.flags.events)
            self._show_flagged_only()
            self._player.refresh_notes()  # suggestions may have changed

    def _show_chains(self) -> None:
        """Show which parts are of the same suggested finding."""
        suggested = self._session.reading.flags.suggested if self._session.reading is not None else None
        self._timeline.set_chains(suggested.with_parts() if suggested is not None else [])

    def _annotations_changed(self, edit: Edit | None = None) -> None:
        """Show an edit; of 100,000 labels only those that it touched are drawn again."""
        self._counting.start()
        if (reading := self._session.reading) is not None:
            self._show_edit(reading, edit)
        if edit is None or edit.touches(Finding):
            self._findings.refresh()  # last: it fails while the library is away

    def _show_edit(self, reading: Reading, edit: Edit | None) -> None:
        self._show_labels(reading, edit)
        if edit is None or edit.touches(Finding):
            self._timeline.set_findings(reading.entries.findings)
        if edit is None or edit.touches(Landmark):
            self._findings.show_places()
            self._timeline.set_landmarks(reading.entries.landmarks)
            self._show_blood()
            body = [mark for mark in reading.entries.landmarks if mark.region is not Region.END]
            self._player.set_landmarks((mark.frame_index, tr(mark.region.value)) for mark in body)
        self._flags.refresh_seen()  # what was answered is no longer left
        self._show_labels_here()

    def _show_labels(self, reading: Reading, edit: Edit | None) -> None:
        """Show the labels that an edit touched, or all."""
        if edit is not None:
            added, removed = changed_labels(edit.changes)
            with suppress(KeyError):  # an earlier edit is not shown: somebody else who was told of it failed
                self._timeline.change_labels(added=added, removed=removed)
                self._flags.list.repaint_events_in([label.span for label in (*added, *removed)])
                return
        self._timeline.set_labels(reading.entries.labels.answers())

    def _seen_changed(self) -> None:
        reading = self._session.opened()
        self._timeline.set_seen(reading.seen, reading.fast)
        self._flags.refresh_seen()

    def _show_classes(self) -> None:
        """The vocabulary has changed: names, looks and keys are shown again."""
        self._label_bar.show_classes()
        self._findings.show_classes()
        self._timeline.set_vocabulary(self._session.vocabulary)
        self._show_tracks()
        self._flags.repaint_rows()
        self._show_labels_here()

    def _show_seen_limit(self) -> None:
        """Let frames count as seen up to the speed of the settings."""
        self._player.set_seen_limit(self._session.settings["seen_up_to_fps"])

    def _span_changed(self) -> None:
        place = self._session.opened().place
        self._timeline.set_marked_span(place.span_to_label() if place.is_span_marked else None)

    def _selection_changed(self) -> None:
        reading = self._session.reading
        if reading is not None:
            self._timeline.set_selected(self._session.selection.of(reading.study.study_id))

    def _model_changed(self) -> None:
        self._scoring_changed()

    def _scoring_changed(self) -> None:
        self._flags.say_why_empty()
        reading, why = self._session.reading, tr("being scored") if self._session.scores.is_being_scored else ""
        if reading is not None and reading.flags.embeddings is not None:
            why = why or keys.with_keys(tr("no scores: press {live_scores} for live scores"))
        self._timeline.set_no_scores(tr(HIDDEN) if reading is not None and reading.flags.is_hidden else why)

    def _thumbnail_arrived(self, frame_index: int) -> None:
        self._flags.repaint_rows()
        self._findings.picture_arrived(frame_index)
        self._timeline.picture_ready(frame_index)
