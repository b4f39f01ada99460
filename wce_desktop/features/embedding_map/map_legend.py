"""The colouring of a map and its legend: shape, name and count of each category; unticked ones are hidden."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QListWidgetItem, QPushButton, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.features.embedding_map.map_coloring import Coloring
from wce_desktop.features.embedding_map.map_facts import BY_SCORE, WAYS, ColorChoice
from wce_desktop.features.embedding_map.map_input import Tool
from wce_desktop.widgets import basic
from wce_desktop.widgets.basic import fill_box, in_column, in_row
from wce_desktop.widgets.glyphs import class_icon
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import COLORS, ON_PICTURE

TOOLS: tuple[tuple[Tool, str, str], ...] = (
    ("pan", to_translate("&Move"), to_translate("Drag to move the map (Alt+M)")),
    (
        "lasso",
        to_translate("&Lasso"),
        to_translate("Drag around frames to select them; Shift adds, Ctrl removes (Alt+L)"),
    ),
    (
        "box",
        to_translate("Bo&x"),
        to_translate("Drag a rectangle to select the frames in it; Shift adds, Ctrl removes (Alt+X)"),
    ),
)
HIGHEST = to_translate("Highest of all findings")


class ColorBar(QWidget):
    """Choice of colouring and of the mouse tool."""

    choice_changed = Signal(object)  # ColorChoice
    tool_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ways, self.classes = ComboBox(), ComboBox()
        self.ways.setAccessibleName(tr("Colour by"))
        self.classes.setAccessibleName(tr("Finding whose score is shown"))
        fill_box(self.ways, ((tr(title), way) for way, title in WAYS.items()))
        self.ways.currentIndexChanged.connect(lambda _: self._emit_choice())
        self.classes.currentIndexChanged.connect(lambda _: self._emit_choice())
        self.tools: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        label = PlainLabel(tr("&Colour by"))
        label.setBuddy(self.ways)
        line = in_row(label, self.ways, self.classes, 1, PlainLabel(tr("Drag")), of=self, margins=0)
        for tool, title, tip in TOOLS:
            button = basic.make_button(tr(title), tr(tip))
            button.setCheckable(True)
            button.clicked.connect(lambda _, tool=tool: self.tool_changed.emit(tool))
            self._group.addButton(button)
            self.tools[tool] = button
            line.addWidget(button)
        self.setStyleSheet(f"QPushButton:checked {{ background: {COLORS.raised}; border: 2px solid {COLORS.text}; }}")
        self.tools["pan"].setChecked(True)
        self.classes.hide()

    @property
    def choice(self) -> ColorChoice:
        """By what to colour."""
        return ColorChoice(str(self.ways.currentData()), str(self.classes.currentData() or ""))

    def set_classes(self, classes: Sequence[tuple[str, str]]) -> None:
        """Offer the scores of these classes, names and titles; the chosen one stays where it is among them."""
        fill_box(self.classes, ((tr(HIGHEST), ""), *((title, name) for name, title in classes)))

    def choose(self, way: str) -> None:
        """Colour by this."""
        self.ways.setCurrentIndex(self.ways.findData(way))

    def _emit_choice(self) -> None:
        self.classes.setVisible(self.ways.currentData() == BY_SCORE)
        self.choice_changed.emit(self.choice)


ICON_PX = 14
_CODE = Qt.ItemDataRole.UserRole


class MapLegend(QWidget):
    """Ticks are the filter; a double click, or Enter, shows one category alone, and all again."""

    hidden_changed = Signal(object)  # frozenset of codes

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = basic.make_heading(tr("LEGEND"))
        self._note = basic.make_note()
        self._note.hide()
        self.rows = basic.make_list(tr("Legend: tick what to show on the map"))
        self.rows.setStyleSheet(  # as the map: the icons have its colours
            f"QListWidget {{ background: {ON_PICTURE.panel}; color: {ON_PICTURE.text}; }}"
            f"QListWidget::indicator {{ border: 1px solid {ON_PICTURE.muted}; background: {ON_PICTURE.background}; }}"
            f"QListWidget::indicator:checked {{ background: {ON_PICTURE.accent}; }}"
        )
        self.rows.setIconSize(QSize(ICON_PX, ICON_PX))
        self.rows.itemChanged.connect(lambda _: self.hidden_changed.emit(self.hidden))
        self.rows.itemActivated.connect(self._show_alone)
        buttons = basic.button_row(
            (tr("All"), tr("Show every category"), lambda: self._tick(lambda _: True)),
            (tr("None"), tr("Show no category"), lambda: self._tick(lambda _: False)),
        )
        in_column(self._title, self._note, (self.rows, 1), buttons, of=self, margins=0)

    def show_coloring(self, coloring: Coloring, hidden: frozenset[int]) -> None:
        """Show these categories, the hidden ones unticked."""
        self._title.setText(coloring.title.upper())
        basic.show_text(self._note, coloring.note)
        with QSignalBlocker(self.rows):
            self.rows.clear()
            for code, (category, count) in enumerate(zip(coloring.categories, coloring.counts.tolist(), strict=True)):
                item = QListWidgetItem(f"{category.title}   {number_text(count)}", self.rows)
                entry = ClassName(category.name or "none", category.title or "none", "", category.color, category.shape)
                item.setIcon(class_icon(entry, ICON_PX, is_on_picture=True))
                item.setData(_CODE, code)
                item.setToolTip(tr("Space: show or hide. Enter: show only this one; again: show all."))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Unchecked if code in hidden else Qt.CheckState.Checked)

    @property
    def hidden(self) -> frozenset[int]:
        """The codes that are unticked."""
        return frozenset(
            int(item.data(_CODE)) for item in self._items() if item.checkState() == Qt.CheckState.Unchecked
        )

    def _items(self) -> list[QListWidgetItem]:
        return [self.rows.item(row) for row in range(self.rows.count())]

    def _show_alone(self, chosen: QListWidgetItem) -> None:
        is_alone = self.hidden == frozenset(range(self.rows.count())) - {int(chosen.data(_CODE))}
        self._tick(lambda item: is_alone or item is chosen)

    def _tick(self, is_on: Callable[[QListWidgetItem], bool]) -> None:
        with QSignalBlocker(self.rows):
            for item in self._items():
                item.setCheckState(Qt.CheckState.Checked if is_on(item) else Qt.CheckState.Unchecked)
        self.hidden_changed.emit(self.hidden)
