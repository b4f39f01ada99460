"""Find this place in another study: search, two studies side by side, and links between their places."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtGui import QImage

from training.errors import UserError
from training.texts import Text
from wce_desktop.core import format_time, tr
from wce_desktop.core.annotation import Change, Edit, Link, Remove
from wce_desktop.features.places import linked_places, study_view
from wce_desktop.features.places.earlier_findings import EarlierFinding, EarlierFindings
from wce_desktop.features.places.pair_view import PairView
from wce_desktop.features.places.place_lists import LinkRow, PlaceLists
from wce_desktop.features.places.place_search import FoundPlace, check_place, finding_query, place_query
from wce_desktop.features.places.places_window import Pair, PairOpening, PlacesWindow
from wce_desktop.features.places.searching import PlaceSearching
from wce_desktop.session.completeness.protocol import HIDDEN
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces
from wce_desktop.session.keys import key_of
from wce_desktop.session.run_models import clip_runs
from wce_desktop.session.session import Session
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.widgets.timeline.content import LinkMark
from wce_desktop.workspace import Connections, Feature, Panel, Part, Scorer, Workspace, guard


class PlaceLinks:
    """The links of any study of the library, in words."""

    def __init__(self, session: Session, facts: FrameFacts) -> None:
        self._session, self._facts = session, facts

    def marks(self, study_id: str) -> list[LinkMark]:
        """What the timeline of a study shows."""
        return [
            LinkMark(place.frame_index, place.is_same, f"{_verdict(place)}: {self._other(place)}")
            for place in linked_places.linked_places(self._session.library, study_id)
        ]

    def show(self, pair: PairView, lists: PlaceLists) -> None:
        """Show the links of both studies on their timelines, and those of the left one in the list."""
        for view in (pair.left, pair.right):
            view.timeline.set_links(self.marks(view.study.study_id) if view.study is not None else ())
        here = pair.left.study.study_id if pair.left.study is not None else ""
        lists.show_links([self._row(here, place) for place in linked_places.linked_places(self._session.library, here)])

    def link(self, pair: PairView, *, is_same: bool) -> str:
        """Link the two frames on screen as one edit, and return what was done.

        Raises:
            UserError: there are not two frames, or they are linked that way already.
        """
        left, right = pair.left, pair.right
        if left.study is None or right.study is None or left.frame_index is None or right.frame_index is None:
            raise UserError("There are not two frames to link.", "Choose a place in the list.")
        library, here = self._session.library, left.study.study_id
        new = Link.new(
            study_id=here,
            frame_index=left.frame_index,
            other_study_id=right.study.study_id,
            other_frame_index=right.frame_index,
            is_same=is_same,
            reader=library.reader,
        )
        changes = linked_places.link_changes(linked_places.linked_places(library, here), new)
        if not changes:
            raise UserError("These two frames are linked that way already.", "Go to other frames.")
        self._edit(linked_places.link_title(left.frame_index, is_same=is_same), changes)
        key = key_of("undo")
        if is_same:
            return tr("Linked as the same place. {key} undoes it.", key=key)
        return tr("Linked as not the same place. {key} undoes it.", key=key)

    def remove(self, place: linked_places.LinkedPlace) -> str:
        """Remove a link as one edit, and return what was done."""
        self._edit(Text("Remove a link with another study"), {place.link.study_id: [Remove(place.link)]})
        return tr("The link was removed. {key} undoes it.", key=key_of("undo"))

    def _edit(self, title: str, changes: Mapping[str, Sequence[Change]]) -> None:
        reading = self._session.reading
        if reading is not None and set(changes) == {reading.study.study_id}:
            self._session.edits.apply(title, changes[reading.study.study_id])
        else:
            self._session.edits.apply_to_studies(title, changes)

    def _row(self, study_id: str, place: linked_places.LinkedPlace) -> LinkRow:
        here = format_time(self._facts.of(study_id, place.frame_index).video_seconds)
        return place, f"{here}  –  {self._other(place)}\n{_verdict(place)}"

    def _other(self, place: linked_places.LinkedPlace) -> str:
        return self._facts.of(place.other_study_id, place.other_frame_index).caption


def _verdict(place: linked_places.LinkedPlace) -> str:
    return tr("the same place") if place.is_same else tr("not the same place")


class PlacesFeature(Feature):
    """Marks linked places on the timeline of the open study; the rest is made when its window is opened first."""

    own_actions = ("find_place", "show_linked", "show_earlier")

    def __init__(self, workspace: Workspace, scorer: Scorer) -> None:
        super().__init__(workspace)
        self._scorer = scorer
        self._facts = FrameFacts(workspace.session)
        self._links = PlaceLinks(workspace.session, self._facts)
        self._shown: ShownPlaces | None = None
        self.earlier = EarlierFindings(workspace, self, self._facts, self._find_here)
        self.panels = (Panel(self.earlier.strip, "below frame"),)
        self.show_earlier = self.earlier.toggle
        session = workspace.session
        self._connections = Connections(
            (session.study_opened, self._refresh_links),
            (session.annotations_changed, self._annotations_changed),
            (session.studies_changed, self._studies_changed),
            (session.scoring_changed, self._search_again),
            (session.runs_changed, self._search_again),
            (session.comparing_changed, self._search_again),
            (session.model_changed, self._model_changed),
        )

    @property
    def window(self) -> PlacesWindow | None:
        """The window, once it was opened."""
        return self._shown.window if self._shown is not None else None

    def find_place(self) -> None:
        """Search other studies for the marked span, the finding or event on screen, or the frames around this one."""
        session = self._session
        needs_scores = not clip_runs(session.library)  # else the window offers a clip model, and to score the study
        reading = self._workspace.reading
        check_place(reading, len(session.library.studies.all()) - 1, needs_scores=needs_scores)
        query = place_query(reading)
        shown = self._open_window(tab=0)
        shown.opening.open(Pair(query.study_id, query.frame_index, left_span=query.span))
        shown.searching.start(query)

    def _find_here(self, earlier: EarlierFinding) -> None:
        """Search the open study for the place of a finding of an earlier study, which is shown beside it."""
        if self._workspace.reading.flags.is_hidden:
            raise UserError(HIDDEN, "Finish it: Reading > Suggested findings > Finish the first pass.")
        here, study = self._workspace.reading.study, earlier.study
        seconds = self._facts.of(study.study_id, earlier.frame_index).video_seconds
        title = self._session.vocabulary.of(earlier.finding.kind).shown_title
        query = finding_query(study, earlier.finding, earlier.frame_index, title, seconds)
        shown = self._open_window(tab=0)
        shown.opening.open(Pair(query.study_id, query.frame_index, left_span=query.span))
        shown.searching.start(query, here.study_id)

    def show_linked(self) -> None:
        """List the places of the open study that are linked with other studies."""
        reading = self._workspace.reading
        shown = self._open_window(tab=1)
        if shown.opening.left_id != reading.study.study_id:
            shown.searching.forget()
            shown.opening.open(Pair(reading.study.study_id, reading.place.frame_index))
        self._refresh_links()

    def _open_window(self, tab: int) -> "ShownPlaces":
        if self._shown is None:
            self._shown = ShownPlaces(self._workspace, self._scorer, self._facts, self._links, self)
            self._shown.opening.opened.connect(self._refresh_links)
        self._shown.window.lists.setCurrentIndex(tab)
        self._shown.window.open()
        self._shown.window.show_message("")
        return self._shown

    # Slots of the session

    def _refresh_links(self) -> None:
        reading = self._session.reading
        if reading is not None:
            self._workspace.timeline.set_links(self._links.marks(reading.study.study_id))
        if self._shown is not None:
            self._links.show(self._shown.window.pair, self._shown.window.lists)

    def _annotations_changed(self, edit: Edit | None) -> None:
        if edit is None or edit.group_id or edit.touches(Link):
            self._refresh_links()

    def _studies_changed(self) -> None:
        self._facts.forget()
        self._refresh_links()
        self._search_again()

    def _search_again(self) -> None:
        if self._shown is not None and self._shown.window.isVisible():
            self._shown.searching.refresh()

    def _model_changed(self) -> None:
        if self._shown is not None:
            self._shown.model_changed()


class ShownPlaces(Part):
    """The window, with what searches, reads and links for it."""

    def __init__(
        self, workspace: Workspace, scorer: Scorer, facts: FrameFacts, links: PlaceLinks, owner: PlacesFeature
    ) -> None:
        super().__init__(workspace, owner)
        self._pictures = FramePictures(self)
        self._pictures.open(FramePlaces(self._session))
        self._pictures.arrived.connect(self._picture_arrived)
        actions = workspace.share_undo(self, lambda message: self.window.show_message(message), (Link,))
        self.window = window = PlacesWindow(self._session.vocabulary, self._pictures.get, actions, workspace.window)
        lists, pair = window.lists, window.pair
        self.searching = PlaceSearching(workspace, self, scorer, lists, facts, window.show_error)
        self.searching.found_nothing.connect(pair.clear_right)
        self.opening = PairOpening(workspace, self, pair, window.show_error)
        self.opening.opened.connect(self._mark_found)
        guard = self._guard
        lists.choice_changed.connect(guard(self.searching.search))
        lists.source_chosen.connect(guard(self._session.scores.compare_by))
        lists.missing_requested.connect(guard(self.searching.make_missing))
        lists.place_chosen.connect(guard(self._open_place))
        lists.link_chosen.connect(guard(self._open_link))
        lists.remove_requested.connect(guard(lambda place: window.show_message(links.remove(place))))
        pair.link_requested.connect(guard(lambda is_same: window.show_message(links.link(pair, is_same=is_same))))
        for view in (pair.left, pair.right):
            view.timeline.popup.provider = partial(self._thumbnail, view)

    @property
    def is_busy(self) -> bool:
        """True while studies are searched or read, or pictures and frames are on their way."""
        is_drawing = self.window.isVisible() and not self.window.pair.is_settled
        return super().is_busy or self._pictures.is_busy or is_drawing

    def model_changed(self) -> None:
        """Another model is in use: what was found is no longer of interest."""
        self.searching.forget()
        self._pictures.open(FramePlaces(self._session))
        self.window.show_message(tr("Another model is now in use."))

    def close(self) -> None:
        """End the threads."""
        super().close()
        self._pictures.close()
        self.window.pair.both(lambda player: player.shutdown())
        self.window.close()

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot: an error that is meant for the reader is shown in this window."""
        return guard(step, lambda error: self.window.show_error(tr(error.message), tr(error.hint)))

    def _open_place(self, place: FoundPlace) -> None:
        query = self.searching.query
        if query is None:
            raise UserError(
                "This search is over.", "Press {key} in the main window to search again.", key_of("find_place")
            )
        frame = self.searching.frame_like_query(place)
        self.window.show_message("")
        self.opening.open(Pair(query.study_id, query.frame_index, place.study_id, frame, query.span, place.span))

    def _open_link(self, place: linked_places.LinkedPlace) -> None:
        self.window.show_message("")
        self.opening.open(Pair(self.opening.left_id, place.frame_index, place.other_study_id, place.other_frame_index))

    def _mark_found(self) -> None:
        """Mark on the timeline at the right what was found in that study."""
        right = self.window.pair.right
        starts = [place.span.start for place in self.window.lists.places if right.shows(place.study_id)]
        right.timeline.set_selected(np.array(sorted(starts), np.int64))

    def _thumbnail(self, view: study_view.StudyView, frame_index: int) -> QImage | None:
        return None if view.study is None else self._pictures.get(view.study.study_id, frame_index)

    def _picture_arrived(self, study_id: str, frame_index: int) -> None:
        self.window.lists.show_picture(study_id, frame_index)
        for view in (self.window.pair.left, self.window.pair.right):
            if view.shows(study_id):
                view.timeline.popup.picture_ready(frame_index)
