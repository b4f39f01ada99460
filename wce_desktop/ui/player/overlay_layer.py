"""The explanation as a layer over the frame: small CAMs in, pictures and where they lie out."""

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QImage

from training.video import FieldOfView
from wce_desktop.core.overlay import OVERLAY_SIDE_PX, overlay_rgba
from wce_desktop.ui.player.pictures import layer_picture

CamProvider = Callable[[int], NDArray[np.floating] | None]
KEPT_LAYERS = 16
DEFAULT_OPACITY = 0.45


class OverlayLayer:
    """Makes the picture of a frame's CAM. It covers what the model saw: the field of view's square, masked outside."""

    def __init__(self) -> None:
        self.is_visible = False
        self.opacity = DEFAULT_OPACITY
        self.method = ""
        self.model = ""
        self._provider: CamProvider | None = None
        self._full_scale: float | None = None
        self._field_of_view: FieldOfView | None = None
        self._mask: NDArray[np.bool_] | None = None
        self._kept: OrderedDict[int, QImage | None] = OrderedDict()

    def set_provider(self, provider: CamProvider | None, full_scale: float | None) -> None:
        """Take CAMs (h, w) from `provider`, None where there is none; see `core.overlay.normalise` for `full_scale`."""
        self._provider, self._full_scale = provider, full_scale
        self._kept.clear()

    def set_field_of_view(self, field_of_view: FieldOfView | None) -> None:
        """Lay maps over this field of view's square; None takes the whole frame."""
        self._field_of_view = field_of_view
        self._mask = self._inside()
        self._kept.clear()

    def picture(self, frame_index: int) -> QImage | None:
        """The layer of one frame, opaque where the evidence is; None when the frame has no map."""
        if frame_index not in self._kept:
            self._kept[frame_index] = self._draw(frame_index)
            if len(self._kept) > KEPT_LAYERS:
                self._kept.popitem(last=False)
        return self._kept[frame_index]

    def rect(self, frame: QSizeF) -> QRectF:
        """Where the layer lies, in pixels of the frame."""
        if self._field_of_view is None:
            return QRectF(0, 0, frame.width(), frame.height())
        x_min, y_min, side = self._field_of_view.box
        scale = frame.width() / self._field_of_view.width_px
        return QRectF(x_min * scale, y_min * scale, side * scale, side * scale)

    def _draw(self, frame_index: int) -> QImage | None:
        cam = self._provider(frame_index) if self._provider is not None else None
        if cam is None:
            return None
        return layer_picture(overlay_rgba(cam, full_scale=self._full_scale, mask=self._mask))

    def _inside(self) -> NDArray[np.bool_] | None:
        """(side, side) bool, False outside the field of view, which may reach beyond the frame."""
        view = self._field_of_view
        if view is None:
            return None
        x_min, y_min, side = view.box
        at = np.floor((np.arange(OVERLAY_SIDE_PX) + 0.5) * side / OVERLAY_SIDE_PX).astype(int)
        rows, columns = at + y_min, at + x_min
        is_row, is_column = (rows >= 0) & (rows < view.height_px), (columns >= 0) & (columns < view.width_px)
        inside = np.zeros((OVERLAY_SIDE_PX, OVERLAY_SIDE_PX), bool)
        whole = view.mask(view.height_px, view.width_px)
        inside[np.ix_(is_row, is_column)] = whole[np.ix_(rows[is_row], columns[is_column])]
        return inside
