"""The wheel and single keys change nothing, but what the focused widget itself is there for.

In every window: `test_every_window`.
"""

import ast
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.every_window import rich_window
from tests.wce_desktop.shell.window_checks import stored
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.shell.main_window import MainWindow

RAW = {
    "QComboBox", "QSlider", "QSpinBox", "QDoubleSpinBox", "QDateEdit", "QTimeEdit", "QDateTimeEdit", "QDial",
    "QTabWidget", "QTabBar",
}  # fmt: skip
OWN_CLASSES = ("inputs.py", "number_box.py")


def test_a_key_in_a_choice_is_no_action(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        fill(qtbot, window)
        for text in ("b", "2", "l"):
            window.right.setCurrentIndex(1)
            (box, *_) = [one for one in window.right.findChildren(QComboBox) if one.isVisible()]
            box.setFocus()
            frame, labels = window.player.frame_index, len(stored(window)["labels"])
            QTest.keyClicks(box, text)
            assert (window.player.frame_index, len(stored(window)["labels"])) == (frame, labels), text
            assert not window.player.is_playing
            QTest.keyClick(box, Qt.Key.Key_Escape)
            assert window.player.hasFocus()


def test_the_list_of_a_choice_is_used_with_keys(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        fill(qtbot, window)
        wait(qtbot, lambda: bool(window.player.frame_index))
        window.right.setCurrentIndex(1)
        (box, *_) = [one for one in window.right.findChildren(QComboBox) if one.isVisible()]
        box.setFocus()
        before, frame, labels = box.currentIndex(), window.player.frame_index, stored(window)["labels"]
        strike_in_list(box, Qt.Key.Key_Down, Qt.Key.Key_Escape)
        assert box.currentIndex() == before
        assert stored(window)["labels"] == labels
        strike_in_list(box, Qt.Key.Key_M, Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Return)
        assert box.currentIndex() == 1
        assert not box.view().isVisible()
        assert window.player.frame_index == frame
        press(window, "undo")
        assert box.currentIndex() == before


def strike_in_list(box: QComboBox, *keys: Qt.Key) -> None:
    """Open the list of a drop-down and strike keys in it."""
    box.showPopup()
    for key in keys:
        popup = QApplication.activePopupWidget()
        assert popup is not None
        QTest.keyClick(popup.windowHandle(), key)


def test_enter_in_the_list_of_studies_accepts_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "next_event")
        wait(qtbot, lambda: window.is_idle and bool(window.player.frame_index))
        before = stored(window)
        studies = window.features.studies.panel._list
        for reason in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason):
            studies.setFocus(reason)
            QTest.keyClick(studies, Qt.Key.Key_Return)
            QTest.keyClick(studies, Qt.Key.Key_Backspace)
            assert stored(window) == before
        window.player.setFocus()
        QTest.keyClick(window.player, Qt.Key.Key_N)
        wait(qtbot, lambda: window.is_idle and bool(window.player.frame_index))
        QTest.keyClick(window.player, Qt.Key.Key_Return)
        wait(qtbot, lambda: stored(window) != before)


def test_a_click_on_the_frame_takes_the_focus_from_a_list(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        timeline = window.workspace.timeline
        for clicked in (window.player.frame_view, timeline.detail, timeline.overview):
            window.features.studies.panel._list.setFocus()
            qtbot.mouseClick(clicked, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
            assert window.player.hasFocus()
            QTest.keyClick(window.player, Qt.Key.Key_Home)
            wait(qtbot, lambda: window.player.frame_index == 0)
            QTest.keyClick(window.player, Qt.Key.Key_End)
            wait(qtbot, lambda: bool(window.player.frame_index))


def test_return_presses_no_button_but_the_focused_one(qtbot: QtBot, tmp_path: Path) -> None:
    with rich_window(qtbot, tmp_path) as window:
        press(window, "find_place")
        shown = window.features.places.window
        assert shown is not None
        wait(qtbot, lambda: shown.isActiveWindow() and window.is_idle)
        clicked: list[str] = []
        for button in shown.findChildren(QPushButton):
            button.clicked.connect(lambda *_, button=button: clicked.append(button.text()))
        shown.lists.tabBar().setFocus()
        QTest.keyClick(shown.lists.tabBar(), Qt.Key.Key_Return)
        assert clicked == [], "Qt presses the first button of a dialog, here one that is not even shown"
        shown.pair.together.setFocus()
        before = shown.pair.together.isChecked()
        QTest.keyClick(shown.pair.together, Qt.Key.Key_Return)
        assert shown.pair.together.isChecked() != before


def fill(qtbot: QtBot, window: MainWindow) -> None:
    """A label, a finding and a landmark; the first event is on screen."""
    press(window, "next_event")
    wait(qtbot, lambda: window.is_idle)
    for action_id in ("label_1", "new_finding", "landmark_stomach"):
        press(window, action_id)
    window.player.setFocus()
    wait(qtbot, lambda: window.is_idle)


def test_no_raw_input_widget_is_used() -> None:
    """Those of `widgets.inputs` and `widgets.number_box` leave the wheel to the page."""
    package = Path(__file__).parents[3] / "wce_desktop"
    uses = []
    for path in package.rglob("*.py"):
        if path.name in OWN_CLASSES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.func] if isinstance(node, ast.Call) else node.bases if isinstance(node, ast.ClassDef) else []
            used = (getattr(one, "id", getattr(one, "attr", "")) for one in names)  # `QSlider`, `QtWidgets.QSlider`
            uses += [f"{path.name}: {name}" for name in used if name in RAW]
    assert uses == []
