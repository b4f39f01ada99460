"""Thumbnails: the right frame, kept, the newest first."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QThread, QTimer
from pytestqt.qtbot import QtBot

from tests.videos import number_of
from tests.wce_desktop.widgets.player.conftest import TIMEOUT_MS, to_array
from training.video import FrameIndex, build_index
from wce_desktop.core.study import Study
from wce_desktop.session.frame_facts import FramePlace
from wce_desktop.widgets import frame_pictures
from wce_desktop.widgets.frame_pictures import FramePictures, Thumbnails


def row_of(path: Path) -> Study:
    """A study of the library."""
    return Study("s", "p", "name", path)


@pytest.fixture
def thumbnails() -> Iterator[Thumbnails]:
    """Of no study yet; the thread has ended afterwards."""
    made = Thumbnails()
    yield made
    made.close()


def test_thumbnails_come_and_stay(qtbot: QtBot, thumbnails: Thumbnails, study: Path, index: FrameIndex) -> None:
    thumbnails.open(row_of(study), index)
    assert thumbnails.get(31) is None
    qtbot.waitUntil(lambda: thumbnails.get(31) is not None, timeout=TIMEOUT_MS)
    picture = thumbnails.get(31)
    assert picture is not None
    assert (picture.width(), picture.height()) == (224, 149)
    assert number_of(to_array(picture)) == 31
    assert not thumbnails.is_busy


def test_thumbnails_come_again_after_the_file_was_closed(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, study: Path, index: FrameIndex
) -> None:
    monkeypatch.setattr(frame_pictures, "IDLE_SECONDS", 0.01)
    opened: list[str] = []

    def places(study_id: str) -> FramePlace:
        opened.append(study_id)
        return FramePlace(row_of(study), index, None)

    pictures = FramePictures()
    pictures.open(places)
    frame_index = 0

    def is_opened_again() -> bool:
        nonlocal frame_index
        frame_index += pictures.get("s", frame_index) is not None
        return len(opened) > 1 and frame_index > 3

    qtbot.waitUntil(is_opened_again, timeout=TIMEOUT_MS)
    last = pictures.get("s", frame_index - 1)
    assert last is not None
    assert number_of(to_array(last)) == frame_index - 1
    pictures.close()


def test_the_newest_wish_comes_first_and_none_twice(qtbot: QtBot, study: Path, index: FrameIndex) -> None:
    made: list[int] = []
    begun, may_go_on = threading.Event(), threading.Event()

    def places(_: str) -> FramePlace:
        begun.set()
        assert may_go_on.wait(20)
        return FramePlace(row_of(study), index, None)

    pictures = FramePictures()
    pictures.arrived.connect(lambda _, frame_index: made.append(frame_index))
    pictures.open(places)
    pictures.get("", 3)
    qtbot.waitUntil(begun.is_set, timeout=TIMEOUT_MS)
    for frame_index in (40, 20, 3, 40, 11):
        pictures.get("", frame_index)
    may_go_on.set()
    qtbot.waitUntil(lambda: len(made) == 4, timeout=TIMEOUT_MS)
    assert made == [3, 11, 40, 20]
    pictures.close()


@pytest.mark.parametrize("is_gone", [False, True])
def test_what_cannot_be_read_gives_a_null_picture(
    qtbot: QtBot, thumbnails: Thumbnails, broken_study: Path, is_gone: bool
) -> None:
    index = build_index(broken_study)
    thumbnails.open(row_of(broken_study / "gone.mp4" if is_gone else broken_study), index)
    with qtbot.waitSignal(thumbnails.arrived, timeout=TIMEOUT_MS):
        thumbnails.get(5)
    picture = thumbnails.get(5)
    assert picture is not None
    assert picture.isNull()


def test_no_thread_starts_after_the_end(qtbot: QtBot, study: Path, index: FrameIndex) -> None:
    """A request waits until what asks is painted; deleting a thread that runs would end the program."""
    pictures = FramePictures()
    pictures.open(lambda _: FramePlace(row_of(study), index, None))
    (thread,) = pictures.findChildren(QThread)
    starts: list[None] = []
    thread.started.connect(lambda: starts.append(None))

    def ask_and_close() -> None:
        assert pictures.get("s", 0) is None
        pictures.close()
        qtbot.wait(20)  # an event loop in the slot: the thread is not deleted yet

    QTimer.singleShot(0, pictures, ask_and_close)
    qtbot.wait(50)
    assert starts == []
