"""Which frame a point of a map is: its picture and words beside it, and going to it in its study."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.view.hover_card import HoverCard
    from wce_desktop.features.embedding_map.view.map_canvas import MapCanvas
    from wce_desktop.shell.main_window import MainWindow


class MapHovering(QObject):
    """Shows the card of the point under the pointer, else of the one that keys went to."""

    def __init__(self, window: "MainWindow", canvas: "MapCanvas", card: "HoverCard", parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._canvas, self._card = window, canvas, card
        self._row = -1
        canvas.hovered.connect(window.guard(self._hovered))
        canvas.current_changed.connect(window.guard(self._hovered))
        canvas.go_requested.connect(window.guard(self.go_to))
        window.alike.pictures.arrived.connect(self._arrived)

    def go_to(self, row: int) -> None:
        """Open the frame of a point in its study."""
        self._window.alike.open_frame(*self._canvas.state.points.address(row))

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
        self._card.show_at(at, self.words_of(row), self._window.alike.pictures.get(*address))

    def words_of(self, row: int) -> str:
        """ "P03, frame 31,204 at 1:02:14, labelled polyp. Highest score: 0.90 to 1.00, flagged"."""
        state = self._canvas.state
        fact = self._window.alike.facts.of(*state.points.address(row))
        category = state.coloring.categories[int(state.coloring.codes[row])]
        by = f"\n{state.coloring.title}: {category.title}" if len(state.coloring.categories) > 1 else ""
        return f"{fact.sentence}{by}"

    def _arrived(self, study_id: str, frame_index: int) -> None:
        points = self._canvas.state.points
        if 0 <= self._row < len(points) and points.address(self._row) == (study_id, frame_index):
            self._card.set_picture(self._window.alike.pictures.get(study_id, frame_index))
