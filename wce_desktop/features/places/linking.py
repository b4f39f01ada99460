"""Links places of two studies, and shows the links on timelines and in the list."""

from collections.abc import Mapping, Sequence

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation.change import Change, Remove
from wce_desktop.core.clock import format_time
from wce_desktop.core.language import tr
from wce_desktop.features.places.model.linked_places import LinkedPlace, link_changes, link_title, linked_places
from wce_desktop.features.places.view.pair_view import PairView
from wce_desktop.features.places.view.place_lists import LinkRow, PlaceLists
from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session
from wce_desktop.widgets.timeline.content import LinkMark


class PlaceLinks:
    """The links of any study of the library, in words."""

    def __init__(self, session: Session, facts: FrameFacts) -> None:
        self._session, self._facts = session, facts

    def marks(self, study_id: str) -> list[LinkMark]:
        """What the timeline of a study shows."""
        return [
            LinkMark(place.frame_index, place.is_same, f"{_verdict(place)}: {self._other(place)}")
            for place in linked_places(self._session.library, study_id)
        ]

    def show(self, pair: PairView, lists: PlaceLists) -> None:
        """Show the links of both studies on their timelines, and those of the left one in the list."""
        for view in (pair.left, pair.right):
            view.set_links(self.marks(view.study.study_id) if view.study is not None else ())
        rows = []
        if pair.left.study is not None:
            here = pair.left.study.study_id
            rows = [self._row(here, place) for place in linked_places(self._session.library, here)]
        lists.show_links(rows)

    def link(self, pair: PairView, *, is_same: bool) -> str:
        """Link the two frames on screen as one edit, and return what was done.

        Raises:
            UserError: there are not two frames, or they are linked that way already.
        """
        left, right = pair.left, pair.right
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
        self._edit(link_title(left.frame_index, is_same=is_same), changes)
        key = key_of("undo")
        if is_same:
            return tr("Linked as the same place. {key} undoes it.", key=key)
        return tr("Linked as not the same place. {key} undoes it.", key=key)

    def remove(self, place: LinkedPlace) -> str:
        """Remove a link as one edit, and return what was done."""
        self._edit(Text("Remove a link with another study"), {place.link.study_id: [Remove(place.link)]})
        return tr("The link was removed. {key} undoes it.", key=key_of("undo"))

    def _edit(self, title: str, changes: Mapping[str, Sequence[Change]]) -> None:
        reading = self._session.reading
        if reading is not None and set(changes) == {reading.study.study_id}:
            self._session.edits.apply(title, changes[reading.study.study_id])
        else:
            self._session.edits.apply_to_studies(title, changes)

    def _row(self, study_id: str, place: LinkedPlace) -> LinkRow:
        here = format_time(self._facts.of(study_id, place.frame_index).video_seconds)
        return LinkRow(place, f"{here}  –  {self._other(place)}\n{_verdict(place)}")

    def _other(self, place: LinkedPlace) -> str:
        return self._facts.of(place.other_study_id, place.other_frame_index).caption


def _verdict(place: LinkedPlace) -> str:
    return tr("the same place") if place.is_same else tr("not the same place")
