"""A row of words and buttons that becomes two rows where it is narrow."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QWidget

TEXT_PX = 220
"""A text that wraps has at least this width beside the buttons."""


class TurningRow(QWidget):
    """A text that wraps, and buttons; the buttons stand below the text where it would become narrow."""

    def __init__(self, margins: tuple[int, int, int, int] = (10, 1, 8, 1)) -> None:
        super().__init__()
        self._title: QLabel | None = None
        self._words, self._buttons = QHBoxLayout(), QHBoxLayout()
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(*margins)
        self._rows.addLayout(self._words, 1)
        self._rows.addLayout(self._buttons)

    def arrange(self, text: QLabel, buttons: Sequence[QWidget], title: QLabel | None = None) -> None:
        """Take the parts, once; a title stands before the text."""
        self._title = title
        text.setWordWrap(True)
        if title is not None:
            self._words.addWidget(title)
        self._words.addWidget(text, 1)
        for button in buttons:
            self._buttons.addWidget(button)

    def minimumSizeHint(self) -> QSize:
        """Two rows fit where one does not."""
        margins = self._rows.contentsMargins()
        width = max(self._words.minimumSize().width(), self._buttons.minimumSize().width())
        return QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One row if there is room for it."""
        title_px = self._title.sizeHint().width() if self._title is not None else 0
        needed = title_px + TEXT_PX + self._buttons.minimumSize().width()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._rows.setDirection(across if needed <= self.width() else down)
        super().resizeEvent(event)
