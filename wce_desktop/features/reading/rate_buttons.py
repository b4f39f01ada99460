"""Buttons that set the threshold by the share of normal frames that reached it, as the model's card says."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from wce_desktop.core import percent, tr
from wce_desktop.widgets import basic
from wce_desktop.widgets.plain_text import PlainLabel


class RateButtons(QWidget):
    """Hidden unless the card has thresholds for the source of the open study."""

    chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._row = basic.in_row(PlainLabel(tr("Normal frames flagged")), 1, of=self, margins=0, spacing=4)
        self.buttons: list[QPushButton] = []
        self.hide()

    def show_thresholds(self, thresholds: Mapping[float, float]) -> None:
        """Offer these thresholds by the share of normal frames that reached each of them."""
        for button in self.buttons:
            button.deleteLater()
        tip = tr(
            "Set the threshold that this share of held-out normal frames from the study’s source reached, as the "
            "model’s card says"
        )
        self.buttons = [basic.make_button(percent(rate), tip) for rate in thresholds]
        for button, threshold in zip(self.buttons, thresholds.values(), strict=True):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click keys keep their meaning
            button.clicked.connect(lambda _, threshold=threshold: self.chosen.emit(threshold))
            self._row.addWidget(button)
