"""German texts are longer than English ones: none is cut in any window, also on a small screen."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.cut_texts import cut_texts, shortened_texts
from tests.wce_desktop.shell.test_accessibility import visit_windows
from tests.wce_desktop.widgets.test_window_size import SMALLEST, cut_off, page_of
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.learning.feature import ModelPanel
from wce_desktop.features.learning.model.library_estimates import Readiness
from wce_desktop.features.reading.event_painting import EventDelegate
from wce_desktop.shell.appearance import use_language
from wce_desktop.widgets.window_size import FRAME_PX

LOOKS = 20
PEAK = 12


@pytest.fixture(autouse=True)
def german(qapp: QApplication) -> Iterator[None]:
    use_language("de")
    yield
    use_language("en")


def test_no_text_of_a_window_is_cut(qtbot: QtBot, tmp_path: Path) -> None:
    """The screen of the tests is 800 x 800: many windows have less room there than they need."""
    found: dict[str, list[str]] = {}

    def look(window: QWidget) -> None:
        if isinstance(window, QFileDialog):
            return
        for _ in range(LOOKS):  # texts that change are laid out a moment later
            QApplication.processEvents()
            if not (texts := cut_texts(window)):
                break
        room = window.screen().availableGeometry().size()
        is_too_large = window.size().boundedTo(room) != window.size()
        found[window.windowTitle()] = [*texts, "larger than the screen"] if is_too_large else texts

    with main_window(qtbot, tmp_path) as window:
        visit_windows(window, look)
    assert {title: texts for title, texts in found.items() if texts} == {}
    assert {"Einstellungen", "Training", "Karte", "Patientendaten"} <= set(found)


def test_nothing_of_the_main_window_is_cut(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.resize(*SMALLEST)
        press(window, "next_event")
        wait(qtbot, lambda: window.is_idle)
        assert not window.left.isHidden()
        model = window.left.findChild(ModelPanel)
        assert model is not None
        model.show_readiness(Readiness({"polyp": 12_345}, 9))
        assert page_of(window).minimumSizeHint().width() <= SMALLEST[0]
        for tab in range(window.right.count()):
            window.right.setCurrentIndex(tab)
            wait(qtbot, lambda: cut_off(window) == [] and cut_texts(window) == [])


@pytest.mark.parametrize("size", [(1280, 800), (1280 * 2 // 3, 800 * 2 // 3)], ids=["100 %", "150 %"])
@pytest.mark.parametrize("desk", ["reading", "research"])
def test_nothing_that_is_painted_is_cut_on_either_desk(
    qtbot: QtBot, tmp_path: Path, desk: str, size: tuple[int, int]
) -> None:
    """Text of 150 % scales everything, so the window then has two thirds of its pixels."""
    with main_window(qtbot, tmp_path) as window:
        model = window.session.current_model
        assert model is not None
        (model.folder / "card.json").write_text(json.dumps({"trained_on": "synthetic"}), encoding="utf-8")
        window.session.scores.use_model(model.model_id)
        if desk == "reading":
            press(window, "research_desk")
        press(window, "next_event")
        press(window, "landmark_small_bowel")
        wait(qtbot, lambda: window.is_idle)
        window.banner.dismiss()
        window.resize(*size)
        wait(qtbot, lambda: cut_texts(window) == [])
        note = window._corner.disclaimer.note
        assert note.isVisible()
        assert note.width() >= note.sizeHint().width()
        for tab in range(window.right.count()):
            window.right.setCurrentIndex(tab)
            wait(qtbot, lambda: cut_texts(window) == [])
            with shortened_texts() as shortened:
                window.grab()
            assert shortened == []
        for action_id in ("draw_boxes", "show_overview") if desk == "reading" else ():
            press(window, action_id)
            window.banner.dismiss()
            wait(qtbot, lambda: cut_texts(window) == [])


def test_the_reading_mode_has_room_for_its_button(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "only_frame")
        window.showNormal()
        for width in (640, 948, 1400):
            window.resize(width, 500)
            wait(qtbot, lambda: cut_texts(window) == [])
            assert window.width() <= width + FRAME_PX[0]


def test_the_list_of_flags_paints_german_answers(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[str] = []
    monkeypatch.setattr(EventDelegate, "_paint_second_line", lambda *words: painted.append(words[-1]))
    with main_window(qtbot, tmp_path) as window:
        press(window, "next_event")
        wait(qtbot, lambda: window.player.frame_index == PEAK)
        press(window, "accept_event")
        window.features.reading.flags.list.grab()
    assert "angenommen" in painted
