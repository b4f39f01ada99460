"""What is being computed for the frame, how far it is, and how to end it; or what to do to begin."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from training.runs.events import Progress
from wce_desktop.widgets.job_widgets import JobBar, make_button, set_color
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import MUTED, WARNING

SHOWN_AFTER_MILLISECONDS = 300


class WaitingLine(QWidget):
    """A sentence, and while something is computed for longer than 0.3 s a bar with a stop beside it.

    The bar keeps its place while it is hidden, so that nothing jumps.
    """

    stop_requested = Signal()
    begin_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = PlainLabel()
        self.text.setWordWrap(True)
        self.bar = JobBar()
        self.bar.setAccessibleName("Progress of the explanation")
        self.stop = make_button("Stop", "End what is being computed; what is there stays")
        self.begin = make_button("Explain this frame (E)", "Compute why, for the frame on screen")
        self.stop.clicked.connect(self.stop_requested)
        self.begin.clicked.connect(self.begin_requested)
        self._show_later = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._show_later.timeout.connect(lambda: self._show_bar(True))
        for widget in (self.bar, self.stop):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        row = QHBoxLayout()
        row.addWidget(self.begin, 1)
        row.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        column.addWidget(self.bar)
        column.addLayout(row)
        self._show_bar(False)

    def show_text(self, text: str, *, is_problem: bool = False) -> None:
        """Say how things stand."""
        self.text.setText(text)
        set_color(self.text, WARNING if is_problem else MUTED)

    def show_busy(self, is_busy: bool) -> None:
        """Show that something is computed, once it takes long enough to notice."""
        if not is_busy:
            self._show_later.stop()
            self._show_bar(False)
        elif self.bar.isHidden() and not self._show_later.isActive():
            self.bar.show_progress(None)
            self._show_later.start()

    def show_progress(self, progress: Progress) -> None:
        """Show how far it is."""
        self.bar.show_progress(progress)

    def set_can_begin(self, is_possible: bool) -> None:
        """Offer to explain the frame, or not."""
        self.begin.setEnabled(is_possible)

    def _show_bar(self, is_shown: bool) -> None:
        self.bar.setVisible(is_shown)
        self.stop.setVisible(is_shown)
