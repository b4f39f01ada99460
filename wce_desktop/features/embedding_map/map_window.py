"""The Map window: maps at the left, the map in the middle, its legend at the right; its colours follow the session."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListWidgetItem, QWidget

from training.runs.events import Outcome
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map import map_coloring, map_facts, map_parts, map_points
from wce_desktop.features.embedding_map.maps import SavedMap
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs, plain_text
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
                item = QListWidgetItem(f"{kept.request.title}\n{kept.words}", self.rows)
                item.setData(_ID, kept.map_id)
                item.setToolTip(plain_text.plain(kept.request.title))
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


SIDES = (210, 10_000, 210)
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
        dialog.colors.choice_changed.connect(lambda _: self.refresh())
        self._connections = Connections(
            (session.annotations_changed, lambda _: self._refresh_if(map_facts.BY_LABEL, map_facts.BY_REGION)),
            (
                session.studies_changed,
                lambda: self._refresh_if(map_facts.BY_LABEL, map_facts.BY_STUDY, map_facts.BY_PATIENT),
            ),
            (session.seen_saved, lambda: self._refresh_if(map_facts.BY_SEEN)),
            (session.scores_changed, lambda: self._refresh_if(map_facts.BY_SCORE)),
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
        self._thread.request(lambda reporter: (points, map_facts.color(session, points, choice, reporter.check)))

    def _show(self, result: tuple[map_points.MapPoints, map_coloring.Coloring]) -> None:
        points, coloring = result
        canvas = self._dialog.canvas
        if canvas.state.points.frame_index is not points.frame_index:
            return  # another map is on screen by now
        canvas.set_coloring(coloring)
        self._dialog.legend.show_coloring(coloring, canvas.state.hidden)

    def _refresh_if(self, *ways: str) -> None:
        if self._dialog.colors.choice.way in ways and len(self._dialog.canvas.state.points):
            self._soon.start()

    def _model_changed(self) -> None:
        model, vocabulary = self._session.current_model, self._session.vocabulary
        names = [name for name in model.classes if name != NORMAL] if model is not None else []
        self._dialog.colors.set_classes([(name, vocabulary.of(name).shown_title) for name in names])
        self._refresh_if(map_facts.BY_SCORE)
