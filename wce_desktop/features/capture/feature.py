"""The frame on screen to the clipboard, into a file or into the report, with what a reader draws on it."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from training.errors import NothingToDoError
from training.runs.reporter import Reporter
from training.video import FieldOfView, open_source, study_field_of_view
from wce_desktop.core import format_frame, format_time, number_text, to_translate, tr
from wce_desktop.features.capture.drawing import Drawing, drawing_change
from wce_desktop.session.frame_facts import place_of
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player.annotation_painter import FrameNotes
from wce_desktop.widgets.player.frame_view import ShownFrame
from wce_desktop.widgets.player.overlay_layer import Layer, OverlayLayer, paint_layer
from wce_desktop.widgets.player.pictures import layer_picture, save_png
from wce_desktop.widgets.player.shape_painter import draw_shapes
from wce_desktop.widgets.theme import ON_PICTURE
from wce_desktop.workspace import Connections, Feature, Workspace, methods

# The frame on screen as a picture: masked outside the field of view, with what is drawn on it, method and model.


LEAST_SIDE_PX = 640
MARGIN_PX = 16
LINE_PX = 22
NOTICE = to_translate("Research use only, not for diagnosis.")


@dataclass(frozen=True)
class ShownPicture:
    """What a picture of the frame on screen holds; it names neither patient nor file.

    Attributes:
        frame: as recorded.
        overlay, layer: the explanation; no layer where none is on screen.
        notes: boxes, shapes and the score of the explained class.
        title: frame and time.
        is_beside: whether the frame without overlay is shown on its left.
        training_note: what must be known of the model's training data, or "".
    """

    frame: QImage
    view: FieldOfView
    overlay: OverlayLayer
    layer: Layer | None
    notes: FrameNotes
    title: str
    is_beside: bool = False
    training_note: str = ""


def frame_picture(seen: ShownPicture) -> QImage:
    """The whole picture, RGB: the frame, the frame alone beside an explained one where it was seen so, and text."""
    size = QSizeF(seen.frame.size())
    scale = max(1, math.ceil(LEAST_SIDE_PX / min(size.width(), size.height())))
    width, height = round(size.width() * scale), round(size.height() * scale)
    count = 2 if seen.is_beside else 1
    lines = _lines(seen)
    whole = (count * (width + MARGIN_PX) + MARGIN_PX, height + 3 * MARGIN_PX + len(lines) * LINE_PX)
    picture = QImage(*whole, QImage.Format.Format_RGB32)
    picture.fill(QColor(ON_PICTURE.background))
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    for at in range(count):
        rect = QRectF(MARGIN_PX + at * (width + MARGIN_PX), MARGIN_PX, width, height)
        _paint_frame(painter, rect, seen, is_alone=at < count - 1)
    _write(painter, QRectF(MARGIN_PX, height + 2 * MARGIN_PX, whole[0] - 2 * MARGIN_PX, LINE_PX), lines)
    painter.end()
    return picture


def _paint_frame(painter: QPainter, rect: QRectF, seen: ShownPicture, *, is_alone: bool) -> None:
    frame = masked(seen.frame, seen.view)
    painter.drawImage(rect, frame, QRectF(frame.rect()))
    if is_alone:
        return
    painter.save()
    painter.setClipRect(rect)
    if seen.layer is not None:
        paint_layer(painter, seen.overlay, seen.layer, rect, QSizeF(frame.size()))
    annotate.draw_outlines(painter, seen.notes.outlines, rect, QSizeF(frame.size()))
    draw_shapes(painter, seen.notes.shapes, rect, QSizeF(frame.size()))
    painter.restore()


def _lines(seen: ShownPicture) -> list[tuple[str, str, int]]:
    """Text, colour and size in px of each line below the frame."""
    layer, level = seen.layer, number_text(seen.overlay.contour_level, ".0%")
    if layer is None:
        return [(seen.title, ON_PICTURE.text, 15), (tr(NOTICE), ON_PICTURE.muted, 13)]
    drawn = tr("Contour at {level} of the frame's strongest evidence.", level=level)
    first = " · ".join(part for part in (seen.title, seen.notes.score_text) if part)
    second = f"{layer.source}. {drawn if layer.strength else tr('No part stands out.')}"
    rows = [(first, ON_PICTURE.text, 15), (second, ON_PICTURE.muted, 13)]
    if seen.training_note:
        rows.append((f"{seen.training_note}.", ON_PICTURE.warning, 13))
    return [*rows, (tr(NOTICE), ON_PICTURE.muted, 13)]


def _write(painter: QPainter, line: QRectF, rows: list[tuple[str, str, int]]) -> None:
    for at, (text, color, size) in enumerate(rows):
        painter.setFont(annotate.text_font(size))
        painter.setPen(QColor(color))
        room = line.translated(0, at * LINE_PX)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)


def masked(frame: QImage, view: FieldOfView) -> QImage:
    """A copy of a frame that is black outside the field of view, where clock and patient's name stand."""
    inside = view.mask(frame.height(), frame.width())
    cover = np.zeros((*inside.shape, 4), np.uint8)
    cover[~inside] = (0, 0, 0, 255)
    copy = frame.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(copy)
    painter.drawImage(0, 0, layer_picture(cover))
    painter.end()
    return copy


NOT_MASKED = to_translate("The field of view fills the whole frame, so nothing was masked: look for names in it.")


class CaptureFeature(Feature):
    """Pictures of the frame on screen; no file and no copy names the patient."""

    own_actions = ("picture_to_report", "copy_picture", "save_picture")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.drawing = Drawing(workspace, self)
        workspace.player.put_below_tools(self.drawing.bar)
        self._then: Callable[[FieldOfView], None] | None = None
        """What is done once the field of view is found."""
        self._searching = FunctionThread(
            self, returned=workspace.guard(self._view_found), failed=workspace.show_failure
        )
        self._connections = Connections(
            (self._session.frame_changed, self._show_state),
            (self._session.annotations_changed, self._show_state),
            (self._session.study_opened, self._show_state),
            (self._session.study_closed, self._searching.cancel),
        )

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """See `session.actions`."""
        return {**methods(self, self.own_actions), "draw_on_frame": self.drawing.draw_on_frame}

    def picture_to_report(self) -> None:
        """Show the frame on screen in the report, or no longer."""
        reading, frame = self._workspace.reading, self._frame_on_screen().frame_index
        drawings = reading.entries.drawings.toggled(frame)
        is_in = frame in drawings.in_report
        title = (
            to_translate("Put a picture into the report") if is_in else to_translate("Take a picture out of the report")
        )
        self._session.edits.apply(title, [drawing_change(self._session, drawings)])
        words = tr("Frame {frame} is no longer a picture of the report.", frame=format_frame(frame + 1))
        if is_in:
            key = key_of("picture_to_report")
            words = tr(
                "Frame {frame} is a picture of the report. {key} takes it out.", frame=format_frame(frame + 1), key=key
            )
        self._workspace.show_message(words)

    def copy_picture(self) -> None:
        """Put the picture into the clipboard."""
        self._with_view(self._copy)

    def save_picture(self) -> None:
        """Ask for a file and write the picture."""
        self._with_view(self._ask_and_save)

    def _copy(self, view: FieldOfView) -> None:
        QGuiApplication.clipboard().setImage(self._picture(view))
        frame = format_frame(self._frame_on_screen().frame_index + 1)
        self._remark(tr("Frame {frame} was copied.", frame=frame), view)

    def _ask_and_save(self, view: FieldOfView) -> None:
        picture, shown = self._picture(view), self._shown(view)
        source = "" if shown.layer is None else re.sub(r"[^a-z0-9]+", "-", shown.layer.source.lower()).strip("-")
        number = f"{self._frame_on_screen().frame_index + 1:06d}"
        name = f"explanation-frame-{number}-{source[:60]}.png" if source else f"frame-{number}.png"
        window, kinds = self._workspace.window, tr("Picture (*.png)")
        path = self._workspace.files.ask_new_file(window, "pictures", tr("Save the picture"), name, kinds)
        if path is not None:
            self._session.place_to_save(path)
            save_png(picture, path)
            self._remark(tr("Exported: {name}", name=path.name), view)

    def _remark(self, words: str, view: FieldOfView) -> None:
        self._workspace.show_message(f"{words} {tr(NOT_MASKED)}" if view.kind == "full" else words)

    def _with_view(self, then: Callable[[FieldOfView], None]) -> None:
        """Do it with the field of view of the study: that of its scores, or as searched for in its frames."""
        reading = self._workspace.reading
        self._frame_on_screen()
        view = reading.flags.field_of_view or self._workspace.player.frame_view.overlay.field_of_view
        if view is not None:
            then(view)
            return
        self._then, place = then, place_of(reading)

        def search(_: Reporter) -> FieldOfView:
            with open_source(place.path, index=place.index) as source:
                return study_field_of_view(source)

        self._searching.request(search)

    def _view_found(self, view: FieldOfView) -> None:
        then, self._then = self._then, None
        if then is not None and self._session.reading is not None:
            then(view)

    def _frame_on_screen(self) -> ShownFrame:
        frames = self._workspace.player.frame_view.frames
        if not frames or frames[0].picture is None:
            raise NothingToDoError("No frame is on screen.", "Go to a frame that can be read.")
        return frames[0]

    def _picture(self, view: FieldOfView) -> QImage:
        return frame_picture(self._shown(view))

    def _shown(self, view: FieldOfView) -> ShownPicture:
        shown, frame, reading = self._workspace.player.frame_view, self._frame_on_screen(), self._workspace.reading
        assert frame.picture is not None
        layer = shown.overlay.layer(frame.frame_index) if shown.overlay.is_visible else None
        time = format_time(float(reading.index.video_seconds[frame.frame_index]))
        return ShownPicture(
            frame=frame.picture,
            view=view,
            overlay=shown.overlay,
            layer=layer,
            notes=shown.notes(frame.frame_index),
            title=tr("Frame {frame} at {time}", frame=format_frame(frame.frame_index + 1), time=time),
            is_beside=shown.is_beside and layer is not None,
            training_note=score_note(self._session) if layer is not None else "",
        )

    def _show_state(self, _: object = None) -> None:
        reading = self._session.reading
        is_in = reading is not None and reading.place.frame_index in reading.entries.drawings.in_report
        self._workspace.menus.check({"picture_to_report": is_in})
