"""Small widgets."""

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from wce_desktop.widgets.basic import SidewaysArea


def test_a_wide_widget_scrolls_sideways_in_its_full_height(qtbot: QtBot) -> None:
    window, table, wide = QWidget(), QWidget(), QWidget()
    wide.setMinimumSize(400, 90)
    area = SidewaysArea(table)
    for outer, inner in ((table, wide), (window, area)):
        layout = QVBoxLayout(outer)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(inner)
    layout.addStretch(1)
    qtbot.addWidget(window)
    window.resize(600, 300)
    window.show()
    qtbot.waitUntil(lambda: area.height() == 90)
    assert not area.horizontalScrollBar().isVisible()
    window.resize(200, 300)
    qtbot.waitUntil(lambda: area.height() > 90)
    assert area.horizontalScrollBar().isVisible()
    assert area.viewport().height() >= 90
    wide.setMinimumHeight(120)
    qtbot.waitUntil(lambda: area.viewport().height() >= 120)
