"""Which frame a point of a map is: its picture and words beside it, and going to it in its study."""

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint

from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.workspace import Workspace

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.view.hover_card import HoverCard
    from wce_desktop.features.embedding_map.view.map_canvas import MapCanvas


class Frames(Protocol):
    """Frames of any study of the library; see `features.neighbours`."""

    @property
    def facts(self) -> FrameFacts:
        """What is known of each."""

    @property
    def pictures(self) -> FramePictures:
        """Their small pictures."""

    def open_frame(self, study_id: str, frame_index: int) -> None:
        """Show a frame in its study."""

    def show_selected(self) -> object:
        """Show the selected frames as a grid."""


class MapHovering(QObject):
    """Shows the card of the point under the pointer, else of the one that keys went to."""

    def __init__(
        self, workspace: Workspace, frames: Frames, canvas: "MapCanvas", card: "HoverCard", parent: QObject
    ) -> None:
        super().__init__(parent)
        self._frames, self._canvas, self._card = frames, canvas, card
        self._row = -1
        canvas.hovered.connect(workspace.guard(self._hovered))
        canvas.current_changed.connect(workspace.guard(self._hovered))
        canvas.go_requested.connect(workspace.guard(self.go_to))
        frames.pictures.arrived.connect(self._arrived)

    def go_to(self, row: int) -> None:
        """Open the frame of a point in its study."""
        self._frames.open_frame(*self._canvas.state.points.address(row))

    def forget(self) -> None:
        """Other points are on screen: no card."""
        self._hovered(-1, QPoint())

    def _hovered(self, row: int, at: QPoint) -> None:
        if row < 0 and self._canvas.state.current >= 0:
            row = self._canvas.state.current
            at = self._canvas.place_of(row)
        self._row = row
        if row < 0:
            self._card.hide()
            return
        address = self._canvas.state.points.address(row)
        self._card.show_at(at, self.words_of(row), self._frames.pictures.get(*address))

    def words_of(self, row: int) -> str:
        """ "P03, frame 31,204 at 1:02:14, labelled polyp. Highest score: 0.90 to 1.00, flagged"."""
        state = self._canvas.state
        fact = self._frames.facts.of(*state.points.address(row))
        category = state.coloring.categories[int(state.coloring.codes[row])]
        by = f"\n{state.coloring.title}: {category.title}" if len(state.coloring.categories) > 1 else ""
        return f"{fact.sentence}{by}"

    def _arrived(self, study_id: str, frame_index: int) -> None:
        points = self._canvas.state.points
        if 0 <= self._row < len(points) and points.address(self._row) == (study_id, frame_index):
            self._card.set_picture(self._frames.pictures.get(study_id, frame_index))
