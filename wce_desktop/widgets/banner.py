"""Messages: a banner at the bottom of the window, and the list of all messages of this session."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core import counted, tr
from wce_desktop.widgets import basic, plain_text, theme, window_size
from wce_desktop.widgets.player.annotation_painter import joined

REMARK_MILLISECONDS, FADE_MILLISECONDS = 6000, 600
LINES, FONT_PX = 2, 11


class TwoLines(plain_text.PlainLabel):
    """A text in two small lines, elided if too long; the tooltip has the full text."""

    def __init__(self) -> None:
        super().__init__()
        font = self.font()
        font.setPixelSize(FONT_PX)
        self.setFont(font)
        self.setStyleSheet(f"font-size: {FONT_PX}px")
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Ignored)

    def minimumSizeHint(self) -> QtCore.QSize:
        """Allow shrinking."""
        return QtCore.QSize(80, 0)

    def lines(self) -> list[str]:
        """The shown lines: wrapped, the last one elided."""
        metrics, room = QtGui.QFontMetricsF(self.font()), float(self.width())
        result = [line for part in self.text().split("\n") for line in joined(part.split(), " ", metrics, room)]
        if len(result) <= LINES:
            return result
        first, *rest = self.text().split("\n") if "\n" in self.text() else result
        return [metrics.elidedText(line, QtCore.Qt.TextElideMode.ElideRight, room) for line in (first, " ".join(rest))]

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint the lines in the middle of the height."""
        painter = QtGui.QPainter(self)
        painter.setPen(QtGui.QColor(theme.COLORS.text))
        middle = QtCore.Qt.AlignmentFlag.AlignVCenter | QtCore.Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect(), middle, "\n".join(self.lines()))


class Banner(QtWidgets.QFrame):
    """Hidden without a message. Remarks fade after some seconds; errors and notes on the file stay until closed.

    A click opens the list of all messages.
    """

    message_shown = QtCore.Signal(str, bool)  # a message, whether it is an error; every one, whatever is shown of it
    list_requested = QtCore.Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Message"))
        self.error = self._remark = self._notes = ""
        """The shown error; empty if there is none."""
        self._text = TwoLines()
        self._close = QtWidgets.QToolButton()
        self._close.setText("✕")
        self._close.setToolTip(plain_text.plain(tr("Close (Escape)")))
        self._close.setAccessibleName(tr("Close the message"))
        self._close.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        self._close.setStyleSheet("padding: 0 5px")
        self._close.clicked.connect(self.dismiss)
        self.undo = basic.make_button(tr("Undo"), tr("Undo what this message says"), self._undo)
        self.undo.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        self._undoing: Callable[[], object] | None = None
        basic.in_row((self._text, 1), self.undo, self._close, of=self, margins=(10, 0, 4, 0))
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Ignored)
        self.setCursor(QtCore.Qt.CursorShape.PointingHandCursor)
        self._remark_timer = QtCore.QTimer(self, singleShot=True, interval=REMARK_MILLISECONDS)
        self._remark_timer.timeout.connect(self._end_remark)
        self._opacity = QtWidgets.QGraphicsOpacityEffect(self._text)
        self._opacity.setEnabled(False)  # else every message is painted twice
        self._text.setGraphicsEffect(self._opacity)
        self._fading = QtCore.QPropertyAnimation(self._opacity, b"opacity", self)
        self._fading.setDuration(FADE_MILLISECONDS)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self._show)
        self.hide()

    @property
    def text(self) -> str:
        """The shown text; empty if hidden, and while the last message fades."""
        return "\n".join(filter(None, (self.error, self._remark))) or self._notes

    def show_error(self, message: str, hint: str = "") -> None:
        """Show what went wrong and what to do next, until it is closed."""
        self.error, self._remark = f"{message} {hint}".strip(), ""
        self.message_shown.emit(self.error, True)
        self._show()

    def show_notes(self, notes: str) -> None:
        """Show sentences until they are closed, while there is nothing else; an empty text takes them back."""
        self._notes = notes
        if notes:
            self.message_shown.emit(notes, False)
        self._show()

    def show_remark(self, message: str, undo: Callable[[], object] | None = None) -> None:
        """Show a sentence for some seconds, below a shown error; with a button for `undo`."""
        self._remark, self._undoing = message, undo
        self._remark_timer.start(REMARK_MILLISECONDS * (1 if undo is None else 2))
        self.message_shown.emit(message, False)
        self._show()

    def take_back(self, message: str) -> None:
        """End a remark or an error that no longer holds, if it is still shown."""
        if message and self._remark == message:
            self._end_remark()
        if message and self.error == message:
            self.error = ""
            self._show()

    def _undo(self) -> None:
        undoing = self._undoing
        self._end_remark()
        if undoing is not None:
            undoing()

    def dismiss(self) -> None:
        """Hide the banner."""
        self.error = self._remark = self._notes = ""
        self._show()

    def _end_remark(self) -> None:
        self._remark, self._undoing = "", None
        self.undo.hide()
        if self.error or self._notes:
            self._show()
        else:
            self._opacity.setEnabled(True)
            self._fading.start()

    def _show(self) -> None:
        self._fading.stop()
        self._opacity.setEnabled(False)
        text = self.text
        if text:
            color = theme.COLORS.warning if self.error else theme.COLORS.accent
            self.setStyleSheet(f"Banner {{ background: {theme.COLORS.raised}; border-left: 4px solid {color}; }}")
            self._text.setText(text)
            self._text.setToolTip(plain_text.plain(text))
        else:
            self._remark_timer.stop()
        self.undo.setVisible(bool(self._remark) and self._undoing is not None)
        self.setVisible(bool(text))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """A click shows all messages."""
        if event.button() == QtCore.Qt.MouseButton.LeftButton:
            self.list_requested.emit()


MOST_MESSAGES = 500


@dataclass(frozen=True)
class Message:
    """One message; `count` says how often it came in a row."""

    time: str
    text: str
    is_error: bool
    count: int = 1


class MessagesDialog(QtWidgets.QDialog):
    """The newest message stands first; the window stays usable beside it."""

    def __init__(self, unread: QtWidgets.QPushButton, parent: QtWidgets.QWidget | None = None) -> None:
        """`unread` opens the list; it shows the number of unread errors, and is hidden while there are no messages."""
        super().__init__(parent)
        self.setWindowTitle(tr("Messages"))
        self.messages: list[Message] = []
        self._unread, self._unread_errors = unread, 0
        self._list = basic.make_list(tr("Messages"))
        self._empty = basic.make_note(tr("There are no messages yet."), is_centered=True)
        basic.in_column((self._empty, 1), (self._list, 1), of=self)
        window_size.fit_to_screen(self, 640, 420)
        self._show_unread()

    def add(self, text: str, is_error: bool) -> None:
        """Add a message; a repetition of the newest is counted."""
        now = f"{datetime.now():%H:%M:%S}"  # noqa: DTZ005 - the reader's own clock
        newest = self.messages[0] if self.messages else None
        if newest is not None and (newest.text, newest.is_error) == (text, is_error):
            self.messages[0] = replace(newest, time=now, count=newest.count + 1)
        else:
            self.messages.insert(0, Message(now, text, is_error))
            self._unread_errors += is_error and not self.isVisible()
        del self.messages[MOST_MESSAGES:]
        self._show_unread()
        if self.isVisible():
            self._fill()

    def open(self) -> None:
        """Show the list; every error counts as read."""
        self._unread_errors = 0
        self._show_unread()
        self._fill()
        self.show()
        self.raise_()

    def _show_unread(self) -> None:
        self._unread.setVisible(bool(self.messages))
        self._unread.setText(counted(self._unread_errors, "error") if self._unread_errors else tr("Messages"))
        basic.set_color(self._unread, theme.COLORS.warning if self._unread_errors else theme.COLORS.muted)

    def _fill(self) -> None:
        self._list.clear()
        for message in self.messages:
            said = f"{message.time}   {message.text}"
            if message.count > 1:
                said = tr("{message} ({count} times)", message=said, count=message.count)
            item = QtWidgets.QListWidgetItem(said, self._list)
            if message.is_error:
                item.setForeground(QtGui.QColor(theme.COLORS.warning))
        self._list.setVisible(bool(self.messages))
        self._empty.setVisible(not self.messages)
