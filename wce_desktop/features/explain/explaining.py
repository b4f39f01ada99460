"""Explanations: method, class, appearance, and requests for missing ones."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QTimer, Signal

from training.errors import UserError
from training.inference.explanation import Method
from training.runs.events import Outcome, Progress
from training.service import answer_files, requests
from training.video import FieldOfView
from wce_desktop.core import Span, tr
from wce_desktop.core.overlay import DEFAULT_LEVEL
from wce_desktop.features.explain import explain_panel, explanation_queue
from wce_desktop.features.explain.explanation_texts import (
    corner_words,
    missing_words,
    note_words,
    state_words,
)
from wce_desktop.features.explain.frame_cams import FrameCams, explain_method, explained_classes, kept_answer
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import check_quietly
from wce_desktop.workspace import Connections, Part, Workspace

REST_MILLISECONDS = 500  # a frame that stays this long is explained automatically


class Explaining(Part):
    """Computes and shows CAMs on the frame; changes no study."""

    map_changed = Signal(int)
    """A frame has an explanation, or a better one."""
    shown_anew = Signal()
    """Another class, method, model or study is explained from now on."""

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self._player = workspace.player
        self._to_read: list[tuple[requests.ExplainRequest, str]] = []
        self._reading = FunctionThread(self, returned=workspace.guard(self._take_kept))
        self.cams = FrameCams(workspace.session, self._read_later)
        self.panel = explain_panel.ExplainPanel(workspace.session, self.cams.score)
        self.queue = explanation_queue.ExplanationQueue(workspace.inference, self)
        self.contour_level = DEFAULT_LEVEL
        self.is_beside = self._was_on = False
        self.is_overlay_on: bool = self._session.settings["is_overlay_on"]
        self.opacity: float = self._session.settings["overlay_opacity"]
        self._seconds_left: float | None = None
        self._problem = ""
        self._flagged_spans: set[Span] = set()  # of the flagged events that the frame on screen belongs to
        self._resting = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._resting.timeout.connect(self._explain_resting)
        self._connect()

    def _connect(self) -> None:
        panel, player, session, guard = self.panel, self._player, self._session, self._workspace.guard
        panel.rows.chosen.connect(guard(self._explain_class))
        panel.shows_overlay.toggled.connect(lambda is_on: self.set_overlay(is_on, self.opacity))
        panel.opacity.valueChanged.connect(lambda value: self.set_overlay(self.is_overlay_on, value / 100))
        player.overlay_visible_changed.connect(lambda is_on: self.set_overlay(is_on, self.opacity))
        player.transport.opacity_requested.connect(lambda value: self.set_overlay(self.is_overlay_on, value))
        panel.method.activated.connect(lambda _: self.choose_method(panel.method.currentData()))
        panel.level.valueChanged.connect(lambda value: self._set_look(value / 100))
        panel.beside.toggled.connect(lambda _: self.side_by_side())
        panel.waiting.begin.clicked.connect(guard(self.explain_frame))
        panel.waiting.stop.clicked.connect(self.stop)
        self.queue.answered.connect(self._take)
        self.queue.progressed.connect(self._progress)
        self.queue.failed.connect(self._fail)
        self.queue.changed.connect(self.show_state)
        player.state_changed.connect(lambda *_: self._wait_for_rest())
        player.overlay_visible_changed.connect(lambda _: self._wait_for_rest())
        self._workspace.escaped.connect(self.stop)
        self._connections = Connections(
            (session.model_changed, self._model_changed),
            (session.runs_changed, self._model_changed),
            (session.explained_changed, self._explained_changed),
            (session.scores_changed, self._scores_changed),
            (session.events_changed, self._show_contours),
            (session.annotations_changed, lambda _: self._refresh_here()),
            (session.study_opened, self._scores_changed),
            (session.frame_changed, self._frame_changed),
            (session.study_closed, self._study_closed),
        )
        self._model_changed()

    @property
    def is_busy(self) -> bool:
        """True while something is computed or will be."""
        return self.queue.is_busy or self._resting.isActive()

    @property
    def field_of_view(self) -> FieldOfView | None:
        """The open study's, from its scores or else from what was computed for the frame on screen."""
        reading = self._session.reading
        if reading is None or reading.flags.field_of_view is not None:
            return reading.flags.field_of_view if reading else None
        explanation = self.cams.explanation(reading.place.frame_index)
        return explanation.field_of_view if explanation else None

    # How the overlay is drawn

    def set_overlay(self, is_on: bool, opacity: float) -> None:
        """Draw the overlay or not, and how strongly."""
        wanted = (is_on, float(np.clip(opacity, 0.05, 1.0)))
        if wanted != (self.is_overlay_on, self.opacity):
            if is_on != self.is_overlay_on and not self.cams.is_all_wanted:  # not while its key is held
                self._session.settings.set("is_overlay_on", is_on)
            self.is_overlay_on, self.opacity = wanted
            self.show_overlay()

    def show_overlay(self) -> None:
        """Let player, panel and menu show how the overlay is drawn."""
        self._player.set_overlay_opacity(self.opacity)
        self._player.set_overlay_visible(self.is_overlay_on)
        self.panel.set_overlay(self.is_overlay_on, self.opacity)
        self._workspace.menus.check({"toggle_overlay": self.is_overlay_on})

    def next_class(self) -> None:
        """Explain the next class."""
        names, explained = explained_classes(self._session), self._session.explained
        if names:
            at = names.index(explained) if explained in names else -1
            self._explain_class(names[(at + 1) % len(names)])

    def _explain_class(self, name: str) -> None:
        """Explain a class on the frame on screen, also where it is not flagged."""
        self._ask_here()
        self._session.explain(name)

    def _ask_here(self) -> None:
        """Explain the frame on screen, also where it is not flagged."""
        if (reading := self._session.reading) is not None:
            self.cams.asked.add(reading.place.frame_index)
            self._refresh_here()

    def _refresh_here(self) -> None:
        """Draw the contour of the frame on screen anew: the reader may have rejected its flag."""
        if (reading := self._session.reading) is not None:
            self._player.refresh_explanation(reading.place.frame_index)

    # What the overlay shows

    def show(self, class_name: str | None) -> None:
        """Explain a class from now on, and refresh all frames."""
        self.cams.class_name = class_name
        if (asked := self.queue.current) is not None:  # for another class or model it is stale
            wanted = self.cams.request(asked.frame_index, asked.method)
            if wanted is None or (asked.class_name, asked.model) != (wanted.class_name, wanted.model):
                self.queue.stop()
        self._problem = ""
        self._show_contours()
        self._show_method()
        self.panel.note.setText(note_words(self._session, self.cams))
        self.shown_anew.emit()
        self._show_field_of_view()
        self._wait_for_rest()

    def _show_contours(self) -> None:
        """Draw the contours of all frames anew."""
        self._player.set_overlay_provider(self.cams.drawn_on, missing_words(self.cams))

    def _show_method(self) -> None:
        self.panel.method.setCurrentIndex(self.panel.method.findData(self.cams.method))

    def choose_method(self, name: Method) -> None:
        """Explain by this method from now on."""
        if name != self.cams.method:
            self.queue.stop()
            self.cams.method = name
            if self.cams.request(0) is not None and not self.cams.is_from_scores:
                self._workspace.inference.warm_up()
            self.show(self.cams.class_name)

    def next_method(self) -> None:
        """The next method."""
        names = [method.name for method in self.cams.methods]
        self._ask_here()
        self.choose_method(names[(names.index(self.cams.method) + 1) % len(names)])
        self.turn_on()

    def _set_look(self, level: float, *, is_filled: bool = False) -> None:
        self.contour_level = level
        self._player.set_look(level, is_filled=is_filled)

    def hold(self, is_held: bool) -> None:
        """Fill the overlay, also where it is off, while its key is held."""
        if is_held:
            self._was_on = self.is_overlay_on
        self.cams.is_all_wanted = is_held
        self._set_look(self.contour_level, is_filled=is_held)
        self.set_overlay(is_held or self._was_on, self.opacity)

    def side_by_side(self) -> None:
        """Show or hide the frame without overlay beside the explained one."""
        self.is_beside = not self.is_beside
        if self.is_beside:
            self.turn_on()
        self._player.set_beside(self.is_beside)
        check_quietly(self.panel.beside, self.is_beside)
        self._workspace.menus.check({"side_by_side": self.is_beside})

    def turn_on(self) -> None:
        """Draw the overlay."""
        self.set_overlay(True, self.opacity)

    # Requests

    def explain_frame(self) -> None:
        """Show why for the frame on screen, computing what is not there yet."""
        reading = self._workspace.reading
        was_shown = self._player.frame_view.overlay.is_visible and self.cams.is_wanted(reading.place.frame_index)
        self._ask_here()
        self.turn_on()
        if self._session.current_model is None:
            raise UserError("There is no model to explain with.", "Add a model folder: {key}.", key_of("add_model"))
        if self.cams.is_imported:
            raise UserError(
                "The embeddings of “{model}” were imported: it has no network that could explain a frame.",
                "Use another model for explanations.",
                self._session.current_model.title,
            )
        if self.cams.can_improve(reading.place.frame_index):
            self._ask(reading.place.frame_index)
        elif was_shown and self.cams.of(reading.place.frame_index) is not None:  # else the key seems to do nothing
            method, key = tr(explain_method(self.cams.method).title), key_of("next_method")
            text = tr("This frame shows “{method}” already. {key} chooses another method.", method=method, key=key)
            self._workspace.show_message(text)
        else:
            self.show_state()

    def _ask(self, frame_index: int) -> None:
        request = self.cams.request(frame_index, refine=self.cams.method == "score-cam")
        if request is not None:
            self._problem, self._seconds_left = "", None
            self.queue.ask_now(request)

    def stop(self) -> None:
        """Stop computing; finished explanations stay."""
        self._resting.stop()
        self.queue.stop()

    def _wait_for_rest(self) -> None:
        """Explain the frame on screen automatically when it stays on screen."""
        reading, is_shown = self._session.reading, self._player.frame_view.overlay.is_visible
        is_at_rest = is_shown and not self._player.is_playing and not self._problem
        if reading is not None and is_at_rest and self.cams.wants_better(reading.place.frame_index):
            self._resting.start()
        else:
            self._resting.stop()
        self.show_state()

    def _explain_resting(self) -> None:
        reading = self._session.reading
        if reading is not None and self._player.frame_index == reading.place.frame_index:
            self._ask(reading.place.frame_index)
        elif reading is not None:  # the frame is on its way
            self._resting.start()

    def _model_changed(self) -> None:
        """Offer the methods that explain the model in use."""
        self.cams.note_model()
        self.panel.set_methods(self.cams.methods)
        self._show_method()

    def _explained_changed(self) -> None:
        if self._session.explained is not None:
            self.panel.rows.choose(self._session.explained)
        self.show(self._session.explained)

    def _scores_changed(self) -> None:
        """Other scores, or another study: explain a class that it has."""
        session = self._session
        if session.reading is None:
            return
        names = explained_classes(session)
        if session.explained not in names:
            session.explained = names[0] if names else None
        self.panel.rebuild(session.explained)
        self.show(session.explained)

    def _frame_changed(self, frame_index: int) -> None:
        self._follow_flags(frame_index)
        self.panel.refresh()
        self._problem = ""
        self._show_field_of_view()
        self._wait_for_rest()

    def _follow_flags(self, frame_index: int) -> None:
        """Explain a class that the frame is flagged as, so that overlay, legend and chip speak of the same one.

        Only where a flagged event begins or is come upon: within it the class that the reader chooses stays.
        """
        reading = self._session.reading
        here = reading.flags.events.at(frame_index) if reading is not None else []
        is_new = {event.span for event in here} - self._flagged_spans
        self._flagged_spans = {event.span for event in here}
        names = [event.name for event in sorted(here, key=lambda event: -event.peak_score)]
        classes = explained_classes(self._session)
        offered = [name for name in names if name in classes]
        if is_new and offered and self._session.explained not in names:
            self._session.explain(offered[0])

    def _read_later(self, request: requests.ExplainRequest, weights_sha256: str) -> None:
        """Read the kept answer to a request, where there is one, in the thread."""
        self._to_read.append((request, weights_sha256))
        if not self._reading.is_busy:
            self._read_kept()

    def _read_kept(self) -> None:
        asked, self._to_read = tuple(self._to_read), []
        self._reading.request(lambda _: [(request, kept_answer(request, sha256)) for request, sha256 in asked])

    def _take_kept(
        self, answers: Sequence[tuple[requests.ExplainRequest, answer_files.ExplanationAnswer | None]]
    ) -> None:
        for request, answer in answers:
            if answer is not None:
                self._take(request, answer)
        if self._to_read:
            self._read_kept()

    def _take(self, request: requests.ExplainRequest, answer: answer_files.ExplanationAnswer) -> None:
        self.cams.take(request, answer)
        self._seconds_left = None
        self._show_field_of_view()
        self._player.refresh_explanation(answer.frame_index)
        self.panel.refresh()
        self.map_changed.emit(answer.frame_index)
        self.show_state()

    def _progress(self, request: requests.ExplainRequest, progress: Progress) -> None:
        self._seconds_left = progress.seconds_left
        self.panel.waiting.bar.show_progress(progress)
        self.show_state()

    def _fail(self, request: requests.ExplainRequest, outcome: Outcome) -> None:
        self._problem = tr(str(outcome))
        self.show_state()

    def show_state(self) -> None:
        """Show the state of the explanation of the frame on screen."""
        waiting = self.panel.waiting
        words = state_words(self._session, self.cams, self.queue, self._seconds_left)
        waiting.show_text(self._problem or words, is_problem=bool(self._problem))
        waiting.show_busy(self.queue.is_busy)
        self._player.set_busy_words(corner_words(self._session, self.cams, self.queue, self._seconds_left))
        reading = self._session.reading
        waiting.set_can_start(reading is not None and self.cams.can_improve(reading.place.frame_index))

    def _show_field_of_view(self) -> None:
        """Place CAMs on the square the model saw, also in a study not yet scored."""
        view, overlay = self.field_of_view, self._player.frame_view.overlay
        if view is not None and overlay.field_of_view != view:
            self._player.set_field_of_view(view)

    # The end

    def _study_closed(self) -> None:
        self.stop()
        self.cams.forget()
        self._problem = ""
        self.panel.rebuild(None)

    def close(self) -> None:
        """Cancel all requests."""
        super().close()
        self.stop()
