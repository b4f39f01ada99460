"""Thumbnails: the right frame, kept, the newest first."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.videos import number_of
from tests.wce_desktop.widgets.player.conftest import TIMEOUT_MS, to_array
from training.video import FrameIndex, build_index
from wce_desktop.widgets.player.pictures import ThumbnailReader


@pytest.fixture
def reader(study: Path, index: FrameIndex) -> Iterator[ThumbnailReader]:
    """Not yet started; ended afterwards."""
    made = ThumbnailReader(study, index, side_px=48)
    yield made
    made.stop()
    assert made.wait(TIMEOUT_MS)


def test_thumbnails_come_and_stay(qtbot: QtBot, reader: ThumbnailReader) -> None:
    reader.start()
    assert reader.thumbnail(31) is None
    qtbot.waitUntil(lambda: reader.thumbnail(31) is not None, timeout=TIMEOUT_MS)
    picture = reader.thumbnail(31)
    assert picture is not None
    assert (picture.width(), picture.height()) == (48, 32)
    assert number_of(to_array(picture)) == 31


def test_the_newest_wish_comes_first_and_none_twice(qtbot: QtBot, reader: ThumbnailReader) -> None:
    made: list[int] = []
    reader.thumbnail_ready.connect(lambda frame_index, _: made.append(frame_index))
    for frame_index in (3, 40, 20, 3, 11):
        reader.thumbnail(frame_index)
    reader.start()
    qtbot.waitUntil(lambda: len(made) == 4, timeout=TIMEOUT_MS)
    assert made == [11, 3, 20, 40]


def test_a_frame_that_does_not_decode_gives_a_null_picture(qtbot: QtBot, broken_study: Path) -> None:
    reader = ThumbnailReader(broken_study, build_index(broken_study))
    reader.thumbnail(5)
    with qtbot.waitSignal(reader.thumbnail_ready, timeout=TIMEOUT_MS) as caught:
        reader.start()
    reader.stop()
    assert reader.wait(TIMEOUT_MS)
    assert caught.args is not None
    assert caught.args[1].isNull()


def test_a_study_that_is_gone_ends_the_thread(qtbot: QtBot, index: FrameIndex, tmp_path: Path) -> None:
    reader = ThumbnailReader(tmp_path / "gone.mp4", index)
    reader.start()
    assert reader.wait(TIMEOUT_MS)
