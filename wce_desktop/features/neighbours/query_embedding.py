"""Embeds a region that is drawn on the frame, or an image file, with the inference process before the search."""

import shutil
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from training.errors import NothingToDoError, UserError
from training.files.scratch import make_scratch_folder
from training.runs.events import Outcome, Progress
from training.service.answer_files import EmbeddingAnswer, ExplanationAnswer
from training.service.requests import EmbedRequest
from wce_desktop.core import format_frame, to_translate, tr
from wce_desktop.features.neighbours.neighbour_query import Query
from wce_desktop.session.keys import key_of
from wce_desktop.widgets.key_texts import KeepsKeys
from wce_desktop.widgets.player.annotation_painter import draw_caption
from wce_desktop.widgets.player.pictures import save_png
from wce_desktop.widgets.theme import ON_PICTURE
from wce_desktop.workspace import Part, Workspace

HINT = to_translate(
    "Draw a box with the mouse, or move it with the arrow keys (Shift: resize). Enter: search. Escape: cancel."
)
STEP_SHARE, SMALLEST_SHARE = 0.02, 0.04
_STEPS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class RegionPicker(KeepsKeys, QWidget):
    """Covers the frame until a box is confirmed or cancelled; the box is in pixels of the frame, half-open."""

    picked = Signal(float, float, float, float)
    """x_min, y_min, x_max, y_max"""
    given_up = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName(tr("Draw a region"))
        self.setAccessibleDescription(tr(HINT))
        self._frame, self._scale = QRectF(), 1.0
        self._box = QRectF()
        self._from: QPointF | None = None
        self._is_drawn = False
        self.hide()

    def begin(self, frame_rect: QRectF, frame_width_px: int) -> None:
        """Let a box be drawn on the frame that lies at `frame_rect` of the view; it begins in the middle."""
        self.setGeometry(self._over.rect())
        self._frame, self._scale = QRectF(frame_rect), frame_width_px / frame_rect.width()
        self._box = QRectF(0, 0, frame_rect.width() / 3, frame_rect.height() / 3)
        self._box.moveCenter(frame_rect.center())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def box(self) -> QRectF:
        """The box in pixels of the frame."""
        corner = (self._box.topLeft() - self._frame.topLeft()) * self._scale
        return QRectF(corner, self._box.size() * self._scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken all but the box."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole, box = QRectF(self.rect()), self._box
        shade = QPainterPath()
        shade.addRect(whole)
        shade.addRect(box)
        painter.fillPath(shade, QColor(0, 0, 0, 110))
        for pen in (QPen(QColor(0, 0, 0, 160), 4), QPen(QColor(ON_PICTURE.accent), 2)):
            painter.setPen(pen)
            painter.drawRect(box)
        draw_caption(painter, whole, tr(HINT), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """One corner."""
        self._from, self._is_drawn = self._held(event.position()), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The other corner."""
        if self._from is not None:
            self._box = QRectF(self._from, self._held(event.position())).normalized()
            self._is_drawn = min(self._box.width(), self._box.height()) >= self._smallest
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A box that was drawn is taken; a click alone changes nothing."""
        self._from = None
        if self._is_drawn:
            self._take()
        else:
            self.begin(self._frame, round(self._scale * self._frame.width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Shift and arrows change the size, Enter takes, Escape gives up."""
        key = Qt.Key(event.key())
        if key in _STEPS:
            step = _STEPS[key] * self._frame.width() * STEP_SHARE
            self._resize(step) if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else self._move(step)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        elif key == Qt.Key.Key_Escape:
            self.hide()
            self.given_up.emit()

    def keeps(self, event: QKeyEvent) -> bool:
        """All keys while a box is drawn, so that none labels or moves the frame."""
        return True

    @property
    def _smallest(self) -> float:
        return self._frame.width() * SMALLEST_SHARE

    def _held(self, point: QPointF) -> QPointF:
        """The nearest point of the frame."""
        frame = self._frame
        return QPointF(
            min(max(point.x(), frame.left()), frame.right()), min(max(point.y(), frame.top()), frame.bottom())
        )

    def _move(self, step: QPointF) -> None:
        corner = self._box.topLeft() + step
        left = min(max(corner.x(), self._frame.left()), self._frame.right() - self._box.width())
        top = min(max(corner.y(), self._frame.top()), self._frame.bottom() - self._box.height())
        self._box.moveTopLeft(QPointF(left, top))
        self.update()

    def _resize(self, step: QPointF) -> None:
        corner = self._held(self._box.bottomRight() + step)
        self._box.setRight(max(corner.x(), self._box.left() + self._smallest))
        self._box.setBottom(max(corner.y(), self._box.top() + self._smallest))
        self.update()

    def _take(self) -> None:
        box = self.box
        self.hide()
        self.picked.emit(box.left(), box.top(), box.right(), box.bottom())


class QueryEmbedding(Part):
    """Turns a region or an image file into a query with a vector; the newest request wins."""

    started = Signal(object)  # Query, still without its vector
    embedded = Signal(object)  # Query
    progressed = Signal(str)
    failed = Signal(object)  # Outcome

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self._number = 0
        self._query: Query | None = None
        self._folder: Path | None = None
        """Of the file of a copied picture."""
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
        _ = self._workspace.reading
        self._model_folder()
        self._workspace.player.pause()
        view = self._workspace.player.frame_view
        picture = view.frames[0].picture if view.frames else None
        if picture is None:
            raise NothingToDoError("There is no frame on screen to draw on.", "Go to a frame that can be read.")
        self.picker.begin(view.frame_rects()[0], picture.width())

    def ask_region(self, x_min: float, y_min: float, x_max: float, y_max: float) -> None:
        """Embed a region of the frame on screen; in pixels of the frame, half-open."""
        reading = self._workspace.reading
        study, view = reading.study, reading.flags.field_of_view
        frame = format_frame(reading.place.frame_index + 1)
        words = tr("the region drawn on frame {frame} of {study}", frame=frame, study=study.shown_name)
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

    def ask_copied(self, picture: QImage) -> None:
        """Embed a picture that was copied elsewhere; its file lasts until the answer."""
        model, folder = self._model_folder(), make_scratch_folder("query")
        try:
            save_png(picture, folder / "picture.png")
        except UserError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._ask(Query(tr("the copied picture")), EmbedRequest(model=model, image=folder / "picture.png"))
        self._folder = folder

    def close(self) -> None:
        """Remove the file of a copied picture."""
        super().close()
        self._remove_picture()

    def _remove_picture(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def stop(self) -> None:
        """Cancel the request."""
        self._remove_picture()
        if self._query is not None:
            self._query = None
            self._workspace.inference.cancel("embed")

    def _ask(self, query: Query, request: EmbedRequest) -> None:
        """In the space of the stored embeddings, where the open study says which that is."""
        reading = self._session.reading
        if reading is not None and reading.flags.embeddings is not None:
            header = reading.flags.embeddings.header
            request = request.model_copy(update={"space": header.space, "normalized": header.normalized})
        self._remove_picture()
        self._query = query
        self.started.emit(query)
        self._number = self._workspace.inference.ask(request)

    def _take(self, number: int, answer: EmbeddingAnswer | ExplanationAnswer) -> None:
        if number != self._number or self._query is None or not isinstance(answer, EmbeddingAnswer):
            return
        query, self._query = self._query, None
        self._remove_picture()
        self.embedded.emit(replace(query, vector=answer.vector))

    def _forward_progress(self, number: int, progress: Progress) -> None:
        if number == self._number and self._query is not None:
            self.progressed.emit(tr("The model is processing it: {step}…", step=tr(progress.what)))

    def _fail(self, number: int, outcome: Outcome) -> None:
        if number == self._number and self._query is not None:
            self._query = None
            self._remove_picture()
            self.failed.emit(outcome)

    def _model_folder(self) -> Path:
        model = self._session.current_model
        if model is None:
            raise UserError("No model is in use.", "Add a model folder: {key}.", key_of("add_model"))
        return model.folder
