"""The colours of a map, computed in a thread and updated when the data change."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from training.runs.reporter import Reporter
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.features.embedding_map.model import map_facts
from wce_desktop.features.embedding_map.model.map_coloring import Coloring
from wce_desktop.features.embedding_map.model.map_points import MapPoints
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.view.map_window import MapWindow

SOON_MILLISECONDS = 400


class MapColoring(QObject):
    """Keeps the colours of one map window up to date."""

    failed = Signal(object)  # Outcome

    def __init__(self, session: Session, dialog: "MapWindow", parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._dialog = session, dialog
        self._thread = FunctionThread(self)
        self._thread.returned.connect(self._show)
        self._thread.failed.connect(self.failed)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MILLISECONDS)
        self._soon.timeout.connect(self.refresh)
        dialog.colors.choice_changed.connect(lambda _: self.refresh())
        dialog.legend.hidden_changed.connect(dialog.canvas.set_hidden)
        self._connections = (
            (session.annotations_changed, self._annotations_changed),
            (session.studies_changed, self._studies_changed),
            (session.seen_saved, self._seen_saved),
            (session.scores_changed, self._scores_changed),
            (session.events_changed, self._scores_changed),
            (session.model_changed, self._model_changed),
        )
        for signal, slot in self._connections:
            signal.connect(slot)
        self._model_changed()

    @property
    def is_busy(self) -> bool:
        """True while colours are being found."""
        return self._thread.is_busy or self._soon.isActive()

    def close(self) -> None:
        """Disconnect from all signals and end the thread."""
        self._soon.stop()
        for signal, slot in self._connections:
            signal.disconnect(slot, missing_ok=True)
        self._thread.close()

    def refresh(self) -> None:
        """Compute the colours of the points on screen for the chosen colouring."""
        points, choice = self._dialog.canvas.state.points, self._dialog.colors.choice
        if not len(points):
            self._thread.cancel()
            return

        def find(reporter: Reporter) -> tuple[MapPoints, Coloring]:
            return points, map_facts.color(self._session, points, choice, reporter.check)

        self._thread.request(find)

    def _show(self, found: tuple[MapPoints, Coloring]) -> None:
        points, coloring = found
        canvas = self._dialog.canvas
        if canvas.state.points.frame_index is not points.frame_index:
            return  # another map is on screen by now
        canvas.set_coloring(coloring)
        self._dialog.legend.show_coloring(coloring, canvas.state.hidden)

    def _refresh_if(self, *ways: str) -> None:
        if self._dialog.colors.choice.way in ways and len(self._dialog.canvas.state.points):
            self._soon.start()

    def _annotations_changed(self, _: object) -> None:
        self._refresh_if(map_facts.BY_LABEL, map_facts.BY_REGION)

    def _studies_changed(self) -> None:
        self._refresh_if(map_facts.BY_LABEL, map_facts.BY_STUDY, map_facts.BY_PATIENT)

    def _seen_saved(self) -> None:
        self._refresh_if(map_facts.BY_SEEN)

    def _scores_changed(self) -> None:
        self._refresh_if(map_facts.BY_SCORE)

    def _model_changed(self) -> None:
        model, vocabulary = self._session.current_model, self._session.vocabulary
        names = [name for name in model.classes if name != NORMAL] if model is not None else []
        self._dialog.colors.set_classes([(name, vocabulary.of(name).shown_title) for name in names])
        self._refresh_if(map_facts.BY_SCORE)
