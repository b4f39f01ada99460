"""A class's shape in its colour."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import CLASSES
from wce_desktop.widgets.glyphs import class_icon, class_pixmap
from wce_desktop.widgets.inputs import INDENT, Choice, ChoiceBox


@pytest.mark.parametrize("mode", [QIcon.Mode.Normal, QIcon.Mode.Selected])
def test_the_colour_is_the_classs_own_also_in_a_selected_row(qtbot: QtBot, mode: QIcon.Mode) -> None:
    image = class_icon(CLASSES["blood"], 16).pixmap(QSize(16, 16), mode).toImage()
    assert image.pixelColor(image.width() // 2, image.height() // 2).name() == CLASSES["blood"].color
    assert image.pixelColor(0, 0).alpha() == 0


def test_it_is_drawn_in_device_pixels(qtbot: QtBot) -> None:
    pixmap = class_pixmap(CLASSES["polyp"], 14, 2.0)
    assert (pixmap.width(), pixmap.devicePixelRatio()) == (28, 2.0)


def test_only_the_list_of_a_box_is_indented(qtbot: QtBot) -> None:
    box = ChoiceBox("Kind", [Choice("", "all"), Choice("ulcer", "Ulcer", 2)])
    qtbot.addWidget(box)
    box.show_value("ulcer")
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    assert (box.currentText(), option.currentText) == (f"{2 * INDENT}Ulcer", "Ulcer")
