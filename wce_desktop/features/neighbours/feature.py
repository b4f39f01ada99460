"""Similar frames: neighbour strip, grid of frames, atlas of findings, and what to label next."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject

from wce_desktop.core.annotation.change import Edit
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.features.neighbours import bulk_labelling, neighbour_query
from wce_desktop.features.neighbours.atlas import Atlas
from wce_desktop.features.neighbours.cleaning import Cleaning
from wce_desktop.features.neighbours.errors_grid import ErrorsGrid
from wce_desktop.features.neighbours.frame_access import FrameAccess
from wce_desktop.features.neighbours.grid import SelectionGrid
from wce_desktop.features.neighbours.labelling_queue import LabellingQueue
from wce_desktop.features.neighbours.searching import NeighbourStripSearch
from wce_desktop.session.frame_facts import FramePlaces
from wce_desktop.widgets.basic import stacked
from wce_desktop.workspace import Connections, Panel, Workspace


class NeighboursFeature(FrameAccess):
    """What its parts share: pictures and facts of frames of any study, and opening one of them."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.neighbours = NeighbourStripSearch(workspace, self)
        self.grid = SelectionGrid(workspace, self)
        self.errors = ErrorsGrid(workspace, self)
        self.queue = LabellingQueue(workspace, self)
        self.atlas = Atlas(workspace, self, self.facts, self.pictures)
        self.cleaning = Cleaning(workspace, self)
        self.show_selected = self.grid.show
        self.area = stacked((self.queue.bar, 0), (self.neighbours.strip, 0), (self.atlas.strip, 0))
        self.panels = (Panel(self.area, "below frame", order=2),)
        self.pictures.arrived.connect(self._repaint)
        session = workspace.session
        self._connections = Connections(
            (session.frame_changed, lambda _: self.neighbours.moved()),
            (session.study_opened, self.neighbours.moved),
            (session.studies_changed, self._studies_changed),
            (session.settings_changed, self.queue.studies_changed),
            (session.annotations_changed, self._edited),
            (session.undone, self.queue.undone),
            (session.selection_changed, self._selected),
            (session.model_changed, self._model_changed),
        )
        workspace.window.installEventFilter(self)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        neighbours = self.neighbours
        return {
            "toggle_neighbours": lambda: neighbours.fold(neighbours.is_shown),
            "find_like_frame": neighbours.ask_like_frame,
            "find_like_elsewhere": neighbours.ask_elsewhere,
            "find_like_span": lambda: neighbours.pin(neighbour_query.span_query(self._workspace.reading)),
            "find_like_region": neighbours.embedding.draw_region,
            "find_like_image": neighbours.ask_image,
            "find_like_copied": neighbours.ask_copied,
            "accept_votes": neighbours.accept,
            "show_selection": self.show_selection,
            "show_errors": self.errors.show_run,
            "show_atlas": self.atlas.toggle,
            "what_to_label": self.queue.start_or_skip,
            "end_labelling": self.queue.end,
            "clean_labels": self.cleaning.show,
        }

    def show_selection(self) -> None:
        """Show the frames found or selected last as a grid."""
        if self.neighbours.is_for_grid:
            self.neighbours.as_grid()
        else:
            self.grid.show()

    # What the parts share

    def label_selected(self, name: str) -> str:
        """Label all selected frames with a class, as one edit; returns what was done, in words.

        Raises:
            UserError: nothing is selected.
        """
        return bulk_labelling.label_selection(self._session, self._session.selection, name)

    def pin(self, query: neighbour_query.Query) -> None:
        """Search frames like these."""
        self.neighbours.pin(query)

    @property
    def is_busy(self) -> bool:
        """True while something is searched, read or written."""
        return super().is_busy or self.pictures.is_busy

    def close(self) -> None:
        """End all threads."""
        self._workspace.window.removeEventFilter(self)
        super().close()
        self.pictures.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the height of the strip to the window."""
        if event.type() == QEvent.Type.Resize and watched is self._workspace.window:
            self.neighbours.strip.fit_height(self._workspace.window.height())
        return super().eventFilter(watched, event)

    # Slots of the session

    def _labels_changed(self) -> None:
        self.facts.forget()
        self.neighbours.labels_changed()
        self.grid.labels_changed()
        self.cleaning.labels_changed()
        self.errors.labels_changed()

    def _studies_changed(self) -> None:
        self._labels_changed()
        self.queue.studies_changed()
        self.errors.studies_changed()

    def _edited(self, edit: Edit | None) -> None:
        self._labels_changed()
        self.queue.edited(edit)
        if edit is None or edit.touches(Finding):
            self.atlas.refresh()

    def _selected(self) -> None:
        self.neighbours.selected()
        self.grid.refresh()

    def _model_changed(self) -> None:
        self.pictures.open(FramePlaces(self._session))
        self.neighbours.model_changed()
        self.cleaning.forget()
        self.queue.end()

    def _repaint(self, study_id: str, frame_index: int) -> None:
        self.neighbours.strip.tiles.viewport().update()
        self.grid.repaint()
        self.cleaning.repaint()
        self.errors.repaint()
        self.atlas.strip.tiles.viewport().update()
