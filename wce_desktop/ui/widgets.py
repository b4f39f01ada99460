"""Small widgets made with what each needs to be usable without the mouse and by a screen reader."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QSlider

from wce_desktop.ui.theme import MUTED


def make_list(name: str) -> QListWidget:
    """A list whose rows wrap, called `name` by a screen reader."""
    made = QListWidget()
    made.setAccessibleName(name)
    made.setWordWrap(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def make_slider(name: str, minimum: int, maximum: int, tip: str = "") -> QSlider:
    """A horizontal slider called `name` by a screen reader."""
    made = QSlider(Qt.Orientation.Horizontal)
    made.setAccessibleName(name)
    made.setRange(minimum, maximum)
    made.setToolTip(tip or name)
    return made


def make_heading(text: str) -> QLabel:
    """The title of a panel."""
    made = QLabel(text)
    made.setStyleSheet(f"color: {MUTED}; font-weight: bold")
    return made


def make_note(text: str = "", *, is_centered: bool = False) -> QLabel:
    """A sentence that explains, set back from the text."""
    made = QLabel(text)
    made.setWordWrap(True)
    made.setStyleSheet(f"color: {MUTED}")
    if is_centered:
        made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made
