"""Boxes take no number for another one."""

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from wce_desktop.shell.appearance import use_language
from wce_desktop.widgets.inputs import DecimalBox, WholeBox


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    use_language("de")
    yield
    use_language("en")


def typed(qtbot: QtBot, box: WholeBox | DecimalBox, text: str) -> tuple[float, str]:
    """What a box holds and shows after typing and Enter."""
    qtbot.addWidget(box)
    box.show()
    qtbot.waitExposed(box)
    box.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    box.selectAll()
    QTest.keyClicks(box.lineEdit(), text)
    box.interpretText()
    return box.value(), box.text()


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [("0,97", 0.97, "0,97 s"), ("1,2", 1.2, "1,20 s"), ("1204,5", 1204.5, "1204,50 s")]
    + [(text, 7.0, "7,00 s") for text in ("0.97", "12.5", "1.204", "1.204,5")],
)
def test_decimals_in_german(qtbot: QtBot, text: str, value: float, shown: str) -> None:
    box = DecimalBox(maximum=5000.0, suffix=" s")
    box.setValue(7.0)
    assert typed(qtbot, box, text) == (value, shown)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("text", "value"),
    [("31204", 31204), ("31.204", 31204), ("31,204", 7), ("3.5", 7), ("3,5", 7), ("31.20", 7)],
)
def test_whole_numbers_in_german(qtbot: QtBot, text: str, value: int) -> None:
    box = WholeBox(maximum=200_000)
    box.setValue(7)
    assert typed(qtbot, box, text)[0] == value


@pytest.mark.parametrize(("text", "value"), [("0.97", 0.97), ("0,97", 7.0), ("12,5", 7.0), ("1,204", 7.0)])
def test_decimals_in_english(qtbot: QtBot, qapp: QApplication, text: str, value: float) -> None:
    use_language("en")
    box = DecimalBox(maximum=5000.0)
    box.setValue(7.0)
    assert typed(qtbot, box, text)[0] == value


@pytest.mark.parametrize(("text", "value"), [("31,204", 31204), ("31.204", 7), ("3.5", 7)])
def test_whole_numbers_in_english(qtbot: QtBot, qapp: QApplication, text: str, value: int) -> None:
    use_language("en")
    box = WholeBox(maximum=200_000)
    box.setValue(7)
    assert typed(qtbot, box, text)[0] == value
