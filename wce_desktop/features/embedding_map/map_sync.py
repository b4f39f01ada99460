"""Synchronizes a map with the session, and shows the card of the point under the pointer."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint

from wce_desktop.core.annotation.label import Label
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.embedding_map import map_parts, map_state
from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.workspace import Connections, Part, Workspace

TAIL_POINTS = 40


class Frames(Protocol):
    """Frames of any study of the library; see `features.neighbours`."""

    @property
    def facts(self) -> FrameFacts:
        """Data of each frame."""

    @property
    def pictures(self) -> FramePictures:
        """Their small pictures."""

    def open_frame(self, study_id: str, frame_index: int) -> None:
        """Show a frame in its study."""

    def show_selected(self) -> object:
        """Show the selected frames as a grid."""

    def label_selected(self, name: str) -> str:
        """Label all selected frames with a class; returns what was done, in words."""


class MapSync(Part):
    """Synchronizes one map window with the session in both directions.

    Shows the card of the point under the pointer, else of the one that keys went to.
    """

    def __init__(self, workspace: Workspace, owner: Part, frames: Frames, dialog: map_parts.MapBase) -> None:
        super().__init__(workspace, owner)
        session, guard, foot, canvas = workspace.session, workspace.guard, dialog.foot, dialog.canvas
        self._dialog: map_parts.MapBase = dialog
        self._frames, self._canvas, self._card = frames, canvas, dialog.card
        self._row = -1
        canvas.hovered.connect(guard(self._hovered))
        canvas.current_changed.connect(guard(self._hovered))
        canvas.go_requested.connect(guard(lambda row: frames.open_frame(*canvas.state.points.address(row))))
        frames.pictures.arrived.connect(self._arrived)
        dialog.addActions(workspace.share_undo(self, foot.say, (Label,)))
        canvas.selection_requested.connect(guard(self.select_rows))
        foot.set_classes(session.vocabulary)
        foot.label_requested.connect(guard(lambda name: foot.say(frames.label_selected(name))))
        foot.clear.clicked.connect(guard(lambda: session.select_frames(FrameSelection())))
        foot.tiles.clicked.connect(guard(frames.show_selected))
        self._connections = Connections(
            (session.selection_changed, self.show_selection),
            (session.frame_changed, lambda _: self.show_playing()),
            (session.study_opened, self.show_all),
            (session.study_closed, self.show_all),
            (session.span_changed, self.show_span),
        )

    def show_all(self) -> None:
        """Show everything again, for another map or study."""
        self.show_selection()
        self.show_span()
        self.show_playing()

    def select_rows(self, rows: NDArray[np.int64]) -> None:
        """Select the frames of these points in the session."""
        self._session.select_frames(FrameSelection(self._canvas.state.points.frames_of(rows)))

    def show_selection(self) -> None:
        """Show which of the points are selected."""
        canvas, selection = self._canvas, self._session.selection
        rows = canvas.state.points.rows_with({study_id: selection.of(study_id) for study_id in selection.study_ids})
        if not np.array_equal(rows, canvas.state.selected):
            canvas.set_selected(rows)
        self._dialog.foot.show_selection(len(rows), selection.count, len(selection.study_ids))

    def show_span(self) -> None:
        """Show the points of the marked span."""
        reading, rows = self._session.reading, map_state.NO_ROWS
        if reading is not None and reading.place.is_span_marked:
            rows = self._canvas.state.points.rows_in(reading.study.study_id, reading.place.span_to_label())
        self._canvas.set_marked(rows)

    def show_playing(self) -> None:
        """Show where the frame on screen lies, or the frame of the map that is nearest to it in time."""
        reading, points = self._session.reading, self._canvas.state.points
        if reading is None:
            self._canvas.set_tail(map_state.NO_ROWS)
            return
        rows = points.rows_of(reading.study.study_id)
        row = points.row_near(reading.study.study_id, reading.place.frame_index)
        at = int(np.searchsorted(points.frame_index[rows], points.frame_index[row])) if row >= 0 else -1
        self._canvas.set_tail(rows[max(at + 1 - TAIL_POINTS, 0) : at + 1])

    # The card

    def forget(self) -> None:
        """Hide the card: other points are on screen."""
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
