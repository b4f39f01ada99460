"""All messages of this session with their times: what left the window's foot is not gone."""

from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialog, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from wce_desktop.widgets.basic import make_list, make_note
from wce_desktop.widgets.theme import WARNING
from wce_desktop.widgets.window_size import fit_to_screen

MOST_MESSAGES = 500


@dataclass(frozen=True)
class Message:
    """One message; `count` says how often it came in a row."""

    time: str
    text: str
    is_error: bool
    count: int = 1


class MessagesDialog(QDialog):
    """The newest message stands first; the window stays usable beside it."""

    def __init__(self, unread: QPushButton, parent: QWidget | None = None) -> None:
        """`unread` shows how many errors nobody has looked at, and is hidden while there are none."""
        super().__init__(parent)
        self.setWindowTitle("Messages")
        self.messages: list[Message] = []
        self._unread, self._unread_errors = unread, 0
        self._list = make_list("Messages")
        self._empty = make_note("Nothing has been said yet.", is_centered=True)
        layout = QVBoxLayout(self)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._list, 1)
        fit_to_screen(self, 640, 420)
        self._show_unread()

    def add(self, text: str, is_error: bool) -> None:
        """Take a message in; one that repeats the newest is counted."""
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
        self._unread.setVisible(self._unread_errors > 0)
        self._unread.setText("1 error" if self._unread_errors == 1 else f"{self._unread_errors} errors")

    def _fill(self) -> None:
        self._list.clear()
        for message in self.messages:
            times = f" ({message.count} times)" if message.count > 1 else ""
            item = QListWidgetItem(f"{message.time}   {message.text}{times}", self._list)
            if message.is_error:
                item.setForeground(QColor(WARNING))
        self._list.setVisible(bool(self.messages))
        self._empty.setVisible(not self.messages)
