"""The embedding map: its window, stored maps, and new ones."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMessageBox

from training.projection.map_file import ProjectionFile
from training.runs.events import Outcome
from wce_desktop.core.language import tr
from wce_desktop.features.embedding_map.evolution import EvolutionController
from wce_desktop.features.embedding_map.map_canvas import EMPTY
from wce_desktop.features.embedding_map.map_facts import BY_SCORE
from wce_desktop.features.embedding_map.map_jobs import MapJobs, MapSetup, picture_words, read_picture
from wce_desktop.features.embedding_map.map_state import NOWHERE
from wce_desktop.features.embedding_map.map_sync import Frames, MapSync
from wce_desktop.features.embedding_map.map_window import (
    GONE,
    MAKING,
    SHARED,
    SHARED_MENU,
    MapColoring,
    MapWindow,
)
from wce_desktop.features.embedding_map.maps import MapRequest, MapStore, SavedMap, map_words, points_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.plain_text import plain
from wce_desktop.workspace import Feature, Workspace


class MapFeature(Feature):
    """The map window and its helpers for jobs, colours, hovering and the signals of the session."""

    def __init__(self, workspace: Workspace, frames: Frames) -> None:
        super().__init__(workspace)
        self._frames = frames
        self.store = MapStore(workspace.session.library.folder)
        self.map_jobs = MapJobs(workspace, self, self.store)
        self.setup = MapSetup(workspace, self, self.store)
        self.evolution = EvolutionController(workspace, self, frames, self._shared_actions)
        self.setup.answered.connect(workspace.guard(self.make))
        self._dialog: MapWindow | None = None
        self.map_id = ""
        self._file: ProjectionFile | None = None
        self._picture = ""
        self._opening = FunctionThread(self, workspace.guard(self._show_opened), self._show_failure)
        self.map_jobs.changed.connect(workspace.guard(self._job_changed))
        self.map_jobs.picture_arrived.connect(workspace.guard(self._take_picture))
        self.map_jobs.ended.connect(workspace.guard(self._job_ended))

    # The window

    @property
    def dialog(self) -> MapWindow:
        """The map window, made when first needed."""
        if self._dialog is None:
            self._dialog = self._make_dialog()
        return self._dialog

    def _make_dialog(self) -> MapWindow:
        workspace, guard = self._workspace, self._workspace.guard
        dialog = MapWindow(self._shared_actions(), workspace.window)
        if not self._session.library.annotations.label_counts_by_study() and self._session.current_model is not None:
            dialog.colors.choose(BY_SCORE)  # without labels all points would have one colour
        self.following = MapSync(workspace, self, self._frames, dialog)
        self.coloring = MapColoring(workspace, self, dialog)
        self.coloring.failed.connect(self._show_failure)
        maps = dialog.maps
        maps.map_chosen.connect(guard(self.open_map))
        maps.new.clicked.connect(guard(lambda: self.setup.ask(dialog)))
        maps.resume.clicked.connect(guard(lambda: self.resume(maps.chosen)))
        maps.rename.clicked.connect(guard(lambda: self._ask_name(maps.chosen)))
        maps.delete.clicked.connect(guard(lambda: self._ask_deletion(maps.chosen)))
        return dialog

    def _shared_actions(self) -> list[QAction]:
        """The actions of the main window whose keys work in the windows of maps too."""
        return self._workspace.menus.of_menu(SHARED_MENU, SHARED)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return {"show_map": self.show_map, "show_evolution": self.evolution.show_evolution}

    def show_map(self) -> None:
        """Show the window; with nothing on it yet, the newest map."""
        self.dialog.present()
        if not self.map_id and (maps := self.store.maps()):
            self.open_map(maps[0].map_id)
        self.refresh()

    def refresh(self) -> None:
        """Read the list of maps again."""
        self.dialog.maps.show_maps(self.store.maps(), self.map_id)
        self._show_state()

    def close(self) -> None:
        """Stop background work."""
        super().close()
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None  # jobs that end later find no window

    # One map

    def open_map(self, map_id: str) -> None:
        """Show a stored map; while one is being computed its intermediate results are shown."""
        kept = self.store.find(map_id)
        self.map_id, self._file, self._picture = map_id, None, ""
        self.dialog.show_message("")
        self._show_points(NOWHERE, MAKING if self.map_jobs.is_being_computed(map_id) else GONE)
        if kept.has_points:
            self._opening.request(lambda _: (map_id, ProjectionFile.open(kept.points_path)))
        self.refresh()

    def _show_opened(self, opened: tuple[str, ProjectionFile]) -> None:
        map_id, file = opened
        if map_id == self.map_id:
            self._file = file
            self._show_points(points_of(file), EMPTY)
            self._show_state()

    def _show_points(self, points: Any, empty: tuple[str, str]) -> None:
        self.dialog.canvas.empty = empty
        self.dialog.canvas.set_points(points)
        self.following.hovering.forget()
        state = self.dialog.canvas.state
        self.dialog.legend.show_coloring(state.coloring, state.hidden)
        self.following.show_all()
        self.coloring.refresh()

    def _show_state(self) -> None:
        """Show the description of the map, the progress of its job, and the available actions."""
        dialog, is_made = self.dialog, self.map_jobs.is_being_computed(self.map_id)
        maps = {kept.map_id: kept for kept in self.store.maps()}
        kept = maps.get(self.map_id)
        dialog.maps.note.setText(map_words(kept, self._file, is_made=is_made) if kept else "")
        is_unfinished = kept is not None and not (self._file.is_complete if self._file else kept.has_points)
        dialog.maps.set_actions(has_map=kept is not None and not is_made, can_resume=is_unfinished and not is_made)
        job = self.map_jobs.newest.get(self.map_id)
        dialog.foot.show_job(job, self._picture)
        if is_made and job is None:
            dialog.foot.show_wait(tr("preparing the input of the map"))

    def _ask_name(self, map_id: str) -> None:
        title = self.store.find(map_id).request.title
        name, is_given = QInputDialog.getText(self.dialog, tr("Rename the map"), tr("Name"), text=title)
        if is_given:
            self.store.rename(map_id, name)
            self.refresh()

    def _ask_deletion(self, map_id: str) -> None:
        title = self.store.find(map_id).request.title
        message = tr("Delete the map “{title}”? Embeddings, labels and videos stay.", title=title)
        answer = QMessageBox.question(self.dialog, tr("Delete the map"), plain(message))
        if answer == QMessageBox.StandardButton.Yes:
            self.delete(map_id)

    def delete(self, map_id: str) -> None:
        """Delete a map; the newest remaining one is shown."""
        self.store.delete(map_id)
        if map_id == self.map_id:
            self.map_id, self._file = "", None
            self._show_points(NOWHERE, EMPTY)
        self.show_map()

    # Making one

    def make(self, request: MapRequest) -> None:
        """Create a map and show its progress."""
        self.dialog.present()
        self.open_map(self.map_jobs.make(request).map_id)

    def resume(self, map_id: str) -> None:
        """Resume a stopped map."""
        self.map_jobs.resume(map_id)
        self._show_state()

    def _job_changed(self, map_id: str) -> None:
        if self._dialog is None or map_id != self.map_id:
            return
        job = self.map_jobs.newest.get(map_id)
        if job is not None and job.is_running and self._file is not None:
            self._dialog.foot.show_job(job, self._picture)  # many times a second: no files are read for it
        else:
            self._show_state()

    def _take_picture(self, map_id: str, payload: Mapping[str, Any]) -> None:
        """Move the points to their positions in the job; the first result contains the points themselves."""
        if self._dialog is None or map_id != self.map_id:
            return
        self._picture = picture_words(payload)
        points = self._dialog.canvas.state.points
        if not len(points):
            if not self._opening.is_busy:
                kept = self.store.find(map_id)
                self._opening.request(lambda _: (map_id, ProjectionFile.open(kept.points_path)))
            return
        coordinates = read_picture(payload)
        if coordinates is not None and coordinates.shape == points.coordinates.shape:
            self._dialog.canvas.move_points(coordinates)
        self._show_state()

    def _job_ended(self, map_id: str, outcome: Outcome) -> None:
        if self._dialog is None:
            return
        if map_id == self.map_id:
            if outcome.kind == "failed":
                self._show_failure(outcome)
            maps = {kept.map_id: kept for kept in self.store.maps()}
            if map_id not in maps:
                self.map_id = ""
                self._show_points(NOWHERE, EMPTY)
            elif maps[map_id].has_points:
                self._reload(maps[map_id])
        self.refresh()

    def _reload(self, kept: SavedMap) -> None:
        """Read the result of the finished job; the view stays where it is."""
        self._picture = ""
        file = ProjectionFile.open(kept.points_path)
        points = self.dialog.canvas.state.points
        self._file = file
        if len(points) == len(file) and np.array_equal(points.frame_index, file.frame_index):
            self.dialog.canvas.move_points(file.coordinates)
        else:
            self._show_points(points_of(file), EMPTY)

    def _show_failure(self, outcome: Outcome) -> None:
        self.dialog.show_message(str(outcome))
