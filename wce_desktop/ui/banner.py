"""A sentence above the frame: an error with what to do, or a remark that goes away by itself."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from wce_desktop.ui.theme import ACCENT, RAISED, WARNING

REMARK_MILLISECONDS = 6000


class Banner(QFrame):
    """Hidden until it has something to say; errors stay until they are closed, remarks leave by themselves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Message")
        self._text = QLabel(wordWrap=True)
        self._close = QPushButton("Close")
        self._close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 6, 8, 6)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._close)
        self._timer = QTimer(self, singleShot=True, interval=REMARK_MILLISECONDS)
        self._timer.timeout.connect(self.hide)
        self.hide()

    @property
    def text(self) -> str:
        """What stands there now; empty when nothing does."""
        return "" if self.isHidden() else self._text.text()

    def show_error(self, message: str, hint: str = "") -> None:
        """Show what went wrong and what to do next until the reader closes it."""
        self._show(f"{message} {hint}".strip(), WARNING)
        self._timer.stop()

    def show_remark(self, message: str) -> None:
        """Show a sentence for some seconds."""
        self._show(message, ACCENT)
        self._timer.start()

    def _show(self, text: str, color: str) -> None:
        self.setStyleSheet(f"Banner {{ background: {RAISED}; border-left: 4px solid {color}; }}")
        self._text.setText(text)
        self.show()
