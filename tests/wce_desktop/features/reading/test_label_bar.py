"""The buttons of the classes beside the frame: whole words that never move."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.features.reading.label_bar import ICON_PX, LabelBar
from wce_desktop.session.places import resources_folder


@pytest.fixture
def bar(qtbot: QtBot) -> LabelBar:
    """The column of the default vocabulary on a page."""
    page = QWidget()
    qtbot.addWidget(page)
    made = LabelBar(load_vocabulary(resources_folder() / "labels" / "default.json"))
    made.page = page  # type: ignore[attr-defined]
    made.setParent(page)
    page.show()
    made.show_labels(set(), is_enabled=True)
    return made


def places(bar: LabelBar) -> list[QRect]:
    return [button.geometry() for button in bar._every]


@pytest.mark.parametrize("height", [600, 400, 250, 150, 96])
def test_every_word_is_whole_at_every_height(bar: LabelBar, height: int) -> None:
    bar.set_tools([QAction("Span starts here", bar), QAction("Undo", bar)])
    bar.resize(bar.width(), height)
    shown = [button for button in bar._every if not button.isHidden()]
    assert set(shown) >= set(bar._buttons.values())
    for button in shown:
        assert button.text()[-3:].isalpha()
        room = button.width() - 12 - (ICON_PX + 4 if not button.icon().isNull() else 0)
        assert button.fontMetrics().horizontalAdvance(button.text()) <= room
        assert button.height() >= button.fontMetrics().height()
        assert bar.rect().contains(button.geometry())
    areas = [button.geometry() for button in shown]
    assert not any(one.intersects(other) for at, one in enumerate(areas) for other in areas[:at])


def test_no_button_moves_when_labels_change(bar: LabelBar) -> None:
    bar.resize(bar.width(), 300)
    before = places(bar)
    bar.show_labels({"blood", "lymphangiectasia"}, is_enabled=True)
    assert places(bar) == before
    assert [name for name, button in bar._buttons.items() if button.isChecked()] == ["blood", "lymphangiectasia"]


def test_a_tool_is_enabled_as_its_action_is_and_does_the_same(bar: LabelBar) -> None:
    done: list[bool] = []
    undo = QAction("Undo", bar)
    undo.triggered.connect(lambda: done.append(True))
    bar.set_tools([undo])
    (button,) = bar._tools
    button.click()
    assert done == [True]
    undo.setEnabled(False)
    undo.setText("Undo: Label 1 frame blood")
    assert not button.isEnabled()
    assert button.text() == "Undo"
    assert "Label 1 frame blood" in button.toolTip()


def test_without_a_study_there_is_nothing_to_label(bar: LabelBar) -> None:
    bar.show_labels(set(), is_enabled=False)
    assert bar.isHidden()
