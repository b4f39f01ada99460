"""Tiles: borders that differ in colour, line and shape, and a list that gives its keys only to who came by Tab."""

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QKeyEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import alike_session
from wce_desktop.session.frame_facts import FramePlaces
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.widgets.frame_tile import RELATIONS, FrameTile, fitting_caption, paint_tile, tile_size
from wce_desktop.widgets.tile_list import TileList


def tile(row: int, relation: str = "") -> FrameTile:
    return FrameTile("one", row, f"{row}", f"frame {row}", relation)  # type: ignore[arg-type]


def painted(relation: str) -> QImage:
    size = tile_size(64)
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor("#1f1f1f"))
    picture = QImage(64, 64, QImage.Format.Format_RGB32)
    picture.fill(QColor("#800000"))
    painter = QPainter(image)
    paint_tile(painter, QRect(0, 0, size.width(), size.height()), tile(1, relation), picture)
    painter.end()
    return image


def test_a_caption_without_room_keeps_the_time_and_shortens_the_study(qtbot: QtBot) -> None:
    font = QFont()
    font.setPixelSize(11)
    metrics = QFontMetrics(font)
    dated, long = "P01a · 2026-03-14 · 0:01:31", "A long name of a study · 0:03:02"
    full = metrics.horizontalAdvance(dated)
    assert fitting_caption(dated, metrics, full + 1) == dated
    for width in range(full - 30, full + 1):
        assert fitting_caption(dated, metrics, width) == "P01a · 0:01:31"
    short = fitting_caption(long, metrics, metrics.horizontalAdvance("A long n… · 0:03:02"))
    assert short.startswith("A lon")
    assert short.endswith("… · 0:03:02")
    assert fitting_caption("distance 0.123 · 0:03:02", metrics, 60, has_name=False) == "0:03:02"
    classes = "Angiectasia, Blood → Normal"
    assert fitting_caption(classes, metrics, metrics.horizontalAdvance(classes) - 20).endswith("Normal")


def test_relations_differ_in_colour_line_and_shape_each(qtbot: QtBot) -> None:
    styles = [RELATIONS[name] for name in ("window", "study", "other")]
    for one, other in combinations(styles, 2):
        assert one.color != other.color
        assert one.line != other.line
        assert one.shape != other.shape


@pytest.mark.parametrize("relation", ["window", "study", "other"])
def test_a_border_has_the_colour_of_its_relation_and_leaves_the_frame_alone(qtbot: QtBot, relation: str) -> None:
    image = painted(relation)
    border = [image.pixelColor(5, y).name() for y in range(7, 70)]
    assert RELATIONS[relation].color in border
    middle = image.pixelColor(image.width() // 2, 40)
    assert middle.name() == "#800000"


def test_a_hundred_thousand_tiles_make_only_those_that_show(qtbot: QtBot) -> None:
    made: list[int] = []

    def make(row: int) -> FrameTile:
        made.append(row)
        return tile(row)

    tiles = TileList("Frames", lambda study_id, frame_index: None)
    qtbot.addWidget(tiles)
    tiles.resize(600, 400)
    tiles.show()
    tiles.show_tiles(100_000, make)
    qtbot.waitUntil(lambda: len(made) > 10)
    tiles.repaint()
    assert len(set(made)) < 200
    tiles.scrollToBottom()
    tiles.repaint()
    assert 99_999 in made


def test_keys_are_the_lists_own_only_after_tab(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    button = QPushButton("before")
    tiles = TileList("Frames", lambda *_: None, is_one_row=True, takes_keys_always=False)
    column = QVBoxLayout(holder)
    column.addWidget(button)
    column.addWidget(tiles)
    tiles.show_tiles(5, tile)
    holder.show()
    holder.activateWindow()
    qtbot.waitUntil(holder.isActiveWindow)
    opened: list[tuple[str, int]] = []
    tiles.opened.connect(lambda study, frame: opened.append((study, frame)))
    for reason, is_ours in ((Qt.FocusReason.MouseFocusReason, False), (Qt.FocusReason.TabFocusReason, True)):
        button.setFocus()
        tiles.setFocus(reason)
        arrow = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier)
        arrow.ignore()
        tiles.event(arrow)
        assert arrow.isAccepted() == is_ours
    QTest.keyClick(tiles, Qt.Key.Key_Right)
    QTest.keyClick(tiles, Qt.Key.Key_Return)
    assert opened == [("one", 1)]
    assert tiles.tiles.data(tiles.currentIndex()) == "frame 1"


def test_pictures_of_several_studies_are_masked_and_what_cannot_be_read_is_null(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one", "two"))
    pictures = FramePictures()
    pictures.open(FramePlaces(session))
    assert not pictures.is_busy
    for address in (("one", 3), ("two", 7), ("gone", 0), ("one", 999)):
        assert pictures.get(*address) is None
    qtbot.waitUntil(lambda: not pictures.is_busy, timeout=10_000)
    shown = pictures.get("one", 3)
    assert shown is not None
    assert shown.pixelColor(0, 0) == QColor("black")
    assert shown.pixelColor(shown.width() // 2, shown.height() // 2) != QColor("black")
    for address in (("gone", 0), ("one", 999)):
        missing = pictures.get(*address)
        assert missing is not None
        assert missing.isNull()
    pictures.close()
    session.library.close()
