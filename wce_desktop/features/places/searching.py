"""Searches the chosen studies for a place, and lists what was found."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from training.runs.events import Outcome, Progress
from wce_desktop.core.clock import counted
from wce_desktop.core.study import Study
from wce_desktop.features.places.model.place_query import PlaceQuery
from wce_desktop.features.places.model.place_search import FoundPlace, FoundPlaces, PlaceSearch
from wce_desktop.features.places.model.study_choices import StudyChoice, not_scored_words, study_choices
from wce_desktop.features.places.model.study_clips import made_by
from wce_desktop.features.places.view.place_lists import FoundRow, PlaceLists
from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Scorer

NOTHING = "Nothing was found."


class PlaceSearching(QObject):
    """The newest search wins; studies that are scored meanwhile are searched again with the others."""

    found_nothing = Signal()

    def __init__(
        self,
        session: Session,
        scorer: Scorer,
        lists: PlaceLists,
        facts: FrameFacts,
        fail: Callable[[str, str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._scorer, self._lists, self._facts, self._fail = session, scorer, lists, facts, fail
        self.query: PlaceQuery | None = None
        self._searched: tuple[str, ...] | None = None
        self._search = PlaceSearch(session)
        self._thread = FunctionThread(self)
        self._thread.returned.connect(self._show_found)
        self._thread.progressed.connect(self._show_progress)
        self._thread.failed.connect(self._search_failed)

    @property
    def is_busy(self) -> bool:
        """True while studies are searched."""
        return self._thread.is_busy

    def start(self, query: PlaceQuery) -> None:
        """Search the chosen studies for a place."""
        self.query = query
        model = self._session.current_model
        self._lists.show_query(f"Place: {query.words}", made_by(model.title) if model is not None else "")
        self._searched = None
        self.refresh()

    def forget(self) -> None:
        """Show no search."""
        self._thread.cancel()
        self.query = self._searched = None
        self._lists.show_query("Press X in the main window to search for a place.", "")
        self._lists.show_choices(())
        self._lists.show_missing("", can_score=0)
        self._lists.show_state("")
        self._lists.show_found(())

    def refresh(self) -> None:
        """List the studies again, and search again if others of the chosen ones are scored now."""
        query = self.query
        if query is None:
            return
        studies = self._session.library.studies()
        here = next(study for study in studies if study.study_id == query.study_id)
        choice = self._lists.show_choices(study_choices(studies, here, self._is_scored))
        self._show_missing(choice)
        if choice is not None and _scored(choice) != self._searched:
            self.search(choice)

    def search(self, choice: StudyChoice) -> None:
        """Search these studies."""
        query, model_id = self.query, self._session.model_id
        if query is None:
            return
        self._show_missing(choice)
        self._lists.show_found(())
        self._searched = _scored(choice)
        if not self._searched:
            self._thread.cancel()
            self._lists.show_state("")
            self.found_nothing.emit()
            return
        self._lists.show_state(f"Searching {counted(len(self._searched), 'study')}…")
        self._thread.request(lambda reporter: self._search.find(query, choice.studies, model_id, reporter))

    def score_missing(self) -> None:
        """Score the chosen studies that could not be searched."""
        choice = self._lists.choice
        for study in choice.not_scored if choice is not None else ():
            self._scorer.score(study)
        self._show_missing(choice)

    def frame_like_query(self, place: FoundPlace) -> int:
        """The frame of a place that lies in it as the frame searched for lies in its place."""
        query = self.query
        share = 0.5 if query is None else (query.frame_index - query.span.start) / len(query.span)
        return place.span.start + int(share * len(place.span))

    def close(self) -> None:
        """End the thread."""
        self._thread.close()

    def _is_scored(self, study: Study) -> bool:
        model_id = self._session.model_id
        return bool(model_id) and self._session.files(study).scores_path(model_id).is_file()

    def _is_scoring(self, study: Study) -> bool:
        return self._scorer.is_scoring(study, self._session.model_id)

    def _show_missing(self, choice: StudyChoice | None) -> None:
        said = not_scored_words(choice, self._is_scoring) if choice is not None else ""
        waiting = [study for study in (choice.not_scored if choice else ()) if not self._is_scoring(study)]
        self._lists.show_missing(said, can_score=len(waiting))

    def _show_progress(self, progress: Progress) -> None:
        if progress.total > 1:
            self._lists.show_state(f"Searching: {progress.done} of {counted(progress.total, 'study')}")

    def _show_found(self, found: FoundPlaces) -> None:
        said = f"{counted(len(found.places), 'place')} in {counted(found.searched, 'study')}, the most similar first."
        self._lists.show_state(" ".join([said if found.places else NOTHING, *found.notes]))
        self._lists.show_found([self._row(place) for place in found.places])
        if not found.places:
            self.found_nothing.emit()

    def _row(self, place: FoundPlace) -> FoundRow:
        frame = self.frame_like_query(place)
        caption = self._facts.of(place.study_id, frame).caption
        text = f"{caption}\nsimilarity {place.similarity:.2f}\n{counted(len(place.span), 'frame')}"
        return FoundRow(place, text, frame)

    def _search_failed(self, outcome: Outcome) -> None:
        self._lists.show_state(NOTHING)
        self.found_nothing.emit()
        self._fail(outcome.message, outcome.hint)


def _scored(choice: StudyChoice) -> tuple[str, ...]:
    return tuple(study.study_id for study in choice.studies if study not in choice.not_scored)
