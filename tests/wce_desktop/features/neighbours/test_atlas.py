"""The atlas: findings of all studies by class, one of them beside the frame, without whose they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import alike_session
from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span
from wce_desktop.features.neighbours.atlas import Atlas
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow

FINDINGS = ("one", "polyp", 14), ("two", "polyp", 15), ("three", "blood", 5)


def filled(folder: Path) -> Session:
    session = alike_session(folder)
    for study_id, kind, frame in FINDINGS:
        finding = Finding.new(study_id=study_id, kind=kind, span=Span(frame, frame + 1))
        session.library.annotations.edit(study_id, "Made", [Add(finding)])
    return session


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = filled(tmp_path)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        yield window


def atlas(window: MainWindow) -> Atlas:
    return window.features.neighbours.atlas


def shown(window: MainWindow) -> list[tuple[str, int]]:
    tiles = atlas(window).strip.tiles.tiles
    made = [tiles.tile(row) for row in range(tiles.rowCount())]
    return sorted((tile.study_id, tile.frame_index) for tile in made if tile is not None)


def test_findings_are_shown_by_class_and_one_beside_the_frame(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "show_atlas")
    strip = atlas(window).strip
    assert strip.isVisible()
    assert [strip.classes.itemText(row) for row in range(strip.classes.count())] == ["Blood (1)", "Polyp (2)"]
    assert strip.classes.value == "polyp", "most findings are of this class"
    assert shown(window) == [("one", 14), ("two", 15)]
    width = window.player.frame_view.width()
    qtbot.keyClick(strip.tiles, Qt.Key.Key_Return)
    picture = atlas(window).picture
    wait(qtbot, lambda: picture.isVisible() and picture._picture is not None and window.is_idle)
    wait(qtbot, lambda: window.player.frame_view.width() <= width / 2 + 1)
    assert picture.words == "Polyp · no date"
    assert "Mrs" not in picture.words, "a name of a study may be that of a patient"
    strip.classes.show_value("blood")
    strip.classes.chosen.emit("blood")
    assert shown(window) == [("three", 5)]
    qtbot.keyClick(window.player, Qt.Key.Key_Escape)
    assert picture.isHidden()
    strip.tiles.setFocus()
    press(window, "show_atlas")
    assert strip.isHidden()
    assert window.player.hasFocus()
    wait(qtbot, lambda: window.player.frame_view.width() == width)


def test_a_new_finding_comes_into_the_open_atlas(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "show_atlas")
    window.features.reading.label("polyp")
    press(window, "new_finding")
    assert len(shown(window)) == 3
    press(window, "undo")
    assert len(shown(window)) == 2


def test_a_second_reader_has_no_atlas(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "show_atlas")
    second = window.session.library.studies.add_second("one", "Other")
    window.features.studies.open_study(second)
    wait(qtbot, lambda: window.workspace.reading.study.second_of is not None and window.is_idle)
    assert atlas(window).strip.isHidden()
    assert not window.menus.actions["show_atlas"].isEnabled()


def test_an_empty_library_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        press(window, "show_atlas")
        assert "no findings yet" in window.banner.text
        assert atlas(window).strip.isHidden()
