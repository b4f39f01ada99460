"""Which panel follows which signal of the session, and which wish of a panel becomes which step of the session."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from wce_desktop.core.change import Edit
from wce_desktop.core.finding import Finding
from wce_desktop.core.labelling import changed_labels
from wce_desktop.core.landmark import Landmark
from wce_desktop.core.span import Span
from wce_desktop.features.explain.model.frame_maps import explained_classes
from wce_desktop.features.reading.model import annotating
from wce_desktop.session.next_step import next_lesson
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.timeline import Track

if TYPE_CHECKING:
    from wce_desktop.shell.main_window import MainWindow

COUNTED_AFTER_MILLISECONDS = 1000
FLAG_ACTIONS = ("accept_event", "reject_event", "new_finding", "explain_event", "find_like_span")


class FollowSession:
    """Connects the window's panels with the session; `stop` lets go of it again."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._session = window.session
        self._connections = (
            (self._session.study_opened, self._study_opened),
            (self._session.study_closed, self._study_closed),
            (self._session.studies_changed, self._studies_changed),
            (self._session.seen_saved, window.studies.refresh),
            (self._session.frame_changed, self._frame_changed),
            (self._session.scores_changed, self._scores_changed),
            (self._session.events_changed, self._events_changed),
            (self._session.annotations_changed, self._annotations_changed),
            (self._session.seen_changed, self._seen_changed),
            (self._session.span_changed, self._span_changed),
            (self._session.selection_changed, self._selection_changed),
            (self._session.model_changed, self._model_changed),
            (self._session.scoring_changed, self._scoring_changed),
            (self._session.saved, window.tell_saved),
            (self._session.remarked, window.tell),
        )
        for signal, slot in self._connections:
            signal.connect(slot)
        self._counting = QTimer(window)
        self._counting.setSingleShot(True)
        self._counting.setInterval(COUNTED_AFTER_MILLISECONDS)
        self._counting.timeout.connect(self._count)
        self._counter = FunctionThread(window)
        self._counter.returned.connect(window.model.show_lesson)
        self._counter.failed.connect(lambda outcome: window.tell_error(outcome.message, outcome.hint))
        self._connect_panels()

    def stop(self) -> None:
        """Follow no more."""
        self._counting.stop()
        self._counter.close()
        for signal, slot in self._connections:
            signal.disconnect(slot, missing_ok=True)

    def _connect_panels(self) -> None:
        window, session = self._window, self._session
        guard = window.guard
        window.player.frame_changed.connect(self._frame_shown)
        window.player.seen.connect(self._seen)
        window.player.open_requested.connect(guard(window.study.open_files))
        window.player.demo_requested.connect(guard(window.study.open_demo))
        window.timeline.frame_requested.connect(guard(window.reading.go_to_frame))
        window.timeline.threshold_changed.connect(guard(session.set_threshold))
        window.flags.threshold_changed.connect(guard(session.set_threshold))
        window.flags.event_chosen.connect(guard(window.reading.go_to_event))
        window.flags.next_step_requested.connect(guard(window.take_next_step))
        window.flags.menu_requested.connect(lambda at: window.menus.show_context(FLAG_ACTIONS, at))
        window.studies.study_chosen.connect(guard(window.study.open_study))
        window.model.finetune_requested.connect(guard(window.training.finetune))
        window.model.choose_requested.connect(guard(window.runs.choose_model))
        window.findings.finding_chosen.connect(guard(lambda finding: window.reading.go_to_frame(finding.span.start)))
        window.findings.finding_changed.connect(
            guard(lambda old, new, goes_on: annotating.change_finding(session, old, new, goes_on=goes_on))
        )
        window.findings.finding_removed.connect(guard(lambda finding: annotating.remove_finding(session, finding)))
        window.findings.new_requested.connect(guard(window.reading.new_finding))
        window.label_bar.label_requested.connect(guard(window.reading.label))
        window.explain.class_chosen.connect(guard(window.view.explain_class))
        window.explain.overlay_toggled.connect(lambda is_on: window.view.set_overlay(is_on, window.view.opacity))
        window.explain.opacity_changed.connect(lambda value: window.view.set_overlay(window.view.is_overlay_on, value))
        window.thumbnails.arrived.connect(self._thumbnail_arrived)
        window.timeline.set_thumbnail_provider(window.thumbnails.get)
        window.player.set_notes_provider(window.view.notes_of)
        window.player.overlay_visible_changed.connect(lambda is_on: window.view.set_overlay(is_on, window.view.opacity))
        window.player.overlay_opacity_changed.connect(
            lambda value: window.view.set_overlay(window.view.is_overlay_on, value)
        )

    # The player says what is on screen

    def _frame_shown(self, frame_index: int) -> None:
        if self._session.reading is not None:
            self._session.show_frame(frame_index)

    def _seen(self, start: int, stop: int) -> None:
        reading = self._session.reading
        if reading is not None and start < min(stop, reading.frame_count):
            self._session.mark_seen(Span(start, min(stop, reading.frame_count)))

    # The session says what changed

    def _study_opened(self) -> None:
        window, reading = self._window, self._session.reading
        assert reading is not None
        window.thumbnails.open(reading.study.path, reading.index)
        window.timeline.set_vocabulary(self._session.vocabulary)
        window.timeline.set_study(reading.frame_count, reading.index.video_seconds)
        window.show_title(reading.study.name)
        window.player.set_rate(self._session.settings["rate_fps"])
        self._scores_changed()
        self._scoring_changed()
        self._events_changed()
        self._annotations_changed()
        self._span_changed()
        self._selection_changed()
        self._seen_changed()
        window.studies.refresh()
        if window.studies.isAncestorOf(QApplication.focusWidget() or window):
            window.player.setFocus()  # the study was chosen to be read: keys mean its frames
        window.player.show_frame(reading.frame_index)
        self._frame_changed(reading.frame_index)
        window.tell_problems(reading.study.study_id)

    def _study_closed(self) -> None:
        window = self._window
        window.player.close_study()
        window.thumbnails.close()
        window.timeline.set_study(0, None)
        window.show_title()
        window.is_flagged_only = False
        for panel in (window.studies, window.flags, window.findings, window.menus):
            panel.refresh()
        window.findings.count_labels()
        window.explain.rebuild(None)
        window.label_bar.show_labels(set(), False)

    def _studies_changed(self) -> None:
        self._window.studies.refresh()
        self._window.model.refresh()

    def _frame_changed(self, frame_index: int) -> None:
        window = self._window
        window.timeline.set_cursor(frame_index)
        window.explain.refresh()
        if window.player.is_settled:  # else the highlight would leave the row that keys went on to
            window.flags.follow_frame()
        window.show_labels_here()

    def _scores_changed(self) -> None:
        window, reading = self._window, self._session.reading
        if reading is None:
            return
        names = reading.pathology_names
        vocabulary = self._session.vocabulary
        tracks = []
        for name in names:
            known = vocabulary.of(name)
            tracks.append(Track(name, known.title, known.color, reading.track(name)))
        window.timeline.set_tracks(tracks)
        colors = reading.embeddings.mean_color if reading.embeddings is not None else None
        window.timeline.set_colors(colors)
        window.player.set_field_of_view(reading.field_of_view)
        explained = explained_classes(self._session)
        if window.view.explained not in explained:
            window.view.explained = explained[0] if explained else None
        window.explain.rebuild(window.view.explained)
        window.show_explanation()

    def _events_changed(self) -> None:
        window, reading = self._window, self._session.reading
        window.flags.refresh()
        window.menus.refresh_but_history()
        if reading is not None:
            window.timeline.set_threshold(reading.threshold)
            window.timeline.set_events(reading.events)
            window.update_flagged_spans()
            window.player.refresh_notes()  # what was suggested here may be suggested no more

    def _annotations_changed(self, edit: Edit | None = None) -> None:
        """Show an edit; of 100,000 labels only those that it touched are drawn anew."""
        window, reading = self._window, self._session.reading
        if edit is None or edit.touches(Finding):
            window.findings.refresh()
        window.menus.refresh()
        self._counting.start()
        if reading is None:
            return
        if edit is None:
            window.timeline.set_labels(reading.labels)
            window.flags.repaint_rows()
        else:
            added, removed = changed_labels(edit.changes)
            window.timeline.change_labels(added=added, removed=removed)
            window.flags.show_labelled([label.span for label in (*added, *removed)])
        if edit is None or edit.touches(Finding):
            window.timeline.set_findings(reading.findings)
        if edit is None or edit.touches(Landmark):
            window.timeline.set_landmarks(reading.landmarks)
            window.player.set_landmarks((mark.frame_index, mark.region.value) for mark in reading.landmarks)
        window.show_labels_here()

    def _count(self) -> None:
        """Count labels once the reader rests; the database counts 100,000 of them in a thread of its own."""
        self._window.findings.count_labels()
        self._counter.request(lambda _: next_lesson(self._session))

    def _seen_changed(self) -> None:
        reading = self._session.reading
        if reading is not None:
            self._window.timeline.set_seen(reading.seen)
            self._window.flags.refresh_seen()

    def _span_changed(self) -> None:
        window, reading = self._window, self._session.reading
        if reading is None:
            return
        window.timeline.set_marked_span(reading.span_to_label() if reading.is_span_marked else None)

    def _selection_changed(self) -> None:
        reading = self._session.reading
        if reading is not None:
            self._window.timeline.set_selected(self._session.selection.of(reading.study.study_id))

    def _model_changed(self) -> None:
        self._window.model.refresh()
        self._window.menus.refresh()
        self._scoring_changed()

    def _scoring_changed(self) -> None:
        self._window.flags.say_why_empty()
        self._window.timeline.set_being_scored(self._session.is_being_scored)

    def _thumbnail_arrived(self, frame_index: int) -> None:
        self._window.flags.repaint_rows()
        self._window.timeline.thumbnail_ready(frame_index)
