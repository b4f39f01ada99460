"""The key frames of a finding as small pictures, with the model's CAM over them if wanted."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QListView, QListWidgetItem, QVBoxLayout, QWidget

from training.video import FieldOfView
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.core.language import tr
from wce_desktop.core.overlay import overlay_rgba
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import make_button
from wce_desktop.widgets.by_hand import HandList
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.player.overlay_layer import inside_of
from wce_desktop.widgets.player.pictures import layer_picture, picture_icon

FRAME_ROLE = Qt.ItemDataRole.UserRole
PICTURE_PX = 64
STRIP_PX = 100
Thumbnail = Callable[[int], QImage | None]


def with_overlay(picture: QImage, cam: NDArray[np.floating], view: FieldOfView) -> QImage:
    """A copy of a frame's small picture with a CAM over the square that the model saw."""
    scale = picture.width() / view.width_px
    x_min, y_min, side = (value * scale for value in view.box)
    layer = layer_picture(overlay_rgba(cam, opacity=0.8, mask=inside_of(view)))
    drawn = picture.copy()
    with QPainter(drawn) as painter:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(x_min, y_min, side, side), layer, QRectF(layer.rect()))
    return drawn


class KeyFrameList(HandList):
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

    def event(self, event: object) -> bool:
        """Take the keys that move here and remove before the window's shortcuts do."""
        own = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Delete)
        if isinstance(event, QKeyEvent) and event.type() == QKeyEvent.Type.ShortcutOverride and event.key() in own:
            event.accept()
            return True
        return super().event(event)  # type: ignore[arg-type]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes the highlighted key frame."""
        item = self.currentItem()
        if event.matches(QKeySequence.StandardKey.Delete) and item is not None:
            self.removed.emit(int(item.data(FRAME_ROLE)))
        else:
            super().keyPressEvent(event)


class KeyFrames(QWidget):
    """The strip, with buttons that add the frame on screen, remove one, and lay the CAM over the pictures."""

    frame_chosen = Signal(int)
    toggle_requested = Signal(int)
    """A frame that becomes a key frame, or no longer."""
    here_requested = Signal()
    """The frame on screen shall become a key frame."""

    def __init__(self, session: Session, thumbnail: Thumbnail) -> None:
        super().__init__()
        self._session, self._thumbnail = session, thumbnail
        self._finding: Finding | None = None
        self.list = KeyFrameList()
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        self.list.moved.connect(self._moved)
        self.list.removed.connect(self.toggle_requested)
        self.add = make_button(
            tr("Add frame"), tr("Make the frame on screen a key frame, or no longer ({toggle_key_frame})")
        )
        self.add.clicked.connect(self.here_requested)
        self.remove = make_button(
            tr("Remove key frame"), tr("The highlighted one is a key frame no longer (Delete in the strip)")
        )
        self.remove.clicked.connect(self._remove)
        self.overlay = QCheckBox(tr("With overlay"))
        self.overlay.setToolTip(tr("Lay over the pictures where the model finds evidence of the finding's kind (CAM)"))
        self.overlay.toggled.connect(lambda _: self._draw_again())
        buttons = QHBoxLayout()
        buttons.addWidget(self.add, 1)
        buttons.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        column.addLayout(buttons)
        column.addWidget(self.overlay)

    def show_finding(self, finding: Finding | None) -> None:
        """Show the key frames of a finding, or none."""
        before, self._finding = self._finding, finding
        reading = self._session.reading
        self.setEnabled(finding is not None and reading is not None)
        frames = () if finding is None or reading is None else finding.key_frames
        if before is None or finding is None or before.kind != finding.kind or frames != self._frames():
            chosen = self._chosen()
            with QSignalBlocker(self.list):
                self.list.clear()
                for frame in frames:
                    self._add(frame, chosen)
        self.remove.setEnabled(bool(frames))
        has_cams = reading is not None and finding is not None and reading.flags.field_of_view is not None
        has_cams = has_cams and any(self._cam(frame) is not None for frame in frames)
        self.overlay.setEnabled(has_cams)
        self.show_pictures()

    def show_pictures(self) -> None:
        """Show the pictures that have arrived."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            picture = self.picture(int(item.data(FRAME_ROLE))) if item.icon().isNull() else None
            if picture is not None:
                item.setIcon(picture_icon(picture))

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

    def _add(self, frame: int, chosen: int | None) -> None:
        reading = self._session.reading
        assert reading is not None
        at = float(reading.index.video_seconds[min(frame, reading.frame_count - 1)])
        item = QListWidgetItem(format_time(at), self.list)
        item.setData(FRAME_ROLE, frame)
        item.setToolTip(plain(tr("Frame {frame}", frame=format_frame(frame + 1))))
        if frame == chosen:
            self.list.setCurrentItem(item)

    def _frames(self) -> tuple[int, ...]:
        return tuple(int(self.list.item(row).data(FRAME_ROLE)) for row in range(self.list.count()))

    def _chosen(self) -> int | None:
        item = self.list.currentItem()
        return None if item is None else int(item.data(FRAME_ROLE))

    def _draw_again(self) -> None:
        for row in range(self.list.count()):
            self.list.item(row).setIcon(QIcon())
        self.show_pictures()

    def _go(self, item: QListWidgetItem) -> None:
        self.frame_chosen.emit(int(item.data(FRAME_ROLE)))

    def _moved(self, index: QModelIndex) -> None:
        """Keys that move the highlight go to its frame."""
        self._go(self.list.item(index.row()))

    def _remove(self) -> None:
        """Remove the highlighted key frame; where none is, the last one."""
        chosen = self._chosen()
        frames = self._frames()
        if frames:
            self.toggle_requested.emit(frames[-1] if chosen is None else chosen)
