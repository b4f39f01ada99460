"""The small pieces that everything that shows a job has in common."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from training.runs.events import Progress
from wce_desktop.widgets.plain_text import PlainLabel, plain

STEPS = 1000
STOP_TIP = "Finish the running step and keep what is done"
CANCEL_TIP = "End at once and keep nothing new"


def make_button(text: str, tip: str) -> QPushButton:
    """A button that Return in a dialog does not press by accident."""
    button = QPushButton(text)
    button.setToolTip(plain(tip))
    button.setAutoDefault(False)
    return button


def make_text(color: str = "") -> PlainLabel:
    """A label that wraps and whose text can be selected, such as a sentence to send to somebody."""
    label = PlainLabel()
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    set_color(label, color)
    return label


def set_color(widget: QWidget, color: str) -> None:
    """Give a widget's text a colour; "" gives it the theme's back."""
    sheet = f"color: {color};" if color else ""
    if widget.styleSheet() != sheet:  # setting one costs a polish of the widget
        widget.setStyleSheet(sheet)


class JobBar(QProgressBar):
    """A thin bar without text; while the total is not known it moves to and fro."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName("Progress of the job")
        self.show_progress(None)

    def show_progress(self, progress: Progress | None) -> None:
        """Show the share that is done, or that it is not known."""
        fraction = progress.fraction if progress else None
        self.setRange(0, 0 if fraction is None else STEPS)
        self.setValue(int((fraction or 0.0) * STEPS))
