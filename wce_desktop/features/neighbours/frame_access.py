"""What the parts of this feature share: pictures and facts of frames of any study, and opening one of them."""

from collections.abc import Callable
from typing import Protocol

from training.errors import UserError
from wce_desktop.features.neighbours.neighbour_query import Query
from wce_desktop.session.frame_facts import FrameFact, FrameFacts, FramePlaces
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.widgets.frame_tile import FrameTile, Relation
from wce_desktop.workspace import Feature, Workspace


class Says(Protocol):
    """A window with a line for messages."""

    def show_message(self, sentence: str, *, is_error: bool = False) -> None:
        """Say what was done, or why not."""


class FrameAccess(Feature):
    """The feature as its parts know it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.facts = FrameFacts(workspace.session)
        self.pictures = FramePictures(self)
        self.pictures.open(FramePlaces(workspace.session))

    def open_frame(self, study_id: str, frame_index: int) -> None:
        """Show a frame in its study, which is opened where another one is.

        Raises:
            UserError: the study was deleted, or its video was not found.
        """
        reading = self._session.reading
        if reading is not None and reading.study.study_id == study_id:
            self._workspace.go_to_frame(frame_index)
            return
        try:
            study = self._session.library.studies.update(study_id, last_frame=frame_index)
        except KeyError as error:
            raise UserError("The library no longer has the study {study}.", "Search again.", repr(study_id)) from error
        self._workspace.open_study(study)  # opens where it was left, that is, at this frame

    def tile(self, fact: FrameFact, caption: str, sentence: str, relation: Relation) -> FrameTile:
        """A frame as a tile, with the shapes of its labels."""
        labels = tuple(self._session.vocabulary.of(name) for name in fact.labels)
        return FrameTile(fact.study_id, fact.frame_index, caption, sentence, relation, labels)

    def guarded_in(self, window: Callable[[], Says | None], step: Callable[..., object]) -> Callable[..., None]:
        """`Workspace.guard`, with messages also shown in a window, which may cover the banner."""
        guarded, messages = self._workspace.guard(step), self._workspace.messages

        def shown_here(*arguments: object) -> None:
            messages.dismiss()
            guarded(*arguments)
            if (shown := window()) is not None and messages.text:
                shown.show_message(messages.text, is_error=True)

        return shown_here

    def pin(self, query: Query) -> None:
        """Search frames like these, and keep to them while the reader looks at the results."""
        raise NotImplementedError
