"""The key frames of a finding as small pictures, with the model's CAM over them if wanted."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSignalBlocker, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QCheckBox, QListView, QListWidgetItem, QWidget

from training.video import FieldOfView
from wce_desktop.core import format_frame, format_time, tr
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.overlay import FrameCam
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, by_hand
from wce_desktop.widgets.key_texts import KeepsKeys
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.player.overlay_layer import OverlayLayer, paint_layer

FRAME_ROLE = Qt.ItemDataRole.UserRole
PICTURE_PX = 56
STRIP_PX = 88
Thumbnail = Callable[[int], QImage | None]


def with_overlay(picture: QImage, cam: NDArray[np.floating], view: FieldOfView) -> QImage:
    """A copy of a frame's small picture with the contour of a CAM."""
    overlay, drawn = OverlayLayer(), picture.copy()
    overlay.set_field_of_view(view)
    overlay.set_provider(lambda _: FrameCam(cam))
    layer = overlay.layer(0)
    if layer is not None:
        with QPainter(drawn) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_layer(painter, overlay, layer, QRectF(drawn.rect()), QSizeF(drawn.size()))
    return drawn


class KeyFrameList(KeepsKeys, by_hand.HandList):
    """Small pictures in a row; Delete removes the highlighted one."""

    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr("Key frames of the finding"))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setWrapping(False)
        self.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        self.setFixedHeight(STRIP_PX)
        self.setSpacing(2)

    def show_pictures(self, picture_of: Callable[[QListWidgetItem], QImage | None]) -> None:
        """Lay the rows out anew, too: Qt would look for them where they lay before their pictures came."""
        super().show_pictures(picture_of)
        self.scheduleDelayedItemsLayout()

    def keeps(self, event: QKeyEvent) -> bool:
        """The keys that move here and remove."""
        return event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Delete)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes the highlighted key frame."""
        item = self.currentItem()
        if event.matches(QKeySequence.StandardKey.Delete) and item is not None:
            self.removed.emit(_frame(item))
        else:
            super().keyPressEvent(event)


class KeyFrames(QWidget):
    """The strip, with buttons that add the frame on screen, remove one, and lay the CAM over the pictures."""

    frame_chosen = Signal(int)
    toggle_requested = Signal(int)
    """A frame that becomes a key frame, or no longer."""

    def __init__(self, session: Session, thumbnail: Thumbnail) -> None:
        super().__init__()
        self._session, self._thumbnail = session, thumbnail
        self._finding: Finding | None = None
        self.list = KeyFrameList()
        self.list.entered.connect(lambda item: self.frame_chosen.emit(_frame(item)))
        self.list.removed.connect(self.toggle_requested)
        self.add = basic.make_button(
            tr("Add"), tr("Make the frame on screen a key frame, or no longer ({toggle_key_frame})")
        )
        self.remove = basic.make_button(
            tr("Remove"), tr("The highlighted one is a key frame no longer (Delete in the strip)")
        )
        self.remove.clicked.connect(self._remove)
        self.overlay = QCheckBox(tr("Overlay"))
        self.overlay.setToolTip(tr("Lay over the pictures where the model finds evidence of the finding's kind (CAM)"))
        self.overlay.toggled.connect(lambda _: self._draw_again())
        buttons = basic.in_column(self.add, self.remove, self.overlay, spacing=2)
        basic.in_row((self.list, 1), buttons, of=self, margins=0, spacing=4)

    def show_finding(self, finding: Finding | None) -> None:
        """Show the key frames of a finding, or none."""
        before, self._finding = self._finding, finding
        reading = self._session.reading
        self.setEnabled(finding is not None and reading is not None)
        frames = () if finding is None or reading is None else finding.key_frames
        if (
            before is None
            or finding is None
            or before.kind != finding.kind
            or frames != tuple(map(_frame, self.list.rows))
        ):
            chosen = self.list.currentItem()
            chosen_frame = None if chosen is None else _frame(chosen)
            with QSignalBlocker(self.list):
                self.list.clear()
                for frame in frames:
                    self._add(frame, is_chosen=frame == chosen_frame)
        self.remove.setEnabled(bool(frames))
        has_cams = reading is not None and finding is not None and reading.flags.field_of_view is not None
        has_cams = has_cams and any(self._cam(frame) is not None for frame in frames)
        self.overlay.setEnabled(has_cams)
        self.show_pictures()

    def show_pictures(self) -> None:
        """Show the pictures that have arrived."""
        self.list.show_pictures(lambda item: self.picture(_frame(item)))

    def picture(self, frame_index: int) -> QImage | None:
        """The small picture of a frame, with the CAM if wanted; None until it has arrived."""
        picture, reading = self._thumbnail(frame_index), self._session.reading
        if picture is None or picture.isNull() or reading is None:
            return None
        cam = self._cam(frame_index) if self.overlay.isChecked() else None
        view = reading.flags.field_of_view
        return picture if cam is None or view is None else with_overlay(picture, cam, view)

    def _cam(self, frame_index: int) -> NDArray[np.floating] | None:
        reading, finding = self._session.reading, self._finding
        return None if reading is None or finding is None else reading.flags.stored_cam(finding.kind, frame_index)

    def _add(self, frame: int, *, is_chosen: bool) -> None:
        reading = self._session.opened()
        at = float(reading.index.video_seconds[min(frame, reading.frame_count - 1)])
        item = QListWidgetItem(format_time(at), self.list)
        item.setData(FRAME_ROLE, frame)
        item.setToolTip(plain(tr("Frame {frame}", frame=format_frame(frame + 1))))
        if is_chosen:
            self.list.setCurrentItem(item)

    def _draw_again(self) -> None:
        for row in self.list.rows:
            row.setIcon(QIcon())
        self.show_pictures()

    def _remove(self) -> None:
        """Remove the highlighted key frame; where none is, the last one."""
        chosen = self.list.currentItem() or next(reversed(self.list.rows), None)
        if chosen is not None:
            self.toggle_requested.emit(_frame(chosen))


def _frame(item: QListWidgetItem) -> int:
    return int(item.data(FRAME_ROLE))
