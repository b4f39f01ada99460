"""What the player shows before a study is open: what to do next, and a button for it."""

from dataclasses import asdict
from string import Template

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton, QWidget

from wce_desktop.core.language import tr
from wce_desktop.session.places import resource
from wce_desktop.widgets import basic, key_texts, plain_text, theme

PICTURE_FROM_PX, WORDS_FROM_PX, BORDER_FROM_PX = 330, 190, 150
"""Heights from which the picture, the sentence, and the margin of the border have room."""


LAST_PX = 520
ROW_PX, MARGIN_PX = 470, 34
"""In a narrower window the buttons are as narrow as their words."""
BUTTON_PX = 120
"""Room for the words of the button that continues a reading; longer ones are cut in the middle."""


class EmptyState(QWidget):
    """A drop zone with a picture, a text and buttons; in a low window the picture and the sentence give way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _label(tr("Drop a study here"), 22, theme.COLORS.text)
        self.hint = _label(
            tr("A capsule video (mp4, mov, mkv, avi, mpg …) or a folder of images."), 14, theme.COLORS.muted
        )
        self.picture = _Capsule()
        self.last = _button(
            "", tr("Open the study read last, where reading stopped ({continue_reading})"), is_primary=True
        )
        self.last.hide()
        self._last = ""
        """Name of the study read last."""
        self.open_button = _button(tr("Open…"), tr("Open a video file ({open_files})"), is_primary=True)
        self.demo_button = _button(tr("Open the demo"), tr("Open a synthetic study with scores"), is_primary=False)
        self.worklist_button = _button(
            tr("Worklist…"), tr("Search all studies of the library ({show_worklist})"), is_primary=False
        )
        self.worklist_button.hide()
        middle = Qt.AlignmentFlag.AlignHCenter
        self._buttons = basic.in_row(1, self.worklist_button, self.open_button, self.demo_button, 1, spacing=12)
        words = (self.picture, 0, middle), self.title, self.hint, (self.last, 0, middle)
        self._column = basic.in_column(
            1, *words, self._buttons, 1, of=self, margins=(MARGIN_PX, 30, MARGIN_PX, 30), spacing=10
        )

    def offer_last(self, name: str) -> None:
        """Offer to continue with the study read last; without a name nothing is offered."""
        self._last = name
        self.last.setAccessibleName(_last_words(name) if name else "")
        self.last.setVisible(bool(name))
        self.open_button.setProperty("primary", "false" if name else "true")
        self.open_button.style().polish(self.open_button)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show less in a low window."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = self.height() - (46 if not self.last.isHidden() else 0)
        room = min(LAST_PX, self.width() - 110)
        metrics = self.last.fontMetrics()
        room -= metrics.horizontalAdvance(_last_words(""))
        name = metrics.elidedText(self._last, Qt.TextElideMode.ElideRight, room)
        self.last.setText(_last_words(name).replace("&", "&&"))
        is_narrow = self.width() < ROW_PX
        self._buttons.setSpacing(4 if is_narrow else 12)
        for button in (self.worklist_button, self.open_button, self.demo_button):
            button.setMinimumWidth(0 if is_narrow else BUTTON_PX)
        is_cut = is_narrow and self._buttons.sizeHint().width() > self.width() - 2 * MARGIN_PX
        directions = self._buttons.Direction
        self._buttons.setDirection(directions.TopToBottom if is_cut else directions.LeftToRight)
        self.picture.setVisible(height >= PICTURE_FROM_PX)
        self.hint.setVisible(height >= WORDS_FROM_PX)
        self.title.setVisible(height >= BORDER_FROM_PX)
        margin = MARGIN_PX - 4 if height >= BORDER_FROM_PX else 8
        self._column.setContentsMargins(margin + 4, margin, margin + 4, margin)
        self.update()

    def minimumSizeHint(self) -> QSize:
        """In a low window the picture and the words give way; they must not limit the window size."""
        return QSize(260, 96)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.COLORS.background))
        pen = QPen(QColor(theme.COLORS.border), 1.5, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([6, 5])
        painter.setPen(pen)
        inset = min(24, self._column.contentsMargins().top() - 6)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 14, 14)


def _last_words(name: str) -> str:
    return tr("Continue reading {name}", name=name)


class _Capsule(QWidget):
    """A capsule with its dome and its light, in greys and the accent."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(QSize(150, 92))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        drawing = Template(resource("icons", "capsule.svg").read_text(encoding="utf-8"))
        painter = QPainter(self)
        QSvgRenderer(drawing.substitute(asdict(theme.COLORS)).encode()).render(painter, QRectF(self.rect()))


def _label(text: str, size_px: int, color: str) -> plain_text.PlainLabel:
    label = plain_text.PlainLabel(text)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setWordWrap(True)
    label.setStyleSheet(f"color: {color}; font-size: {size_px}px; background: transparent;")
    return label


def _button(text: str, tip: str, *, is_primary: bool) -> QPushButton:
    button = QPushButton(text)
    key_texts.set_tip(button, tip)
    button.setProperty("primary", "true" if is_primary else "false")
    button.setMinimumSize(BUTTON_PX, 34)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button
