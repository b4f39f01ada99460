"""A card with picture and data of the frame under the pointer."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import BORDER, MUTED, RAISED

SIDE_PX = 160
AWAY_PX = 18
WAITING, GONE = to_translate("reading the frame…"), to_translate("no picture")


class HoverCard(QFrame):
    """A small card over the map, transparent to the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setStyleSheet(f"HoverCard {{ background: {RAISED}; border: 1px solid {BORDER}; border-radius: 6px; }}")
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setFixedSize(SIDE_PX, SIDE_PX)
        self._picture.setStyleSheet(f"background: black; color: {MUTED}")
        self._words = PlainLabel()
        self._words.setWordWrap(True)
        self._words.setFixedWidth(SIDE_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.addWidget(self._picture)
        column.addWidget(self._words)
        self.hide()

    @property
    def words(self) -> str:
        """The text."""
        return self._words.text()

    @property
    def picture(self) -> QPixmap:
        """The picture that it shows; a null one while there is none."""
        return self._picture.pixmap()

    def show_at(self, at: QPoint, words: str, picture: QImage | None) -> None:
        """Show a frame beside a place of the parent, on the side where there is room."""
        self._words.setText(words)
        self.set_picture(picture)
        self.adjustSize()
        self.move(self._corner(at, self.size()))
        self.show()
        self.raise_()

    def set_picture(self, picture: QImage | None) -> None:
        """Show the picture; None: it is being read; a null one: it cannot be."""
        if picture is None or picture.isNull():
            self._picture.setText(tr(WAITING if picture is None else GONE))
            return
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self._picture.setPixmap(QPixmap.fromImage(picture).scaled(SIDE_PX, SIDE_PX, keep, smooth))

    def _corner(self, at: QPoint, size: QSize) -> QPoint:
        room = self._area.rect()
        right, left = at.x() + AWAY_PX, at.x() - AWAY_PX - size.width()
        across = right if right + size.width() <= room.width() else max(left, 0)
        down = min(max(at.y() - size.height() // 2, 0), max(room.height() - size.height(), 0))
        return QPoint(across, down)
