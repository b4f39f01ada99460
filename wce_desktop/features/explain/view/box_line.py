"""Suggested boxes: how many stand on the frame, and what to do with them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from wce_desktop.core.clock import counted
from wce_desktop.widgets.basic import make_note
from wce_desktop.widgets.job_widgets import make_button


class BoxLine(QWidget):
    """Suggest, accept and reject boxes around what the overlay shows."""

    suggest_requested = Signal()
    accept_requested = Signal()
    reject_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = make_note()
        self.suggest = make_button("Suggest", "Draw boxes around the strongest evidence (W)")
        self.accept = make_button("Accept", "Keep the suggested boxes with your labels (Shift+W)")
        self.reject = make_button("Reject", "Take the suggested boxes away (Ctrl+W)")
        pairs = ((self.suggest, self.suggest_requested), (self.accept, self.accept_requested))
        for button, signal in (*pairs, (self.reject, self.reject_requested)):
            button.clicked.connect(signal)
        row = QHBoxLayout()
        row.setSpacing(4)
        for button in (self.suggest, self.accept, self.reject):
            row.addWidget(button, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        column.addLayout(row)

    def show_boxes(self, suggested: int, kept: int, can_suggest: bool) -> None:
        """Say how many boxes the frame on screen has."""
        self.suggest.setEnabled(can_suggest)
        self.accept.setEnabled(suggested > 0)
        self.reject.setEnabled(suggested > 0)
        if suggested:
            self.text.setText(f"Boxes: {suggested} suggested, drawn dashed")
        elif kept:
            self.text.setText(f"{counted(kept, 'box')} on this frame")
        else:
            self.text.setText("Boxes: none on this frame")
