"""The line over a map: by what it is coloured, and what a drag does."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QPushButton, QWidget

from wce_desktop.features.embedding_map.model.map_facts import BY_SCORE, WAYS, ColorWish
from wce_desktop.features.embedding_map.view.map_gestures import Tool
from wce_desktop.widgets.job_widgets import make_button
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import RAISED, TEXT

TOOLS: tuple[tuple[Tool, str, str], ...] = (
    ("pan", "&Move", "Drag pulls the map along (Alt+M)"),
    ("lasso", "&Lasso", "Drag draws around frames and selects them; Shift adds, Ctrl takes away (Alt+L)"),
    ("box", "Bo&x", "Drag draws a rectangle and selects what is in it; Shift adds, Ctrl takes away (Alt+X)"),
)
HIGHEST = "Highest of all findings"


class ColorBar(QWidget):
    """Tells the way of colouring and the tool."""

    wish_changed = Signal(object)  # ColorWish
    tool_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ways, self.classes = QComboBox(), QComboBox()
        self.ways.setAccessibleName("Colour by")
        self.classes.setAccessibleName("Score of which finding")
        for way, title in WAYS.items():
            self.ways.addItem(title, way)
        self.ways.currentIndexChanged.connect(lambda _: self._tell())
        self.classes.currentIndexChanged.connect(lambda _: self._tell())
        self.tools: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        label = PlainLabel("&Colour by")
        label.setBuddy(self.ways)
        for widget in (label, self.ways, self.classes):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(PlainLabel("Drag"))
        for tool, title, tip in TOOLS:
            button = make_button(title, tip)
            button.setCheckable(True)
            button.clicked.connect(lambda _, tool=tool: self.tool_changed.emit(tool))
            self._group.addButton(button)
            self.tools[tool] = button
            line.addWidget(button)
        self.setStyleSheet(f"QPushButton:checked {{ background: {RAISED}; border: 2px solid {TEXT}; }}")
        self.tools["pan"].setChecked(True)
        self.classes.hide()

    @property
    def wish(self) -> ColorWish:
        """By what to colour."""
        return ColorWish(str(self.ways.currentData()), str(self.classes.currentData() or ""))

    def set_classes(self, classes: Sequence[tuple[str, str]]) -> None:
        """Offer the scores of these classes, names and titles; the chosen one stays where it is among them."""
        chosen = self.classes.currentData()
        self.classes.blockSignals(True)
        self.classes.clear()
        self.classes.addItem(HIGHEST, "")
        for name, title in classes:
            self.classes.addItem(title, name)
        self.classes.setCurrentIndex(max(self.classes.findData(chosen), 0))
        self.classes.blockSignals(False)

    def choose(self, way: str) -> None:
        """Colour by this."""
        self.ways.setCurrentIndex(self.ways.findData(way))

    def choose_tool(self, tool: Tool) -> None:
        """Let a drag do this."""
        self.tools[tool].click()

    def _tell(self) -> None:
        self.classes.setVisible(self.ways.currentData() == BY_SCORE)
        self.wish_changed.emit(self.wish)
