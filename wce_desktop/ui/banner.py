"""A sentence over the top of the frame: an error with what to do, or a remark that goes away by itself."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from wce_desktop.ui.plain_text import PlainLabel
from wce_desktop.ui.theme import ACCENT, RAISED, WARNING

REMARK_MILLISECONDS = 6000


class Banner(QFrame):
    """Hidden until it has something to say; errors stay until they are closed, remarks leave by themselves.

    It floats over its parent's top edge, so that nothing below moves when it comes or goes.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._under = parent
        parent.installEventFilter(self)
        self.setAccessibleName("Message")
        self._error = ""
        self._text = PlainLabel()
        self._text.setWordWrap(True)
        self._close = QPushButton("Close")
        self._close.clicked.connect(self.dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 6, 8, 6)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._close)
        self._timer = QTimer(self, singleShot=True, interval=REMARK_MILLISECONDS)
        self._timer.timeout.connect(self._end_remark)
        self.hide()

    @property
    def text(self) -> str:
        """What stands there now; empty when nothing does."""
        return "" if self.isHidden() else self._text.text()

    def show_error(self, message: str, hint: str = "") -> None:
        """Show what went wrong and what to do next until the reader closes it."""
        self._error = f"{message} {hint}".strip()
        self._end_remark()

    def show_remark(self, message: str) -> None:
        """Show a sentence for some seconds, below an error that stands there."""
        self._show("\n".join(filter(None, (self._error, message))), WARNING if self._error else ACCENT)
        self._timer.start()

    def dismiss(self) -> None:
        """Say nothing any more."""
        self._error = ""
        self._end_remark()

    def _end_remark(self) -> None:
        self._timer.stop()
        if self._error:
            self._show(self._error, WARNING)
        else:
            self.hide()

    def _show(self, text: str, color: str) -> None:
        self.setStyleSheet(f"Banner {{ background: {RAISED}; border-left: 4px solid {color}; }}")
        self._text.setText(text)
        self._place()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as wide as the parent."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        width = self._under.width()
        self.setGeometry(0, 0, width, max(self.heightForWidth(width), self.sizeHint().height()))
