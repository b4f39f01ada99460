"""An area that scrolls a page of text or pictures by keys."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollArea


class PageArea(QScrollArea):
    """The arrow and page keys scroll, and Home and End go to the ends."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the ends; Qt does the rest."""
        bar = self.verticalScrollBar()
        ends = {Qt.Key.Key_Home: bar.minimum(), Qt.Key.Key_End: bar.maximum()}
        key = Qt.Key(event.key())
        if key in ends:
            bar.setValue(ends[key])
        else:
            super().keyPressEvent(event)
