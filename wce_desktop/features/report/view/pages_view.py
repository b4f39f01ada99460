"""The pages of a report below each other, as they would be printed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from wce_desktop.core.clock import counted
from wce_desktop.core.language import tr
from wce_desktop.widgets.theme import BACKGROUND, MUTED

GAP_PX = 12
LEAST_WIDTH_PX = 240
RESIZED_AFTER_MILLISECONDS = 200
A4 = 297 / 210


class _Sheets(QWidget):
    """The pages; only what is on screen is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: Sequence[QImage] = ()
        self.words = ""

    def place(self, number: int) -> QRect:
        """Where a page lies."""
        width = max(self.width() - 2 * GAP_PX, 1)
        height = round(width * A4)
        return QRect(GAP_PX, GAP_PX + number * (height + GAP_PX), width, height)

    def sizeHint(self) -> QSize:
        """As high as all pages."""
        return QSize(self.width(), self.place(len(self.pages)).top())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pages on screen."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(BACKGROUND))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, page in enumerate(self.pages):
            place = self.place(number)
            if place.intersects(event.rect()):
                painter.drawImage(place, page)
        if not self.pages:
            painter.setPen(QColor(MUTED))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, self.words)
        painter.end()


class PagesView(QScrollArea):
    """Shows pages as wide as there is room; the arrow and page keys scroll."""

    width_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sheets = _Sheets()
        self.setWidget(self._sheets)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Preview of the report"))
        self._resized = QTimer(self, singleShot=True, interval=RESIZED_AFTER_MILLISECONDS)
        self._resized.timeout.connect(self.width_changed)

    @property
    def page_width_px(self) -> int:
        """Width of a page on the screen, in its own pixels."""
        shown = max(self.viewport().width() - 2 * GAP_PX, LEAST_WIDTH_PX)
        return round(shown * self.devicePixelRatioF())

    @property
    def pages(self) -> Sequence[QImage]:
        """The pages shown."""
        return self._sheets.pages

    def show_pages(self, pages: Sequence[QImage]) -> None:
        """Show these pages at the same place."""
        at = self.verticalScrollBar().value()
        self._sheets.pages = pages
        self.setAccessibleDescription(counted(len(pages), "page"))
        self._fit()
        self.verticalScrollBar().setValue(at)
        self._sheets.update()

    def show_words(self, words: str) -> None:
        """Say what is awaited, while there are no pages."""
        self._sheets.words = words
        self._sheets.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scale the pages at once, and ask for sharper ones."""
        super().resizeEvent(event)
        self._fit()
        self._resized.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End scroll to the ends."""
        bar = self.verticalScrollBar()
        ends = {Qt.Key.Key_Home: bar.minimum(), Qt.Key.Key_End: bar.maximum()}
        key = Qt.Key(event.key())
        if key in ends:
            bar.setValue(ends[key])
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        self._sheets.resize(self.viewport().width(), self._sheets.height())
        height = max(self._sheets.sizeHint().height(), self.viewport().height())
        self._sheets.resize(self.viewport().width(), height)
