"""The classes with their keys, as buttons below the frame: shows the key of each class and the labels of the frame."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from wce_desktop.core.vocabulary import ClassName, Vocabulary
from wce_desktop.widgets.glyphs import class_pixmap
from wce_desktop.widgets.plain_text import plain

TIGHT_BUTTON_PX = 48


class LabelBar(QWidget):
    """One button for each class that has a key; pressed buttons are the labels of the frame on screen.

    Where the names do not fit, the buttons show key and shape only, and the name is in the tooltip.
    """

    label_requested = Signal(str)

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._classes = [known for known in vocabulary if known.key]
        self._buttons = {known.name: self._button(known) for known in self._classes}
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 8, 4)
        layout.setSpacing(4)
        layout.addStretch(1)
        for button in self._buttons.values():
            layout.addWidget(button)
        layout.addStretch(1)
        self._full_width = self.sizeHint().width()
        for known in self._classes:
            self._buttons[known.name].setText(known.key)
        self._keys_width = self.sizeHint().width()
        self.setMinimumWidth(0)

    def minimumSizeHint(self) -> QSize:
        """Room for the keys alone: the buttons must not limit the window size."""
        return QSize(len(self._buttons) * TIGHT_BUTTON_PX, super().minimumSizeHint().height())

    def _button(self, known: ClassName) -> QToolButton:
        button = QToolButton()
        button.setText(f"{known.key} {known.title}")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIcon(QIcon(class_pixmap(known, 14, 2.0)))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip(plain(f"Label the frame or marked span as {known.title.lower()} ({known.key})"))
        button.setAccessibleName(known.title)
        button.clicked.connect(lambda: self.label_requested.emit(known.name))
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the names while they fit; the name of a label that the frame carries wherever it alone fits."""
        super().resizeEvent(event)
        is_tight = self.width() < self._keys_width
        sheet = "QToolButton { padding: 4px 1px; }" if is_tight else ""
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
            self._row.setSpacing(1 if is_tight else 4)
        self._write_texts()

    def _write_texts(self) -> None:
        is_wide = self.width() >= self._full_width
        for known in self._classes:
            button = self._buttons[known.name]
            button.setText(f"{known.key} {known.title}" if is_wide or button.isChecked() else known.key)
        if not is_wide and self.sizeHint().width() > self.width():
            for known in self._classes:  # not even those of this frame: a cut-off text is useless
                self._buttons[known.name].setText(known.key)

    def show_labels(self, names: set[str], is_enabled: bool) -> None:
        """Press the buttons of the classes that the frame carries."""
        for name, button in self._buttons.items():
            button.setChecked(name in names)
            button.setEnabled(is_enabled)
        self._write_texts()
