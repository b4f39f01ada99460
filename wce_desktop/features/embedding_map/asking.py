"""Asking for a new map: what there is to make it of is looked up while the question stands already."""

from typing import TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from training.runs.reporter import Reporter
from wce_desktop.features.embedding_map.embedding import MapEmbedding
from wce_desktop.features.embedding_map.model.map_sources import MapSource, map_sources
from wce_desktop.features.embedding_map.model.maps import MapShelf, SavedMap
from wce_desktop.features.embedding_map.view.new_map_dialog import NewMapDialog
from wce_desktop.session.study_choice import StudyRow, study_rows
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Workspace

Choices: TypeAlias = tuple[tuple[MapSource, ...], tuple[StudyRow, ...], tuple[SavedMap, ...]]


class MapAsking(QObject):
    """`answered` carries the `MapRequest`."""

    answered = Signal(object)

    def __init__(self, workspace: Workspace, shelf: MapShelf) -> None:
        super().__init__(workspace)
        self._workspace, self._session, self._shelf = workspace, workspace.session, shelf
        self.dialog: NewMapDialog | None = None
        self.embedding = MapEmbedding(workspace)
        self.embedding.embedded.connect(workspace.guard(self._look_again))
        self._looking = FunctionThread(self)
        self._looking.returned.connect(workspace.guard(self._show_choices))
        self._looking.failed.connect(lambda outcome: workspace.tell_error(outcome.message, outcome.hint))

    @property
    def is_busy(self) -> bool:
        """True while studies are looked through."""
        return self._looking.is_busy

    def ask(self, parent: QWidget) -> NewMapDialog:
        """Show the question."""
        if self.dialog is None:
            self.dialog = NewMapDialog(parent)
            self.dialog.map_requested.connect(self.answered)
            self.dialog.embed_requested.connect(self._workspace.guard(lambda: self.embedding.ask(parent)))
        self.dialog.show()
        self.dialog.raise_()
        self._look()
        return self.dialog

    def close(self) -> None:
        """End the thread, close the questions."""
        self._looking.close()
        self.embedding.close()
        if self.dialog is not None:
            self.dialog.close()

    def _look(self) -> None:
        if self.dialog is not None:
            self.dialog.show_waiting()
        self._looking.request(self._find)

    def _look_again(self) -> None:
        """Offer what was embedded meanwhile, where the question is still open."""
        if self.dialog is not None and self.dialog.isVisible():
            self._look()

    def _find(self, _: Reporter) -> Choices:
        return map_sources(self._session), study_rows(self._session), self._shelf.maps()

    def _show_choices(self, found: Choices) -> None:
        if self.dialog is not None:
            reading = self._session.reading
            self.dialog.show_choices(*found, open_study=reading.study.study_id if reading else "")
