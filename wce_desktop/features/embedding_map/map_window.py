"""The Map window: maps at the left, the map in the middle, its legend at the right; it follows the session."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListWidgetItem, QWidget

from training.runs.events import Outcome
from wce_desktop.core.annotation.label import NORMAL, Label
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.embedding_map import map_coloring, map_facts, map_parts, map_points, map_state
from wce_desktop.features.embedding_map.maps import SavedMap
from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs, frame_pictures, plain_text
from wce_desktop.widgets.basic import as_widget, in_column, in_row, make_button, make_heading, make_list, make_text
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Connections, Part, Workspace

_ID = Qt.ItemDataRole.UserRole


class MapList(QWidget):
    """The list of maps with its buttons."""

    map_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = make_list(tr("Maps of the library"))
        self.rows.currentItemChanged.connect(self._chosen)
        self.note = make_text(COLORS.muted)
        tip = tr("Choose studies, a model and a method (Ctrl+N)")
        self.new = make_button(tr("New map…"), tip, is_primary=True)
        self.new.setShortcut("Ctrl+N")
        self.resume = make_button(tr("Resume"), tr("Resume this map where it was stopped"))
        self.rename = make_button(tr("Rename…"), tr("Give this map another name"))
        self.delete = make_button(tr("Delete…"), tr("Delete this map; embeddings and labels stay"))
        change = in_row((self.rename, 1), (self.delete, 1))
        heading = make_heading(tr("MAPS"))
        in_column(heading, self.new, (self.rows, 1), self.note, self.resume, change, of=self, margins=0)
        self.set_actions(has_map=False, can_resume=False)

    @property
    def chosen(self) -> str:
        """The id of the chosen map; empty for none."""
        item = self.rows.currentItem()
        return str(item.data(_ID)) if item is not None else ""

    def show_maps(self, maps: Sequence[SavedMap], chosen: str) -> None:
        """Show these maps, one of them chosen, without emitting signals."""
        with QSignalBlocker(self.rows):
            self.rows.clear()
            for kept in maps:
                item = QListWidgetItem(f"{kept.title}\n{kept.words}", self.rows)
                item.setData(_ID, kept.map_id)
                item.setToolTip(plain_text.plain(kept.title))
                if kept.map_id == chosen:
                    self.rows.setCurrentItem(item)

    def set_actions(self, *, has_map: bool, can_resume: bool) -> None:
        """Enable the actions available for the chosen map."""
        self.resume.setVisible(can_resume)
        for button in (self.rename, self.delete):
            button.setEnabled(has_map)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.map_chosen.emit(str(item.data(_ID)))


SIDES = (210, 10_000, 250)
SHARED_MENU = "Explore"
SHARED = (
    "play_back", "next_event", "previous_event", "next_unseen_event", "previous_unseen_event",
    "show_keys", "find_action", "show_jobs", "stop_job",
)  # fmt: skip
"""Actions of the main window whose keys work in the map too, beside those of the menu Explore."""
MAKING = (to_translate("The map is being computed."), to_translate("It appears within seconds."))
GONE = (
    to_translate("This map has no points."),
    to_translate("It was stopped too early. Create it again with New map (Ctrl+N)."),
)


class MapWindow(map_parts.MapBase):
    """Combines the parts; the feature connects them with the session."""

    def __init__(self, shared: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        super().__init__(tr("Map"), shared, parent)
        self.maps, self.colors = MapList(), map_parts.ColorBar()
        middle = in_column(self.colors, self.problem, (self.canvas, 1), self.foot, margins=(6, 0, 6, 0))
        self.arrange_columns(self.maps, as_widget(middle), SIDES)
        self.colors.tool_changed.connect(self.canvas.set_tool)

    def present(self) -> None:
        """Show the window in front, the keys on the map."""
        dialogs.bring_to_front(self)
        self.canvas.setFocus()


SOON_MILLISECONDS = 400


class MapColoring(Part):
    """Keeps the colours of one map window up to date."""

    def __init__(self, workspace: Workspace, owner: Part, dialog: MapWindow, failed: Callable[[Outcome], None]) -> None:
        super().__init__(workspace, owner)
        session = workspace.session
        self._dialog: MapWindow = dialog
        self._thread = FunctionThread(self, self._show, failed)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MILLISECONDS)
        self._soon.timeout.connect(self.refresh)
        dialog.colors.choice_changed.connect(self.refresh)
        self._connections = Connections(
            (
                session.annotations_changed,
                lambda _: self._refresh_if(map_facts.BY_LABEL, map_facts.BY_REGION, map_facts.BY_ERROR),
            ),
            (
                session.studies_changed,
                lambda: self._refresh_if(*map_facts.OF_STUDIES),
            ),
            (session.seen_saved, lambda: self._refresh_if(map_facts.BY_SEEN)),
            (session.scores_changed, lambda: self._refresh_if(map_facts.BY_SCORE, map_facts.BY_ERROR)),
            (session.events_changed, lambda: self._refresh_if(map_facts.BY_SCORE)),
            (session.model_changed, self._model_changed),
        )
        self._model_changed()

    @property
    def is_busy(self) -> bool:
        """True while colours are being found."""
        return super().is_busy or self._soon.isActive()

    def refresh(self) -> None:
        """Compute the colours of the points on screen for the chosen colouring."""
        points, choice = self._dialog.canvas.state.points, self._dialog.colors.choice
        if not len(points):
            self._thread.cancel()
            return
        session = self._session
        self._thread.request(lambda reporter: (points, map_facts.color(session, points, *choice, reporter.check)))

    def _show(self, result: tuple[map_points.MapPoints, map_coloring.Coloring]) -> None:
        points, coloring = result
        canvas = self._dialog.canvas
        if canvas.state.points.frame_index is not points.frame_index:
            return  # another map is on screen by now
        canvas.set_coloring(coloring)
        self._dialog.legend.show_coloring(coloring, canvas.state.hidden)

    def _refresh_if(self, *ways: str) -> None:
        if self._dialog.colors.choice[0] in ways and len(self._dialog.canvas.state.points):
            self._soon.start()

    def _model_changed(self) -> None:
        model, vocabulary = self._session.current_model, self._session.vocabulary
        names = [] if model is None else [name for name in model.classes if name not in {NORMAL, *vocabulary.off}]
        self._dialog.colors.set_classes([(name, vocabulary.of(name).shown_title) for name in names])
        self._refresh_if(map_facts.BY_SCORE, map_facts.BY_ERROR)


TAIL_POINTS = 40


class Frames(Protocol):
    """Frames of any study of the library; see `features.neighbours`."""

    @property
    def facts(self) -> FrameFacts:
        """Data of each frame."""

    @property
    def pictures(self) -> frame_pictures.FramePictures:
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
