"""The line under the frame while the reader works through what to label next: how far, and why this frame."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton

from wce_desktop.core.language import tr
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import ACCENT
from wce_desktop.widgets.turning_row import TurningRow


class NextBar(TurningRow):
    """Shows the frame to label next, with its reason."""

    skip_requested = Signal()
    end_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("What to label next"))
        self.place = PlainLabel()
        self.place.setStyleSheet(f"color: {ACCENT}; font-weight: bold")
        self.reason = PlainLabel()
        self.skip = _button(tr("Skip L"), tr("Skip this frame without a label"))
        self.end = _button(tr("End"), tr("Leave the queue; labels are kept ({end_labelling})"))
        self.skip.clicked.connect(self.skip_requested)
        self.end.clicked.connect(self.end_requested)
        self.arrange(self.reason, (self.skip, self.end), self.place)

    def show_item(self, number: int, count: int, reason: str) -> None:
        """Show the frame `number` (from 0) of `count`, and why it is asked for."""
        self.place.setText(tr("Label: {number} of {count}", number=number + 1, count=count))
        self.reason.setText(reason)
        self.skip.setEnabled(True)

    def show_waiting(self, what: str) -> None:
        """Say what is waited for; “End” gives it up."""
        self.place.setText(what)
        self.reason.setText("")
        self.skip.setEnabled(False)


def _button(text: str, tip: str) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    set_tip(made, tip)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setStyleSheet("padding: 2px 8px")
    return made
