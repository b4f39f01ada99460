"""Find this place in another study: search, two studies side by side, links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from psygnal import EmitLoopError
from PySide6.QtGui import QImage

from training.errors import UserError
from training.runs.events import Outcome, Progress
from wce_desktop.core.change import Change, Edit, Remove
from wce_desktop.core.clock import counted, format_time
from wce_desktop.core.link import Link
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.places.model.linked_places import LinkedPlace, link_changes, link_title, linked_places
from wce_desktop.features.places.model.place_query import PlaceQuery, check_place, place_query
from wce_desktop.features.places.model.place_search import FoundPlace, FoundPlaces, PlaceSearch
from wce_desktop.features.places.model.shown_study import ShownStudy, StudyReader
from wce_desktop.features.places.model.study_choices import StudyChoice, not_scored_words, study_choices
from wce_desktop.features.places.model.study_clips import made_by
from wce_desktop.features.places.view.place_lists import FoundRow, LinkRow
from wce_desktop.features.places.view.places_window import PlacesWindow
from wce_desktop.features.places.view.study_view import StudyView
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.widgets.timeline.content import LinkMark
from wce_desktop.workspace import Feature, Scorer, Workspace, error_for_reader, methods


@dataclass(frozen=True)
class Pair:
    """Two places to show side by side; without `right_id` only the left one."""

    left_id: str
    left_frame: int
    right_id: str = ""
    right_frame: int = 0
    left_span: Span | None = None
    right_span: Span | None = None


class PlacesFeature(Feature):
    """Searches and reads studies in threads; the newest request wins."""

    def __init__(self, workspace: Workspace, scorer: Scorer) -> None:
        super().__init__(workspace)
        self._workspace, self._session, self._scorer = workspace, workspace.session, scorer
        self._window: PlacesWindow | None = None
        self._query: PlaceQuery | None = None
        self._searched: tuple[str, ...] = ()
        self._facts = FrameFacts(self._session)
        self._search = PlaceSearch(self._session)
        self._pictures = FramePictures(self)
        self._pictures.arrived.connect(self._picture_arrived)
        self._searching, self._opening = FunctionThread(self), FunctionThread(self)
        self._searching.returned.connect(self._guard(self._show_found))
        self._searching.progressed.connect(self._show_progress)
        self._searching.failed.connect(self._search_failed)
        self._opening.returned.connect(self._guard(self._show_opened))
        self._opening.failed.connect(self._fail)
        session = self._session
        self._connections = (
            (session.study_opened, self._refresh_links),
            (session.annotations_changed, self._annotations_changed),
            (session.studies_changed, self._studies_changed),
            (session.scoring_changed, self._refresh_choices),
            (session.model_changed, self._model_changed),
        )
        for signal, slot in self._connections:
            signal.connect(slot)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return methods(self, ("find_place", "show_linked"))

    @property
    def is_busy(self) -> bool:
        """True while studies are searched or read, or pictures and frames are on their way."""
        is_drawing = self._window is not None and self._window.isVisible() and not self._window.pair.is_settled
        return self._searching.is_busy or self._opening.is_busy or self._pictures.is_busy or is_drawing

    def find_place(self) -> None:
        """Search other studies for the marked span, the finding or event on screen, or the frames around this one."""
        session = self._session
        reading = check_place(session.reading, len(session.library.studies()) - 1)
        self._query = query = place_query(reading)
        window = self._open_window()
        window.lists.setCurrentIndex(0)
        assert session.current_model is not None
        window.lists.show_query(f"Place: {query.words}", made_by(session.current_model.title))
        self._show_pair(Pair(query.study_id, query.frame_index, left_span=query.span))
        self._refresh_choices()
        self._search_chosen()

    def show_linked(self) -> None:
        """List the places of the open study that are linked with other studies."""
        reading = self._workspace.reading
        window = self._open_window()
        window.lists.setCurrentIndex(1)
        if self._left_id != reading.study.study_id:
            self._forget_search()
            self._show_pair(Pair(reading.study.study_id, reading.frame_index))
        self._refresh_choices()
        self._refresh_links()

    def close(self) -> None:
        """End the threads and disconnect."""
        for signal, slot in self._connections:
            signal.disconnect(slot, missing_ok=True)
        for thread in (self._searching, self._opening):
            thread.close()
        self._pictures.close()
        if self._window is not None:
            self._window.pair.shutdown()
            self._window.close()

    # The window

    def _open_window(self) -> PlacesWindow:
        if self._window is None:
            self._pictures.open(FramePlaces(self._session))
            actions = self._workspace.menus.of_menu("", further=("undo", "redo"))
            self._window = window = PlacesWindow(
                self._session.vocabulary, self._pictures.get, actions, self._workspace.window
            )
            lists, guard = window.lists, self._guard
            lists.choice_changed.connect(guard(lambda _: self._search_chosen()))
            lists.score_requested.connect(guard(self._score))
            lists.place_chosen.connect(guard(self._open_place))
            lists.link_chosen.connect(guard(self._open_link))
            lists.remove_requested.connect(guard(self._remove))
            window.pair.link_requested.connect(guard(self._link))
            for view in (window.pair.left, window.pair.right):
                view.timeline.set_thumbnail_provider(partial(self._thumbnail, view))
        self._window.open()
        self._window.show_message("")
        return self._window

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot: an error that is meant for the reader is shown in this window."""

        def guarded(*arguments: object) -> None:
            try:
                step(*arguments)
            except (UserError, EmitLoopError) as error:
                shown = error_for_reader(error)
                if shown is None:
                    raise
                self._say_error(shown.message, shown.hint)

        return guarded

    def _say_error(self, message: str, hint: str) -> None:
        if self._window is not None and self._window.isVisible():
            self._window.show_error(message, hint)
        else:
            self._workspace.show_error(message, hint)

    def _fail(self, outcome: Outcome) -> None:
        self._say_error(outcome.message, outcome.hint)

    @property
    def _left_id(self) -> str:
        shown = self._window.pair.left.study if self._window is not None else None
        return shown.study_id if shown is not None else ""

    # Searching

    def _refresh_choices(self) -> None:
        """List the studies again; search again where more of the chosen ones are scored than were searched."""
        window, query = self._window, self._query
        if window is None or not window.isVisible() or query is None:
            return
        library, model_id = self._session.library, self._session.model_id
        studies = library.studies()
        here = next((study for study in studies if study.study_id == query.study_id), None)
        if here is None:
            return
        choice = window.lists.show_choices(study_choices(studies, here, lambda study: self._is_scored(study, model_id)))
        self._show_missing(choice)
        if choice is not None and self._searched and self._to_search(choice) != self._searched:
            self._search_chosen()

    def _is_scored(self, study: Study, model_id: str) -> bool:
        return bool(model_id) and self._session.files(study).scores_path(model_id).is_file()

    def _to_search(self, choice: StudyChoice) -> tuple[str, ...]:
        return tuple(study.study_id for study in choice.studies if study not in choice.not_scored)

    def _show_missing(self, choice: StudyChoice | None) -> None:
        assert self._window is not None
        model_id = self._session.model_id
        missing = choice.not_scored if choice is not None else ()
        said = not_scored_words(choice, self._is_scoring) if choice is not None else ""
        can_score = any(not self._scorer.is_scoring(study, model_id) for study in missing)
        self._window.lists.show_missing(said, can_score)

    def _is_scoring(self, study: Study) -> bool:
        return self._scorer.is_scoring(study, self._session.model_id)

    def _score(self) -> None:
        """Score the studies that could not be searched."""
        assert self._window is not None
        choice = self._window.lists.choice
        for study in choice.not_scored if choice is not None else ():
            self._scorer.score(study)
        self._refresh_choices()

    def _search_chosen(self) -> None:
        window, query = self._window, self._query
        if window is None or query is None:
            return
        choice = window.lists.choice
        self._show_missing(choice)
        window.lists.show_found(())
        self._searched = self._to_search(choice) if choice is not None else ()
        if choice is None or not self._searched:
            self._searching.cancel()
            window.lists.show_state("No study to search has been scored by the model in use.")
            self._searched = ("",)
            return
        window.lists.show_state(f"Searching {counted(len(self._searched), 'study')}…")
        model_id, studies = self._session.model_id, choice.studies
        self._searching.request(lambda reporter: self._search.find(query, studies, model_id, reporter))

    def _show_progress(self, progress: Progress) -> None:
        if self._window is not None and progress.total > 1:
            self._window.lists.show_state(f"Searching: {progress.done} of {counted(progress.total, 'study')}")

    def _show_found(self, found: FoundPlaces) -> None:
        window = self._window
        if window is None or found.query is not self._query:
            return
        said = f"{counted(len(found.places), 'place')} in {counted(found.searched, 'study')}, the most similar first"
        window.lists.show_state(" ".join([f"{said}." if found.places else "Nothing was found.", *found.notes]))
        window.lists.show_found([self._found_row(place) for place in found.places])
        if not found.places:
            window.pair.right.clear("Nothing was found.")

    def _found_row(self, place: FoundPlace) -> FoundRow:
        frame = self._frame_like_query(place)
        fact = self._facts.of(place.study_id, frame)
        text = f"{fact.caption}\nsimilarity {place.similarity:.2f}\n{counted(len(place.span), 'frame')}"
        return FoundRow(place, text, frame)

    def _frame_like_query(self, place: FoundPlace) -> int:
        """The frame of a place that lies in it as the frame searched for lies in its place."""
        query = self._query
        share = 0.5 if query is None else (query.frame_index - query.span.start) / len(query.span)
        return place.span.start + int(share * len(place.span))

    def _search_failed(self, outcome: Outcome) -> None:
        if self._window is not None:
            self._window.lists.show_state("Nothing was found.")
        self._fail(outcome)

    def _forget_search(self) -> None:
        self._searching.cancel()
        self._query, self._searched = None, ()
        if self._window is not None:
            self._window.lists.show_query("Search for a place with X.", "")
            self._window.lists.show_choices(())
            self._window.lists.show_missing("", False)
            self._window.lists.show_state("")
            self._window.lists.show_found(())

    # Two studies side by side

    def _open_place(self, place: FoundPlace) -> None:
        query = self._query
        assert query is not None
        frame = self._frame_like_query(place)
        self._show_pair(Pair(query.study_id, query.frame_index, place.study_id, frame, query.span, place.span))

    def _open_link(self, place: LinkedPlace) -> None:
        self._show_pair(Pair(self._left_id, place.frame_index, place.other_study_id, place.other_frame_index))

    def _show_pair(self, pair: Pair) -> None:
        """Show two places; studies that are not shown yet are read first."""
        assert self._window is not None
        self._window.show_message("")
        view = self._window.pair
        sides = (view.left, pair.left_id), (view.right, pair.right_id)
        wanted = [study_id for side, study_id in sides if study_id and not side.shows(study_id)]
        reader = StudyReader(self._session)

        def read(_: object) -> tuple[Pair, dict[str, ShownStudy | UserError]]:
            found: dict[str, ShownStudy | UserError] = {}
            for study_id in wanted:
                try:
                    found[study_id] = reader.read(study_id)
                except UserError as error:
                    found[study_id] = error
            return pair, found

        if wanted:
            self._opening.request(read)
        else:
            self._opening.cancel()
            self._show_opened((pair, {}))

    def _show_opened(self, opened: tuple[Pair, dict[str, ShownStudy | UserError]]) -> None:
        assert self._window is not None
        pair, read = opened
        view = self._window.pair
        for study_id, side in ((pair.left_id, view.left), (pair.right_id, view.right)):
            error = read.get(study_id)
            if isinstance(error, UserError):
                side.clear(f"{error.message} {error.hint}")
                self._refresh_links()
                raise error
        left, right = (_shown(read.get(study_id)) for study_id in (pair.left_id, pair.right_id))
        if not pair.right_id:
            view.right.clear("Choose a place in the list.")
        view.open_pair(left, pair.left_frame, right, pair.right_frame)
        view.left.set_marked(pair.left_span)
        view.right.set_marked(pair.right_span)
        self._refresh_links()

    def _thumbnail(self, view: StudyView, frame_index: int) -> QImage | None:
        return None if view.study is None else self._pictures.get(view.study.study_id, frame_index)

    def _picture_arrived(self, study_id: str, frame_index: int) -> None:
        if self._window is None:
            return
        self._window.lists.show_picture(study_id, frame_index)
        for view in (self._window.pair.left, self._window.pair.right):
            if view.study is not None and view.study.study_id == study_id:
                view.timeline.thumbnail_ready(frame_index)

    # Links

    def _link(self, is_same: bool) -> None:
        assert self._window is not None
        left, right = self._window.pair.left, self._window.pair.right
        if left.study is None or right.study is None or left.frame_index is None or right.frame_index is None:
            raise UserError("There are not two frames to link.", "Choose a place in the list.")
        library, here = self._session.library, left.study.study_id
        changes = link_changes(
            linked_places(library, here),
            study_id=here,
            frame_index=left.frame_index,
            other_study_id=right.study.study_id,
            other_frame_index=right.frame_index,
            is_same=is_same,
            reader=library.reader,
        )
        if not changes:
            raise UserError("These two frames are linked that way already.", "Go to other frames.")
        self._apply(link_title(is_same, left.frame_index), changes)
        said = "Linked as the same place." if is_same else "Noted as not the same place."
        self._window.show_message(f"{said} Ctrl+Z undoes it.")

    def _remove(self, place: LinkedPlace) -> None:
        self._apply("Remove a link with another study", {place.link.study_id: [Remove(place.link)]})
        assert self._window is not None
        self._window.show_message("The link was removed. Ctrl+Z undoes it.")

    def _apply(self, title: str, changes: Mapping[str, Sequence[Change]]) -> None:
        reading = self._session.reading
        if reading is not None and set(changes) == {reading.study.study_id}:
            self._session.edit(title, changes[reading.study.study_id])
        else:
            self._session.edit_studies(title, changes)

    def _refresh_links(self) -> None:
        """Show the linked places on the timelines and in the list."""
        reading = self._session.reading
        if reading is not None:
            self._workspace.timeline.set_links(self._marks(reading.study.study_id))
        if self._window is None:
            return
        for view in (self._window.pair.left, self._window.pair.right):
            view.set_links(self._marks(view.study.study_id) if view.study is not None else ())
        left = self._left_id
        self._window.lists.show_links([self._link_row(left, place) for place in self._linked(left)])

    def _linked(self, study_id: str) -> tuple[LinkedPlace, ...]:
        return linked_places(self._session.library, study_id) if study_id else ()

    def _marks(self, study_id: str) -> list[LinkMark]:
        marks = []
        for place in self._linked(study_id):
            other = self._facts.of(place.other_study_id, place.other_frame_index).caption
            marks.append(LinkMark(place.frame_index, place.is_same, f"{_verdict(place)}: {other}"))
        return marks

    def _link_row(self, study_id: str, place: LinkedPlace) -> LinkRow:
        here = format_time(self._facts.of(study_id, place.frame_index).video_seconds)
        there = self._facts.of(place.other_study_id, place.other_frame_index).caption
        return LinkRow(place, f"{here}  –  {there}\n{_verdict(place)}")

    # Slots of the session

    def _annotations_changed(self, edit: Edit | None) -> None:
        if edit is None or edit.group_id or edit.touches(Link):
            self._refresh_links()

    def _studies_changed(self) -> None:
        self._facts.forget()
        self._refresh_choices()

    def _model_changed(self) -> None:
        self._forget_search()
        if self._window is not None:
            self._pictures.open(FramePlaces(self._session))
            self._window.show_message("Another model is now in use. Search again: X.")


def _shown(read: ShownStudy | UserError | None) -> ShownStudy | None:
    return read if isinstance(read, ShownStudy) else None


def _verdict(place: LinkedPlace) -> str:
    return "the same place" if place.is_same else "not the same place"
