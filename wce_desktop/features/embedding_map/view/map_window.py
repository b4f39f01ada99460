"""The Map window: maps at the left, the map in the middle, its legend at the right; it stays beside the main window."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QSplitter, QVBoxLayout, QWidget

from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map.view.hover_card import HoverCard
from wce_desktop.features.embedding_map.view.map_canvas import MapCanvas
from wce_desktop.features.embedding_map.view.map_foot import MapFoot
from wce_desktop.features.embedding_map.view.map_legend import ColorBar, MapLegend
from wce_desktop.features.embedding_map.view.map_list import MapList
from wce_desktop.widgets.basic import make_text
from wce_desktop.widgets.theme import WARNING
from wce_desktop.widgets.window_size import fit_to_screen

SIDES = (210, 10_000, 210)
SHARED_MENU = "Explore"
SHARED = (
    "play_back", "next_event", "previous_event", "next_unseen_event", "previous_unseen_event",
    "show_keys", "find_action", "show_jobs", "stop_job",
)  # fmt: skip
"""Actions of the main window whose keys work in the map too, beside those of the menu Explore."""
MAKING = (to_translate("The map is being computed."), to_translate("It appears within seconds."))
GONE = (
    to_translate("This map has no points."),
    to_translate("It was stopped too early. Create it again with New map (Ctrl+N)."),
)


class MapWindow(QDialog):
    """Combines the parts; the feature connects them with the session."""

    def __init__(self, shared: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        """`shared` are actions of the main window whose keys work here too."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Map"))
        fit_to_screen(self, 1180, 760)
        self.maps, self.legend = MapList(), MapLegend()
        self.colors, self.canvas, self.foot = ColorBar(), MapCanvas(), MapFoot()
        self.card = HoverCard(self.canvas)
        self.problem = make_text(WARNING)
        self.problem.hide()
        columns = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for widget, stretch in ((self.maps, 0), (self._make_middle(), 1), (self.legend, 0)):
            columns.addWidget(widget)
            columns.setStretchFactor(columns.count() - 1, stretch)
        columns.setSizes(SIDES)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.addWidget(columns)
        self.colors.tool_changed.connect(self.canvas.set_tool)
        self.canvas.leave_requested.connect(self.focusNextPrevChild)
        self.addActions(list(shared))

    def _make_middle(self) -> QWidget:
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(6, 0, 6, 0)
        column.addWidget(self.colors)
        column.addWidget(self.problem)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.foot)
        return middle

    def show_message(self, sentence: str) -> None:
        """Show what went wrong over the map; "" hides it."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def present(self) -> None:
        """Show the window in front, the keys on the map."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.canvas.setFocus()
