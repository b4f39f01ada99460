"""The row under the frame."""

import pytest
from PySide6.QtWidgets import QBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from wce_desktop.session.keys import key_of
from wce_desktop.widgets.player.transport import BUTTONS, MIN_WIDTH_PX, Transport


@pytest.fixture
def transport(qtbot: QtBot) -> Transport:
    """A transport of an open study."""
    made = Transport()
    qtbot.addWidget(made)
    made.set_study_open(True)
    made.set_playing(False, 8)
    made.set_overlay(True, 0.45, True)
    return made


def test_every_button_says_its_name_and_its_key(transport: Transport) -> None:
    for action_id, (_, name) in BUTTONS.items():
        assert transport.buttons[action_id].accessibleName() == name
        assert transport.buttons[action_id].toolTip() == f"{name} ({key_of(action_id)})"
    transport.set_tips({"toggle_play": "Play (Space)", "no_such_button": "…"})
    assert transport.buttons["toggle_play"].toolTip() == "Play (Space)"


@pytest.mark.parametrize(
    "action_id", [action_id for action_id in (*BUTTONS, "slower", "faster") if action_id != "next_enhancement"]
)
def test_buttons_ask(qtbot: QtBot, transport: Transport, action_id: str) -> None:
    with qtbot.waitSignal(transport.requested, timeout=2000) as caught:
        (transport.buttons | transport.rate_label.buttons)[action_id].click()
    assert caught.args == [action_id]


def test_the_slider_asks_but_setting_it_does_not(qtbot: QtBot, transport: Transport) -> None:
    with qtbot.assertNotEmitted(transport.opacity_requested):
        transport.set_overlay(True, 0.7, True)
    with qtbot.waitSignal(transport.opacity_requested, timeout=2000) as caught:
        transport.opacity_slider.setValue(30)
    assert caught.args == [0.3]


def test_texts(transport: Transport) -> None:
    transport.set_position(31203, 50112, 6241.0, "small bowel + 0:41:12")
    assert transport.position_label.text() == "frame 31,204 / 50,112"
    assert transport.time_label.text() == "1:44:01"
    transport.set_playing(True, 25)
    assert transport.rate_label.text.text() == "25 fps\nnot seen"
    transport.set_study_open(False)
    assert transport.position_label.text() == transport.time_label.text() == transport.landmark_label.text() == ""


def test_numbers_do_not_move_their_neighbours(qtbot: QtBot, transport: Transport) -> None:
    transport.resize(1000, 40)
    transport.show()
    transport.set_position(0, 500_000, 0.0, "")
    qtbot.wait(1)
    before = transport.time_label.x()
    transport.set_position(499_999, 500_000, 0.0, "")
    qtbot.wait(1)
    assert transport.time_label.x() == before


def rows(transport: Transport) -> int:
    return 1 if transport._layout.direction() == QBoxLayout.Direction.LeftToRight else 2


def test_what_has_a_key_gives_way_before_there_are_two_rows(transport: Transport) -> None:
    transport.show()
    transport.set_position(0, 50_112, 0.0, "small bowel + 0:41:12")
    optional = transport._optional
    transport.resize(1200, 40)
    assert (rows(transport), [widget.isHidden() for widget in optional]) == (1, [False] * len(optional))
    assert transport.minimumSizeHint().width() == MIN_WIDTH_PX
    for width in range(1200, MIN_WIDTH_PX, -10):
        transport.resize(width, 80)
        if rows(transport) == 2:
            break
        hidden = [widget.isHidden() for widget in optional]
        assert hidden == sorted(hidden, reverse=True), "in their order"
    assert width <= 560
    shown = [widget for widget in optional if not widget.isHidden()]
    assert {transport.buttons["four_views"], transport.buttons["next_enhancement"], transport.time_label} <= set(shown)


def test_the_button_shows_that_only_flagged_frames_are_played(transport: Transport) -> None:
    transport.set_flagged_only(True)
    assert transport.buttons["play_flagged"].isChecked()
    assert transport.flagged_label.text() == "flagged frames only"
    transport.set_study_open(False)
    assert not transport.buttons["play_flagged"].isChecked()
    assert transport.flagged_label.text() == ""


@pytest.mark.parametrize("frames", [3_000, 500_000])
def test_at_its_least_width_nothing_lies_over_another(qtbot: QtBot, transport: Transport, frames: int) -> None:
    transport.set_position(1_200, frames, 615.0, "small bowel + 0:12:00")
    transport.set_playing(True, 25)
    transport.resize(MIN_WIDTH_PX, 90)
    transport.show()
    qtbot.waitExposed(transport)
    shown = [one for one in transport.children() if isinstance(one, QWidget) and one.isVisible()]

    def problems() -> list[QWidget]:
        narrow = [one for one in shown if one.width() < one.minimumSizeHint().width()]
        return narrow + [one for one in shown for other in shown if one is not other and overlap(one, other)]

    qtbot.waitUntil(lambda: problems() == [])  # it is laid out a moment later
    assert all(transport.rect().contains(one.geometry()) for one in shown)


def overlap(one: QWidget, other: QWidget) -> bool:
    return not one.geometry().intersected(other.geometry()).isEmpty()
