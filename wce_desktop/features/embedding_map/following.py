"""What the session says, shown on the map: the selection, the playing frame with its tail, the marked span."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.embedding_map.view.map_state import NO_ROWS

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.view.evolution_window import EvolutionWindow
    from wce_desktop.features.embedding_map.view.map_window import MapWindow
    from wce_desktop.session.session import Session

TAIL_POINTS = 40


class MapFollowing(QObject):
    """Keeps one map window in step with the session, and hands its selections to the session."""

    def __init__(self, session: "Session", dialog: "MapWindow | EvolutionWindow", parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._dialog = session, dialog
        self._connections = (
            (session.selection_changed, self.show_selection),
            (session.frame_changed, self._frame_changed),
            (session.study_opened, self.show_all),
            (session.study_closed, self.show_all),
            (session.span_changed, self.show_span),
        )
        for signal, slot in self._connections:
            signal.connect(slot)

    def stop(self) -> None:
        """Follow no more."""
        for signal, slot in self._connections:
            signal.disconnect(slot, missing_ok=True)

    def show_all(self) -> None:
        """Show everything anew: another map, or another study."""
        self.show_selection()
        self.show_span()
        self.show_playing()

    def select_rows(self, rows: NDArray[np.int64]) -> None:
        """Let the frames of these points be the session's selection."""
        self._session.select_frames(FrameSelection(self._dialog.canvas.state.points.frames_of(rows)))

    def clear(self) -> None:
        """Select nothing."""
        self._session.select_frames(FrameSelection())

    def show_selection(self) -> None:
        """Show which of the points are selected."""
        canvas, selection = self._dialog.canvas, self._session.selection
        rows = canvas.state.points.rows_with({one: selection.of(one) for one in selection.study_ids})
        if not np.array_equal(rows, canvas.state.selected):
            canvas.set_selected(rows)
        self._dialog.foot.show_selection(len(rows), selection.count, len(selection.study_ids))

    def show_span(self) -> None:
        """Show the points of the marked span."""
        reading, points = self._session.reading, self._dialog.canvas.state.points
        rows = NO_ROWS
        if reading is not None and reading.is_span_marked:
            span, rows = reading.span_to_label(), points.rows_of(reading.study.study_id)
            first, last = np.searchsorted(points.frame_index[rows], (span.start, span.stop))
            rows = rows[first:last]
        self._dialog.canvas.set_marked(rows)

    def show_playing(self) -> None:
        """Show where the frame on screen lies, or the frame of the map that is nearest to it in time."""
        reading, points = self._session.reading, self._dialog.canvas.state.points
        if reading is None:
            self._dialog.canvas.set_tail(NO_ROWS)
            return
        rows = points.rows_of(reading.study.study_id)
        row = points.row_near(reading.study.study_id, reading.frame_index)
        at = int(np.searchsorted(points.frame_index[rows], points.frame_index[row])) if row >= 0 else -1
        self._dialog.canvas.set_tail(rows[max(at + 1 - TAIL_POINTS, 0) : at + 1])

    def _frame_changed(self, _: int) -> None:
        self.show_playing()
