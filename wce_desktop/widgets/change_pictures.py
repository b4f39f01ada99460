"""A frame twice, side by side: with the evidence of the old and of the new model."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.core.overlay import FrameCam, full_scale_of
from wce_desktop.session.session import Session
from wce_desktop.widgets.player.annotation_painter import draw_caption
from wce_desktop.widgets.player.overlay_layer import OverlayLayer, paint_layer
from wce_desktop.widgets.player.pictures import side_by_side

SCALE_SAMPLE = 500
"""Frames that the scale of an overlay is taken from."""


class ChangePictures:
    """Pictures of the open study; made when they are first painted, as soon as their frame is there."""

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        """`thumbnail`: frame of the open study -> its picture, or None until it has arrived."""
        self._session, self._thumbnail = session, thumbnail
        self._overlays = (OverlayLayer(), OverlayLayer())
        self.show("", "")

    def show(self, old_id: str, new_id: str) -> None:
        """Show these models in the open study from now on."""
        reading = self._session.reading
        view = reading.flags.field_of_view if reading is not None else None
        for overlay in self._overlays:
            overlay.set_field_of_view(view)
        self._models = old_id, new_id
        self._drawn = lru_cache(maxsize=64)(self._draw)
        self._cam = lru_cache(maxsize=256)(self._read_cam)
        self._scale = lru_cache(maxsize=64)(self._read_scale)

    def picture(self, name: str, frame_index: int) -> QImage | None:
        """Twice as wide as high, the old model at the left; a frame that the model has no map of stays plain."""
        frame = self._thumbnail(frame_index)
        return frame if frame is None or frame.isNull() else self._drawn(name, frame_index)

    def _draw(self, name: str, frame_index: int) -> QImage:
        frame = self._thumbnail(frame_index)
        assert frame is not None, "asked for by `picture`"

        def draw_evidence(painter: QPainter, place: QRectF, at: int) -> None:
            overlay, cam = self._overlays[at], self._cam(self._models[at], name, frame_index)
            overlay.set_provider(lambda _: cam)
            layer = overlay.layer(frame_index)
            if layer is not None:
                paint_layer(painter, overlay, layer, place, QSizeF(frame.size()))
            else:
                corner = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
                draw_caption(painter, place, tr("no explanation"), corner)

        return side_by_side(frame, draw_evidence)

    def _read_cam(self, model_id: str, name: str, frame_index: int) -> FrameCam | None:
        values = self._read(model_id, name, frame_index)
        if values is None or np.isnan(values).any():
            return None
        return FrameCam(values[0], self._scale(model_id, name))

    def _read_scale(self, model_id: str, name: str) -> float | None:
        """One scale for the study, so that weak evidence looks weak."""
        values = self._read(model_id, name, None)
        return None if values is None else full_scale_of(values)

    def _read(self, model_id: str, name: str, frame_index: int | None) -> np.ndarray | None:
        """(n, h, w) the maps of a class that scoring kept: of one frame, or (None) of a sample."""
        reading = self._session.reading
        if reading is None or not model_id:
            return None
        files = self._session.files(reading.study)
        try:
            with files.open_embeddings(files.scores_path(model_id)) as file:
                if file.cams is None or name not in file.header.classes:
                    return None
                column, count = file.header.classes.index(name), len(file)
                rows = slice(None, None, max(1, count // SCALE_SAMPLE))
                if frame_index is not None:
                    at = int(np.searchsorted(file.frame_index, frame_index))
                    rows = slice(at, at + int(at < count and file.frame_index[at] == frame_index))
                values = np.array(file.cams[rows, column], np.float32)
                return values if len(values) else None
        except UserError:
            return None
