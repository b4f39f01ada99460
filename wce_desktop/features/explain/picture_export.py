"""Exports the shown explanation as an image: masked outside the field of view, with method and model."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from training.errors import UserError
from training.video import FieldOfView
from wce_desktop.core import format_frame, format_time, number_text, to_translate, tr
from wce_desktop.features.explain.explaining import Explaining
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player.annotation_painter import FrameNotes, Outline
from wce_desktop.widgets.player.overlay_layer import Layer, OverlayLayer, paint_layer
from wce_desktop.widgets.player.pictures import layer_picture, save_png
from wce_desktop.widgets.theme import ON_PICTURE
from wce_desktop.workspace import Part, Workspace

LEAST_SIDE_PX = 640
MARGIN_PX = 16
LINE_PX = 22
NOTICE = to_translate("Research use only, not for diagnosis.")


@dataclass(frozen=True)
class ShownExplanation:
    """The content of an exported explanation; it names neither patient nor file."""

    frame: QImage
    view: FieldOfView
    overlay: OverlayLayer
    layer: Layer
    outlines: tuple[Outline, ...]
    title: str
    """Frame and time."""
    score: str
    """Class and score."""
    is_beside: bool
    """Whether the frame without overlay is shown on its left."""
    training_note: str = ""
    """What must be known of the model's training data, or ""."""


def explanation_picture(seen: ShownExplanation) -> QImage:
    """The whole picture, RGB: the explained frame, the frame alone beside it where it was seen so, and text."""
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
        _paint_frame(painter, rect, seen, is_explained=at == count - 1)
    _write(painter, QRectF(MARGIN_PX, height + 2 * MARGIN_PX, whole[0] - 2 * MARGIN_PX, LINE_PX), lines)
    painter.end()
    return picture


def _paint_frame(painter: QPainter, rect: QRectF, seen: ShownExplanation, *, is_explained: bool) -> None:
    frame = masked(seen.frame, seen.view)
    painter.drawImage(rect, frame, QRectF(frame.rect()))
    if not is_explained:
        return
    painter.save()
    painter.setClipRect(rect)
    paint_layer(painter, seen.overlay, seen.layer, rect, QSizeF(frame.size()))
    annotate.draw_outlines(painter, seen.outlines, rect, QSizeF(frame.size()))
    painter.restore()


def _lines(seen: ShownExplanation) -> list[tuple[str, str, int]]:
    """Text, colour and size in px of each line below the frame."""
    level = number_text(seen.overlay.contour_level, ".0%")
    drawn = tr("Contour at {level} of the frame's strongest evidence.", level=level)
    first = " · ".join(part for part in (seen.title, seen.score) if part)
    second = f"{seen.layer.source}. {drawn if seen.layer.strength else tr('No part stands out.')}"
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


class ExplanationExport(Part):
    """One picture of the frame on screen; method and model stand in it, patient and file never."""

    def __init__(
        self, workspace: Workspace, owner: Part, explaining: Explaining, notes_of: Callable[[int], FrameNotes]
    ) -> None:
        super().__init__(workspace, owner)
        self._explaining, self._notes_of = explaining, notes_of

    def export_explanation(self) -> None:
        """Ask for a file and write the picture."""
        seen, reading = self._seen(), self._workspace.reading
        words = re.sub(r"[^a-z0-9]+", "-", seen.layer.source.lower()).strip("-")
        name = f"explanation-frame-{reading.place.frame_index + 1:06d}-{words[:60]}.png"
        window, title = self._workspace.window, tr("Export the explanation")
        chosen = self._workspace.files.ask_new_file(window, "pictures", title, name, tr("Picture (*.png)"))
        if chosen is not None:
            self.export_to(chosen)

    def export_to(self, path: Path) -> None:
        """Write the picture.

        Raises:
            UserError: there is no explanation or field of view, or the file cannot be written.
        """
        seen = self._seen()
        self._session.place_to_save(path)
        save_png(explanation_picture(seen), path)
        self._workspace.show_message(tr("Exported: {name}", name=path.name))

    def _seen(self) -> ShownExplanation:
        reading, player = self._session.reading, self._workspace.player
        frames = player.frame_view.frames
        if reading is None or not frames or frames[0].picture is None:
            raise UserError("No frame is on screen.", "Go to a frame that can be read.")
        frame_index = frames[0].frame_index
        layer = player.frame_view.overlay.layer(frame_index)
        if layer is None:
            raise UserError("This frame has no explanation yet.", "Press {key} to explain it.", key_of("explain_frame"))
        view = self._explaining.field_of_view
        if view is None:  # the picture might then show the patient's name
            raise UserError("The field of view of this study is not known.", "Score the study again.")
        notes = self._notes_of(frame_index)
        time = format_time(float(reading.index.video_seconds[frame_index]))
        return ShownExplanation(
            frame=frames[0].picture,
            view=view,
            overlay=player.frame_view.overlay,
            layer=layer,
            outlines=notes.outlines,
            title=tr("Frame {frame} at {time}", frame=format_frame(frame_index + 1), time=time),
            score=notes.score_text,
            is_beside=self._explaining.is_beside,
            training_note=score_note(self._session),
        )
