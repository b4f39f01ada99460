"""Embeds a drawn region or an image file with the inference process before the search."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from training.runs.events import Outcome, Progress
from training.service.answer_files import EmbeddingAnswer, ExplanationAnswer
from training.service.requests import EmbedRequest
from wce_desktop.core.clock import format_frame
from wce_desktop.core.language import tr
from wce_desktop.features.neighbours.model.neighbour_query import Query
from wce_desktop.features.neighbours.model.queries import open_reading
from wce_desktop.features.neighbours.view.region_picker import RegionPicker
from wce_desktop.session.keys import key_of
from wce_desktop.workspace import Workspace


class QueryEmbedding(QObject):
    """Turns a region or an image file into a query with a vector; the newest request wins."""

    started = Signal(object)  # Query, still without its vector
    embedded = Signal(object)  # Query
    progressed = Signal(str)
    failed = Signal(object)  # Outcome

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._number = 0
        self._query: Query | None = None
        self.picker = RegionPicker(workspace.player.frame_view)
        self.picker.picked.connect(workspace.guard(self.ask_region))
        workspace.inference.answered.connect(workspace.guard(self._take))
        workspace.inference.progressed.connect(self._forward_progress)
        workspace.inference.failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """True while the model computes an embedding."""
        return self._query is not None

    def draw_region(self) -> None:
        """Let a region of the frame on screen be drawn."""
        open_reading(self._session)
        self._model_folder()
        self._workspace.player.pause()
        view = self._workspace.player.frame_view
        picture = view.frames[0].picture if view.frames else None
        if picture is None:
            raise UserError("There is no frame on screen to draw on.", "Go to a frame that can be read.")
        self.picker.begin(view.frame_rects()[0], picture.width())

    def ask_region(self, x_min: float, y_min: float, x_max: float, y_max: float) -> None:
        """Embed a region of the frame on screen; in pixels of the frame, half-open."""
        reading = open_reading(self._session)
        study, view = reading.study, reading.flags.field_of_view
        frame = format_frame(reading.place.frame_index + 1)
        words = tr("the region drawn on frame {frame} of {study}", frame=frame, study=study.name)
        request = EmbedRequest(
            model=self._model_folder(),
            path=study.path,
            index=self._session.files(study).usable_index,
            numbering=study.frame_numbering,
            frame_index=reading.place.frame_index,
            region=(x_min, y_min, x_max, y_max),
            field_of_view=view.to_json() if view else None,
        )
        self._ask(Query(words, study.study_id, study.patient_id, reading.place.frame_index), request)

    def ask_picture(self, path: Path) -> None:
        """Embed an image file."""
        self._ask(Query(tr("the picture {name}", name=path.name)), EmbedRequest(model=self._model_folder(), image=path))

    def stop(self) -> None:
        """Cancel the request."""
        if self._query is not None:
            self._query = None
            self._workspace.inference.cancel("embed")

    def _ask(self, query: Query, request: EmbedRequest) -> None:
        """In the space of the stored embeddings, where the open study says which that is."""
        reading = self._session.reading
        if reading is not None and reading.flags.embeddings is not None:
            header = reading.flags.embeddings.header
            request = request.model_copy(update={"space": header.space, "normalized": header.normalized})
        self._query = query
        self.started.emit(query)
        self._number = self._workspace.inference.ask(request)

    def _take(self, number: int, answer: EmbeddingAnswer | ExplanationAnswer) -> None:
        if number != self._number or self._query is None or not isinstance(answer, EmbeddingAnswer):
            return
        query, self._query = self._query, None
        self.embedded.emit(replace(query, vector=answer.vector))

    def _forward_progress(self, number: int, progress: Progress) -> None:
        if number == self._number and self._query is not None:
            self.progressed.emit(tr("The model is processing it: {step}…", step=tr(progress.what)))

    def _fail(self, number: int, outcome: Outcome) -> None:
        if number == self._number and self._query is not None:
            self._query = None
            self.failed.emit(outcome)

    def _model_folder(self) -> Path:
        model = self._session.current_model
        if model is None:
            raise UserError("No model is in use.", "Add a model folder: {key}.", key_of("add_model"))
        return model.folder
