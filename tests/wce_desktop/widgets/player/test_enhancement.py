"""Views of the frame: what they do to it, that the frame stays as it is, and that the screen says which it is."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.widgets.player.conftest import to_array
from wce_desktop.widgets.player import enhancement as module
from wce_desktop.widgets.player.enhancement import (
    ENHANCEMENTS,
    NAMES,
    RAW,
    SPECTRAL,
    STRETCH,
    Enhancement,
    Enhancer,
    enhanced,
    enhancement,
)
from wce_desktop.widgets.player.frame_view import FrameView, ShownFrame
from wce_desktop.widgets.player.pictures import frame_picture


@pytest.fixture
def frame() -> NDArray[np.uint8]:
    """(45, 61, 3): an odd width, so that rows of a picture are padded."""
    ramp = np.linspace(40, 200, 61)[None, :, None] * np.array([1.0, 0.6, 0.4])
    noise = np.random.default_rng(0).normal(0, 6, (45, 61, 3))
    return np.asarray(np.clip(ramp + noise, 0, 255), np.uint8)


def seen(frame: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    return to_array(enhanced(frame_picture(frame), enhancement(name)))


@pytest.mark.parametrize("name", NAMES)
def test_a_view_has_the_frame_s_size_and_leaves_the_frame_as_it_is(frame: NDArray[np.uint8], name: str) -> None:
    picture = frame_picture(frame)
    made = enhanced(picture, enhancement(name))
    assert made.size() == picture.size()
    np.testing.assert_array_equal(to_array(picture), frame)
    assert np.array_equal(to_array(made), frame) == (name == RAW)


def test_channels_are_the_frame_s_own(frame: NDArray[np.uint8]) -> None:
    for name, channel in (("red", 0), ("blue", 2)):
        own = frame[..., channel].astype(float)
        gain = min(max(frame.mean() / own.mean(), 1), module.MOST_GAIN)
        assert (gain == 1) == (name == "red"), "blue is darker than the frame"
        for shown in range(3):
            assert np.abs(seen(frame, name)[..., shown] - np.clip(own * gain, 0, 255)).max() <= 1


def test_spectral_colours_written_out(frame: NDArray[np.uint8]) -> None:
    values = frame.astype(np.float64)
    rows = [row[0] * values[..., 0] + row[1] * values[..., 1] + row[2] * values[..., 2] for row in SPECTRAL]
    mixed = np.stack(rows, axis=2)
    mean = mixed.mean(axis=(0, 1))
    expected = np.clip(mean + STRETCH * (mixed - mean), 0, 255)
    assert np.abs(seen(frame, "spectral") - expected).max() <= 1.5


def test_contrast_spreads_and_sharpening_steepens(frame: NDArray[np.uint8]) -> None:
    dull = (frame // 4 + 60).astype(np.uint8)
    assert seen(dull, "contrast").std() > 1.2 * dull.std()
    edge = np.full((40, 40, 3), 80, np.uint8)
    edge[:, 20:] = 160
    steep = seen(edge, "sharp").astype(int)
    assert steep[20, 20, 0] - steep[20, 19, 0] > 80
    assert steep[20, 5, 0] == 80, "away from an edge nothing changes"


def test_a_picture_is_made_once_and_only_a_few_are_kept(
    frame: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(picture: QImage, chosen: Enhancement) -> QImage:
        made.append(chosen.name)
        return enhanced(picture, chosen)

    monkeypatch.setattr(module, "enhanced", counted)
    enhancer, pictures = Enhancer(), [frame_picture(frame) for _ in range(module.KEPT + 1)]
    assert enhancer.picture(pictures[0]) is pictures[0]
    enhancer.choose("blue")
    enhancer.picture(pictures[0])
    enhancer.picture(pictures[0])
    assert len(made) == 1
    for picture in pictures:
        enhancer.picture(picture)
    enhancer.picture(pictures[0])
    assert len(made) == module.KEPT + 2
    enhancer.choose("no such view")
    assert enhancer.chosen.name == RAW


def test_the_screen_says_which_view_it_is(qtbot: QtBot) -> None:
    grey = np.full((200, 200, 3), (120, 90, 60), np.uint8)
    view = FrameView()
    qtbot.addWidget(view)
    view.resize(400, 400)
    view.set_frames((ShownFrame(0, frame_picture(grey)),), 1)
    assert (to_array(view.grab().toImage()) == (120, 90, 60)).all()
    for one in ENHANCEMENTS[1:3]:
        view.enhancer.choose(one.name)
        shown = to_array(view.grab().toImage())
        assert (shown[:60, 150:] != shown[200, 200]).any(axis=2).mean() > 0.05, "a caption in the upper right corner"
    assert np.ptp(shown[200, 200]) == 0, "the blue channel is grey"
    assert view.frames[0].picture is not None
    np.testing.assert_array_equal(to_array(view.frames[0].picture), grey)
