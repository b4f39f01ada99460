"""Asking for frames that look alike: by frame, span, region, image or selection; the strip follows the frame."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from training.errors import UserError
from training.runs.events import Outcome, Progress
from training.service.answers import EmbeddingAnswer, ExplanationAnswer
from training.service.requests import EmbedRequest
from wce_desktop.app.labelling_many import label_frames
from wce_desktop.app.neighbour_query import Found, FoundFrame, Query, SearchSettings
from wce_desktop.app.neighbour_search import NeighbourSearch
from wce_desktop.core.clock import counted, format_frame, format_time
from wce_desktop.core.selection import FrameSelection
from wce_desktop.ui.alike.frame_tile import RELATIONS, FrameTile
from wce_desktop.ui.alike.neighbour_strip import NeighbourStrip
from wce_desktop.ui.alike.region_picker import RegionPicker
from wce_desktop.ui.function_thread import FunctionThread

if TYPE_CHECKING:
    from wce_desktop.app.reading import Reading
    from wce_desktop.ui.controllers.alike_controller import AlikeController
    from wce_desktop.ui.main_window import MainWindow

ASKED_AFTER_MILLISECONDS = 150
IMAGE_FILTER = "Pictures (*.png *.jpg *.jpeg *.bmp *.tif *.tiff *.webp);;All files (*)"


class NeighboursController(QObject):
    """While the strip is folded nothing is opened, read or asked."""

    def __init__(self, window: "MainWindow", shared: "AlikeController") -> None:
        super().__init__(shared)
        self._window, self._session, self._shared = window, window.session, shared
        self.strip = NeighbourStrip(window.session.vocabulary, shared.pictures.get)
        self.strip.hide()
        self.settings = SearchSettings()
        self.found: Found | None = None
        self._query: Query | None = None
        self._is_following = True
        self._asked = 0
        self._search = NeighbourSearch(window.session)
        self._thread = FunctionThread(self)
        self._pause = QTimer(self, singleShot=True, interval=ASKED_AFTER_MILLISECONDS)
        self._picker = RegionPicker(window.player.frame_view)
        self._connect()

    def _connect(self) -> None:
        guard, strip = self._window.guard, self.strip
        self._pause.timeout.connect(guard(self._follow))
        self._thread.returned.connect(guard(self._show))
        self._thread.failed.connect(lambda outcome: strip.show_message(outcome.message, outcome.hint))
        self._window.player.state_changed.connect(lambda is_playing, _: self.moved())
        self._picker.picked.connect(guard(self._ask_region))
        asker = self._window.asker
        asker.answered.connect(guard(self._take_vector))
        asker.progressed.connect(self._show_progress)
        asker.failed.connect(self._fail_vector)
        strip.opened.connect(guard(self._open))
        strip.settings_changed.connect(guard(self.change_settings))
        strip.follow_changed.connect(guard(self._set_following))
        strip.accept_requested.connect(guard(self.accept))
        strip.voters_requested.connect(lambda _: self._show_tiles())
        strip.stop_requested.connect(self.stop)
        strip.grid_requested.connect(guard(self.as_grid))

    # What the reader asks for

    @property
    def is_shown(self) -> bool:
        """Whether the strip is unfolded."""
        return not self.strip.isHidden()

    @property
    def is_busy(self) -> bool:
        """True while an answer is awaited."""
        return self._thread.is_busy or bool(self._asked) or self._pause.isActive()

    def fold(self, is_folded: bool) -> None:
        """Fold the strip away, or show it: it follows the frame on screen then."""
        self.strip.setVisible(not is_folded)
        self._window.menus.check({"toggle_neighbours": not is_folded})
        if is_folded:
            self.stop()
            self._query, self.found = None, None
        else:
            self._set_following(True)

    def ask_frame(self) -> None:
        """Frames like the one on screen; the strip stays with it from now on."""
        self._pin(self._frame_query())

    def ask_span(self) -> None:
        """Frames like the marked span, or like the event on screen where none is marked."""
        reading = self._reading()
        event = reading.event_here()
        if not reading.is_span_marked and event is None:
            raise UserError("No span is marked, and no event is on screen.", "Mark a span with I and O.")
        span = reading.span_to_label() if reading.is_span_marked or event is None else event.span
        study = reading.study
        words = f"the {counted(len(span), 'frame')} from {format_frame(span.start + 1)} of {study.name}"
        self._pin(Query(words, study.study_id, study.patient_id, span=(span.start, span.stop)))

    def ask_region(self) -> None:
        """Let a region of the frame be drawn, then ask for frames like it."""
        self._reading()
        self._window.player.pause()
        view = self._window.player.frame_view
        picture = view.frames[0].picture if view.frames else None
        if picture is None:
            raise UserError("There is no frame on screen to draw on.", "Go to a frame that can be read.")
        self._picker.begin(view.frame_rects()[0], picture.width())

    def ask_image(self) -> None:
        """Ask for an image file, then for frames like it."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Frames like this picture", "", IMAGE_FILTER)
        if chosen:
            self.ask_picture(Path(chosen))

    def ask_picture(self, path: Path) -> None:
        """Frames like an image file."""
        self._embed(Query(f"the picture {path.name}"), EmbedRequest(model=self._model_folder(), image=path))

    def ask_frames(self, frames: FrameSelection) -> None:
        """Frames like the mean of these; those of one study leave its own frames out where the filters say so."""
        study_id = frames.study_ids[0] if len(frames.study_ids) == 1 else ""
        study = self._shared.facts.study(study_id) if study_id else None
        words = f"{counted(frames.count, 'chosen frame')}"
        self._pin(Query(words, study_id, study.patient_id if study else "", frames=frames))

    def change_settings(self, settings: SearchSettings) -> None:
        """Ask again with other filters."""
        self.settings = settings
        if self._query is not None:
            self._ask(self._query)

    def accept(self) -> None:
        """Label what was asked for as its labelled neighbours say."""
        suggestion = self.found.suggestion if self.found else None
        if self.found is None or suggestion is None:
            raise UserError("There is no suggestion to accept.", "Label some frames, then ask for frames like this: A.")
        own = self.found.query.own_frames
        if not own:
            raise UserError("A picture from disk cannot be labelled.", "Ask for frames like the one on screen: A.")
        label_frames(self._session, own, suggestion[0], model_id=self._session.model_id)

    def as_grid(self) -> None:
        """Select what was found and show it as a grid."""
        frames: dict[str, list[int]] = {}
        for found in self._shown_frames():
            frames.setdefault(found.neighbour.study_id, []).append(found.neighbour.frame_index)
        self._session.select_frames(FrameSelection(frames))
        self._shared.grid.show()

    def stop(self) -> None:
        """Wait no longer."""
        self._pause.stop()
        self._thread.cancel()
        if self._asked:
            self._asked = 0
            self._window.asker.cancel("embed")
        if self.is_shown and self.found is None:
            self.strip.show_message("Stopped.", "Press A to ask for frames like the one on screen.")
        elif self.found is not None:
            self._show_tiles()

    # Following the frame on screen

    def moved(self) -> None:
        """Another frame, or playing stopped: ask once the reader rests."""
        if self.is_shown and self._is_following:
            if self._window.player.is_playing:
                self._pause.stop()
            else:
                self._pause.start()

    def labels_changed(self) -> None:
        """Show labels as they are now; who may vote is read again with the next question."""
        self._search.forget_labels()
        if self.is_shown and self.found is not None:
            self.strip.tiles.make_again()
            self._show_suggestion()

    def _set_following(self, is_following: bool) -> None:
        self._is_following = is_following
        self.strip.show_follow(is_following)
        if is_following and self.is_shown:
            self._follow()

    def _follow(self) -> None:
        if self._session.reading is None:
            self.strip.show_message("No study is open.", "Open a study, then its frames can be compared.")
        elif self.is_shown and not self._window.player.is_playing:
            self._ask(self._frame_query())

    def _pin(self, query: Query) -> None:
        """Stay with this query while the reader looks at what was found."""
        if not self.is_shown:
            self.strip.show()
            self._window.menus.check({"toggle_neighbours": True})
        self._is_following = False
        self.strip.show_follow(False)
        self._ask(query)

    def _open(self, study_id: str, frame_index: int) -> None:
        self._is_following = False
        self.strip.show_follow(False)
        self._shared.open_frame(study_id, frame_index)

    # Asking

    def _reading(self) -> "Reading":
        reading = self._session.reading
        if reading is None:
            raise UserError("No study is open.", "Open one with Ctrl+O.")
        return reading

    def _frame_query(self) -> Query:
        reading = self._reading()
        study, frame_index = reading.study, reading.frame_index
        words = f"frame {format_frame(frame_index + 1)} of {study.name}"
        return Query(words, study.study_id, study.patient_id, frame_index)

    def _ask(self, query: Query) -> None:
        self._pause.stop()
        self._query = query
        settings, model_id = self.settings, self._session.model_id
        self.strip.wait_for(f"Looking for frames like {query.words}…")
        self._thread.request(lambda reporter: self._search.find(query, settings, model_id, reporter))

    def _show(self, found: Found) -> None:
        self.found = found
        self.strip.show_voters_pressed(False)
        self._show_tiles()

    # Regions and images: a model embeds them first

    def _model_folder(self) -> Path:
        model = self._session.current_model
        if model is None:
            raise UserError("No model is in use.", "Add a model folder: Ctrl+Shift+M.")
        return model.folder

    def _ask_region(self, x_min: float, y_min: float, x_max: float, y_max: float) -> None:
        reading, model = self._reading(), self._model_folder()
        study, view = reading.study, reading.field_of_view
        words = f"the region drawn on frame {format_frame(reading.frame_index + 1)} of {study.name}"
        request = EmbedRequest(
            model=model,
            path=study.path,
            index=self._session.files(study).index_path,
            frame_index=reading.frame_index,
            region=(x_min, y_min, x_max, y_max),
            field_of_view=view.to_json() if view else None,
        )
        self._embed(Query(words, study.study_id, study.patient_id, reading.frame_index), request)

    def _embed(self, query: Query, request: EmbedRequest) -> None:
        if not self.is_shown:
            self.fold(False)
        self._thread.cancel()
        self._pause.stop()
        self._is_following = False
        self.strip.show_follow(False)
        self._query = query
        self.strip.wait_for(f"The model looks at {query.words}…")
        self._asked = self._window.asker.ask(request)

    def _take_vector(self, number: int, answer: EmbeddingAnswer | ExplanationAnswer) -> None:
        if number != self._asked or self._query is None or not isinstance(answer, EmbeddingAnswer):
            return
        self._asked = 0
        query = self._query
        self._ask(Query(query.words, query.study_id, query.patient_id, query.frame_index, vector=answer.vector))

    def _show_progress(self, number: int, progress: Progress) -> None:
        if number == self._asked:
            self.strip.wait_for(f"The model looks at it: {progress.what}…")

    def _fail_vector(self, number: int, outcome: Outcome) -> None:
        if number == self._asked:
            self._asked, self._query = 0, None
            self.strip.show_message(outcome.message, outcome.hint)

    # What the strip shows

    def _shown_frames(self) -> tuple[FoundFrame, ...]:
        if self.found is None:
            return ()
        return self.found.voters if self.strip.voters.isChecked() else self.found.frames

    def _show_tiles(self) -> None:
        found = self.found
        if found is None:
            return
        frames = self._shown_frames()
        what = "voted on" if self.strip.voters.isChecked() else "like"
        note = " · ".join(filter(None, (found.searched, found.note, found.votes.note)))
        if not frames:
            self.strip.show_message(found.note or "No frame was found.", "Ask for more: Filters…")
            return
        self.strip.show_tiles(
            f"{counted(len(frames), 'frame')} {what} {found.query.words}", len(frames), self._tile, note
        )
        self._show_suggestion()

    def _tile(self, row: int) -> FrameTile:
        """Distance, or weight in the vote; then the time in the own study, the name of another."""
        found = self._shown_frames()[row]
        item, fact = found.neighbour, self._shared.facts.of(found.neighbour.study_id, found.neighbour.frame_index)
        place = fact.study_name if found.relation == "other" else format_time(item.video_seconds)
        is_voter = self.strip.voters.isChecked()
        number = f"{found.weight:.0%}" if is_voter else f"{item.distance:.3g}"
        said = f"{found.weight:.1%} of the votes" if is_voter else f"distance {item.distance:.4g}"
        sentence = f"{fact.sentence}; {RELATIONS[found.relation].title}, {said}"
        return self._shared.tile(fact, f"{number} · {place}", sentence, found.relation)

    def _show_suggestion(self) -> None:
        found = self.found
        suggestion = found.suggestion if found else None
        if found is None or suggestion is None or not found.query.own_frames:
            self.strip.show_suggestion("", "")
            return
        name, share = suggestion
        title = self._session.vocabulary.of(name).title
        study_id, frame_index = next(iter(found.query.own_frames))
        is_open = name not in self._shared.facts.of(study_id, frame_index).labels
        voters = sum(
            name in self._shared.facts.of(one.neighbour.study_id, one.neighbour.frame_index).labels
            for one in found.voters
        )
        tip = f"{voters:,} of {counted(len(found.voters), 'labelled frame')} voted {title.lower()}, {share:.0%} of the "
        tip += "weight (nearer frames weigh more). Y labels it so." if is_open else "weight. It is labelled so."
        self.strip.show_suggestion(f"{title} {share:.2f}", tip, is_open=is_open)

    def close(self) -> None:
        """End the thread; files are let go."""
        self._pause.stop()
        self._thread.close()
        self._search.close()
