"""Each press of a stepping key counts, however fast the keys are pressed and however slowly frames come."""

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.every_window import rich_window
from tests.wce_desktop.windows import main_window, wait
from training.video import build_index
from wce_desktop.core.dwell import Looked
from wce_desktop.core.span import Span
from wce_desktop.shell.main_window import MainWindow


def go(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: window.player.frame_index == frame and window.is_idle)


def presses(qtbot: QtBot, window: MainWindow, key: str, count: int, *, is_fast: bool) -> int:
    """The frame on screen after some presses, one right after the other or each once its frame has come."""
    player = window.player
    for _ in range(count):
        QTest.keySequence(player, QKeySequence(key))
        if not is_fast:
            wait(qtbot, lambda: player.is_settled and window.is_idle)
    wait(qtbot, lambda: player.is_settled and window.is_idle)
    assert player.frame_index is not None
    return player.frame_index


@pytest.mark.parametrize(("key", "step"), [("Right", 1), ("Left", -1), ("Ctrl+Right", 10), ("Ctrl+Left", -10)])
@pytest.mark.parametrize("is_playing", [False, True])
def test_steps_by_frames(qtbot: QtBot, tmp_path: Path, key: str, step: int, is_playing: bool) -> None:
    with main_window(qtbot, tmp_path) as window:
        start = 2 if step > 0 else window.workspace.reading.frame_count - 3
        go(qtbot, window, start)
        if is_playing:
            window.player.play()
        assert presses(qtbot, window, key, 3, is_fast=True) == start + 3 * step


def test_a_flag_is_rejected_only_once_it_is_on_screen(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.workspace.reading
        first, second = reading.flags.events
        go(qtbot, window, first.peak_frame)
        assert presses(qtbot, window, "Shift+Backspace", 3, is_fast=True) == second.peak_frame
        assert (reading.answer(first), reading.answer(second)) == ("rejected", "")


@pytest.mark.parametrize("key", ["Shift+N", "Shift+P", "N", "P", "U", "PgDown", "PgUp"])
def test_steps_from_thing_to_thing(qtbot: QtBot, tmp_path: Path, key: str) -> None:
    opened = rich_window if key.startswith("Pg") else main_window  # it has findings, the other one flags without answer
    with opened(qtbot, tmp_path) as window:
        reading = window.workspace.reading
        landed = []
        for is_fast in (False, True):
            reading.seen[:] = False
            window.session.note_looked(Looked(Span(0, reading.frame_count), True, 0))
            reading.seen[[2, 3, 9, 10, 12, 17, 18, 22, *reading.flags.events.peak_frames]] = False
            go(qtbot, window, 0 if key in ("Shift+N", "N", "U", "PgDown") else reading.frame_count - 1)
            landed.append(presses(qtbot, window, key, 2, is_fast=is_fast))
        assert landed[0] == landed[1]
        assert landed[0] not in (0, reading.frame_count - 1)


def test_steps_from_study_to_study(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        for number in range(2):
            path = write_video(tmp_path / f"{number}.mp4", 30 + number)
            window.session.add_study(path, build_index(path))
        window.features.studies.panel.refresh()
        first, _, last = window.session.library.studies.all()
        for key, study in (("Ctrl+PgDown", last), ("Ctrl+PgUp", first)):
            for _ in range(2):
                QTest.keySequence(window.player, QKeySequence(key))
            wait(qtbot, lambda: window.is_idle and window.session.open_id == study.study_id)  # noqa: B023 - used at once
