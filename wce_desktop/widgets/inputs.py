"""Input widgets that never take the wheel: it scrolls the page around them, and no value changes by accident.

The program uses these instead of Qt's own; numbers have theirs in `number_box`.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QTabBar, QTabWidget


class ComboBox(QComboBox):
    """A combo box that ignores the wheel."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()


class Slider(QSlider):
    """A horizontal slider that ignores the wheel."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()


class _TabBar(QTabBar):
    """The tabs of a `TabWidget`."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()


class TabWidget(QTabWidget):
    """Pages with tabs that ignore the wheel."""

    def __init__(self, *, documentMode: bool = False) -> None:  # noqa: N803 - Qt's name
        super().__init__()
        self.setTabBar(_TabBar())
        self.setDocumentMode(documentMode)
