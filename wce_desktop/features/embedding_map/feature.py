"""The embedding map: its window, stored maps, and new ones."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtGui import QAction

from training.errors import UserError
from training.projection.map_file import ProjectionFile
from training.runs.events import Outcome
from wce_desktop.core.language import tr
from wce_desktop.features.embedding_map import evolution, map_canvas, map_facts, map_jobs, map_state, map_window, maps
from wce_desktop.features.embedding_map.map_sources import title_of
from wce_desktop.features.embedding_map.maps import MapRequest, MapStore, SavedMap
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.session.actions import CONDITIONS
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.widgets.dialogs import agrees, ask_text
from wce_desktop.workspace import Connections, Feature, Workspace


class MapFeature(Feature):
    """The map window, the jobs that compute maps, and helpers for new maps, colours and the signals of the session."""

    def __init__(self, workspace: Workspace, frames: map_window.Frames) -> None:
        super().__init__(workspace)
        self._frames = frames
        self.store = MapStore(workspace.session.library.folder)
        self.newest: dict[str, Job] = {}
        """The newest job of each map in this session."""
        self._preparing = ""  # the map whose inputs are being written
        self._writing = FunctionThread(self, workspace.guard(self._submit), workspace.guard(self._writing_failed))
        self.setup = map_jobs.MapSetup(workspace, self, self.store, self.make)
        self.evolution = evolution.EvolutionController(workspace, self, frames, self._shared_actions)
        self._dialog: map_window.MapWindow | None = None
        self.map_id = ""
        self._file: ProjectionFile | None = None
        self._picture = ""
        self._opening = FunctionThread(self, workspace.guard(self._show_opened), self._show_failure)
        self._connections = Connections((workspace.session.study_opened, self._hide))

    # The window

    @property
    def dialog(self) -> map_window.MapWindow:
        """The map window, made when first needed."""
        if self._dialog is None:
            self._dialog = self._make_dialog()
        return self._dialog

    def _make_dialog(self) -> map_window.MapWindow:
        workspace, guard = self._workspace, self._workspace.guard
        dialog = map_window.MapWindow(self._shared_actions(), workspace.window)
        if not self._session.library.annotations.label_counts_by_study() and self._session.current_model is not None:
            dialog.colors.choose(map_facts.BY_SCORE)  # without labels all points would have one colour
        self.following = map_window.MapSync(workspace, self, self._frames, dialog)
        self.coloring = map_window.MapColoring(workspace, self, dialog, self._show_failure)
        rows = dialog.maps
        rows.map_chosen.connect(guard(self.open_map))
        rows.new.clicked.connect(guard(lambda: self.setup.ask(dialog)))
        rows.resume.clicked.connect(guard(lambda: self.resume(rows.chosen)))
        rows.rename.clicked.connect(guard(lambda: self._ask_name(rows.chosen)))
        dialog.foot.map.show()
        dialog.foot.map.clicked.connect(guard(self.make_of_selection))
        rows.delete.clicked.connect(guard(lambda: self._ask_deletion(rows.chosen)))
        return dialog

    def _shared_actions(self) -> list[QAction]:
        """The actions of the main window whose keys work in the windows of maps too."""
        return self._workspace.menus.of_menu(map_window.SHARED_MENU, map_window.SHARED)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return {"show_map": self.show_map, "show_evolution": self.evolution.show_evolution}

    def show_map(self) -> None:
        """Show the window; with nothing on it yet, the newest map."""
        self.dialog.present()
        if not self.map_id and (saved := self.store.maps()):
            self.open_map(saved[0].map_id)
        self.refresh()

    def _hide(self) -> None:
        """Hide the map from a reader who must not see what it shows."""
        if self._dialog is not None and not all(CONDITIONS[need](self._session) for need in ("first", "aided")):
            self._dialog.hide()

    def refresh(self) -> None:
        """Read the list of maps again."""
        self.dialog.maps.show_maps(self.store.maps(), self.map_id)
        self._show_state()

    def close(self) -> None:
        """Stop background work."""
        super().close()
        self._dialog = None  # jobs that end later find no window

    # One map

    def open_map(self, map_id: str) -> None:
        """Show a stored map; while one is being computed its intermediate results are shown."""
        kept = self.store.find(map_id)
        self.map_id, self._file, self._picture = map_id, None, ""
        self.dialog.show_message("")
        self._show_points(map_state.NOWHERE, map_window.MAKING if self.is_being_computed(map_id) else map_window.GONE)
        if kept.has_points:
            self._opening.request(lambda _: (map_id, ProjectionFile.open(kept.points_path)))
        self.refresh()

    def _show_opened(self, opened: tuple[str, ProjectionFile]) -> None:
        map_id, file = opened
        if map_id == self.map_id:
            self._file = file
            self._show_points(maps.points_of(file), map_canvas.EMPTY)
            self._show_state()

    def _show_points(self, points: Any, empty: tuple[str, str]) -> None:
        self.dialog.canvas.empty = empty
        self.dialog.canvas.set_points(points)
        self.following.forget()
        state = self.dialog.canvas.state
        self.dialog.legend.show_coloring(state.coloring, state.hidden)
        self.following.show_all()
        self.coloring.refresh()

    def _show_state(self) -> None:
        """Show the description of the map, the progress of its job, and the available actions."""
        dialog, is_made = self.dialog, self.is_being_computed(self.map_id)
        kept = {kept.map_id: kept for kept in self.store.maps()}.get(self.map_id)
        model = title_of(self._session, kept.request.model_id) if kept else ""
        dialog.maps.note.setText(maps.map_words(kept, self._file, model, is_made=is_made) if kept else "")
        is_unfinished = kept is not None and not (self._file.is_complete if self._file else kept.has_points)
        dialog.maps.set_actions(has_map=kept is not None and not is_made, can_resume=is_unfinished and not is_made)
        job = self.newest.get(self.map_id)
        dialog.foot.show_job(job, self._picture)
        if is_made and job is None:
            dialog.foot.show_wait(tr("preparing the input of the map"))

    def _ask_name(self, map_id: str) -> None:
        title = self.store.find(map_id).title
        name = ask_text(self.dialog, tr("Rename the map"), tr("Name"), tr("Rename"), title)
        if name is not None:
            self.store.rename(map_id, name)
            self.refresh()

    def _ask_deletion(self, map_id: str) -> None:
        title = self.store.find(map_id).title
        message = tr("Delete the map “{title}”? Embeddings, labels and videos stay.", title=title)
        if agrees(self.dialog, tr("Delete the map"), message, tr("Delete")):
            self.delete(map_id)

    def delete(self, map_id: str) -> None:
        """Delete a map; the newest remaining one is shown."""
        self.store.delete(map_id)
        if map_id == self.map_id:
            self.map_id, self._file = "", None
            self._show_points(map_state.NOWHERE, map_canvas.EMPTY)
        self.show_map()

    # Making one

    def is_being_computed(self, map_id: str) -> bool:
        """Whether a job waits or runs for a map, or is being prepared."""
        job = self.newest.get(map_id)
        is_preparing = map_id != "" and map_id == self._preparing
        return is_preparing or (job is not None and not job.has_ended)

    def make(self, request: MapRequest) -> None:
        """Create a map and show its progress.

        Raises:
            UserError: another one is being prepared at this moment, or the request is empty.
        """
        self.dialog.present()
        self._refuse_second()
        kept = self.store.add(request)
        self._start(kept, resume=False)
        self.open_map(kept.map_id)

    def make_of_selection(self) -> None:
        """Make a new map of the selected frames alone, by the settings of the map on screen."""
        self.make(maps.map_of_selection(self.store.find(self.map_id), self._session.selection))

    def resume(self, map_id: str) -> None:
        """Resume a stopped map."""
        self._refuse_second()
        if not self.is_being_computed(map_id):
            self._start(self.store.find(map_id), resume=True)
        self._show_state()

    def _refuse_second(self) -> None:
        if self._preparing:
            raise UserError("Another map is being prepared.", "Wait a moment.")

    def _start(self, kept: SavedMap, *, resume: bool) -> None:
        self._preparing = kept.map_id
        self._writing.request(lambda _: maps.map_job(self._session, kept, resume=resume))

    def _submit(self, spec: JobSpec) -> None:
        map_id, self._preparing = self._preparing, ""
        job = self.newest[map_id] = self._workspace.jobs.submit(spec)
        guard = self._workspace.guard
        job.progressed.connect(guard(lambda _: self._job_changed(map_id)))
        job.partial_arrived.connect(guard(partial(self._partial_arrived, map_id)))
        job.ended.connect(guard(lambda job: self._job_ended(map_id, job.outcome)))
        self._job_changed(map_id)

    def _writing_failed(self, outcome: Outcome) -> None:
        map_id, self._preparing = self._preparing, ""
        self._job_ended(map_id, outcome)

    def _job_changed(self, map_id: str) -> None:
        if self._dialog is None or map_id != self.map_id:
            return
        job = self.newest.get(map_id)
        if job is not None and job.is_running and self._file is not None:
            self._dialog.foot.show_job(job, self._picture)  # many times a second: no files are read for it
        else:
            self._show_state()

    def _partial_arrived(self, map_id: str, name: str, payload: Mapping[str, Any]) -> None:
        """Move the points to their positions in the job; the first result contains the points themselves."""
        if name != "map" or self._dialog is None or map_id != self.map_id:
            return
        self._picture = map_jobs.picture_words(payload)
        points = self._dialog.canvas.state.points
        if not len(points):
            if not self._opening.is_busy:
                kept = self.store.find(map_id)
                self._opening.request(lambda _: (map_id, ProjectionFile.open(kept.points_path)))
            return
        coordinates = map_jobs.read_picture(payload)
        if coordinates is not None and coordinates.shape == points.coordinates.shape:
            self._dialog.canvas.move_points(coordinates)
        self._show_state()

    def _job_ended(self, map_id: str, outcome: Outcome) -> None:
        """Show the result, or why there is none; a map without any points is deleted."""
        if not (self.store.folder / map_id / maps.POINTS_FILE).is_file():
            self.store.delete(map_id)
        if self._dialog is None:
            return
        if map_id == self.map_id:
            if outcome.kind == "failed":
                self._show_failure(outcome)
            kept = {kept.map_id: kept for kept in self.store.maps()}.get(map_id)
            if kept is None:
                self.map_id = ""
                self._show_points(map_state.NOWHERE, map_canvas.EMPTY)
            elif kept.has_points:
                self._reload(kept)
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
            self._show_points(maps.points_of(file), map_canvas.EMPTY)

    def _show_failure(self, outcome: Outcome) -> None:
        self.dialog.show_message(str(outcome))
